package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"zcode-acp/settings/frontmatter"
)

// Profile is what ZCode reads of an agent file. The secrets in its front matter
// are masked; the name and the prompt are as they stand.
type Profile struct {
	Name        string
	Description string
	Frontmatter Members    // every key, known ones as ZCode types them
	Prompt      string     // with plain line feeds, without white space at its ends
	Model       *Selection // nil where the agent takes the model of its session
	Warnings    []Warning  // in the order of the file
}

// Member is one key of the front matter.
type Member struct {
	Key   string
	Value any // as encoding/json takes it
}

// Members are the keys of a front matter in the order of the file; of a key that
// stands twice, ZCode reads the last value.
type Members []Member

// MarshalJSON writes an object.
func (m Members) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, member := range m {
		if i > 0 {
			b = append(b, ',')
		}
		key, err := json.Marshal(member.Key)
		if err != nil {
			return nil, fmt.Errorf("encoding a key of a front matter: %w", err)
		}
		value, err := json.Marshal(member.Value)
		if err != nil {
			return nil, fmt.Errorf("encoding the front matter member %q: %w", member.Key, err)
		}
		b = append(append(append(b, key...), ':'), value...)
	}
	return append(b, '}'), nil
}

// ParseProfile reads an agent file. Its error is a [*NotAgentError] where ZCode
// lists no agent.
func ParseProfile(text []byte) (Profile, error) {
	doc, err := parse(text)
	if err != nil {
		return Profile{}, err
	}
	return readProfile(doc)
}

func parse(text []byte) (*frontmatter.Doc, error) {
	doc, err := frontmatter.Parse(text)
	if errors.Is(err, frontmatter.ErrMissing) {
		return nil, &NotAgentError{"", "there is no front matter: the file must begin with a line `---`, " +
			"then the keys name and description, then another line `---`"}
	}
	if err != nil {
		return nil, fmt.Errorf("reading an agent file: %w", err)
	}
	return doc, nil
}

func readProfile(doc *frontmatter.Doc) (Profile, error) {
	name, err := required(doc, "name")
	if err != nil {
		return Profile{}, err
	}
	description, err := required(doc, "description")
	if err != nil {
		return Profile{}, err
	}
	shown := display{doc: doc, left: mostNested}
	p := Profile{
		Name:        trim(name.Text()),
		Description: maskText("description", description.Multiline()),
		Frontmatter: shown.members(),
		Prompt:      prompt(doc.Body()),
		Warnings:    inFileOrder(append(warnings(doc), shown.warnings...)),
	}
	if s, ok := ParseModel(textOf(doc, "model"), textOf(doc, "thoughtLevel")); ok {
		p.Model = &s
	}
	return p, nil
}

// required returns a text without which ZCode skips the file.
func required(doc *frontmatter.Doc, key string) (frontmatter.Value, error) {
	v, ok := doc.Value(key)
	switch {
	case !ok:
		return v, &NotAgentError{key, "the key " + key + " is missing from the front matter: add it"}
	case v.Kind() != frontmatter.Text && v.Kind() != frontmatter.Null:
		return v, &NotAgentError{key, "the key " + key + " holds " + v.Kind().String() + ": it must be a text"}
	case trim(v.Text()) == "":
		return v, &NotAgentError{key, "the key " + key + " is empty: give it a text"}
	}
	return v, nil
}

func textOf(doc *frontmatter.Doc, key string) string {
	v, _ := doc.Value(key)
	return v.Text()
}

// prompt returns the body as ZCode reads it.
func prompt(body []byte) string {
	return trim(string(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))))
}
