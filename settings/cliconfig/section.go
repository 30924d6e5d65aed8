package cliconfig

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
	"zcode-acp/settings/schema"
)

// Section is one of the general sections of `cli/config.json`, with ZCode's
// defaults beside what the file sets.
type Section struct {
	Name    string         `json:"name"`
	Set     jsontext.Value `json:"set"` // what the file holds, secrets masked; null when it has no such section
	Fields  []Field        `json:"fields"`
	Problem string         `json:"problem,omitzero"` // what is wrong with the section as a whole
}

// Field is one member of a section: those that ZCode knows, in their own order,
// then others that the file holds.
type Field struct {
	Name    string         `json:"name"`
	Type    FieldType      `json:"type"`
	Values  []string       `json:"values,omitempty"` // all that are allowed, for enumerations
	Default jsontext.Value `json:"default"`          // what ZCode takes while the member is missing; null when it has no default
	Value   jsontext.Value `json:"value,omitzero"`   // what the file holds, secrets masked
	Set     bool           `json:"set"`
	Problem string         `json:"problem,omitzero"` // what is wrong with the value and what it costs
}

const (
	costsFile    = ", so ZCode ignores the whole file"
	droppedByCLI = "is not known to ZCode, which drops it: remove it"
)

// SectionOf reads a general section. The error wraps [ErrUnknown] for a name that
// is not one of [SectionNames]; a section that breaks ZCode's rules is shown with
// its problems.
func SectionOf(d *jsonedit.Doc, name string) (Section, error) {
	general, err := findSection(name)
	if err != nil {
		return Section{}, fmt.Errorf("reading a section: %w", err)
	}
	stored := d.Root().Get(name)
	s := Section{Name: name}
	problems := map[string]string{}
	if stored.Exists() {
		s.Set = general.show(stored)
		problems = problemsIn(stored, sections[name])
		s.Problem = problems[""]
	}
	members := membersOf(stored)
	for _, f := range general.fields {
		field := f.show(members[f.name])
		field.Problem = problems[f.name]
		s.Fields = append(s.Fields, field)
	}
	if stored.Kind() != jsonedit.Object {
		return s, nil
	}
	for c := range stored.Children() {
		if _, known := general.field(c.Key()); !known {
			s.Fields = append(s.Fields, Field{Name: c.Key(), Type: UnknownField, Value: appendShown(nil, c, secretName(c.Key()), deepestShown), Set: true, Problem: droppedByCLI})
		}
	}
	return s, nil
}

// problemsIn returns the first violation of each member, "" for the value itself.
func problemsIn(n jsonedit.Node, rule schema.Rule) map[string]string {
	found := map[string]string{}
	for _, p := range schema.Check(n, rule) {
		name := firstStep(below(p.Pointer, n))
		if found[name] == "" {
			found[name] = p.Rule + costsFile
		}
	}
	return found
}

// show returns the member as a listing has it; value may not exist.
func (f generalField) show(value jsonedit.Node) Field {
	field := Field{Name: f.name, Type: f.kind, Values: append([]string(nil), f.values...), Set: value.Exists()}
	if f.fallback != "" {
		field.Default = jsontext.Value(f.fallback)
	}
	if value.Exists() {
		field.Value = f.appendShown(nil, value)
	}
	return field
}

// show returns a whole section.
func (s generalSection) show(stored jsonedit.Node) jsontext.Value {
	if stored.Kind() != jsonedit.Object {
		return appendShown(nil, stored, false, deepestShown)
	}
	b := []byte{'{'}
	for c := range stored.Children() {
		f, known := s.field(c.Key())
		if known {
			b = appendMember(b, c.Key(), f.appendShown(nil, c))
		} else {
			b = appendMember(b, c.Key(), appendShown(nil, c, secretName(c.Key()), deepestShown))
		}
	}
	return append(b, '}')
}

// appendShown appends a known member without its secrets.
func (f generalField) appendShown(b []byte, value jsonedit.Node) []byte {
	if value.Kind() == jsonedit.String {
		return append(b, jsonedit.Quote(f.mask(value.Text()))...)
	}
	return appendShown(b, value, false, deepestShown)
}

// mask returns the masked form of a string member.
func (f generalField) mask(text string) string { return redact.Member(f.name, text) }

// deepestShown is how many containers inside each other are shown.
const deepestShown = 64

// appendShown appends any value without its secrets; hidden says that all of it
// is one. What cannot stand in UTF-8 becomes U+FFFD, as every reader shows it.
func appendShown(b []byte, n jsonedit.Node, hidden bool, depth int) []byte {
	switch kind := n.Kind(); {
	case (kind == jsonedit.Object || kind == jsonedit.Array) && depth == 0:
		return append(b, jsonedit.Quote(redact.Mask)...)
	case kind == jsonedit.Object:
		object := []byte{'{'}
		for c := range n.Children() {
			object = appendMember(object, c.Key(), appendShown(nil, c, hidden || secretName(c.Key()), depth-1))
		}
		return append(append(b, object...), '}')
	case kind == jsonedit.Array:
		return appendShownArray(b, n, hidden, depth)
	case kind == jsonedit.String && hidden:
		return append(b, jsonedit.Quote(redact.String(n.Text()))...)
	case kind == jsonedit.String:
		return append(b, jsonedit.Quote(redact.Member(n.Key(), n.Text()))...)
	case kind == jsonedit.Number && hidden:
		return append(b, jsonedit.Quote(redact.Mask)...)
	}
	return append(b, n.Raw()...)
}

// appendShownArray masks strings together, since one may tell what the next is.
func appendShownArray(b []byte, n jsonedit.Node, hidden bool, depth int) []byte {
	var masked [][]byte
	if !hidden {
		masked = redact.ArgsOf(n)
	}
	b = append(b, '[')
	i := 0
	for c := range n.Children() {
		if i > 0 {
			b = append(b, ',')
		}
		if masked != nil && masked[i] != nil {
			b = append(b, masked[i]...)
		} else {
			b = appendShown(b, c, hidden, depth-1)
		}
		i++
	}
	return append(b, ']')
}

// secretName reports whether all that stands under a name is secret.
func secretName(name string) bool {
	return redact.KeyLike(name) || name == "env" || name == "headers"
}
