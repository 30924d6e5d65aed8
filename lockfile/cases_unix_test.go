//go:build unix

package lockfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func unixCases() []lockCase {
	return []lockCase{
		{"the lock path is a symlink", func(t *testing.T) {
			elsewhere := t.TempDir()
			notALock(t, func(lock string) error { return os.Symlink(elsewhere, lock) })
		}},
		{"the lock path is a dangling symlink", func(t *testing.T) {
			elsewhere := filepath.Join(t.TempDir(), "missing")
			notALock(t, func(lock string) error { return os.Symlink(elsewhere, lock) })
			if _, err := os.Lstat(elsewhere); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the link was followed: %v", err)
			}
		}},
		{"the lock path is a FIFO", func(t *testing.T) {
			notALock(t, func(lock string) error { return syscall.Mkfifo(lock, 0o600) })
		}},
		{"an owner file is a FIFO", ownerIsFIFO},
		{"the holder is stopped (SIGSTOP)", holderStopped},
		{"the holder is stopped and its lock removed by hand", holderRobbedByHand},
		{"a new parent folder is private", parentPrivate},
	}
}

func notALock(t *testing.T, put func(lock string) error) {
	path, lock := newTarget(t)
	if err := put(lock); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	_, err := Locker{}.Acquire(context.Background(), path)
	if !errors.Is(err, ErrInvalid) || errors.Is(err, ErrTimeout) {
		t.Errorf("Acquire: %v, want ErrInvalid", err)
	}
	if took := time.Since(start); took > slow {
		t.Errorf("refused after %s, want at once", took)
	}
	if _, err := os.Lstat(lock); err != nil {
		t.Errorf("it was removed: %v", err)
	}
	if _, err := Inspect(path); !errors.Is(err, ErrInvalid) {
		t.Errorf("Inspect: %v, want ErrInvalid", err)
	}
}

func ownerIsFIFO(t *testing.T) {
	path, lock := newTarget(t)
	putLock(t, lock, time.Hour, nil)
	if err := syscall.Mkfifo(filepath.Join(lock, "owner-f.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	setAge(t, lock, time.Hour)
	_, err := Locker{MaxWait: 200 * time.Millisecond}.Acquire(context.Background(), path)
	if !errors.Is(err, ErrTimeout) {
		t.Errorf("Acquire: %v, want ErrTimeout", err)
	}
}

func holderStopped(t *testing.T) {
	path, _ := newTarget(t)
	queueDir := t.TempDir()
	h := startHolder(t, path, queueDir)
	signal(t, h, syscall.SIGSTOP)
	pid := h.cmd.Process.Pid
	// Once stopped by our own queue, once by ZCode's lock alone.
	mustTimeOut(t, Locker{MaxWait: 500 * time.Millisecond, QueueDir: queueDir}, path, pid)
	mustTimeOut(t, Locker{MaxWait: 500 * time.Millisecond}, path, pid)
	signal(t, h, syscall.SIGCONT)
	if got := h.say("check"); got != "ours" {
		t.Errorf("the holder says %q after it went on, want ours", got)
	}
	h.release()
	mustTake(t, Locker{QueueDir: queueDir}, path)
}

func holderRobbedByHand(t *testing.T) {
	path, lock := newTarget(t)
	h := startHolder(t, path, "")
	signal(t, h, syscall.SIGSTOP)
	if err := os.RemoveAll(lock); err != nil {
		t.Fatal(err)
	}
	lease, err := Locker{}.Acquire(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	signal(t, h, syscall.SIGCONT)
	if got := h.say("check"); got != "lost" {
		t.Errorf("the holder says %q after its lock was removed, want lost", got)
	}
	h.release()
	if err := lease.Check(); err != nil {
		t.Errorf("after the old holder's release: %v, want our lock untouched", err)
	}
	if err := lease.Release(); err != nil {
		t.Error(err)
	}
}

func parentPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "config.json")
	lease, err := Locker{}.Acquire(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Dir(path), filepath.Dir(filepath.Dir(path))} {
		info, err := os.Stat(dir)
		if err != nil {
			t.Error(err)
		} else if info.Mode().Perm() != 0o700 {
			t.Errorf("%s: mode %v, want 0700", dir, info.Mode())
		}
	}
	if err := lease.Release(); err != nil {
		t.Error(err)
	}
}

func signal(t *testing.T, h *helper, s syscall.Signal) {
	t.Helper()
	if err := h.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}
