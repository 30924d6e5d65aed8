package lockfile

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"syscall"
	"time"
)

// openWary is zero: Windows opens a link only to read it here, and has no pipes
// among files.
const openWary = 0

const (
	queryLimitedInformation = 0x1000 // PROCESS_QUERY_LIMITED_INFORMATION
	stillActive             = 259    // STILL_ACTIVE
	errorSharingViolation   = syscall.Errno(32)
	errorInvalidParameter   = syscall.Errno(87)
)

func openFile(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, mode)
}

// alive reports whether a process may exist. Only the answers "no such process"
// and "it has ended" mean no.
func alive(pid int64) bool {
	if pid > math.MaxInt32 {
		return true
	}
	h, err := syscall.OpenProcess(queryLimitedInformation, false, uint32(pid))
	if err != nil {
		return !errors.Is(err, errorInvalidParameter)
	}
	defer syscall.CloseHandle(h)
	var code uint32
	if syscall.GetExitCodeProcess(h, &code) != nil {
		return true
	}
	return code == stillActive
}

// mkdir creates a folder, outlasting the moment in which one of that name is
// removed but still open somewhere.
func mkdir(path string, mode fs.FileMode) error {
	return unshared("mkdir", path, func(path string) error {
		err := os.Mkdir(path, mode)
		if e := (*fs.PathError)(nil); errors.As(err, &e) {
			return e.Err
		}
		return err
	})
}

// unlink removes a file, never a folder.
func unlink(path string) error { return unshared("unlink", path, syscall.Unlink) }

// rmdir removes an empty folder, never a file.
func rmdir(path string) error { return unshared("rmdir", path, syscall.Rmdir) }

// syncFolder has nothing to do: the journal of NTFS keeps names.
func syncFolder(string) error { return nil }

// unshared repeats a call for a moment while another process has the path
// open: a waiter that reads our owner file must not make us leave it behind.
func unshared(op, path string, call func(string) error) error {
	var err error
	for range 20 {
		err = call(path)
		if err == nil {
			return nil
		}
		if err != errorSharingViolation && err != syscall.ERROR_ACCESS_DENIED {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}
