package settings

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// waitFor looks until something of that pattern is there.
func waitFor(pattern string) error {
	for end := time.Now().Add(10 * time.Second); ; {
		if found, err := filepath.Glob(pattern); err != nil || len(found) > 0 {
			return err
		}
		if time.Now().After(end) {
			return errors.New(pattern + " never came")
		}
		time.Sleep(time.Millisecond)
	}
}

// renameHeld begins a rename that waits for the lock of the state file, with the
// lock of the agent's own file taken and nothing written.
func renameHeld(ctx context.Context, t *testing.T) (w *world, lock string, release func(), result chan error) {
	w = worldOff(t, "user:user:foo")
	held := w.path(stateFile) + ".lock"
	w.put(stateFile+".lock/owner-1.json", fmt.Sprintf(`{"pid":%d,"createdAt":1,"token":"1"}`, os.Getppid()))
	lock = w.path("agents/Bar.markdown") + ".lock"
	result = make(chan error, 1)
	operation, _ := w.catalog.Lookup("agents/rename")
	go func() {
		_, err := operation.Run(ctx, Call{}, []byte(`{"name":"Foo","newName":"Bar"}`))
		result <- err
	}()
	if err := waitFor(w.path("agents/*Bar.markdown*.tmp")); err != nil {
		t.Fatal(err)
	}
	return w, lock, func() {
		if err := os.RemoveAll(held); err != nil {
			t.Error(err)
		}
	}, result
}

// The caller goes while the second of two files is waited for: neither changed.
func TestRenameCancelledInBetween(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w, _, release, result := renameHeld(ctx, t)
	agent, state := w.get("agents/Bar.markdown"), w.get(stateFile)
	cancel()
	if err := <-result; CodeOf(err) != CodeCancelled {
		t.Errorf("got %v, want %s", err, CodeCancelled)
	}
	release()
	same(t, "the agent", w.get("agents/Bar.markdown"), agent)
	same(t, "the state", w.get(stateFile), state)
	w.unlocked(stateFile, "agents/Bar.markdown")
}

// The lock of the agent's file is lost after the switch was written: the switch
// goes back.
func TestRenameUndoesTheSwitch(t *testing.T) {
	w, lock, release, result := renameHeld(t.Context(), t)
	agent, state := w.get("agents/Bar.markdown"), w.get(stateFile)
	if err := os.RemoveAll(lock); err != nil {
		t.Fatal(err)
	}
	release()
	if err := <-result; CodeOf(err) != CodeLockLost {
		t.Errorf("got %v, want %s", err, CodeLockLost)
	}
	same(t, "the agent", w.get("agents/Bar.markdown"), agent)
	same(t, "the state", w.get(stateFile), state)
	if _, err := os.Lstat(lock); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want no lock", err)
	}
}
