package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A link in the folder of the agents, which ZCode passes over, is never written
// through.
func TestAgentFileThatIsALink(t *testing.T) {
	for _, dangling := range []bool{true, false} {
		w := newWorld(t)
		outside := filepath.Join(t.TempDir(), "victim.md")
		if !dangling {
			if err := os.WriteFile(outside, []byte("theirs"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w.put("agents/other.md", "---\nname: other\ndescription: x\n---\n")
		if err := os.Symlink(outside, w.path("agents/reviewer.md")); err != nil {
			t.Fatal(err)
		}
		for _, dry := range []bool{true, false} {
			_, err := w.run("agents/upsert", Call{DryRun: dry}, params{"name": "reviewer", "description": "x"})
			if CodeOf(err) != CodeIrregular || !strings.Contains(err.Error(), "is a link") {
				t.Errorf("got %v, want a refusal", err)
			}
		}
		if text, err := os.ReadFile(outside); dangling != os.IsNotExist(err) || !dangling && string(text) != "theirs" {
			t.Errorf("got %q, %v: the file that the link leads to was touched", text, err)
		}
	}
}

// A file of the user's counts before the built-in agent of its name.
func TestOwnAgentWithTheNameOfABuiltIn(t *testing.T) {
	w := newWorld(t)
	w.put("agents/explore.md", "---\nname: Explore\ndescription: mine\n---\nx\n")
	w.write("agents/upsert", Call{}, params{"name": "Explore", "color": "pink"})
	if text := w.get("agents/explore.md"); !strings.Contains(text, "color: pink") {
		t.Errorf("got %s, want the color", text)
	}
	w.write("agents/enable", Call{}, params{"name": "Explore", "enable": false})
	w.write("agents/delete", Call{}, params{"name": "Explore"})
	if got := w.refuse("agents/delete", Call{}, params{"name": "Explore"}); got.Code != CodeInvalid {
		t.Errorf("got %+v, want the built-in one to stay", got)
	}
}

// A restore is a write like any other: it holds the precondition, also in a dry
// run, and mends with repair.
func TestRestoreOfAnAgentIsAWrite(t *testing.T) {
	w := worldOfAgents(t)
	deleted := w.write("agents/delete", Call{}, params{"name": "Foo"})
	in := params{"file": "agents", "path": deleted.Backup}
	for _, dry := range []bool{true, false} {
		if got := w.refuse("backups/restore", Call{IfMatch: "agentsState.agents.0", DryRun: dry}, in); got.Code != CodeConflict {
			t.Errorf("dry %v: got %+v, want %s", dry, got, CodeConflict)
		}
	}
	w.put(stateFile, "{")
	if got := w.refuse("backups/restore", Call{}, in); got.Code != CodeBroken {
		t.Errorf("got %+v, want %s", got, CodeBroken)
	}
	if got := w.write("backups/restore", Call{Repair: true}, in); got.Restored != deleted.Backup {
		t.Errorf("got %+v", got)
	}
	same(t, "the state", w.get(stateFile), "{}")
}

// What the trust store says is ZCode's to judge.
func TestTrustIsNotGuessed(t *testing.T) {
	w := newWorld(t)
	project := t.TempDir()
	at := filepath.Join(project, ".zcode", "config.json")
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(`{"hooks":{"enabled":true,"events":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                               "asks before",
		`{"denied":["` + project + `"]}`: "only ZCode can say",
		"{":                              "trusts nothing",
	} {
		if text != "" {
			w.put("security/workspace-hook-trust-v1.json", text)
		}
		answer, err := w.run("hooks/list", Call{}, params{"cwd": project})
		if err != nil {
			t.Fatal(err)
		}
		list := answer.(*HooksList).Project
		if len(list) != 1 || !strings.Contains(list[0].Trust, want) {
			t.Errorf("%q: got %+v, want %q", text, list, want)
		}
		if err := os.RemoveAll(w.path("security")); err != nil {
			t.Fatal(err)
		}
	}
}

// An ignored plugin says why, whatever its switch says.
func TestReasonOfAnIgnoredPlugin(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"plugins":{"enabledPlugins":{"bad@m":true}}}`)
	w.put("cli/plugins/cache/m/bad/1.0.0/.zcode-plugin/plugin.json", "{")
	w.put("cli/plugins/installed_plugins.json", `{"plugins":[{"id":"bad@m","name":"bad","marketplace":"m","installPath":"`+filepath.ToSlash(w.path("cli/plugins/cache/m/bad/1.0.0"))+`"}]}`)
	for _, p := range answerOf[*PluginsList](w, "plugins/list").Plugins {
		if p.ID == "bad@m" && (p.Enabled || p.Reason == "set in enabledPlugins" || p.Reason == "") {
			t.Errorf("got %+v, want off because of its manifest", p)
		}
	}
}
