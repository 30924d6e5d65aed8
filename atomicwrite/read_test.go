//go:build unix

package atomicwrite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/atomicwrite"
)

func TestRead(t *testing.T) {
	dir := tree(t)
	path := filepath.Join(dir, "real.json")
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	if err := errors.Join(os.Chmod(path, 0o640), os.Chtimes(path, when, when), os.Symlink("real.json", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]atomicwrite.Snapshot{
		"real.json":      {Real: path, Exists: true, Content: []byte("old"), Mode: 0o640, ModTime: when},
		"link":           {Real: path, Exists: true, Content: []byte("old"), Mode: 0o640, ModTime: when},
		"none.json":      {Real: filepath.Join(dir, "none.json")},
		"none/none.json": {Real: filepath.Join(dir, "none/none.json")},
	} {
		got, err := atomicwrite.Writer{}.Read(t.Context(), filepath.Join(dir, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestTornRead lets another program finish its write in place at the n-th look.
func TestTornRead(t *testing.T) {
	for _, c := range []struct {
		name    string
		valid   func([]byte) bool
		age     time.Duration
		whole   int // the look before which the other program is done
		want    string
		looks   int
		atLeast time.Duration
	}{
		{"whole at once", whole, 0, 0, `{"a":1}`, 1, 0},
		{"whole at the third look", whole, 0, 3, `{"a":1}`, 3, 40 * time.Millisecond},
		{"never whole", whole, 0, 1000, `{"a`, 0, 500 * time.Millisecond},
		{"never whole, old", whole, 2 * time.Second, 1000, `{"a`, 1, 0},
		{"never whole, from the future", whole, -time.Hour, 1000, `{"a`, 1, 0},
		{"everything is valid", nil, 0, 1000, `{"a`, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.json")
			write(t, path, `{"a`)
			if c.age != 0 {
				when := time.Now().Add(-c.age)
				if err := os.Chtimes(path, when, when); err != nil {
					t.Fatal(err)
				}
			}
			looks := 0
			w := atomicwrite.Writer{Fault: func(op, _ string) error {
				if op == "open" {
					if looks++; looks >= c.whole && c.whole < 1000 {
						return os.WriteFile(path, []byte(`{"a":1}`), 0o600)
					}
				}
				return nil
			}}
			start := time.Now()
			got, err := w.Read(t.Context(), path, c.valid, 0)
			if err != nil || string(got.Content) != c.want {
				t.Errorf("Read = %q, %v; want %q", got.Content, err, c.want)
			}
			if took := time.Since(start); took < c.atLeast || took > c.atLeast+10*time.Second {
				t.Errorf("took %v, want at least %v", took, c.atLeast)
			}
			if c.looks != 0 && looks != c.looks {
				t.Errorf("%d looks, want %d", looks, c.looks)
			}
			if looks > 27 {
				t.Errorf("%d looks, want at most one in 20 ms", looks)
			}
		})
	}
}

func TestTornReadEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, `{"a`)
	ctx, cancel := context.WithCancel(t.Context())
	w := atomicwrite.Writer{Fault: func(op, _ string) error {
		if op == "read" {
			cancel()
		}
		return nil
	}}
	if _, err := w.Read(ctx, path, whole, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("Read: error %v, want %v", err, context.Canceled)
	}
	_, err := w.Update(ctx, atomicwrite.Request{Path: path, Valid: whole, Edit: constant("new")})
	if !errors.Is(err, context.Canceled) || read(t, path) != `{"a` {
		t.Errorf("Update: error %v, want %v and the file unchanged", err, context.Canceled)
	}
}

// TestReadNoticesAChangeWhileReading changes the file between the two looks at its size and time. Both versions are
// valid, so only those looks can tell.
func TestReadNoticesAChangeWhileReading(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "11")
	changed := false
	w := atomicwrite.Writer{Fault: func(op, _ string) error {
		if op == "read" && !changed {
			changed = true
			return os.WriteFile(path, []byte("2222"), 0o600)
		}
		return nil
	}}
	if got, err := w.Read(t.Context(), path, whole, 0); err != nil || string(got.Content) != "2222" {
		t.Errorf("Read = %q, %v; want 2222", got.Content, err)
	}
}

// TestReadNeverWaitsForAFIFO lets a FIFO take the file's place after the path was resolved.
func TestReadNeverWaitsForAFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	w := atomicwrite.Writer{Fault: func(op, _ string) error {
		if op != "open" {
			return nil
		}
		return errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600))
	}}
	done := make(chan error, 1)
	go func() {
		_, err := w.Read(t.Context(), path, nil, 0)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, atomicwrite.ErrIrregular) {
			t.Errorf("error %v, want %v", err, atomicwrite.ErrIrregular)
		}
	case <-time.After(20 * time.Second):
		release, err := os.OpenFile(path, os.O_RDWR, 0) // lets the reader go
		if err == nil {
			release.Close()
		}
		t.Fatal("Read waits for a writer of the FIFO")
	}
}

// TestReadFollowsNoLateLink lets a link take the file's place after the path was resolved.
func TestReadFollowsNoLateLink(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	write(t, path+".secret", "secret")
	w := atomicwrite.Writer{Fault: func(op, _ string) error {
		if op != "open" {
			return nil
		}
		return errors.Join(os.Remove(path), os.Symlink(path+".secret", path))
	}}
	if got, err := w.Read(t.Context(), path, nil, 0); err == nil {
		t.Errorf("Read = %q, want an error", got.Content)
	}
}
