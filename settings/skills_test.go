package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const skillText = "---\nname: review\ndescription: Reviews changes\n---\nbody\n"

// worldOfSkills has one skill in each of the user's own folders, and returns
// their paths.
func worldOfSkills(t *testing.T) (w *world, user, shared string) {
	w = newWorld(t)
	w.put("skills/review/SKILL.md", skillText)
	w.put("skills/review/more/notes.txt", "notes")
	w.put("../.agents/skills/plan/SKILL.md", strings.Replace(skillText, "review", "plan", 1))
	return w, w.path("skills/review/SKILL.md"), w.path("../.agents/skills/plan/SKILL.md")
}

func (w *world) skill(path string) Skill {
	w.t.Helper()
	for _, s := range answerOf[*SkillsList](w, "skills/list").Skills {
		if s.Path == path {
			return s
		}
	}
	w.t.Fatalf("%s is not listed", path)
	return Skill{}
}

func key(path string) string {
	text, _ := json.Marshal(path)
	return string(text)
}

func TestSkillSwitch(t *testing.T) {
	t.Run("B049+B051+B057+B058 off is stored under the path, on removes it", func(t *testing.T) {
		w, user, _ := worldOfSkills(t)
		w.put(cliFile, "{\n  \"future\": 1.0\n}\n")
		got := w.write("skills/enable", Call{IfMatch: w.tag("skills/")}, params{"path": user, "enable": false})
		same(t, "the file", w.get(cliFile), "{\n  \"future\": 1.0,\n  \"skills\": {\n    "+key(user)+": {\n      \"enable\": false\n    }\n  }\n}\n")
		if w.skill(user).Enabled || got.Effect != Immediate || got.ETag != w.tag("skills/") {
			t.Errorf("got %+v, want it off at once", got)
		}
		w.write("skills/enable", Call{}, params{"path": user, "enabled": true})
		same(t, "the file", w.get(cliFile), "{\n  \"future\": 1.0,\n  \"skills\": {}\n}\n")
		if !w.skill(user).Enabled {
			t.Error("the skill is listed as off")
		}
	})
	t.Run("B051 only a skill that is there can be turned off", func(t *testing.T) {
		w, user, _ := worldOfSkills(t)
		for path, code := range map[string]Code{
			filepath.Dir(user): CodeInvalid, "skills/review/SKILL.md": CodeInvalid, w.path("skills/none/SKILL.md"): CodeUnknown, "": CodeInvalid,
			w.path("skills/none/SKILL.md") + "/": CodeUnknown, user + "x": CodeInvalid,
		} {
			if got := w.refuse("skills/enable", Call{}, params{"path": path, "enable": false}); got.Code != code {
				t.Errorf("%q: got %+v, want %s", path, got, code)
			}
		}
	})
	t.Run("B051 a linked skill is switched by the file it leads to", func(t *testing.T) {
		w, _, shared := worldOfSkills(t)
		link := w.path("skills/via")
		if err := os.Symlink(filepath.Dir(shared), link); err != nil {
			t.Fatal(err)
		}
		w.write("skills/enable", Call{}, params{"path": filepath.Join(link, "SKILL.md"), "enable": false})
		real, err := filepath.EvalSymlinks(shared)
		if err != nil {
			t.Fatal(err)
		}
		if text := w.get(cliFile); !strings.Contains(text, key(real)) || strings.Contains(text, "via") {
			t.Errorf("got %s, want the key %s", text, real)
		}
	})
}

func TestSkillIsDeleted(t *testing.T) {
	t.Run("B051 the folder goes and its switch with it", func(t *testing.T) {
		w, user, _ := worldOfSkills(t)
		w.write("skills/enable", Call{}, params{"path": user, "enable": false})
		before := w.files()
		preview := w.write("skills/delete", Call{DryRun: true}, params{"path": user})
		w.unchanged(before)
		got := w.write("skills/delete", Call{IfMatch: w.tag("skills/")}, params{"path": user})
		if _, err := os.Stat(filepath.Dir(user)); !os.IsNotExist(err) {
			t.Errorf("got %v, want no folder", err)
		}
		if !preview.Changed || len(preview.Changes) != 1 || !got.Changed || strings.Contains(w.get(cliFile), "review") || got.ETag != w.tag("skills/") {
			t.Errorf("got %+v, dry run %+v, want the switch gone from %s", got, preview, w.get(cliFile))
		}
		if again := w.refuse("skills/delete", Call{}, params{"path": user}); again.Code != CodeUnknown {
			t.Errorf("again: got %+v, want %s", again, CodeUnknown)
		}
	})
	t.Run("B051 of a linked skill only the link goes", func(t *testing.T) {
		w, _, _ := worldOfSkills(t)
		outside := t.TempDir()
		canary := filepath.Join(outside, "SKILL.md")
		if err := os.WriteFile(canary, []byte(skillText), 0o600); err != nil {
			t.Fatal(err)
		}
		link := w.path("skills/linked")
		if err := os.Symlink(outside, link); err != nil {
			t.Fatal(err)
		}
		w.write("skills/delete", Call{}, params{"path": filepath.Join(link, "SKILL.md")})
		if _, err := os.Lstat(link); !os.IsNotExist(err) {
			t.Errorf("got %v, want no link", err)
		}
		if text, err := os.ReadFile(canary); err != nil || string(text) != skillText {
			t.Errorf("got %q %v, want the file that the link led to", text, err)
		}
	})
	t.Run("B051 nothing outside of the user's own folders is deleted", func(t *testing.T) {
		w, user, _ := worldOfSkills(t)
		outside := filepath.Join(t.TempDir(), "x", "SKILL.md")
		if err := os.MkdirAll(filepath.Dir(outside), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(outside, []byte(skillText), 0o600); err != nil {
			t.Fatal(err)
		}
		w.put("skills/SKILL.md", skillText)
		for _, path := range []string{
			outside, w.path("skills/SKILL.md"), w.path("skills/../skills/SKILL.md"), "/SKILL.md", w.dir + "/skills/review/../../../x/SKILL.md",
			w.path("skills") + "/", user + "/..", "", `C:\x\SKILL.md`,
		} {
			w.refuse("skills/delete", Call{}, params{"path": path})
			w.refuse("skills/delete", Call{DryRun: true}, params{"path": path})
		}
		if _, err := os.Stat(outside); err != nil {
			t.Error(err)
		}
	})
	t.Run("B051 nothing is deleted when the switch cannot be edited", func(t *testing.T) {
		w, user, _ := worldOfSkills(t)
		w.put(cliFile, "{")
		if got := w.refuse("skills/delete", Call{}, params{"path": user}); got.Code != CodeBroken {
			t.Errorf("got %+v, want %s", got, CodeBroken)
		}
		w.put(cliFile, "{}")
		if got := w.refuse("skills/delete", Call{IfMatch: "other"}, params{"path": user}); got.Code != CodeConflict {
			t.Errorf("got %+v, want %s", got, CodeConflict)
		}
	})
}

func TestSkillIsCopied(t *testing.T) {
	t.Run("B051 the whole folder is copied, and never over another one", func(t *testing.T) {
		w, user, shared := worldOfSkills(t)
		answer, err := w.run("skills/copy-to-user", Call{}, params{"path": shared})
		if err != nil {
			t.Fatal(err)
		}
		got := answer.(*SkillWritten)
		if got.Path != w.path("skills/plan/SKILL.md") || got.Effect != Immediate || !got.OK {
			t.Errorf("got %+v", got)
		}
		same(t, "the copy", w.get("skills/plan/SKILL.md"), w.get("../.agents/skills/plan/SKILL.md"))
		if again := w.refuse("skills/copy-to-user", Call{}, params{"path": shared}); again.Code != CodeExists {
			t.Errorf("again: got %+v, want %s", again, CodeExists)
		}
		for _, dry := range []bool{false, true} {
			if own := w.refuse("skills/copy-to-user", Call{DryRun: dry}, params{"path": user}); own.Code != CodeInvalid {
				t.Errorf("got %+v, want %s", own, CodeInvalid)
			}
		}
	})
	t.Run("B051 a dry run tells where the copy would be", func(t *testing.T) {
		w, _, shared := worldOfSkills(t)
		before := w.files()
		answer, err := w.run("skills/copy-to-user", Call{DryRun: true}, params{"path": shared})
		if err != nil {
			t.Fatal(err)
		}
		if got := answer.(*SkillWritten); got.Path != w.path("skills/plan/SKILL.md") || !got.DryRun || !got.Changed {
			t.Errorf("got %+v", got)
		}
		w.unchanged(before)
	})
}

// The keys of a Windows machine, and the singular map, in a file that is read on
// another one.
func TestCaseSkillKeys(t *testing.T) {
	for _, path := range []string{`C:\Users\user\.zcode\skills\b\SKILL.md`, "C:/Users/user/.zcode/skills/b/SKILL.md"} {
		t.Run("B049+B058 the backslash key is found by "+path[:3], func(t *testing.T) {
			w := newWorld(t)
			before := sample(t, "cli-config/skills-keys.json")
			w.put(cliFile, before)
			got := w.write("skills/enable", Call{}, params{"path": path, "enable": true})
			want := strings.Replace(before, ",\n    \"C:\\\\Users\\\\user\\\\.zcode\\\\skills\\\\b\\\\SKILL.md\": {\"enable\": false}", "", 1)
			same(t, "the file", w.get(cliFile), want)
			if want == before || got.Effect != Immediate {
				t.Errorf("got %+v", got)
			}
		})
	}
	t.Run("B049+B058 the singular map is cleared", func(t *testing.T) {
		w := newWorld(t)
		before := sample(t, "cli-config/skills-keys.json")
		w.put(cliFile, before)
		got := w.write("skills/enable", Call{}, params{"path": "/home/user/.zcode/skills/c/SKILL.md", "enable": true})
		same(t, "the file", w.get(cliFile), strings.Replace(before, `{"/home/user/.zcode/skills/c/SKILL.md": {"enable": false}}`, "{}", 1))
		if len(got.Also) != 1 {
			t.Errorf("got also %q, want the other spelling", got.Also)
		}
	})
}

func TestSkillsInsideGoToo(t *testing.T) {
	w, user, _ := worldOfSkills(t)
	w.put("skills/review/inner/SKILL.md", skillText)
	for _, dry := range []bool{true, false} {
		answer, err := w.run("skills/delete", Call{DryRun: dry}, params{"path": user})
		if err != nil {
			t.Fatal(err)
		}
		got := answer.(*SkillWritten)
		hasOnly(t, "warnings", got.Warnings, w.path("skills/review/inner/SKILL.md"))
		if got.Removed.Files != 3 || got.Removed.Path != w.path("skills/review") {
			t.Errorf("got %+v, want the three files", got.Removed)
		}
	}
}

func TestSkillOfProjectIsCopied(t *testing.T) {
	w, _, _ := worldOfSkills(t)
	project := t.TempDir()
	path := filepath.Join(project, ".zcode", "skills", "deploy", "SKILL.md")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(skillText), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := w.refuse("skills/copy-to-user", Call{}, params{"path": path}); got.Code != CodeInvalid {
		t.Errorf("got %+v, want %s without the project", got, CodeInvalid)
	}
	if _, err := w.run("skills/copy-to-user", Call{}, params{"path": path, "cwd": project}); err != nil {
		t.Fatal(err)
	}
	same(t, "the copy", w.get("skills/deploy/SKILL.md"), skillText)
}
