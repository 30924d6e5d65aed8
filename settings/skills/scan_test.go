package skills

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// paths are the skills' paths relative to a folder, with slashes.
func paths(t testing.TB, folder string, list []Skill) []string {
	t.Helper()
	found := []string{}
	for _, s := range list {
		rel, err := filepath.Rel(folder, s.Path)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, filepath.ToSlash(rel))
	}
	slices.Sort(found)
	return found
}

func TestScanFields(t *testing.T) {
	dir := folder(t)
	write(t, dir, "root/b/SKILL.md", "---\nname: alpha\ndescription: \"First: one\"\n---\n")
	write(t, dir, "root/a/SKILL.md", "no front matter")
	write(t, dir, "root/c/SKILL.md", "---\nname: alpha\ndescription: Second\n---\n")
	link(t, "root", dir, "spelt")
	list, problems := Scan([]Root{{Path: filepath.Join(dir, "spelt"), Scope: Project, Origin: "/the/project"}})
	if problems != nil {
		t.Errorf("problems = %v, want none", problems)
	}
	skill := func(name, description, in string) Skill {
		return Skill{
			Name: name, Description: description, Scope: Project, Origin: "/the/project",
			Path:     filepath.Join(dir, "spelt", in, "SKILL.md"),
			RealPath: filepath.Join(dir, "root", in, "SKILL.md"),
			Dir:      filepath.Join(dir, "spelt", in),
		}
	}
	want := []Skill{skill("a", "", "a"), skill("alpha", "First: one", "b"), skill("alpha", "Second", "c")}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("Scan (-want +got):\n%s", diff)
	}
}

func TestScanWalk(t *testing.T) {
	deep := func(levels int) string { return strings.Repeat("d/", levels) + "SKILL.md" }
	tests := []struct {
		name  string
		files []string
		want  []string
	}{
		{"root itself", []string{"SKILL.md"}, []string{"SKILL.md"}},
		{"nested and beside", []string{"a/SKILL.md", "a/b/SKILL.md", "c/d/SKILL.md"}, []string{"a/SKILL.md", "a/b/SKILL.md", "c/d/SKILL.md"}},
		{"other names", []string{"a/skill.md", "b/SKILL.MD", "c/SKILL.md.bak", "d/README.md", "e/SKILL.md/x"}, []string{}},
		{"folder called SKILL.md", []string{"SKILL.md/SKILL.md"}, []string{"SKILL.md/SKILL.md"}},
		{"ignored folders", []string{
			"node_modules/SKILL.md", "dist/SKILL.md", "build/SKILL.md", "out/SKILL.md", "target/a/SKILL.md", "vendor/SKILL.md",
			"coverage/SKILL.md", ".cache/SKILL.md", ".next/SKILL.md", ".turbo/SKILL.md", ".venv/SKILL.md", "__pycache__/SKILL.md",
			"a/node_modules/SKILL.md", ".git/SKILL.md", ".hidden/a/SKILL.md",
		}, []string{}},
		{"neighbours of ignored folders", []string{".system/SKILL.md", ".system/a/SKILL.md", "builds/SKILL.md", "Build/SKILL.md", "outer/SKILL.md"},
			[]string{".system/SKILL.md", ".system/a/SKILL.md", "Build/SKILL.md", "builds/SKILL.md", "outer/SKILL.md"}},
		{"eight levels", []string{deep(8)}, []string{deep(8)}},
		{"nine levels", []string{deep(9)}, []string{}},
		{"names that need care", []string{"a b/SKILL.md", "ünï/SKILL.md", "-x/SKILL.md", "a\nb/SKILL.md", "*/SKILL.md"},
			[]string{"*/SKILL.md", "-x/SKILL.md", "a\nb/SKILL.md", "a b/SKILL.md", "ünï/SKILL.md"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := folder(t)
			for _, file := range tt.files {
				write(t, root, file, described("x"))
			}
			list, problems := Scan([]Root{user(root)})
			if diff := cmp.Diff(tt.want, paths(t, root, list)); diff != "" || problems != nil {
				t.Errorf("Scan: problems %v, paths (-want +got):\n%s", problems, diff)
			}
		})
	}
}

func TestScanRoots(t *testing.T) {
	dir := folder(t)
	write(t, dir, "a/x/SKILL.md", described("x"))
	write(t, dir, "b/y/SKILL.md", described("y"))
	write(t, dir, "b/inner/z/SKILL.md", described("z"))
	write(t, dir, "file", "")
	link(t, "a", dir, "linked")
	at := func(name string) Root { return user(filepath.Join(dir, name)) }
	holds := "ZCode does not look into this folder, since it holds another skills folder: "
	tests := []struct {
		name  string
		roots []Root
		want  []string
		told  []string
	}{
		{"none", nil, []string{}, nil},
		{"missing", []Root{at("missing"), at("missing/x")}, []string{}, nil},
		{"twice", []Root{at("a"), at("a")}, []string{"a/x/SKILL.md"}, nil},
		{"linked, first spelling counts", []Root{at("linked"), at("a")}, []string{"linked/x/SKILL.md"}, nil},
		{"one inside the other", []Root{at("b"), at("b/inner")}, []string{"b/inner/z/SKILL.md"}, []string{holds + filepath.Join(dir, "b/inner")}},
		{"inside through a link", []Root{at("linked"), at("a/x")}, []string{"a/x/SKILL.md"}, []string{holds + filepath.Join(dir, "a/x")}},
		{"missing one inside", []Root{at("a"), at("a/missing")}, []string{"a/x/SKILL.md"}, nil},
		{"names that only begin alike", []Root{at("a"), at("ab")}, []string{"a/x/SKILL.md"}, nil},
		{"no folder", []Root{at("file"), at("a")}, []string{"a/x/SKILL.md"}, []string{"the skills folder is not a folder: move it away"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list, problems := Scan(tt.roots)
			var told []string
			for _, p := range problems {
				told = append(told, p.Reason)
			}
			if diff := cmp.Diff(tt.want, paths(t, dir, list)); diff != "" {
				t.Errorf("paths (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.told, told); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
	link(t, "nothing", dir, "a/dangling")
	if _, problems := Scan([]Root{at("a"), at("linked"), at("a")}); len(problems) != 1 {
		t.Errorf("one root thrice: problems %v, want one", problems)
	}
	_, problems := Scan([]Root{{Path: "relative"}})
	if len(problems) != 1 || problems[0].Path != "relative" {
		t.Errorf("relative root: problems %v, want one", problems)
	}
}

// TestScanShadowed flags what the desktop app hides, in `~/.agents/skills` only.
func TestScanShadowed(t *testing.T) {
	dir := folder(t)
	write(t, dir, "user/same-folder/SKILL.md", described("one"))
	write(t, dir, "user/other/SKILL.md", described("same-name"))
	for _, root := range []string{"agents", "project"} {
		write(t, dir, root+"/same-folder/SKILL.md", described("two"))
		write(t, dir, root+"/third/SKILL.md", described("same-name"))
		write(t, dir, root+"/free/SKILL.md", described("Same-Name"))
	}
	list, _ := Scan([]Root{
		{Path: filepath.Join(dir, "project"), Scope: Project},
		agents(filepath.Join(dir, "agents")), user(filepath.Join(dir, "user")),
	})
	var shadowed []Skill
	for _, s := range list {
		if slices.Contains(s.Flags, Shadowed) {
			shadowed = append(shadowed, s)
		}
	}
	want := []string{"agents/same-folder/SKILL.md", "agents/third/SKILL.md"}
	if diff := cmp.Diff(want, paths(t, dir, shadowed)); diff != "" || len(list) != 8 {
		t.Errorf("%d skills, shadowed (-want +got):\n%s", len(list), diff)
	}
}

func TestScanStopsAtTheLimit(t *testing.T) {
	dir := folder(t)
	for i := range maxEntries - 1 {
		write(t, dir, fmt.Sprint(i), "")
	}
	if err := os.Mkdir(filepath.Join(dir, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, problems := Scan([]Root{user(dir)}); problems != nil {
		t.Errorf("10,000 entries: problems %v, want none", problems)
	}
	write(t, dir, "x/SKILL.md", described("x"))
	other := folder(t)
	write(t, other, "y/SKILL.md", described("y"))
	list, problems := Scan([]Root{user(dir), agents(other)})
	if len(problems) != 1 || problems[0].Path != dir || !strings.Contains(problems[0].Reason, "10,000") {
		t.Errorf("10,001 entries: problems %v, want one of this root", problems)
	}
	if len(list) != 1 || list[0].Name != "y" {
		t.Errorf("got %v, want the skill of the other root still", list)
	}
	write(t, dir, "-first/SKILL.md", described("first"))
	if list, problems := Scan([]Root{user(dir)}); len(list) != 0 || len(problems) != 1 {
		t.Errorf("beyond the limit: got %v and %v, want no skill and one problem", list, problems)
	}
}

// TestScanFindsWhatAModelFinds compares with a walk that is written otherwise.
func TestScanFindsWhatAModelFinds(t *testing.T) {
	names := []string{"a", "b", ".system", ".x", "dist", "node_modules", "outer"}
	dir, round := folder(t), 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		root := filepath.Join(dir, fmt.Sprint(round))
		want := []string{}
		for _, parts := range rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom(names), 0, 10), 0, 6).Draw(t, "folders") {
			at := filepath.Join(parts...)
			if err := os.MkdirAll(filepath.Join(root, at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, at, "SKILL.md"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			seen := len(parts) <= 8
			for _, p := range parts {
				seen = seen && p != ".x" && p != "dist" && p != "node_modules"
			}
			if path := filepath.Join(root, at, "SKILL.md"); seen && !slices.Contains(want, path) {
				want = append(want, path)
			}
		}
		list, problems := Scan([]Root{user(root)})
		got := []string{}
		for _, s := range list {
			got = append(got, s.Path)
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || problems != nil {
			t.Errorf("problems %v, paths (-want +got):\n%s", problems, diff)
		}
	})
}
