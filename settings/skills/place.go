package skills

import (
	"cmp"
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
// The path may be spelt under the root's name or under its real path. A root of
// the settings never takes a skill from one of ZCode's own.
func locate(roots []Root, file string) (place, bool) {
	dir := filepath.Dir(filepath.Clean(file))
	var found place
	ok := false
	for _, r := range roots {
		rel, under := relTo(r, dir)
		if !under || !r.Reach.holds(rel) || ok && r.Origin == FromSettings {
			continue
		}
		if !ok || found.root.Origin == FromSettings || len(rel) < len(found.rel) || rel == "." {
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
	if p.rel == "." {
		parent, err = os.OpenRoot(filepath.Dir(p.root.Path))
		return parent, filepath.Base(p.root.Path), missing(err)
	}
	at, err := p.root.open()
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

// open opens the root, that of a project only inside the project: its links were
// made by whoever wrote the project.
func (r Root) open() (*os.Root, error) {
	if r.Scope != Project {
		return os.OpenRoot(r.Path)
	}
	real, err := filepath.EvalSymlinks(r.Path)
	if err != nil {
		return nil, err
	}
	return r.openInside(real)
}

// openInside opens a folder of the project, by a path without links.
func (r Root) openInside(real string) (*os.Root, error) {
	project, err := filepath.EvalSymlinks(cmp.Or(r.Origin, r.Path))
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(project, real)
	if err != nil || !filepath.IsLocal(rel) {
		return nil, outside("the skill is reached through a link that leads out of the project's folder: look at what it names, and copy that by hand if you trust it")
	}
	at, err := os.OpenRoot(project)
	if err != nil {
		return nil, err
	}
	defer at.Close()
	return at.OpenRoot(rel)
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
	if err := same(next, seen); err != nil {
		next.Close()
		return nil, err
	}
	return next, nil
}

// same refuses an open folder that is not the one that was looked at.
func same(open *os.Root, seen fs.FileInfo) error {
	opened, err := open.Stat(".")
	if err == nil && !os.SameFile(seen, opened) {
		err = errReplaced
	}
	return err
}

var errReplaced = unknown("the folder was replaced by another program meanwhile: list the skills and try again")

// missing turns the absence of a file into [ErrUnknown].
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return unknown("there is no such skill: list the skills to see their paths")
	}
	return err
}
