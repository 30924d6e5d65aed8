package agents

import (
	"fmt"
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// change gathers the steps of one edit of the state file; after the first error
// it does nothing.
type change struct {
	doc    *jsonedit.Doc
	edited string // the agent whose model is set, if any
	notes  []string
	err    error
}

// changeState runs an edit. One that changes nothing leaves the document as it
// is; any other brings the file into the form that ZCode keeps it in.
func changeState(d *jsonedit.Doc, doing string, steps func(*change)) (*jsonedit.Doc, []string, error) {
	c := &change{doc: d}
	if d.Root().Kind() != jsonedit.Object {
		c.err = &InvalidError{"", "the file must hold an object: mend it by hand first"}
	} else {
		steps(c)
	}
	if c.err == nil && c.doc != d {
		c.settle()
	}
	if c.err != nil {
		return nil, nil, fmt.Errorf("%s: %w", doing, c.err)
	}
	return c.doc, c.notes, nil
}

func (c *change) set(value []byte, path ...string) {
	if c.err != nil {
		return
	}
	if doc, err := c.doc.Set(path, value); err != nil {
		c.err = err
	} else {
		c.doc = doc
	}
}

func (c *change) delete(path ...string) {
	if c.err != nil {
		return
	}
	if doc, err := c.doc.Delete(path); err != nil {
		c.err = err
	} else {
		c.doc = doc
	}
}

func (c *change) insert(at int, value []byte, path ...string) {
	if c.err != nil {
		return
	}
	if doc, err := c.doc.Insert(path, at, value); err != nil {
		c.err = err
	} else {
		c.doc = doc
	}
}

func (c *change) note(sentence string) { c.notes = append(c.notes, sentence) }

// need refuses a member of the file that is there but of another kind.
func (c *change) need(name string, kind jsonedit.Kind) {
	if n := c.doc.Root().Get(name); c.err == nil && n.Exists() && n.Kind() != kind {
		c.err = &InvalidError{n.Path().Pointer(), "must be " + kind.String() + ": mend that in the file by hand first"}
	}
}

// settle makes sure of the three members that every write of ZCode leaves, and of
// the order of the disabled ids. A missing map takes over what older versions
// stored: once it is there, ZCode looks at it alone.
func (c *change) settle() {
	var added []string
	for _, name := range []string{builtInKey, pluginKey, disabledKey} {
		if c.doc.Root().Get(name).Exists() {
			continue
		}
		added = append(added, name)
		if name == disabledKey {
			c.set([]byte("[]"), name)
			continue
		}
		c.set([]byte("{}"), name)
		for _, o := range legacyOverrides(c.doc, name) {
			if o.agent == c.edited {
				continue
			}
			c.set(o.selection.json(), name, o.agent)
			c.note(fmt.Sprintf("the model of %q that an older ZCode stored was taken over into %s", o.agent, name))
		}
	}
	if len(added) > 0 {
		c.note("added what every state file of ZCode has: " + strings.Join(added, ", "))
	}
	c.sort()
}

// sort puts the disabled ids into the order that ZCode keeps them in; what it
// drops goes last.
func (c *change) sort() {
	ids := c.doc.Root().Get(disabledKey)
	if c.err != nil || ids.Kind() != jsonedit.Array {
		return
	}
	sorted := slices.SortedStableFunc(ids.Children(), compareIDs)
	if slices.EqualFunc(sorted, slices.Collect(ids.Children()), func(a, b jsonedit.Node) bool { return a == b }) {
		return
	}
	text := []byte{'['}
	for i, n := range sorted {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, n.Raw()...)
	}
	c.set(append(text, ']'), disabledKey)
	c.note(disabledKey + " was sorted, as ZCode keeps it")
}

// compareIDs orders the elements of the list of disabled ids.
func compareIDs(a, b jsonedit.Node) int {
	switch hasA, hasB := isID(a), isID(b); {
	case hasA && hasB:
		return compareUnits(a.Text(), b.Text())
	case hasA:
		return -1
	case hasB:
		return 1
	}
	return 0
}

// isID reports whether ZCode keeps an element of the list of disabled ids.
func isID(n jsonedit.Node) bool { return n.Kind() == jsonedit.String && trim(n.Text()) != "" }
