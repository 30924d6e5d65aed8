package wake

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWait(t *testing.T) {
	tests := []struct {
		name string
		do   func(path string) error
		want bool // the wait ends early
	}{
		{"removed", os.Remove, true},
		{"renamed", func(path string) error { return os.Rename(path, path+".old") }, true},
		{"changed", func(path string) error { return os.WriteFile(filepath.Join(path, "x"), nil, 0o600) }, false},
		{"another removed", func(path string) error { return os.Remove(path + ".other") }, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lock")
			for _, dir := range []string{path, path + ".other"} {
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			w, err := New(path)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			// Done before Wait: it must not be missed.
			if err := test.do(path); err != nil {
				t.Fatal(err)
			}
			atMost := 200 * time.Millisecond
			if test.want {
				atMost = time.Minute
			}
			start := time.Now()
			if err := w.Wait(context.Background(), atMost); err != nil {
				t.Fatal(err)
			}
			if early := time.Since(start) < atMost; early != test.want {
				t.Errorf("waited %s of %s, want early %v", time.Since(start), atMost, test.want)
			}
		})
	}
}

func TestWaitEndsWithContext(t *testing.T) {
	w, err := New(filepath.Join(t.TempDir(), "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, watch := range []*Watch{w, nil} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		if err := watch.Wait(ctx, time.Minute); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Wait: %v, want DeadlineExceeded", err)
		}
	}
}

func TestNilWatch(t *testing.T) {
	var w *Watch
	start := time.Now()
	if err := w.Wait(context.Background(), 20*time.Millisecond); err != nil || time.Since(start) < 20*time.Millisecond {
		t.Errorf("Wait: %v after %s, want 20 ms", err, time.Since(start))
	}
	if err := w.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

func TestMissingFolder(t *testing.T) {
	if w, err := New(filepath.Join(t.TempDir(), "a", "lock")); err == nil {
		w.Close()
		t.Error("a missing folder can be watched")
	}
}
