package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// found lists the skills with their scope and origin, by the name of the folder.
func (w *world) found(cwd string) map[string]string {
	w.t.Helper()
	answer, err := w.run("skills/list", Call{}, params{"cwd": cwd})
	if err != nil {
		w.t.Fatal(err)
	}
	all := map[string]string{}
	for _, s := range answer.(*SkillsList).Skills {
		all[filepath.Base(s.Dir)] = strings.TrimSpace(string(s.Scope) + " " + s.Origin)
	}
	return all
}

// TestSkillRootsOfTheSettings: `skills.roots` is where the CLI looks besides.
func TestSkillRootsOfTheSettings(t *testing.T) {
	w, user, _ := worldOfSkills(t)
	absolute, cwd := filepath.Join(t.TempDir(), "more"), t.TempDir()
	for _, path := range []string{
		filepath.Join(absolute, "one"), filepath.Join(cwd, "tools", "three"), filepath.Join(cwd, "~", "no"), filepath.Join(cwd, "never"),
	} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "SKILL.md"), []byte(strings.Replace(skillText, "review", filepath.Base(path), 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.put("../mine/two/SKILL.md", strings.Replace(skillText, "review", "two", 1))
	w.put(cliFile, `{"skills":{"roots":[`+key(absolute)+`,"~/mine","tools","",`+key(w.path("skills"))+`]}}`)
	want := map[string]string{"review": "user", "plan": "agents", "one": "user skills.roots", "two": "user skills.roots"}
	if diff := cmp.Diff(want, w.found("")); diff != "" {
		t.Errorf("without a project (-want +got):\n%s", diff)
	}
	want["three"] = "user skills.roots"
	if diff := cmp.Diff(want, w.found(cwd)); diff != "" {
		t.Errorf("in a project (-want +got):\n%s", diff)
	}
	one := filepath.Join(absolute, "one", "SKILL.md")
	if got := w.refuse("skills/delete", Call{}, params{"path": one}); got.Code != CodeInvalid {
		t.Errorf("got %+v, want %s", got, CodeInvalid)
	}
	w.write("skills/copy-to-user", Call{}, params{"path": one})
	same(t, "the copy", w.get("skills/one/SKILL.md"), strings.Replace(skillText, "review", "one", 1))
	w.write("skills/delete", Call{}, params{"path": user})
}

// TestSkillRootsThatAreNone: what ZCode's rules refuse is no folder.
func TestSkillRootsThatAreNone(t *testing.T) {
	for _, roots := range []string{`"~/mine"`, `{"a":"~/mine"}`, `[7,null,["~/mine"]]`, `["~mine","~"]`} {
		w, _, _ := worldOfSkills(t)
		w.put("../mine/two/SKILL.md", skillText)
		w.put("../~mine/two/SKILL.md", skillText)
		w.put(cliFile, `{"skills":{"roots":`+roots+`}}`)
		if diff := cmp.Diff(map[string]string{"review": "user", "plan": "agents"}, w.found("")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", roots, diff)
		}
	}
}

// TestSkillsThatAManifestNames are found and can be copied like those in the usual
// folder, and hide none of them.
func TestSkillsThatAManifestNames(t *testing.T) {
	w := newWorld(t)
	w.put("plug/.zcode-plugin/plugin.json", `{"name":"tools","skills":["./extra","./lone","./skills/usual"]}`)
	for _, at := range []string{"skills/usual", "extra/a", "extra/b", "lone", "other"} {
		w.put("plug/"+at+"/SKILL.md", strings.Replace(skillText, "review", filepath.Base(at), 1))
	}
	w.put(cliFile, `{"plugins":{"dirs":[`+key(w.path("plug"))+`]}}`)
	const by = "plugin tools@inline"
	if diff := cmp.Diff(map[string]string{"usual": by, "a": by, "b": by, "lone": by}, w.found("")); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	for _, at := range []string{"skills/usual", "extra/a", "lone"} {
		w.write("skills/copy-to-user", Call{}, params{"path": w.path("plug/" + at + "/SKILL.md")})
		same(t, "the copy", w.get("skills/"+filepath.Base(at)+"/SKILL.md"), w.get("plug/"+at+"/SKILL.md"))
	}
	if got := w.refuse("skills/copy-to-user", Call{}, params{"path": w.path("plug/other/SKILL.md")}); got.Code != CodeInvalid {
		t.Errorf("got %+v, want %s", got, CodeInvalid)
	}
}

// TestSwitchOfASkillElsewhere: any SKILL.md may be one of a project, so it is not
// refused.
func TestSwitchOfASkillElsewhere(t *testing.T) {
	const elsewhere = "ZCode looks for skills elsewhere: the switch has no effect unless a project has it"
	w, user, shared := worldOfSkills(t)
	w.put("plug/.zcode-plugin/plugin.json", `{"name":"tools","skills":["./lone"]}`)
	w.put("../project/.zcode/skills/deploy/SKILL.md", skillText)
	for _, file := range []string{"plug/lone", "../mine/two", "skills/dist/built", "../x"} {
		w.put(file+"/SKILL.md", skillText)
	}
	for link, target := range map[string]string{"skills/linked": "../x", "alias": "skills"} {
		if err := os.Symlink(w.path(target), w.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	w.put(cliFile, `{"plugins":{"dirs":[`+key(w.path("plug"))+`]},"skills":{"roots":["~/mine"]}}`)
	tests := []struct {
		path string
		warn bool
	}{
		{user, false},
		{shared, false},
		{w.path("skills/linked/SKILL.md"), false},
		{w.path("alias/review/SKILL.md"), false},
		{w.path("plug/lone/SKILL.md"), false},
		{w.path("../mine/two/SKILL.md"), false},
		{w.path("../project/.zcode/skills/deploy/SKILL.md"), true},
		{w.path("skills/dist/built/SKILL.md"), true},
	}
	for _, tt := range tests {
		for _, dry := range []bool{true, false} {
			got := w.write("skills/enable", Call{DryRun: dry}, params{"path": tt.path, "enable": false})
			var want []string
			if tt.warn {
				want = []string{elsewhere}
			}
			if diff := cmp.Diff(want, got.Warnings); diff != "" || !got.Changed {
				t.Errorf("%s off, dry run %v: changed %v, warnings (-want +got):\n%s", tt.path, dry, got.Changed, diff)
			}
		}
		if got := w.write("skills/enable", Call{}, params{"path": tt.path, "enable": true}); got.Warnings != nil {
			t.Errorf("%s on: got the warnings %q", tt.path, got.Warnings)
		}
	}
}
