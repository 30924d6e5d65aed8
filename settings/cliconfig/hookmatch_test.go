package cliconfig

import (
	"errors"
	"strings"
	"testing"

	"zcode-acp/settings/jsonedit"
)

// The hooks of these tests have a letter for a secret, and texts of which a
// rewritten section would lose something.
const (
	inEnv     = `{"type": "process",  "command": "run", "args": ["a.js"], "env": {"T": "secret-A"}, "n": 1.0}`
	inArgs    = `{"command": "run", "type": "process", "args": [ "b.js", "--token", "secret-B" ], "m": "\u0062"}`
	inHeaders = `{"type":"command","command":"notify","headers":{"X-Any":"secret-C"},"timeout":5}`
	inCommand = `{ "type": "command", "command": "notify --token secret-D" }`
	inUnknown = `{"type": "command", "command": "send", "more": {"apiKey": "secret-E", "n": 1e2}}`
)

func groupText(matcher string, hooks ...string) string {
	list := `"hooks": [` + strings.Join(hooks, ",\n   ") + `]}`
	if matcher == "" {
		return "{" + list
	}
	return `{"matcher":  "` + matcher + `", ` + list
}

func stopFile(groups ...string) string {
	return "{\"hooks\":  {\"events\": {\"Stop\": [\n  " + strings.Join(groups, ",\n  ") + "\n]}}, \"last\": 1e5}\n"
}

// sectionOf is the section of a file as listings show it.
func sectionOf(t *testing.T, file string) string {
	t.Helper()
	return string(HooksOf(parse(t, file)).Tree)
}

// TestReplaceHooksFollowsHooks takes the listing of one file for the other, whose
// hooks are the same ones: secrets go with their hooks, bytes stay.
func TestReplaceHooksFollowsHooks(t *testing.T) {
	all := []string{inEnv, inArgs, inHeaders, inCommand, inUnknown}
	with := func(old, new string) func(string) string {
		return func(hook string) string { return strings.Replace(hook, old, new, 1) }
	}
	const (
		added = `{"type": "command", "command": "new"}`
		plain = `{"type": "command", "command": "plain"}`
		args  = `{"type": "process", "command": "run", "args": ["\u0061", "x", "--token", "secret-B", "\u0062"]}`
	)
	tests := []struct {
		name         string
		before, then []string // groups
	}{
		{"the first goes", []string{groupText("", all...)}, []string{groupText("", all[1:]...)}},
		{"a middle one goes", []string{groupText("", all...)}, []string{groupText("", inEnv, inArgs, inCommand, inUnknown)}},
		{"the last goes", []string{groupText("", all...)}, []string{groupText("", all[:4]...)}},
		{"most go", []string{groupText("", all...)}, []string{groupText("", inCommand)}},
		{"one comes first", []string{groupText("", all...)}, []string{groupText("", added, inEnv, inArgs, inHeaders, inCommand, inUnknown)}},
		{"one comes between", []string{groupText("", all...)}, []string{groupText("", inEnv, inArgs, added, inHeaders, inCommand, inUnknown)}},
		{"one comes last", []string{groupText("", all...)}, []string{groupText("", inEnv, inArgs, inHeaders, inCommand, inUnknown, added)}},
		{"another order", []string{groupText("", all...)}, []string{groupText("", inUnknown, inEnv, inCommand, inArgs, inHeaders)}},
		{"one goes, one changes", []string{groupText("", all...)}, []string{groupText("", inArgs, with("5", "6")(inHeaders), inCommand, inUnknown)}},
		{"one goes, one moves, one comes, one changes", []string{groupText("", all...)},
			[]string{groupText("", inUnknown, added, with("1.0", "2.0")(inEnv), inArgs, inHeaders)}},
		{"a header comes", []string{groupText("", all...)},
			[]string{groupText("", inEnv, inArgs, with(`"secret-C"`, `"secret-C","X-Other":""`)(inHeaders), inCommand, inUnknown)}},
		{"arguments change of one of two that run the same", []string{groupText("", all...)},
			[]string{groupText("", with("a.js", "c.js")(inEnv), inArgs, inHeaders, inCommand, inUnknown)}},
		{"an argument comes before", []string{groupText("", all...)},
			[]string{groupText("", inEnv, with(`"b.js", `, `"b.js", "-v", `)(inArgs), inHeaders, inCommand, inUnknown)}},
		{"the first group goes", []string{groupText("", inEnv), groupText("Bash", inArgs), groupText("", inHeaders)},
			[]string{groupText("Bash", inArgs), groupText("", inHeaders)}},
		{"the last group goes", []string{groupText("", inEnv), groupText("Bash", inArgs), groupText("", inHeaders)},
			[]string{groupText("", inEnv), groupText("Bash", inArgs)}},
		{"groups in another order", []string{groupText("", inEnv), groupText("Bash", inArgs), groupText("", inHeaders)},
			[]string{groupText("", inHeaders), groupText("", inEnv), groupText("Bash", inArgs)}},
		{"a group comes first", []string{groupText("", inEnv), groupText("Bash", inArgs)},
			[]string{`{"hooks": [` + added + `]}`, groupText("", inEnv), groupText("Bash", inArgs)}},
		{"a group goes, the matcher of another changes", []string{groupText("", inEnv), groupText("Bash", inArgs, inCommand)},
			[]string{groupText("Edit", inArgs, inCommand)}},
		{"a group and a hook go, another hook changes", []string{groupText("", inEnv), groupText("Bash", inArgs, inCommand, inHeaders)},
			[]string{groupText("Bash", inArgs, with("5", "7")(inHeaders))}},
		{"look-alikes where they were", []string{groupText("", inCommand, strings.Replace(inCommand, "secret-D", "secret-F", 1), inEnv)},
			[]string{groupText("", inCommand, strings.Replace(inCommand, "secret-D", "secret-F", 1))}},
		{"look-alikes in groups of another order",
			[]string{groupText("Bash", inCommand), groupText("Edit", strings.Replace(inCommand, "secret-D", "secret-F", 1))},
			[]string{groupText("Edit", strings.Replace(inCommand, "secret-D", "secret-F", 1)), groupText("Bash", inCommand)}},
		{"one of two with the same secret goes", []string{groupText("Bash", inCommand, inEnv), groupText("Edit", inCommand, inArgs)},
			[]string{groupText("Edit", inCommand, inArgs)}},
		{"one of two with the same secret goes, and its group with the same matcher", []string{groupText("", inCommand, inEnv), groupText("", inCommand, inArgs)},
			[]string{groupText("", inCommand, inArgs)}},
		{"groups in another order, most hooks of one in the other", []string{groupText("Bash", inEnv, added, plain), groupText("Edit", inCommand)},
			[]string{groupText("Edit", inCommand, added, plain), groupText("Bash", inEnv)}},
		{"an argument goes", []string{groupText("", inEnv, args)}, []string{groupText("", inEnv, with(`"x", `, "")(args))}},
		{"one of two with the same secret changes", []string{groupText("", inHeaders, inHeaders)}, []string{groupText("", inHeaders, with("5", "6")(inHeaders))}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, want := stopFile(tt.before...), stopFile(tt.then...)
			got, err := ReplaceHooks(parse(t, before), parse(t, sectionOf(t, want)).Root())
			if err != nil {
				t.Fatal(err)
			}
			text, laidOut := string(got.Text()), strings.Contains(want, added)
			if text != want && !(laidOut && squeezed(text) == squeezed(want)) {
				t.Errorf("got\n%s\nwant\n%s", text, want)
			}
			for _, hook := range append(all, tt.before...) {
				if strings.Contains(before, hook) && strings.Contains(want, hook) && !strings.Contains(string(got.Text()), hook) {
					t.Errorf("not as it was: %s\nin\n%s", hook, got.Text())
				}
			}
		})
	}
}

// squeezed is a text without the white space between what it holds.
func squeezed(text string) string {
	return strings.NewReplacer(" ", "", "\n", "").Replace(text)
}

// TestReplaceHooksNeverGuesses: what may be another hook's secret is refused, and
// the error names the mask.
func TestReplaceHooksNeverGuesses(t *testing.T) {
	lookalike := strings.Replace(inHeaders, "secret-C", "secret-F", 1)
	changed := strings.Replace(inHeaders, "5", "6", 1)
	twin := strings.Replace(inEnv, "secret-A", "secret-F", 1)
	const flags = `{"type": "process", "command": "run", "args": ["-e", "A_KEY=secret-A", "--token", "secret-B", "--token", "secret-C"]}`
	const list = `{"type": "command", "command": "c", "list": [{"token": "secret-A"}, {"token": "secret-B"}]}`
	tests := []struct {
		name         string
		before, then []string
		pointer      string
		reason       string
	}{
		{"one of two look-alikes goes", []string{groupText("", inHeaders, lookalike)}, []string{groupText("", lookalike)}, "/0/hooks/0/headers/X-Any", unsureMask},
		{"the group of one goes", []string{groupText("Bash", inHeaders), groupText("Edit", lookalike)}, []string{groupText("Edit", lookalike)}, "/0/hooks/0/headers/X-Any", unsureMask},
		{"one of two changes", []string{groupText("", inHeaders, lookalike)}, []string{groupText("", inHeaders, changed)}, "/0/hooks/0/headers/X-Any", unsureMask},
		{"one comes before them", []string{groupText("", inHeaders, lookalike)}, []string{groupText("", `{"type": "command", "command": "n"}`, inHeaders, lookalike)}, "/0/hooks/1/headers/X-Any", unsureMask},
		{"one goes, the other changes", []string{groupText("", inHeaders, strings.Replace(lookalike, "5", "7", 1))}, []string{groupText("", changed)}, "/0/hooks/0/headers/X-Any", unsureMask},
		{"one goes, the arguments of the other change", []string{groupText("", inEnv, strings.Replace(twin, "a.js", "b.js", 1))},
			[]string{groupText("", strings.Replace(twin, "a.js", "c.js", 1))}, "/0/hooks/0/env/T", unsureMask},
		{"one goes, the other is changed to look like it", []string{groupText("", inEnv, strings.NewReplacer("a.js", "b.js", "1.0", "3.0").Replace(twin))},
			[]string{groupText("", strings.Replace(twin, "1.0", "3.0", 1))}, "/0/hooks/0/env/T", unsureMask},
		{"a changed copy instead of another", []string{groupText("", inEnv, strings.NewReplacer("a.js", "b.js", "1.0", "3.0").Replace(twin))},
			[]string{groupText("", strings.NewReplacer("a.js", "c.js", "1.0", "3.0").Replace(twin), strings.NewReplacer("a.js", "b.js", "1.0", "3.0").Replace(twin))}, "/0/hooks/0/env/T", unsureMask},
		{"two changed copies of one", []string{groupText("", inHeaders)}, []string{groupText("", changed, strings.Replace(inHeaders, "5", "7", 1))}, "/0/hooks/0/headers/X-Any", unsureMask},
		{"a changed copy behind another instead of it", []string{groupText("", inEnv, strings.Replace(twin, "a.js", "b.js", 1))},
			[]string{groupText("", strings.Replace(twin, "a.js", "b.js", 1), strings.Replace(twin, "a.js", "c.js", 1))}, "/0/hooks/1/env/T", unsureMask},
		{"one goes, most of the other is changed to look like it", []string{groupText("", strings.Replace(inHeaders, "5", `5, "l": 1, "m": 1, "n": 1`, 1),
			strings.Replace(lookalike, "5", `5, "l": 2, "m": 2, "n": 2`, 1))},
			[]string{groupText("", strings.Replace(lookalike, "5", `5, "l": 1, "m": 1, "n": 2`, 1))}, "/0/hooks/0/headers/X-Any", unsureMask},
		{"another type", []string{groupText("", inEnv)}, []string{groupText("", strings.Replace(inEnv, "process", "command", 1))}, "/0/hooks/0/env/T", unsureMask},
		{"groups with look-alikes change places and more", []string{groupText("Bash", inHeaders, inEnv), groupText("Edit", lookalike, inArgs)},
			[]string{groupText("Edit", lookalike, strings.Replace(inArgs, "b.js", "c.js", 1)), groupText("Bash", inHeaders, strings.Replace(inEnv, "a.js", "c.js", 1))},
			"/0/hooks/0/headers/X-Any", unsureMask},
		{"the matcher of other hooks", []string{groupText("token=secret-A", `{"type": "command", "command": "a"}`)}, []string{groupText("token=secret-A", `{"type": "command", "command": "b"}`)},
			"/0/matcher", unsureMask},
		{"an argument twice", []string{groupText("", inArgs)}, []string{groupText("", strings.Replace(inArgs, `"--token"`, `"--token", "secret-B", "--token"`, 1))}, "/0/hooks/0/args/2", unsureMask},
		{"groups with look-alikes change places and get hooks", []string{groupText("Bash", inHeaders), groupText("Edit", lookalike)},
			[]string{groupText("Edit", lookalike, `{"type": "command", "command": "n"}`), groupText("Bash", inHeaders, `{"type": "command", "command": "n"}`)},
			"/0/hooks/0/headers/X-Any", unsureMask},
		{"a group comes before look-alikes", []string{groupText("", inHeaders), groupText("", lookalike)},
			[]string{groupText("", `{"type": "command", "command": "n"}`), groupText("", inHeaders), groupText("", lookalike)}, "/1/hooks/0/headers/X-Any", unsureMask},
		{"to another group", []string{groupText("Bash", inEnv, inHeaders), groupText("Edit", inCommand)}, []string{groupText("Bash", inEnv), groupText("Edit", inCommand, inHeaders)},
			"/1/hooks/1/headers/X-Any", unsureMask},
		{"to a new group", []string{groupText("Bash", inEnv, inHeaders)}, []string{groupText("Bash", inEnv), groupText("Edit", inHeaders)}, "/1/hooks/0/headers/X-Any", unsureMask},
		{"a command with another mask", []string{groupText("", inEnv, inCommand)}, []string{groupText("", inEnv, strings.Replace(inCommand, "notify", "send", 1))}, "/0/hooks/1/command", unsureMask},
		{"one of two equal flags goes", []string{groupText("", flags)}, []string{groupText("", strings.Replace(flags, `"--token", "secret-B", `, "", 1))}, "/0/hooks/0/args/3", unsureMask},
		{"the value of another flag", []string{groupText("", inArgs)}, []string{groupText("", strings.Replace(inArgs, "--token", "--api-key", 1))}, "/0/hooks/0/args/2", lostMask},
		{"an element of an unknown list goes", []string{groupText("", list)}, []string{groupText("", strings.Replace(list, `{"token": "secret-A"}, `, "", 1))}, "/0/hooks/0/list/0/token", unsureMask},
		{"another header", []string{groupText("", inHeaders)}, []string{groupText("", strings.Replace(inHeaders, "X-Any", "X-Other", 1))}, "/0/hooks/0/headers/X-Other", lostMask},
		{"a hook where none was", nil, []string{groupText("", inHeaders)}, "/0/hooks/0/headers/X-Any", lostMask},
		{"the matchers of two groups change places and more",
			[]string{groupText("Bash", inHeaders), groupText("Edit", lookalike)}, []string{groupText("Edit", inHeaders), groupText("Write", lookalike)}, "/0/hooks/0/headers/X-Any", unsureMask},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReplaceHooks(parse(t, stopFile(tt.before...)), parse(t, sectionOf(t, stopFile(tt.then...))).Root())
			invalid, ok := errors.AsType[*InvalidError](err)
			if !ok || got != nil {
				t.Fatalf("got %v, want a refusal", err)
			}
			if want := (InvalidError{"/events/Stop" + tt.pointer, tt.reason}); *invalid != want {
				t.Errorf("got %v, want %v", invalid, &want)
			}
		})
	}
}

// TestReplaceHooksTakesRealValues: where a mask is refused, the value is not.
func TestReplaceHooksTakesRealValues(t *testing.T) {
	lookalike := strings.Replace(inHeaders, "secret-C", "secret-F", 1)
	before, want := stopFile(groupText("Bash", inHeaders, lookalike, inEnv)), stopFile(groupText("Bash", lookalike), groupText("", inEnv))
	got, err := ReplaceHooks(parse(t, before), parse(t, want).Root().Get("hooks"))
	if err != nil || squeezed(string(got.Text())) != squeezed(want) {
		t.Errorf("got %v\n%s\nwant\n%s", err, got.Text(), want)
	}
}

// TestReplaceHooksAtManyPlaces: more changes than are made one by one.
func TestReplaceHooksAtManyPlaces(t *testing.T) {
	hooks := make([]string, 3000)
	for i := range hooks {
		hooks[i] = strings.NewReplacer("notify", "notify"+strings.Repeat("y", i%50)+string(rune('a'+i%26)), "5", "1"+strings.Repeat("0", i/50)).Replace(inHeaders)
	}
	before := stopFile(groupText("", hooks...))
	tree := sectionOf(t, before)
	got, err := ReplaceHooks(parse(t, before), parse(t, strings.Replace(tree, `{"hooks":[`, `{"hooks":[{"type":"command","command":"new"},`, 1)).Root())
	if err != nil || strings.Count(string(got.Text()), "secret-C") != len(hooks) {
		t.Fatalf("one more: got %v", err)
	}
	for _, hook := range hooks {
		if !strings.Contains(string(got.Text()), hook) {
			t.Fatalf("not as it was: %s", hook)
		}
	}
	several := parse(t, stopFile(strings.Repeat(groupText("", inCommand)+",", 5000)+groupText("", inEnv)))
	wanted := strings.ReplaceAll(string(HooksOf(several).Tree), `"command":"notify --token ********"`, `"command":"other"`)
	got, err = ReplaceHooks(several, parse(t, wanted).Root())
	if err != nil || !jsonedit.Equal(parse(t, string(HooksOf(got).Tree)).Root(), parse(t, wanted).Root()) {
		t.Errorf("every one: got %v", err)
	}
}

// TestStillMasked: what was sent as a mask may not be shown afterwards.
func TestStillMasked(t *testing.T) {
	section := func(args string) jsonedit.Node {
		return parse(t, `{"events":{"Stop":[{"hooks":[{"type":"process","command":"c","args":[`+args+`]}]}]}}`).Root()
	}
	if err := stillMasked(section(`"--token", "K"`), section(`"--token", "********"`)); err != nil {
		t.Errorf("hidden: got %v", err)
	}
	err := stillMasked(section(`"-x", "K"`), section(`"-x", "********"`))
	if invalid, ok := errors.AsType[*InvalidError](err); !ok || *invalid != (InvalidError{"/events/Stop/0/hooks/0/args/1", lostMask}) {
		t.Errorf("shown: got %v, want a refusal", err)
	}
}
