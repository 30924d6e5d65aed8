package cliconfig

import (
	"slices"

	"zcode-acp/settings/jsonedit"
)

// entries are the servers that an import stores.
type entries struct {
	added    []namedEntry
	replaced map[string][]byte
}

type namedEntry struct {
	name string
	text []byte
}

// store puts all servers into the document at once: one by one, each would read
// the whole document again.
func (e entries) store(d *jsonedit.Doc) (*jsonedit.Doc, error) {
	if len(e.added) == 0 && len(e.replaced) == 0 {
		return d, nil
	}
	path := jsonedit.Path{"mcp", "servers"}
	before := slices.Collect(d.Find(path).Children())
	text := []byte{'{'}
	for _, old := range before {
		entry, replaced := e.replaced[old.Key()]
		if !replaced {
			entry = old.Raw()
		}
		text = appendMember(text, old.Key(), entry)
	}
	for _, a := range e.added {
		text = appendMember(text, a.name, a.text)
	}
	laidOut, err := d.Set(path, append(text, '}'))
	if err != nil || len(before) == 0 {
		return laidOut, err
	}
	return jsonedit.Parse(e.around(d, before, laidOut, slices.Collect(laidOut.Find(path).Children())))
}

// around takes from a document in which all servers are laid out anew only the
// new ones, with what separates them, and everything else from the old document.
// before is not empty, and after begins with the same names.
func (e entries) around(d *jsonedit.Doc, before []jsonedit.Node, laidOut *jsonedit.Doc, after []jsonedit.Node) []byte {
	old, copied := d.Text(), 0
	var b []byte
	for i, n := range before {
		if _, replaced := e.replaced[n.Key()]; replaced {
			start, end := n.Span()
			b = append(append(b, old[copied:start]...), after[i].Raw()...)
			copied = end
		}
	}
	last := len(before) - 1
	_, end := before[last].Span()
	_, from := after[last].Span()
	_, to := after[len(after)-1].Span()
	b = append(b, old[copied:end]...)
	b = append(b, laidOut.Text()[from:to]...)
	return append(b, old[end:]...)
}
