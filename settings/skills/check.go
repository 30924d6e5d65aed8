package skills

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckDelete refuses what [Delete] would refuse, and changes nothing. It returns
// what [Delete] would.
func CheckDelete(roots []Root, file string) (Deleted, error) {
	r, err := findRemoval(roots, file)
	if err != nil {
		return Deleted{}, fmt.Errorf("deleting a skill: %w", err)
	}
	defer r.parent.Close()
	d := Deleted{Path: r.path, Link: isLink(r.seen.Mode())}
	if !d.Link {
		d.count(r.parent, r.name)
	}
	return d, nil
}

// CheckCopy refuses a skill, or a name that is taken, like [CopyToUser], without
// looking at every file, and changes nothing. It returns the path that the copy
// would have.
func CheckCopy(roots []Root, file, userRoot string) (string, error) {
	source, name, err := openSource(roots, file, userRoot)
	if err != nil {
		return "", fmt.Errorf("copying a skill: %w", err)
	}
	defer source.Close()
	switch _, err := os.Lstat(filepath.Join(userRoot, name)); {
	case err == nil:
		return "", fmt.Errorf("copying a skill: %w", exists(fmt.Sprintf("a skill named '%s' already exists in the user skills root", name)))
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("copying a skill: %w", err)
	}
	return filepath.Join(userRoot, name, skillFile), nil
}
