package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// found reduces findings to what a case says: kind, place and words.
type found struct {
	kind         string
	line, column int
	words        string
}

// TestDoctorOfCases compares what doctor says of each file with what the case
// says that ZCode does with it.
func TestDoctorOfCases(t *testing.T) {
	const ignores = "ZCode ignores the whole file"
	tests := []struct {
		file  string
		state string
		want  []found // findings of severity error and warning, modes aside
	}{
		{"cli-config/unknown-keys.json", "ok", nil},
		{"cli-config/crlf-tabs.json", "ok", nil},
		{"cli-config/bom.json", "ignored", []found{{"bom", 1, 1, "byte order mark, which ZCode cannot read: ZCode ignores the whole file"}}},
		{"cli-config/numbers.json", "ok", nil},
		{"cli-config/escapes.json", "ok", nil},
		{"cli-config/integer-keys.json", "ok", nil},
		{"cli-config/duplicate-keys.json", "ok", []found{{"duplicate_key", 4, 3, "ZCode reads the last"}}},
		{"cli-config/comments.json", "ignored", []found{{"not_json", 2, 3, ignores}}},
		{"cli-config/minified.json", "ok", nil},
		{"cli-config/no-final-newline-4-spaces.json", "ok", nil},
		{"cli-config/empty.json", "ignored", []found{{"empty", 0, 0, "is empty"}}},
		{"cli-config/array.json", "ignored", []found{{"not_json", 1, 1, "must hold one JSON object: " + ignores}}},
		{"cli-config/truncated.json", "ignored", []found{{"not_json", 4, 21, ignores}}},
		{"cli-config/legacy-enable.json", "ok", nil},
		{"cli-config/transport.json", "ok", nil},
		{"cli-config/empty-matcher.json", "ignored", []found{{"file_ignored", 6, 29, "hooks.events.UserPromptSubmit[0].matcher"}}},
		{"cli-config/new-hook-event.json", "ignored", []found{{"file_ignored", 2, 41, "hooks.events.SubagentStop"}}},
		{"cli-config/extra-mcp-key.json", "ok", []found{{"server_ignored", 2, 64, `ZCode skips the MCP server "bad": mcp.servers.bad.autoApprove`}}},
		{"cli-config/skills-keys.json", "ok", nil},
		{"cli-config/plugins.json", "ok", nil},
		{"provider/canonical.json", "ok", nil},
		{"provider/manual-rule.json", "ok", nil},
		{"provider/unknown-subkey.json", "ignored", []found{{"file_ignored", 29, 13, "no provider of yours because of line 29, column 13"}}},
		{"provider/account-rule.json", "ok", nil},
		{"provider/other-order.json", "ok", nil},
		{"provider/future-version.json", "newer", []found{{"newer_version", 0, 0, "newer ZCode"}}},
	}
	listed := 0
	for _, dir := range []string{"cli-config", "provider"} {
		files, err := os.ReadDir(filepath.Join("testdata", dir))
		if err != nil {
			t.Fatal(err)
		}
		listed += len(files)
	}
	if listed != len(tests) {
		t.Errorf("%d of %d files of the cases are in the table", len(tests), listed)
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			w := newWorld(t)
			at := cliFile
			if strings.HasPrefix(tt.file, "provider/") {
				at = providerFile
			}
			w.put(at, sample(t, tt.file))
			before := w.below(filepath.Dir(w.dir))
			answer, err := w.run("doctor", Call{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			diagnosis := answer.(*Diagnosis)
			var got []found
			for _, f := range diagnosis.Findings {
				if f.Message == "" || f.Kind == "" || f.Severity != Note && f.Command == "" {
					t.Errorf("got %+v, want a sentence and a command", f)
				}
				if f.Severity != Note && f.File == w.path(at) {
					got = append(got, found{f.Kind, f.Line, f.Column, f.Message})
				}
			}
			if len(got) != len(tt.want) {
				t.Fatalf("got %+v, want %d", got, len(tt.want))
			}
			for i, want := range tt.want {
				if got[i].kind != want.kind || got[i].line != want.line || got[i].column != want.column || !strings.Contains(got[i].words, want.words) {
					t.Errorf("got %+v, want %+v", got[i], want)
				}
			}
			i := slices.IndexFunc(diagnosis.Files, func(r FileReport) bool { return r.Path == w.path(at) })
			if i < 0 || diagnosis.Files[i].State != tt.state {
				t.Errorf("got files %+v, want state %s", diagnosis.Files, tt.state)
			}
			same(t, "files", fmt.Sprint(len(w.below(filepath.Dir(w.dir)))), fmt.Sprint(len(before)))
			w.unchanged(w.files())
		})
	}
}

func (w *world) finding(kind string) Finding {
	w.t.Helper()
	findings := w.findings("")
	i := slices.IndexFunc(findings, func(f Finding) bool { return f.Kind == kind })
	if i < 0 {
		w.t.Fatalf("got %+v, want one of kind %s", findings, kind)
	}
	return findings[i]
}

func TestDoctorFinds(t *testing.T) {
	tests := []struct {
		kind     string
		severity Severity
		prepare  func(w *world)
		words    string
		command  string
	}{
		{"mode_too_wide", Warning, func(w *world) {
			w.put(providerFile, providersWithSecrets)
			w.chmod(providerFile, 0o644)
		}, "may read the secrets", "chmod 600 "},
		{"lock_held", Warning, func(w *world) {
			w.put(providerFile, sampleProviders)
			w.put(providerFile+".lock/owner-1.json", fmt.Sprintf(`{"pid":%d,"createdAt":%d,"token":"1"}`, os.Getpid(), time.Now().Add(-time.Minute).UnixMilli()))
		}, fmt.Sprintf("process %d since", os.Getpid()), "ps -p "},
		{"lock_stale", Note, func(w *world) {
			w.put(providerFile, sampleProviders)
			w.put(providerFile+".lock/owner-1.json", `{"pid":2147483646,"createdAt":1,"token":"1"}`)
		}, "left behind", ""},
		{"leftover", Note, func(w *world) { w.put("cli/.config.json.1.2.ab.tmp", "{") }, "killed", "ls -l "},
		{"put_aside", Note, func(w *world) { w.put("v2/setting.json.corrupt-2026-01-01T00-00-00-000Z", "{") }, "could not read", "diff "},
		{"hooks_off", Warning, func(w *world) {
			w.put(cliFile, `{"hooks":{"events":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}}`)
		}, "none of the 1 hooks", "zcode-acp settings hooks on"},
		{"hooks_off", Note, func(w *world) {
			w.put(cliFile, `{"hooks":{"enabled":false,"events":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}}`)
		}, "none of the 1 hooks", "zcode-acp settings hooks on"},
		{"switched_off", Note, func(w *world) { w.put(cliFile, `{"features":{"mcp":false}}`) }, "features.mcp is false", "EDITOR"},
		{"lock_held", Warning, func(w *world) {
			w.put("agents/a.md", "---\nname: abc\ndescription: x\n---\n")
			w.put("agents/a.md.lock/owner-1.json", fmt.Sprintf(`{"pid":%d,"createdAt":%d,"token":"1"}`, os.Getpid(), time.Now().Add(-time.Minute).UnixMilli()))
		}, "a.md wait for", "ps -p "},
		{"servers_ignored", Serious, func(w *world) { w.put(cliFile, `{"mcp":{"servers":null}}`) }, "every MCP server", "EDITOR"},
		{"old_spelling", Note, func(w *world) { w.put(cliFile, sample(w.t, "cli-config/legacy-enable.json")) }, "old spellings", "mcp show"},
		{"hidden", Note, func(w *world) {
			w.put(agentsFile, sharedOne)
			w.put(cliFile, `{"mcp":{"servers":{"a":{"command":"a"}}}}`)
		}, "does not read the MCP servers", "mcp import"},
		{"no_effect", Warning, func(w *world) { w.put(stateFile, sample(w.t, "agents-state/current.json")) }, `"user:reviewer"`, "agents enable reviewer"},
		{"entry_ignored", Warning, func(w *world) {
			w.put(stateFile, `{"builtInModelSelectionOverrides":{"Explore":{"providerId":"p","modelId":"m","thoughtLevel":"high"}},"pluginAgentModelSelectionOverrides":{},"disabledAgentIds":[]}`)
		}, "builtInModelSelectionOverrides.Explore", "agents list"},
		{"not_json", Serious, func(w *world) { w.put(stateFile, "{") }, "are on again", ""},
		{"not_json", Serious, func(w *world) { w.put("v2/setting.json", "{") }, "puts it aside", ""},
		{"file_ignored", Serious, func(w *world) { w.put("v2/credentials.json", `{"a": 5}`) }, "corrupt", ""},
		{"no-description", Warning, func(w *world) { w.put("skills/x/SKILL.md", "---\nname: x\n---\n") }, "no description", ""},
		{"agent_skipped", Warning, func(w *world) {
			w.put("agents/a.md", "x")
			if err := os.Symlink("a.md", w.path("agents/b.md")); err != nil {
				w.t.Fatal(err)
			}
			if err := os.Remove(w.path("agents/a.md")); err != nil {
				w.t.Fatal(err)
			}
		}, "is a link", "ls -l"},
		{"plugin", Warning, func(w *world) { w.put("cli/plugins/installed_plugins.json", `{"plugins":[5]}`) }, "installed_plugins.json", "plugins list"},
	}
	for _, tt := range tests {
		t.Run(tt.kind+" "+tt.words, func(t *testing.T) {
			w := newWorld(t)
			tt.prepare(w)
			got := w.finding(tt.kind)
			if got.Severity != tt.severity || !strings.Contains(got.Message, tt.words) || !strings.Contains(got.Command, tt.command) {
				t.Errorf("got %+v, want %s with %q and %q", got, tt.severity, tt.words, tt.command)
			}
		})
	}
}

// A file without a secret may be read by anybody.
func TestDoctorLeavesWideModesWithoutSecrets(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"ui":{"theme":"dark"},"mcp":{"servers":{"a":{"command":"a"}}}}`)
	w.chmod(cliFile, 0o644)
	for _, f := range w.findings("") {
		if f.Kind == "mode_too_wide" {
			t.Errorf("got %+v", f)
		}
	}
}

// sampleProviders is a file without a fault.
const sampleProviders = `{"schemaVersion":1,"config":{"providerConfigRules":{"providerRules":[]},"modelConfigRules":{"providerModelRules":[],"manualProviderModelRules":[]}}}`

func (w *world) chmod(file string, mode os.FileMode) {
	w.t.Helper()
	if err := os.Chmod(w.path(file), mode); err != nil {
		w.t.Fatal(err)
	}
}

// What costs the whole file comes before what costs one server.
func TestDoctorPutsTheWorstFirst(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"mcp":{"servers":{"bad":{"command":"x","autoApprove":[]}}},"ui":{"theme":"pink"},"skill":{"/gone/SKILL.md":{"enable":false}}}`)
	var kinds []string
	for _, f := range w.findings("") {
		kinds = append(kinds, f.Kind)
	}
	if len(kinds) < 3 || kinds[0] != "file_ignored" || kinds[1] != "server_ignored" {
		t.Errorf("got %v, want file_ignored, server_ignored, then notes", kinds)
	}
}

// What a project file hides of the user's own settings.
func TestDoctorOfProject(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"permission":{"mode":"plan"},"ui":{"theme":"dark"},"mcp":{"servers":{"a":{"command":"a"}}},"hooks":{"enabled":true}}`)
	project := t.TempDir()
	at := filepath.Join(project, ".zcode", "config.json")
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(`{"permission":{"mode":"yolo"},"mcp":{"servers":{"a":{"command":"b"}}},"hooks":{"enabled":true}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range w.findings(project) {
		if f.File == at {
			got = append(got, string(f.Severity)+" "+f.Kind+" "+f.Pointer)
		}
	}
	same(t, "findings", strings.Join(got, "\n"), "warning project_hides /permission\nnote project_hidden /mcp/servers/a")
	for _, f := range w.findings("") {
		if f.Document == "project" {
			t.Errorf("got %+v without a project", f)
		}
	}
}
