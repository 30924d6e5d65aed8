package agents

import (
	"context"
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
	ErrTooMany  = errors.New("more than is read of a folder of agents")
	ErrNotUTF8  = errors.New("not UTF-8 text")
)

// errIrregular is a file that turned into something else after it was seen.
var errIrregular = errors.New("no longer a regular file")

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
//
// At most 10,000 files and folders are looked at, 16 levels deep, and 64 MiB are
// read. What is beyond that is left out, and listed with [ErrTooMany] where the
// reading ended. The error is that of ctx once it is done.
func Scan(ctx context.Context, root string) ([]File, error) {
	return scanWithin(ctx, root, limits{entries: 10_000, depth: 16, bytes: 64 << 20})
}

func scanWithin(ctx context.Context, root string, most limits) ([]File, error) {
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
	w := walker{
		ctx: ctx, most: most, left: most,
		open: func(rel string) (folder, error) { return openFolder(r, rel) },
		read: func(rel string, most int64) ([]byte, error) { return readText(r, rel, most) },
	}
	w.folder(".", 1)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("reading the agents: %w", err)
	}
	for i := range w.files {
		w.files[i].Path = filepath.Join(root, filepath.FromSlash(w.files[i].Rel))
	}
	slices.SortFunc(w.files, func(a, b File) int { return strings.Compare(a.Rel, b.Rel) })
	warnOfNames(w.files)
	return w.files, nil
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

// openFolder opens a folder that was seen below the root.
func openFolder(r *os.Root, rel string) (folder, error) {
	return openAs(r, rel, fs.FileMode.IsDir)
}

// openAs opens what was seen below the root, unless it is something else by now.
func openAs(r *os.Root, rel string, is func(fs.FileMode) bool) (*os.File, error) {
	f, err := r.OpenFile(filepath.FromSlash(rel), os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !is(info.Mode()) {
		err = &fs.PathError{Op: "open", Path: rel, Err: errIrregular}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func isLock(rel string) bool { return strings.HasSuffix(rel, ".lock") }

// IsFileName reports whether ZCode looks for an agent in a file of that name.
func IsFileName(rel string) bool {
	ext := strings.ToLower(path.Ext(rel))
	return ext == ".md" || ext == ".markdown"
}

// readText returns the text of a file that has at most so many bytes; of a larger
// one it returns one byte more.
func readText(r *os.Root, rel string, most int64) ([]byte, error) {
	f, err := openAs(r, rel, fs.FileMode.IsRegular)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

func checkText(text []byte) error {
	switch {
	case len(text) > MaxFileSize:
		return fmt.Errorf("%w: it must have at most %d bytes, make it shorter", ErrTooLarge, MaxFileSize)
	case !utf8.Valid(text):
		return fmt.Errorf("%w: save it as UTF-8", ErrNotUTF8)
	}
	return nil
}
