package skills

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func copyRoots(dir string) []Root {
	return []Root{
		user(filepath.Join(dir, "user")), agents(filepath.Join(dir, "agents")),
		{Path: filepath.Join(dir, "project"), Scope: Project}, plugin(filepath.Join(dir, "plugin")),
	}
}

func TestCopyToUser(t *testing.T) {
	dir := folder(t)
	write(t, dir, "user/own/SKILL.md", "own")
	write(t, dir, "clone/SKILL.md", "clone")
	write(t, dir, "clone/nested/SKILL.md", "nested")
	link(t, "../clone", dir, "agents/linked")
	for _, root := range []string{"agents", "project", "plugin"} {
		write(t, dir, root+"/"+root+"/SKILL.md", root)
		write(t, dir, root+"/"+root+"/dist/.hidden/data", "1")
		link(t, "dist/.hidden/data", dir, root+"/"+root+"/to-file")
		link(t, "..", dir, root+"/"+root+"/dist/up")
		link(t, "not-there", dir, root+"/"+root+"/dangling")
	}
	write(t, dir, "plugin/deep/er/SKILL.md", "er")
	tests := []struct{ path, name string }{
		{"agents/agents", "agents"}, {"project/project", "project"}, {"plugin/plugin", "plugin"},
		{"agents/linked", "linked"}, {"plugin/deep/er", "er"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			source := filepath.Join(dir, filepath.FromSlash(tt.path))
			before := listing(t, dir)
			got, err := CopyToUser(t.Context(), copyRoots(dir), filepath.Join(source, "SKILL.md"), filepath.Join(dir, "user"))
			if err != nil {
				t.Fatal(err)
			}
			target := filepath.Join(dir, "user", tt.name)
			if want := filepath.Join(target, "SKILL.md"); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			real, err := filepath.EvalSymlinks(source)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(listing(t, real), listing(t, target)); diff != "" {
				t.Errorf("copy (-want +got):\n%s", diff)
			}
			after := slices.DeleteFunc(listing(t, dir), func(line string) bool { return strings.HasPrefix(line, "user/"+tt.name+"/") })
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("everything else (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCopyKeepsPermissions(t *testing.T) {
	dir := folder(t)
	path := write(t, dir, "agents/a/SKILL.md", "a")
	write(t, dir, "agents/a/run.sh", "x")
	write(t, dir, "agents/a/secret/key", "x")
	modes := map[string]fs.FileMode{"run.sh": 0o755 | fs.ModeSetuid, "SKILL.md": 0o644, "secret/key": 0o400, "secret": 0o500}
	for name, mode := range modes {
		if err := os.Chmod(filepath.Join(dir, "agents/a", name), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "agents/a/secret"), 0o700) })
	if _, err := CopyToUser(t.Context(), copyRoots(dir), path, filepath.Join(dir, "new", "skills")); err != nil {
		t.Fatal(err)
	}
	want := map[string]fs.FileMode{"a/run.sh": 0o755, "a/SKILL.md": 0o644, "a/secret/key": 0o400, "a/secret": 0o700 | fs.ModeDir, ".": 0o700 | fs.ModeDir}
	for name, mode := range want {
		info, err := os.Stat(filepath.Join(dir, "new", "skills", name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != mode {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), mode)
		}
	}
}

func TestCopyRefuses(t *testing.T) {
	const out = `copying a skill: the skill's folder holds a link that leads out of it: "x"; replace it by what it names first`
	const none = "copying a skill: there is no SKILL.md in this folder that could be copied: list the skills to see their paths"
	const large = "copying a skill: the skill's folder is too large, the limit is 100 MiB and 10,000 entries: copy it by hand"
	dir := folder(t)
	write(t, dir, "outside/SKILL.md", "canary")
	write(t, dir, "user/taken/SKILL.md", "old")
	write(t, dir, "agents/SKILL.md", "root")
	for _, name := range []string{"taken", "absolute", "relative", "chain", "maze", "large", "many", "deep", "con", "a."} {
		write(t, dir, "agents/"+name+"/SKILL.md", "new")
	}
	link(t, filepath.Join(dir, "outside"), dir, "agents/absolute/x")
	link(t, "../../outside", dir, "agents/relative/x")
	link(t, "..", dir, "agents/chain/sub/up")
	link(t, "sub/up/../y", dir, "agents/chain/x")               // looks as if it stayed, and does not
	link(t, "not-there/../../../outside", dir, "agents/maze/x") // leads out once not-there is made
	if err := os.Truncate(filepath.Join(dir, "agents/large/SKILL.md"), maxCopyBytes+1); err != nil {
		t.Fatal(err)
	}
	for i := range maxCopyEntries {
		write(t, dir, fmt.Sprintf("agents/many/%d", i), "")
	}
	write(t, dir, "agents/deep/"+strings.Repeat("d/", maxCopyDepth+1)+"x", "")
	write(t, dir, "agents/folder-in-place/SKILL.md/x", "")
	link(t, filepath.Join(dir, "outside", "SKILL.md"), dir, "agents/linked-file/SKILL.md")
	link(t, "nothing", dir, "agents/dangling")
	link(t, filepath.Join(dir, "outside"), dir, "plugin/linked")
	link(t, filepath.Join(dir, "outside"), dir, "user/mine")
	tests := []struct {
		path string
		kind error
		want string
	}{
		{"agents/taken", ErrExists, "copying a skill: a skill named 'taken' already exists in the user skills root"},
		{"user/taken", ErrInvalid, "copying a skill: this skill already lives in the user skills root"},
		{"user/mine", ErrInvalid, "copying a skill: this skill already lives in the user skills root"},
		{"agents", ErrInvalid, "copying a skill: this SKILL.md lies in a skills root itself: move it into a folder of its own first"},
		{"outside", ErrOutside, "copying a skill: only skills under a skills folder that ZCode looks into can be copied"},
		{"plugin/linked", ErrOutside, "copying a skill: the skill is reached through a link: only what lies in the skills folder itself is touched"},
		{"agents/nothing", ErrUnknown, "copying a skill: there is no such skill: list the skills to see their paths"},
		{"agents/dangling", ErrUnknown, "copying a skill: there is no such skill: list the skills to see their paths"},
		{"agents/folder-in-place", ErrUnknown, none},
		{"agents/linked-file", ErrUnknown, none},
		{"agents/absolute", ErrInvalid, out},
		{"agents/relative", ErrInvalid, out},
		{"agents/chain", ErrInvalid, out},
		{"agents/maze", ErrInvalid, out},
		{"agents/large", ErrInvalid, large},
		{"agents/many", ErrInvalid, large},
		{"agents/deep", ErrInvalid, "copying a skill: the skill's folder has more than 100 levels: copy it by hand"},
		{"agents/con", ErrInvalid, "copying a skill: a skill's folder must not have a name that Windows keeps for a device (con, nul, com1 …): rename it"},
		{"agents/a.", ErrInvalid, "copying a skill: a skill's folder must not end in a dot or a space: rename it"},
	}
	before := listing(t, filepath.Join(dir, "user"))
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			path := filepath.Join(dir, filepath.FromSlash(tt.path), "SKILL.md")
			_, err := CopyToUser(t.Context(), copyRoots(dir), path, filepath.Join(dir, "user"))
			if !errors.Is(err, tt.kind) || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			if diff := cmp.Diff(before, listing(t, filepath.Join(dir, "user"))); diff != "" {
				t.Errorf("user root (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := CopyToUser(t.Context(), copyRoots(dir), filepath.Join(dir, "agents/taken/SKILL.md"), "relative"); !errors.Is(err, ErrInvalid) {
		t.Errorf("relative user root: got %v, want ErrInvalid", err)
	}
}

// TestCopyIntoItself has the user's root inside the skill, reached through a link.
func TestCopyIntoItself(t *testing.T) {
	dir := folder(t)
	write(t, dir, "home/SKILL.md", "x")
	write(t, dir, "home/a/file", "x")
	link(t, filepath.Join(dir, "home"), dir, "agents/home")
	_, err := CopyToUser(t.Context(), copyRoots(dir), filepath.Join(dir, "agents/home/SKILL.md"), filepath.Join(dir, "home/skills"))
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "into itself") {
		t.Errorf("got %v, want a refusal", err)
	}
	if diff := cmp.Diff([]string{"SKILL.md: x", "a/", "a/file: x"}, listing(t, filepath.Join(dir, "home"))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestCopyNeverReplaces lets another program take the name while the copy is made.
func TestCopyNeverReplaces(t *testing.T) {
	for name, take := range map[string]func(dir, at string){
		"folder":       func(dir, at string) { write(t, dir, at+"/SKILL.md", "theirs") },
		"empty folder": func(dir, at string) { mkdir(t, filepath.Join(dir, at)) },
		"file":         func(dir, at string) { write(t, dir, at, "theirs") },
		"link":         func(dir, at string) { link(t, "nothing", dir, at) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			write(t, dir, "agents/a/SKILL.md", "ours")
			mkdir(t, filepath.Join(dir, "user"))
			source, target := openRoot(t, filepath.Join(dir, "agents/a")), openRoot(t, filepath.Join(dir, "user"))
			ctx := &hook{Context: t.Context(), do: func() { take(dir, "user/a") }}
			if err := copyInto(ctx, source, target, "a"); !errors.Is(err, ErrExists) {
				t.Errorf("got %v, want ErrExists", err)
			}
			want := folder(t)
			take(want, "user/a")
			if diff := cmp.Diff(listing(t, filepath.Join(want, "user")), listing(t, filepath.Join(dir, "user"))); diff != "" {
				t.Errorf("user root (-want +got):\n%s", diff)
			}
		})
	}
}

// hook does something the first time that it is asked whether to stop.
type hook struct {
	context.Context
	do func()
}

func (h *hook) Err() error {
	if h.do != nil {
		h.do()
		h.do = nil
	}
	return h.Context.Err()
}

func openRoot(t *testing.T, path string) *os.Root {
	t.Helper()
	r, err := os.OpenRoot(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// countdown is cancelled once it has been asked a number of times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCopyCancelledLeavesNothing cancels at every place where the copy looks.
func TestCopyCancelledLeavesNothing(t *testing.T) {
	dir := folder(t)
	path := write(t, dir, "agents/a/SKILL.md", strings.Repeat("x", 100_000))
	write(t, dir, "agents/a/b/file", "x")
	link(t, "b", dir, "agents/a/link")
	for i := range 20 {
		mkdir(t, filepath.Join(dir, "agents/a/empty", fmt.Sprint(i)))
	}
	for n := range 1000 {
		userRoot := filepath.Join(dir, "user", "skills")
		_, err := CopyToUser(&countdown{t.Context(), n}, copyRoots(dir), path, userRoot)
		if err == nil {
			if n < 24 { // once for each entry at least
				t.Errorf("the copy looked %d times only", n)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled after %d: got %v", n, err)
		}
		if left := listing(t, filepath.Join(dir, "user")); len(left) > 0 {
			t.Fatalf("cancelled after %d: left %v", n, left)
		}
	}
	t.Error("the copy never came to its end")
}
