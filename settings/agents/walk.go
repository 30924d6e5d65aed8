package agents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// limits bound what is read of a folder of agents.
type limits struct {
	entries int   // files and folders of any name
	depth   int   // of folders, 1 for the root
	bytes   int64 // of all texts together
}

// folder is an open folder; ReadDir is that of [fs.ReadDirFile].
type folder interface {
	ReadDir(n int) ([]fs.DirEntry, error)
	Close() error
}

// walker reads the agent files of a folder and of those below it.
type walker struct {
	ctx        context.Context
	most, left limits
	open       func(rel string) (folder, error)
	read       func(rel string, most int64) ([]byte, error) // one byte more of what is larger
	files      []File
	ended      bool // nothing more is read
}

// folder walks one folder.
func (w *walker) folder(rel string, depth int) {
	if depth > w.most.depth {
		w.fail(rel, fmt.Errorf("%w: folders count up to %d levels deep: move it up", ErrTooMany, w.most.depth))
		return
	}
	entries, err := w.list(rel)
	if err != nil {
		w.fail(rel, fmt.Errorf("reading the folder: %w", err))
	}
	for _, entry := range entries {
		if w.ended = w.ended || w.ctx.Err() != nil; w.ended {
			return
		}
		below := path.Join(rel, entry.Name())
		if w.left.entries--; w.left.entries < 0 {
			w.end(below, fmt.Sprintf("of more than %d files and folders the rest is not read: move what is no agent away", w.most.entries))
			return
		}
		switch {
		case entry.IsDir() && !isLock(below):
			w.folder(below, depth+1)
		case entry.Type().IsRegular() && IsFileName(below):
			w.file(below)
		}
	}
}

// list returns the entries of a folder by name, and no more than one beyond the
// limit.
func (w *walker) list(rel string) ([]fs.DirEntry, error) {
	f, err := w.open(rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var entries []fs.DirEntry
	for len(entries) <= w.left.entries && w.ctx.Err() == nil {
		part, partErr := f.ReadDir(min(256, w.left.entries+1-len(entries)))
		entries = append(entries, part...)
		if errors.Is(partErr, io.EOF) {
			break
		}
		if err = partErr; err != nil {
			break
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// file reads one file.
func (w *walker) file(rel string) {
	text, err := w.read(rel, min(MaxFileSize, w.left.bytes))
	if w.left.bytes -= int64(len(text)); err == nil && w.left.bytes < 0 {
		w.end(rel, fmt.Sprintf("of more than %d bytes the rest is not read: move what is no agent away", w.most.bytes))
		return
	}
	if err == nil {
		err = checkText(text)
	}
	if err != nil {
		w.fail(rel, fmt.Errorf("reading the file: %w", err))
		return
	}
	profile, err := ParseProfile(text)
	w.files = append(w.files, File{Rel: rel, Text: text, Profile: profile, Err: err})
}

func (w *walker) fail(rel string, err error) { w.files = append(w.files, File{Rel: rel, Err: err}) }

// end lists where the reading ended, and why.
func (w *walker) end(rel, reason string) {
	w.ended = true
	w.fail(rel, fmt.Errorf("%w: %s", ErrTooMany, reason))
}
