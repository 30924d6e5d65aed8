package lockfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestReleaseTwice(t *testing.T) {
	path, lock := newTarget(t)
	l := Locker{QueueDir: t.TempDir()}
	first, err := l.Acquire(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	if err := first.Check(); !errors.Is(err, ErrLost) {
		t.Errorf("Check after Release: %v, want ErrLost", err)
	}
	second, err := l.Acquire(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Release(); err != nil {
		t.Errorf("second Release: %v", err)
	}
	if err := second.Check(); err != nil {
		t.Errorf("the next lease: %v", err)
	}
	turns.mu.Lock()
	_, ours := turns.waiting[path]
	turns.mu.Unlock()
	if !ours {
		t.Error("the second Release of one lease gave the turn of the next away")
	}
	l.MaxWait = 50 * time.Millisecond
	if _, err := l.Acquire(context.Background(), path); !errors.Is(err, ErrTimeout) {
		t.Errorf("Acquire of a held lock: %v, want ErrTimeout", err)
	}
	if err := second.Release(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(lock); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after Release the lock is still there: %v", err)
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name   string
		change func(lock string, owner string) error
		want   error
	}{
		{"untouched", func(string, string) error { return nil }, nil},
		{"junk beside", func(lock, _ string) error { return os.WriteFile(filepath.Join(lock, "x"), nil, 0o600) }, nil},
		{"lock removed", func(lock, _ string) error { return os.RemoveAll(lock) }, ErrLost},
		{"owner removed", func(lock, owner string) error { return os.Remove(filepath.Join(lock, owner)) }, ErrLost},
		{"second owner", func(lock, _ string) error {
			return os.WriteFile(filepath.Join(lock, "owner-x.json"), nil, 0o600)
		}, ErrLost},
		{"another's lock", func(lock, owner string) error {
			return os.Rename(filepath.Join(lock, owner), filepath.Join(lock, "owner-x.json"))
		}, ErrLost},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path, lock := newTarget(t)
			lease, err := Locker{}.Acquire(context.Background(), path)
			if err != nil {
				t.Fatal(err)
			}
			if err := test.change(lock, lease.owned[0].owner); err != nil {
				t.Fatal(err)
			}
			if err := lease.Check(); !errors.Is(err, test.want) {
				t.Errorf("Check: %v, want %v", err, test.want)
			}
			_, statErr := os.Stat(filepath.Join(lock, "owner-x.json"))
			foreign := statErr == nil
			if err := lease.Release(); err != nil {
				t.Errorf("Release: %v", err)
			}
			if _, err := os.Stat(filepath.Join(lock, "owner-x.json")); foreign && err != nil {
				t.Errorf("Release touched another owner: %v", err)
			}
		})
	}
}

// TestMoveInRefuses has another program move in while we do.
func TestMoveInRefuses(t *testing.T) {
	_, lock := newTarget(t)
	putLock(t, lock, 0, map[string]string{"owner-x.json": ownerOf(os.Getppid(), 0)})
	o := ownership{lock, "owner-ours.json"}
	if err := o.moveIn([]byte("{}\n")); !errors.Is(err, errContended) {
		t.Errorf("moveIn beside another owner: %v, want errContended", err)
	}
	if err := o.release(); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(lock)
	if err != nil || len(entries) != 1 || entries[0].Name() != "owner-x.json" {
		t.Errorf("left: %v, %v; want the other owner alone", entries, err)
	}
}

// TestReleaseKeepsPlainFile has a lock of the old form in the place of ours.
func TestReleaseKeepsPlainFile(t *testing.T) {
	path, lock := newTarget(t)
	lease, err := Locker{}.Acquire(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(lock); err != nil {
		t.Fatal(err)
	}
	putFile(t, lock, 0, ownerOf(os.Getppid(), 0))
	lease.Release()
	if _, err := os.Stat(lock); err != nil {
		t.Errorf("Release removed another's lock: %v", err)
	}
}

// TestEmptyFolderRemoved has a reclaimer that takes every empty folder away,
// also ours in the moment before we move in: that is a lost race, no failure.
func TestEmptyFolderRemoved(t *testing.T) {
	path, lock := newTarget(t)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				rmdir(lock)
			}
		}
	}()
	for range 500 {
		lease, err := Locker{}.Acquire(context.Background(), path)
		if err != nil {
			t.Error(err)
			break
		}
		if err := lease.Check(); err != nil {
			t.Error(err)
		}
		if err := lease.Release(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	<-stopped
}
