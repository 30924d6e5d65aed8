package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// put writes a file below a folder.
func put(t testing.TB, dir, rel string, text []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t testing.TB, target, dir, rel string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(rel))); err != nil {
		if runtime.GOOS == "windows" {
			t.Logf("no symbolic links here: %v", err)
			return
		}
		t.Fatal(err)
	}
}

func scan(t testing.TB, dir string) []File {
	t.Helper()
	files, err := Scan(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// rels are the files that are listed, with a mark on those that are no agents.
func rels(files []File) []string {
	var list []string
	for _, f := range files {
		if f.Err != nil {
			f.Rel += " !"
		}
		list = append(list, f.Rel)
	}
	return list
}

func named(name string) []byte {
	return []byte("---\nname: " + name + "\ndescription: d\n---\n\nBody\n")
}

func TestCaseScan(t *testing.T) {
	dir, err := filepath.Abs("testdata/agents")
	if err != nil {
		t.Fatal(err)
	}
	files := scan(t, "testdata/agents")
	want := []string{"Bar.markdown", "block-scalar.md", "colon.md", "crlf.md", "duplicate-key.md", "nested/deep.md", "no-frontmatter.md !"}
	if diff := cmp.Diff(want, rels(files)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if err := files[6].Err; !errors.Is(err, ErrNotAgent) {
		t.Errorf("no-frontmatter.md: got %v, want no agent", err)
	}
	foo, err := Find(files, "Foo")
	if err != nil {
		t.Fatal(err)
	}
	if foo.Path != filepath.Join(dir, "Bar.markdown") || string(foo.Text) != testFile(t, "agents/Bar.markdown") {
		t.Errorf("Foo: got %s with %q", foo.Path, foo.Text)
	}
	deep, err := Find(files, " nested-one ")
	if err != nil {
		t.Fatal(err)
	}
	if deep.Path != filepath.Join(dir, "nested", "deep.md") || UserID(deep.Profile.Name) != "user:user:nested-one" {
		t.Errorf("nested-one: got %s, %s", deep.Path, UserID(deep.Profile.Name))
	}
}

func TestScan(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "agents")
	put(t, outer, "elsewhere/outside.md", named("outside"))
	for _, rel := range []string{"a.md", "B.MD", "c.Markdown", "sub/sub/d.md", "sub.md", ".hidden/e.md", ".f.md", "folder.md/g.md", "with space ö.md",
		"x.md.lock/h.md", "i.md.bak-2026-09-22T14-10-00-000Z", "j.txt", "md", "k.md~", "l.mdx"} {
		put(t, dir, rel, named("n"+fmt.Sprint(len(rel))+strings.ReplaceAll(rel, "/", "-")))
	}
	put(t, dir, "big.md", bytes.Repeat([]byte("---\n"), MaxFileSize/4+1))
	put(t, dir, "just.md", append(named("just"), bytes.Repeat([]byte("x"), MaxFileSize-len(named("just")))...))
	put(t, dir, "latin.md", []byte("---\nname: caf\xe9\ndescription: d\n---\n"))
	put(t, dir, "empty.md", nil)
	link(t, "/", dir, "root")
	link(t, ".", dir, "loop")
	link(t, "..", dir, "sub/up")
	link(t, "../elsewhere", dir, "out")
	link(t, "a.md", dir, "link.md")
	link(t, "../elsewhere/outside.md", dir, "outside.md")
	link(t, "dangling.md", dir, "dangling.md")
	files := scan(t, dir)
	want := []string{".f.md", ".hidden/e.md", "B.MD", "a.md", "big.md !", "c.Markdown", "empty.md !", "folder.md/g.md", "just.md",
		"latin.md !", "sub.md", "sub/sub/d.md", "with space ö.md"}
	if diff := cmp.Diff(want, rels(files)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, f := range files {
		if f.Path != filepath.Join(dir, filepath.FromSlash(f.Rel)) {
			t.Errorf("%s: got path %s", f.Rel, f.Path)
		}
		if want := map[string]error{"big.md": ErrTooLarge, "latin.md": ErrNotUTF8, "empty.md": ErrNotAgent}[f.Rel]; !errors.Is(f.Err, want) {
			t.Errorf("%s: got %v, want %v", f.Rel, f.Err, want)
		}
	}
}

func TestScanOfOddRoots(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "real/a.md", named("abc"))
	put(t, dir, "file", nil)
	link(t, "real", dir, "link")
	if files, err := Scan(t.Context(), filepath.Join(dir, "missing")); files != nil || err != nil {
		t.Errorf("missing: got %v, %v, want nothing", files, err)
	}
	for _, name := range []string{"file", "link"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			continue // where there are no links
		}
		if files, err := Scan(t.Context(), filepath.Join(dir, name)); files != nil || !errors.Is(err, ErrRoot) {
			t.Errorf("%s: got %v, %v, want %v", name, files, err, ErrRoot)
		}
	}
	link(t, dir, t.TempDir(), "home") // a link above the root is followed
	if files := scan(t, filepath.Join(dir, "real")); len(files) != 1 {
		t.Errorf("got %v, want one file", files)
	}
}

// A file that goes away, or turns into something else, after it was seen.
func TestReadTextThatChanges(t *testing.T) {
	outer := t.TempDir()
	put(t, outer, "secret.md", named("secret"))
	put(t, outer, "agents/a.md", named("abc"))
	put(t, outer, "agents/folder.md/b.md", named("bcd"))
	link(t, "../secret.md", filepath.Join(outer, "agents"), "out.md")
	r, err := openRoot(filepath.Join(outer, "agents"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, rel := range []string{"gone.md", "out.md", "folder.md"} {
		if text, err := readText(r, rel, MaxFileSize); err == nil || text != nil {
			t.Errorf("%s: got %q, %v, want an error", rel, text, err)
		}
	}
	if _, err := readText(r, "gone.md", MaxFileSize); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want %v", err, fs.ErrNotExist)
	}
	if text, err := readText(r, "a.md", MaxFileSize); err != nil || !bytes.Equal(text, named("abc")) {
		t.Errorf("got %q, %v", text, err)
	}
	if _, err := openFolder(r, "a.md"); err == nil {
		t.Error("a file was opened as a folder")
	}
}

func TestScanOfManyFiles(t *testing.T) {
	dir := t.TempDir()
	const count = 9_000 // and 100 folders, within the limit
	for i := range count {
		put(t, dir, fmt.Sprintf("%02d/agent-%d.md", i%100, i), named(fmt.Sprint("agent-", i)))
	}
	start := time.Now()
	files := scan(t, dir)
	took := time.Since(start)
	if len(files) != count || slices.ContainsFunc(files, func(f File) bool { return f.Err != nil }) {
		t.Errorf("got %d files, want %d agents", len(files), count)
	}
	t.Logf("%d files in %v", count, took)
	if took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}
