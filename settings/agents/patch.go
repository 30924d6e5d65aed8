package agents

import (
	"fmt"
	"slices"
	"strings"

	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/jsonedit"
)

// Patch merges body, an object, into an agent file: description, color, model (a
// text, or an object with providerId, modelId and perhaps reasoningLevel),
// thoughtLevel, tools, disallowedTools, skills, permissionMode, maxTurns,
// background, injectAgentsMd, memory, mcpServers (names) and prompt. Null takes a
// key away, as "" does with model and thoughtLevel; an empty list of tools is
// none, no list is all. A value that says the same leaves the file as it is, and
// so does one with a mask that is sent just as a listing shows it. The notes tell
// what ZCode does with the new values besides reading them. What the body may not
// send is an [*InvalidError]; what the file has no place for wraps
// [frontmatter.ErrRefused].
func Patch(text []byte, body jsonedit.Node) (edited []byte, notes []string, err error) {
	doc, notes, err := patch(text, body)
	if err != nil {
		return nil, nil, fmt.Errorf("setting an agent: %w", err)
	}
	if doc == nil {
		return text, nil, nil
	}
	return doc.Text(), notes, nil
}

// patch returns no document when nothing changes.
func patch(text []byte, body jsonedit.Node) (*frontmatter.Doc, []string, error) {
	before, err := parse(text)
	if err != nil {
		return nil, nil, err
	}
	profile, err := readProfile(before)
	if err != nil {
		return nil, nil, err
	}
	edits, err := readBody(body, profile.Name)
	if err == nil {
		err = edits.keepMasked(profile.Frontmatter)
	}
	if err != nil {
		return nil, nil, err
	}
	doc, err := edits.apply(before)
	if err != nil || doc == before {
		return nil, nil, err
	}
	return doc, markNote(before), nil
}

// apply edits the keys in the order in which ZCode writes them, so that new ones
// stand so, and then the prompt.
func (edits bodyEdits) apply(doc *frontmatter.Doc) (*frontmatter.Doc, error) {
	var err error
	for _, e := range edits.keys {
		if doc, err = e.apply(doc); err != nil {
			return nil, err
		}
	}
	if edits.prompt == "" || edits.prompt == prompt(doc.Body()) {
		return doc, nil
	}
	return doc.SetBody([]byte(edits.prompt))
}

func (e keyEdit) apply(doc *frontmatter.Doc) (*frontmatter.Doc, error) {
	present, ok := doc.Value(e.key)
	switch {
	case e.delete && !ok:
		return doc, nil
	case e.delete:
		return doc.Delete(e.key)
	case ok && e.says(doc, present):
		return doc, nil
	}
	return doc.Set(e.key, e.value)
}

// says reports whether ZCode reads the new value already. A key that stands twice
// is for the edit to refuse.
func (e keyEdit) says(doc *frontmatter.Doc, present frontmatter.Value) bool {
	if slices.ContainsFunc(doc.Duplicates(), func(d frontmatter.Entry) bool { return d.Key == e.key }) {
		return false
	}
	if present.Kind() == frontmatter.Text && e.value.Kind() == frontmatter.List {
		return slices.Equal(splitList(present.Text()), e.value.List())
	}
	return present.Equal(e.value)
}

// markNote tells that an edit drops a byte order mark.
func markNote(doc *frontmatter.Doc) []string {
	if doc.BOM() {
		return []string{"the byte order mark at the beginning of the file was dropped"}
	}
	return nil
}

// Rename gives the agent of a file another name; the file itself is for the
// caller to move.
func Rename(text []byte, name string) ([]byte, error) {
	if err := CheckName(name); err != nil {
		return nil, fmt.Errorf("renaming an agent: %w", err)
	}
	doc, err := parse(text)
	if err == nil {
		_, err = readProfile(doc)
	}
	if err != nil {
		return nil, fmt.Errorf("renaming an agent: %w", err)
	}
	edited, err := keyEdit{key: "name", value: frontmatter.TextOf(name)}.apply(doc)
	switch {
	case err != nil:
		return nil, fmt.Errorf("renaming an agent: %w", err)
	case edited == doc:
		return text, nil
	}
	return edited.Text(), nil
}

// defaultPrompt is what an agent without a prompt of its own begins with.
const defaultPrompt = "You are a helpful assistant."

// Create returns the file of a new agent in the layout of ZCode's desktop app.
// The body is that of [Patch]; it needs a description, and null stands for
// nothing.
func Create(name string, body jsonedit.Node) ([]byte, error) {
	doc, err := create(name, body)
	if err != nil {
		return nil, fmt.Errorf("creating an agent: %w", err)
	}
	return doc.Text(), nil
}

func create(name string, body jsonedit.Node) (*frontmatter.Doc, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	edits, err := readBody(body, name)
	if err == nil {
		err = edits.keepMasked(nil)
	}
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(edits.keys, func(e keyEdit) bool { return e.key == "description" })
	if i < 0 {
		return nil, &InvalidError{"/description", "is required to create an agent: say when ZCode should use it"}
	}
	if edits.prompt == "" {
		edits.prompt = defaultPrompt
	}
	text := "---\nname: \"" + name + "\"\n" + quoted(edits.keys[i].value) + "---\n\n" + edits.prompt + "\n"
	doc, err := frontmatter.Parse([]byte(text))
	if err == nil {
		doc, err = edits.apply(doc)
	}
	if err == nil {
		_, err = readProfile(doc)
	}
	if err != nil {
		return nil, err
	}
	return doc, nil
}

// quoted returns the line of the description as ZCode writes it. A text that has
// no such line without an escape, which ZCode would never turn back, is for the
// edit of the key to spell.
func quoted(description frontmatter.Value) string {
	text := description.Multiline()
	if strings.ContainsAny(text, `\"`) || hasControl(strings.ReplaceAll(text, "\n", "")) {
		return ""
	}
	return `description: "` + strings.ReplaceAll(text, "\n", `\n`) + "\"\n"
}
