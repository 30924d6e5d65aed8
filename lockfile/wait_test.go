package lockfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"zcode-acp/lockfile/internal/wake"
)

// TestCancel ends the wait at each stage by its context and checks that nothing
// was left behind.
func TestCancel(t *testing.T) {
	tests := []struct {
		name  string
		block func(t *testing.T, l Locker, path string) (unblock func())
	}{
		{"in the queue of the process", func(t *testing.T, l Locker, path string) func() {
			lease, err := l.Acquire(context.Background(), path)
			if err != nil {
				t.Fatal(err)
			}
			return func() { lease.Release() }
		}},
		{"in the kernel queue", func(t *testing.T, l Locker, path string) func() {
			q := flock.New(filepath.Join(l.QueueDir, queueName(path)))
			if ok, err := q.TryLock(); !ok {
				t.Fatal(err)
			}
			return func() { q.Unlock() }
		}},
		{"at ZCode's lock", func(t *testing.T, l Locker, path string) func() {
			putLock(t, path+".lock", 0, map[string]string{"owner-p.json": ownerOf(os.Getppid(), 0)})
			return func() { os.RemoveAll(path + ".lock") }
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path, _ := newTarget(t)
			l := Locker{QueueDir: t.TempDir(), MaxWait: time.Minute}
			unblock := test.block(t, l, path)
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
			defer cancel()
			start := time.Now()
			_, err := l.Acquire(ctx, path)
			if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrTimeout) {
				t.Errorf("Acquire: %v, want DeadlineExceeded", err)
			}
			if took := time.Since(start); took > slow {
				t.Errorf("gave up after %s, want 50 ms", took)
			}
			if !strings.HasPrefix(err.Error(), "locking "+path+": gave up") {
				t.Errorf("error %q does not say what was waited for", err)
			}
			l.MaxWait = 50 * time.Millisecond
			if _, err := l.Acquire(context.Background(), path); !errors.Is(err, ErrTimeout) {
				t.Errorf("Acquire: %v, want ErrTimeout", err)
			}
			unblock()
			mustTake(t, l, path)
		})
	}
}

func TestCanceledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := filepath.Join(t.TempDir(), "new")
	_, err := Locker{}.Acquire(ctx, filepath.Join(dir, "config.json"))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Acquire: %v, want Canceled", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder was created: %v", err)
	}
}

func TestEmptyPath(t *testing.T) {
	if lease, err := (Locker{}).Acquire(context.Background(), ""); err == nil {
		lease.Release()
		t.Error("Acquire of an empty path succeeded")
	}
}

// TestHandOver measures from the holder's removal to Acquire's return. The hold
// of 120 ms falls between two polls: who only polls is 55 ms late.
func TestHandOver(t *testing.T) {
	blind := func(string) (*wake.Watch, error) { return nil, errors.New("no more watches") }
	for name, l := range map[string]Locker{"notified": {}, "without notification": {watch: blind}} {
		t.Run(name, func(t *testing.T) {
			var delays []time.Duration
			for range 9 {
				delays = append(delays, handOver(t, l, 120*time.Millisecond))
			}
			slices.Sort(delays)
			t.Logf("%v", delays)
			if median := delays[len(delays)/2]; median > 35*time.Millisecond {
				t.Errorf("taken %s after the release at the median, want about 1 ms", median)
			}
		})
	}
}

// TestMissedEvent has a watch that hears nothing: the next poll has to do.
func TestMissedEvent(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "x")
	deaf := func(string) (*wake.Watch, error) { return wake.New(elsewhere) }
	if late := handOver(t, Locker{watch: deaf}, 120*time.Millisecond); late > 400*time.Millisecond+slow {
		t.Errorf("taken %s after the release, want at most 400 ms", late)
	}
}

// handOver lets another process's lock go after hold and returns how much later
// a waiter had it.
func handOver(t *testing.T, l Locker, hold time.Duration) time.Duration {
	t.Helper()
	path, lock := newTarget(t)
	putLock(t, lock, 0, map[string]string{"owner-p.json": ownerOf(os.Getppid(), 0)})
	released := make(chan time.Time, 1)
	time.AfterFunc(hold, func() {
		os.Remove(filepath.Join(lock, "owner-p.json"))
		at := time.Now()
		os.Remove(lock)
		released <- at
	})
	lease, err := l.Acquire(context.Background(), path)
	late := time.Since(<-released)
	if err != nil {
		t.Fatal(err)
	}
	if err := lease.Release(); err != nil {
		t.Error(err)
	}
	return late
}

// TestNoReclaimAfterTheDeadline gives a waiter no time at all.
func TestNoReclaimAfterTheDeadline(t *testing.T) {
	path, lock := newTarget(t)
	putLock(t, lock, time.Hour, map[string]string{"owner-d.json": ownerOf(deadPID, time.Hour)})
	mustTimeOut(t, Locker{MaxWait: 1}, path, deadPID)
	if took := mustTake(t, Locker{}, path); took > slow {
		t.Errorf("reclaimed after %s, want at once", took)
	}
}

func TestTimeoutErrorText(t *testing.T) {
	since := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	const path, lock = "/x/config.json", "/x/config.json.lock"
	tests := []struct {
		name string
		err  TimeoutError
		want string
	}{
		{"another process", TimeoutError{Holder: Holder{4711, since}},
			"locking /x/config.json: held by process 4711 since 2026-11-30T10:00:00Z; waited 8s: try again, or end that process"},
		{"this process", TimeoutError{Holder: Holder{os.Getpid(), since}},
			"locking /x/config.json: held by another operation of this process since 2026-11-30T10:00:00Z; waited 8s: try again"},
		{"nobody known", TimeoutError{},
			"locking /x/config.json: held by an unknown process; waited 8s: try again, or remove /x/config.json.lock when no program uses it"},
		{"not removable", TimeoutError{Holder: Holder{4711, since}, cause: os.ErrPermission},
			"locking /x/config.json: held by process 4711 since 2026-11-30T10:00:00Z; waited 8s: it was left behind and could not be removed (permission denied): remove it by hand"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.err.Path, test.err.Lock, test.err.Waited = path, lock, 8*time.Second+3*time.Millisecond
			if got := test.err.Error(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestReleasedBeforeTheWatch has the holder go between the first try and the
// watch, which then hears nothing. Who sleeps first is 25 ms late every time.
func TestReleasedBeforeTheWatch(t *testing.T) {
	fastest := time.Hour
	for range 5 {
		path, lock := newTarget(t)
		putLock(t, lock, 0, map[string]string{"owner-p.json": ownerOf(os.Getppid(), 0)})
		var gone time.Time
		l := Locker{watch: func(path string) (*wake.Watch, error) {
			if err := os.RemoveAll(lock); err != nil {
				t.Error(err)
			}
			gone = time.Now()
			return wake.New(path)
		}}
		lease, err := l.Acquire(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		fastest = min(fastest, time.Since(gone))
		if err := lease.Release(); err != nil {
			t.Error(err)
		}
	}
	if fastest >= 25*time.Millisecond {
		t.Errorf("taken %s after the release at best, want at once", fastest)
	}
}
