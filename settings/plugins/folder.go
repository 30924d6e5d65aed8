package plugins

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"zcode-acp/settings/jsonedit"
)

// Limits of what is read of one plugin.
const (
	maxFile    = 1 << 20 // bytes of one JSON file
	maxEntries = 10_000  // files and folders that are looked at
	maxDepth   = 16      // folders below the folder of the agents
)

// folder reads below the install path of one plugin and nowhere else. Paths are
// relative, with slashes.
type folder struct {
	plugin  *Plugin
	root    *os.Root
	left    int // of maxEntries
	stopped bool
	report  *report
}

// openFolder opens the install path of a plugin; the caller closes the root.
func openFolder(p *Plugin, r *report) (*folder, error) {
	real, err := filepath.EvalSymlinks(p.InstallPath)
	if pathError := new(fs.PathError); err != nil && !errors.As(err, &pathError) {
		return nil, errors.New("is a symbolic link that leads to itself")
	} else if err != nil {
		return nil, err
	}
	if filepath.Dir(real) == real {
		return nil, errors.New("is the root of the file system, which is no plugin: install the plugin again")
	}
	info, err := os.Stat(real)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, errors.New("is not a folder")
	}
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, err
	}
	return &folder{plugin: p, root: root, left: maxEntries, report: r}, nil
}

// abs returns the absolute form of a path as ZCode spells it.
func (f *folder) abs(name string) string {
	return filepath.Join(f.plugin.InstallPath, filepath.FromSlash(name))
}

// problem tells what is wrong with a file or folder of the plugin.
func (f *folder) problem(name, pointer, reason string) {
	f.report.add(Problem{Plugin: f.plugin.ID, File: f.abs(name), Pointer: pointer, Reason: reason})
}

// doc reads a JSON file; the error of one that is missing is fs.ErrNotExist, any
// other becomes a problem here.
func (f *folder) doc(name string) (*jsonedit.Doc, error) {
	d, err := f.parse(name)
	if missing(err) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		f.report.add(problemOf(err, f.plugin.ID, f.abs(name)))
	}
	return d, err
}

func (f *folder) parse(name string) (*jsonedit.Doc, error) {
	info, err := f.root.Stat(name) // opening a named pipe would wait for a writer
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseDoc(file, maxFile)
}

// missing holds for a path through a file too.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// isLink tells why something does not count: ZCode takes no skill through a link,
// and one could lead anywhere.
const isLink = "is a symbolic link, which is not followed inside a plugin"

// isFile reports whether there is a regular file; a link to one is a problem.
func (f *folder) isFile(name string) bool {
	info, err := f.root.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		f.problem(name, "", isLink)
	}
	return err == nil && info.Mode().IsRegular()
}

// entries lists a folder by name; none when there is no such folder. What goes
// beyond maxEntries is left out, which is told once.
func (f *folder) entries(name string) []fs.DirEntry {
	info, err := f.root.Lstat(name)
	switch {
	case missing(err) || f.stopped:
		return nil
	case err != nil:
		f.report.add(problemOf(err, f.plugin.ID, f.abs(name)))
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		f.problem(name, "", isLink)
		return nil
	case !info.IsDir():
		return nil
	}
	list, err := f.list(name)
	if err != nil {
		f.report.add(problemOf(err, f.plugin.ID, f.abs(name)))
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	if len(list) > f.left {
		f.stopped = true
		list = list[:f.left]
		f.problem("", "", fmt.Sprintf("holds more than %d files and folders: the rest is left out", maxEntries))
	}
	f.left -= len(list)
	return list
}

// list reads at most one entry more than is left.
func (f *folder) list(name string) ([]fs.DirEntry, error) {
	dir, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var list []fs.DirEntry
	for len(list) <= f.left {
		some, err := dir.ReadDir(f.left + 1 - len(list))
		list = append(list, some...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return list, err
		}
	}
	return list, nil
}

// inside returns the clean form of a path that a manifest names, which may not
// lead out of the plugin.
func inside(name string) (clean string, ok bool) {
	if name == "" {
		return ".", true
	}
	if strings.HasPrefix(name, "/") || !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", false
	}
	return path.Clean(filepath.ToSlash(name)), true
}
