package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// worldOfAgents has every agent file of the cases.
func worldOfAgents(t *testing.T) *world {
	w := newWorld(t)
	for _, file := range []string{"Bar.markdown", "block-scalar.md", "colon.md", "crlf.md", "duplicate-key.md", "no-frontmatter.md", "nested/deep.md"} {
		w.put("agents/"+file, sample(t, "agents/"+file))
	}
	return w
}

func (w *world) agent(name string) Agent {
	w.t.Helper()
	for _, a := range answerOf[*AgentsList](w, "agents/list").Agents {
		if a.Name == name {
			return a
		}
	}
	w.t.Fatalf("%s is not listed", name)
	return Agent{}
}

func TestCasesOfAgents(t *testing.T) {
	tests := []struct {
		title, file, op string
		in              params
		replace         []string // old, new: what changes in the file and nothing else
	}{
		{"B050 a block scalar, a comment, a list and a nested value stay", "agents/block-scalar.md", "agents/upsert",
			params{"name": "reviewer", "color": "pink"}, []string{"color: blue", "color: pink"}},
		{"B050 carriage returns stay and a backslash is not multiplied", "agents/crlf.md", "agents/upsert",
			params{"name": "windows-writer", "model": "p1/m1"}, []string{"tools: Read, Grep\r\n", "tools: Read, Grep\r\nmodel: p1/m1\r\n"}},
		{"B050 an agent is edited where it is, whatever its file is called", "agents/Bar.markdown", "agents/upsert",
			params{"name": "Foo", "color": "red"}, []string{"name differ\n", "name differ\ncolor: red\n"}},
		{"B050 an unknown key stays in a sub-folder", "agents/nested/deep.md", "agents/upsert",
			params{"name": "nested-one", "maxTurns": 3}, []string{"maxTurns: 12", "maxTurns: 3"}},
		{"B050 the prompt changes and the front matter stays", "agents/nested/deep.md", "agents/upsert",
			params{"name": "nested-one", "prompt": "New prompt"}, []string{"Body without a blank line\n", "New prompt\n"}},
		{"B050 a name changes and the file stays where it is", "agents/Bar.markdown", "agents/rename",
			params{"name": "Foo", "newName": "Foo-two"}, []string{"name: Foo\n", "name: Foo-two\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.title, func(t *testing.T) {
			w := worldOfAgents(t)
			before := w.files()
			old := w.get(tt.file)
			preview := w.write(tt.op, Call{DryRun: true}, tt.in)
			if diff := cmp.Diff(before, w.files()); diff != "" {
				t.Fatalf("the dry run changed files:\n%s", diff)
			}
			tag := w.tag("agents/")
			got := w.write(tt.op, Call{IfMatch: tag}, tt.in)
			same(t, tt.file, w.get(tt.file), strings.Replace(old, tt.replace[0], tt.replace[1], 1))
			w.keeps(got.Backup, old)
			w.onlyWrote(before, tt.file, got.Backup)
			if now := w.tag("agents/"); got.ETag != now || got.ETag == tag || preview.ETag != now || !got.Changed || got.Effect != NeedsRestart {
				t.Errorf("got %+v, dry run %+v, want changed, needs-restart and the etag %s", got, preview, now)
			}
			if len(preview.Changes) != 1 || !preview.DryRun {
				t.Errorf("got changes %+v, want one", preview.Changes)
			}
			if tt.op == "agents/upsert" {
				w.age(tt.file)
				before = w.files()
				if again := w.write(tt.op, Call{}, tt.in); again.Changed || again.Backup != "" {
					t.Errorf("again: got %+v, want no change", again)
				}
				w.unchanged(before)
			}
		})
	}
}

func TestCaseDuplicateKey(t *testing.T) {
	w := worldOfAgents(t)
	hasOnly(t, "warnings", w.agent("twice").Warnings, "line 5: model stands twice")
	got := w.refuse("agents/upsert", Call{}, params{"name": "twice", "model": "e/f"})
	if got.Code != CodeInvalid || !strings.Contains(got.Error, "twice") && !strings.Contains(got.Error, "line") {
		t.Errorf("got %+v, want a refusal that names the lines", got)
	}
}

func TestCaseListedOrNot(t *testing.T) {
	w := worldOfAgents(t)
	var names []string
	for _, a := range answerOf[*AgentsList](w, "agents/list").Agents {
		names = append(names, a.Name)
	}
	same(t, "names", strings.Join(names, " "), "general-purpose Explore Foo reviewer colon-user windows-writer twice nested-one")
	if got := string(w.agent("colon-user").Frontmatter); !strings.Contains(got, `"description":"Use when: the user asks for a plan"`) {
		t.Errorf("got %s, want the description as ZCode reads it", got)
	}
	findings := w.findings("")
	i := slices.IndexFunc(findings, func(f Finding) bool { return f.File == w.path("agents/no-frontmatter.md") })
	if i < 0 || !strings.Contains(findings[i].Message, "no front matter") {
		t.Errorf("got %+v, want the reason why no-frontmatter.md is left out", findings)
	}
}

// The right spelling of the switch has the source, the scope and the lower name.
func TestCaseAgentSwitch(t *testing.T) {
	t.Run("B050+B059 an agent in a sub-folder is turned off", func(t *testing.T) {
		w := worldOfAgents(t)
		got := w.write("agents/enable", Call{}, params{"name": "nested-one", "enable": false})
		if got.Effect != NeedsRestart {
			t.Errorf("got effect %s", got.Effect)
		}
		same(t, "the state", w.get(stateFile), `{
  "builtInModelSelectionOverrides": {},
  "pluginAgentModelSelectionOverrides": {},
  "disabledAgentIds": [
    "user:user:nested-one"
  ]
}`)
		if w.agent("nested-one").Enabled {
			t.Error("the agent is listed as on")
		}
	})
	t.Run("B050 a spelling that ZCode does not know has no effect and goes", func(t *testing.T) {
		w := worldOfAgents(t)
		current := sample(t, "agents-state/current.json")
		w.put(stateFile, current)
		if a := w.agent("reviewer"); !a.Enabled || !slices.ContainsFunc(a.Warnings, func(s string) bool { return strings.Contains(s, "user:reviewer") }) {
			t.Errorf("got %+v, want an agent that is on, and a warning", a)
		}
		w.write("agents/enable", Call{}, params{"name": "reviewer", "enable": false})
		if a := w.agent("reviewer"); a.Enabled || !strings.Contains(w.get(stateFile), `"user:user:reviewer"`) {
			t.Errorf("got %+v with %s, want it off", a, w.get(stateFile))
		}
		w.write("agents/enable", Call{}, params{"name": "reviewer", "enable": true})
		same(t, "the state", w.get(stateFile), strings.Replace(current, "[\n    \"user:reviewer\"\n  ]", "[]", 1))
	})
	t.Run("B050 a name without a file cannot be turned off", func(t *testing.T) {
		w := worldOfAgents(t)
		for _, name := range []string{"nobody", "NESTED-ONE", "no-frontmatter"} {
			if got := w.refuse("agents/enable", Call{}, params{"name": name, "enable": false}); got.Code != CodeUnknown {
				t.Errorf("%s: got %+v, want %s", name, got, CodeUnknown)
			}
		}
		if got := w.refuse("agents/enable", Call{}, params{"name": "Explore", "enable": false}); got.Code != CodeInvalid {
			t.Errorf("got %+v, want %s", got, CodeInvalid)
		}
	})
}

func TestCaseLegacyState(t *testing.T) {
	t.Run("B050 the new maps are complete and the old keys stay", func(t *testing.T) {
		w := newWorld(t)
		w.put(stateFile, sample(t, "agents-state/legacy.json"))
		w.write("agents/upsert", Call{}, params{"name": "Explore", "providerId": "p1", "modelId": "m1", "reasoningLevel": "high"})
		same(t, "the state", w.get(stateFile), `{
  "builtInModelOverrides": {
    "Explore": "custom:builtin%3Azai-coding-plan:GLM-5.3-Flash"
  },
  "builtInThoughtLevelOverrides": {},
  "disabledAgentIds": [
    "user:user:alpha",
    "user:user:zed"
  ],
  "builtInModelSelectionOverrides": {
    "Explore": {
      "providerId": "p1",
      "modelId": "m1",
      "options": {
        "reasoningLevel": "high"
      }
    }
  },
  "pluginAgentModelSelectionOverrides": {}
}`)
		if m := w.agent("Explore").ModelSelection; m == nil || *m != (AgentModel{"p1", "m1", "high"}) {
			t.Errorf("got %+v, want the model", m)
		}
		w.write("agents/upsert", Call{}, params{"name": "Explore", "providerId": nil, "modelId": nil})
		if text := w.get(stateFile); !strings.Contains(text, `"builtInModelSelectionOverrides": {}`) {
			t.Errorf("got %s, want the empty map, or the old value would count again", text)
		}
	})
	t.Run("B050 the old override of the other agent is imported", func(t *testing.T) {
		w := newWorld(t)
		w.put(stateFile, `{"builtInModelOverrides":{"general-purpose":"custom:p%201:m/2"},"builtInThoughtLevelOverrides":{"general-purpose":"low"}}`)
		w.write("agents/upsert", Call{}, params{"name": "Explore", "providerId": "p1", "modelId": "m1"})
		if m := w.agent("general-purpose").ModelSelection; m == nil || *m != (AgentModel{"p 1", "m/2", "low"}) {
			t.Errorf("got %+v, want the old value", m)
		}
	})
}

func TestAgentIsCreated(t *testing.T) {
	t.Run("B050 a new agent has ZCode's own layout", func(t *testing.T) {
		w := newWorld(t)
		got := w.write("agents/upsert", Call{}, params{"name": "Doc-Writer", "description": "Writes: docs", "tools": []string{"Read", "*"}, "prompt": "You write."})
		if !got.Changed || got.Backup != "" {
			t.Errorf("got %+v, want a new file", got)
		}
		text := w.get("agents/doc-writer.md")
		for _, want := range []string{"---\nname: ", "Doc-Writer", "Writes: docs", "\n---\n\nYou write.\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("got %q, want it to hold %q", text, want)
			}
		}
		if info, err := os.Stat(w.path("agents/doc-writer.md")); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("got %v %v, want mode 0600", info, err)
		}
		a := w.agent("Doc-Writer")
		if a.SystemPrompt != "You write." || !strings.Contains(string(a.Frontmatter), `"tools":["Read","*"]`) {
			t.Errorf("got %+v", a)
		}
	})
	t.Run("B050 a switch that an agent before left behind goes", func(t *testing.T) {
		w := newWorld(t)
		w.put(stateFile, `{"builtInModelSelectionOverrides":{},"pluginAgentModelSelectionOverrides":{},"disabledAgentIds":["user:user:again"]}`)
		in := params{"name": "again", "description": "x"}
		preview := w.write("agents/upsert", Call{DryRun: true}, in)
		got := w.write("agents/upsert", Call{}, in)
		if !w.agent("again").Enabled || got.ETag != w.tag("agents/") || preview.ETag != got.ETag {
			t.Errorf("got %+v, dry run %+v, want it on and the etag %s", got, preview, w.tag("agents/"))
		}
		hasOnly(t, "also", got.Also, "turned off and is no more")
	})
	for name, in := range map[string]params{
		"a taken name":                {"name": "reviewer-two", "description": "x"},
		"a name that differs in case": {"name": "FOO", "description": "x"},
		"no description":              {"name": "new-one"},
		"an unknown member":           {"name": "new-one", "description": "x", "colour": "red"},
		"a wrong color":               {"name": "new-one", "description": "x", "color": "black"},
		"a built-in member":           {"name": "Explore", "color": "red"},
		"half a model":                {"name": "Explore", "providerId": "p", "modelId": nil},
	} {
		t.Run("B050 refused with "+name, func(t *testing.T) {
			w := worldOfAgents(t)
			w.put("agents/reviewer-two.md", "just text\n")
			w.refuse("agents/upsert", Call{}, in)
			w.refuse("agents/upsert", Call{DryRun: true}, in)
		})
	}
}

// badNames must never become part of a path.
var badNames = []string{"../x", "a/b", `a\b`, "C:x", "a\x00b", strings.Repeat("a", 255), "abc.", "con", "..", "", " ", "a b c"}

func TestAgentNamesAreConfined(t *testing.T) {
	w := worldOfAgents(t)
	for _, name := range badNames {
		if got := w.refuse("agents/upsert", Call{}, params{"name": name, "description": "x"}); got.Code != CodeInvalid || strings.Contains(got.Error, "\n") {
			t.Errorf("%q: got %+v, want one clear sentence", name, got)
		}
		w.refuse("agents/rename", Call{}, params{"name": "Foo", "newName": name})
		w.refuse("agents/delete", Call{}, params{"name": name})
	}
}

func TestAgentIsDeleted(t *testing.T) {
	t.Run("B050 the file becomes a backup and its switch goes", func(t *testing.T) {
		w := worldOfAgents(t)
		text := w.get("agents/nested/deep.md")
		w.write("agents/enable", Call{}, params{"name": "nested-one", "enable": false})
		preview := w.write("agents/delete", Call{DryRun: true}, params{"name": "nested-one"})
		got := w.write("agents/delete", Call{IfMatch: w.tag("agents/")}, params{"name": "nested-one"})
		if _, err := os.Stat(w.path("agents/nested/deep.md")); !os.IsNotExist(err) {
			t.Errorf("got %v, want no file", err)
		}
		w.keeps(got.Backup, text)
		if now := w.tag("agents/"); got.ETag != now || preview.ETag != now || strings.Contains(w.get(stateFile), "nested-one") {
			t.Errorf("got %+v, dry run %+v, want the etag %s and no switch in %s", got, preview, now, w.get(stateFile))
		}
		if again := w.refuse("agents/delete", Call{}, params{"name": "nested-one"}); again.Code != CodeUnknown {
			t.Errorf("again: got %+v, want %s", again, CodeUnknown)
		}
		list := answerOf[*BackupsList](w, "backups/list").Backups["agents"]
		if len(list) != 1 || list[0].Path != got.Backup {
			t.Fatalf("got %+v, want the file", list)
		}
		restored := w.write("backups/restore", Call{}, params{"file": "agents", "path": list[0].Path})
		same(t, "the file", w.get("agents/nested/deep.md"), text)
		if !w.agent("nested-one").Enabled || restored.Restored != got.Backup {
			t.Errorf("got %+v, want the agent back and on", restored)
		}
	})
	t.Run("B050 a switch without a file is cleared", func(t *testing.T) {
		w := newWorld(t)
		w.put(stateFile, `{"builtInModelSelectionOverrides":{},"pluginAgentModelSelectionOverrides":{},"disabledAgentIds":["user:user:gone"]}`)
		w.write("agents/delete", Call{}, params{"name": "gone"})
		same(t, "the state", w.get(stateFile), `{"builtInModelSelectionOverrides":{},"pluginAgentModelSelectionOverrides":{},"disabledAgentIds":[]}`)
	})
}

func TestAgentThatIsOffStaysOffWhenItIsRenamed(t *testing.T) {
	w := worldOfAgents(t)
	w.write("agents/enable", Call{}, params{"name": "Foo", "enable": false})
	got := w.write("agents/rename", Call{IfMatch: w.tag("agents/")}, params{"name": "Foo", "newName": "Bar"})
	if w.agent("Bar").Enabled || got.ETag != w.tag("agents/") {
		t.Errorf("got %+v, want it off and the etag %s", got, w.tag("agents/"))
	}
	if text := w.get(stateFile); strings.Contains(text, "user:user:foo") || !strings.Contains(text, "user:user:bar") {
		t.Errorf("got %s, want the switch of the new name alone", text)
	}
}

func TestTwoAgentsOfOneName(t *testing.T) {
	w := worldOfAgents(t)
	w.put("agents/other.md", "---\nname: Foo\ndescription: again\n---\nx\n")
	for op, in := range map[string]params{
		"agents/upsert": {"name": "Foo", "color": "red"}, "agents/delete": {"name": "Foo"}, "agents/rename": {"name": "Foo", "newName": "Two"},
		"agents/show": {"name": "Foo"},
	} {
		got := w.refuse(op, Call{}, in)
		if got.Code != CodeAmbiguous || !strings.Contains(got.Error, "other.md") || !strings.Contains(got.Error, "Bar.markdown") {
			t.Errorf("%s: got %+v, want both files", op, got)
		}
	}
}

func TestAgentPrecondition(t *testing.T) {
	w := worldOfAgents(t)
	seen := w.tag("agents/")
	w.put("agents/Bar.markdown", strings.Replace(w.get("agents/Bar.markdown"), "Body", "Other body", 1))
	for op, in := range map[string]params{
		"agents/upsert": {"name": "Foo", "color": "red"}, "agents/delete": {"name": "Foo"}, "agents/rename": {"name": "Foo", "newName": "Two"},
		"agents/enable": {"name": "Foo", "enable": false},
	} {
		if got := w.refuse(op, Call{IfMatch: seen}, in); got.Code != CodeConflict || got.ETag != w.tag("agents/") {
			t.Errorf("%s: got %+v, want a conflict with the present etag", op, got)
		}
	}
}

func TestProjectAgents(t *testing.T) {
	w := worldOfAgents(t)
	project := t.TempDir()
	if err := os.MkdirAll(filepath.Join(project, ".zcode", "agents"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(project, ".zcode", "agents", "a.md"), []byte("---\nname: Foo\ndescription: of the project\n---\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	answer, err := w.run("agents/list", Call{}, params{"cwd": project})
	if err != nil {
		t.Fatal(err)
	}
	list := answer.(*AgentsList).Agents
	if last := list[len(list)-1]; last.Source != "project" || !last.ReadOnly || last.Name != "Foo" {
		t.Errorf("got %+v, want the agent of the project, read only", last)
	}
	for _, cwd := range []string{"relative", filepath.Join(project, "missing")} {
		if got := w.refuse("agents/list", Call{}, params{"cwd": cwd}); got.Code != CodeInvalid || got.Pointer != "/cwd" {
			t.Errorf("%s: got %+v, want a refusal of cwd", cwd, got)
		}
	}
}

func (w *world) findings(cwd string) []Finding {
	w.t.Helper()
	answer, err := w.run("doctor", Call{}, params{"cwd": cwd})
	if err != nil {
		w.t.Fatal(err)
	}
	findings := answer.(*Diagnosis).Findings
	for i, f := range findings {
		// Commands of ours name the home; here they are read without it.
		if command, ours := strings.CutPrefix(f.Command, "zcode-acp "); ours {
			rest, named := strings.CutPrefix(command, "--home "+quoted(w.dir)+" ")
			if !named {
				w.t.Errorf("got the command %q, which is for another home", f.Command)
			}
			findings[i].Command = "zcode-acp " + rest
		}
	}
	return findings
}
