package cliconfig

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"zcode-acp/settings/jsonedit"
)

// maxNameLength is the longest name of a server, in bytes.
const maxNameLength = 255

// UpsertServer merges body, an object, into the entry of an MCP server member by
// member, or adds the server; null removes a member. A change between stdio and
// http or sse drops the members of the other side. A masked value keeps the
// present one, and is refused where it would become visible. The notes tell which
// old spellings became current ones and what a change of transport dropped. A
// server that ZCode would skip is refused with an [InvalidError].
func UpsertServer(d *jsonedit.Doc, name string, body jsonedit.Node) (*jsonedit.Doc, []string, error) {
	doc, notes, err := upsert(d, name, body)
	if err != nil {
		return nil, nil, fmt.Errorf("setting an MCP server: %w", err)
	}
	return doc, notes, nil
}

func upsert(d *jsonedit.Doc, name string, body jsonedit.Node) (*jsonedit.Doc, []string, error) {
	if err := checkName(name); err != nil {
		return nil, nil, err
	}
	if err := checkSection(d); err != nil {
		return nil, nil, err
	}
	if err := checkBody(name, body); err != nil {
		return nil, nil, err
	}
	e := edit{doc: d, path: serverPath(name)}
	switch server := d.Find(e.path); {
	case !server.Exists():
		e.create(body)
	case server.Kind() != jsonedit.Object:
		return nil, nil, &InvalidError{"", "cannot be merged: the present entry is no object, remove this server first"}
	default:
		e.merge(server, body)
	}
	if e.err != nil {
		return nil, nil, e.err
	}
	if err := judge(e.doc.Find(e.path), body); err != nil {
		return nil, nil, err
	}
	return e.doc, e.notes, nil
}

func checkName(name string) error {
	switch {
	case name == "":
		return &InvalidError{"", "the name of a server must not be empty"}
	case len(name) > maxNameLength:
		return &InvalidError{"", fmt.Sprintf("the name of a server must have at most %d bytes", maxNameLength)}
	case !utf8.ValidString(name) || strings.ContainsAny(name, `/\`) || strings.ContainsFunc(name, unicode.IsControl):
		return &InvalidError{"", "the name of a server must be free of slashes, backslashes and control characters"}
	}
	return nil
}

// create adds a server. Its type is written even where it could be inferred.
func (e *edit) create(body jsonedit.Node) {
	text := []byte{'{'}
	if t := transportOf(body.Get); t.known() && body.Get("type").Kind() != jsonedit.String {
		text = appendMember(text, "type", jsonedit.Quote(string(t)))
	}
	for c := range body.Children() {
		if on, _ := c.Bool(); !sends(body, c.Key()) || c.Key() == "enabled" && on {
			continue
		}
		value, err := resolve(c.Key(), c, jsonedit.Node{})
		if err != nil {
			e.err = err
			return
		}
		text = appendMember(text, c.Key(), value)
	}
	e.set(append(text, '}'))
}

// merge changes the members of a present server that the body names.
func (e *edit) merge(server, body jsonedit.Node) {
	e.mergeEnabled(server, body)
	e.changeTransport(server, body)
	for c := range body.Children() {
		switch name := c.Key(); {
		case name == "enabled" || c.Kind() != jsonedit.Null && !sends(body, name):
		case c.Kind() == jsonedit.Null:
			e.delete(name)
			if old := legacyMember(server, name); old.Exists() {
				e.delete(old.Key())
				e.note(fmt.Sprintf("%q went too: it is an old spelling of %q", old.Key(), name))
			}
		case name == "type":
			e.mergeType(server, c)
		default:
			e.mergeMember(server, c)
		}
	}
}

// mergeEnabled keeps a server off that the old spelling `enable:false` switches
// off, whatever else is edited.
func (e *edit) mergeEnabled(server, body jsonedit.Node) {
	on, _ := enabledOf(server)
	sent := body.Get("enabled")
	enable, hasEnable := server.Get("enable").Bool()
	switch value, _ := sent.Bool(); {
	case sent.Kind() == jsonedit.Null:
		e.enable(server, true)
		e.delete("enabled")
	case sent.Exists():
		e.enable(server, value)
	case hasEnable && !enable:
		e.enable(server, on)
	}
}

// changeTransport drops what belongs to the other side when the body moves the
// server between stdio and http or sse, and tells what the body did not name.
func (e *edit) changeTransport(server, body jsonedit.Node) {
	before := transportOf(server.Get)
	after := transportOf(func(name string) jsonedit.Node {
		if c := body.Get(name); c.Exists() {
			return c
		}
		return server.Get(name)
	})
	if !before.known() || !after.known() || before.remote() == after.remote() {
		return
	}
	// ZCode would read the old spellings as members of the new side.
	drop := []string{"environment", "http_headers"}
	for _, m := range members {
		if !m.on.has(after) {
			drop = append(drop, m.name)
		}
	}
	var lost []string
	for c := range server.Children() {
		if name := c.Key(); slices.Contains(drop, name) {
			e.delete(name)
			if !body.Get(name).Exists() {
				lost = append(lost, name)
			}
		}
	}
	if len(lost) > 0 {
		e.note("the members of the other transport were removed: " + strings.Join(lost, ", "))
	}
}

// mergeType leaves a type alone that ZCode reads as the one sent.
func (e *edit) mergeType(server, sent jsonedit.Node) {
	switch stored := server.Get("type"); {
	case stored.Text() == "remote" && sent.Text() == "http":
		e.note(`the old spelling "remote" of the type became "http"`)
	case stored.Text() != "remote" && string(transportOf(server.Get)) == sent.Text():
		return
	}
	e.set(sent.Raw(), "type")
}

func (e *edit) mergeMember(server, sent jsonedit.Node) {
	name := sent.Key()
	present := current(server, name)
	value, err := resolve(name, sent, present)
	if err != nil {
		e.err = err
		return
	}
	if present.Exists() && present.Key() != name {
		e.set(value, name)
		e.delete(present.Key())
		e.note(fmt.Sprintf("the old spelling %q became %q", present.Key(), name))
		return
	}
	e.replace(present, value, name)
}
