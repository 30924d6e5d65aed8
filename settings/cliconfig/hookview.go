package cliconfig

import (
	"iter"
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
	"zcode-acp/settings/schema"
)

// Hooks is the section `hooks` of the file.
type Hooks struct {
	Tree     []byte    // the section as JSON with its secrets masked; {} when the file has no such object
	Enabled  bool      // the section's own switch is true
	Problems []Problem // what in the section makes ZCode ignore the whole file
	Notes    []string  // what is reported of hooks in this file, but not known for sure
}

// reportedHooks is told where hooks should run.
const reportedHooks = "ZCode 3.10 and later are reported to run only the hooks of a workspace: " +
	"if a hook of this file does not run, put it into .zcode/config.json of the workspace and trust it there"

// HooksOf reads the section `hooks`.
func HooksOf(d *jsonedit.Doc) Hooks {
	section := d.Root().Get("hooks")
	h := Hooks{Tree: []byte("{}")}
	if !section.Exists() {
		return h
	}
	for _, p := range schema.Check(section, hooks) {
		h.Problems = append(h.Problems, Problem{Problem: p, Effect: FileIgnored, Section: "hooks"})
	}
	if section.Kind() != jsonedit.Object {
		return h
	}
	h.Tree = maskedHooks(section)
	h.Enabled, _ = section.Get("enabled").Bool()
	if h.Enabled && hasHooks(section) {
		h.Notes = []string{reportedHooks}
	}
	return h
}

func hasHooks(section jsonedit.Node) bool {
	for range hooksIn(section) {
		return true
	}
	return false
}

// placedHook is a hook and where it stands.
type placedHook struct {
	hookPlace
	group, hook jsonedit.Node
}

// hooksIn walks the hooks of the section in the order of the file, also those
// of events that ZCode does not know.
func hooksIn(section jsonedit.Node) iter.Seq[placedHook] {
	return func(yield func(placedHook) bool) {
		events := section.Get("events")
		if events.Kind() != jsonedit.Object {
			return
		}
		for event := range events.Children() {
			for i, group := range elements(event) {
				for j, hook := range elements(group.Get("hooks")) {
					if !yield(placedHook{hookPlace{event.Key(), i, j}, group, hook}) {
						return
					}
				}
			}
		}
	}
}

// elements walks an array; anything else has none.
func elements(n jsonedit.Node) iter.Seq2[int, jsonedit.Node] {
	return func(yield func(int, jsonedit.Node) bool) {
		if n.Kind() != jsonedit.Array {
			return
		}
		i := 0
		for c := range n.Children() {
			if !yield(i, c) {
				return
			}
			i++
		}
	}
}

// maskedHooks returns the section without its secrets. The names of events are
// no names of secrets.
func maskedHooks(section jsonedit.Node) []byte {
	b := []byte{'{'}
	for c := range section.Children() {
		value := []byte{'{'}
		if c.Key() == "events" && c.Kind() == jsonedit.Object {
			for event := range c.Children() {
				value = appendMember(value, event.Key(), appendHookValue(nil, event, false))
			}
			value = append(value, '}')
		} else {
			value = appendHookValue(nil, c, secretMember(c.Key()))
		}
		b = appendMember(b, c.Key(), value)
	}
	return append(b, '}')
}

// secretMember reports whether all values inside a member are masked: hooks may
// have any members, and people give them environments.
func secretMember(name string) bool {
	return redact.KeyLike(name) || slices.Contains([]string{"env", "environment", "headers", "http_headers"}, name)
}

// appendHookValue adds a value without its secrets to b.
func appendHookValue(b []byte, n jsonedit.Node, hidden bool) []byte {
	switch kind := n.Kind(); {
	case kind == jsonedit.Object:
		first := len(b)
		b = append(b, '{')
		for c := range n.Children() {
			if len(b) > first+1 {
				b = append(b, ',')
			}
			b = append(append(b, jsonedit.Quote(c.Key())...), ':')
			b = appendHookValue(b, c, hidden || secretMember(c.Key()))
		}
		return append(b, '}')
	case kind == jsonedit.Array:
		return appendHookArray(b, n, hidden)
	case kind == jsonedit.String && hidden:
		return append(b, jsonedit.Quote(redact.String(n.Text()))...)
	case kind == jsonedit.String && strings.HasSuffix(strings.ToLower(n.Key()), "url"):
		return append(b, jsonedit.Quote(redact.URL(n.Text()))...)
	case kind == jsonedit.String:
		return append(b, jsonedit.Quote(maskCommand(n.Text()))...)
	case kind == jsonedit.Number && hidden:
		return append(b, jsonedit.Quote(redact.Mask)...)
	}
	return append(b, n.Raw()...)
}

// appendHookArray masks the elements together, since a flag tells what its
// neighbour is.
func appendHookArray(b []byte, n jsonedit.Node, hidden bool) []byte {
	var masked [][]byte
	if !hidden {
		masked = redact.ArgsOf(n)
	}
	b = append(b, '[')
	for i, c := range elements(n) {
		if i > 0 {
			b = append(b, ',')
		}
		if masked != nil && masked[i] != nil {
			b = append(b, masked[i]...)
		} else {
			b = appendHookValue(b, c, hidden)
		}
	}
	return append(b, ']')
}
