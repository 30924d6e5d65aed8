package home

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrUnsafeState means that another user could change, or has made, what stands where our state folder belongs.
var ErrUnsafeState = errors.New("the state folder is not safe")

// EnsureStateDir makes the state folder and the sub-folder of l's ZCode home, both with mode 0700.
//
// An existing one is taken as it is when it is a real folder of this user that nobody else can write to; anything else is
// refused with an error that wraps ErrUnsafeState. On Windows the folder's inherited rights are trusted.
func EnsureStateDir(l Layout) error {
	if l.StateRoot() == "" || l.StateDir() == "" {
		return fmt.Errorf("making the state folder: %w: set ZCODE_ACP_STATE_DIR to a folder of your own", ErrNoHome)
	}
	if err := os.MkdirAll(filepath.Dir(l.StateRoot()), 0o700); err != nil {
		return fmt.Errorf("making the state folder: %w", err)
	}
	for _, dir := range []string{l.StateRoot(), l.StateDir()} {
		if err := ensurePrivate(dir); err != nil {
			return err
		}
	}
	return nil
}

func ensurePrivate(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making the state folder: %w", err)
	}
	// Lstat even after our own Mkdir: what stands there now is what will be used.
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("checking the state folder: %w", err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return unsafeState("%s is a symbolic link: remove it, or set ZCODE_ACP_STATE_DIR to the folder that it names", dir)
	}
	if !info.IsDir() {
		return unsafeState("%s is not a folder: move it away, or set ZCODE_ACP_STATE_DIR to another place", dir)
	}
	return checkOwner(dir, info)
}

func unsafeState(format string, args ...any) error {
	return fmt.Errorf("checking the state folder: %w: %s", ErrUnsafeState, fmt.Sprintf(format, args...))
}
