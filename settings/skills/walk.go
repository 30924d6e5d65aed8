package skills

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxEntries = 10_000 // files and folders that are looked at below one root
	maxDepth   = 8      // folders below the root, as in ZCode's desktop app
)

// ignoredFolders are those that ZCode does not look into.
var ignoredFolders = []string{
	"node_modules", "dist", "build", "out", "target", "vendor", "coverage", ".cache", ".next", ".turbo", ".venv", "__pycache__",
}

// ignored reports whether ZCode does not look into a folder with this name.
func ignored(name string) bool {
	return slices.Contains(ignoredFolders, name) || strings.HasPrefix(name, ".") && name != ".system"
}

// walker looks for skills below one root.
type walker struct {
	scan  *scan
	root  realRoot
	files *os.Root
	left  int // entries that may still be looked at
}

// folder looks at the entries of a folder, which is given relative to the root.
func (w *walker) folder(rel string, depth int) {
	for _, entry := range w.entries(rel) {
		name := entry.Name()
		path := filepath.Join(rel, name)
		switch {
		case name == skillFile && !entry.IsDir():
			w.skillFile(rel, entry)
		case ignored(name) || !entry.IsDir() && !isLink(entry.Type()):
		case !utf8.ValidString(name):
			w.scan.problem(filepath.Join(w.root.Path, path), "the name is not UTF-8, so ZCode cannot store a switch for it: rename it")
		case depth == w.root.Reach.depth():
		case isLink(entry.Type()):
			w.link(path, entry)
		default:
			w.folder(path, depth+1)
		}
	}
}

// isLink reports whether an entry is a symbolic link or a junction of Windows.
func isLink(mode fs.FileMode) bool { return mode&(fs.ModeSymlink|fs.ModeIrregular) != 0 }

// entries reads a folder in the order of the names, as far as the limit allows.
func (w *walker) entries(rel string) []fs.DirEntry {
	if w.left < 0 {
		return nil
	}
	path := filepath.Join(w.root.Path, rel)
	folder, err := w.files.OpenFile(rel, os.O_RDONLY|openFlags, 0)
	if err != nil {
		w.scan.fault(path, "opening the folder", err)
		return nil
	}
	defer folder.Close()
	list, err := readFolder(folder, w.left+1)
	if err != nil {
		w.scan.fault(path, "reading the folder", err)
	}
	if len(list) > w.left {
		list = list[:w.left]
		w.left = -1
		w.scan.problem(w.root.Path, "the skills folder holds more than 10,000 entries: the rest was not looked at; move what is no skill away")
		return list
	}
	w.left -= len(list)
	return list
}

// readFolder returns at most limit entries, sorted by name, and with them the
// error that ended the reading.
func readFolder(folder *os.File, limit int) ([]fs.DirEntry, error) {
	var list []fs.DirEntry
	for len(list) < limit {
		part, err := folder.ReadDir(limit - len(list))
		list = append(list, part...)
		if err == io.EOF {
			break
		}
		if err != nil {
			return list, err
		}
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

// skillFile adds the SKILL.md of a folder; one that is a link only where the user
// may have put it.
func (w *walker) skillFile(rel string, entry fs.DirEntry) {
	found := Skill{Dir: filepath.Join(w.root.Path, rel)}
	if entry.Type().IsRegular() {
		found.RealPath = filepath.Join(w.root.real, rel, skillFile)
		w.add(found, w.files, filepath.Join(rel, skillFile))
		return
	}
	if isLink(entry.Type()) && w.root.Scope != Plugin {
		w.addLinked(found)
	}
}

// link adds the skill that a linked folder is. Nothing else behind the link is
// looked at, so that a link to a large place or to a folder above costs nothing.
func (w *walker) link(rel string, entry fs.DirEntry) {
	if w.root.Scope == Plugin {
		return
	}
	path := filepath.Join(w.root.Path, rel)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.scan.problem(path, "the link leads to nothing: delete it or restore what it names")
	case err != nil:
		w.scan.fault(path, "following the link", err)
	case info.IsDir():
		target, err := w.files.Readlink(rel)
		if err != nil {
			w.scan.fault(path, "reading the link", err)
			return
		}
		w.addLinked(Skill{Dir: path, Link: target})
	}
}

// addLinked adds a skill that is reached through a link, if there is one.
func (w *walker) addLinked(found Skill) {
	path := filepath.Join(found.Dir, skillFile)
	real, err := realPath(found)
	if errors.Is(err, fs.ErrNotExist) && found.Link != "" {
		return // a folder without SKILL.md is no skill
	}
	if err != nil {
		w.scan.fault(path, "following the link", err)
		return
	}
	folder, err := os.OpenRoot(filepath.Dir(real))
	if err != nil {
		w.scan.fault(path, "opening the linked folder", err)
		return
	}
	defer folder.Close()
	found.RealPath = real
	w.add(found, folder, filepath.Base(real))
}

// realPath returns where SKILL.md is. A junction of Windows is resolved by hand,
// since EvalSymlinks leaves it in the path.
func realPath(found Skill) (string, error) {
	real, err := filepath.EvalSymlinks(filepath.Join(found.Dir, skillFile))
	if err != nil || found.Link == "" {
		return real, err
	}
	if info, err := os.Lstat(found.Dir); err == nil && info.Mode()&fs.ModeIrregular != 0 && filepath.IsAbs(found.Link) {
		return filepath.EvalSymlinks(filepath.Join(found.Link, skillFile))
	}
	return real, nil
}
