//go:build unix

package skills

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// openFlags keep a FIFO that stands in the place of a file from being waited for.
const openFlags = unix.O_NONBLOCK

func renameExclusive(folder *os.File, from, to string) error {
	for {
		switch err := renameAt(int(folder.Fd()), from, to); err {
		case nil:
			return nil
		case unix.EINTR:
		case unix.EINVAL: // a file system that does not know the flag
			return errors.ErrUnsupported
		default:
			return &fs.PathError{Op: "rename", Path: from, Err: err}
		}
	}
}

func permit(f *os.File, perm fs.FileMode) error { return f.Chmod(perm) }

// syncFolder makes the names in a folder durable, where the file system can.
func syncFolder(in *os.Root, path string) error {
	folder, err := in.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, unix.EINVAL) {
		return err
	}
	return nil
}
