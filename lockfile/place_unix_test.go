//go:build unix

package lockfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Fatal(err)
	}
}

func TestResolve(t *testing.T) {
	path, _ := newTarget(t)
	dir := filepath.Dir(path)
	in := func(name string) string { return filepath.Join(dir, name) }
	link(t, "config.json", in("a-link"))
	link(t, in("a-link"), in("z-chain"))
	link(t, "nowhere.json", in("dangling"))
	link(t, "new/sub/x.json", in("deep"))
	link(t, ".", in("here"))
	both := func(a, b string) []string { return []string{in(a) + ".lock", in(b) + ".lock"} }
	tests := []struct {
		path string
		want place
	}{
		{in("config.json"), place{path, []string{path + ".lock"}}},
		{in("missing"), place{in("missing"), []string{in("missing.lock")}}},
		{in("here/config.json"), place{path, []string{path + ".lock"}}},
		{dir + "/../" + filepath.Base(dir) + "//config.json", place{path, []string{path + ".lock"}}},
		{in("a-link"), place{path, both("a-link", "config.json")}},
		{in("z-chain"), place{path, both("config.json", "z-chain")}},
		{in("dangling"), place{in("nowhere.json"), both("dangling", "nowhere.json")}},
		{in("deep"), place{in("new/sub/x.json"), both("deep", "new/sub/x.json")}},
	}
	for _, test := range tests {
		got, err := resolve(test.path, new(folders))
		if err != nil {
			t.Errorf("resolve(%s): %v", test.path, err)
		}
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(place{})); diff != "" {
			t.Errorf("resolve(%s): %s", test.path, diff)
		}
	}
}

func TestResolveLoop(t *testing.T) {
	path := filepath.Join(t.TempDir(), "loop")
	link(t, "loop", path)
	if _, err := (Locker{}).Acquire(context.Background(), path); err == nil {
		t.Error("Acquire of a link to itself succeeded")
	}
}

// TestSymlinkLocksBoth locks a link and tries the other spelling from another
// process, as ZCode would.
func TestSymlinkLocksBoth(t *testing.T) {
	for _, name := range []string{"a-link.json", "z-link.json"} { // one sorts before config.json, one after
		t.Run(name, func(t *testing.T) {
			path, _ := newTarget(t)
			alias := filepath.Join(filepath.Dir(path), name)
			link(t, "config.json", alias)

			lease, err := Locker{}.Acquire(context.Background(), alias)
			if err != nil {
				t.Fatal(err)
			}
			for _, lock := range []string{path + ".lock", alias + ".lock"} {
				if s, err := inspect(lock); s.Holder.PID != os.Getpid() {
					t.Errorf("%s: %v, %v; want it to be ours", lock, s, err)
				}
			}
			if err := lease.Release(); err != nil {
				t.Error(err)
			}

			h := startHolder(t, path, "")
			mustTimeOut(t, Locker{MaxWait: 200 * time.Millisecond}, alias, h.cmd.Process.Pid)
			if s, err := Inspect(alias); s.Status != Held || s.Lock != path+".lock" {
				t.Errorf("Inspect of the link: %v, %v; want the file's lock held", s, err)
			}
			h.release()
			mustTake(t, Locker{}, alias)
			if _, err := os.Lstat(path + ".lock"); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("after Release the file's lock is still there: %v", err)
			}
		})
	}
}

func TestCheckSeesBothLocks(t *testing.T) {
	path, lock := newTarget(t)
	alias := filepath.Join(filepath.Dir(path), "z-link.json")
	link(t, "config.json", alias)
	for _, victim := range []string{lock, alias + ".lock"} {
		lease, err := Locker{}.Acquire(context.Background(), alias)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(victim); err != nil {
			t.Fatal(err)
		}
		if err := lease.Check(); !errors.Is(err, ErrLost) {
			t.Errorf("Check without %s: %v, want ErrLost", victim, err)
		}
		lease.Release()
	}
}
