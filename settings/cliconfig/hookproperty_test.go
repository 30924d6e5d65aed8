package cliconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"zcode-acp/settings/jsonedit"
)

// hookValues are values that ZCode accepts of the members of each type of hook.
var hookValues = map[hookType]map[string][]string{
	processHook: {
		"type": {`"process"`}, "command": {`"c"`, `"\u0063"`}, "args": {`[]`, `["a", "--token", "K"]`},
		"timeoutMs": {`1`, `2.50`, `6e4`}, "statusMessage": {`"s"`}, "enabled": {`true`, `false`},
	},
	commandHook: {
		"type": {`"command"`}, "command": {`"c --token K"`, `"d"`}, "async": {`true`, `false`}, "shell": {`true`, `"zsh"`},
		"timeout": {`5`, `1.0`}, "timeoutMs": {`1000`}, "statusMessage": {`"s"`}, "enabled": {`true`, `false`},
	},
}

func drawHook(t *rapid.T) string {
	kind := rapid.SampledFrom([]hookType{processHook, commandHook}).Draw(t, "type")
	text := drawObject(t, hookValues[kind], "command")
	if !strings.Contains(text, `"type"`) {
		text = fmt.Sprintf(`{"type":%q,`, kind) + text[1:]
	}
	return text
}

func drawHookBody(t *rapid.T) string {
	values := map[string][]string{}
	for name, list := range hookValues[rapid.SampledFrom([]hookType{processHook, commandHook}).Draw(t, "type of the body")] {
		values[name] = append(slices.Clone(list), "null")
	}
	values["matcher"] = []string{`"Bash"`, `"x|y"`, "null"}
	return drawObject(t, values, "")
}

// drawHooksFile draws a file of two events, one with up to three groups.
func drawHooksFile(t *rapid.T) string {
	var groups []string
	for range rapid.IntRange(0, 3).Draw(t, "groups") {
		var list []string
		for range rapid.IntRange(1, 3).Draw(t, "hooks") {
			list = append(list, drawHook(t))
		}
		matcher := rapid.SampledFrom([]string{"", `"matcher":"Bash",`, `"matcher":"x|y",`}).Draw(t, "matcher")
		groups = append(groups, "{"+matcher+`"hooks":[`+strings.Join(list, ",")+"]}")
	}
	text := `{"first":1e400,"hooks":{"enabled":true,"events":{"Stop":[` + strings.Join(groups, ",") + `],"New":[5]}},"last":["\/"]}`
	indent := rapid.SampledFrom([]string{"", "  ", "\t"}).Draw(t, "indent")
	if indent == "" {
		return text
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", indent); err != nil {
		t.Fatal(err)
	}
	b.WriteString(rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end"))
	if rapid.Bool().Draw(t, "crlf") {
		return strings.ReplaceAll(b.String(), "\n", "\r\n")
	}
	return b.String()
}

func mustParse(t *rapid.T, text string) *jsonedit.Doc {
	d, err := jsonedit.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestUpdateHookChangesOnlyTheHook: what the body does not name keeps its bytes,
// what it names has the value sent.
func TestUpdateHookChangesOnlyTheHook(t *testing.T) {
	updated := 0
	rapid.Check(t, func(t *rapid.T) {
		before, body := mustParse(t, drawHooksFile(t)), mustParse(t, drawHookBody(t))
		at := hookPlace{"Stop", rapid.IntRange(0, 3).Draw(t, "matcher index"), rapid.IntRange(0, 3).Draw(t, "hook index")}
		after, _, err := UpdateHook(before, at.event, at.matcher, at.index, body.Root())
		if err != nil {
			if !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrUnknown) {
				t.Fatalf("got %v, want a hook, an invalid setting or an unknown hook", err)
			}
			return
		}
		updated++
		place := at.path()
		if body.Root().Get("matcher").Exists() {
			place = at.group()
		}
		checkOutside(t, before, after, place)
		wantMerged(t, before.Find(at.path()), after.Find(at.path()), body.Root())
		for i, other := range elements(before.Find(at.group()).Get("hooks")) {
			if now := after.Find(hookPlace{at.event, at.matcher, i}.path()); i != at.index && !bytes.Equal(now.Raw(), other.Raw()) {
				t.Errorf("hook %d was %s, became %s", i, other.Raw(), now.Raw())
			}
		}
	})
	if updated == 0 {
		t.Error("no draw changed a hook")
	}
}

// checkOutside wants the bytes before and behind a place as they were.
func checkOutside(t *rapid.T, before, after *jsonedit.Doc, place jsonedit.Path) {
	a, b := before.Find(place).Span()
	c, d := after.Find(place).Span()
	if !bytes.Equal(before.Text()[:a], after.Text()[:c]) || !bytes.Equal(before.Text()[b:], after.Text()[d:]) {
		t.Errorf("more than %s changed:\n%s\nbecame\n%s", place.Pointer(), before.Text(), after.Text())
	}
}

// wantMerged compares a changed hook with what the merge of plain values gives.
func wantMerged(t *rapid.T, before, after, body jsonedit.Node) {
	want, got, sent := decode(t, before.Raw()), decode(t, after.Raw()), decode(t, body.Raw())
	if kind, ok := sent["type"].(string); ok && kind != want["type"] {
		for name := range hookValues[hookType(want["type"].(string))] {
			if _, has := hookValues[hookType(kind)][name]; !has {
				delete(want, name)
			}
		}
	}
	for name, value := range sent {
		switch {
		case name == "matcher":
		case value == nil, name == "enabled" && value == true:
			delete(want, name)
		default:
			want[name] = value
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s with %s (-want +got):\n%s", before.Raw(), body.Raw(), diff)
	}
}

// TestAddedHookRemoved: taking a new hook away gives the old bytes back, but for
// containers that were made for it.
func TestAddedHookRemoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := mustParse(t, drawHooksFile(t))
		event := rapid.SampledFrom([]string{"Stop", "PreToolUse"}).Draw(t, "event")
		matcher := rapid.SampledFrom([]string{"", `,"matcher":"Bash"`, `,"matcher":"z"`}).Draw(t, "matcher of the hook")
		hook := drawHook(t)
		body := hook[:len(hook)-1] + matcher + "}"
		after, notes, err := AddHook(before, event, mustParse(t, body).Root())
		if err != nil || len(notes) > 0 {
			t.Fatalf("adding %s: %v, notes %q", body, err, notes)
		}
		at := added(t, before, after, event)
		wantMerged(t, mustParse(t, hook).Root(), after.Find(at.path()), mustParse(t, hook).Root())
		removed, _, err := RemoveHook(after, event, at.matcher, at.index)
		if err != nil {
			t.Fatal(err)
		}
		want := before
		if array := eventPath(event); !before.Find(array).Exists() {
			if want, err = before.Set(array, []byte("[]")); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(string(want.Text()), string(removed.Text())); diff != "" {
			t.Errorf("added %s and removed (-want +got):\n%s", body, diff)
		}
	})
}

// added returns the place of the one hook that an event has more than before.
func added(t *rapid.T, before, after *jsonedit.Doc, event string) hookPlace {
	for i, group := range elements(after.Find(eventPath(event))) {
		count := group.Get("hooks").Len()
		if was := before.Find(eventPath(event)).Index(i).Get("hooks").Len(); was != count {
			return hookPlace{event, i, count - 1}
		}
	}
	t.Fatalf("no hook was added:\n%s", after.Text())
	return hookPlace{}
}

// TestMovedHookMovedBack: every hook keeps its bytes, and the way back restores
// the file.
func TestMovedHookMovedBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := mustParse(t, drawHooksFile(t))
		group := before.Find(eventPath("Stop")).Index(0).Get("hooks")
		if group.Len() == 0 {
			if _, err := MoveHook(before, "Stop", 0, 0, 0); !errors.Is(err, ErrUnknown) {
				t.Fatalf("moving a hook of no group: %v, want %v", err, ErrUnknown)
			}
			return
		}
		from, to := rapid.IntRange(0, group.Len()-1).Draw(t, "from"), rapid.IntRange(0, group.Len()-1).Draw(t, "to")
		after, err := MoveHook(before, "Stop", 0, from, to)
		if err != nil {
			t.Fatal(err)
		}
		checkOutside(t, before, after, jsonedit.Path{"hooks", "events", "Stop", "0", "hooks"})
		if moved := after.Find(hookPlace{"Stop", 0, to}.path()); !bytes.Equal(moved.Raw(), group.Index(from).Raw()) {
			t.Errorf("the hook was %s, became %s", group.Index(from).Raw(), moved.Raw())
		}
		back, err := MoveHook(after, "Stop", 0, to, from)
		if err != nil || !bytes.Equal(back.Text(), before.Text()) {
			t.Errorf("moved back: %v\n%s\nwas\n%s", err, back.Text(), before.Text())
		}
	})
}

// TestListedHookSentBack: what a listing shows of a hook changes nothing when it
// is sent, but that an "enabled" that is true goes.
func TestListedHookSentBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := mustParse(t, drawHooksFile(t))
		tree := mustParse(t, string(HooksOf(before).Tree))
		for i, group := range elements(tree.Root().Get("events").Get("Stop")) {
			for j, hook := range elements(group.Get("hooks")) {
				body := []byte{'{'}
				for c := range hook.Children() {
					if on, _ := c.Bool(); c.Key() != "enabled" || !on {
						body = appendMember(body, c.Key(), c.Raw())
					}
				}
				if matcher := group.Get("matcher"); matcher.Exists() {
					body = appendMember(body, "matcher", matcher.Raw())
				}
				body = append(body, '}')
				got, notes, err := UpdateHook(before, "Stop", i, j, mustParse(t, string(body)).Root())
				if got != before || len(notes) > 0 || err != nil {
					t.Errorf("sending %s back: notes %q, %v", body, notes, err)
				}
			}
		}
	})
}
