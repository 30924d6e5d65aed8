package skills

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Scan returns the skills below the roots, sorted by name and then by path, and
// the places that could not be looked at. The roots come in ZCode's order: of two
// paths that lead to one file the first counts. A root that does not exist is no
// problem; a [Deep] one that holds another is left out, as ZCode does.
func Scan(roots []Root) ([]Skill, []Problem) {
	s := scan{seen: map[string]bool{}}
	for _, r := range s.usable(roots) {
		s.walk(r)
	}
	markShadowed(s.skills)
	slices.SortFunc(s.skills, func(a, b Skill) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Path, b.Path))
	})
	return s.skills, s.problems
}

// scan gathers what the walks find.
type scan struct {
	skills   []Skill
	problems []Problem
	seen     map[string]bool // real paths
}

func (s *scan) problem(path, reason string) {
	s.problems = append(s.problems, Problem{Path: strings.ToValidUTF8(path, "\ufffd"), Reason: reason})
}

// fault notes an error of the system without the path, which the problem has.
func (s *scan) fault(path, doing string, err error) {
	s.problem(path, doing+": "+cause(err).Error())
}

func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// realRoot is a root that exists, with its path without links.
type realRoot struct {
	Root
	real string
}

func (s *scan) usable(roots []Root) []realRoot {
	var list []realRoot
	for _, r := range roots {
		if !filepath.IsAbs(r.Path) {
			s.problem(r.Path, "a skills folder must be given by an absolute path")
			continue
		}
		real, err := filepath.EvalSymlinks(r.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			s.fault(r.Path, "finding the skills folder", err)
		case !slices.ContainsFunc(list, func(other realRoot) bool { return other.real == real && other.Reach <= r.Reach }):
			list = append(list, realRoot{r, real})
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(r realRoot) bool {
		i := -1
		if r.Reach == Deep {
			i = slices.IndexFunc(list, func(other realRoot) bool { return other.Reach == Deep && below(r.real, other.real) })
		}
		if i >= 0 {
			s.problem(r.Path, fmt.Sprintf("ZCode does not look into this folder, since it holds another skills folder: %s", list[i].Path))
		}
		return i >= 0
	})
}

// below reports whether a path lies inside a folder.
func below(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

func (s *scan) walk(r realRoot) {
	info, err := os.Stat(r.real)
	if err != nil {
		s.fault(r.Path, "looking at the skills folder", err)
		return
	}
	if !info.IsDir() {
		s.problem(r.Path, "the skills folder is not a folder: move it away")
		return
	}
	files, err := os.OpenRoot(r.real)
	if err != nil {
		s.fault(r.Path, "opening the skills folder", err)
		return
	}
	defer files.Close()
	w := walker{scan: s, root: r, files: files, left: maxEntries}
	w.folder(".", 0)
}

// markShadowed flags what the desktop app hides in `~/.agents/skills`. It knows
// nothing of `skills.roots`.
func markShadowed(list []Skill) {
	folders, names := map[string]bool{}, map[string]bool{}
	for _, s := range list {
		if s.Scope == User && s.Origin == "" {
			folders[filepath.Base(s.Dir)], names[s.Name] = true, true
		}
	}
	for i, s := range list {
		if s.Scope == Agents && (folders[filepath.Base(s.Dir)] || names[s.Name]) {
			list[i].Flags = append(list[i].Flags, Shadowed)
		}
	}
}
