package home

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestProject(t *testing.T) {
	tests := []struct {
		name string
		git  []string // files and, with a slash at the end, folders
		cwd  string
		want []string
	}{
		{"no .git", nil, "a/b", []string{"a/b"}},
		{".git in cwd", []string{"a/b/.git/"}, "a/b", []string{"a/b"}},
		{".git above", []string{"a/.git/"}, "a/b/c", []string{"a", "a/b", "a/b/c"}},
		{"worktree", []string{"a/.git"}, "a/b", []string{"a", "a/b"}},
		{"the nearest counts", []string{"a/.git/", "a/b/.git"}, "a/b/c", []string{"a/b", "a/b/c"}},
		{".git below does not count", []string{"a/b/.git/"}, "a", []string{"a"}},
		{"spelled with dots", []string{"a/.git/"}, "a/x/../b/.", []string{"a", "a/b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			if err := os.MkdirAll(w.path("a/b/c"), 0o700); err != nil {
				t.Fatal(err)
			}
			for _, name := range tt.git {
				if strings.HasSuffix(name, "/") {
					name += "HEAD"
				}
				w.write(name, "gitdir: elsewhere\n")
			}
			var want []string
			for _, dir := range tt.want {
				want = append(want, w.path(dir))
			}
			got, err := Project(w.dir + string(filepath.Separator) + filepath.FromSlash(tt.cwd))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestProjectFollowsNothing goes up by the names of the path: what a link leads to
// has parents of its own.
func TestProjectFollowsNothing(t *testing.T) {
	w := newWorld(t)
	w.write("real/.git/HEAD", "x")
	if err := os.MkdirAll(w.path("real/sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(w.path("real/sub"), w.path("link")); err != nil {
		t.Fatal(err)
	}
	got, err := Project(w.path("link"))
	if diff := cmp.Diff([]string{w.path("link")}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestProjectOfTheTop ends at the top of the disk, whether .git is there or not.
func TestProjectOfTheTop(t *testing.T) {
	top := filepath.VolumeName(t.TempDir()) + string(filepath.Separator)
	got, err := Project(top)
	if diff := cmp.Diff([]string{top}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestProjectRefuses(t *testing.T) {
	w := newWorld(t)
	t.Chdir(w.dir)
	file := w.write("a/file", "x")
	if err := os.Mkdir("a/b", 0o700); err != nil {
		t.Fatal(err)
	}
	for cwd, want := range map[string]string{
		"":                       "give an absolute path",
		".":                      "give an absolute path",
		"a/b":                    "give an absolute path",
		"~":                      "give an absolute path",
		file:                     "it is a file, give the folder that holds it",
		w.path("a/none"):         "it cannot be opened",
		filepath.Join(file, "x"): "it cannot be opened",
		w.path("a") + "\x00":     "it cannot be opened",
	} {
		got, err := Project(cwd)
		if !errors.Is(err, ErrNoProject) || got != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, %v, want %q", cwd, got, err, want)
		}
	}
}

func TestProjectFiles(t *testing.T) {
	a, b := filepath.FromSlash("/p"), filepath.FromSlash("/p/q")
	want := []string{
		filepath.Join(a, "zcode.json"), filepath.Join(a, ".zcode", "config.json"),
		filepath.Join(b, "zcode.json"), filepath.Join(b, ".zcode", "config.json"),
	}
	if diff := cmp.Diff(want, ProjectFiles([]string{a, b})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := ProjectFiles(nil); len(got) != 0 {
		t.Errorf("no folders: %q", got)
	}
}
