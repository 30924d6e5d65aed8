package skills

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// checkPath refuses what is no path of a SKILL.md, whatever is on disk.
func checkPath(file string) error {
	slashed := filepath.ToSlash(file)
	switch {
	case strings.ContainsRune(file, 0):
		return invalid("skill path must not hold a NUL character")
	case !filepath.IsAbs(file):
		return invalid("skill path must be absolute")
	case slices.Contains(strings.Split(slashed, "/"), ".."):
		return invalid(`skill path must not contain ".."`)
	case filepath.Base(file) != skillFile:
		return invalid("skill path must point at a SKILL.md file")
	}
	return nil
}

// place is a skill's folder, relative to the root that it lies under.
type place struct {
	root Root
	rel  string // "." is the root itself
}

// locate finds the innermost root of a path without looking at what is there.
// The path may be spelt under the root's name or under its real path.
func locate(roots []Root, file string) (place, bool) {
	dir := filepath.Dir(filepath.Clean(file))
	var found place
	ok := false
	for _, r := range roots {
		rel, under := relTo(r, dir)
		if under && (!ok || len(rel) < len(found.rel) || rel == ".") {
			found, ok = place{r, rel}, true
		}
	}
	return found, ok
}

func relTo(r Root, dir string) (string, bool) {
	if !filepath.IsAbs(r.Path) {
		return "", false
	}
	spellings := []string{r.Path}
	if real, err := filepath.EvalSymlinks(r.Path); err == nil {
		spellings = append(spellings, real)
	}
	for _, root := range spellings {
		if rel, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(rel) {
			return rel, true
		}
	}
	return "", false
}

// open opens the folder that holds the skill's folder, and returns the name that
// the skill's folder has there. No link below the root is followed on the way.
func (p place) open() (parent *os.Root, name string, err error) {
	at, err := os.OpenRoot(p.root.Path)
	if err != nil {
		return nil, "", missing(err)
	}
	parents, name := filepath.Split(p.rel)
	for step := range strings.SplitSeq(filepath.Clean(parents), string(filepath.Separator)) {
		next, err := into(at, step)
		at.Close()
		if err != nil {
			return nil, "", err
		}
		at = next
	}
	return at, name, nil
}

// into opens a folder inside another that is no link, not even one that took its
// place a moment ago.
func into(at *os.Root, name string) (*os.Root, error) {
	seen, err := at.Lstat(name)
	if err != nil {
		return nil, missing(err)
	}
	switch {
	case isLink(seen.Mode()):
		return nil, outside("the skill is reached through a link: only what lies in the skills folder itself is touched")
	case !seen.IsDir():
		return nil, missing(fs.ErrNotExist)
	}
	next, err := at.OpenRoot(name)
	if err != nil {
		return nil, missing(err)
	}
	opened, err := next.Stat(".")
	if err == nil && !os.SameFile(seen, opened) {
		err = unknown("the folder was replaced by another program meanwhile: list the skills and try again")
	}
	if err != nil {
		next.Close()
		return nil, err
	}
	return next, nil
}

// missing turns the absence of a file into [ErrUnknown].
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return unknown("there is no such skill: list the skills to see their paths")
	}
	return err
}
