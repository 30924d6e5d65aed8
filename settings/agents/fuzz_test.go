package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/jsonedit"
)

// FuzzPatch wants of every text and body an agent that ZCode reads with the new
// values, in which nothing else changed, or an error that can be told.
func FuzzPatch(f *testing.F) {
	files, err := filepath.Glob("testdata/agents/*")
	if err != nil || len(files) == 0 {
		f.Fatal(err, files)
	}
	texts := [][]byte{[]byte("\ufeff---\r\nname: x\r\ndescription: >-\r\n  y\r\n---"), agentText("mcpServers: [{a: {env: {B: c}}}]\n")}
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			texts = append(texts, text)
		}
	}
	for _, text := range texts {
		for _, body := range []string{
			`{"color": "red"}`,
			`{"description": "a: b\nc", "prompt": "---\nx"}`,
			`{"description": "token: ********", "tools": ["********"]}`,
			`{"model": {"providerId": "a/b", "modelId": "c$", "reasoningLevel": "low"}, "tools": ["*", "a, b"], "maxTurns": 1e2}`,
			`{"model": null, "thoughtLevel": "", "mcpServers": null, "description": "say \"x\" 'y': # z"}`,
		} {
			f.Add(text, body)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, bodyText string) {
		body, err := jsonedit.Parse([]byte(bodyText))
		if err != nil {
			return
		}
		old := bytes.Clone(text)
		got, _, err := Patch(text, body.Root())
		if !bytes.Equal(old, text) {
			t.Fatal("the text was changed in place")
		}
		if err != nil {
			checkRefusal(t, text, err)
			return
		}
		before, err := ParseProfile(text)
		if err != nil {
			t.Fatalf("an edit of what is no agent: %v", err)
		}
		after, err := ParseProfile(got)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
		checkPatched(t, before, after, body.Root())
		again, _, err := Patch(got, body.Root())
		if err != nil || !bytes.Equal(got, again) {
			t.Errorf("the same edit again: %q became %q, %v", got, again, err)
		}
	})
}

func checkRefusal(t *testing.T, text []byte, err error) {
	_, notAgent := ParseProfile(text)
	if !errors.Is(err, ErrInvalid) && !errors.Is(err, frontmatter.ErrRefused) && notAgent == nil {
		t.Errorf("got %v, want a typed error", err)
	}
}

// checkPatched compares what the body does not name, and some of what it does.
func checkPatched(t *testing.T, before, after Profile, body jsonedit.Node) {
	named := func(key string) bool {
		return body.Get(key).Exists() || key == "thoughtLevel" && body.Get("model").Exists()
	}
	for _, pair := range [][2]Members{{before.Frontmatter, after.Frontmatter}, {after.Frontmatter, before.Frontmatter}} {
		for _, m := range pair[0] {
			if !named(m.Key) && encode(t, m.Value) != encode(t, valueOf(pair[1], m.Key)) {
				t.Errorf("%s was %s and is %s", m.Key, encode(t, m.Value), encode(t, valueOf(pair[1], m.Key)))
			}
		}
	}
	if before.Name != after.Name || !named("prompt") && before.Prompt != after.Prompt {
		t.Errorf("got %q, %q, want %q, %q", after.Name, after.Prompt, before.Name, before.Prompt)
	}
	if d := body.Get("description"); d.Exists() && after.Description != maskText("description", descriptionOf(d).Multiline()) {
		t.Errorf("got description %q, want %q", after.Description, d.Text())
	}
	if p := body.Get("prompt"); p.Exists() && after.Prompt != promptText(p) {
		t.Errorf("got prompt %q, want %q", after.Prompt, p.Text())
	}
	if m := body.Get("model"); m.Kind() == jsonedit.Object && (after.Model == nil || after.Model.ModelID != m.Get("modelId").Text()) {
		t.Errorf("got model %+v, want %s", after.Model, m.Raw())
	}
}

func valueOf(m Members, key string) any {
	for _, member := range m {
		if member.Key == key {
			return member.Value
		}
	}
	return "there is no such key"
}

func encode(t *testing.T, v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
