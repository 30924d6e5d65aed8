package history

import (
	"errors"
	"os"
	"syscall"
	"time"
)

const (
	openFlags        = 0
	sharingViolation = syscall.Errno(32) // ERROR_SHARING_VIOLATION
)

// rename waits for readers, which keep a file from being replaced here.
func rename(from, to string) error {
	for _, ms := range []time.Duration{5, 20, 50, 100, 200, 400} {
		err := os.Rename(from, to)
		if !errors.Is(err, sharingViolation) && !errors.Is(err, os.ErrPermission) {
			return err
		}
		time.Sleep(ms * time.Millisecond)
	}
	return os.Rename(from, to)
}

// syncFolder has nothing to do: the journal of NTFS stands in for it.
func syncFolder(string) error { return nil }
