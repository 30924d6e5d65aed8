package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A path that can be no skill is the caller's mistake, never trouble of the disk.
func TestSkillPathsThatCannotBe(t *testing.T) {
	w, user, _ := worldOfSkills(t)
	for _, path := range []string{
		user + "/SKILL.md", "/a\x00b/SKILL.md", "/" + strings.Repeat("a", 300) + "/SKILL.md", "/" + strings.Repeat("a/", 4000) + "SKILL.md",
		"../SKILL.md", "/", `C:\x\SKILL.md`, w.path("skills") + "/con/SKILL.md", filepath.Dir(user) + "./SKILL.md",
	} {
		for op, in := range map[string]params{
			"skills/enable": {"path": path, "enable": false}, "skills/copy-to-user": {"path": path}, "skills/delete": {"path": path},
		} {
			got := w.refuse(op, Call{}, in)
			if got.Code != CodeInvalid && got.Code != CodeUnknown || len(got.Error) > 600 {
				t.Errorf("%s %.60q: got %.200v, want a short refusal", op, path, got)
			}
		}
	}
	for _, on := range []bool{true, false} {
		if got := w.refuse("skills/enable", Call{}, params{"path": "/a\x00b/SKILL.md", "enable": on}); got.Code != CodeInvalid || strings.Contains(got.Error, "\x00") {
			t.Errorf("got %+v, want %s", got, CodeInvalid)
		}
	}
	circle := w.path("skills/circle")
	if err := os.Symlink("circle", circle); err != nil {
		t.Fatal(err)
	}
	if _, err := w.run("skills/enable", Call{}, params{"path": circle + "/SKILL.md", "enable": false}); CodeOf(err) != CodeUnknown {
		t.Errorf("links in a circle: got %v, want %s", err, CodeUnknown)
	}
}

// The switches of a broken file are not needed for a copy; a deletion needs them
// and mends them with repair.
func TestSkillsWithABrokenFileOfSwitches(t *testing.T) {
	for _, text := range []string{"{", "", "[]"} {
		t.Run(fmt.Sprintf("copy with %q", text), func(t *testing.T) {
			w, _, shared := worldOfSkills(t)
			w.put(cliFile, text)
			before := w.get(cliFile)
			for _, call := range []Call{{DryRun: true}, {Repair: true}} {
				got := w.write("skills/copy-to-user", call, params{"path": shared})
				if len(got.Warnings) != 1 || len(got.Also) != 0 || got.Backup != "" {
					t.Errorf("got %+v, want a warning, and nothing said to be repaired", got)
				}
			}
			same(t, "the file", w.get(cliFile), before)
			w.refuse("skills/copy-to-user", Call{IfMatch: "x"}, params{"path": shared})
		})
		t.Run(fmt.Sprintf("delete with %q", text), func(t *testing.T) {
			w, user, _ := worldOfSkills(t)
			w.put(cliFile, text)
			if got := w.refuse("skills/delete", Call{}, params{"path": user}); got.Code != CodeBroken {
				t.Errorf("got %+v, want %s", got, CodeBroken)
			}
			before := w.files()
			w.write("skills/delete", Call{Repair: true, DryRun: true}, params{"path": user})
			w.unchanged(before)
			got := w.write("skills/delete", Call{Repair: true}, params{"path": user})
			if _, err := os.Stat(filepath.Dir(user)); !os.IsNotExist(err) {
				t.Errorf("got %v, want no folder", err)
			}
			if kept, err := os.ReadFile(got.Backup); err != nil || string(kept) != text || got.ETag != w.tag("skills/") || len(got.Warnings) != 0 {
				t.Errorf("got %+v with %q %v, want the broken file kept", got, kept, err)
			}
		})
	}
}

func TestCopyOfASkillHoldsThePrecondition(t *testing.T) {
	w, user, shared := worldOfSkills(t)
	tag := w.tag("skills/")
	w.write("skills/enable", Call{}, params{"path": user, "enable": false})
	if got := w.refuse("skills/copy-to-user", Call{IfMatch: tag}, params{"path": shared}); got.Code != CodeConflict || got.ETag != w.tag("skills/") {
		t.Errorf("got %+v, want a conflict", got)
	}
	w.write("skills/copy-to-user", Call{IfMatch: w.tag("skills/")}, params{"path": shared})
}

// The skill is gone and its switch cannot follow: the answer says so, and turning
// it on ends what was begun.
func TestSecondStepOfSkills(t *testing.T) {
	w, user, _ := worldOfSkills(t)
	w.write("skills/enable", Call{}, params{"path": user, "enable": false})
	unblock := w.blockLock(cliFile)
	got := w.write("skills/delete", Call{}, params{"path": user})
	hasOnly(t, "warnings", got.Warnings, "its switch still says off")
	if len(got.Also) != 0 || !got.Changed {
		t.Errorf("got %+v, want no word of a switch that went", got)
	}
	unblock()
	w.write("skills/enable", Call{}, params{"path": user, "enable": true})
	if text := w.get(cliFile); strings.Contains(text, "review") {
		t.Errorf("got %s, want no switch", text)
	}
	w.unlocked(cliFile)
}

// A folder of skills that is a link is ZCode's way of sharing them.
func TestLinkedFolderOfSkills(t *testing.T) {
	w := newWorld(t)
	w.put("dotfiles/review/SKILL.md", skillText)
	w.put("../.agents/skills/plan/SKILL.md", strings.Replace(skillText, "review", "plan", 1))
	if err := os.Symlink("dotfiles", w.path("skills")); err != nil {
		t.Fatal(err)
	}
	spelled := w.path("skills/review/SKILL.md")
	w.write("skills/enable", Call{}, params{"path": spelled, "enable": false})
	if w.skill(spelled).Enabled {
		t.Error("the skill is listed as on")
	}
	w.write("skills/copy-to-user", Call{}, params{"path": w.path("../.agents/skills/plan/SKILL.md")})
	same(t, "the copy", w.get("dotfiles/plan/SKILL.md"), w.get("../.agents/skills/plan/SKILL.md"))
	w.write("skills/delete", Call{}, params{"path": spelled})
	if text := w.get(cliFile); strings.Contains(text, "review") {
		t.Errorf("got %s, want no switch", text)
	}
	if _, err := os.Lstat(w.path("skills")); err != nil {
		t.Errorf("the link itself went: %v", err)
	}
}

// Another program rewrites the files of a skill while it is deleted or copied.
func TestSkillWithARival(t *testing.T) {
	w, user, shared := worldOfSkills(t)
	end := beside(t, func(stop <-chan struct{}) error {
		for {
			select {
			case <-stop:
				return nil
			default:
			}
			for _, path := range []string{shared, w.path("../.agents/skills/plan/more.txt")} {
				if err := os.WriteFile(path, []byte(strings.Replace(skillText, "review", "plan", 1)), 0o600); err != nil {
					return err
				}
			}
		}
	})
	defer end()
	for range 5 {
		if _, err := w.run("skills/copy-to-user", Call{}, params{"path": shared}); err != nil && CodeOf(err) != CodeBusy {
			t.Fatalf("copying: %v", err)
		}
		copied := w.path("skills/plan/SKILL.md")
		if text, err := os.ReadFile(copied); err == nil {
			if len(text) != 0 && !strings.HasSuffix(string(text), "body\n") {
				t.Errorf("got %q, want what the rival wrote", text)
			}
			w.write("skills/delete", Call{}, params{"path": copied})
		}
	}
	w.write("skills/delete", Call{}, params{"path": user})
	entries, err := os.ReadDir(w.path("skills"))
	if err != nil || len(entries) != 0 {
		t.Errorf("got %v %v, want nothing left", entries, err)
	}
}
