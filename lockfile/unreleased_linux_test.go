package lockfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// stuckLease returns a lease whose Release has failed, in a folder that can be
// changed again.
func stuckLease(t *testing.T, l Locker) (lease *Lease, path, lock string) {
	t.Helper()
	path, lock = newTarget(t)
	for _, dir := range []string{filepath.Dir(filepath.Dir(path)), filepath.Dir(path)} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	lease, err := l.Acquire(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(lock, 0o500); err != nil {
		t.Fatal(err)
	}
	err = unprivileged(lease.Release)
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("Release of a lock that cannot be removed: %v, want ErrPermission", err)
	}
	if err := lease.Check(); !errors.Is(err, ErrLost) {
		t.Errorf("Check after the failed Release: %v, want ErrLost", err)
	}
	if err := unprivileged(lease.Release); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("the second Release: %v, want ErrPermission again", err)
	}
	if err := os.Chmod(lock, 0o755); err != nil {
		t.Fatal(err)
	}
	return lease, path, lock
}

func mustBeForgotten(t *testing.T, lock string) {
	t.Helper()
	unreleased.mu.Lock()
	defer unreleased.mu.Unlock()
	if left := unreleased.owners[lock]; len(left) != 0 {
		t.Errorf("still remembered: %q", left)
	}
}

func TestReleaseAgain(t *testing.T) {
	lease, path, lock := stuckLease(t, Locker{QueueDir: t.TempDir()})
	if err := lease.Release(); err != nil {
		t.Errorf("Release when it is possible: %v", err)
	}
	if _, err := os.Lstat(lock); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock stays: %v", err)
	}
	mustBeForgotten(t, lock)
	mustTake(t, Locker{}, path)
}

// TestAcquireAfterFailedRelease does not wait for itself: the pid in the lock is
// that of a live process, ours.
func TestAcquireAfterFailedRelease(t *testing.T) {
	l := Locker{QueueDir: t.TempDir(), MaxWait: 5 * time.Second}
	old, path, lock := stuckLease(t, l)
	lease, err := l.Acquire(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	mustBeForgotten(t, lock)
	if err := old.Release(); err != nil {
		t.Errorf("Release of the old lease: %v", err)
	}
	if err := lease.Check(); err != nil {
		t.Errorf("the new lease: %v", err)
	}
	if err := lease.Release(); err != nil {
		t.Error(err)
	}
}

// TestUnreleasedTouchesNoOther has another owner in the lock by the time of the
// next Acquire.
func TestUnreleasedTouchesNoOther(t *testing.T) {
	_, path, lock := stuckLease(t, Locker{})
	putFile(t, filepath.Join(lock, "owner-x.json"), 0, ownerOf(os.Getppid(), 0))
	_, err := Locker{MaxWait: 100 * time.Millisecond}.Acquire(context.Background(), path)
	var timeout *TimeoutError
	if !errors.As(err, &timeout) || timeout.Holder.PID != os.Getppid() {
		t.Errorf("Acquire: %v, want a TimeoutError that names the other", err)
	}
	entries, err := os.ReadDir(lock)
	if err != nil || len(entries) != 1 || entries[0].Name() != "owner-x.json" {
		t.Errorf("left: %v, %v; want the other owner alone", entries, err)
	}
	mustBeForgotten(t, lock)
}
