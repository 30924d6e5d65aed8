package settings

import (
	"errors"
	"fmt"
	"slices"

	"zcode-acp/settings/agents"
	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
	"zcode-acp/settings/schema"
)

// document is one of ZCode's files, and by which rules it is read and written.
type document struct {
	name     string // as answers and etags call it
	place    home.Place
	effect   Effect // of a change of the whole file
	fresh    func() *jsonedit.Doc
	sections map[string][]jsonedit.Path // what an etag of the section covers

	// problems are violations because of which ZCode ignores the whole file.
	problems func(*jsonedit.Doc) []schema.Problem
	// whole says that the file is one section: any violation makes it broken.
	whole bool
	// version refuses files of a newer ZCode; nil when the file has no version.
	version func(*jsonedit.Doc) error
	// canonical brings the file into the form that ZCode itself writes; nil keeps
	// every byte that was not edited.
	canonical func(*jsonedit.Doc) (*jsonedit.Doc, error)
}

var cliConfig = &document{
	name: "cliConfig", place: home.CLIConfig, effect: NeedsRestart, fresh: cliconfig.New,
	sections: cliSections(),
	problems: func(d *jsonedit.Doc) []schema.Problem {
		var list []schema.Problem
		for _, p := range cliconfig.CheckFile(d) {
			list = append(list, p.Problem)
		}
		return list
	},
}

var providerConfig = &document{
	name: "providerConfig", place: home.ProviderConfig, effect: Immediate, fresh: provider.New,
	sections: map[string][]jsonedit.Path{"models": {nil}, "file": {nil}},
	problems: provider.Check, whole: true, version: provider.Version, canonical: provider.Canonical,
}

var agentsState = &document{
	name: "agentsState", place: home.AgentsState, effect: NeedsRestart, fresh: agents.New,
	sections: map[string][]jsonedit.Path{"agents": {nil}, "file": {nil}},
	// An entry that ZCode cannot use costs only itself.
	problems: func(*jsonedit.Doc) []schema.Problem { return nil },
}

// documents are all JSON files that can be edited, in the order of answers.
var documents = []*document{providerConfig, cliConfig, agentsState}

// Files that are only looked at.
var (
	settingFile     = &document{name: "setting", place: home.Setting, sections: map[string][]jsonedit.Path{"file": {nil}}}
	credentialsFile = &document{name: "credentials", place: home.Credentials}
	agentsMCPFile   = &document{name: "agentsMCP", place: home.AgentsMCP}
)

// cliSections are the parts of cli/config.json that change independently.
func cliSections() map[string][]jsonedit.Path {
	sections := map[string][]jsonedit.Path{
		"file": {nil}, "mcp": {{"mcp"}}, "hooks": {{"hooks"}}, "plugins": {{"plugins"}}, "skills": {{"skills"}, {"skill"}},
	}
	for _, name := range cliconfig.SectionNames() {
		sections[name] = []jsonedit.Path{{name}}
	}
	return sections
}

// open parses a text for editing.
func (d *document) open(parsed *parseOnce, path string, text []byte, exists bool) (*jsonedit.Doc, error) {
	if !exists {
		return d.fresh(), nil
	}
	doc, err := parsed.parse(text)
	if err != nil {
		return nil, d.broken(path, err)
	}
	if doc.Root().Kind() != jsonedit.Object {
		return nil, d.notObject(path)
	}
	if d.version != nil {
		if err := d.version(doc); err != nil {
			return nil, d.newer(path, err)
		}
	}
	if d.whole {
		if problems := d.problems(doc); len(problems) > 0 {
			return nil, d.violation(path, problems[0])
		}
	}
	return doc, nil
}

// verify compares the rules before and after an edit: what was wrong before is
// a warning, what the edit would make wrong is refused.
func (d *document) verify(path string, before, after *jsonedit.Doc) (warnings []string, err error) {
	old := d.problems(before)
	for _, p := range d.problems(after) {
		known := slices.ContainsFunc(old, func(o schema.Problem) bool {
			return o.Pointer == p.Pointer && o.Rule == p.Rule
		})
		if !known {
			return nil, invalid("", fmt.Sprintf("the change would make ZCode ignore %s: %s %s", path, p.Pointer, p.Rule))
		}
		warnings = append(warnings, fmt.Sprintf("ZCode ignores the whole file %s because %s: mend it, or nothing in it takes effect", path, p.Error()))
	}
	return warnings, nil
}

// finish brings an edited document into its final form; note tells when that
// moves what was not edited.
func (d *document) finish(before, edited *jsonedit.Doc) (final *jsonedit.Doc, note string, err error) {
	if d.canonical == nil {
		return edited, "", nil
	}
	final, err = d.canonical(edited)
	if err != nil {
		return nil, "", err
	}
	if was, err := d.canonical(before); err == nil && string(was.Text()) != string(before.Text()) {
		note = "the file was brought into the order and spacing that ZCode itself writes"
	}
	return final, note, nil
}

// newer is the error for a file of a newer ZCode.
func (d *document) newer(path string, err error) error {
	return &BrokenError{Document: d.name, File: path, Reason: err.Error(), cause: err}
}

func (d *document) notObject(path string) error {
	return &BrokenError{Document: d.name, File: path, Line: 1, Column: 1, Reason: "the file must hold one JSON object: mend it, or repeat the change with repair (--repair), which keeps a copy"}
}

// broken turns an error of the parser into one that names the file.
func (d *document) broken(path string, err error) error {
	b := &BrokenError{Document: d.name, File: path, Reason: err.Error(), cause: err}
	if s, ok := errors.AsType[*jsonedit.SyntaxError](err); ok {
		b.Line, b.Column, b.Reason = s.Line, s.Column, s.Reason
		if errors.Is(err, jsonedit.ErrEmpty) {
			b.Line, b.Column = 0, 0
			b.Reason = "the file is empty: delete it, or repeat the change with repair (--repair), which keeps a copy"
		}
	}
	return b
}

// violation is the error for a file that breaks a rule. Repair is offered only
// where it helps: it removes what ZCode does not know, and guesses no values.
func (d *document) violation(path string, p schema.Problem) error {
	advice := "mend it by hand"
	if d.whole && p.Rule == schema.UnknownMember {
		advice = "remove it, or repeat the change with repair (--repair), which does that and keeps a copy"
	}
	return &BrokenError{
		Document: d.name, File: path, Pointer: p.Pointer, Line: p.Line, Column: p.Column,
		Reason: p.Rule + ", so ZCode runs without this file: " + advice,
	}
}
