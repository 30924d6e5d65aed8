package agents

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// treeWalker walks a tree in memory, of which it cannot open one folder.
func treeWalker(tree fstest.MapFS, closed string) *walker {
	most := limits{entries: 100, depth: 16, bytes: 1000}
	return &walker{
		ctx: context.Background(), most: most, left: most,
		open: func(rel string) (folder, error) {
			if rel == closed {
				return nil, &fs.PathError{Op: "open", Path: rel, Err: fs.ErrPermission}
			}
			f, err := tree.Open(rel)
			if err != nil {
				return nil, err
			}
			return f.(fs.ReadDirFile), nil
		},
		read: func(string, int64) ([]byte, error) { return named("abc"), nil },
	}
}

func TestWalkPassesOverClosedFolders(t *testing.T) {
	tree := fstest.MapFS{"a.md": {}, "b/c.md": {}, "d.md": {}}
	for closed, want := range map[string][]string{"b": {"a.md", "b !", "d.md"}, ".": {". !"}, "": {"a.md", "b/c.md", "d.md"}} {
		w := treeWalker(tree, closed)
		w.folder(".", 1)
		if diff := cmp.Diff(want, rels(w.files)); diff != "" {
			t.Errorf("%q closed (-want +got):\n%s", closed, diff)
		}
		for _, f := range w.files {
			if f.Err != nil && !errors.Is(f.Err, fs.ErrPermission) {
				t.Errorf("got %v, want %v", f.Err, fs.ErrPermission)
			}
		}
	}
}

// halfFolder gives one entry and then fails.
type halfFolder struct {
	folder
	given bool
}

func (f *halfFolder) ReadDir(int) ([]fs.DirEntry, error) {
	if f.given {
		return nil, fs.ErrInvalid
	}
	f.given = true
	return f.folder.ReadDir(1)
}

func TestWalkOfAFolderThatEndsEarly(t *testing.T) {
	w := treeWalker(fstest.MapFS{"a.md": {}}, "")
	open := w.open
	w.open = func(rel string) (folder, error) {
		f, err := open(rel)
		return &halfFolder{folder: f}, err
	}
	w.folder(".", 1)
	if diff := cmp.Diff([]string{". !", "a.md"}, rels(w.files)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestScanLimits(t *testing.T) {
	dir := t.TempDir()
	size := int64(len(named("abc")))
	for _, rel := range []string{"a.md", "b.md", "c/d.md", "c/e/f.md", "g.txt", "h.md"} {
		put(t, dir, rel, named("abc"))
	}
	wide := limits{entries: 100, depth: 16, bytes: 1000}
	tests := []struct {
		name string
		most limits
		want []string
	}{
		{"all", limits{8, 3, 5 * size}, []string{"a.md", "b.md", "c/d.md", "c/e/f.md", "h.md"}},
		{"one entry less", limits{7, 3, 5 * size}, []string{"a.md", "b.md", "c/d.md", "c/e/f.md", "h.md !"}},
		{"entries in a folder", limits{4, 16, 1000}, []string{"a.md", "b.md", "c/d.md", "c/e !"}},
		{"one level less", limits{100, 2, 1000}, []string{"a.md", "b.md", "c/d.md", "c/e !", "h.md"}},
		{"one byte less", limits{100, 16, 5*size - 1}, []string{"a.md", "b.md", "c/d.md", "c/e/f.md", "h.md !"}},
		{"two files", limits{100, 16, 2 * size}, []string{"a.md", "b.md", "c/d.md !"}},
		{"wide", wide, []string{"a.md", "b.md", "c/d.md", "c/e/f.md", "h.md"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files, err := scanWithin(t.Context(), dir, tt.most)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, rels(files)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, f := range files {
				if f.Err != nil && (!errors.Is(f.Err, ErrTooMany) || f.Text != nil) {
					t.Errorf("%s: got %v with %d bytes, want %v without text", f.Rel, f.Err, len(f.Text), ErrTooMany)
				}
				if f.Path != filepath.Join(dir, filepath.FromSlash(f.Rel)) {
					t.Errorf("%s: got path %s", f.Rel, f.Path)
				}
			}
		})
	}
}

// The limits that hold for every caller. The files have no blocks on the disk.
func TestScanOfTooMuch(t *testing.T) {
	sparse := t.TempDir()
	const count = 70
	for i := range count {
		path := fmt.Sprintf("%02d.md", i)
		put(t, sparse, path, nil)
		if err := os.Truncate(filepath.Join(sparse, path), MaxFileSize); err != nil {
			t.Fatal(err)
		}
	}
	if files := scan(t, sparse); len(files) != 65 || !errors.Is(files[64].Err, ErrTooMany) || errors.Is(files[63].Err, ErrTooMany) {
		t.Errorf("got %d files, want 64 and then %v", len(files), ErrTooMany)
	}
	deep := t.TempDir()
	put(t, deep, strings.Repeat("d/", 15)+"in.md", named("abc"))
	put(t, deep, strings.Repeat("d/", 16)+"out.md", named("abc"))
	want := []string{strings.Repeat("d/", 15) + "d !", strings.Repeat("d/", 15) + "in.md"}
	if diff := cmp.Diff(want, rels(scan(t, deep))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	many := t.TempDir()
	for i := range 10_001 {
		put(t, many, fmt.Sprintf("%05d.txt", i), nil)
	}
	if diff := cmp.Diff([]string{"10000.txt !"}, rels(scan(t, many))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestScanEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	for i := range 10 {
		put(t, dir, fmt.Sprint(i, ".md"), named("abc"))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if files, err := Scan(ctx, dir); files != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v, want %v", files, err, context.Canceled)
	}

	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	w := treeWalker(fstest.MapFS{"a.md": {}, "b.md": {}, "c.md": {}, "d/e.md": {}}, "")
	w.ctx = ctx
	w.read = func(rel string, _ int64) ([]byte, error) {
		if rel == "b.md" {
			cancel()
		}
		return named("abc"), nil
	}
	w.folder(".", 1)
	if diff := cmp.Diff([]string{"a.md", "b.md"}, rels(w.files)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
