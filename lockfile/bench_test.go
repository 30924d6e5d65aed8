package lockfile

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

func BenchmarkLockUnlock(b *testing.B) {
	path := filepath.Join(b.TempDir(), "config.json")
	l := Locker{QueueDir: b.TempDir()}
	for b.Loop() {
		lease, err := l.Acquire(context.Background(), path)
		if err != nil {
			b.Fatal(err)
		}
		if err := lease.Release(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBareCalls is the floor of BenchmarkLockUnlock: the calls that the
// lock consists of, and nothing else.
func BenchmarkBareCalls(b *testing.B) {
	lock := filepath.Join(b.TempDir(), "config.json.lock")
	owner := filepath.Join(lock, "owner-1-2-x.json")
	queue := filepath.Join(b.TempDir(), "queue")
	line := ownerLine(os.Getpid(), time.Now(), "1-2-x")
	for b.Loop() {
		q := flock.New(queue)
		if _, err := q.TryLock(); err != nil {
			b.Fatal(err)
		}
		steps := []func() error{
			func() error { return os.Mkdir(lock, 0o755) },
			func() error { return createOwner(owner, line) },
			func() error { _, err := os.Lstat(lock); return err },
			func() error { return readNames(lock) },
			func() error { return unlink(owner) },
			func() error { return rmdir(lock) },
			q.Unlock,
		}
		for _, step := range steps {
			if err := step(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func readNames(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Readdirnames(-1)
	return err
}

// BenchmarkHandOver reports the median time from the release of a lock by
// another program to its being taken by a waiter.
func BenchmarkHandOver(b *testing.B) {
	path := filepath.Join(b.TempDir(), "config.json")
	lock := path + ".lock"
	var late []time.Duration
	for b.Loop() {
		if err := os.Mkdir(lock, 0o755); err != nil {
			b.Fatal(err)
		}
		owner := filepath.Join(lock, "owner-p.json")
		if err := os.WriteFile(owner, []byte(ownerOf(os.Getppid(), 0)), 0o600); err != nil {
			b.Fatal(err)
		}
		released := make(chan time.Time, 1)
		time.AfterFunc(10*time.Millisecond, func() {
			os.Remove(owner)
			at := time.Now()
			os.Remove(lock)
			released <- at
		})
		lease, err := Locker{}.Acquire(context.Background(), path)
		late = append(late, time.Since(<-released))
		if err != nil {
			b.Fatal(err)
		}
		if err := lease.Release(); err != nil {
			b.Fatal(err)
		}
	}
	slices.Sort(late)
	b.ReportMetric(float64(late[len(late)/2].Microseconds()), "p50-µs")
}
