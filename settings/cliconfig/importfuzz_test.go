package cliconfig

import (
	"errors"
	"testing"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// wrong tells a problem apart from others, wherever it stands in the text.
type wrong struct {
	effect Effect
	server string
	where  string
	rule   string
}

func problemSet(d *jsonedit.Doc) map[wrong]bool {
	set := map[wrong]bool{}
	for _, p := range Check(d) {
		set[wrong{p.Effect, p.Server, p.Pointer, p.Rule}] = true
	}
	return set
}

// FuzzImport wants an invalid setting or a document without new problems, in
// which every server has the state that its step tells.
func FuzzImport(f *testing.F) {
	for _, file := range []string{
		`{}`,
		`{"mcp": {"servers": {"a": {"command": "c", "env": {"A": "K"}}, "o": 1}}, "ui": 7}`,
		"\ufeff{\"mcp\":{\"servers\":{\"a\":{\"type\":\"remote\",\"url\":\"u\",\"enable\":false,\"x\":1}}}}",
		`{"mcp": {"servers": []}}`,
	} {
		for _, text := range []string{
			`{"mcpServers": {"a": {"command": "c", "args": [1, "${X}"], "disabled": true}, "b": {"serverUrl": "u"}}}`,
			"// c\n{\"servers\": {\"a\": {\"type\": \"streamableHttp\", \"url\": \"https://h/sse\", \"headers\": {\"A\": \"********\"},}},}",
			`{"a": {"command": "npx", "environment": {"A": null}, "timeout": 1, "timeoutMs": 1e3}, "o": {"url": "u", "oauth": {}}}`,
			`{"mcp": {"servers": {"": {}, "\ud800": {"command": "c"}}}}`,
		} {
			f.Add(file, text, true, false)
			f.Add(file, text, false, true)
		}
	}
	f.Fuzz(func(t *testing.T, file, text string, overwrite, windows bool) {
		foreign, err := ReadForeign([]byte(text))
		if err != nil && !errors.Is(err, ErrInvalid) {
			t.Fatalf("reading: got %v, want an invalid setting", err)
		}
		d, errFile := jsonedit.Parse([]byte(file))
		if err != nil || errFile != nil {
			return
		}
		steps, next, err := Plan(d, foreign, overwrite, windows)
		if err != nil {
			if !errors.Is(err, ErrInvalid) {
				t.Fatalf("planning: got %v, want an invalid setting", err)
			}
			return
		}
		before := problemSet(d)
		for p := range problemSet(next) {
			if !before[p] {
				t.Fatalf("%q has a new problem: %+v", next.Text(), p)
			}
		}
		for i, step := range steps {
			old, now := d.Find(serverPath(foreign[i].Name)), next.Find(serverPath(foreign[i].Name))
			switch step.Action {
			case ImportAdd, ImportReplace:
				if old.Exists() == (step.Action == ImportAdd) || len(schema.Check(now, checkServer)) > 0 {
					t.Fatalf("%+v: %s became %s", step, old.Raw(), now.Raw())
				}
			default:
				if i == 0 && string(old.Raw()) != string(now.Raw()) {
					t.Fatalf("%+v: %s became %s", step, old.Raw(), now.Raw())
				}
			}
		}
	})
}
