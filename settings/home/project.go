package home

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// ErrNoProject means that a folder cannot be that of a project; the error around it says why.
var ErrNoProject = errors.New("no project folder")

// Project lists the folders whose files ZCode reads for a session in cwd: from the nearest folder that holds .git down to
// cwd, the outermost first, or cwd alone when none does. .git may be a file, as in a worktree. The paths are absolute and
// spelled as cwd is: no symbolic link is resolved on the way up. A cwd that is relative, missing or no folder is an error
// that wraps ErrNoProject.
func Project(cwd string) ([]string, error) {
	if !filepath.IsAbs(cwd) {
		return nil, fmt.Errorf("finding the project of %q: %w: give an absolute path", cwd, ErrNoProject)
	}
	cwd = filepath.Clean(cwd)
	info, err := os.Stat(cwd)
	switch {
	case err != nil:
		return nil, fmt.Errorf("finding the project of %q: %w: it cannot be opened (%s)", cwd, ErrNoProject, cause(err))
	case !info.IsDir():
		return nil, fmt.Errorf("finding the project of %q: %w: it is a file, give the folder that holds it", cwd, ErrNoProject)
	}
	var dirs []string
	for dir := cwd; ; dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
		if holdsGit(dir) {
			slices.Reverse(dirs)
			return dirs, nil
		}
		if filepath.Dir(dir) == dir {
			return []string{cwd}, nil
		}
	}
}

// holdsGit takes a folder that may not be looked into for one without .git.
func holdsGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// ProjectFiles lists the settings files of a project's folders in the order in which ZCode reads them: what comes later
// counts. They need not exist.
func ProjectFiles(dirs []string) []string {
	files := make([]string, 0, 2*len(dirs))
	for _, dir := range dirs {
		files = append(files, filepath.Join(dir, "zcode.json"), filepath.Join(dir, ".zcode", "config.json"))
	}
	return files
}
