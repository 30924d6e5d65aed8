package agents

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
	"unicode/utf8"
)

// MaxFileSize is the largest agent file that is read, in bytes.
const MaxFileSize = 1 << 20

// Why a file or folder is listed with an error.
var (
	ErrRoot     = errors.New("not a folder that ZCode reads")
	ErrTooLarge = errors.New("too large for an agent file")
	ErrNotUTF8  = errors.New("not UTF-8 text")
)

// File is a markdown file in ZCode's folder of agents.
type File struct {
	Path    string // absolute
	Rel     string // from the folder of agents, with slashes
	Text    []byte // nil where it could not be read
	Profile Profile
	Err     error // why the file is no agent; the Profile is empty then
}

// Scan reads the agent files in a folder the way ZCode does: regular files that
// end in .md or .markdown, whatever the case, in all folders below, without
// following symbolic links. Lock folders are passed over. A folder that is not
// there has no files; one that is a link or no folder is an error, since ZCode
// reads nothing there. What cannot be read, and what is no agent, is listed with
// its error and stops nothing else. The files are sorted by Rel.
func Scan(root string) ([]File, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("reading the agents: %w", err)
	}
	r, err := openRoot(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the agents: %w", err)
	}
	defer r.Close()
	files := list(r.FS(), func(rel string) File { return readFile(r, rel) })
	for i := range files {
		files[i].Path = filepath.Join(root, filepath.FromSlash(files[i].Rel))
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Rel, b.Rel) })
	warnOfNames(files)
	return files, nil
}

// list walks the folders and reads the agent files in them.
func list(fsys fs.FS, read func(rel string) File) []File {
	var files []File
	// The walk hands every error to the function below, which keeps it in the list.
	_ = fs.WalkDir(fsys, ".", func(rel string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			files = append(files, File{Rel: rel, Err: fmt.Errorf("reading the folder: %w", err)})
			return fs.SkipDir
		case entry.IsDir() && isLock(rel):
			return fs.SkipDir
		case entry.Type().IsRegular() && IsFileName(rel):
			files = append(files, read(rel))
		}
		return nil
	})
	return files
}

// openRoot opens the folder that stands at a path itself.
func openRoot(root string) (*os.Root, error) {
	before, err := os.Lstat(root)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, fmt.Errorf("%s: %w: it must be a folder itself, neither a link nor a file", root, ErrRoot)
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	if opened, err := r.Stat("."); err != nil || !os.SameFile(before, opened) {
		r.Close()
		return nil, fmt.Errorf("%s: %w: it was replaced while it was opened, try again", root, ErrRoot)
	}
	return r, nil
}

func isLock(rel string) bool { return rel != "." && strings.HasSuffix(rel, ".lock") }

// IsFileName reports whether ZCode looks for an agent in a file of that name.
func IsFileName(rel string) bool {
	ext := strings.ToLower(path.Ext(rel))
	return ext == ".md" || ext == ".markdown"
}

func readFile(r *os.Root, rel string) File {
	text, err := readText(r, rel)
	if err != nil {
		return File{Rel: rel, Err: fmt.Errorf("reading the file: %w", err)}
	}
	profile, err := ParseProfile(text)
	return File{Rel: rel, Text: text, Profile: profile, Err: err}
}

func readText(r *os.Root, rel string) ([]byte, error) {
	f, err := r.Open(filepath.FromSlash(rel))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > MaxFileSize:
		return nil, fmt.Errorf("%w: it must have at most %d bytes, make it shorter", ErrTooLarge, MaxFileSize)
	case !utf8.Valid(text):
		return nil, fmt.Errorf("%w: save it as UTF-8", ErrNotUTF8)
	}
	return text, nil
}
