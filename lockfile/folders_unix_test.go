//go:build unix

package lockfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
)

// onSync calls do in place of each sync of a folder.
func onSync(t *testing.T, do func(dir string) error) {
	t.Helper()
	real := fsync
	fsync = func(f *os.File) error { return do(f.Name()) }
	t.Cleanup(func() { fsync = real })
}

func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func mustBeEmpty(t *testing.T, dir string) {
	t.Helper()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v; want nothing", entries, err)
	}
}

func TestNewFoldersAreSynced(t *testing.T) {
	dir := realDir(t)
	var synced []string
	onSync(t, func(dir string) error { synced = append(synced, dir); return nil })
	lease, err := Locker{}.Acquire(context.Background(), filepath.Join(dir, "a", "b", "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{dir, filepath.Join(dir, "a")}; !slices.Equal(synced, want) {
		t.Errorf("synced %q, want %q", synced, want)
	}
	if err := lease.Release(); err != nil {
		t.Error(err)
	}
}

func TestFolderSyncFails(t *testing.T) {
	for _, test := range []struct {
		fails, want error
	}{{syscall.EIO, syscall.EIO}, {syscall.ENOSPC, syscall.ENOSPC}, {syscall.EINVAL, nil}} {
		dir := realDir(t)
		onSync(t, func(dir string) error { return &os.PathError{Op: "sync", Path: dir, Err: test.fails} })
		lease, err := Locker{}.Acquire(context.Background(), filepath.Join(dir, "a", "b", "config.json"))
		if !errors.Is(err, test.want) {
			t.Errorf("sync says %v: Acquire %v, want %v", test.fails, err, test.want)
		}
		if err == nil {
			if err := lease.Release(); err != nil {
				t.Error(err)
			}
		}
		mustBeEmpty(t, dir)
	}
}

// TestReleaseRemovesOwnFolders has a caller that writes nothing, or something at
// each depth.
func TestReleaseRemovesOwnFolders(t *testing.T) {
	for _, test := range []struct{ write, gone, stays string }{
		{"", "a", "."},
		{"a/b/c/config.json", "", "a/b/c"},
		{"a/b/other.json", "a/b/c", "a/b"},
	} {
		dir := realDir(t)
		if err := os.Mkdir(filepath.Join(dir, "empty"), 0o700); err != nil {
			t.Fatal(err)
		}
		lease, err := Locker{}.Acquire(context.Background(), filepath.Join(dir, "a", "b", "c", "config.json"))
		if err != nil {
			t.Fatal(err)
		}
		if test.write != "" {
			putFile(t, filepath.Join(dir, test.write), 0, "{}")
		}
		if err := lease.Release(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(dir, test.gone)); test.gone != "" && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("with %q written, %s: %v, want it gone", test.write, test.gone, err)
		}
		for _, name := range []string{test.stays, "empty"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Errorf("with %q written: %v", test.write, err)
			}
		}
	}
}

// TestReleaseKeepsFoldersOfOthers locks in a folder that was empty before.
func TestReleaseKeepsFoldersOfOthers(t *testing.T) {
	dir := filepath.Join(realDir(t), "theirs")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	mustTake(t, Locker{}, filepath.Join(dir, "config.json"))
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("Release removed a folder that it had not made: %v", err)
	}
}

// TestTimeoutRemovesOwnFolders makes the folder of a link's target and then
// waits in vain for the lock of the link.
func TestTimeoutRemovesOwnFolders(t *testing.T) {
	dir := realDir(t)
	alias := filepath.Join(dir, "alias.json")
	link(t, "new/config.json", alias)
	putLock(t, alias+".lock", 0, map[string]string{"owner-x.json": ownerOf(os.Getppid(), 0)})
	if _, err := (Locker{MaxWait: 20 * time.Millisecond}).Acquire(context.Background(), alias); !errors.Is(err, ErrTimeout) {
		t.Errorf("Acquire: %v, want ErrTimeout", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder stays: %v", err)
	}
}

// TestFolderGoesBeforeOurTurn releases a lease, and with it the folder, while
// another goroutine is in line.
func TestFolderGoesBeforeOurTurn(t *testing.T) {
	dir := realDir(t)
	path := filepath.Join(dir, "a", "config.json")
	first, err := Locker{}.Acquire(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		second, err := Locker{}.Acquire(context.Background(), path)
		if err == nil {
			err = errors.Join(second.Check(), second.Release())
		}
		done <- err
	}()
	for inLine := 0; inLine == 0; time.Sleep(time.Millisecond) {
		turns.mu.Lock()
		inLine = len(turns.waiting[path])
		turns.mu.Unlock()
	}
	if err := first.Release(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Errorf("the second in line: %v", err)
	}
	mustBeEmpty(t, dir)
}

// TestFolderGoesWhileMade has another program remove the outer folder before the
// inner one is made.
func TestFolderGoesWhileMade(t *testing.T) {
	dir := realDir(t)
	gone := false
	onSync(t, func(string) error {
		if gone {
			return nil
		}
		gone = true
		return rmdir(filepath.Join(dir, "a"))
	})
	mustTake(t, Locker{}, filepath.Join(dir, "a", "b", "config.json"))
	mustBeEmpty(t, dir)
}

// TestFolderGoesWhileWaiting has many who each make the folder and take it away
// again, for the same file and for another beside it.
func TestFolderGoesWhileWaiting(t *testing.T) {
	dir := realDir(t)
	onSync(t, func(string) error { return nil })
	var all sync.WaitGroup
	for i := range 8 {
		path := filepath.Join(dir, "a", "b", []string{"config.json", "other.json"}[i%2])
		all.Go(func() {
			for range 100 {
				lease, err := Locker{MaxWait: time.Minute}.Acquire(context.Background(), path)
				if err != nil {
					t.Error(err)
					return
				}
				if err := errors.Join(lease.Check(), lease.Release()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}
