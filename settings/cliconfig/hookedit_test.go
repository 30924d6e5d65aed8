package cliconfig

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
)

func updateHookWith(t testing.TB, event string, matcher, hook int, body string) change {
	return func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return UpdateHook(d, event, matcher, hook, parse(t, body).Root())
	}
}

func addHookWith(t testing.TB, event, body string) change {
	return func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return AddHook(d, event, parse(t, body).Root())
	}
}

func removeHookAt(event string, matcher, hook int) change {
	return func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) { return RemoveHook(d, event, matcher, hook) }
}

func moveHookTo(event string, matcher, hook, to int) change {
	return func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		doc, err := MoveHook(d, event, matcher, hook, to)
		return doc, nil, err
	}
}

func switchHooks(on bool) change {
	return func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		doc, err := SetHooksEnabled(d, on)
		return doc, nil, err
	}
}

// checkEdit wants a whole text and all notes.
func checkEdit(t *testing.T, do change, file, want string, notes []string) {
	t.Helper()
	got, told, err := do(parse(t, file))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got.Text())); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(notes, told); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestSetHooksEnabled(t *testing.T) {
	tests := []struct {
		name, file string
		on         bool
		want       string
	}{
		{"on", `{"hooks": {"enabled": false}}`, true, `{"hooks": {"enabled": true}}`},
		{"off is written", `{"hooks": {"enabled": true}}`, false, `{"hooks": {"enabled": false}}`},
		{"off where it is absent", `{"hooks": {"events": {}}}`, false, `{"hooks": {"events": {}, "enabled": false}}`},
		{"on where it is absent", `{"hooks":{}}`, true, `{"hooks":{"enabled":true}}`},
		{"a section that is absent", "{\n  \"ui\": {}\n}\n", true, "{\n  \"ui\": {},\n  \"hooks\": {\n    \"enabled\": true\n  }\n}\n"},
		{"a new file", "{}\n", false, "{\n  \"hooks\": {\n    \"enabled\": false\n  }\n}\n"},
		{"a switch of another kind", `{"hooks": {"enabled": "yes"}}`, true, `{"hooks": {"enabled": true}}`},
		{"a file that is ignored", `{"ui": 1, "hooks": {"enabled": false, "events": {"New": []}}}`, true, `{"ui": 1, "hooks": {"enabled": true, "events": {"New": []}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkEdit(t, switchHooks(tt.on), tt.file, tt.want, nil) })
	}
	for _, on := range []bool{true, false} {
		file := map[bool]string{true: `{"hooks": {"enabled":  true}}`, false: `{"hooks": {"enabled":  false}}`}[on]
		d := parse(t, file)
		if got, err := SetHooksEnabled(d, on); got != d || err != nil {
			t.Errorf("SetHooksEnabled(%s, %v) = %p, %v, want the same document", file, on, got, err)
		}
	}
}

func TestRemoveHook(t *testing.T) {
	const a, b = `{"type": "command", "command": "a"}`, `{"type": "command",  "command": "b"}`
	group := []string{"the group went too: the hook was its last"}
	tests := []struct {
		name, file  string
		matcher, at int
		event       string
		want        string
		notes       []string
	}{
		{name: "the first", event: "Stop", file: `{"hooks": {"events": {"Stop": [{"hooks": [` + a + `,  ` + b + `]}]}}}`,
			want: `{"hooks": {"events": {"Stop": [{"hooks": [` + b + `]}]}}}`},
		{name: "the second", event: "Stop", at: 1, file: `{"hooks": {"events": {"Stop": [{"hooks": [` + a + `,  ` + b + `]}]}}}`,
			want: `{"hooks": {"events": {"Stop": [{"hooks": [` + a + `]}]}}}`},
		{name: "the last of a group", event: "Stop", matcher: 1, file: `{"hooks": {"events": {"Stop": [{"hooks": [` + a + `]}, {"matcher": "x", "hooks": [` + b + `]}]}}}`,
			want: `{"hooks": {"events": {"Stop": [{"hooks": [` + a + `]}]}}}`, notes: group},
		{name: "the last of an event", event: "Stop", file: `{"hooks": {"enabled": true, "events": {"Stop": [{"matcher": "x", "hooks": [` + b + `]}]}}}`,
			want: `{"hooks": {"enabled": true, "events": {"Stop": []}}}`, notes: group},
		{name: "of an unknown event", event: "New", file: `{"hooks": {"events": {"New": [{"hooks": [` + a + `]}], "Stop": []}}}`,
			want:  `{"hooks": {"events": {"Stop": []}}}`,
			notes: []string{"the group and the event went too: the hook was their last, and ZCode up to 3.15.1 ignores the file because of the event"}},
		{name: "of a group of an unknown event", event: "New", file: `{"hooks": {"events": {"New": [{"hooks": [` + a + `]}, {"hooks": [` + b + `]}]}}}`,
			want: `{"hooks": {"events": {"New": [{"hooks": [` + b + `]}]}}}`, notes: group},
		{name: "that is broken", event: "Stop", file: `{"ui": 1, "hooks": {"events": {"Stop": [{"matcher": "", "x": 1, "hooks": [5, ` + a + `]}]}}}`,
			want: `{"ui": 1, "hooks": {"events": {"Stop": [{"matcher": "", "x": 1, "hooks": [` + a + `]}]}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkEdit(t, removeHookAt(tt.event, tt.matcher, tt.at), tt.file, tt.want, tt.notes)
		})
	}
}

func TestMoveHook(t *testing.T) {
	const file = "{\"hooks\": {\"events\": {\"Stop\": [{\"hooks\": [\r\n\t\t{\"type\":\"command\",\r\n\t\t \"command\": \"\\u0061\"} ,\r\n\t{ \"command\": \"b\", \"type\": \"process\", \"n\": 1.0 },{\"type\": \"command\", \"command\": \"c\"}\r\n]}]}}}\r\n"
	const (
		a = "{\"type\":\"command\",\r\n\t\t \"command\": \"\\u0061\"}"
		b = "{ \"command\": \"b\", \"type\": \"process\", \"n\": 1.0 }"
		c = "{\"type\": \"command\", \"command\": \"c\"}"
	)
	order := func(x, y, z string) string {
		return "{\"hooks\": {\"events\": {\"Stop\": [{\"hooks\": [\r\n\t\t" + x + " ,\r\n\t" + y + "," + z + "\r\n]}]}}}\r\n"
	}
	tests := []struct {
		from, to int
		want     string
	}{
		{0, 1, order(b, a, c)},
		{0, 2, order(b, c, a)},
		{2, 0, order(c, a, b)},
		{1, 2, order(a, c, b)},
		{2, 1, order(a, c, b)},
	}
	for _, tt := range tests {
		checkEdit(t, moveHookTo("Stop", 0, tt.from, tt.to), file, tt.want, nil)
	}
	d := parse(t, file)
	if got, err := MoveHook(d, "Stop", 0, 1, 1); got != d || err != nil {
		t.Errorf("moving a hook to where it is = %p, %v, want the same document", got, err)
	}
	for _, to := range []int{-1, 3} {
		_, err := MoveHook(d, "Stop", 0, 1, to)
		want := "moving a hook: /to must be the index of a hook of the group, from 0 to 2"
		if !errors.Is(err, ErrInvalid) || err.Error() != want {
			t.Errorf("to %d: got %v, want %s", to, err, want)
		}
	}
}

// TestHookEditsOfCases holds edits of whole files of real forms.
func TestHookEditsOfCases(t *testing.T) {
	tests := []struct {
		name, file string
		do         change
		want       string
		notes      []string
	}{
		{"unknown keys stay", "unknown-keys.json", switchHooks(true), `{
  "$schema": "https://example.invalid/zcode.json",
  "futureSection": {"keep": [1, 2,   3], "nested": {"deep": null}},
  "mcp": {
    "servers": {
      "files": {"type": "stdio", "command": "npx", "args": ["-y", "server-files"], "env": {"ROOT": "/srv"}}
    }
  },
  "zeta": 1,
  "alpha": 2,
  "hooks": {
    "enabled": true
  }
}
`, nil},
		{"tabs and CRLF stay", "crlf-tabs.json", addHookWith(t, "Stop", `{"type": "command", "command": "c", "timeout": 5}`),
			"{\r\n\t\"mcp\": {\r\n\t\t\"servers\": {\r\n\t\t\t\"a\": {\r\n\t\t\t\t\"type\": \"http\",\r\n\t\t\t\t\"url\": \"https://a.example/mcp\"\r\n\t\t\t}\r\n\t\t}\r\n\t},\r\n" +
				"\t\"hooks\": {\r\n\t\t\"events\": {\r\n\t\t\t\"Stop\": [\r\n\t\t\t\t{\r\n\t\t\t\t\t\"hooks\": [\r\n\t\t\t\t\t\t{\r\n\t\t\t\t\t\t\t\"type\": \"command\",\r\n" +
				"\t\t\t\t\t\t\t\"command\": \"c\",\r\n\t\t\t\t\t\t\t\"timeout\": 5\r\n\t\t\t\t\t\t}\r\n\t\t\t\t\t]\r\n\t\t\t\t}\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}\r\n",
			[]string{"the hook does not run yet: hooks are off in this file, turn them on"}},
		{"an empty matcher is repaired", "empty-matcher.json", updateHookWith(t, "UserPromptSubmit", 0, 0, `{"matcher": null}`), `{
  "mcp": {"servers": {"a": {"type": "stdio", "command": "a"}}},
  "hooks": {
    "enabled": true,
    "events": {
      "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "log", "timeout": 5}]}]
    }
  }
}
`, nil},
		{"another group is not refused", "empty-matcher.json", addHookWith(t, "UserPromptSubmit", `{"type": "process", "command": "p"}`), `{
  "mcp": {"servers": {"a": {"type": "stdio", "command": "a"}}},
  "hooks": {
    "enabled": true,
    "events": {
      "UserPromptSubmit": [{"matcher": "", "hooks": [{"type": "command", "command": "log", "timeout": 5}]}, {"hooks": [{"type": "process", "command": "p"}]}]
    }
  }
}
`, nil},
		{"a new event is removed", "new-hook-event.json", removeHookAt("SubagentStop", 0, 0), `{
  "hooks": {"enabled": true, "events": {}},
  "skills": {}
}
`, []string{"the group and the event went too: the hook was their last, and ZCode up to 3.15.1 ignores the file because of the event"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkEdit(t, tt.do, string(load(t, tt.file).Text()), tt.want, tt.notes) })
	}
}
