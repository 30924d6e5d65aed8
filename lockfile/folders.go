package lockfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// maxRemade is how often missing folders are made again: more often than others
// can be met who remove them, but not for ever.
const maxRemade = 100

// folders are the missing parent folders that one Acquire made, outermost first.
type folders []string

// create makes dir and its missing parents. The names must survive a loss of
// power together with the file that is to follow, so each parent is synced.
func (made *folders) create(dir string) error {
	var missing []string
	for {
		_, err := os.Stat(dir)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return err
		}
		missing = append(missing, dir)
		dir = filepath.Dir(dir)
	}
	for _, dir := range slices.Backward(missing) {
		err := os.Mkdir(dir, 0o700)
		if err == nil {
			*made = append(*made, dir)
		} else if !errors.Is(err, fs.ErrExist) {
			return err
		}
		// One that somebody else has just made may not be durable yet either.
		if err := syncFolder(filepath.Dir(dir)); err != nil {
			return err
		}
	}
	return nil
}

// remove takes away those that are still empty, innermost first.
func (made *folders) remove() {
	for _, dir := range slices.Backward(*made) {
		if rmdir(dir) != nil {
			break // used meanwhile, and so are its parents
		}
	}
	*made = nil
}
