package cliconfig

import (
	"fmt"
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// SetSection merges body, an object, into a general section member by member, or
// adds the section; null removes a member, and the section stays when its last
// one goes. A masked value keeps the present one, and is refused where there is
// none. Members that ZCode does not know are refused, and so is what would make
// it ignore the whole file, each with an [InvalidError]. The notes tell what a
// change does beyond the setting. A name that is not one of [SectionNames] is an
// error that wraps [ErrUnknown].
func SetSection(d *jsonedit.Doc, name string, body jsonedit.Node) (*jsonedit.Doc, []string, error) {
	doc, notes, err := setSection(d, name, body)
	if err != nil {
		return nil, nil, fmt.Errorf("setting a section: %w", err)
	}
	return doc, notes, nil
}

func setSection(d *jsonedit.Doc, name string, body jsonedit.Node) (*jsonedit.Doc, []string, error) {
	general, err := findSection(name)
	if err != nil {
		return nil, nil, err
	}
	stored := d.Root().Get(name)
	switch {
	case d.Root().Kind() != jsonedit.Object:
		return nil, nil, &InvalidError{"", "the file must hold an object: mend it by hand first"}
	case stored.Exists() && stored.Kind() != jsonedit.Object:
		return nil, nil, &InvalidError{stored.Path().Pointer(), "must be an object: mend that in the file by hand first"}
	}
	if err := general.checkBody(body); err != nil {
		return nil, nil, err
	}
	wanted, err := general.merged(stored, body)
	if err != nil {
		return nil, nil, err
	}
	e := edit{doc: d}
	if stored.Exists() || len(wanted) > len("{}") {
		e.replace(stored, wanted, name)
	}
	if e.err != nil {
		return nil, nil, e.err
	}
	if err := general.judge(e.doc.Root().Get(name)); err != nil {
		return nil, nil, err
	}
	general.warn(&e, d)
	return e.doc, e.notes, nil
}

// checkBody refuses what can stand in no file.
func (s generalSection) checkBody(body jsonedit.Node) error {
	switch {
	case body.Kind() != jsonedit.Object:
		return &InvalidError{"", "must be an object with the members to change"}
	case body.Len() == 0:
		return &InvalidError{"", "names no member to change: send some of " + s.names()}
	}
	nulls := map[string]bool{}
	for c := range body.Children() {
		if c.Kind() == jsonedit.Null {
			nulls[c.Key()] = true
			continue
		}
		if _, known := s.field(c.Key()); !known {
			return &InvalidError{below(c.Path().Pointer(), body), "is not known to ZCode, which would drop it: send some of " + s.names()}
		}
	}
	for _, p := range schema.Check(body, sections[s.name]) {
		pointer := below(p.Pointer, body)
		if member := firstStep(pointer); !nulls[member] {
			return &InvalidError{pointer, s.advise(member, p.Rule)}
		}
	}
	return nil
}

// advise adds the values of an enumeration to a rule that does not name them.
func (s generalSection) advise(member, rule string) string {
	f, _ := s.field(member)
	values := strings.Join(f.values, ", ")
	if values == "" || strings.HasSuffix(rule, values) {
		return rule
	}
	return rule + ": send one of " + values
}

// merged returns the text of the section as the body wants it: the present
// members first, in their order. stored may not exist.
func (s generalSection) merged(stored, body jsonedit.Node) ([]byte, error) {
	sent, present := membersOf(body), membersOf(stored)
	b := []byte{'{'}
	add := func(written, old jsonedit.Node) error {
		f, _ := s.field(written.Key())
		value, err := f.resolve(written, old)
		if err == nil {
			b = appendMember(b, written.Key(), value)
		}
		return err
	}
	for old := range stored.Children() {
		written := sent[old.Key()]
		switch {
		case !written.Exists():
			b = appendMember(b, old.Key(), old.Raw())
		case written.Kind() != jsonedit.Null:
			if err := add(written, old); err != nil {
				return nil, err
			}
		}
	}
	for written := range body.Children() {
		if present[written.Key()].Exists() || written.Kind() == jsonedit.Null {
			continue
		}
		if err := add(written, jsonedit.Node{}); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// resolve returns the JSON text that a written member means: a mask becomes the
// present value, and what says the same as before keeps its present text.
func (f generalField) resolve(written, present jsonedit.Node) ([]byte, error) {
	pointer := jsonedit.Path{f.name}.Pointer()
	switch f.kind {
	case StringsField:
		return resolveArgs(pointer, written, present)
	case StringField:
		return resolveString(pointer, written, present, f.mask(present.Text()))
	}
	return resolve(f.name, written, present)
}

// judge refuses a section because of which ZCode would ignore the whole file. The
// body is checked already, so what is wrong was there before.
func (s generalSection) judge(section jsonedit.Node) error {
	if !section.Exists() {
		return nil
	}
	problems := schema.Check(section, sections[s.name])
	if len(problems) == 0 {
		return nil
	}
	pointer := below(problems[0].Pointer, section)
	return &InvalidError{pointer, fmt.Sprintf("%s%s; it was there before: send %q as null or corrected",
		problems[0].Rule, costsFile, firstStep(pointer))}
}

// warn tells what the changed members do beyond the setting.
func (s generalSection) warn(e *edit, before *jsonedit.Doc) {
	old, now := before.Root().Get(s.name), e.doc.Root().Get(s.name)
	for _, f := range s.fields {
		if f.warning != "" && !jsonedit.Equal(old.Get(f.name), now.Get(f.name)) {
			e.note(f.warning)
		}
	}
}
