package cliconfig

import (
	"errors"
	"strings"
	"testing"

	"zcode-acp/settings/jsonedit"
)

const replaceable = `{
  "hooks": {
    "enabled":   true,
    "events": {
      "Stop": [
        {"matcher": "Bash", "hooks": [{"type": "process", "command": "a",  "args": ["--token", "K93mxq", "-v"], "env": {"A": "hidden"}, "kept": 1.0},
          {"type": "command", "command": "b --token K47pzr"}]}
      ]
    }
  },
  "other": 1e2
}
`

func TestReplaceHooks(t *testing.T) {
	const (
		first  = `{"type":"process","command":"a","args":["--token","********","-v"],"env":{"A":"********"},"kept":1.0}`
		second = `{"type":"command","command":"b --token ********"}`
	)
	hooks := func(list string) string {
		return `{"enabled":true,"events":{"Stop":[{"matcher":"Bash","hooks":[` + list + `]}]}}`
	}
	tests := []struct {
		name, wanted string
		replace      []string // old, new of the file
	}{
		{"the same", hooks(first + "," + second), []string{"", ""}},
		{"one value", hooks(strings.Replace(first, `1.0`, `2.0`, 1) + "," + second), []string{`1.0`, `2.0`}},
		{"another program without masks", hooks(`{"type":"process","command":"c","args":["-v"],"kept":1.0},` + second),
			[]string{`"command": "a",  "args": ["--token", "K93mxq", "-v"], "env": {"A": "hidden"}, `, `"command": "c",  "args": ["-v"], `}},
		{"a new secret", hooks(first + "," + strings.Replace(second, "********", "K00new", 1)), []string{"K47pzr", "K00new"}},
		{"an argument goes before its flag", hooks(strings.Replace(first, `["--token","********","-v"]`, `["-v","--token","********"]`, 1) + "," + second),
			[]string{`["--token", "K93mxq", "-v"]`, `["-v", "--token", "K93mxq"]`}},
		{"a member goes", hooks(strings.Replace(first, `,"kept":1.0`, "", 1) + "," + second), []string{`, "kept": 1.0`, ""}},
		{"the switch", strings.Replace(hooks(first+","+second), "true", "false", 1), []string{"true", "false"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReplaceHooks(parse(t, replaceable), parse(t, tt.wanted).Root())
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Replace(replaceable, tt.replace[0], tt.replace[1], 1); string(got.Text()) != want {
				t.Errorf("got\n%s\nwant\n%s", got.Text(), want)
			}
		})
	}
}

// A mask must never bring a secret into the open, nor be stored itself.
func TestReplaceHooksKeepsSecrets(t *testing.T) {
	for name, wanted := range map[string]string{
		"an argument without its flag": `{"events":{"Stop":[{"hooks":[{"type":"process","command":"a","args":["-x","********"]}]}]}}`,
		"a mask where nothing was":     `{"events":{"PreToolUse":[{"hooks":[{"type":"command","command":"run ********"}]}]}}`,
		"a mask of another member":     `{"events":{"Stop":[{"matcher":"Bash","hooks":[{"type":"process","command":"a","statusMessage":"********"}]}]}}`,
		"another program":              `{"events":{"Stop":[{"matcher":"Bash","hooks":[{"type":"process","command":"c","env":{"A":"********"}}]}]}}`,
		"another type":                 `{"events":{"Stop":[{"matcher":"Bash","hooks":[{"type":"command","command":"a","env":{"A":"********"}}]}]}}`,
		"another event":                `{"events":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"b --token ********"}]}]}}`,
		"a copy":                       `{"events":{"Stop":[{"matcher":"Bash","hooks":[{"type":"command","command":"b --token ********"},{"type":"command","command":"b --token ********"}]}]}}`,
		"another text with a mask":     `{"events":{"Stop":[{"matcher":"Bash","hooks":[{"type":"process","command":"a"},{"type":"command","command":"echo ********"}]}]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReplaceHooks(parse(t, replaceable), parse(t, wanted).Root())
			if !errors.Is(err, ErrInvalid) {
				t.Fatalf("got %v, want a refusal", err)
			}
			if got != nil || strings.Contains(err.Error(), "K93") || strings.Contains(err.Error(), "K47") {
				t.Errorf("got %v and %v", got, err)
			}
		})
	}
}

func TestReplaceHooksRefusesWhatCostsTheFile(t *testing.T) {
	for wanted, pointer := range map[string]string{
		`{"events":{"SubagentStop":[]}}`:                     "/events/SubagentStop",
		`{"events":{"Stop":[{"matcher":"","hooks":[]}]}}`:    "/events/Stop/0/matcher",
		`{"events":{"Stop":[{"hooks":[]}]}}`:                 "/events/Stop/0/hooks",
		`{"enabled":1}`:                                      "/enabled",
		`{"events":{"Stop":[{"hooks":[{"type":"other"}]}]}}`: "/events/Stop/0/hooks/0/type",
		`[]`: "",
	} {
		_, err := ReplaceHooks(parse(t, replaceable), parse(t, wanted).Root())
		invalid, ok := errors.AsType[*InvalidError](err)
		if !ok || invalid.Pointer != pointer {
			t.Errorf("%s: got %v, want one at %q", wanted, err, pointer)
		}
	}
}

func TestReplaceHooksInNewFile(t *testing.T) {
	got, err := ReplaceHooks(New(), parse(t, `{"enabled":true}`).Root())
	if err != nil || string(got.Text()) != "{\n  \"hooks\": {\n    \"enabled\": true\n  }\n}\n" {
		t.Errorf("got %q, %v", got.Text(), err)
	}
	if _, err := ReplaceHooks(parse(t, "[]"), parse(t, "{}").Root()); !errors.Is(err, ErrInvalid) {
		t.Errorf("got %v, want a refusal", err)
	}
	var none jsonedit.Node
	if _, err := ReplaceHooks(New(), none); err == nil {
		t.Error("got no error for nothing")
	}
}
