package agents

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/frontmatter"
)

// patched runs an edit that has to succeed.
func patched(t *testing.T, text, body string) (string, []string) {
	t.Helper()
	got, notes, err := Patch([]byte(text), parseJSON(t, body).Root())
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return string(got), notes
}

func TestCasePatches(t *testing.T) {
	tests := []struct{ file, body, old, new string }{
		{"block-scalar.md", `{"color": "pink"}`, "color: blue\n", "color: pink\n"},
		{"crlf.md", `{"model": "p/m"}`, "tools: Read, Grep\r\n", "tools: Read, Grep\r\nmodel: p/m\r\n"},
		{"Bar.markdown", `{"color": "red"}`, "differ\n", "differ\ncolor: red\n"},
		{"colon.md", `{"color": "red"}`, "plan\n", "plan\ncolor: red\n"},
		{"nested/deep.md", `{"maxTurns": 3}`, "maxTurns: 12\n", "maxTurns: 3\n"},
		{"nested/deep.md", `{"permissionMode": null}`, "permissionMode: plan\n", ""},
		{"nested/deep.md", `{"prompt": "New"}`, "Body without a blank line", "New"},
		{"duplicate-key.md", `{"color": "red"}`, "model: c/d\n", "model: c/d\ncolor: red\n"},
	}
	for _, tt := range tests {
		text := testFile(t, "agents/"+tt.file)
		got, notes := patched(t, text, tt.body)
		if want := strings.Replace(text, tt.old, tt.new, 1); got != want {
			t.Errorf("%s with %s (-want +got):\n%s", tt.file, tt.body, cmp.Diff(want, got))
		}
		hasOnly(t, tt.file, notes)
	}
}

func TestCaseDuplicateKeyIsRefused(t *testing.T) {
	text := testFile(t, "agents/duplicate-key.md")
	for _, body := range []string{`{"model": "x/y"}`, `{"model": "c/d"}`, `{"model": null}`} {
		got, _, err := Patch([]byte(text), parseJSON(t, body).Root())
		var refused *frontmatter.RefusedError
		if !errors.As(err, &refused) || refused.Key != "model" || got != nil {
			t.Errorf("%s: got %v, want the refusal of model", body, err)
		}
	}
	one := strings.Replace(text, "model: a/b\n", "", 1)
	if got, _ := patched(t, one, `{"model": "x/y"}`); got != strings.Replace(one, "c/d", "x/y", 1) {
		t.Errorf("with one line: got %q", got)
	}
}

// Each body is an edit of the same agent; behind stands what follows the description.
func TestPatch(t *testing.T) {
	tests := []struct{ before, body, after string }{
		{"", `{"description": "d2"}`, ""},
		{"color: red\n", `{"color": "blue"}`, "color: blue\n"},
		{"color: red\n", `{"color": null}`, ""},
		{"model: p/m\nthoughtLevel: high\n", `{"model": null}`, "thoughtLevel: high\n"},
		{"model: p/m\nthoughtLevel: high\n", `{"model": "", "thoughtLevel": ""}`, ""},
		{"model: p/m\nthoughtLevel: high\n", `{"thoughtLevel": null}`, "model: p/m\n"},
		{"model: p/m\nthoughtLevel: high\n", `{"model": "q/n"}`, "model: q/n\nthoughtLevel: high\n"},
		{"model: p/m\nthoughtLevel: high\n", `{"model": "inherit"}`, "model: inherit\nthoughtLevel: high\n"},
		{"model: p/m\nthoughtLevel: high\n", `{"model": "q/n$low"}`, "model: q/n$low\n"},
		{"model: p/m\nthoughtLevel: high\n", `{"model": {"providerId": "q", "modelId": "n"}}`, "model: q/n\n"},
		{"model: p/m\nthoughtLevel: high\n", `{"model": {"providerId": "q", "modelId": "n", "reasoningLevel": "low"}}`, "model: q/n\nthoughtLevel: low\n"},
		{"model: p/m\nthoughtLevel: high\n", `{"model": {"providerId": "q", "modelId": "n", "reasoningLevel": null}, "thoughtLevel": "low"}`, "model: q/n\nthoughtLevel: low\n"},
		{"", `{"model": {"providerId": "a/b", "modelId": "c$", "reasoningLevel": "low"}}`, "model: custom:a%2Fb:c%24\nthoughtLevel: low\n"},
		{"", `{"thoughtLevel": "high"}`, "thoughtLevel: high\n"},
		{"", `{"tools": ["Read", "Grep"]}`, "tools:\n  - Read\n  - Grep\n"},
		{"", `{"tools": []}`, "tools: []\n"},
		{"tools: [Read]\n", `{"tools": null}`, ""},
		{"tools: [Read]\n", `{"tools": ["Read", "Grep"]}`, "tools: [Read, Grep]\n"},
		{"", `{"background": true, "injectAgentsMd": false, "maxTurns": 5.0}`, "maxTurns: 5\nbackground: true\ninjectAgentsMd: false\n"},
		{"", `{"mcpServers": ["files"]}`, "mcpServers:\n  - files\n"},
		{"", `{"permissionMode": "plan", "color": "red", "name": "abc"}`, "color: red\npermissionMode: plan\n"},
		{"x: 1\n# c\n", `{"name": "abc", "color": "red"}`, "x: 1\n# c\ncolor: red\n"},
	}
	for _, tt := range tests {
		text := string(agentText(tt.before))
		want := string(agentText(tt.after))
		if strings.Contains(tt.body, "d2") {
			want = strings.Replace(want, "description: d", "description: d2", 1)
		}
		got, notes := patched(t, text, tt.body)
		if got != want {
			t.Errorf("%q with %s (-want +got):\n%s", tt.before, tt.body, cmp.Diff(want, got))
		}
		hasOnly(t, tt.body, notes)
		again, _ := patched(t, got, tt.body)
		if again != got {
			t.Errorf("%s again (-want +got):\n%s", tt.body, cmp.Diff(got, again))
		}
	}
}

// What says the same already leaves the file as it is, however it is written.
func TestPatchThatSaysTheSame(t *testing.T) {
	for _, tt := range []struct{ lines, body string }{
		{"", `{}`},
		{"", `{"color": null, "model": "", "tools": null}`},
		{"", `{"description": "d", "prompt": " Body\r\n"}`},
		{"tools: Read, Bash(a, b)\n", `{"tools": ["Read", "Bash(a, b)"]}`},
		{"tools: ['Read',   \"Grep\"] # two\n", `{"tools": ["Read", "Grep"]}`},
		{"color: 'red'\nmaxTurns: 007\n", `{"color": "red", "maxTurns": 7}`},
		{"model: \"p/m\"\n", `{"model": {"providerId": "p", "modelId": "m"}}`},
	} {
		text := "\ufeff" + string(agentText(tt.lines))
		if got, notes := patched(t, text, tt.body); got != text || notes != nil {
			t.Errorf("%q with %s: got %q and %q, want nothing to change", tt.lines, tt.body, got, notes)
		}
	}
}

func TestPatchThatSendsThePromptBack(t *testing.T) {
	for _, body := range []string{"\n  Body", "Body", "\n\nBody\n\n\n", "\r\n\tBody \r\n"} {
		text := strings.Replace(string(agentText("")), "\nBody\n", body, 1)
		if got, _ := patched(t, text, `{"prompt": "Body"}`); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}

func TestPatchDescription(t *testing.T) {
	tests := []struct{ description, want string }{
		{`"two\nlines"`, `description: "two\nlines"`},
		{`"two\r\nlines"`, `description: "two\nlines"`},
		{`"a: b"`, `description: "a: b"`},
		{`"say \"x\""`, `description: say "x"`},
		{`"C:\\dir"`, `description: C:\dir`},
	}
	for _, tt := range tests {
		text := string(agentText(""))
		got, _ := patched(t, text, `{"description": `+tt.description+`}`)
		if want := strings.Replace(text, "description: d", tt.want, 1); got != want {
			t.Errorf("%s (-want +got):\n%s", tt.description, cmp.Diff(want, got))
		}
		for range 10 {
			got, _ = patched(t, got, `{"description": "other"}`)
			got, _ = patched(t, got, `{"description": `+tt.description+`}`)
		}
		if want := strings.Replace(text, "description: d", tt.want, 1); got != want {
			t.Errorf("%s ten times over (-want +got):\n%s", tt.description, cmp.Diff(want, got))
		}
	}
}

func TestPatchNotes(t *testing.T) {
	got, notes := patched(t, "\ufeff"+string(agentText("maxTurns: x\n")), `{"color": "red"}`)
	if strings.HasPrefix(got, "\ufeff") {
		t.Error("the byte order mark is still there")
	}
	hasOnly(t, "notes", notes, "byte order mark")
}

func TestPatchRefuses(t *testing.T) {
	tests := []struct{ body, pointer string }{
		{`[]`, ""},
		{`{"agentId": 1}`, "/agentId"},
		{`{"a/b": null}`, "/a~1b"},
		{`{"name": "other"}`, "/name"},
		{`{"name": null}`, "/name"},
		{`{"description": null}`, "/description"},
		{`{"description": " "}`, "/description"},
		{`{"description": 1}`, "/description"},
		{`{"color": "Red"}`, "/color"},
		{`{"color": ""}`, "/color"},
		{`{"model": 1}`, "/model"},
		{`{"model": " p/m"}`, "/model"},
		{`{"model": "p/m\n"}`, "/model"},
		{`{"model": {"providerId": "p"}}`, "/model/modelId"},
		{`{"model": {"providerId": "p", "modelId": "m", "thoughtLevel": "x"}}`, "/model/thoughtLevel"},
		{`{"model": {"providerId": "p", "modelId": null}}`, "/model/modelId"},
		{`{"model": {"providerId": "p", "modelId": "m", "reasoningLevel": "x"}, "thoughtLevel": "y"}`, "/thoughtLevel"},
		{`{"model": "p/m$x", "thoughtLevel": "y"}`, "/thoughtLevel"},
		{`{"thoughtLevel": " "}`, "/thoughtLevel"},
		{`{"thoughtLevel": []}`, "/thoughtLevel"},
		{`{"tools": "Read"}`, "/tools"},
		{`{"tools": ["Read", ""]}`, "/tools/1"},
		{`{"disallowedTools": [1]}`, "/disallowedTools/0"},
		{`{"skills": {}}`, "/skills"},
		{`{"permissionMode": "yolo"}`, "/permissionMode"},
		{`{"maxTurns": 0}`, "/maxTurns"},
		{`{"maxTurns": 1.5}`, "/maxTurns"},
		{`{"background": "true"}`, "/background"},
		{`{"injectAgentsMd": 1}`, "/injectAgentsMd"},
		{`{"memory": "all"}`, "/memory"},
		{`{"mcpServers": [{"gh": {"command": "CANARY"}}]}`, "/mcpServers/0"},
		{`{"mcpServers": {"gh": {}}}`, "/mcpServers"},
		{`{"prompt": ""}`, "/prompt"},
		{`{"prompt": null}`, "/prompt"},
	}
	for _, tt := range tests {
		got, notes, err := Patch(agentText("model: p/m\n"), parseJSON(t, tt.body).Root())
		var invalid *InvalidError
		if !errors.As(err, &invalid) || !errors.Is(err, ErrInvalid) || invalid.Pointer != tt.pointer || got != nil || notes != nil {
			t.Errorf("%s: got %v, want an invalid %q", tt.body, err, tt.pointer)
		}
		if err != nil && strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%s: %v holds a value", tt.body, err)
		}
	}
	_, _, err := Patch(agentText(""), parseJSON(t, `{"mcpServers": [{}]}`).Root())
	if err == nil || !strings.Contains(err.Error(), "command line rejects") {
		t.Errorf("got %v, want what becomes of such an agent", err)
	}
	if _, _, err := Patch([]byte("no front matter"), parseJSON(t, `{"color": "red"}`).Root()); !errors.Is(err, ErrNotAgent) {
		t.Errorf("got %v, want no agent", err)
	}
}

func TestRename(t *testing.T) {
	for _, name := range []string{"foo-2", "Foo", "true", "123", "0x1", "---"} {
		text := testFile(t, "agents/Bar.markdown")
		got, err := Rename([]byte(text), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, err := ParseProfile(got)
		if err != nil || p.Name != name {
			t.Errorf("got %q, %v, want %q", p.Name, err, name)
		}
		before, behind, _ := strings.Cut(text, "name: Foo\n")
		if !strings.HasPrefix(string(got), before+"name: ") || !strings.HasSuffix(string(got), "\n"+behind) {
			t.Errorf("got %q, want one line changed", got)
		}
	}
	for text, want := range map[string]error{
		testFile(t, "agents/no-frontmatter.md"): ErrNotAgent,
		"---\nname: abc\n---\n":                 ErrNotAgent,
	} {
		if _, err := Rename([]byte(text), "new"); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	if _, err := Rename(agentText(""), "../x"); !errors.Is(err, ErrInvalid) {
		t.Errorf("got %v, want an invalid name", err)
	}
}
