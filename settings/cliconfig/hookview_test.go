package cliconfig

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
)

func TestHooksOf(t *testing.T) {
	tests := []struct {
		name, file, tree string
		enabled          bool
		problems         []string // pointers
	}{
		{"no section", `{"mcp": {}}`, `{}`, false, nil},
		{"empty", `{"hooks": { }}`, `{}`, false, nil},
		{"null", `{"hooks": null}`, `{}`, false, []string{"/hooks"}},
		{"an array", `{"hooks": [1]}`, `{}`, false, []string{"/hooks"}},
		{"a file that is no object", `[]`, `{}`, false, nil},
		{"switch on", `{"hooks": {"enabled": true}}`, `{"enabled":true}`, true, nil},
		{"switch off", `{"hooks": {"enabled": false}}`, `{"enabled":false}`, false, nil},
		{"switch of another kind", `{"hooks": {"enabled": "true"}}`, `{"enabled":"true"}`, false, []string{"/hooks/enabled"}},
		{"numbers and unknown members", `{"hooks": {"timeoutMs": 6e4, "maxOutputBytes": 32768.0, "x": [null, {"y": "é"}]}}`,
			`{"timeoutMs":6e4,"maxOutputBytes":32768.0,"x":[null,{"y":"é"}]}`, false, []string{"/hooks/x"}},
		{"a problem of another section", `{"ui": 1, "hooks": {}}`, `{}`, false, nil},
		{"odd kinds", `{"hooks": {"events": {"Stop": 1, "PreToolUse": [2, {"hooks": 3}, {"hooks": ["c"]}]}}}`,
			`{"events":{"Stop":1,"PreToolUse":[2,{"hooks":3},{"hooks":["c"]}]}}`, false,
			[]string{"/hooks/events/Stop", "/hooks/events/PreToolUse/0", "/hooks/events/PreToolUse/1/hooks", "/hooks/events/PreToolUse/2/hooks/0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := HooksOf(parse(t, tt.file))
			if string(got.Tree) != tt.tree || got.Enabled != tt.enabled {
				t.Errorf("tree %s, enabled %v, want %s, %v", got.Tree, got.Enabled, tt.tree, tt.enabled)
			}
			var pointers []string
			for _, p := range got.Problems {
				pointers = append(pointers, p.Pointer)
				if p.Effect != FileIgnored || p.Section != "hooks" {
					t.Errorf("problem %+v, want %s of hooks", p, FileIgnored)
				}
			}
			if diff := cmp.Diff(tt.problems, pointers); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if len(got.Notes) > 0 {
				t.Errorf("notes = %q, want none", got.Notes)
			}
		})
	}
}

func TestHooksOfTellsWhatIsReported(t *testing.T) {
	const hook = `"events": {"Stop": [{"hooks": [{"type": "command", "command": "c"}]}]}`
	tests := []struct {
		section string
		want    bool
	}{
		{`{"enabled": true, ` + hook + `}`, true},
		{`{"enabled": false, ` + hook + `}`, false},
		{`{` + hook + `}`, false},
		{`{"enabled": true, "events": {"Stop": []}}`, false},
	}
	for _, tt := range tests {
		notes := HooksOf(parse(t, `{"hooks": `+tt.section+`}`)).Notes
		if got := len(notes) == 1 && strings.Contains(notes[0], "3.10"); got != tt.want || len(notes) > 1 {
			t.Errorf("%s: notes = %q, want the one about 3.10: %v", tt.section, notes, tt.want)
		}
	}
}

// TestHooksOfMasks wants the whole section with nothing but its secrets replaced.
func TestHooksOfMasks(t *testing.T) {
	tests := []struct{ name, hook, want string }{
		{"arguments", `{"args": ["-y", "--token", "K1", "--key=K2", "-H", "X: K3", "https://u:K4@h/?sig=K5"]}`,
			`{"args":["-y","--token","********","--key=********","-H","X: ********","https://********@h/?sig=********"]}`},
		{"arguments of any kind", `{"args": ["--token", 918273, "--key", null, "n", 5, {"apiKey": "K"}, ["K"]]}`,
			`{"args":["--token","********","--key","********","n",5,{"apiKey":"********"},["K"]]}`},
		{"command", `{"command": "env TOKEN=K1 curl -H 'Authorization: Bearer K2' https://u:K3@h"}`,
			`{"command":"env TOKEN=******** curl -H 'Authorization: ********' https://********@h"}`},
		{"status", `{"statusMessage": "with --token K1"}`, `{"statusMessage":"with --token ********"}`},
		{"environment", `{"env": {"A": "K1", "B": 5, "C": ["K2"], "D": {"E": "K3"}, "F": true, "G": ""}}`,
			`{"env":{"A":"********","B":"********","C":["********"],"D":{"E":"********"},"F":true,"G":""}}`},
		{"names", `{"apiKey": "K1", "headers": {"X": "K2"}, "in": {"password": 1234}, "environment": "K3"}`,
			`{"apiKey":"********","headers":{"X":"********"},"in":{"password":"********"},"environment":"********"}`},
		{"URL", `{"webhookUrl": "https://h/a?key=K1&x=1", "url": "u:K2@h"}`, `{"webhookUrl":"https://h/a?key=********&x=1","url":"********@h"}`},
		{"look", `{"note": "sk-abcdefgh", "list": ["ghp_0123456789"]}`, `{"note":"********","list":["********"]}`},
		{"nothing", `{"type": "command", "command": "python3 /path/logger.py", "timeout": 5, "shell": "zsh", "async": true, "enabled": false, "timeoutMs": 1.50}`,
			`{"type":"command","command":"python3 /path/logger.py","timeout":5,"shell":"zsh","async":true,"enabled":false,"timeoutMs":1.50}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(t, hooksFile(tt.hook))
			want := `{"events":{"Stop":[{"hooks":[` + tt.want + `]}]}}`
			if diff := cmp.Diff(want, string(HooksOf(d).Tree)); diff != "" {
				t.Errorf("tree (-want +got):\n%s", diff)
			}
		})
	}
}

// TestHooksOfMasksAnywhere: what no rule knows is masked too, but the names of
// events hide nothing.
func TestHooksOfMasksAnywhere(t *testing.T) {
	d := parse(t, `{"hooks": {"token": {"a": "K1"}, "x": {"y": {"apiKey": "K2"}}, "events": {
	  "AuthToken": [{"matcher": "m", "secret": "K3", "hooks": ["run --token K4"]}], "Session": {"a": "b"}}}}`)
	want := `{"token":{"a":"********"},"x":{"y":{"apiKey":"********"}},"events":{` +
		`"AuthToken":[{"matcher":"m","secret":"********","hooks":["run --token ********"]}],"Session":{"a":"b"}}}`
	if diff := cmp.Diff(want, string(HooksOf(d).Tree)); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
}

// TestNoSecretOfHooksIsShown looks into everything that is said of hooks.
func TestNoSecretOfHooksIsShown(t *testing.T) {
	const canary = "CANARYk93mxq"
	d := parse(t, `{"hooks": {"enabled": "--token `+canary+`", "timeoutMs": "--token `+canary+`", "events": {"Stop": [
	  {"matcher": "(--token `+canary+`", "hooks": [
	    {"type": "--key=`+canary+`", "command": "run --token `+canary+`", "args": ["--password", "`+canary+`"], "timeout": "--token `+canary+`"},
	    {"type": "process", "command": "c", "args": ["--password", "`+canary+`"], "env": {"A": "`+canary+`"}, "enabled": "--token `+canary+`"}]}]}}}`)
	h, entries := HooksOf(d), Entries(d)
	if len(h.Problems) != 4 || len(entries) != 2 {
		t.Fatalf("%d problems and %d entries, want 4 and 2: the test proves nothing", len(h.Problems), len(entries))
	}
	said, err := json.Marshal([]any{json.RawMessage(h.Tree), h.Problems, h.Notes, entries})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(said), canary) {
		t.Errorf("a secret is shown: %s", said)
	}
}

// TestHooksOfIsJSON wants a text that any reader takes, also of odd strings.
func TestHooksOfIsJSON(t *testing.T) {
	d := parse(t, `{"hooks": {"\ud800": "\ud801", "events": {"\u0000\"": ["\u2028", 1e400, -0]}}}`)
	tree := HooksOf(d).Tree
	if !json.Valid(tree) || !jsonedit.Valid(tree) {
		t.Errorf("%q is no JSON", tree)
	}
}

func TestHookEvents(t *testing.T) {
	want := []string{"SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure", "Stop"}
	got := HookEvents()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("HookEvents (-want +got):\n%s", diff)
	}
	got[0] = "changed"
	if HookEvents()[0] != want[0] {
		t.Error("a caller can change the events")
	}
}
