package lockfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// slow is more than any step takes that does not wait for something else.
const slow = 5 * time.Second

// lockCase is a state of the lock before a write, in words, and what has to
// come of it.
type lockCase struct {
	name string
	run  func(t *testing.T)
}

func TestLockCases(t *testing.T) {
	cases := []lockCase{
		{"owner alive and well, held for 2 s", heldForTwoSeconds},
		{"owner pid dead", ownerDead},
		{"owner pid alive for ever", ownerAliveForEver},
		{"empty folder, made 10 ms ago", emptyFolder},
		{"empty folder with an mtime in the year 2099", emptyFolderOf2099},
		{"owner file with no usable pid", ownerWithoutPID},
		{"owner file with no usable pid and no usable time", ownerWithoutPIDAndTime},
		{"two owner files, one of a live process", twoOwnersOneAlive},
		{"two owner files, both dead, and junk", twoOwnersBothDead},
		{"the lock path is a regular file", regularFile},
		{"the parent folder is missing", parentMissing},
		{"a process killed while it holds the lock", holderKilled},
	}
	t.Run("B044 every row of the lock table", func(t *testing.T) {
		for _, c := range append(cases, unixCases()...) {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.run(t)
			})
		}
	})
}

func heldForTwoSeconds(t *testing.T) {
	const waiters = 5
	late := make(chan time.Duration, waiters)
	for range waiters {
		path, lock := newTarget(t)
		putLock(t, lock, 0, map[string]string{"owner-p.json": ownerOf(os.Getppid(), 0)})
		released := make(chan time.Time, 1)
		time.AfterFunc(2*time.Second, func() {
			os.Remove(filepath.Join(lock, "owner-p.json"))
			at := time.Now()
			os.Remove(lock)
			released <- at
		})
		go func() {
			lease, err := Locker{}.Acquire(context.Background(), path)
			at := time.Now()
			if err != nil {
				t.Error(err)
			} else if err := lease.Release(); err != nil {
				t.Error(err)
			}
			late <- at.Sub(<-released)
		}()
	}
	var delays []time.Duration
	for range waiters {
		delays = append(delays, <-late)
	}
	slices.Sort(delays)
	t.Logf("taken after the release: %v", delays)
	if delays[0] < 0 {
		t.Errorf("the lock was taken %s before its release", -delays[0])
	}
	// A waiter that only polls would be 375 ms late.
	if median := delays[waiters/2]; median > 250*time.Millisecond {
		t.Errorf("taken %s after the release at the median, want a notification", median)
	}
}

func ownerDead(t *testing.T) {
	path, lock := newTarget(t)
	putLock(t, lock, 0, map[string]string{"owner-d.json": ownerOf(deadPID, 0)})
	if took := mustTake(t, Locker{}, path); took > slow {
		t.Errorf("reclaimed after %s, want at once", took)
	}
}

func ownerAliveForEver(t *testing.T) {
	path, lock := newTarget(t)
	putLock(t, lock, 1000*time.Hour, map[string]string{"owner-p.json": ownerOf(os.Getppid(), 1000*time.Hour)})
	timeout := mustTimeOut(t, Locker{}, path, os.Getppid())
	if timeout.Waited < 8*time.Second || timeout.Waited > 8*time.Second+slow {
		t.Errorf("waited %s, want 8s", timeout.Waited)
	}
	age := time.Since(timeout.Holder.Since)
	if age < 1000*time.Hour || age > 1001*time.Hour {
		t.Errorf("held since %s, want 1000 hours ago", timeout.Holder.Since)
	}
	want := fmt.Sprintf("locking %s: held by process %d since %s; waited 8", path, os.Getppid(),
		timeout.Holder.Since.UTC().Format(time.RFC3339))
	if got := timeout.Error(); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "s: try again, or end that process") {
		t.Errorf("error %q, want it to begin with %q", got, want)
	}
}

func emptyFolder(t *testing.T) {
	path, lock := newTarget(t)
	start := time.Now()
	putLock(t, lock, 10*time.Millisecond, nil)
	mustTake(t, Locker{}, path)
	if passed := time.Since(start); passed < 89*time.Millisecond || passed > slow {
		t.Errorf("reclaimed %s after it was 10 ms old, want 90 ms", passed)
	}
}

func emptyFolderOf2099(t *testing.T) {
	path, lock := newTarget(t)
	putLock(t, lock, -time.Until(time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)), nil)
	if took := mustTake(t, Locker{}, path); took < 100*time.Millisecond || took > slow {
		t.Errorf("reclaimed after %s, want 100 ms", took)
	}
}

func ownerWithoutPID(t *testing.T) {
	contents := map[string]func(age time.Duration) string{
		"not JSON": func(time.Duration) string { return "x" },
		"empty":    func(time.Duration) string { return "" },
		"null":     func(time.Duration) string { return "null" },
	}
	for _, pid := range []string{"0", "-1", "1.5", `"12"`, "null", "9007199254740992", "1e400"} {
		contents["pid "+pid] = func(age time.Duration) string { return ownerOf(pid, age) }
	}
	for name, content := range contents {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, lock := newTarget(t)
			putLock(t, lock, time.Minute, map[string]string{"owner-x.json": content(time.Minute)})
			start := time.Now()
			removed, err := reclaimOnce(lock)
			if !removed || err != nil || time.Since(start) > slow {
				t.Errorf("an old one: removed %v, %v; want it gone at once", removed, err)
			}
			putLock(t, lock, 0, map[string]string{"owner-x.json": content(0)})
			if took := mustTake(t, Locker{}, path); took < 90*time.Millisecond || took > slow {
				t.Errorf("a new one: reclaimed after %s, want 100 ms", took)
			}
		})
	}
}

func ownerWithoutPIDAndTime(t *testing.T) {
	path, lock := newTarget(t)
	const future = -1000 * time.Hour
	putLock(t, lock, future, map[string]string{"owner-x.json": ownerOf(0, future)})
	if took := mustTake(t, Locker{}, path); took < 100*time.Millisecond || took > slow {
		t.Errorf("reclaimed after %s, want 100 ms", took)
	}
}

func twoOwnersOneAlive(t *testing.T) {
	path, lock := newTarget(t)
	putLock(t, lock, time.Hour, map[string]string{
		"owner-a.json": ownerOf(deadPID, time.Hour),
		"owner-b.json": ownerOf(os.Getppid(), time.Hour),
		"owner-c.json": "x",
	})
	mustTimeOut(t, Locker{MaxWait: 600 * time.Millisecond}, path, os.Getppid())
}

func twoOwnersBothDead(t *testing.T) {
	path, lock := newTarget(t)
	putLock(t, lock, 0, map[string]string{
		"owner-a.json": ownerOf(deadPID, time.Hour),
		"owner-b.json": "x",
		"junk":         "",
	})
	setAge(t, filepath.Join(lock, "owner-b.json"), time.Hour)
	if took := mustTake(t, Locker{}, path); took < 90*time.Millisecond || took > slow {
		t.Errorf("reclaimed after %s, want the folder to be 100 ms old", took)
	}
}

func regularFile(t *testing.T) {
	path, lock := newTarget(t)
	putFile(t, lock, 0, ownerOf(os.Getppid(), 0))
	mustTimeOut(t, Locker{MaxWait: 300 * time.Millisecond}, path, os.Getppid())

	putFile(t, lock, time.Minute, "x")
	info, err := os.Lstat(lock)
	if err != nil {
		t.Fatal(err)
	}
	v, err := judge{time.Now(), ownerlessGrace, sightings{}}.look(lock, info)
	if err != nil || !v.stale {
		t.Fatalf("an old file: stale %v, %v; want stale", v.stale, err)
	}
	putFile(t, lock, 0, ownerOf(os.Getppid(), 0))
	if err := v.clear(lock); !outrun(err) {
		t.Errorf("clear of a lock that changed hands: %v, want outrun", err)
	}
	if _, err := os.Lstat(lock); err != nil {
		t.Fatalf("a lock that changed hands was removed: %v", err)
	}

	putFile(t, lock, 0, ownerOf(deadPID, 0))
	if took := mustTake(t, Locker{}, path); took > slow {
		t.Errorf("reclaimed after %s, want at once", took)
	}
}

func parentMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "config.json")
	lease, err := Locker{}.Acquire(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := Inspect(path); s.Status != Held || s.Holder.PID != os.Getpid() {
		t.Errorf("in the created folder: %v, %v; want the lock held by us", s, err)
	}
	if err := lease.Release(); err != nil {
		t.Error(err)
	}
}

func holderKilled(t *testing.T) {
	path, lock := newTarget(t)
	queueDir := t.TempDir()
	h := startHolder(t, path, queueDir)
	mustTimeOut(t, Locker{MaxWait: 200 * time.Millisecond}, path, h.cmd.Process.Pid)
	h.kill()
	if _, err := os.Lstat(lock); err != nil {
		t.Fatalf("the killed holder left no lock to test with: %v", err)
	}
	if took := mustTake(t, Locker{QueueDir: queueDir}, path); took > slow {
		t.Errorf("reclaimed after %s, want at once", took)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("left in the folder: %v, %v; want the file alone", entries, err)
	}
}

// reclaimOnce judges the lock as a waiter that has just come.
func reclaimOnce(lock string) (bool, error) {
	info, err := os.Lstat(lock)
	if err != nil {
		return false, err
	}
	removed, err := judge{time.Now(), ownerlessGrace, sightings{}}.reclaim(lock, info)
	if _, statErr := os.Lstat(lock); removed != errors.Is(statErr, os.ErrNotExist) {
		return removed, fmt.Errorf("the lock afterwards: %v", statErr)
	}
	return removed, err
}
