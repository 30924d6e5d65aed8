package cliconfig

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUpdateHook(t *testing.T) {
	const other = "the members of the other type were removed: "
	tests := []struct {
		name, hook, body, want string
		notes                  []string
	}{
		{"command", `{"type": "command",  "command": "c"}`, `{"command": "d"}`, `{"type": "command",  "command": "d"}`, nil},
		{"off", `{"type": "command", "command": "c"}`, `{"enabled": false}`, `{"type": "command", "command": "c", "enabled": false}`, nil},
		{"on", `{"enabled": false, "type": "command", "command": "c"}`, `{"enabled": true}`, `{"type": "command", "command": "c"}`, nil},
		{"on already", `{"type": "command", "command": "c", "enabled": true}`, `{"enabled": true}`, `{"type": "command", "command": "c"}`, nil},
		{"on cleared", `{"type": "command", "enabled": false, "command": "c"}`, `{"enabled": null}`, `{"type": "command", "command": "c"}`, nil},
		{"timeouts", `{"type":"command","command":"c"}`, `{"timeoutMs": 5000, "timeout": 2.5}`, `{"type":"command","command":"c","timeoutMs":5000,"timeout":2.5}`, nil},
		{"timeouts removed", `{"timeout": 5, "type": "command", "command": "c", "timeoutMs": 1}`, `{"timeoutMs": null, "timeout": null}`, `{"type": "command", "command": "c"}`, nil},
		{"what is not there removed", `{"type": "command", "command": "c"}`, `{"timeoutMs": null, "args": null}`, `{"type": "command", "command": "c"}`, nil},
		{"members of a command", `{"type": "command", "command": "c"}`, `{"async": true, "shell": "zsh", "statusMessage": "s"}`, `{"type": "command", "command": "c", "async": true, "shell": "zsh", "statusMessage": "s"}`, nil},
		{"shell true", `{"type": "command", "command": "c", "shell": "sh"}`, `{"shell": true}`, `{"type": "command", "command": "c", "shell": true}`, nil},
		{"arguments", `{"type": "process", "command": "c", "args": ["a",  "b"]}`, `{"args": ["b"]}`, `{"type": "process", "command": "c", "args": ["b"]}`, nil},
		{"unknown members stay", `{"type": "command", "x": {"y":  1.0}, "command": "c", "env": {"A": "K"}}`, `{"command": "d"}`, `{"type": "command", "x": {"y":  1.0}, "command": "d", "env": {"A": "K"}}`, nil},
		{"the text of a number stays", `{"type": "command", "command": "c", "timeoutMs": 6e4}`, `{"timeoutMs": 60000}`, `{"type": "command", "command": "c", "timeoutMs": 6e4}`, nil},
		{"escapes stay", `{"type": "c\u006fmmand", "command": "\/c", "statusMessage": "\u0073"}`, `{"type": "command", "command": "/c", "statusMessage": "s"}`,
			`{"type": "c\u006fmmand", "command": "\/c", "statusMessage": "\u0073"}`, nil},
		{"to process", `{"type": "command", "command": "c", "shell": true, "timeout": 5, "async": false, "timeoutMs": 9}`, `{"type": "process", "args": ["a"]}`,
			`{"type": "process", "command": "c", "timeoutMs": 9, "args": ["a"]}`, []string{other + "async, shell, timeout"}},
		{"to command", `{"type": "process", "args": ["a"], "command": "c"}`, `{"type": "command", "command": "c a"}`, `{"type": "command", "command": "c a"}`, []string{other + "args"}},
		{"to command, arguments sent as null", `{"type": "process", "args": ["a"], "command": "c"}`, `{"args": null, "type": "command"}`, `{"type": "command", "command": "c"}`, nil},
		{"to command, arguments sent back", `{"type": "process", "args": ["a", "b"], "command": "c"}`, `{"args": ["a","b"], "type": "command"}`, `{"type": "command", "command": "c"}`, []string{other + "args"}},
		{"from a type that ZCode does not know", `{"type": "prompt", "command": "c", "args": ["a"]}`, `{"type": "command"}`, `{"type": "command", "command": "c"}`, []string{other + "args"}},
		{"the same type", `{"type": "command", "command": "c", "args": ["a"]}`, `{"type": "command"}`, `{"type": "command", "command": "c", "args": ["a"]}`, nil},
		{"what the type ignores sent back", `{"type": "process", "command": "c", "timeout": 5.0}`, `{"command": "d", "timeout": 5}`, `{"type": "process", "command": "d", "timeout": 5.0}`, nil},
		{"what the type ignores removed", `{"type": "command", "command": "c", "args": ["a"]}`, `{"args": null}`, `{"type": "command", "command": "c"}`, nil},
		{"repaired with a value", `{"type": "command", "command": "", "timeout": 0}`, `{"command": "c", "timeout": 1}`, `{"type": "command", "command": "c", "timeout": 1}`, nil},
		{"repaired with null", `{"type": "command", "command": "c", "shell": false}`, `{"shell": null}`, `{"type": "command", "command": "c"}`, nil},
		{"repaired with both", `{"command": "c", "enabled": "no"}`, `{"type": "process", "enabled": true}`, `{"command": "c", "type": "process"}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkEdit(t, updateHookWith(t, "Stop", 0, 0, tt.body), hooksFile(tt.hook), hooksFile(tt.want), tt.notes)
		})
	}
}

func TestUpdateHookMatcher(t *testing.T) {
	const one, two = `"hooks": [{"type": "command", "command": "c"}]`, `"hooks": [{"type": "command", "command": "c"}, 5]`
	tests := []struct {
		name, group, body, want string
		notes                   []string
	}{
		{"set", one, `{"matcher": "Bash"}`, one + `, "matcher": "Bash"`, nil},
		{"changed", `"matcher":  "a", ` + one, `{"matcher": "b"}`, `"matcher":  "b", ` + one, nil},
		{"removed", `"matcher": "a", ` + one, `{"matcher": null}`, one, nil},
		{"repaired", `"matcher": "", ` + one, `{"matcher": ".*"}`, `"matcher": ".*", ` + one, nil},
		{"the same", `"matcher": "\u0061", ` + one, `{"matcher": "a"}`, `"matcher": "\u0061", ` + one, nil},
		{"a broken one sent back", `"matcher": "*", ` + one, `{"matcher": "*", "enabled": false}`, `"matcher": "*", "hooks": [{"type": "command", "command": "c", "enabled": false}]`, nil},
		{"of several hooks", `"matcher": "a", ` + two, `{"matcher": "b"}`, `"matcher": "b", ` + two, []string{"the matcher counts for all 2 hooks of the group"}},
		{"of several hooks, removed", `"matcher": "a", ` + two, `{"matcher": null}`, two, []string{"the matcher counts for all 2 hooks of the group"}},
		{"of several hooks, the same", `"matcher": "a", ` + two, `{"matcher": "a"}`, `"matcher": "a", ` + two, nil},
		{"absent already", two, `{"matcher": null}`, two, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkEdit(t, updateHookWith(t, "PreToolUse", 0, 0, tt.body), liveFile("PreToolUse", tt.group), liveFile("PreToolUse", tt.want), tt.notes)
		})
	}
}

// TestUpdateHookKeepsMaskedValues: what a listing shows can be sent back.
func TestUpdateHookKeepsMaskedValues(t *testing.T) {
	tests := []struct{ name, hook, body, want string }{
		{"command", `{"type": "command", "command": "run --token \u004b1"}`, `{"command": "run --token ********", "timeout": 1}`, `{"type": "command", "command": "run --token \u004b1", "timeout": 1}`},
		{"arguments", `{"type": "process", "command": "c", "args": ["--token", "K1", "x"]}`, `{"args": ["y", "--token", "********"]}`, `{"type": "process", "command": "c", "args": ["y", "--token", "K1"]}`},
		{"status", `{"type": "process", "command": "c", "statusMessage": "--token K1"}`, `{"statusMessage": "--token ********"}`, `{"type": "process", "command": "c", "statusMessage": "--token K1"}`},
		{"shell", `{"type": "command", "command": "c", "shell": "env TOKEN=K1 sh"}`, `{"shell": "env TOKEN=******** sh"}`, `{"type": "command", "command": "c", "shell": "env TOKEN=K1 sh"}`},
		{"a mask as the value", `{"type": "command", "command": "********"}`, `{"command": "********"}`, `{"type": "command", "command": "********"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkEdit(t, updateHookWith(t, "Stop", 0, 0, tt.body), hooksFile(tt.hook), hooksFile(tt.want), nil)
		})
	}
	checkEdit(t, updateHookWith(t, "Stop", 0, 0, `{"matcher": "token=********"}`), liveFile("Stop", `"matcher": "token=K1", "hooks": [{"type": "command", "command": "c"}]`),
		liveFile("Stop", `"matcher": "token=K1", "hooks": [{"type": "command", "command": "c"}]`), nil)
}

// TestUpdateHookThatIsSoAlready wants the very same document.
func TestUpdateHookThatIsSoAlready(t *testing.T) {
	d := parse(t, liveFile("Stop", `"matcher": "a", "hooks": [{"type": "command", "command": "c", "enabled": false, "timeout": 1.0}]`))
	got, notes, err := updateHookWith(t, "Stop", 0, 0, `{"matcher": "a", "type": "command", "command": "c", "enabled": false, "timeout": 1, "timeoutMs": null}`)(d)
	if got != d || notes != nil || err != nil {
		t.Errorf("got %p, %q, %v, want the same document %p", got, notes, err, d)
	}
}

func TestAddHook(t *testing.T) {
	const (
		off  = "the hook does not run yet: hooks are off in this file, turn them on"
		a    = `{"type": "command", "command": "a"}`
		b    = `{"type": "command", "command": "b"}`
		body = `{"type": "command", "command": "b"}`
	)
	on := func(events string) string { return `{"hooks": {"enabled": true, "events": {` + events + `}}}` }
	tests := []struct {
		name, file, body, want string
		notes                  []string
	}{
		{"to an empty file", `{}`, body, "{\n  \"hooks\": {\n    \"events\": {\n      \"Stop\": [\n        {\n          \"hooks\": [\n            {\n              \"type\": \"command\",\n              \"command\": \"b\"\n            }\n          ]\n        }\n      ]\n    }\n  }\n}", []string{off}},
		{"switch off", `{"hooks": {"enabled": false}}`, body, `{"hooks": {"enabled": false, "events": {"Stop": [{"hooks": [` + b + `]}]}}}`, []string{off}},
		{"switch on", `{"hooks": {"enabled": true}}`, body, `{"hooks": {"enabled": true, "events": {"Stop": [{"hooks": [` + b + `]}]}}}`, nil},
		{"to an event", on(`"PreToolUse": []`), body, on(`"PreToolUse": [], "Stop": [{"hooks": [` + b + `]}]`), nil},
		{"to an empty event", on(`"Stop": []`), body, on(`"Stop": [{"hooks": [` + b + `]}]`), nil},
		{"to the group without matcher", on(`"Stop": [{"matcher": "x", "hooks": [` + a + `]}, {"hooks": [` + a + `]}]`), body, on(`"Stop": [{"matcher": "x", "hooks": [` + a + `]}, {"hooks": [` + a + `, ` + b + `]}]`), nil},
		{"to the group of a matcher", on(`"Stop": [{"hooks": [` + a + `]}, {"matcher": "\u0078", "hooks": [` + a + `]}]`), `{"matcher": "x", "type": "command", "command": "b"}`,
			on(`"Stop": [{"hooks": [` + a + `]}, {"matcher": "\u0078", "hooks": [` + a + `, ` + b + `]}]`), nil},
		{"to the first of two groups", on(`"Stop": [{"hooks": [` + a + `]}, {"hooks": [` + a + `]}]`), body, on(`"Stop": [{"hooks": [` + a + `, ` + b + `]}, {"hooks": [` + a + `]}]`), nil},
		{"with a new matcher", on(`"Stop": [{"hooks": [` + a + `]}]`), `{"type": "command", "command": "b", "matcher": "Bash|Edit"}`, on(`"Stop": [{"hooks": [` + a + `]}, {"matcher": "Bash|Edit", "hooks": [` + b + `]}]`), nil},
		{"to a group without hooks", on(`"Stop": [{"hooks": []}]`), body, on(`"Stop": [{"hooks": [` + b + `]}]`), nil},
		{"past groups that ZCode refuses", on(`"Stop": [5, {"hooks": 5}, {"hooks": [` + a + `], "x": 1}, {"matcher": "", "hooks": [` + a + `]}]`), body,
			on(`"Stop": [5, {"hooks": 5}, {"hooks": [` + a + `], "x": 1}, {"matcher": "", "hooks": [` + a + `]}, {"hooks": [` + b + `]}]`), nil},
		{"beside a broken hook", on(`"Stop": [{"hooks": [5]}]`), body, on(`"Stop": [{"hooks": [5, ` + b + `]}]`), nil},
		{"at the first position", on(`"Stop": [{"hooks": [` + a + `, ` + a + `]}]`), `{"position": 0, "type": "command", "command": "b"}`, on(`"Stop": [{"hooks": [` + b + `, ` + a + `, ` + a + `]}]`), nil},
		{"at a position between", on(`"Stop": [{"hooks": [` + a + `, ` + a + `]}]`), `{"type": "command", "command": "b", "position": 1}`, on(`"Stop": [{"hooks": [` + a + `, ` + b + `, ` + a + `]}]`), nil},
		{"at the last position", on(`"Stop": [{"hooks": [` + a + `]}]`), `{"type": "command", "command": "b", "position": 1}`, on(`"Stop": [{"hooks": [` + a + `, ` + b + `]}]`), nil},
		{"at the position of a new group", on(`"Stop": []`), `{"type": "command", "command": "b", "position": 0}`, on(`"Stop": [{"hooks": [` + b + `]}]`), nil},
		{"null is nothing", on(`"Stop": []`), `{"type": "command", "command": "b", "position": null, "matcher": null, "timeout": null, "args": null, "enabled": null}`, on(`"Stop": [{"hooks": [` + b + `]}]`), nil},
		{"on", on(`"Stop": []`), `{"type": "command", "command": "b", "enabled": true}`, on(`"Stop": [{"hooks": [` + b + `]}]`), nil},
		{"off", on(`"Stop": []`), `{"type": "command", "command": "b", "enabled": false}`, on(`"Stop": [{"hooks": [{"type": "command", "command": "b", "enabled": false}]}]`), nil},
		{"every member of a command", on(`"Stop": []`), `{"command": "b", "type": "command", "async": true, "shell": true, "timeout": 2.50, "timeoutMs": 1e3, "statusMessage": "s"}`,
			on(`"Stop": [{"hooks": [{"command": "b", "type": "command", "async": true, "shell": true, "timeout": 2.50, "timeoutMs": 1e3, "statusMessage": "s"}]}]`), nil},
		{"every member of a process", on(`"Stop": []`), `{"type": "process", "command": "b", "args": ["--token", "K"], "timeoutMs": 5, "statusMessage": "s"}`,
			on(`"Stop": [{"hooks": [{"type": "process", "command": "b", "args": ["--token", "K"], "timeoutMs": 5, "statusMessage": "s"}]}]`), nil},
		{"to a file that is ignored", `{"ui": 1, "hooks": {"enabled": true, "x": 1, "events": {"New": 1}}}`, body, `{"ui": 1, "hooks": {"enabled": true, "x": 1, "events": {"New": 1, "Stop": [{"hooks": [` + b + `]}]}}}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkEdit(t, addHookWith(t, "Stop", tt.body), tt.file, tt.want, tt.notes) })
	}
}

// TestAddHookOfEveryEvent wants a file that ZCode takes and a hook that runs.
func TestAddHookOfEveryEvent(t *testing.T) {
	d := parse(t, `{"hooks": {"enabled": true}}`)
	for _, event := range HookEvents() {
		next, notes, err := addHookWith(t, event, `{"matcher": "x", "type": "command", "command": "c"}`)(d)
		if err != nil || notes != nil {
			t.Fatalf("%s: notes %q, %v", event, notes, err)
		}
		d = next
	}
	if problems := Check(d); len(problems) > 0 {
		t.Errorf("problems = %v, want none", problems)
	}
	var live []string
	for _, e := range Entries(d) {
		if e.Live {
			live = append(live, e.Event)
		}
	}
	if diff := cmp.Diff(HookEvents(), live); diff != "" {
		t.Errorf("live (-want +got):\n%s", diff)
	}
}
