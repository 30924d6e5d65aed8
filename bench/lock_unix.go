//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"syscall"

	"zcode-acp/lockfile"
)

// measureLock compares lock and unlock with the system calls that ZCode's
// protocol and the queue in front of it need.
func measureLock(dir string) ([]row, error) {
	path := filepath.Join(dir, "lock", "config.json")
	queue := filepath.Join(dir, "lock", "queue")
	if err := os.MkdirAll(queue, 0o700); err != nil {
		return nil, err
	}
	locker := lockfile.Locker{QueueDir: queue}
	product := func() error {
		lease, err := locker.Acquire(context.Background(), path)
		if err != nil {
			return err
		}
		return lease.Release()
	}
	floor := func() error { return bareLock(filepath.Join(dir, "lock", "bare.lock"), filepath.Join(queue, "bare")) }
	r, err := duel("lock and unlock", "2", 3000, product, floor)
	return []row{r}, err
}

// bareLock is the floor: the same calls without any check of what they answer.
func bareLock(lock, queue string) error {
	fd, err := syscall.Open(queue, syscall.O_CREAT|syscall.O_RDWR|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	if err := syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return err
	}
	if err := syscall.Mkdir(lock, 0o700); err != nil {
		return err
	}
	owner := lock + "/owner-1-1-x.json"
	file, err := syscall.Open(owner, syscall.O_CREAT|syscall.O_EXCL|syscall.O_WRONLY|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	if _, err := syscall.Write(file, []byte(`{"pid":1,"createdAt":1790000000000,"token":"1-1790000000000-abcdefgh"}`+"\n")); err != nil {
		return err
	}
	if err := syscall.Close(file); err != nil {
		return err
	}
	var stat syscall.Stat_t
	if err := syscall.Stat(lock, &stat); err != nil {
		return err
	}
	entries, err := syscall.Open(lock, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	buffer := make([]byte, 1024)
	if _, err := syscall.ReadDirent(entries, buffer); err != nil {
		return err
	}
	if err := syscall.Close(entries); err != nil {
		return err
	}
	if err := syscall.Unlink(owner); err != nil {
		return err
	}
	return syscall.Rmdir(lock)
}
