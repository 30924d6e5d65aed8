//go:build unix

package home

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func (w *world) state() Layout {
	w.t.Helper()
	w.env["HOME"] = w.path("u")
	w.env["ZCODE_ACP_STATE_DIR"] = w.path("a/b/state")
	return w.resolve()
}

func TestResolveCreatesNothing(t *testing.T) {
	w := newWorld(t)
	l := w.state()
	l.BuiltinProviderTables()
	entries, err := os.ReadDir(w.dir)
	if err != nil || len(entries) != 0 {
		t.Errorf("the disk holds %v (%v), want nothing", entries, err)
	}
}

func TestEnsureStateDir(t *testing.T) {
	w := newWorld(t)
	l := w.state()
	for _, when := range []string{"first", "again"} {
		if err := EnsureStateDir(l); err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		for _, dir := range []string{l.StateRoot(), l.StateDir()} {
			info, err := os.Lstat(dir)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := info.Mode(), fs.ModeDir|0o700; got != want {
				t.Errorf("%s: mode of %s is %v, want %v", when, dir, got, want)
			}
		}
	}
}

func TestEnsureStateDirTakesAReadableFolder(t *testing.T) {
	w := newWorld(t)
	l := w.state()
	if err := os.MkdirAll(l.StateRoot(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(l.StateRoot(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := EnsureStateDir(l); err != nil {
		t.Error(err)
	}
}

func TestEnsureStateDirRefuses(t *testing.T) {
	levels := map[string]func(Layout) string{"state root": Layout.StateRoot, "folder of the home": Layout.StateDir}
	for level, at := range levels {
		for _, tt := range []struct {
			name string
			make func(w *world, dir string) error
			says string
		}{
			{"link", func(w *world, dir string) error {
				if err := os.Mkdir(w.path("elsewhere"), 0o700); err != nil {
					return err
				}
				return os.Symlink(w.path("elsewhere"), dir)
			}, "symbolic link"},
			{"dangling link", func(w *world, dir string) error { return os.Symlink(w.path("nowhere"), dir) }, "symbolic link"},
			{"file", func(_ *world, dir string) error { return os.WriteFile(dir, nil, 0o600) }, "not a folder"},
			{"group may write", func(_ *world, dir string) error { return mkdirMode(dir, 0o770) }, "chmod 700"},
			{"all may write", func(_ *world, dir string) error { return mkdirMode(dir, 0o702) }, "chmod 700"},
		} {
			t.Run(level+"/"+tt.name, func(t *testing.T) {
				w := newWorld(t)
				l := w.state()
				dir := at(l)
				if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := tt.make(w, dir); err != nil {
					t.Fatal(err)
				}
				err := EnsureStateDir(l)
				if !errors.Is(err, ErrUnsafeState) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), dir) {
					t.Errorf("EnsureStateDir: %v, want ErrUnsafeState naming %s and %q", err, dir, tt.says)
				}
				if entries, _ := os.ReadDir(w.path("elsewhere")); len(entries) != 0 {
					t.Errorf("%v was made behind the link", entries)
				}
			})
		}
	}
}

func TestEnsureStateDirOfAnotherUser(t *testing.T) {
	l := newWorld(t).state()
	if err := EnsureStateDir(l); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(l.StateRoot())
	if err != nil {
		t.Fatal(err)
	}
	info.Sys().(*syscall.Stat_t).Uid++ // as if another user had made it
	err = checkOwner(l.StateRoot(), info)
	if !errors.Is(err, ErrUnsafeState) || !strings.Contains(err.Error(), "another user") {
		t.Errorf("checkOwner: %v, want ErrUnsafeState naming another user", err)
	}
	if os.Geteuid() != 0 {
		return // only root can give a folder away and so see the whole way
	}
	if err := os.Chown(l.StateDir(), 12345, -1); err != nil {
		t.Fatal(err)
	}
	if err := EnsureStateDir(l); !errors.Is(err, ErrUnsafeState) {
		t.Errorf("EnsureStateDir: %v, want ErrUnsafeState", err)
	}
}

func TestEnsureStateDirOfNoLayout(t *testing.T) {
	if err := EnsureStateDir(Layout{}); !errors.Is(err, ErrNoHome) {
		t.Errorf("EnsureStateDir: %v, want ErrNoHome", err)
	}
}

func mkdirMode(dir string, mode fs.FileMode) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return os.Chmod(dir, mode)
}
