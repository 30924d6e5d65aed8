package lockfile

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestJudgeFolder draws lock folders and compares the verdict with the rules:
// one owner is judged by itself, several or none by the folder's age too.
func TestJudgeFolder(t *testing.T) {
	pids := map[string]any{"live": os.Getppid(), "dead": deadPID, "none": 0, "impossible": int64(1) << 40}
	ages := map[string]time.Duration{"old": time.Hour, "new": 0, "soon": -time.Minute}
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		lock := filepath.Join(dir, "lock")
		if err := os.Mkdir(lock, 0o700); err != nil {
			t.Fatal(err)
		}
		owners := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]string {
			return [2]string{
				rapid.SampledFrom([]string{"live", "dead", "none", "impossible"}).Draw(t, "pid"),
				rapid.SampledFrom([]string{"old", "new", "soon"}).Draw(t, "age"),
			}
		}), 0, 3).Draw(rt, "owners")
		allGone, live := true, false
		for i, o := range owners {
			putFile(t, filepath.Join(lock, fmt.Sprintf("owner-%d.json", i)), 0, ownerOf(pids[o[0]], ages[o[1]]))
			gone := o[0] == "dead" || o[0] == "none" && o[1] == "old"
			allGone = allGone && gone
			live = live || o[0] == "live" || o[0] == "impossible"
		}
		if rapid.Bool().Draw(rt, "junk") {
			putFile(t, filepath.Join(lock, "junk"), 0, "")
		}
		age := rapid.SampledFrom([]string{"old", "new", "soon"}).Draw(rt, "folder")
		setAge(t, lock, ages[age])
		want := allGone && (len(owners) == 1 || age == "old")

		info, err := os.Lstat(lock)
		if err != nil {
			t.Fatal(err)
		}
		v, err := judge{time.Now(), ownerlessGrace, sightings{}}.look(lock, info)
		if err != nil || v.stale != want {
			rt.Errorf("stale %v, %v; want %v", v.stale, err, want)
		}
		if live && !alive(int64(v.holder.PID)) {
			rt.Errorf("holder %v, want a live one", v.holder)
		}
	})
}

// TestSightings counts the age from the first sight of one and the same lock.
func TestSightings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	putFile(t, path, -1000*time.Hour, "")
	info := func() os.FileInfo {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	seen := sightings{}
	start := time.Now()
	age := func(passed time.Duration) time.Duration {
		return judge{start.Add(passed), ownerlessGrace, seen}.age(path, info(), time.Time{})
	}
	if got := age(0); got != 0 {
		t.Errorf("at first sight: %s old, want 0", got)
	}
	if got := age(time.Second); got != time.Second {
		t.Errorf("a second later: %s old, want 1s", got)
	}
	setAge(t, path, -2000*time.Hour)
	if got := age(2 * time.Second); got != 0 {
		t.Errorf("changed: %s old, want 0", got)
	}
}

// TestClockSkew draws the line between a time that counts and one that does not.
func TestClockSkew(t *testing.T) {
	now := time.Now()
	j := judge{now: now}
	for _, test := range []struct {
		at   time.Time
		want bool
	}{
		{now.Add(5 * time.Minute), true},
		{now.Add(5*time.Minute + time.Millisecond), false},
		{time.UnixMilli(0), true},
		{time.UnixMilli(-1), false},
		{time.Time{}, false},
	} {
		if got := j.usable(test.at); got != test.want {
			t.Errorf("usable(%s) = %v, want %v", test.at, got, test.want)
		}
	}
}

// TestReclaimKeepsTheNewOwner lets a holder move in between look and clear.
func TestReclaimKeepsTheNewOwner(t *testing.T) {
	_, lock := newTarget(t)
	putLock(t, lock, 0, map[string]string{"owner-d.json": ownerOf(deadPID, 0)})
	info, err := os.Lstat(lock)
	if err != nil {
		t.Fatal(err)
	}
	v, err := judge{time.Now(), ownerlessGrace, sightings{}}.look(lock, info)
	if err != nil || !v.stale {
		t.Fatalf("stale %v, %v; want stale", v.stale, err)
	}
	if err := os.RemoveAll(lock); err != nil {
		t.Fatal(err)
	}
	putLock(t, lock, 0, map[string]string{"owner-n.json": ownerOf(os.Getppid(), 0)})
	if err := v.clear(lock); !outrun(err) {
		t.Errorf("clear: %v, want outrun", err)
	}
	if _, err := os.Stat(filepath.Join(lock, "owner-n.json")); err != nil {
		t.Errorf("the new owner was robbed: %v", err)
	}
}

func TestAlive(t *testing.T) {
	for pid, want := range map[int64]bool{
		int64(os.Getpid()):  true,
		int64(os.Getppid()): true,
		deadPID:             false,
		1 << 31:             true, // no such pid can be asked for
		1<<32 + deadPID:     true, // would be cut to deadPID
	} {
		if got := alive(pid); got != want {
			t.Errorf("alive(%d) = %v, want %v", pid, got, want)
		}
	}
}
