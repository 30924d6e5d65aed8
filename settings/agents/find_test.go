package agents

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree writes agents, a name under each path, and scans them.
func tree(t *testing.T, names map[string]string) []File {
	t.Helper()
	dir := t.TempDir()
	for rel, name := range names {
		put(t, dir, rel, named(name))
	}
	return scan(t, dir)
}

func TestFind(t *testing.T) {
	files := tree(t, map[string]string{"a.md": "Foo", "b.md": "foo", "c/d.md": "twice", "e.md": "twice", "fi.md": "\ufb01x", "k.md": "kelvin"})
	for name, want := range map[string]string{"Foo": "a.md", "foo": "b.md", " foo\n": "b.md", "\ufb01x": "fi.md"} {
		if f, err := Find(files, name); err != nil || f.Rel != want {
			t.Errorf("Find(%q) = %s, %v, want %s", name, f.Rel, err, want)
		}
	}
	for _, name := range []string{"FOO", "a", "a.md", "", "fix", "\u212aelvin"} {
		if f, err := Find(files, name); !errors.Is(err, ErrUnknown) {
			t.Errorf("Find(%q) = %s, %v, want %v", name, f.Rel, err, ErrUnknown)
		}
	}
	_, err := Find(files, "twice")
	var ambiguous *AmbiguousError
	if !errors.As(err, &ambiguous) || !errors.Is(err, ErrAmbiguous) {
		t.Fatalf("got %v, want an ambiguous name", err)
	}
	want := &AmbiguousError{"twice", []string{files[2].Path, files[3].Path}}
	if diff := cmp.Diff(want, ambiguous); diff != "" || !strings.HasSuffix(want.Paths[1], "e.md") {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, path := range want.Paths {
		if !strings.Contains(err.Error(), path) {
			t.Errorf("%v does not name %s", err, path)
		}
	}
}

func TestNamesThatAreNotToldApart(t *testing.T) {
	files := tree(t, map[string]string{"a.md": "Foo", "b.md": "foo", "c.md": "twice", "d.md": "twice", "e.md": "alone"})
	want := []string{
		"2 name differs only in case from that in b.md: ZCode switches both on and off together",
		"2 name differs only in case from that in a.md: ZCode switches both on and off together",
		"2 name is that of the agent in d.md too",
		"2 name is that of the agent in c.md too",
		"",
	}
	for i, f := range files {
		got := ""
		for _, w := range f.Profile.Warnings {
			got += fmt.Sprint(w.Line, " ", w.Key, " ", w.Reason)
		}
		if !strings.HasPrefix(got, want[i]) || want[i] == "" && got != "" {
			t.Errorf("%s: got %q, want %q", f.Rel, got, want[i])
		}
	}
}

func TestFree(t *testing.T) {
	files := tree(t, map[string]string{"Bar.markdown": "Foo", "old.md": "other", "sub/free.md": "sub-agent", "Upper.MD": "mine"})
	for name, want := range map[string]error{
		"Foo": ErrExists, "foo": ErrExists, "old": ErrExists, "OLD": ErrExists, "upper": ErrExists,
		"bar": nil, "free": nil, "sub": nil, "new": nil,
	} {
		if err := Free(files, name); !errors.Is(err, want) {
			t.Errorf("Free(%q) = %v, want %v", name, err, want)
		}
	}
}
