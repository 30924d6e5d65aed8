package skills

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// world makes folders with skills, and things outside that must stay.
func world(t testing.TB) string {
	t.Helper()
	dir := folder(t)
	write(t, dir, "outside/SKILL.md", "canary")
	write(t, dir, "user/a/SKILL.md", "a")
	write(t, dir, "user/a/deep/er/file", "12345")
	write(t, dir, "user/b/SKILL.md", "b")
	write(t, dir, "user/empty/README.md", "none")
	write(t, dir, "user/pack/one/SKILL.md", "one")
	write(t, dir, "user/SKILL.md", "root")
	link(t, filepath.Join(dir, "outside"), dir, "user/linked")
	link(t, "b", dir, "user/within")
	link(t, "nothing", dir, "user/dangling")
	link(t, "../../outside/SKILL.md", dir, "user/linked-file/SKILL.md")
	link(t, "/", dir, "user/system")
	write(t, dir, "plugin/p/SKILL.md", "p")
	return dir
}

func worldRoots(dir string) []Root {
	return []Root{user(filepath.Join(dir, "user")), plugin(filepath.Join(dir, "plugin"))}
}

func TestDelete(t *testing.T) {
	tests := []struct {
		path string
		want Deleted
		gone []string
	}{
		{"user/a/SKILL.md", Deleted{Files: 2, Bytes: 6}, []string{"user/a/", "user/a/SKILL.md: a", "user/a/deep/", "user/a/deep/er/", "user/a/deep/er/file: 12345"}},
		{"user/pack/one/SKILL.md", Deleted{Files: 1, Bytes: 3}, []string{"user/pack/one/", "user/pack/one/SKILL.md: one"}},
		{"user/linked/SKILL.md", Deleted{Link: true}, []string{"user/linked -> DIR/outside"}},
		{"user/within/SKILL.md", Deleted{Link: true}, []string{"user/within -> b"}},
		{"user/dangling/SKILL.md", Deleted{Link: true}, []string{"user/dangling -> nothing"}},
		{"user/system/SKILL.md", Deleted{Link: true}, []string{"user/system -> /"}},
		{"user/linked-file/SKILL.md", Deleted{Files: 1}, []string{"user/linked-file/", "user/linked-file/SKILL.md -> ../../outside/SKILL.md"}},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			dir := world(t)
			want := slices.DeleteFunc(listing(t, dir), func(line string) bool {
				return slices.Contains(tt.gone, strings.ReplaceAll(line, dir, "DIR"))
			})
			path := filepath.Join(dir, filepath.FromSlash(tt.path))
			got, err := Delete(worldRoots(dir), path)
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Path = filepath.Dir(path)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Delete (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want, listing(t, dir)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if _, err := Delete(worldRoots(dir), path); !errors.Is(err, ErrUnknown) {
				t.Errorf("deleting again: got %v, want ErrUnknown", err)
			}
		})
	}
}

func TestDeleteRefuses(t *testing.T) {
	const only = "deleting a skill: only skills under the user skill roots can be deleted"
	const none = "deleting a skill: there is no SKILL.md in this folder: list the skills to see their paths"
	const missing = "deleting a skill: there is no such skill: list the skills to see their paths"
	const through = "deleting a skill: the skill is reached through a link: only what lies in the skills folder itself is touched"
	tests := []struct {
		path string
		kind error
		want string
	}{
		{"user/SKILL.md", ErrInvalid, "deleting a skill: refusing to delete the skills root itself"},
		{"user/x/SKILL.md", ErrUnknown, missing},
		{"user/x/y/SKILL.md", ErrUnknown, missing},
		{"user/empty/SKILL.md", ErrUnknown, none},
		{"user/pack/SKILL.md", ErrUnknown, none},
		{"user/empty/README.md/SKILL.md", ErrUnknown, none},
		{"user/empty/README.md/x/SKILL.md", ErrUnknown, missing},
		{"user/a/SKILL.md/SKILL.md", ErrUnknown, none},
		{"user/a/skill.md", ErrInvalid, "deleting a skill: skill path must point at a SKILL.md file"},
		{"user/a", ErrInvalid, "deleting a skill: skill path must point at a SKILL.md file"},
		{"plugin/p/SKILL.md", ErrOutside, only},
		{"outside/SKILL.md", ErrOutside, only},
		{"SKILL.md", ErrOutside, only},
		{"userx/a/SKILL.md", ErrOutside, only},
		{"user/within/x/SKILL.md", ErrOutside, through},
		{"user/linked/x/SKILL.md", ErrOutside, through},
		{"user/system/etc/SKILL.md", ErrOutside, through},
	}
	dir := world(t)
	before := listing(t, dir)
	for _, tt := range tests {
		_, err := Delete(worldRoots(dir), filepath.Join(dir, filepath.FromSlash(tt.path)))
		if !errors.Is(err, tt.kind) || err.Error() != tt.want {
			t.Errorf("Delete(%s): got %v, want %s", tt.path, err, tt.want)
		}
	}
	for _, path := range []string{"", "user/a/SKILL.md", dir + "/user/../outside/SKILL.md", dir + "/user/a\x00/SKILL.md"} {
		if _, err := Delete(worldRoots(dir), path); !errors.Is(err, ErrInvalid) {
			t.Errorf("Delete(%q): got %v, want ErrInvalid", path, err)
		}
	}
	if _, err := Delete(nil, filepath.Join(dir, "user", "a", "SKILL.md")); !errors.Is(err, ErrOutside) {
		t.Errorf("without roots: got %v, want ErrOutside", err)
	}
	gone := []Root{user(filepath.Join(dir, "gone"))}
	if _, err := Delete(gone, filepath.Join(dir, "gone", "a", "SKILL.md")); !errors.Is(err, ErrUnknown) {
		t.Errorf("missing root: got %v, want ErrUnknown", err)
	}
	if diff := cmp.Diff(before, listing(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestDeleteTakesTheInnermostRoot keeps a root that lies in another one.
func TestDeleteTakesTheInnermostRoot(t *testing.T) {
	dir := world(t)
	outer, inner := user(filepath.Join(dir, "user")), plugin(filepath.Join(dir, "user", "pack"))
	path := filepath.Join(dir, "user", "pack", "one", "SKILL.md")
	for _, roots := range [][]Root{{outer, inner}, {inner, outer}} {
		if _, err := Delete(roots, path); !errors.Is(err, ErrOutside) {
			t.Errorf("got %v, want ErrOutside: the innermost root is not deletable", err)
		}
	}
}

// TestDeleteUnderALinkedRoot takes the path in both of its spellings.
func TestDeleteUnderALinkedRoot(t *testing.T) {
	dir := world(t)
	link(t, "user", dir, "spelt")
	roots := []Root{user(filepath.Join(dir, "spelt"))}
	for _, path := range []string{"spelt/a/SKILL.md", "user/b/SKILL.md"} {
		if _, err := Delete(roots, filepath.Join(dir, path)); err != nil {
			t.Errorf("Delete(%s): %v", path, err)
		}
	}
	for _, name := range []string{"a", "b"} {
		if _, err := os.Lstat(filepath.Join(dir, "user", name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}

func TestDeleteOddNames(t *testing.T) {
	for _, name := range []string{"a b", "trailing.", "trailing ", "con", "-rf", "ünï", "a\nb", "*", strings.Repeat("x", 255), strings.Repeat("é", 127)} {
		root := folder(t)
		path := write(t, root, name+"/SKILL.md", "x")
		if _, err := Delete([]Root{user(root)}, path); err != nil {
			t.Errorf("Delete(%q): %v", name, err)
		}
		if left := listing(t, root); len(left) > 0 {
			t.Errorf("Delete(%q) left %v", name, left)
		}
	}
}

// TestDeleteClearsLeftovers removes what a killed call has left an hour ago, and
// nothing that only looks like it.
func TestDeleteClearsLeftovers(t *testing.T) {
	root := folder(t)
	stamp := func(age time.Duration) string { return time.Now().UTC().Add(-age).Format(stampLayout) }
	const random = "ABCDEFGHIJKLMNOPQRSTUVWX27"
	old, young := stamp(2*time.Hour), stamp(time.Minute)
	for _, gone := range []string{".a.zcode-acp-deleted-" + old + "-" + random, ".b.zcode-acp-new-" + old + "-" + random} {
		write(t, root, gone+"/SKILL.md", "x")
	}
	stay := []string{
		".a.zcode-acp-deleted-" + young + "-" + random,
		"a.b.zcode-acp-deleted-" + old + "-" + random,
		".a.zcode-acp-deleted-" + old + "-short",
		".a.zcode-acp-kept-" + old + "-" + random,
		".a.deleted-" + old + "-" + random,
		".a.zcode-acp-deleted-" + stamp(-time.Hour) + "-" + random,
	}
	for _, name := range stay {
		write(t, root, name+"/SKILL.md", "x")
	}
	if _, err := Delete([]Root{user(root)}, write(t, root, "x/SKILL.md", "x")); err != nil {
		t.Fatal(err)
	}
	want := []string{}
	for _, name := range stay {
		want = append(want, name+"/", name+"/SKILL.md: x")
	}
	slices.Sort(want)
	got := listing(t, root)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestHiddenNameIsOurs(t *testing.T) {
	for _, name := range []string{"a", "..", strings.Repeat("x", 255), strings.Repeat("é", 127), "a\nb"} {
		hidden := hiddenName(name, "deleted")
		if len(hidden) > 255 || !ignored(hidden) || (!hiddenPattern().MatchString(hidden) && !strings.Contains(name, "\n")) {
			t.Errorf("hiddenName(%q) = %q", name, hidden)
		}
	}
}
