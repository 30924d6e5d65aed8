//go:build unix

package history

import (
	"errors"
	"os"
	"syscall"
)

// openFlags keep a link or a FIFO that has just taken the place of a file from being followed or waited for.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

func rename(from, to string) error { return os.Rename(from, to) }

// syncFolder makes the names in a folder durable, where the file system can.
func syncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
