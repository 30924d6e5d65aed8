package settings

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/jwcc"
	"zcode-acp/settings/schema"
)

// repair mends a text that ZCode cannot read; the file itself is displaced whole
// and becomes the backup: comments and trailing commas go, of duplicate names
// the last stays (it is the one that ZCode reads), members that ZCode does not
// know go where they make it drop the file. What cannot be read even then is
// begun anew. A value that breaks a rule is for a person to mend: guessing would
// lose it. A file of a newer ZCode is never touched.
func (a *attempt) repair(old []byte, cause error) (*jsonedit.Doc, error) {
	d := a.edit.document
	doc, how := a.parsed.doc, ""
	if doc == nil {
		if errors.Is(cause, jsonedit.ErrTooDeep) || errors.Is(cause, jsonedit.ErrTooLarge) {
			return nil, cause
		}
		var err error
		if doc, how, err = mendText(old); errors.Is(err, jsonedit.ErrTooDeep) {
			return nil, d.broken(a.path, err)
		}
	}
	switch {
	case doc == nil:
		doc, how = d.fresh(), "the file could not be read and was begun anew"
	case doc.Root().Kind() != jsonedit.Object:
		doc, how = d.fresh(), "the file held no object and was begun anew"
	case d.version != nil && d.version(doc) != nil:
		return nil, d.newer(a.path, d.version(doc))
	case d.whole:
		var removed []string
		var err error
		if doc, removed, err = a.dropUnknown(doc); err != nil {
			return nil, err
		}
		if len(removed) > 0 {
			how = join(how, "what ZCode does not know was removed ("+strings.Join(removed, ", ")+")")
		}
	}
	a.also = append(a.also, how+"; the file as it was is kept as the backup")
	return doc, nil
}

// mendText reads a text as its author meant it; an error when that cannot be told.
func mendText(old []byte) (doc *jsonedit.Doc, how string, err error) {
	text, marked := bytes.CutPrefix(old, []byte("\ufeff"))
	plain, err := standardize(text)
	if err == nil {
		doc, err = jsonedit.Parse(plain)
	}
	if err != nil {
		return nil, "", err
	}
	how = "comments, trailing commas and duplicate names were removed"
	if marked {
		how = join(how, bomDropped)
	}
	return doc, how, nil
}

func join(first, second string) string {
	if first == "" {
		return second
	}
	return first + "; " + second
}

// dropUnknown deletes the members because of which ZCode drops the file.
func (a *attempt) dropUnknown(doc *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
	d := a.edit.document
	problems := d.problems(doc)
	for _, p := range problems {
		if p.Rule != schema.UnknownMember {
			return nil, nil, &BrokenError{
				Document: d.name, File: a.path, Pointer: p.Pointer, Line: p.Line, Column: p.Column,
				Reason: p.Rule + ", which repair cannot decide: mend it by hand",
			}
		}
	}
	var removed []string
	// From the last to the first, so that no index changes that is still needed.
	for _, p := range slices.Backward(problems) {
		next, err := doc.Delete(pathOf(p.Pointer))
		if err != nil {
			return nil, nil, d.violation(a.path, p)
		}
		doc, removed = next, append(removed, p.Pointer)
	}
	slices.Reverse(removed)
	return doc, removed, nil
}

// standardize removes what JSON does not allow and earlier members of one name.
func standardize(text []byte) ([]byte, error) {
	v, err := jwcc.Parse(text)
	if err != nil {
		return nil, err
	}
	v.Standardize()
	dropDuplicates(&v)
	return bytes.TrimSuffix(v.Pack(), []byte("\n")), nil
}

func dropDuplicates(v *hujson.Value) {
	switch comp := v.Value.(type) {
	case *hujson.Object:
		dropDuplicateMembers(comp)
	case *hujson.Array:
		for i := range comp.Elements {
			dropDuplicates(&comp.Elements[i])
		}
	}
}

func dropDuplicateMembers(object *hujson.Object) {
	last := map[string]int{}
	for i, m := range object.Members {
		last[memberName(m)] = i
	}
	var kept []hujson.ObjectMember
	for i, m := range object.Members {
		if last[memberName(m)] != i {
			continue
		}
		if len(kept) == 0 {
			m.Name.BeforeExtra = object.Members[0].Name.BeforeExtra
		}
		dropDuplicates(&m.Value)
		kept = append(kept, m)
	}
	object.Members = kept
}

func memberName(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// pathOf reads a JSON pointer (RFC 6901).
func pathOf(pointer string) jsonedit.Path {
	var path jsonedit.Path
	for _, step := range strings.Split(pointer, "/")[1:] {
		path = append(path, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	return path
}
