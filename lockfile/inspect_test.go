package lockfile

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestInspect(t *testing.T) {
	at := time.UnixMilli(time.Now().Add(-time.Minute).UnixMilli())
	live := Holder{os.Getppid(), at}
	dead := Holder{deadPID, at}
	line := func(h Holder) string { return string(ownerLine(h.PID, h.Since, "t")) }
	tests := []struct {
		name string
		put  func(t *testing.T, lock string)
		want State
	}{
		{"free", func(*testing.T, string) {}, State{}},
		{"held", func(t *testing.T, lock string) {
			putLock(t, lock, 0, map[string]string{"owner-x.json": line(live)})
		}, State{Status: Held, Holder: live}},
		{"left behind", func(t *testing.T, lock string) {
			putLock(t, lock, 0, map[string]string{"owner-x.json": line(dead)})
		}, State{Status: Stale, Holder: dead}},
		{"being made", func(t *testing.T, lock string) { putLock(t, lock, -time.Minute, nil) }, State{Status: Held}},
		{"old and empty", func(t *testing.T, lock string) { putLock(t, lock, time.Minute, nil) }, State{Status: Stale}},
		{"of unknown age", func(t *testing.T, lock string) { putLock(t, lock, -time.Hour, nil) }, State{Status: Held}},
		{"plain file, held", func(t *testing.T, lock string) { putFile(t, lock, 0, line(live)) }, State{Status: Held, Holder: live}},
		{"plain file, left behind", func(t *testing.T, lock string) { putFile(t, lock, 0, line(dead)) }, State{Status: Stale, Holder: dead}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path, lock := newTarget(t)
			test.put(t, lock)
			if test.want.Status != Free {
				test.want.Lock = lock
			}
			before := tree(t, filepath.Dir(path))
			got, err := Inspect(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if after := tree(t, filepath.Dir(path)); after != before {
				t.Errorf("Inspect changed\n%s\nto\n%s", before, after)
			}
		})
	}
}

func TestInspectOwn(t *testing.T) {
	path, lock := newTarget(t)
	lease, err := Locker{}.Acquire(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Release()
	got, err := Inspect(path)
	if err != nil || got.Status != Held || got.Lock != lock || got.Holder.PID != os.Getpid() {
		t.Errorf("Inspect = %v, %v; want held by us", got, err)
	}
}

func TestInspectMissingFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	got, err := Inspect(filepath.Join(dir, "config.json"))
	if err != nil || got != (State{}) {
		t.Errorf("Inspect = %v, %v; want free", got, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("Inspect created the folder")
	}
}
