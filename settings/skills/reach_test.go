package skills

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func settings(path string) Root {
	return Root{Path: path, Scope: User, Origin: FromSettings, Reach: Shallow}
}

func single(path string) Root {
	return Root{Path: path, Scope: Plugin, Origin: "tools@market", Reach: Single}
}

// reachWorld has the same three levels of skills in each of some folders.
func reachWorld(t *testing.T) string {
	t.Helper()
	dir := folder(t)
	for _, root := range []string{"deep", "shallow", "single"} {
		for _, at := range []string{"", "a/", "a/b/"} {
			write(t, dir, root+"/"+at+"SKILL.md", described(root+strings.ReplaceAll(at, "/", "")))
		}
	}
	return dir
}

func names(list []Skill) []string {
	var all []string
	for _, s := range list {
		all = append(all, s.Name)
	}
	return all
}

func TestScanReach(t *testing.T) {
	dir := reachWorld(t)
	list, problems := Scan([]Root{
		user(filepath.Join(dir, "deep")), settings(filepath.Join(dir, "shallow")), single(filepath.Join(dir, "single")),
	})
	want := []string{"deep", "deepa", "deepab", "shallow", "shallowa", "single"}
	if diff := cmp.Diff(want, names(list)); diff != "" || problems != nil {
		t.Errorf("names (-want +got):\n%s problems %v", diff, problems)
	}
}

// TestScanRootsInsideEachOther: what only the CLI looks into neither hides a folder
// of the desktop app nor is hidden, and takes no skill from it.
func TestScanRootsInsideEachOther(t *testing.T) {
	dir := reachWorld(t)
	for name, more := range map[string][]Root{
		"around": {settings(dir)},
		"same":   {settings(filepath.Join(dir, "deep"))},
		"inside": {settings(filepath.Join(dir, "deep", "a")), single(filepath.Join(dir, "deep", "a", "b"))},
	} {
		t.Run(name, func(t *testing.T) {
			list, problems := Scan(append([]Root{user(filepath.Join(dir, "deep"))}, more...))
			if problems != nil {
				t.Errorf("got problems %v", problems)
			}
			want := []string{"deep", "deepa", "deepab"}
			if name == "around" {
				want = append(want, "shallow", "single")
			}
			if diff := cmp.Diff(want, names(list)); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
			for _, s := range list {
				if strings.HasPrefix(s.Name, "deep") && s.Origin != "" {
					t.Errorf("%s has the origin %q, want that of ZCode's own folder", s.Name, s.Origin)
				}
			}
		})
	}
}

// TestScanSettingsShadowNothing: the desktop app knows nothing of these folders.
func TestScanSettingsShadowNothing(t *testing.T) {
	dir := folder(t)
	write(t, dir, "more/x/SKILL.md", described("x"))
	write(t, dir, "agents/x/SKILL.md", described("x"))
	list, _ := Scan([]Root{agents(filepath.Join(dir, "agents")), settings(filepath.Join(dir, "more"))})
	if len(list) != 2 || list[0].Flags != nil || list[1].Flags != nil {
		t.Errorf("got %+v, want two skills without flags", list)
	}
}

func TestCopyReach(t *testing.T) {
	tests := []struct {
		path string
		want error
	}{
		{"shallow/a", nil},
		{"shallow", ErrInvalid},
		{"shallow/a/b", ErrOutside},
		{"single", nil},
		{"single/a", ErrOutside},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			dir := reachWorld(t)
			roots := []Root{user(filepath.Join(dir, "deep")), settings(filepath.Join(dir, "shallow")), single(filepath.Join(dir, "single"))}
			source := filepath.Join(dir, filepath.FromSlash(tt.path))
			got, err := CopyToUser(t.Context(), roots, filepath.Join(source, "SKILL.md"), filepath.Join(dir, "user"))
			if !errors.Is(err, tt.want) {
				t.Fatalf("got %v, want %v", err, tt.want)
			}
			if err == nil {
				if diff := cmp.Diff(listing(t, source), listing(t, filepath.Dir(got))); diff != "" || filepath.Base(filepath.Dir(got)) != filepath.Base(source) {
					t.Errorf("copy %s (-want +got):\n%s", got, diff)
				}
			}
		})
	}
}

// TestCopySingleIsNoLink: a plugin does not lead out of itself, not even where its
// manifest names the link.
func TestCopySingleIsNoLink(t *testing.T) {
	dir := folder(t)
	write(t, dir, "outside/SKILL.md", "canary")
	link(t, "../outside", dir, "plugin/tool")
	_, err := CopyToUser(t.Context(), []Root{single(filepath.Join(dir, "plugin", "tool"))}, filepath.Join(dir, "plugin", "tool", "SKILL.md"), filepath.Join(dir, "user"))
	if !errors.Is(err, ErrOutside) {
		t.Errorf("got %v, want ErrOutside", err)
	}
}

// TestDeleteBesideSettings: naming a folder in the settings takes nothing from the
// user's own, and makes nothing deletable.
func TestDeleteBesideSettings(t *testing.T) {
	dir := reachWorld(t)
	own := user(filepath.Join(dir, "deep"))
	inside := settings(filepath.Join(dir, "deep", "a"))
	for _, roots := range [][]Root{{own, inside}, {inside, own}} {
		for _, path := range []string{"deep/a/b", "deep/a"} {
			if _, err := CheckDelete(roots, filepath.Join(dir, filepath.FromSlash(path), "SKILL.md")); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if _, err := Delete([]Root{own, settings(filepath.Join(dir, "shallow"))}, filepath.Join(dir, "shallow", "a", "SKILL.md")); !errors.Is(err, ErrOutside) {
		t.Errorf("got %v, want ErrOutside", err)
	}
}
