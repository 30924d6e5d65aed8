package cliconfig

import (
	"fmt"

	"zcode-acp/settings/jsonedit"
)

// EnableServer switches an MCP server on or off the way ZCode does: off stores
// `enabled:false`, on removes the member. The old spelling `enable` goes, which
// the notes tell. A server that is so already leaves the document as it is.
func EnableServer(d *jsonedit.Doc, name string, enabled bool) (*jsonedit.Doc, []string, error) {
	doc, notes, err := enableServer(d, name, enabled)
	if err != nil {
		return nil, nil, fmt.Errorf("switching an MCP server: %w", err)
	}
	return doc, notes, nil
}

func enableServer(d *jsonedit.Doc, name string, enabled bool) (*jsonedit.Doc, []string, error) {
	server, err := findServer(d, name)
	if err != nil {
		return nil, nil, err
	}
	if server.Kind() != jsonedit.Object {
		return nil, nil, &InvalidError{server.Path().Pointer(), "must be an object: remove this server and add it anew"}
	}
	e := edit{doc: d, path: server.Path()}
	e.enable(server, enabled)
	return e.doc, e.notes, e.err
}

// RemoveServer removes an MCP server; the object that held it stays.
func RemoveServer(d *jsonedit.Doc, name string) (*jsonedit.Doc, error) {
	server, err := findServer(d, name)
	if err != nil {
		return nil, fmt.Errorf("removing an MCP server: %w", err)
	}
	doc, err := d.Delete(server.Path())
	if err != nil {
		return nil, fmt.Errorf("removing an MCP server: %w", err)
	}
	return doc, nil
}

// findServer returns the entry of a server that the file has.
func findServer(d *jsonedit.Doc, name string) (jsonedit.Node, error) {
	if err := checkSection(d); err != nil {
		return jsonedit.Node{}, err
	}
	server := d.Find(serverPath(name))
	if !server.Exists() {
		return jsonedit.Node{}, unknownServer(name)
	}
	return server, nil
}

func serverPath(name string) jsonedit.Path { return jsonedit.Path{"mcp", "servers", name} }

// checkSection refuses a document in which there is no place for servers.
func checkSection(d *jsonedit.Doc) error {
	for _, path := range []jsonedit.Path{nil, {"mcp"}, {"mcp", "servers"}} {
		n := d.Find(path)
		if !n.Exists() {
			return nil
		}
		if n.Kind() == jsonedit.Object {
			continue
		}
		pointer := path.Pointer()
		if pointer == "" {
			return &InvalidError{"", "the file must hold an object: mend it by hand first"}
		}
		return &InvalidError{pointer, "must be an object: mend that in the file by hand first"}
	}
	return nil
}

// edit gathers the changes of one entry; after the first error it does nothing.
type edit struct {
	doc   *jsonedit.Doc
	path  jsonedit.Path
	notes []string
	err   error
}

func (e *edit) at(steps ...string) jsonedit.Path {
	return append(e.path[:len(e.path):len(e.path)], steps...)
}

func (e *edit) set(value []byte, steps ...string) {
	if e.err != nil {
		return
	}
	if doc, err := e.doc.Set(e.at(steps...), value); err != nil {
		e.err = err
	} else {
		e.doc = doc
	}
}

func (e *edit) delete(steps ...string) {
	if e.err != nil {
		return
	}
	if doc, err := e.doc.Delete(e.at(steps...)); err != nil {
		e.err = err
	} else {
		e.doc = doc
	}
}

func (e *edit) note(sentence string) { e.notes = append(e.notes, sentence) }

// enable makes the server start or not start. The old spelling is removed even
// when the state is right, since other readers overlook it.
func (e *edit) enable(server jsonedit.Node, on bool) {
	legacy := server.Get("enable").Exists()
	if now, valid := enabledOf(server); valid && now == on && !legacy {
		return
	}
	if on {
		e.delete("enabled")
	} else {
		e.set([]byte("false"), "enabled")
	}
	if legacy {
		e.delete("enable")
		e.note(`the old spelling "enable" was replaced by "enabled"`)
	}
}
