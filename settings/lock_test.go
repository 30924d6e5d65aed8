package settings

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"zcode-acp/settings/jsonedit"
)

// hold makes ZCode's lock of cli/config.json, as a process would.
func (w *world) hold(pid int, since time.Time) (lock string) {
	w.t.Helper()
	lock = w.path(cliFile) + ".lock"
	owner := fmt.Sprintf(`{"pid":%d,"createdAt":%d,"token":"t"}`+"\n", pid, since.UnixMilli())
	if err := os.MkdirAll(lock, 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(lock, "owner-t.json"), []byte(owner), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return lock
}

var addServer = params{"name": "x", "command": "y"}

func TestLockIsRespected(t *testing.T) {
	t.Run("B044 held by a live process: lock_timeout names it", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, "{}")
		since := time.UnixMilli(time.Now().UnixMilli())
		w.hold(os.Getppid(), since)
		w.engine.locker.MaxWait = 50 * time.Millisecond
		got := w.refuse("mcp/upsert", Call{}, addServer)
		if got.Code != CodeLockTimeout || got.Holder == nil || got.Holder.PID != os.Getppid() || !got.Holder.Since.Equal(since) {
			t.Errorf("got %+v with holder %+v, want %s by %d since %v", got, got.Holder, CodeLockTimeout, os.Getppid(), since)
		}
		w.write("mcp/upsert", Call{DryRun: true}, addServer) // needs no lock
	})
	t.Run("B044 held by a live process: a context ends the wait", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, "{}")
		w.hold(os.Getppid(), time.Now())
		before := w.files()
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		operation, _ := w.catalog.Lookup("mcp/upsert")
		_, err := operation.Run(ctx, Call{}, []byte(`{"name":"x","command":"y"}`))
		if got := Describe(err); got.Code != CodeCancelled || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %+v, want %s", got, CodeCancelled)
		}
		w.unchanged(before)
	})
	t.Run("B044 released: the waiter writes", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, "{}")
		lock := w.hold(os.Getppid(), time.Now())
		var released atomic.Bool
		timer := time.AfterFunc(100*time.Millisecond, func() {
			released.Store(true)
			_ = os.RemoveAll(lock)
		})
		defer timer.Stop()
		w.write("mcp/upsert", Call{}, addServer)
		if !released.Load() {
			t.Error("the write did not wait for the lock")
		}
	})
	t.Run("B044 left by a dead process: reclaimed", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, "{}")
		lock := w.hold(1<<31-2, time.Now())
		w.write("mcp/upsert", Call{}, addServer)
		if _, err := os.Lstat(lock); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the lock is still there: %v", err)
		}
	})
}

// TestWriteIsLocked looks at the disk while an edit runs.
func TestWriteIsLocked(t *testing.T) {
	t.Run("B044+B046 the file is read and written under ZCode's lock", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, `{"unknown": 1.0}`)
		lock := w.path(cliFile) + ".lock"
		_, err := w.engine.change(t.Context(), Call{}, edit{
			document: cliConfig, section: "mcp", effect: NeedsRestart,
			apply: func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
				owners, err := filepath.Glob(filepath.Join(lock, "owner-*.json"))
				if err != nil || len(owners) != 1 {
					return nil, nil, fmt.Errorf("got owners %q, want one: %w", owners, err)
				}
				owner, err := os.ReadFile(owners[0])
				if err != nil || !strings.HasPrefix(string(owner), fmt.Sprintf(`{"pid":%d,"createdAt":`, os.Getpid())) {
					return nil, nil, fmt.Errorf("got owner %q: %w", owner, err)
				}
				next, err := d.Set(jsonedit.Path{"mcp"}, []byte("{}"))
				return next, nil, err
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "the file", w.get(cliFile), `{"unknown": 1.0, "mcp": {}}`)
		if _, err := os.Lstat(lock); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the lock is still there: %v", err)
		}
	})
	t.Run("B044 a lock that was taken away stops the write", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, "{}")
		before := w.files()
		_, err := w.engine.change(t.Context(), Call{}, edit{
			document: cliConfig, section: "mcp", effect: NeedsRestart,
			apply: func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
				if err := os.RemoveAll(w.path(cliFile) + ".lock"); err != nil {
					return nil, nil, err
				}
				next, err := d.Set(jsonedit.Path{"mcp"}, []byte("{}"))
				return next, nil, err
			},
		})
		if CodeOf(err) != CodeLockLost {
			t.Errorf("got %v, want %s", err, CodeLockLost)
		}
		w.unchanged(before)
	})
}

// TestWriteIsChecked: what an edit would break is refused whatever its own
// checks say.
func TestWriteIsChecked(t *testing.T) {
	tests := []struct {
		name     string
		document *document
		file     string
		text     string
		path     jsonedit.Path
		value    string
	}{
		{"cli/config.json", cliConfig, cliFile, "{}", jsonedit.Path{"hooks"}, `{"events": {"New": []}}`},
		{"provider_config.json", providerConfig, providerFile, sample(t, "provider/canonical.json"), jsonedit.Path{"config", "timeout"}, "1"},
	}
	for _, tt := range tests {
		t.Run("B047 self-validates "+tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.put(tt.file, tt.text)
			for _, dry := range []bool{false, true} {
				before := w.files()
				_, err := w.engine.change(t.Context(), Call{DryRun: dry}, edit{
					document: tt.document, section: "file",
					apply: func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
						next, err := d.Set(tt.path, []byte(tt.value))
						return next, nil, err
					},
				})
				if CodeOf(err) != CodeInvalid || !strings.Contains(err.Error(), "would make ZCode ignore") {
					t.Errorf("got %v, want %s", err, CodeInvalid)
				}
				w.unchanged(before)
			}
		})
	}
}

func TestWriteReplacesTheFile(t *testing.T) {
	t.Run("B047 backup, new file, no temporary file left", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, `{"old": true}`)
		reader, err := os.Open(w.path(cliFile))
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		old, err := reader.Stat()
		if err != nil {
			t.Fatal(err)
		}
		got := w.write("mcp/upsert", Call{}, addServer)
		content := make([]byte, 100)
		if n, err := reader.ReadAt(content, 0); string(content[:n]) != `{"old": true}` {
			t.Errorf("a reader of the old file: got %q, %v", content[:n], err)
		}
		now, err := os.Stat(w.path(cliFile))
		if err != nil || os.SameFile(old, now) {
			t.Errorf("%v: the file was written in place", err)
		}
		backup, err := os.Stat(got.Backup)
		if err != nil || !os.SameFile(old, backup) {
			t.Errorf("%v: the backup is not the file that was displaced", err)
		}
		if files := w.files(); len(files) != 2 {
			t.Errorf("got %d files, want the file and its backup", len(files))
		}
	})
}
