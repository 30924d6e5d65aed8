package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func (w *world) historyList() []HistoryEntry {
	w.t.Helper()
	return answerOf[*HistoryList](w, "history/list").Entries
}

// TestUndo takes every change of the table of promises back.
func TestUndo(t *testing.T) {
	for _, c := range changeCases {
		t.Run(strings.ReplaceAll(c.op, "/", " ")+" "+c.name, func(t *testing.T) {
			w := worldWithSecrets(t, &c)
			before := w.get(c.file)
			got := w.write(c.op, Call{Door: REST, Client: "panel/1"}, c.in)
			entries := w.historyList()
			if len(entries) != 1 || got.History != entries[0].ID || entries[0].Operation != c.op || entries[0].Client != "panel/1" || entries[0].Door != REST {
				t.Fatalf("got %+v and the answer %+v, want one entry", entries, got)
			}
			for _, path := range c.paths {
				within := func(unit string) bool { return path == unit || strings.HasPrefix(path, unit+"/") }
				if !slices.ContainsFunc(entries[0].Files[0].Paths, within) {
					t.Errorf("got paths %v, want one that has %s in it", entries[0].Files[0].Paths, path)
				}
			}
			answer, err := w.run("history/show", Call{}, params{"id": got.History})
			if err != nil {
				t.Fatal(err)
			}
			if text, err := Encode(answer); err != nil || canary.Match(text) {
				t.Errorf("%v: secret in %s", err, text)
			}
			after := w.files()
			preview := w.write("history/undo", Call{DryRun: true}, params{})
			w.unchanged(after)
			if text, err := Encode(preview); err != nil || canary.Match(text) || !preview.Changed {
				t.Errorf("%v: secret in %s", err, text)
			}
			undone := w.write("history/undo", Call{}, params{"id": got.History})
			if !undone.Changed || undone.Effect != c.effect {
				t.Errorf("got %+v, want %s", undone, c.effect)
			}
			for _, change := range difference(t, before, w.get(c.file)) {
				t.Errorf("%s is %s, was %s", change.Path.Pointer(), change.After.Raw(), change.Before.Raw())
			}
			entries = w.historyList()
			if len(entries) != 2 || entries[0].Undoes != got.History || entries[1].UndoneBy != entries[0].ID {
				t.Errorf("got %+v, want the undo as an entry", entries)
			}
			if twice := w.refuse("history/undo", Call{}, params{"id": got.History}); twice.Code != CodeInvalid {
				t.Errorf("again: got %+v, want %s", twice, CodeInvalid)
			}
			if none := w.refuse("history/undo", Call{}, nil); none.Code != CodeInvalid {
				t.Errorf("nothing left: got %+v, want %s", none, CodeInvalid)
			}
		})
	}
}

// What changed again since stays, and both values are told.
func TestUndoOverALaterChange(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, cliWithSecrets)
	first := w.write("mcp/upsert", Call{}, params{"name": "local", "env": map[string]string{"TOKEN": "CANARY-one", "SAME": "********"}, "cwd": "/a"})
	w.write("mcp/upsert", Call{}, params{"name": "local", "env": map[string]string{"TOKEN": "CANARY-two", "SAME": "********"}})
	elsewhere := w.write("config/set", Call{}, params{"section": "ui", "theme": "light"})
	got := w.refuse("history/undo", Call{}, params{"id": first.History})
	if got.Code != CodeConflict || len(got.Changes) != 1 || got.Changes[0].Path != "/mcp/servers/local" {
		t.Errorf("got %+v, want a conflict at the one path", got)
	}
	if text, err := Encode(got); err != nil || canary.Match(text) {
		t.Errorf("%v: secret in %s", err, text)
	}
	w.write("history/undo", Call{}, params{"id": elsewhere.History})
	w.write("history/undo", Call{}, nil) // the second change, which is now the newest
	w.write("history/undo", Call{}, params{"id": first.History})
	same(t, "the file", w.get(cliFile), cliWithSecrets)
}

// What stands at an index, or in a server of that name, may be another thing by
// now: then nothing is taken back, and no secret moves.
func TestUndoNeverMovesWhatIsNotItsOwn(t *testing.T) {
	hooks := `{"hooks":{"enabled":true,"events":{"Stop":[{"hooks":[{"type":"command","command":"./a.sh"},{"type":"command","command":"./b.sh"}]}]}}}`
	tests := []struct {
		name, file, text string
		change           []any // operation, parameters: what is taken back
		since            [][]any
	}{
		{"a provider that went, and the key of another since", providerFile, providersWithSecrets,
			[]any{"providers/remove", params{"id": "p1"}}, [][]any{{"providers/set-key", params{"id": "p2", "apiKey": "CANARY-of-two"}}}},
		{"a model that went, and another one since", providerFile, providersWithSecrets,
			[]any{"models/remove", params{"providerId": "p1", "modelId": "m1"}}, [][]any{{"models/upsert", params{"providerId": "p1", "modelId": "m2", "contextWindow": 9999}}}},
		{"a hook that went, and another one since", cliFile, hooks,
			[]any{"hooks/remove", params{"event": "Stop", "matcherIndex": 0, "hookIndex": 0}},
			[][]any{{"hooks/update", params{"event": "Stop", "matcherIndex": 0, "hookIndex": 0, "statusMessage": "x"}}}},
		{"a hook that is elsewhere now", cliFile, hooks,
			[]any{"hooks/update", params{"event": "Stop", "matcherIndex": 0, "hookIndex": 0, "enabled": false}},
			[][]any{{"hooks/move", params{"event": "Stop", "matcherIndex": 0, "hookIndex": 0, "to": 1}}, {"hooks/update", params{"event": "Stop", "matcherIndex": 0, "hookIndex": 0, "enabled": false}}}},
		{"a secret of a server that is another one now", cliFile, `{"mcp":{"servers":{"x":{"type":"stdio","command":"npx","env":{"K":"CANARY-k","O":"a"}}}}}`,
			[]any{"mcp/upsert", params{"name": "x", "env": map[string]string{"O": "a"}}},
			[][]any{{"mcp/remove", params{"name": "x"}}, {"mcp/upsert", params{"name": "x", "type": "http", "url": "https://evil.example/mcp"}}}},
		{"a secret of a server that is gone", cliFile, `{"mcp":{"servers":{"x":{"type":"stdio","command":"npx","env":{"K":"CANARY-k","O":"a"}}}}}`,
			[]any{"mcp/upsert", params{"name": "x", "env": map[string]string{"O": "a"}}}, [][]any{{"mcp/remove", params{"name": "x"}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.put(tt.file, tt.text)
			made := w.write(tt.change[0].(string), Call{}, tt.change[1].(params))
			for _, step := range tt.since {
				w.write(step[0].(string), Call{}, step[1].(params))
			}
			got := w.refuse("history/undo", Call{}, params{"id": made.History})
			if text, err := Encode(got); err != nil || got.Code != CodeConflict || canary.Match(text) {
				t.Errorf("%v: got %s, want a conflict without a secret", err, text)
			}
			for range tt.since {
				w.write("history/undo", Call{}, nil)
			}
			w.write("history/undo", Call{}, params{"id": made.History})
			for _, change := range difference(t, tt.text, w.get(tt.file)) {
				t.Errorf("%s is not as it was", change.Path.Pointer())
			}
		})
	}
}

// An undo that is taken back leaves the change to be taken back again.
func TestRedo(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, "{}\n")
	made := w.write("config/set", Call{}, params{"section": "ui", "theme": "dark"})
	undone := w.write("history/undo", Call{}, nil)
	w.write("history/undo", Call{}, params{"id": undone.History})
	if entries := w.historyList(); entries[2].UndoneBy != "" || !strings.Contains(w.get(cliFile), "dark") {
		t.Errorf("got %+v, want the change in force", entries)
	}
	w.write("history/undo", Call{}, params{"id": made.History})
	same(t, "the file", w.get(cliFile), "{}\n")
}

// What has nothing to take back is passed over, and says why when it is named.
func TestUndoPassesOverWhatLasts(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, cliWithSecrets)
	w.write("config/set", Call{}, params{"section": "ui", "theme": "light"})
	w.chmod(cliFile, 0o644)
	w.fixed(Call{}, nil)
	lasts := w.historyList()[0].ID
	if got := w.refuse("history/undo", Call{}, params{"id": lasts}); got.Code != CodeInvalid || !strings.Contains(got.Error, "mode tightened") {
		t.Errorf("got %+v, want why", got)
	}
	w.write("history/undo", Call{}, nil)
	same(t, "the file", w.get(cliFile), cliWithSecrets)

	w = newWorld(t)
	w.put(cliFile, `{"precious": 1, "ui": {}, }`)
	mended := w.write("config/set", Call{Repair: true}, params{"section": "ui", "theme": "light"})
	if got := w.refuse("history/undo", Call{}, params{"id": mended.History}); !strings.Contains(got.Error, "restore its backup") {
		t.Errorf("got %+v, want the way to the file as it was", got)
	}
}

func TestPurgeOfWhatWasDamaged(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, cliWithSecrets)
	w.write("mcp/remove", Call{}, params{"name": "local"})
	folder := filepath.Join(w.engine.Layout.StateDir(), "history")
	stored := filepath.Join(folder, "history.jsonl")
	text, err := os.ReadFile(stored)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(stored, append([]byte("x"), text...), 0o600); err != nil {
		t.Fatal(err)
	}
	w.historyList() // which sets the damage aside
	if _, err := w.run("history/purge", Call{}, nil); err != nil {
		t.Fatal(err)
	}
	for path, file := range w.below(folder) {
		if canary.MatchString(file.Content) {
			t.Errorf("%s still holds a secret", path)
		}
	}
}

func TestUndoOfAgents(t *testing.T) {
	for _, tt := range []struct {
		name, op string
		in       params
	}{
		{"changed", "agents/upsert", params{"name": "Foo", "color": "red"}},
		{"made", "agents/upsert", params{"name": "brand-new", "description": "x"}},
		{"deleted", "agents/delete", params{"name": "nested-one"}},
		{"renamed", "agents/rename", params{"name": "Foo", "newName": "Other"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := worldOfAgents(t)
			w.write("agents/enable", Call{}, params{"name": "Foo", "enable": false})
			w.write("agents/enable", Call{}, params{"name": "nested-one", "enable": false})
			before := w.textsWithoutBackups()
			w.write(tt.op, Call{}, tt.in)
			if cmp.Equal(before, w.textsWithoutBackups()) {
				t.Fatal("nothing changed")
			}
			w.write("history/undo", Call{}, nil)
			if diff := cmp.Diff(before, w.textsWithoutBackups()); diff != "" {
				t.Errorf("files (-before +after the undo):\n%s", diff)
			}
		})
	}
	t.Run("changed since", func(t *testing.T) {
		w := worldOfAgents(t)
		w.write("agents/upsert", Call{}, params{"name": "Foo", "color": "red"})
		w.put("agents/Bar.markdown", w.get("agents/Bar.markdown")+"by hand\n")
		if got := w.refuse("history/undo", Call{}, nil); got.Code != CodeConflict || got.File != w.path("agents/Bar.markdown") {
			t.Errorf("got %+v, want a conflict that names the file", got)
		}
	})
}

func (w *world) textsWithoutBackups() map[string]string {
	texts := map[string]string{}
	for path, file := range w.files() {
		if !strings.Contains(filepath.Base(path), ".bak-") {
			texts[path] = file.Content
		}
	}
	return texts
}

func TestHistoryPurge(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, cliWithSecrets)
	w.write("mcp/remove", Call{}, params{"name": "local"})
	stored := filepath.Join(w.engine.Layout.StateDir(), "history", "history.jsonl")
	text, err := os.ReadFile(stored)
	if err != nil || !strings.Contains(string(text), "CANARY-env") {
		t.Fatalf("%v: the history does not hold what an undo needs: %s", err, text)
	}
	if info, err := os.Stat(stored); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v %v, want mode 0600", info, err)
	}
	for _, dry := range []bool{true, false} {
		answer, err := w.run("history/purge", Call{DryRun: dry}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := answer.(*HistoryPurged); got.Removed != 1 || got.DryRun != dry {
			t.Errorf("got %+v, want one", got)
		}
	}
	if text, err := os.ReadFile(stored); err == nil && canary.Match(text) {
		t.Errorf("the secret is still there: %s", text)
	}
	if entries := w.historyList(); len(entries) != 0 {
		t.Errorf("got %+v, want none", entries)
	}
}

// What cannot be taken back is recorded and says so.
func TestUndoOfADeletedSkill(t *testing.T) {
	w, user, _ := worldOfSkills(t)
	if _, err := w.run("skills/delete", Call{}, params{"path": user}); err != nil {
		t.Fatal(err)
	}
	if got := w.refuse("history/undo", Call{}, params{"id": w.historyList()[0].ID}); got.Code != CodeInvalid || !strings.Contains(got.Error, "deleted for good") {
		t.Errorf("got %+v, want why it cannot be", got)
	}
	if got := w.refuse("history/show", Call{}, params{"id": "none"}); got.Code != CodeUnknown {
		t.Errorf("got %+v, want %s", got, CodeUnknown)
	}
}
