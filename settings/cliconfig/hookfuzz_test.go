package cliconfig

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"zcode-acp/settings/jsonedit"
)

// FuzzHooks wants of every edit of any file an error of the two kinds, or a file
// with no more faults than before in which the edited hook has none; and no mask
// ever shows the secret that it stood for.
func FuzzHooks(f *testing.F) {
	const secret = "K93mxq"
	for _, file := range []string{
		`{}`, `{"hooks": []}`, `{"hooks": {"events": {"Stop": {}}}}`,
		`{"hooks": {"enabled": true, "events": {"Stop": [{"hooks": [{"type": "command", "command": "run --token K93mxq", "timeout": 5}]}]}}}`,
		`{"hooks": {"events": {"Stop": [{"matcher": "", "x": 1, "hooks": [5, {"type": "process", "args": ["--token", "K93mxq", "a"]}]}], "New": [1]}}}`,
		`{"hooks": {"events": {"Stop": [{"matcher": "*", "hooks": [{"type": "prompt", "env": {"A": "K93mxq"}}, {"type": "process", "command": "c"}]}]}}}`,
	} {
		for _, body := range []string{
			`{}`, `[]`, `{"command": "********"}`, `{"command": "run --token ********"}`, `{"type": "process", "args": ["********"]}`, `{"type": "command", "command": "c", "position": 1}`,
			`{"matcher": "(", "enabled": true}`, `{"matcher": null, "timeout": null, "shell": true}`, `{"type": "process", "command": "c", "args": ["--token", "********"], "matcher": "x"}`,
		} {
			f.Add(file, body, 0, 0)
			f.Add(file, body, 0, 1)
		}
	}
	f.Fuzz(func(t *testing.T, file, body string, matcher, hook int) {
		d, err := jsonedit.Parse([]byte(file))
		if err != nil {
			return
		}
		b, err := jsonedit.Parse([]byte(body))
		if err != nil {
			return
		}
		shown := strings.Contains(hooksShown(t, d), secret) || strings.Contains(body, secret)
		edits := map[string]change{
			"update": updateHookWith(t, "Stop", matcher, hook, string(b.Text())),
			"add":    addHookWith(t, "Stop", string(b.Text())),
			"remove": removeHookAt("Stop", matcher, hook),
			"move":   moveHookTo("Stop", matcher, hook, 0),
			"switch": switchHooks(hook == 0),
		}
		for name, do := range edits {
			got, _, err := do(d)
			if err != nil {
				if !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrUnknown) {
					t.Fatalf("%s: got %v, want an invalid setting or an unknown hook", name, err)
				}
				continue
			}
			if !jsonedit.Valid(got.Text()) {
				t.Fatalf("%s: %q is no document", name, got.Text())
			}
			if was, is := HooksOf(d).Problems, HooksOf(got).Problems; len(is) > len(was) {
				t.Fatalf("%s: %q has the problems %v, had %v", name, got.Text(), is, was)
			}
			if said := hooksShown(t, got); name == "update" && !shown && strings.Contains(said, secret) {
				t.Fatalf("%s: a secret is shown: %s", name, said)
			}
			if name == "update" {
				wantSound(t, got, hookPlace{"Stop", matcher, hook})
			}
		}
	})
}

// wantSound wants a hook and its group of which ZCode refuses nothing.
func wantSound(t *testing.T, d *jsonedit.Doc, at hookPlace) {
	t.Helper()
	for _, p := range HooksOf(d).Problems {
		pointer, group := p.Pointer+"/", at.group().Pointer()
		if strings.HasPrefix(pointer, at.path().Pointer()+"/") || strings.HasPrefix(pointer, group+"/") && !strings.HasPrefix(pointer, group+"/hooks/") {
			t.Fatalf("%q: %v", d.Text(), p)
		}
	}
}

// hooksShown is everything that listings tell of the hooks.
func hooksShown(t *testing.T, d *jsonedit.Doc) string {
	t.Helper()
	tree := HooksOf(d).Tree
	if !jsonedit.Valid(tree) {
		t.Fatalf("%q is no document", tree)
	}
	entries, err := json.Marshal(Entries(d))
	if err != nil {
		t.Fatal(err)
	}
	return string(tree) + string(entries)
}
