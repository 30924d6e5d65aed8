package atomicwrite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

const maxLinks = 40 // as the Linux kernel

// Resolve returns the absolute path of the file that path stands for, with all symbolic links followed. The file need
// not exist: a dangling link gives the file that it would create. A circle of links is ErrLoop; a folder, FIFO, socket
// or device is ErrIrregular.
func Resolve(path string) (real string, err error) {
	real, err = resolve(path)
	if err != nil {
		return "", describe("resolving", path, "", err)
	}
	return real, nil
}

func resolve(path string) (string, error) {
	for range maxLinks {
		var err error
		if path, err = resolveName(path); err != nil {
			return "", err
		}
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return path, nil
		case err != nil:
			return "", err
		case info.Mode().IsRegular():
			return path, nil
		case info.Mode()&fs.ModeSymlink == 0:
			return "", ErrIrregular
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			// Not filepath.Join: it would cancel ".." against a folder that may itself be a link.
			next = filepath.Dir(path) + string(filepath.Separator) + next
		}
		path = next
	}
	return "", loop()
}

// resolveName follows links in the folder of path, but not path itself.
func resolveName(path string) (string, error) {
	dir, base := filepath.Split(path)
	if base == "" || base == "." || base == ".." {
		return "", ErrIrregular
	}
	dir, err := resolveFolder(dir)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, base), nil
}

// resolveFolder follows links in a folder's path. A folder that does not exist stays as it is spelled.
func resolveFolder(dir string) (string, error) {
	if dir == "" {
		dir = "."
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		var known *fs.PathError
		switch {
		case errors.Is(err, fs.ErrNotExist):
			real = dir
		case errors.As(err, &known):
			return "", err
		case errors.Is(err, syscall.ENOTDIR):
			return "", &fs.PathError{Op: "open", Path: dir, Err: err}
		default:
			return "", loop() // EvalSymlinks has no typed error for too many links
		}
	}
	return filepath.Abs(real)
}

func loop() error { return fmt.Errorf("%w: %w", ErrLoop, syscall.ELOOP) }
