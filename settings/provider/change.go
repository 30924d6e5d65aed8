package provider

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"zcode-acp/settings/jsonedit"
)

// change is a document on its way to the next; the first error stays.
type change struct {
	doc   *jsonedit.Doc
	notes []string
	err   error
}

// begin refuses documents of a newer ZCode.
func begin(d *jsonedit.Doc) *change { return &change{doc: d, err: Version(d)} }

// end names what was being done in the error.
func (c *change) end(doing string) (*jsonedit.Doc, []string, error) {
	if c.err != nil {
		return nil, nil, fmt.Errorf("%s: %w", doing, c.err)
	}
	return c.doc, c.notes, nil
}

func (c *change) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *change) note(format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, args...))
}

func (c *change) step(d *jsonedit.Doc, err error) {
	if err != nil {
		c.fail(err)
		return
	}
	c.doc = d
}

// put sets a value; objects on the way that are missing or null are created.
func (c *change) put(path jsonedit.Path, value []byte) {
	if c.err != nil {
		return
	}
	for i := 1; i < len(path); i++ {
		if c.doc.Find(path[:i]).Kind() != jsonedit.Null {
			continue
		}
		for _, name := range slices.Backward(path[i:]) {
			value = object(member{name, value})
		}
		path = path[:i]
	}
	c.step(c.doc.Set(path, value))
}

// drop deletes a member, and with it the objects around it that this empties,
// up to the one at depth keep.
func (c *change) drop(path jsonedit.Path, keep int) {
	if c.err != nil || !c.doc.Find(path).Exists() {
		return
	}
	c.step(c.doc.Delete(path))
	for path = path[:len(path)-1]; c.err == nil && len(path) > keep && c.doc.Find(path).Len() == 0; path = path[:len(path)-1] {
		c.step(c.doc.Delete(path))
	}
}

// add appends to an array.
func (c *change) add(path jsonedit.Path, value []byte) {
	if c.err == nil {
		c.step(c.doc.Insert(path, c.doc.Find(path).Len(), value))
	}
}

// remove takes the elements out of an array for which gone answers true, and
// counts them.
func (c *change) remove(path jsonedit.Path, gone func(jsonedit.Node) bool) int {
	array := c.doc.Find(path)
	if c.err != nil || array.Kind() != jsonedit.Array {
		return 0
	}
	var kept [][]byte
	for element := range array.Children() {
		if !gone(element) {
			kept = append(kept, element.Raw())
		}
	}
	removed := array.Len() - len(kept)
	if removed > 0 {
		c.put(path, slices.Concat([]byte("["), bytes.Join(kept, []byte(",")), []byte("]")))
	}
	return removed
}

// at extends a path without touching it.
func at(path jsonedit.Path, more ...string) jsonedit.Path { return slices.Concat(path, more) }

// member of an object to write; one without a value is left out.
type member struct {
	name  string
	value []byte
}

func object(members ...member) []byte {
	var parts [][]byte
	for _, m := range members {
		if m.value != nil {
			parts = append(parts, slices.Concat(jsonedit.Quote(m.name), []byte(":"), m.value))
		}
	}
	return slices.Concat([]byte("{"), bytes.Join(parts, []byte(",")), []byte("}"))
}

// objectIfAny returns nil for an object without members.
func objectIfAny(members ...member) []byte {
	if text := object(members...); len(text) > 2 {
		return text
	}
	return nil
}

func array(texts []string) []byte {
	parts := make([][]byte, len(texts))
	for i, s := range texts {
		parts[i] = jsonedit.Quote(s)
	}
	return slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]"))
}

func arrayIfAny(texts []string) []byte {
	if len(texts) == 0 {
		return nil
	}
	return array(texts)
}

func textIfAny(s *string) []byte {
	if s == nil {
		return nil
	}
	return jsonedit.Quote(*s)
}

func boolean(b bool) []byte { return strconv.AppendBool(nil, b) }

func number(n int64) []byte { return strconv.AppendInt(nil, n, 10) }
