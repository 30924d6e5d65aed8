package lockfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// maxLinks is how many symbolic links in a row are followed.
const maxLinks = 40

// place is where the locks of a file are.
type place struct {
	real  string   // the file itself, every symbolic link resolved
	locks []string // in byte order, so that two waiters cannot cross
}

// resolve finds the file that path leads to, which need not exist, and its
// locks: ZCode locks a file under the name it spells, so where the last part of
// path is a symbolic link, there are two. Missing folders are made and added to
// made, unless that is nil.
func resolve(path string, made *folders) (place, error) {
	spelled, err := anchor(path, made)
	if err != nil {
		return place{}, err
	}
	real := spelled
	for range maxLinks {
		info, err := os.Lstat(real)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return newPlace(spelled, real), nil
		}
		if err != nil {
			return place{}, err
		}
		to, err := os.Readlink(real)
		if err != nil {
			return place{}, err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(real), to)
		}
		if real, err = anchor(to, made); err != nil {
			return place{}, err
		}
	}
	return place{}, fmt.Errorf("more than %d symbolic links in a row: repair the link", maxLinks)
}

// anchor resolves the folder of path and leaves its last part as it is.
func anchor(path string, made *folders) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	dir, base := filepath.Split(path)
	folder, err := filepath.EvalSymlinks(dir)
	for remade := 0; made != nil && errors.Is(err, fs.ErrNotExist) && remade < maxRemade; remade++ {
		err = made.create(filepath.Clean(dir))
		if err == nil {
			folder, err = filepath.EvalSymlinks(dir)
		}
	}
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, base), nil
}

func newPlace(spelled, real string) place {
	p := place{real: real, locks: []string{real + ".lock"}}
	if spelled != real {
		p.locks = append(p.locks, spelled+".lock")
		slices.Sort(p.locks)
	}
	return p
}
