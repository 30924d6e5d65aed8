package cliconfig

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"zcode-acp/settings/jsonedit"
)

// ownedHook is a hook whose id, if it is shown, tells whose secret it has.
type ownedHook struct {
	id   int
	text string // with its secrets
}

// drawOwnedHook draws a hook whose secret ends in its id.
func drawOwnedHook(t *rapid.T, id int) ownedHook {
	secret := fmt.Sprintf("secret%dx", id)
	text := rapid.SampledFrom([]string{
		`{"type": "process", "command": "run", "args": ["--token", "SECRET", "-v"], ID"n": 1.0}`,
		`{"type":"process", "command":"run", "args": [ "a.js" ], "env": {"T": "SECRET"},ID"enabled":true}`,
		`{"type":"process", "command":"run", "args": [ "b.js" ], "env": {"T": "SECRET"},ID"enabled":true}`,
		`{"type": "command", "command": "notify", ID"headers": {"X-Any": "SECRET"}, "timeout": 5}`,
		`{"type": "command", "command": "run", ID"headers": {"X-Any": "SECRET"}, "timeout": 6}`,
		`{ ID"type": "command", "command": "notify \u002d-token SECRET" }`,
		`{ID"more": {"apiKey": "SECRET", "n": 1e2}, "type": "command", "command": "run"}`,
		`{ID"type": "command", "command": "run"}`,
	}).Draw(t, "hook")
	return ownedHook{id, strings.NewReplacer("SECRET", secret, "ID", fmt.Sprintf(`"id":  %d, `, id)).Replace(text)}
}

// ownedGroup is a group of such hooks.
type ownedGroup struct {
	matcher string
	hooks   []ownedHook
}

func drawOwnedGroups(t *rapid.T) []ownedGroup {
	id := 0
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ownedGroup {
		g := ownedGroup{matcher: rapid.SampledFrom([]string{"", "Bash", "Edit"}).Draw(t, "matcher")}
		for range rapid.IntRange(1, 4).Draw(t, "hooks") {
			id++
			g.hooks = append(g.hooks, drawOwnedHook(t, id))
		}
		return g
	}), 1, 4).Draw(t, "groups")
}

func ownedFile(groups []ownedGroup) string {
	var texts []string
	for _, g := range groups {
		var hooks []string
		for _, h := range g.hooks {
			hooks = append(hooks, h.text)
		}
		texts = append(texts, groupText(g.matcher, hooks...))
	}
	return stopFile(texts...)
}

// drawSubset draws the groups and hooks that stay, in another order.
func drawSubset(t *rapid.T, groups []ownedGroup) []ownedGroup {
	var list []ownedGroup
	for _, g := range rapid.Permutation(groups).Draw(t, "order of the groups") {
		hooks := rapid.Permutation(g.hooks).Draw(t, "order of the hooks")
		g.hooks = hooks[:rapid.IntRange(0, len(hooks)).Draw(t, "hooks that stay")]
		if len(g.hooks) > 0 {
			list = append(list, g)
		}
	}
	return list
}

// drawChange changes one thing of what is wanted, as an editor could.
func drawChange(t *rapid.T, groups []ownedGroup) []ownedGroup {
	all := slices.Clone(groups)
	at := func(label string) *ownedGroup {
		g := &all[rapid.IntRange(0, len(all)-1).Draw(t, label)]
		g.hooks = slices.Clone(g.hooks)
		return g
	}
	from := at("group")
	k := rapid.IntRange(0, len(from.hooks)-1).Draw(t, "hook")
	switch rapid.IntRange(0, 3).Draw(t, "change") {
	case 0:
		from.matcher = rapid.SampledFrom([]string{"", "Bash", "Edit", "Write"}).Draw(t, "other matcher")
	case 1: // a copy, or a hook in another group
		to := at("other group")
		to.hooks = slices.Insert(to.hooks, rapid.IntRange(0, len(to.hooks)).Draw(t, "place"), from.hooks[k])
	case 2:
		if len(from.hooks) > 1 {
			from.hooks = slices.Delete(from.hooks, k, k+1)
		}
	default:
		change := rapid.SampledFrom([][]string{
			{`"run"`, `"other"`}, {`"notify"`, `"run"`}, {`"process"`, `"command"`}, {"a.js", "b.js"}, {"a.js", "c.js"}, {"b.js", "a.js"}, {`"-v"`, `"-w"`}, {`"--token"`, `"--key"`},
			{`1.0`, `2.0`}, {`"timeout": 5`, `"timeout": 6`}, {`"timeout": 5`, `"timeout": 7`}, {`"apiKey"`, `"token"`}, {`"env": {"T"`, `"env": {"N": "", "T"`}, {`"T"`, `"U"`}, {`"-v"], `, `"-w"], "env": {"T": ""}, `},
		}).Draw(t, "members")
		from.hooks[k].text = strings.Replace(from.hooks[k].text, change[0], change[1], 1)
	}
	return all
}

func wantedSection(t *rapid.T, groups []ownedGroup) jsonedit.Node {
	return mustParse(t, string(HooksOf(mustParse(t, ownedFile(groups))).Tree)).Root()
}

// wantOwnSecrets wants no hook with the secret of another one.
func wantOwnSecrets(t *rapid.T, d *jsonedit.Doc) {
	for h := range hooksIn(d.Root().Get("hooks")) {
		own := fmt.Sprintf("secret%sx", h.hook.Get("id").Raw())
		if rest := bytes.ReplaceAll(h.hook.Raw(), []byte(own), nil); bytes.Contains(rest, []byte("secret")) {
			t.Fatalf("the secret of another hook: %s", h.hook.Raw())
		}
	}
}

// TestReplaceHooksByListing: the listing sent back changes nothing.
func TestReplaceHooksByListing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := ownedFile(drawOwnedGroups(t))
		if rapid.Bool().Draw(t, "look-alikes") {
			for id := range 20 {
				text = strings.Replace(text, fmt.Sprintf(`"id":  %d, `, id), "", 1)
			}
		}
		d := mustParse(t, text)
		got, err := ReplaceHooks(d, mustParse(t, string(HooksOf(d).Tree)).Root())
		if err != nil || got != d {
			t.Fatalf("got %v\n%s\nwas\n%s", err, got.Text(), text)
		}
	})
}

// TestReplaceHooksBySubsets: hooks that go or change places inside their groups,
// and groups that do, keep every secret with its hook and every byte of a hook.
func TestReplaceHooksBySubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		groups := drawOwnedGroups(t)
		then := drawSubset(t, groups)
		got, err := ReplaceHooks(mustParse(t, ownedFile(groups)), wantedSection(t, then))
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		var want []string
		for _, g := range then {
			for _, h := range g.hooks {
				want = append(want, h.text)
			}
		}
		for h := range hooksIn(got.Root().Get("hooks")) {
			if i >= len(want) || string(h.hook.Raw()) != want[i] {
				t.Fatalf("hook %d is %s\nin\n%s\nwant\n%q", i, h.hook.Raw(), got.Text(), want)
			}
			i++
		}
		if i != len(want) {
			t.Fatalf("%d hooks, want %d", i, len(want))
		}
	})
}

// TestReplaceHooksByAnyChange: whatever changes, no secret comes into another
// hook, and what is not refused is shown as it was sent.
func TestReplaceHooksByAnyChange(t *testing.T) {
	stored, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		groups := drawOwnedGroups(t)
		then := drawSubset(t, groups)
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			if len(then) > 0 {
				then = drawChange(t, then)
			}
		}
		wanted := wantedSection(t, then)
		got, err := ReplaceHooks(mustParse(t, ownedFile(groups)), wanted)
		if err != nil {
			if refused++; !errors.Is(err, ErrInvalid) || strings.Contains(err.Error(), "secret") {
				t.Fatalf("got %v, want an invalid setting", err)
			}
			return
		}
		stored++
		wantOwnSecrets(t, got)
		if tree := mustParse(t, string(HooksOf(got).Tree)); !jsonedit.Equal(tree.Root(), wanted) {
			t.Fatalf("shown as\n%s\nwant\n%s", tree.Text(), wanted.Raw())
		}
	})
	if stored == 0 || refused == 0 {
		t.Errorf("%d stored, %d refused: want some of both", stored, refused)
	}
}

// TestReplaceHooksWithoutIDs: of hooks that look alike, none gets the secret of
// another when some go; a refusal costs nothing.
func TestReplaceHooksWithoutIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(2, 5).Draw(t, "hooks")
		var hooks []string
		for id := range count {
			hooks = append(hooks, strings.Replace(inHeaders, "secret-C", fmt.Sprintf("secret-%d", id), 1))
		}
		gone := rapid.IntRange(0, count-1).Draw(t, "gone")
		then := stopFile(groupText("", slices.Delete(slices.Clone(hooks), gone, gone+1)...))
		got, err := ReplaceHooks(mustParse(t, stopFile(groupText("", hooks...))), mustParse(t, string(HooksOf(mustParse(t, then)).Tree)).Root())
		if !errors.Is(err, ErrInvalid) || got != nil {
			t.Fatalf("got %v, want a refusal", err)
		}
	})
}
