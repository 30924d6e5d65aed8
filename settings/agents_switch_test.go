package settings

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"zcode-acp/lockfile"
)

const stateOff = `{"builtInModelSelectionOverrides":{},"pluginAgentModelSelectionOverrides":{},"disabledAgentIds":[%s]}`

// worldOff has the agents of the cases, and a state file that lists ids.
func worldOff(t *testing.T, ids ...string) *world {
	w := worldOfAgents(t)
	var quoted []string
	for _, id := range ids {
		quoted = append(quoted, key(id))
	}
	w.put(stateFile, fmt.Sprintf(stateOff, strings.Join(quoted, ",")))
	return w
}

// blockLock makes the lock of a file one that nobody can take: the error comes
// at once.
func (w *world) blockLock(file string) (unblock func()) {
	w.t.Helper()
	lock := w.path(file) + ".lock"
	if err := os.Symlink("nowhere", lock); err != nil {
		w.t.Fatal(err)
	}
	return func() {
		if err := os.Remove(lock); err != nil {
			w.t.Error(err)
		}
	}
}

// unlocked fails when a lock was left beside a file of ZCode's.
func (w *world) unlocked(files ...string) {
	w.t.Helper()
	for _, file := range files {
		if state, err := lockfile.Inspect(w.path(file)); err != nil || state.Status != lockfile.Free {
			w.t.Errorf("the lock of %s: got %+v %v, want it free", file, state, err)
		}
	}
}

// The dry run of a change must foretell its etag and leave nothing.
func (w *world) foretells(op string, in params) *Written {
	w.t.Helper()
	before := w.below(filepath.Dir(w.dir))
	preview := w.write(op, Call{DryRun: true}, in)
	after := w.below(filepath.Dir(w.dir))
	if len(before) != len(after) {
		w.t.Errorf("%s: the dry run left files: %d before, %d after", op, len(before), len(after))
	}
	for path, was := range before {
		if after[path] != was {
			w.t.Errorf("%s: the dry run changed %s", op, path)
		}
	}
	got := w.write(op, Call{IfMatch: w.tag("agents/")}, in)
	if now := w.tag("agents/"); preview.ETag != now || got.ETag != now {
		w.t.Errorf("%s: got etag %s, the dry run said %s, the listing has %s", op, got.ETag, preview.ETag, now)
	}
	if len(preview.Changes) == 0 {
		w.t.Errorf("%s: the dry run told no change", op)
	}
	w.unlocked(stateFile)
	return preview
}

func TestRenameMovesTheSwitch(t *testing.T) {
	tests := []struct {
		title       string
		listed      []string
		want        []string
		changes     int // that the dry run tells
		on          bool
		alsoHasSame string // an agent that shares the switch of Foo
	}{
		{"an agent that is on and a new name that nobody has turned off", nil, nil, 1, true, ""},
		{"an agent that is off", []string{"user:user:foo"}, []string{"user:user:bar"}, 2, false, ""},
		{"a new name that is still listed as turned off", []string{"user:user:bar"}, nil, 2, true, ""},
		{"both names are listed", []string{"user:user:bar", "user:user:foo"}, []string{"user:user:bar"}, 2, false, ""},
		{"another agent has the same switch and stays off", []string{"user:user:foo"}, []string{"user:user:bar", "user:user:foo"}, 2, false, "fOO"},
	}
	for _, tt := range tests {
		t.Run(tt.title, func(t *testing.T) {
			w := worldOff(t, tt.listed...)
			if tt.alsoHasSame != "" {
				w.put("agents/other.md", "---\nname: "+tt.alsoHasSame+"\ndescription: x\n---\n")
			}
			preview := w.foretells("agents/rename", params{"name": "Foo", "newName": "Bar"})
			if len(preview.Changes) < tt.changes {
				t.Errorf("got changes %+v, want at least %d", preview.Changes, tt.changes)
			}
			if a := w.agent("Bar"); a.Enabled != tt.on {
				t.Errorf("got %+v, want enabled %t", a, tt.on)
			}
			var state struct{ DisabledAgentIDs []string }
			if err := json.Unmarshal([]byte(w.get(stateFile)), &state); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(state.DisabledAgentIDs, tt.want) {
				t.Errorf("got %q, want %q", state.DisabledAgentIDs, tt.want)
			}
			if tt.alsoHasSame != "" && w.agent(tt.alsoHasSame).Enabled {
				t.Errorf("%s was turned on by the rename of another agent", tt.alsoHasSame)
			}
		})
	}
}

// A name that cannot be is refused before the switch is touched.
func TestRenameToABadNameTouchesNoSwitch(t *testing.T) {
	w := worldOff(t, "user:user:foo")
	for _, name := range append([]string{"Explore", "reviewer", "REVIEWER", "nul", "x.."}, badNames...) {
		w.refuse("agents/rename", Call{}, params{"name": "Foo", "newName": name})
	}
}

// A change of two files of which one cannot be written either does nothing, or
// says what it did.
func TestSecondStepOfAgents(t *testing.T) {
	t.Run("the state file cannot be written: nothing is renamed", func(t *testing.T) {
		w := worldOff(t, "user:user:foo")
		unblock := w.blockLock(stateFile)
		before := w.get("agents/Bar.markdown")
		_, err := w.run("agents/rename", Call{}, params{"name": "Foo", "newName": "Bar"})
		if CodeOf(err) != CodeLockInvalid {
			t.Errorf("got %v, want %s", err, CodeLockInvalid)
		}
		same(t, "the file", w.get("agents/Bar.markdown"), before)
		unblock()
		w.unlocked(stateFile, "agents/Bar.markdown")
		w.write("agents/rename", Call{}, params{"name": "Foo", "newName": "Bar"})
	})
	t.Run("the agent file cannot be written: no switch is touched", func(t *testing.T) {
		w := worldOff(t, "user:user:foo")
		defer w.blockLock("agents/Bar.markdown")()
		state := w.get(stateFile)
		_, err := w.run("agents/rename", Call{}, params{"name": "Foo", "newName": "Bar"})
		if CodeOf(err) != CodeLockInvalid {
			t.Errorf("got %v, want %s", err, CodeLockInvalid)
		}
		same(t, "the state", w.get(stateFile), state)
	})
	t.Run("the switch outlives a deleted agent: the answer says so, and a repeated call ends it", func(t *testing.T) {
		w := worldOff(t, "user:user:foo")
		unblock := w.blockLock(stateFile)
		got := w.write("agents/delete", Call{}, params{"name": "Foo"})
		hasOnly(t, "warnings", got.Warnings, "still listed as turned off")
		if got.ETag != w.tag("agents/") || got.Backup == "" || !got.Changed {
			t.Errorf("got %+v, want a change with the etag %s", got, w.tag("agents/"))
		}
		unblock()
		w.write("agents/delete", Call{}, params{"name": "Foo"})
		same(t, "the state", w.get(stateFile), fmt.Sprintf(stateOff, ""))
	})
	t.Run("a new agent is told to be off when its old switch cannot go", func(t *testing.T) {
		w := worldOff(t, "user:user:again")
		defer w.blockLock(stateFile)()
		answer, err := w.run("agents/upsert", Call{}, params{"name": "again", "description": "x"})
		if err != nil {
			t.Fatal(err)
		}
		got := answer.(*AgentWritten)
		if got.Agent.Enabled || got.ETag != w.tag("agents/") || !strings.Contains(strings.Join(got.Warnings, "\n"), "still listed as turned off") {
			t.Errorf("got %+v of %+v, want it off, and a warning", got, got.Agent)
		}
	})
	t.Run("a renamed agent is told to be off when the new name's old switch cannot go", func(t *testing.T) {
		w := worldOff(t, "user:user:bar")
		defer w.blockLock(stateFile)()
		answer, err := w.run("agents/rename", Call{}, params{"name": "Foo", "newName": "Bar"})
		if err != nil {
			t.Fatal(err)
		}
		got := answer.(*AgentWritten)
		if got.Agent.Enabled || got.ETag != w.tag("agents/") || !strings.Contains(strings.Join(got.Warnings, "\n"), "still listed as turned off") {
			t.Errorf("got %+v of %+v, want it off, and a warning", got, got.Agent)
		}
	})
}

// A name with spaces around it is the same agent.
func TestAgentNameWithSpaces(t *testing.T) {
	w := worldOff(t)
	got := w.write("agents/enable", Call{}, params{"name": " Foo ", "enable": false})
	hasOnly(t, "warnings", got.Warnings)
	w.write("agents/delete", Call{}, params{"name": "Foo "})
	same(t, "the state", w.get(stateFile), fmt.Sprintf(stateOff, ""))
}

// With repair, a broken state file is mended and the change made; without, and in
// a dry run, nothing happens.
func TestRepairOfTheStateOfAgents(t *testing.T) {
	for op, in := range map[string]params{
		"agents/enable": {"name": "Foo", "enable": false},
		"agents/upsert": {"name": "Foo", "color": "red"},
		"agents/rename": {"name": "Foo", "newName": "Bar"},
		"agents/delete": {"name": "Foo"},
	} {
		for _, text := range []string{"{", "[]", `{"disabledAgentIds":["user:user:foo"], // mine` + "\n}"} {
			t.Run(op+" "+text, func(t *testing.T) {
				w := worldOfAgents(t)
				w.put(stateFile, text)
				if got := w.refuse(op, Call{}, in); got.Code != CodeBroken {
					t.Errorf("got %+v, want %s", got, CodeBroken)
				}
				before := w.files()
				preview := w.write(op, Call{Repair: true, DryRun: true}, in)
				w.unchanged(before)
				got := w.write(op, Call{Repair: true}, in)
				if now := w.tag("agents/"); got.ETag != now || preview.ETag != now {
					t.Errorf("got %+v, dry run %+v, want the etag %s", got, preview, now)
				}
				if !strings.Contains(strings.Join(got.Also, "\n"), "kept as the backup") {
					t.Errorf("got also %q, want the repair told", got.Also)
				}
				if backups := answerOf[*BackupsList](w, "backups/list").Backups["agentsState"]; len(backups) == 0 {
					t.Error("got no backup, want that of the broken file")
				} else if kept, err := os.ReadFile(backups[len(backups)-1].Path); err != nil || string(kept) != text {
					t.Errorf("got %q %v, want the broken file", kept, err)
				}
			})
		}
	}
	t.Run("an error repairs nothing", func(t *testing.T) {
		w := worldOfAgents(t)
		w.put(stateFile, "{")
		w.refuse("agents/upsert", Call{Repair: true}, params{"name": "Foo", "color": "black"})
		w.refuse("agents/delete", Call{Repair: true}, params{"name": "nobody"})
		w.refuse("agents/rename", Call{Repair: true}, params{"name": "Foo", "newName": "../x"})
	})
}

// A file that is half written by another program is neither missed nor made a
// second time.
func TestAgentFileBeingWritten(t *testing.T) {
	const half, rest = "---\nname: Foo\n", "description: whole again\n---\nprompt\n"
	fresh := func(t *testing.T) *world {
		w := worldOfAgents(t)
		w.put("agents/Bar.markdown", half)
		if err := os.Chtimes(w.path("agents/Bar.markdown"), time.Time{}, time.Now()); err != nil {
			t.Fatal(err)
		}
		return w
	}
	t.Run("it is waited for", func(t *testing.T) {
		w := fresh(t)
		written := make(chan error, 1)
		go func() {
			time.Sleep(100 * time.Millisecond)
			f, err := os.OpenFile(w.path("agents/Bar.markdown"), os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, err = f.WriteString(rest)
				f.Close()
			}
			written <- err
		}()
		w.write("agents/upsert", Call{}, params{"name": "Foo", "description": "mine"})
		if err := <-written; err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(w.path("agents/foo.md")); !os.IsNotExist(err) {
			t.Error("a second file of the agent was made")
		}
		if text := w.get("agents/Bar.markdown"); !strings.Contains(text, "mine") || !strings.Contains(text, "prompt") {
			t.Errorf("got %q, want both changes", text)
		}
	})
	t.Run("it is not made a second time when it stays so", func(t *testing.T) {
		w := fresh(t)
		end := beside(t, func(stop <-chan struct{}) error {
			for {
				select {
				case <-stop:
					return nil
				case <-time.After(20 * time.Millisecond):
					if err := os.Chtimes(w.path("agents/Bar.markdown"), time.Time{}, time.Now()); err != nil {
						return err
					}
				}
			}
		})
		_, err := w.run("agents/upsert", Call{}, params{"name": "Foo", "description": "mine"})
		end()
		if CodeOf(err) != CodeBusy {
			t.Errorf("got %v, want %s", err, CodeBusy)
		}
	})
}

// An agent file that is rewritten in place all the time keeps what its writer
// says, and what we said.
func TestAgentFileWithARival(t *testing.T) {
	w := worldOfAgents(t)
	path := w.path("agents/nested/deep.md")
	n := 0
	end := beside(t, func(stop <-chan struct{}) error {
		for ; n < 40; n++ {
			select {
			case <-stop:
				return nil
			case <-time.After(2 * time.Millisecond):
			}
			text := fmt.Sprintf("---\nname: nested-one\ndescription: number %d\n---\nbody\n", n)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				return err
			}
		}
		return nil
	})
	for range 5 {
		if _, err := w.run("agents/upsert", Call{}, params{"name": "nested-one", "color": "pink"}); err != nil && CodeOf(err) != CodeBusy {
			t.Error(err)
		}
	}
	end()
	w.write("agents/upsert", Call{}, params{"name": "nested-one", "color": "pink"})
	if text := w.get("agents/nested/deep.md"); !strings.Contains(text, "color: pink") || !strings.Contains(text, "description: number ") {
		t.Errorf("got %q, want both", text)
	}
	w.unlocked("agents/nested/deep.md")
}

// A cancelled call changes nothing.
func TestCancelledAgentOperations(t *testing.T) {
	w := worldOff(t, "user:user:foo")
	for op, in := range map[string]params{
		"agents/enable": {"name": "Foo", "enable": true},
		"agents/upsert": {"name": "Foo", "color": "red"},
		"agents/rename": {"name": "Foo", "newName": "Bar"},
		"agents/delete": {"name": "Foo"},
	} {
		before := w.files()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		operation, _ := w.catalog.Lookup(op)
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := operation.Run(ctx, Call{}, text); CodeOf(err) != CodeCancelled {
			t.Errorf("%s: got %v, want %s", op, err, CodeCancelled)
		}
		w.unchanged(before)
		w.unlocked(stateFile, "agents/Bar.markdown")
	}
}
