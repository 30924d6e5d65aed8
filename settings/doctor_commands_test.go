package settings

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// commands are what a finding may tell a person to run; each is on every machine
// that ZCode runs on, or is ours.
var commands = regexp.MustCompile(`^(zcode-acp (--home \S+ )?(version|doctor --fix|settings (agents|backups|hooks|mcp|plugins|providers|skills|where))|ls -la?d?|ps -p|df|diff|rm|cp -p|chmod 600|\$\{EDITOR:-vi\}) ?`)

// everythingBroken has each kind of trouble that doctor knows, with secrets in
// every place.
func everythingBroken(t *testing.T) *world {
	w := newWorld(t)
	w.put(cliFile, `{"mcp":{"servers":{"bad":{"command":"x","env":{"TOKEN":"CANARY-env"},"autoApprove":["CANARY-unknown"]},
"-flag":{"command":5,"env":{"A":7}},"line\nbreak":{"url":"https://u:CANARY-pass@h.example/?token=CANARY-url","command":""},"old":{"command":"x","enable":false}}},
"hooks":{"events":{"Stop; rm -rf ~":[{"hooks":[{"type":"command","command":"TOKEN=CANARY-hook run","timeout":-1}]}],"Stop":[{"matcher":"","hooks":[{"type":"command","command":"a","env":{"K":"CANARY-hookenv"}}]}]}},
"skills":{"C:\\gone\\SKILL.md":{"enable":false},"/gone/\u001b[2J/SKILL.md":{"enable":false},"/gone/SKILL.md":{"enable":false}},"plugins":{"enabledPlugins":{"gone@none":true}}}`)
	w.chmod(cliFile, 0o644)
	w.put(providerFile, `{"schemaVersion":1,"config":{"providerConfigRules":{"providerRules":[{"providerId":"p","config":{"apiKey":"CANARY-key","timeout":5}}]}}}`)
	w.put(stateFile, `{"disabledAgentIds":["user:nobody","user:foo","user:user:Foo","built-in:built-in:x","user:",""]}`)
	w.put("v2/setting.json", `{"token":"CANARY-setting"`)
	w.put("v2/credentials.json", `{"a":5,"b":"CANARY-credential"}`)
	w.put(agentsFile, `{"mcpServers":{"s":{"command":"x","env":{"T":"CANARY-shared"}}} // x`)
	w.put("agents/a.md", "---\nname: [CANARY-yaml\n---\n")
	w.put("agents/b.md", "\xff\xfe")
	w.put("agents/c.md", "---\nname: Foo\ndescription: \"CANARY-quote\nmodel: CANARY-model\n---\n")
	w.put("agents/d.md", "---\nname: Foo\ndescription: x\nmcpServers:\n  - own:\n     env: {TOKEN: CANARY-agent\n---\n")
	w.put("skills/x/SKILL.md", "---\nname: x\n---\nCANARY-skill\n")
	w.put("skills/SKILL.md", "x")
	w.put("cli/plugins/installed_plugins.json", `{"plugins":{"a@b":[{"token":"CANARY-plugin"}]}} x`)
	w.put("cli/.config.json.1.2.ab.tmp", "CANARY-temp")
	w.put("v2/setting.json.corrupt-2026-01-01T00-00-00-000Z", "CANARY-corrupt")
	w.put(providerFile+".lock/owner-1.json", `{"pid":2147483646,"createdAt":1,"token":"1"}`)
	w.blockLock(stateFile)
	for link, to := range map[string]string{"agents/link.md": "a.md", "skills/circle": "circle"} {
		if err := os.Symlink(to, w.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// A home with everything broken is told in seconds, with what to do, no secret,
// and without a change.
func TestDoctorOfAHomeWithEverythingBroken(t *testing.T) {
	w := everythingBroken(t)
	if err := os.Remove(w.path("skills/circle")); err != nil { // what it leads to cannot be compared below
		t.Fatal(err)
	}
	if err := os.Remove(w.path("agents/link.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(w.path(stateFile) + ".lock"); err != nil {
		t.Fatal(err)
	}
	before := w.below(filepath.Dir(w.dir))
	checkFindings(t, w)
	if diff := cmp.Diff(before, w.below(filepath.Dir(w.dir))); diff != "" {
		t.Errorf("doctor changed files (-before +after):\n%s", diff)
	}
}

func TestDoctorOfLinksThatLeadNowhere(t *testing.T) { checkFindings(t, everythingBroken(t)) }

func checkFindings(t *testing.T, w *world) {
	t.Helper()
	project := filepath.Join(w.dir, "project")
	w.put("project/.zcode/config.json", `{"ui":{"theme":"CANARY-theme"},"mcp":{"servers":{"bad":{"command":"CANARY-command"}}}}`)
	defer os.RemoveAll(project)
	for _, cwd := range []string{"", project} {
		start := time.Now()
		answer, err := w.run("doctor", Call{}, params{"cwd": cwd})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 15*time.Second {
			t.Errorf("took %v", took)
		}
		text, err := Encode(answer)
		if err != nil || strings.Contains(string(text), "CANARY") {
			t.Errorf("%v: secret in %s", err, text)
		}
		findings := answer.(*Diagnosis).Findings
		if len(findings) < 15 {
			t.Errorf("got %d findings, want all of the trouble", len(findings))
		}
		for _, f := range findings {
			if f.Kind != "place" && !strings.Contains(f.Message, w.dir) && !strings.Contains(f.Message, filepath.Dir(w.path(agentsFile))) {
				t.Errorf("%s: got %q, want the path in it", f.Kind, f.Message)
			}
			if strings.ContainsFunc(f.Message+f.Command, unicode.IsControl) {
				t.Errorf("%s: got %q and %q, want text that a terminal shows", f.Kind, f.Message, f.Command)
			}
			if f.Command == "" && f.Severity != Note || f.Command != "" && !commands.MatchString(f.Command) {
				t.Errorf("%s: got the command %q for %q", f.Kind, f.Command, f.Message)
			}
		}
	}
}

// What a finding says to run is what an operation takes.
func TestDoctorCommandsHelp(t *testing.T) {
	tests := []struct {
		title, file, text string
		command           string // part of the one command
		op                string // what it runs
		in                params
	}{
		{"an id without an agent", stateFile, `{"builtInModelSelectionOverrides":{},"pluginAgentModelSelectionOverrides":{},"disabledAgentIds":["user:nobody"]}`,
			"zcode-acp settings agents enable nobody", "agents/enable", params{"name": "nobody", "enable": true}},
		{"an id of an agent", stateFile, `{"builtInModelSelectionOverrides":{},"pluginAgentModelSelectionOverrides":{},"disabledAgentIds":["user:foo"]}`,
			"zcode-acp settings agents disable Foo", "agents/enable", params{"name": "Foo", "enable": false}},
		{"an id in a spelling that no operation removes", stateFile, `{"disabledAgentIds":["user:user:Foo"]}`, "${EDITOR:-vi} ", "", nil},
		{"an id in another case", stateFile, `{"disabledAgentIds":["user:Foo"]}`, "${EDITOR:-vi} ", "", nil},
		{"an id of a built-in agent", stateFile, `{"disabledAgentIds":["built-in:built-in:explore"]}`, "${EDITOR:-vi} ", "", nil},
		{"a switch of a skill that is gone", cliFile, `{"skills":{"/gone/SKILL.md":{"enable":false}}}`,
			"zcode-acp settings skills enable /gone/SKILL.md", "skills/enable", params{"path": "/gone/SKILL.md", "enable": true}},
		{"a switch of a skill on Windows", cliFile, `{"skills":{"C:\\gone\\SKILL.md":{"enable":false}}}`,
			`zcode-acp settings skills enable 'C:\gone\SKILL.md'`, "skills/enable", params{"path": `C:\gone\SKILL.md`, "enable": true}},
		{"a switch that is none of a skill", cliFile, `{"skills":{"/gone/x":{"enable":false}}}`, "${EDITOR:-vi} ", "", nil},
		{"a plugin that is gone", cliFile, `{"plugins":{"enabledPlugins":{"gone@none":true}}}`,
			"zcode-acp settings plugins disable gone@none", "plugins/enable", params{"id": "gone@none", "enable": false}},
	}
	for _, tt := range tests {
		t.Run(tt.title, func(t *testing.T) {
			w := worldOfAgents(t)
			for _, file := range []string{"duplicate-key.md", "no-frontmatter.md", "crlf.md", "colon.md", "nested/deep.md", "block-scalar.md"} {
				if err := os.Remove(w.path("agents/" + file)); err != nil {
					t.Fatal(err)
				}
			}
			w.put(tt.file, tt.text)
			got := w.finding("no_effect")
			if !strings.HasPrefix(got.Command, tt.command) {
				t.Errorf("got the command %q, want %q", got.Command, tt.command)
			}
			if tt.op == "" {
				return
			}
			w.write(tt.op, Call{}, tt.in)
			for _, f := range w.findings("") {
				if f.Kind == "no_effect" {
					t.Errorf("got %+v after its command ran", f)
				}
			}
		})
	}
}

// Names come from files, and the commands are pasted into a shell.
func TestDoctorQuotesForTheShell(t *testing.T) {
	path := `'C:\x'`
	if runtime.GOOS == "windows" {
		path = `C:\x`
	}
	for text, want := range map[string]string{
		"/a/b-c_1.json": "/a/b-c_1.json", "": "''", "a b": "'a b'", "x; rm -rf ~": "'x; rm -rf ~'", `C:\x`: path, "it's": `'it'\''s'`,
		"$HOME": "'$HOME'", "`id`": "'`id`'", "~": "'~'", "*": "'*'",
	} {
		same(t, text, quoted(text), want)
	}
	same(t, "a flag", argument("-x"), "-- -x")
}
