package skills

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func project(dir string) Root {
	return Root{Path: filepath.Join(dir, ".zcode", "skills"), Scope: Project, Origin: dir}
}

// TestCopyLinkOfProject: what a project links to may be anything of the user's.
func TestCopyLinkOfProject(t *testing.T) {
	const out = "copying a skill: the skill is reached through a link that leads out of the project's folder: look at what it names, and copy that by hand if you trust it"
	tests := []struct {
		name string
		link func(t *testing.T, dir string) // makes project/.zcode/skills/x
		ok   bool
	}{
		{"neighbour", func(t *testing.T, dir string) { link(t, "real", dir, "project/.zcode/skills/x") }, true},
		{"inside", func(t *testing.T, dir string) { link(t, "../../shared/x", dir, "project/.zcode/skills/x") }, true},
		{"inside by an absolute path", func(t *testing.T, dir string) {
			link(t, filepath.Join(dir, "project/shared/x"), dir, "project/.zcode/skills/x")
		}, true},
		{"out", func(t *testing.T, dir string) { link(t, "../../../outside", dir, "project/.zcode/skills/x") }, false},
		{"out by an absolute path", func(t *testing.T, dir string) {
			link(t, filepath.Join(dir, "outside"), dir, "project/.zcode/skills/x")
		}, false},
		{"out by a link inside", func(t *testing.T, dir string) {
			link(t, "../../outside", dir, "project/shared/away")
			link(t, "../../shared/away", dir, "project/.zcode/skills/x")
		}, false},
		{"beside the project", func(t *testing.T, dir string) {
			write(t, dir, "project2/x/SKILL.md", "canary")
			link(t, "../../../project2/x", dir, "project/.zcode/skills/x")
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := folder(t)
			write(t, dir, "outside/SKILL.md", "canary")
			write(t, dir, "project/shared/x/SKILL.md", "x")
			write(t, dir, "project/.zcode/skills/real/SKILL.md", "x")
			tt.link(t, dir)
			copyLinked(t, dir, tt.ok, out)
		})
	}
	for name, at := range map[string]string{".zcode": "project/.zcode", "skills": "project/.zcode/skills"} {
		for target, ok := range map[string]bool{"outside": false, "project/shared": true} {
			t.Run(name+" is a link to "+target, func(t *testing.T) {
				dir := folder(t)
				write(t, dir, target+"/x/SKILL.md", "x")
				write(t, dir, target+"/skills/x/SKILL.md", "x")
				write(t, dir, "project/README", "x")
				link(t, filepath.Join(dir, target), dir, at)
				copyLinked(t, dir, ok, out)
			})
		}
	}
}

// copyLinked copies project/.zcode/skills/x, or is refused.
func copyLinked(t *testing.T, dir string, ok bool, refusal string) {
	t.Helper()
	roots := []Root{project(filepath.Join(dir, "project"))}
	path := filepath.Join(dir, "project/.zcode/skills/x/SKILL.md")
	_, check := CheckCopy(roots, path, filepath.Join(dir, "user"))
	_, err := CopyToUser(t.Context(), roots, path, filepath.Join(dir, "user"))
	for _, err := range []error{check, err} {
		if ok && err != nil || !ok && (!errors.Is(err, ErrOutside) || err.Error() != refusal) {
			t.Errorf("got %v, want it copied: %v", err, ok)
		}
	}
	var want []string
	if ok {
		want = []string{"x/", "x/SKILL.md: x"}
	}
	if _, err := os.Stat(filepath.Join(dir, "user")); ok || err == nil {
		if diff := cmp.Diff(want, listing(t, filepath.Join(dir, "user"))); diff != "" {
			t.Errorf("copies (-want +got):\n%s", diff)
		}
	}
}

// TestCopyLeavesWhatWasSwappedIn replaces what a link led to, or a folder on the
// way, between the look and the act.
func TestCopyLeavesWhatWasSwappedIn(t *testing.T) {
	for _, scope := range []Scope{User, Project} {
		root := project
		if scope == User {
			root = func(dir string) Root { return agents(filepath.Join(dir, ".zcode", "skills")) }
		}
		for name, swap := range map[string]func(t *testing.T, dir string){
			"by a folder": func(t *testing.T, dir string) { write(t, dir, "project/shared/x/SKILL.md", "canary") },
			"by a link":   func(t *testing.T, dir string) { link(t, "../../outside", dir, "project/shared/x") },
			"above by a link": func(t *testing.T, dir string) {
				write(t, dir, "outside/x/SKILL.md", "canary")
				if err := os.Remove(filepath.Join(dir, "project/shared")); err != nil {
					t.Fatal(err)
				}
				link(t, "../outside", dir, "project/shared")
			},
		} {
			t.Run(string(scope)+" "+name, func(t *testing.T) {
				dir := folder(t)
				write(t, dir, "outside/SKILL.md", "canary")
				write(t, dir, "project/shared/x/SKILL.md", "x")
				link(t, "../../shared/x", dir, "project/.zcode/skills/x")
				p := place{root(filepath.Join(dir, "project")), "x"}
				parent, _, err := p.open()
				if err != nil {
					t.Fatal(err)
				}
				defer parent.Close()
				l, err := p.follow(parent)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(filepath.Join(dir, "project/shared/x"), filepath.Join(dir, "taken")); err != nil {
					t.Fatal(err)
				}
				swap(t, dir)
				source, err := p.openLinked(l)
				if err == nil {
					source.Close()
					t.Error("what was swapped in was opened")
				}
			})
		}
	}
}

// TestCopyWhenAParentIsSwapped: the way is walked once only.
func TestCopyWhenAParentIsSwapped(t *testing.T) {
	dir := folder(t)
	write(t, dir, "clone/SKILL.md", "x")
	write(t, dir, "outside/SKILL.md", "canary")
	link(t, "../../clone", dir, "agents/pack/x")
	p := place{agents(filepath.Join(dir, "agents")), filepath.Join("pack", "x")}
	parent, name, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	defer parent.Close()
	if err := os.Rename(filepath.Join(dir, "agents/pack"), filepath.Join(dir, "agents/taken")); err != nil {
		t.Fatal(err)
	}
	link(t, "../../outside", dir, "agents/pack/x")
	if source, err := p.openFolder(parent, name); !errors.Is(err, ErrUnknown) {
		if err == nil {
			source.Close()
		}
		t.Errorf("got %v, want ErrUnknown", err)
	}
}

// TestCopyOfANeighbour needs no path, so nothing can be swapped in.
func TestCopyOfANeighbour(t *testing.T) {
	dir := folder(t)
	write(t, dir, "agents/pack/real/SKILL.md", "x")
	link(t, "real", dir, "agents/pack/x")
	p := place{agents(filepath.Join(dir, "agents")), filepath.Join("pack", "x")}
	parent, name, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	defer parent.Close()
	if err := os.Rename(filepath.Join(dir, "agents/pack"), filepath.Join(dir, "agents/taken")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "agents/pack/x/SKILL.md", "canary")
	source, err := p.openFolder(parent, name)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	if text, err := source.ReadFile(skillFile); err != nil || string(text) != "x" {
		t.Errorf("got %q, %v, want the skill that the link named", text, err)
	}
}
