package cliconfig

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// liveFile is a file in which hooks are on and one group has these members.
func liveFile(event, group string) string {
	return `{"hooks": {"enabled": true, "events": {"` + event + `": [{` + group + `}]}}}`
}

func TestEntries(t *testing.T) {
	d := parse(t, `{"hooks": {"enabled": true, "timeoutMs": 5000, "events": {
	  "Stop": [
	    {"hooks": [{"type": "command", "command": "run --token K"}, {"type": "process", "command": "p", "args": ["--key", "K", "x"], "enabled": false}]},
	    {"matcher": "a|b", "hooks": [{"type": "command", "command": "c", "timeout": 2}]}],
	  "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "d", "timeout": 2, "timeoutMs": 3000}]}]}}}`)
	want := []HookEntry{
		{Event: "Stop", Type: "command", Command: "run --token ********", Enabled: true, TimeoutMs: 5000, TimeoutFrom: "root", Live: true},
		{Event: "Stop", HookIndex: 1, Type: "process", Command: "p", Args: []string{"--key", "********", "x"}, TimeoutMs: 5000, TimeoutFrom: "root",
			Ignored: "the hook is off: its enabled is false"},
		{Event: "Stop", MatcherIndex: 1, Matcher: "a|b", Type: "command", Command: "c", Enabled: true, TimeoutMs: 2000, TimeoutFrom: "timeout", Live: true},
		{Event: "PreToolUse", Matcher: "Bash", Type: "command", Command: "d", Enabled: true, TimeoutMs: 3000, TimeoutFrom: "timeoutMs", Live: true},
	}
	if diff := cmp.Diff(want, Entries(d), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

func TestEntriesOfOddFiles(t *testing.T) {
	for _, file := range []string{
		`{}`, `[]`, `{"hooks": []}`, `{"hooks": {"events": [[{"hooks": [{}]}]]}}`, `{"hooks": {"events": {"Stop": {"a": {"hooks": [{}]}}}}}`,
		`{"hooks": {"events": {"Stop": [1, [], {}, {"hooks": {"a": {}}}, {"hooks": []}]}}}`,
	} {
		text, err := json.Marshal(Entries(parse(t, file)))
		if err != nil || string(text) != "[]" {
			t.Errorf("entries of %s = %s, %v, want []", file, text, err)
		}
	}
	got := Entries(parse(t, liveFile("Stop", `"hooks": [1, {"type": "prompt"}]`)))
	if len(got) != 2 || got[0].Live || got[1].Live || got[1].Type != "prompt" || got[0].TimeoutMs != 60000 {
		t.Errorf("entries = %+v, want two that do not run", got)
	}
}

// TestHookIgnored holds every reason for which a hook does not run.
func TestHookIgnored(t *testing.T) {
	const (
		one      = `"hooks": [{"type": "command", "command": "c"}]`
		absent   = "hooks are off: hooks.enabled is absent, which counts as off unless another of ZCode's files turns hooks on"
		off      = "hooks are off: hooks.enabled is false, so no hook of this file runs even where another of ZCode's files turns hooks on"
		unknown  = "ZCode up to 3.15.1 does not know this event and ignores the whole file: remove the hook, or add it to one of SessionStart, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, Stop"
		noRegexp = "its matcher is no regular expression of JavaScript (nothing to repeat), so ZCode cannot match with it: correct it, or leave it out to match everything"
	)
	tests := []struct{ name, file, want string }{
		{"nothing", liveFile("Stop", one), ""},
		{"no switch", `{"hooks": {"events": {"Stop": [{` + one + `}]}}}`, absent},
		{"switch off", `{"hooks": {"enabled": false, "events": {"Stop": [{` + one + `}]}}}`, off},
		{"own switch", liveFile("Stop", `"hooks": [{"type": "command", "command": "c", "enabled": false}]`), "the hook is off: its enabled is false"},
		{"own switch on", liveFile("Stop", `"hooks": [{"type": "command", "command": "c", "enabled": true}]`), ""},
		{"unknown event", liveFile("SubagentStop", one), unknown},
		{"event in other capitals", liveFile("stop", one), unknown},
		{"a star", liveFile("PreToolUse", `"matcher": "*", `+one), noRegexp},
		{"a lookahead", liveFile("PreToolUse", `"matcher": "^(?!Bash$)", `+one), ""},
		{"everything", `{"hooks": {"events": {"Stop": [{"matcher": "+", "hooks": [{"type": "command", "command": "c", "enabled": false}]}]}}}`,
			absent + "; the hook is off: its enabled is false; " + noRegexp},
		{"empty matcher", liveFile("Stop", `"matcher": "", `+one),
			"ZCode ignores the whole file: /hooks/events/Stop/0/matcher (line 1, column 50) must be a string that is not empty"},
		{"member of the group", liveFile("Stop", one+`, "description": "d"`),
			"ZCode ignores the whole file: /hooks/events/Stop/0/description (line 1, column 98) is not known to ZCode here"},
		{"type", liveFile("Stop", `"hooks": [{"type": "prompt", "prompt": "p"}]`),
			"ZCode ignores the whole file: /hooks/events/Stop/0/hooks/0/type (line 1, column 61) must be one of command, process"},
		{"another section", `{"permission": {"mode": "ask"}, ` + liveFile("Stop", one)[1:],
			"ZCode ignores the whole file: /permission/mode (line 1, column 17) must be one of plan, build, edit, yolo, auto"},
		{"byte order mark", "\ufeff" + liveFile("Stop", one),
			"ZCode ignores the whole file: the document (line 1, column 1) must not begin with a byte order mark: ZCode cannot read it"},
		{"a switch of another kind", `{"hooks": {"enabled": 1, "events": {"Stop": [{` + one + `}]}}}`,
			"ZCode ignores the whole file: /hooks/enabled (line 1, column 12) must be true or false"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Entries(parse(t, tt.file))
			if len(got) != 1 {
				t.Fatalf("%d entries, want 1", len(got))
			}
			if diff := cmp.Diff(tt.want, got[0].Ignored); diff != "" {
				t.Errorf("ignored (-want +got):\n%s", diff)
			}
			if got[0].Live != (tt.want == "") {
				t.Errorf("live = %v", got[0].Live)
			}
		})
	}
}

// TestHookIgnoredTellsTheNearestCause: of several problems a hook tells its own.
func TestHookIgnoredTellsTheNearestCause(t *testing.T) {
	d := parse(t, `{"ui": 1, "hooks": {"enabled": true, "events": {"New": [],
	  "Stop": [{"hooks": [{"type": "command", "command": ""}, {"type": "command", "command": "c", "timeout": 0}]}, {"matcher": "", "hooks": [{"type": "process", "command": "c"}]}],
	  "PreToolUse": [{"hooks": [{"type": "command", "command": "c"}]}]}}}`)
	want := []string{"/hooks/events/Stop/0/hooks/0/command ", "/hooks/events/Stop/0/hooks/1/timeout ", "/hooks/events/Stop/1/matcher ", "/ui "}
	for i, e := range Entries(d) {
		if !strings.HasPrefix(e.Ignored, "ZCode ignores the whole file: "+want[i]) {
			t.Errorf("entry %d: ignored = %q, want the cause at %s", i, e.Ignored, want[i])
		}
	}
}

func TestHookCases(t *testing.T) {
	for file, want := range map[string]string{
		"empty-matcher.json":  "ZCode ignores the whole file: /hooks/events/UserPromptSubmit/0/matcher (line 6, column 29) must be a string that is not empty",
		"new-hook-event.json": "ZCode up to 3.15.1 does not know this event and ignores the whole file",
	} {
		got := Entries(load(t, file))
		if len(got) != 1 || got[0].Live || !strings.HasPrefix(got[0].Ignored, want) {
			t.Errorf("%s: entries = %+v, want one ignored: %s", file, got, want)
		}
	}
}

func TestHookTimeout(t *testing.T) {
	tests := []struct {
		root, hook string
		ms         float64
		from       string
	}{
		{``, `"type": "command"`, 60000, "default"},
		{``, `"type": "command", "timeoutMs": 2000, "timeout": 5`, 2000, "timeoutMs"},
		{``, `"type": "command", "timeout": 5`, 5000, "timeout"},
		{``, `"type": "command", "timeout": 0.0001`, 1, "timeout"},
		{``, `"type": "command", "timeoutMs": 1500.5`, 1501, "timeoutMs"},
		{``, `"type": "command", "timeoutMs": 1500.4`, 1500, "timeoutMs"},
		{``, `"type": "command", "timeoutMs": 0.2`, 1, "timeoutMs"},
		{``, `"type": "process", "timeout": 5`, 60000, "default"},
		{`"timeoutMs": 7000, `, `"type": "process", "timeout": 5`, 7000, "root"},
		{`"timeoutMs": 7000, `, `"type": "command", "timeout": 5`, 5000, "timeout"},
		{`"timeoutMs": 7000, `, `"type": "command", "timeoutMs": "5"`, 7000, "root"},
		{`"timeoutMs": -1, `, `"type": "command", "timeoutMs": 0`, 60000, "default"},
		{``, `"type": "command", "timeout": 1e308`, 1.7976931348623157e308, "timeout"},
	}
	for _, tt := range tests {
		got := Entries(parse(t, `{"hooks": {`+tt.root+`"events": {"Stop": [{"hooks": [{`+tt.hook+`}]}]}}}`))[0]
		if got.TimeoutMs != tt.ms || got.TimeoutFrom != tt.from {
			t.Errorf("%s%s: timeout = %v from %s, want %v from %s", tt.root, tt.hook, got.TimeoutMs, got.TimeoutFrom, tt.ms, tt.from)
		}
	}
}

func TestHookWarnings(t *testing.T) {
	group := func(hook string) string { return `"hooks": [{` + hook + `}]` }
	const (
		argsOnCommand    = `"args" does nothing in a hook of type command: write the arguments into "command", or make it a hook of type process`
		timeoutOnProcess = `"timeout" does nothing in a hook of type process: use "timeoutMs", in milliseconds`
		likeSeconds      = `"timeoutMs" is in milliseconds, and less than 1000 look like seconds`
		likeMs           = `"timeout" is in seconds, and more than 3600 look like milliseconds: send "timeoutMs" for those`
		rootLikeSeconds  = "hooks.timeoutMs is in milliseconds, and less than 1000 look like seconds"
		bash             = "matchers tell capitals from small letters: the tool is called Bash"
		command          = `"type": "command", "command": "c"`
		process          = `"type": "process", "command": "c"`
	)
	tests := []struct {
		name, event, group string
		want               []string
	}{
		{"none", "Stop", group(command + `, "timeout": 3600, "shell": true, "async": false`), nil},
		{"none", "Stop", group(process + `, "timeoutMs": 1000, "args": []`), nil},
		{"args", "Stop", group(command + `, "args": ["a"]`), []string{argsOnCommand}},
		{"timeout", "Stop", group(process + `, "timeout": 5000`), []string{timeoutOnProcess}},
		{"async and shell", "Stop", group(process + `, "shell": true, "async": true`), []string{
			`"async" does nothing in a hook of type process: it belongs to hooks of type command`,
			`"shell" does nothing in a hook of type process: it belongs to hooks of type command`}},
		{"seconds", "Stop", group(command + `, "timeoutMs": 999`), []string{likeSeconds}},
		{"seconds", "Stop", group(process + `, "timeoutMs": 5`), []string{likeSeconds}},
		{"milliseconds", "Stop", group(command + `, "timeout": 3601`), []string{likeMs}},
		{"milliseconds that do not count", "Stop", group(command + `, "timeout": 5000, "timeoutMs": 5000`), nil},
		{"root", "Stop", group(command) + `}]}, "timeoutMs": 60, "maxOutputBytes": 1, "x": {"y": [{"z": 1`, []string{rootLikeSeconds}},
		{"case", "PreToolUse", `"matcher": "bash|Edit", ` + group(command), []string{bash}},
		{"case", "PermissionRequest", `"matcher": "^BASH$", ` + group(command), []string{bash}},
		{"case of an MCP tool", "PostToolUse", `"matcher": "mcp__bash__read|Bash|[bB]ash", ` + group(command), nil},
		{"case of no tool", "SessionStart", `"matcher": "bash", ` + group(command), nil},
		{"flags", "Stop", `"matcher": "(?i:x)", ` + group(command), []string{
			"the matcher sets flags inside a group, which older versions of JavaScript refuse: write both cases, as in [Bb]ash"}},
	}
	for _, tt := range tests {
		got := Entries(parse(t, liveFile(tt.event, tt.group)))
		if diff := cmp.Diff(tt.want, got[0].Warnings); diff != "" {
			t.Errorf("%s: warnings of %s (-want +got):\n%s", tt.name, tt.group, diff)
		}
	}
}

// TestHookMatchers: new RegExp(pattern) takes the good ones with some flags, and
// the bad ones neither without flags nor with u or v.
func TestHookMatchers(t *testing.T) {
	good := []string{
		"", "Bash", "Edit|Write", ".*", "mcp__.*__write", "^Bash$", "a+?", "a{2,3}", "a{2,}?", "[a-z]", "[^a-z]", "[]", "[^]", "[]a]", `[\]]`, "[a-]", "[-a]", "[+-z-a]",
		"a{", "{", "}", "]", "a{,3}", "a{x}", "(a)", "(?:a)+", "(?=a)*", "(?!a)", "(?<=a)b", "(?<!a)b", "(?<name>a)*", `\(`, `\b`, `\bBash\b`, `\u{1}`, `\p{L}+`, `a\*`, "é*", "a||b", "()", `\u{1}*`, "[a-a]", `[z\-a]`, `[\d-z-a]`, `[é-z-a]`,
	}
	bad := map[string]string{
		"*": "nothing to repeat", "+": "nothing to repeat", "?": "nothing to repeat", "{1}": "nothing to repeat", "a**": "nothing to repeat", "a+*": "nothing to repeat", "a{1}{2}": "nothing to repeat",
		"a|*": "nothing to repeat", "(*)": "nothing to repeat", "^*": "nothing to repeat", "$+": "nothing to repeat", `\b?`: "nothing to repeat", "(?<=a)*": "nothing to repeat", "a???": "nothing to repeat",
		"(": "a parenthesis is not closed", "a(b": "a parenthesis is not closed", "[(]((a)": "a parenthesis is not closed",
		")": "a parenthesis is closed that was not opened", `\(a)`: "a parenthesis is closed that was not opened",
		"[": "a bracket is not closed", "[a": "a bracket is not closed", `[\]`: "a bracket is not closed", "[^": "a bracket is not closed",
		`\`: "it ends in a backslash", `a\\\`: "it ends in a backslash",
		"[z-a]": "a range of characters is out of order", "[a-z9-0]": "a range of characters is out of order",
		"a{3,2}": "the numbers of a repetition are out of order",
		"(?i)a":  "what follows (? is unknown there; flags like (?i) do not exist", "(?P<n>a)": "what follows (? is unknown there; flags like (?i) do not exist", "(?": "what follows (? is unknown there; flags like (?i) do not exist",
	}
	for _, pattern := range good {
		if fault, doubt := checkPattern(pattern); fault != "" || doubt != "" {
			t.Errorf("%q: fault %q, doubt %q, want none", pattern, fault, doubt)
		}
	}
	for pattern, want := range bad {
		if fault, _ := checkPattern(pattern); fault != want {
			t.Errorf("%q: fault %q, want %q", pattern, fault, want)
		}
	}
	for _, pattern := range []string{"(?i:a)", "(?-s:a)", "(?i-m:a)", "(?<é>a)", "(?<1>a)"} {
		if fault, doubt := checkPattern(pattern); fault != "" || doubt == "" {
			t.Errorf("%q: fault %q, doubt %q, want only a doubt", pattern, fault, doubt)
		}
	}
}
