package skills

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestScanLinks holds what links may do in each kind of root.
func TestScanLinks(t *testing.T) {
	dir := folder(t)
	write(t, dir, "clone/SKILL.md", described("clone"))
	write(t, dir, "clone/inner/SKILL.md", described("inner"))
	write(t, dir, "pack/one/SKILL.md", described("one"))
	write(t, dir, "shared.md", described("shared"))
	write(t, dir, "target/real/SKILL.md", described("real"))
	for _, root := range []string{"user", "plugin"} {
		link(t, "../clone", dir, root+"/absolute-or-not")
		link(t, filepath.Join(dir, "pack"), dir, root+"/pack")
		link(t, "/", dir, root+"/system")
		link(t, "..", dir, root+"/up")
		link(t, ".", dir, root+"/loop")
		link(t, "nothing", dir, root+"/dangling")
		link(t, "round", dir, root+"/round")
		link(t, "../../shared.md", dir, root+"/file/SKILL.md")
		link(t, "nothing", dir, root+"/gone/SKILL.md")
		link(t, "../shared.md", dir, root+"/no-skill")
		link(t, "../clone", dir, root+"/dist")
	}
	list, problems := Scan([]Root{user(filepath.Join(dir, "user"))})
	want := []string{"absolute-or-not/SKILL.md", "file/SKILL.md"}
	if diff := cmp.Diff(want, paths(t, filepath.Join(dir, "user"), list)); diff != "" {
		t.Errorf("user root, paths (-want +got):\n%s", diff)
	}
	for _, s := range list {
		if s.Name == "clone" && (s.Link != "../clone" || s.RealPath != filepath.Join(dir, "clone", "SKILL.md")) {
			t.Errorf("the linked skill is %+v", s)
		}
		if s.Name == "shared" && (s.Link != "" || s.RealPath != filepath.Join(dir, "shared.md")) {
			t.Errorf("the skill with a linked file is %+v", s)
		}
	}
	told := []string{}
	for _, p := range problems {
		told = append(told, filepath.Base(p.Path))
	}
	if diff := cmp.Diff([]string{"dangling", "SKILL.md", "round"}, told); diff != "" {
		t.Errorf("user root, problems (-want +got):\n%s", diff)
	}
	list, problems = Scan([]Root{plugin(filepath.Join(dir, "plugin"))})
	if len(list) != 0 || problems != nil {
		t.Errorf("plugin root: got %v and %v, want nothing", list, problems)
	}
}

// TestScanListsALinkedSkillOnce is the layout that `npx skills` makes.
func TestScanListsALinkedSkillOnce(t *testing.T) {
	dir := folder(t)
	write(t, dir, ".agents/skills/n/SKILL.md", described("n"))
	link(t, "../../.agents/skills/n", dir, ".zcode/skills/n")
	zcode, agentsRoot := user(filepath.Join(dir, ".zcode/skills")), agents(filepath.Join(dir, ".agents/skills"))
	for _, roots := range [][]Root{{zcode, agentsRoot}, {agentsRoot, zcode}} {
		list, problems := Scan(roots)
		if len(list) != 1 || list[0].Scope != roots[0].Scope || problems != nil {
			t.Errorf("got %v and %v, want the one of scope %s", list, problems, roots[0].Scope)
		}
	}
}

func TestScanGoesOnAfterAProblem(t *testing.T) {
	root := folder(t)
	write(t, root, "good/SKILL.md", described("good"))
	odd := filepath.Join(root, "odd\xff")
	if err := os.Mkdir(odd, 0o755); err == nil { // macOS and Windows know no such name
		write(t, odd, "SKILL.md", described("odd"))
		write(t, root, "later\xff/SKILL.md", described("odd"))
		_, problems := Scan([]Root{user(root)})
		if len(problems) != 2 || problems[1].Path != filepath.Join(root, "odd\ufffd") || !strings.Contains(problems[1].Reason, "UTF-8") {
			t.Errorf("problems = %v, want two of names that are not UTF-8", problems)
		}
	}
	link(t, "self/x", root, "self")
	list, problems := Scan([]Root{user(root)})
	if len(list) != 1 || list[0].Name != "good" {
		t.Errorf("got %v, want the good skill", list)
	}
	if last := problems[len(problems)-1]; last.Path != filepath.Join(root, "self") {
		t.Errorf("problems = %v, want one of the link", problems)
	}
}
