//go:build unix

package lockfile

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"syscall"
)

// openWary neither follows a symbolic link nor waits for a pipe's other end.
const openWary = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// openFile is os.OpenFile without its attempt to have the file polled, which for
// these files always fails and takes several calls.
func openFile(path string, flag int, mode uint32) (*os.File, error) {
	for {
		switch fd, err := syscall.Open(path, flag|syscall.O_CLOEXEC, mode); err {
		case nil:
			return os.NewFile(uintptr(fd), path), nil
		case syscall.EINTR:
		default:
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// alive reports whether a process may exist. Only the answer "no such process"
// means no; a pid that the system cannot have is not asked for, because it
// would be cut to another one.
func alive(pid int64) bool {
	if pid > math.MaxInt32 {
		return true
	}
	return !errors.Is(syscall.Kill(int(pid), 0), syscall.ESRCH)
}

func mkdir(path string, mode fs.FileMode) error { return os.Mkdir(path, mode) }

// unlink removes a file, never a folder, which os.Remove would also do.
func unlink(path string) error { return uninterrupted("unlink", path, syscall.Unlink) }

// rmdir removes an empty folder, never a file.
func rmdir(path string) error { return uninterrupted("rmdir", path, syscall.Rmdir) }

// syncFolder makes the names in a folder durable, where the file system can.
func syncFolder(dir string) error {
	f, err := openFile(dir, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	err = fsync(f)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// fsync is replaced in tests.
var fsync = (*os.File).Sync

func uninterrupted(op, path string, call func(string) error) error {
	for {
		switch err := call(path); err {
		case nil:
			return nil
		case syscall.EINTR:
		default:
			return &fs.PathError{Op: op, Path: path, Err: err}
		}
	}
}
