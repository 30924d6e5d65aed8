//go:build unix

package history

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestPrivate: nobody else may ever read the file, whatever the umask and however it came to be.
func TestPrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	s := Store{Dir: t.TempDir(), Max: 2, Now: clock()}
	s.fault = func(string) error { return private(s.Dir) }
	add(t, s, "a", "b", "c", "d") // with a copy
	put(t, s, "garbage\n"+content(t, s))
	check(t, s, "c", "d") // with a repair
	if _, err := s.Purge(ctx, time.Time{}); err != nil {
		t.Error(err)
	}
	if err := private(s.Dir); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(s.path(fileName), 0o644); err != nil {
		t.Fatal(err)
	}
	s.fault = nil
	add(t, s, "e")
	if err := private(s.Dir); err != nil {
		t.Errorf("opened up by someone: %v", err)
	}
}

func private(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return err
		}
		if info.Mode() != 0o600 {
			return errors.New(e.Name() + " has the mode " + info.Mode().String())
		}
	}
	return nil
}

func TestIrregular(t *testing.T) {
	kinds := map[string]func(path, elsewhere string) error{
		"link":          func(path, elsewhere string) error { return os.Symlink(elsewhere, path) },
		"dangling link": func(path, elsewhere string) error { return os.Symlink(elsewhere+"-none", path) },
		"folder":        func(path, _ string) error { return os.Mkdir(path, 0o700) },
		"FIFO":          func(path, _ string) error { return syscall.Mkfifo(path, 0o600) },
	}
	for kind, put := range kinds {
		t.Run(kind, func(t *testing.T) {
			s := Store{Dir: t.TempDir()}
			elsewhere := filepath.Join(t.TempDir(), "elsewhere")
			if err := os.WriteFile(elsewhere, []byte("of another\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := put(s.path(fileName), elsewhere); err != nil {
				t.Fatal(err)
			}
			_, err := s.Append(ctx, Entry{})
			_, listed := s.List(ctx)
			_, got := s.Get(ctx, "x")
			_, purged := s.Purge(ctx, time.Time{})
			for _, err := range []error{err, listed, got, purged} {
				if !errors.Is(err, ErrIrregular) {
					t.Errorf("%v, want ErrIrregular", err)
				}
			}
			if data, err := os.ReadFile(elsewhere); string(data) != "of another\n" || err != nil {
				t.Errorf("the other file is now %q, %v", data, err)
			}
			if _, err := os.Lstat(elsewhere + "-none"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a file was made behind the link: %v", err)
			}
			if s.Damaged() != nil {
				t.Errorf("kept aside: %q", s.Damaged())
			}
		})
	}
}

// TestLinkAtTheLastMoment has the link come after the look at what is there.
func TestLinkAtTheLastMoment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("elsewhere", path); err != nil {
		t.Fatal(err)
	}
	if f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|openFlags, 0o600); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("opened %v: %v, want ELOOP", f, err)
	}
}

// TestReadOnlyFolder: what cannot be repaired can still be read.
func TestReadOnlyFolder(t *testing.T) {
	s := Store{Dir: t.TempDir(), Now: clock()}
	damaged(t, s)
	s.fault = func(string) error { return syscall.EROFS }
	check(t, s, "a")
	if err := appendNew(s); !errors.Is(err, syscall.EROFS) {
		t.Errorf("Append: %v, want EROFS", err)
	}
	s.fault = nil
	if s.Damaged() != nil {
		t.Errorf("kept aside: %q", s.Damaged())
	}
	check(t, s, "a")
	if len(s.Damaged()) != 1 {
		t.Errorf("kept aside: %q, want one", s.Damaged())
	}
}
