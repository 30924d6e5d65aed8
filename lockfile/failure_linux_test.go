package lockfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestOwnerFileFails uses a lock path that the system just accepts, so that the
// owner file's path is too long: the folder must not stay.
func TestOwnerFileFails(t *testing.T) {
	const pathMax = 4096
	top := t.TempDir()
	dir := top
	path := filepath.Join(dir, "config.json")
	for room := pathMax - 10 - len(path+".lock"); room > 0; room = pathMax - 10 - len(path+".lock") {
		dir = filepath.Join(dir, strings.Repeat("d", min(room, 200)))
		path = filepath.Join(dir, "config.json")
	}
	_, err := Locker{}.Acquire(context.Background(), path)
	if !errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, ErrTimeout) {
		t.Errorf("Acquire: %v, want ENAMETOOLONG", err)
	}
	entries, err := os.ReadDir(top)
	if err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v; want nothing", entries, err)
	}
}

// TestNoPermission meets a dead lock in a folder that may not be changed.
func TestNoPermission(t *testing.T) {
	path, lock := newTarget(t)
	putLock(t, lock, 0, map[string]string{"owner-d.json": ownerOf(deadPID, 0)})
	if err := os.Chmod(filepath.Join(lock, "owner-d.json"), 0o444); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(path)
	for _, d := range []string{filepath.Dir(dir), dir, lock} {
		if err := os.Chmod(d, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(d, 0o755) })
	}
	var free error
	err := unprivileged(func() error {
		_, free = Locker{}.Acquire(context.Background(), filepath.Join(dir, "other.json"))
		_, err := Locker{MaxWait: 200 * time.Millisecond}.Acquire(context.Background(), path)
		return err
	})
	if !errors.Is(err, ErrTimeout) || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Acquire: %v, want ErrTimeout and ErrPermission", err)
	}
	if !errors.Is(free, fs.ErrPermission) || errors.Is(free, ErrTimeout) {
		t.Errorf("Acquire of a free lock: %v, want ErrPermission at once", free)
	}
}

// unprivileged runs f without the super-user's rights over files.
func unprivileged(f func() error) error {
	if os.Geteuid() != 0 {
		return f()
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with its rights
		if err := syscall.Setfsuid(65534); err != nil {
			done <- err
			return
		}
		done <- f()
	}()
	return <-done
}
