package cliconfig

import (
	"errors"
	"testing"
)

// TestHookEditsRefuse holds the whole sentence of every refusal.
func TestHookEditsRefuse(t *testing.T) {
	const (
		names       = "type, matcher, command, enabled, args, async, shell, timeout, timeoutMs, statusMessage"
		unknown     = "is an unknown hook event 'PreCompact': it must be one of SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, Stop; because of any other, like those that newer or other agents have, ZCode up to 3.15.1 ignores the whole file"
		before      = ", so ZCode ignores the whole file; it was there before: "
		matcherFile = "is no regular expression of JavaScript (nothing to repeat), so ZCode cannot match with it: correct it, or leave it out to match everything"
		command     = `{"type": "command", "command": "c"}`
	)
	file := hooksFile(command + `, {"type": "process", "command": "run --token K", "args": ["--token", "K"]}`)
	update := func(body string) change { return updateHookWith(t, "Stop", 0, 0, body) }
	add := func(body string) change { return addHookWith(t, "Stop", body) }
	tests := []struct {
		name, file string
		do         change
		want       string
	}{
		{"nothing sent", file, update(`{}`), "changing a hook: must have at least one member to set: " + names},
		{"no object", file, update(`[]`), "changing a hook: must be an object with the members to set"},
		{"an unknown member", file, update(`{"command": "d", "env": {"A": "K"}}`), "changing a hook: /env is not a member that can be set: leave it out, or set one of " + names},
		{"an unknown member as null", file, update(`{"a/b": null}`), "changing a hook: /a~1b is not a member that can be set: leave it out, or set one of " + names},
		{"position of an update", file, update(`{"position": 0}`), "changing a hook: /position is not a member that can be set: leave it out, or set one of " + names},
		{"command", file, update(`{"command": ""}`), "changing a hook: /command must be a string that is not empty"},
		{"command of another kind", file, update(`{"command": ["c"]}`), "changing a hook: /command must be a string that is not empty"},
		{"command removed", file, update(`{"command": null}`), `changing a hook: needs "command"`},
		{"type removed", file, update(`{"type": null}`), `changing a hook: needs "type"`},
		{"type", file, update(`{"type": "prompt"}`), "changing a hook: /type must be one of process, command"},
		{"enabled", file, update(`{"enabled": "true"}`), "changing a hook: /enabled must be true or false"},
		{"timeoutMs", file, update(`{"timeoutMs": 0}`), "changing a hook: /timeoutMs must be a number above 0"},
		{"timeoutMs as text", file, update(`{"timeoutMs": "5"}`), "changing a hook: /timeoutMs must be a number above 0"},
		{"timeout", file, update(`{"timeout": 1e400}`), "changing a hook: /timeout must be a number above 0"},
		{"async", file, update(`{"async": 1}`), "changing a hook: /async must be true or false"},
		{"shell", file, update(`{"shell": false}`), "changing a hook: /shell must be true or a string that is not empty"},
		{"status", file, update(`{"statusMessage": ""}`), "changing a hook: /statusMessage must be a string that is not empty"},
		{"arguments", file, updateHookWith(t, "Stop", 0, 1, `{"args": ["a", 1]}`), "changing a hook: /args/1 must be a string"},
		{"matcher", file, update(`{"matcher": ""}`), "changing a hook: /matcher must be a string that is not empty"},
		{"a star", file, update(`{"matcher": "*"}`), "changing a hook: /matcher " + matcherFile},
		{"arguments of a command", file, update(`{"args": []}`), `changing a hook: /args does nothing in a hook of type command: write the arguments into "command", or make it a hook of type process`},
		{"arguments with the change to a command", file, updateHookWith(t, "Stop", 0, 1, `{"type": "command", "args": ["x"]}`),
			`changing a hook: /args does nothing in a hook of type command: write the arguments into "command", or make it a hook of type process`},
		{"timeout of a process", file, updateHookWith(t, "Stop", 0, 1, `{"timeout": 5}`), `changing a hook: /timeout does nothing in a hook of type process: use "timeoutMs", in milliseconds`},
		{"shell of a process", file, updateHookWith(t, "Stop", 0, 1, `{"shell": true}`), "changing a hook: /shell does nothing in a hook of type process: it belongs to hooks of type command"},
		{"a mask for nothing", file, update(`{"command": "run --token ********"}`), "changing a hook: /command " + lostMask},
		{"a mask elsewhere", file, update(`{"statusMessage": "********"}`), "changing a hook: /statusMessage " + lostMask},
		{"a mask that would be shown", file, updateHookWith(t, "Stop", 0, 1, `{"args": ["x", "********"]}`), "changing a hook: /args/1 " + lostMask},
		{"a mask as matcher", file, update(`{"matcher": "********"}`), "changing a hook: /matcher " + lostMask},
		{"a hook that is no object", hooksFile("5"), update(`{"command": "c"}`), "changing a hook: /hooks/events/Stop/0/hooks/0 must be an object: remove this hook and add it anew"},
		{"a member that was wrong before", hooksFile(`{"type": "command", "command": "c", "timeout": 0}`), update(`{"enabled": false}`),
			"changing a hook: /timeout must be a number above 0" + before + `set "timeout" right, or to null to remove it`},
		{"a type that was wrong before", hooksFile(`{"type": "prompt", "command": "c"}`), update(`{"command": "d"}`),
			"changing a hook: /type must be one of command, process" + before + `set "type" right, or to null to remove it`},
		{"a matcher that was wrong before", liveFile("Stop", `"matcher": "", "hooks": [`+command+`]`), update(`{"command": "d"}`),
			"changing a hook: /matcher must be a string that is not empty" + before + `set "matcher" right, or to null to remove it`},
		{"a group that was wrong before", liveFile("Stop", `"hooks": [`+command+`], "x": 1`), update(`{"command": "d"}`),
			"changing a hook: /hooks/events/Stop/0/x is not known to ZCode here" + before + "mend that in the file by hand first"},
		{"update of an unknown event", `{"hooks": {"events": {"PreCompact": [{"hooks": [` + command + `]}]}}}`, updateHookWith(t, "PreCompact", 0, 0, `{"command": "d"}`), "changing a hook: /event " + unknown},
		{"move in an unknown event", `{"hooks": {"events": {"PreCompact": [{"hooks": [` + command + `]}]}}}`, moveHookTo("PreCompact", 0, 0, 0), "moving a hook: /event " + unknown},
		{"move of a hook that was wrong before", hooksFile(`{"type": "command", "command": ""}, ` + command), moveHookTo("Stop", 0, 0, 1),
			"moving a hook: /command must be a string that is not empty" + before + `set "command" right, or to null to remove it`},
		{"negative matcher", file, updateHookWith(t, "Stop", -1, 0, `{"command": "d"}`), "changing a hook: /matcherIndex must be a non-negative integer"},
		{"negative hook", file, removeHookAt("Stop", 0, -1), "removing a hook: /hookIndex must be a non-negative integer"},

		{"add to an unknown event", file, addHookWith(t, "PreCompact", command), "adding a hook: /event " + unknown},
		{"add without type", file, add(`{"command": "c"}`), `adding a hook: needs "type"`},
		{"add without command", file, add(`{"type": "process"}`), `adding a hook: needs "command"`},
		{"add nothing", file, add(`{}`), "adding a hook: must have at least one member to set: " + names + ", position"},
		{"add an unknown member", file, add(`{"type": "process", "command": "c", "cwd": "/"}`), "adding a hook: /cwd is not a member that can be set: leave it out, or set one of " + names + ", position"},
		{"add with arguments of a command", file, add(`{"type": "command", "command": "c", "args": ["a"]}`), `adding a hook: /args does nothing in a hook of type command: write the arguments into "command", or make it a hook of type process`},
		{"add with timeout of a process", file, add(`{"command": "c", "timeout": 5, "type": "process"}`), `adding a hook: /timeout does nothing in a hook of type process: use "timeoutMs", in milliseconds`},
		{"add a mask", file, add(`{"type": "command", "command": "run --token ********"}`), "adding a hook: /command " + lostMask},
		{"add a mask as an argument", file, add(`{"type": "process", "command": "c", "args": ["--token", "********"]}`), "adding a hook: /args/1 " + lostMask},
		{"add a mask as matcher", file, add(`{"type": "command", "command": "c", "matcher": "token=********"}`), "adding a hook: /matcher " + lostMask},
		{"add with an empty matcher", file, add(`{"type": "command", "command": "c", "matcher": ""}`), "adding a hook: /matcher must be a string that is not empty"},
		{"add with a star", file, add(`{"type": "command", "command": "c", "matcher": "*"}`), "adding a hook: /matcher " + matcherFile},
		{"add behind the end", file, add(`{"type": "command", "command": "c", "position": 3}`), "adding a hook: /position must be at most 2, the number of hooks in the group"},
		{"add far behind the end", file, add(`{"type": "command", "command": "c", "position": 9007199254740991}`), "adding a hook: /position must be at most 2, the number of hooks in the group"},
		{"add behind the end of a new group", file, add(`{"type": "command", "command": "c", "position": 1, "matcher": "x"}`), "adding a hook: /position must be at most 0, the number of hooks in the group"},
		{"add at a negative position", file, add(`{"type": "command", "command": "c", "position": -1}`), "adding a hook: /position must be a whole number, 0 or more"},
		{"add at no position", file, add(`{"type": "command", "command": "c", "position": 0.5}`), "adding a hook: /position must be a whole number, 0 or more"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, notes, err := tt.do(parse(t, tt.file))
			if got != nil || notes != nil || !errors.Is(err, ErrInvalid) || errors.Is(err, ErrUnknown) {
				t.Fatalf("got %v, %q, %v, want an invalid setting", got, notes, err)
			}
			if err.Error() != tt.want {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
		})
	}
}

// allHookEdits are all edits that name an event, with what each calls itself.
func allHookEdits(t *testing.T, event string, matcher, hook int) map[string]change {
	return map[string]change{
		"changing": updateHookWith(t, event, matcher, hook, `{"command": "d"}`),
		"removing": removeHookAt(event, matcher, hook),
		"moving":   moveHookTo(event, matcher, hook, 0),
	}
}

func TestUnknownHook(t *testing.T) {
	tests := []struct {
		file          string
		event         string
		matcher, hook int
		want          string
	}{
		{`{}`, "Stop", 0, 0, "no matcher at index 0 for Stop"},
		{`{"hooks": {"events": {}}}`, "Stop", 0, 0, "no matcher at index 0 for Stop"},
		{hooksFile(`{"type": "command", "command": "c"}`), "Stop", 1, 0, "no matcher at index 1 for Stop"},
		{hooksFile(`{"type": "command", "command": "c"}`), "PreToolUse", 0, 0, "no matcher at index 0 for PreToolUse"},
		{hooksFile(`{"type": "command", "command": "c"}`), "Stop", 0, 1, "no hook at index 1 in Stop matcher 0"},
		{hooksFile(``), "Stop", 0, 0, "no hook at index 0 in Stop matcher 0"},
		{`{"hooks": {"events": {"Stop": [1]}}}`, "Stop", 0, 0, "no hook at index 0 in Stop matcher 0"},
		{`{"hooks": {"events": {"Stop": [{"hooks": {"0": {}}}]}}}`, "Stop", 0, 0, "no hook at index 0 in Stop matcher 0"},
	}
	for _, tt := range tests {
		for name, do := range allHookEdits(t, tt.event, tt.matcher, tt.hook) {
			got, _, err := do(parse(t, tt.file))
			want := name + " a hook: " + tt.want + ": list the hooks to see the indexes"
			if got != nil || !errors.Is(err, ErrUnknown) || errors.Is(err, ErrInvalid) || err.Error() != want {
				t.Errorf("%s %s: got %v, want %s", name, tt.file, err, want)
			}
		}
	}
	_, _, err := RemoveHook(New(), "x\x1b", 0, 0)
	want := `removing a hook: no matcher at index 0 for x\x1b: list the hooks to see the indexes`
	if !errors.Is(err, ErrUnknown) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestHookEditsOfBrokenSections wants every edit refused with the pointer of what
// is broken.
func TestHookEditsOfBrokenSections(t *testing.T) {
	tests := []struct{ file, pointer, reason string }{
		{`[]`, "", "must be an object: mend that in the file by hand first"},
		{`{"hooks": null}`, "/hooks", "must be an object: mend that in the file by hand first"},
		{`{"hooks": []}`, "/hooks", "must be an object: mend that in the file by hand first"},
		{`{"hooks": {"events": []}}`, "/hooks/events", "must be an object: mend that in the file by hand first"},
		{`{"hooks": {"events": {"Stop": {"0": {}}}}}`, "/hooks/events/Stop", "must be an array: mend that in the file by hand first"},
	}
	for _, tt := range tests {
		edits := allHookEdits(t, "Stop", 0, 0)
		edits["adding"] = addHookWith(t, "Stop", `{"type": "command", "command": "c"}`)
		if tt.pointer != "/hooks/events/Stop" {
			edits["switching"] = switchHooks(true)
		}
		for name, do := range edits {
			got, _, err := do(parse(t, tt.file))
			var invalid *InvalidError
			if got != nil || !errors.As(err, &invalid) || invalid.Pointer != tt.pointer || invalid.Reason != tt.reason {
				t.Errorf("%s %s: got %v, want %s %s", name, tt.file, err, tt.pointer, tt.reason)
			}
		}
	}
	if _, _, err := addHookWith(t, "Stop", `{"type": "command", "command": "c"}`)(parse(t, `{"hooks": {"events": {"PreToolUse": 5}}}`)); err != nil {
		t.Errorf("another event that is no array: %v", err)
	}
}
