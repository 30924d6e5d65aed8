package lockfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestQueueFile(t *testing.T) {
	path, _ := newTarget(t)
	dir := filepath.Join(t.TempDir(), "state", "queue")
	l := Locker{QueueDir: dir}
	mustTake(t, l, path)
	name := filepath.Join(dir, queueName(path))
	first, err := os.Stat(name)
	if err != nil {
		t.Fatalf("the queue file does not stay: %v", err)
	}
	mustTake(t, l, path)
	if second, err := os.Stat(name); err != nil || !os.SameFile(first, second) {
		t.Errorf("the queue file was replaced: %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("in the queue folder: %v, %v; want one file", entries, err)
	}
}

// TestQueueName has the digest that sha256sum prints for the path.
func TestQueueName(t *testing.T) {
	if got, want := queueName("/x/config.json"), "77817e87862daffe79c59fa80fd74994"; got != want {
		t.Errorf("queueName = %s, want %s", got, want)
	}
}

// TestPoll tries kernel locks that behave in every way.
func TestPoll(t *testing.T) {
	answers := func(list ...error) func() (bool, error) {
		return func() (bool, error) {
			err := list[0]
			if len(list) > 1 {
				list = list[1:]
			}
			if errors.Is(err, fs.ErrExist) {
				return false, nil
			}
			return err == nil, err
		}
	}
	busy := fs.ErrExist
	tests := []struct {
		name    string
		try     func() (bool, error)
		want    bool
		wantErr error
	}{
		{"free", answers(nil), true, nil},
		{"busy twice", answers(busy, busy, nil), true, nil},
		{"busy for ever", answers(busy), false, &lateError{}},
		{"no lock service", answers(&fs.PathError{Err: syscall.ENOLCK}), false, nil},
		{"not supported", answers(syscall.ENOTSUP), false, nil},
		{"no such system call", answers(busy, syscall.ENOSYS), false, nil},
		{"not permitted", answers(os.ErrPermission), false, os.ErrPermission},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := wait{start: time.Now(), limit: 100 * time.Millisecond}
			got, err := w.poll(context.Background(), test.try)
			if got != test.want || !errors.Is(err, test.wantErr) && fmt.Sprint(err) != fmt.Sprint(test.wantErr) {
				t.Errorf("poll = %v, %v; want %v, %v", got, err, test.want, test.wantErr)
			}
		})
	}
}

// TestQueueFolderUnusable must not go on without the queue: other processes
// rely on it.
func TestQueueFolderUnusable(t *testing.T) {
	path, lock := newTarget(t)
	_, err := Locker{QueueDir: path}.Acquire(context.Background(), path) // a file, not a folder
	if err == nil || errors.Is(err, ErrTimeout) {
		t.Errorf("Acquire: %v, want an error about the folder", err)
	}
	if _, err := os.Lstat(lock); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a lock was left behind: %v", err)
	}
}
