package cliconfig

import (
	"fmt"
	"slices"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// ImportAction is what an import does with one server.
type ImportAction string

// The actions of an import.
const (
	ImportAdd     ImportAction = "add"
	ImportSame    ImportAction = "same"    // ZCode has it already, and nothing changes
	ImportReplace ImportAction = "replace" // another server of that name goes
	ImportSkip    ImportAction = "skip"    // nothing changes, for the reason that is given
)

// ImportStep tells what an import does with one server of another tool. It holds
// names of members, never their values.
type ImportStep struct {
	Name    string       `json:"name"`
	Action  ImportAction `json:"action"`
	Reason  string       `json:"reason,omitzero"`   // of a skip
	Dropped []string     `json:"dropped,omitempty"` // members that ZCode cannot take, some with the reason behind a colon
	Changed []string     `json:"changed,omitempty"` // what ZCode spells otherwise, and what a replacement removes
	Hints   []string     `json:"hints,omitempty"`   // what a person should look at
}

const (
	anotherServer = "another server of that name is configured: repeat the import with overwrite (--overwrite) to replace it"
	namedTwice    = "another server of the import has that name: rename one"
)

// Plan works out how servers of another tool become ZCode's, a step for each in
// their order, and the document that results. A server that differs from the
// present one of its name is replaced only with overwrite, as a whole. What ZCode
// would skip, and what [UpsertServer] refuses, is skipped. The bytes of all other
// servers stay, and the document itself when there is nothing to do. windows says
// that ZCode runs there.
func Plan(d *jsonedit.Doc, foreign []Foreign, overwrite, windows bool) ([]ImportStep, *jsonedit.Doc, error) {
	if err := checkSection(d); err != nil {
		return nil, nil, fmt.Errorf("importing MCP servers: %w", err)
	}
	servers := d.Find(jsonedit.Path{"mcp", "servers"})
	p := planner{present: membersOf(servers), overwrite: overwrite, windows: windows, seen: map[string]bool{}}
	steps := make([]ImportStep, 0, len(foreign))
	entries := entries{replaced: map[string][]byte{}}
	for _, f := range foreign {
		step, entry := p.step(f)
		switch step.Action {
		case ImportAdd:
			entries.added = append(entries.added, namedEntry{f.Name, entry})
		case ImportReplace:
			entries.replaced[f.Name] = entry
		}
		steps = append(steps, step)
	}
	next, err := entries.store(d)
	if err != nil {
		return nil, nil, fmt.Errorf("importing MCP servers: %w", err)
	}
	return steps, next, nil
}

// planner decides about one server after the other.
type planner struct {
	present   map[string]jsonedit.Node
	overwrite bool
	windows   bool
	seen      map[string]bool
}

// step decides about one server; entry is the text that is stored for it.
func (p *planner) step(f Foreign) (step ImportStep, entry []byte) {
	skip := func(reason string) (ImportStep, []byte) {
		return ImportStep{Name: shorten(f.Name), Action: ImportSkip, Reason: shorten(reason)}, nil
	}
	if p.seen[f.Name] {
		return skip(namedTwice)
	}
	p.seen[f.Name] = true
	c, err := convert(f.Server)
	if err != nil {
		return skip(err.Error())
	}
	present := p.present[f.Name]
	server, notes, err := c.entry(f.Name, present)
	switch {
	case err != nil:
		return skip(err.Error())
	case present.Exists() && sameServer(present, server):
		return ImportStep{Name: f.Name, Action: ImportSame}, nil
	case present.Exists() && !p.overwrite:
		return skip(anotherServer)
	}
	step = ImportStep{
		Name: f.Name, Action: ImportAdd, Dropped: shortList(c.dropped),
		Changed: shortList(append(c.changed, notes...)), Hints: hints(server, c, p.windows),
	}
	if present.Exists() {
		step.Action = ImportReplace
	}
	return step, server.Raw()
}

// entry returns the server that results, made by the rules of [UpsertServer];
// what the present one has besides goes.
func (c *conversion) entry(name string, present jsonedit.Node) (server jsonedit.Node, notes []string, err error) {
	base, body := New(), c.body
	if present.Kind() == jsonedit.Object {
		if base, err = base.Set(serverPath(name), present.Raw()); err != nil {
			return jsonedit.Node{}, nil, err
		}
		body = c.instead(present)
	} else if c.off {
		body = appendMember(body, "enabled", []byte("false"))
	}
	sent, err := jsonedit.Parse(slices.Concat(body, []byte{'}'}))
	if err != nil {
		return jsonedit.Node{}, nil, err
	}
	doc, notes, err := upsert(base, name, sent.Root())
	if err != nil {
		return jsonedit.Node{}, nil, err
	}
	return doc.Find(serverPath(name)), notes, nil
}

// instead adds to the body what turns the present server into the wanted one.
func (c *conversion) instead(present jsonedit.Node) []byte {
	body := slices.Clone(c.body)
	if on, valid := enabledOf(present); !valid || on == c.off {
		body = appendMember(body, "enabled", fmt.Append(nil, !c.off))
	}
	for old := range present.Children() {
		switch name := old.Key(); {
		case name == "enabled", name == "enable", name == "timeout", name == "startup_timeout_sec":
			// The first two are said above, the others mean nothing to ZCode.
		case !c.has[name]:
			body = appendMember(body, name, []byte("null"))
		}
	}
	return body
}

// sameServer reports whether ZCode takes two servers for the same, whatever they
// are spelled like.
func sameServer(present, server jsonedit.Node) bool {
	if len(schema.Check(present, checkServer)) > 0 {
		return false
	}
	a, errA := convert(present)
	b, errB := convert(server)
	return errA == nil && errB == nil && a.equal(b)
}
