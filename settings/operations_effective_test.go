package settings

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/effective"
	"zcode-acp/settings/home"
)

// clearVariables takes the machine's own settings out of the answers.
func clearVariables(t *testing.T) {
	t.Helper()
	for _, name := range []string{
		"HTTP_PROXY", "NO_PROXY", "AGENT_CA_CERT", "HTTP_TIMEOUT", "TIMEOUT", "LOG_FORMAT", "MAX_TOOL_CONCURRENCY",
		"STORAGE_DIR", "SESSION_DB_PATH", "SESSION_DB",
	} {
		t.Setenv("ZCODE_"+name, "")
	}
}

// projectWorld has a project of two folders; outer and inner are the names of
// their files, which are not there yet.
func projectWorld(t *testing.T) (w *world, cwd, outer, inner string) {
	t.Helper()
	clearVariables(t)
	w = newWorld(t)
	w.put("../project/.git/HEAD", "ref: refs/heads/main\n")
	w.put("../project/app/go.mod", "module app\n")
	return w, w.path("../project/app"), "../project/.zcode/config.json", "../project/app/zcode.json"
}

func (w *world) effective(cwd string) *Effective {
	w.t.Helper()
	answer, err := w.run("effective", Call{}, params{"cwd": cwd})
	if err != nil {
		w.t.Fatal(err)
	}
	return answer.(*Effective)
}

// find returns a setting that must be there.
func (e *Effective) find(t *testing.T, path string) effective.Setting {
	t.Helper()
	for _, s := range e.Settings {
		if s.Path == path {
			return s
		}
	}
	t.Fatalf("no setting %s in %+v", path, e.Settings)
	return effective.Setting{}
}

func TestEffective(t *testing.T) {
	w, cwd, outer, inner := projectWorld(t)
	w.put(cliFile, `{"permission":{"mode":"edit","allowedTools":["Read"]},"mcp":{"servers":{"a":{"command":"u"}}},"plugins":{"enabledPlugins":{"p@m":true}}}`)
	w.put(outer, `{"permission":{"mode":"plan"},"mcp":{"servers":{"a":{"command":"p"}}}}`)
	w.put(inner, `{"plugins":{"enabledPlugins":{"p@m":false}},"hooks":{"events":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}}`)
	t.Setenv("ZCODE_HTTP_TIMEOUT", "5")
	before := w.files()
	got := w.effective(cwd)
	w.unchanged(before)

	if diff := cmp.Diff([]Layer{
		{Name: effective.Default}, {Name: effective.User, File: w.path(cliFile)}, {Name: effective.Project, File: w.path(outer)},
		{Name: effective.Project, File: w.path(inner)}, {Name: effective.Environment},
	}, got.Layers); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}
	if !got.OK || got.Cwd != cwd {
		t.Errorf("got %t and %s", got.OK, got.Cwd)
	}
	for _, tt := range []struct {
		path, value string
		layer       effective.Name
		file        string
		hides       []effective.Name
	}{
		{"permission.mode", `"plan"`, effective.Project, outer, []effective.Name{effective.User, effective.Default}},
		{"permission.allowedTools", "", effective.None, "", []effective.Name{effective.User}},
		{"ui.theme", `"auto"`, effective.Default, "", nil},
		{"network.timeout", "5", effective.Environment, "", []effective.Name{effective.Default}},
		{"mcp.servers.a", `{"command":"u"}`, effective.User, cliFile, []effective.Name{effective.Project}},
		{"plugins.enabledPlugins.p@m", "false", effective.Project, inner, []effective.Name{effective.User}},
		{"hooks.enabled", "false", effective.Default, "", nil},
		{"hooks.events.Stop", "", effective.None, "", []effective.Name{effective.Project}},
	} {
		s := got.find(t, tt.path)
		var hides []effective.Name
		for _, o := range s.Overrides {
			hides = append(hides, o.Layer)
		}
		if tt.file != "" {
			tt.file = w.path(tt.file)
		}
		if string(s.Value) != tt.value || s.Layer != tt.layer || s.File != tt.file || !cmp.Equal(hides, tt.hides) {
			t.Errorf("%s: got %+v", tt.path, s)
		}
	}
	hasOnly(t, "notes", got.Notes, "the environment is that of this program", "candidates: not trusted", "hide the user's whole", "network.timeout comes from ZCODE_HTTP_TIMEOUT")
}

// TestEffectiveWithoutProject: the files of no folder count.
func TestEffectiveWithoutProject(t *testing.T) {
	w, _, outer, _ := projectWorld(t)
	w.put(outer, `{"ui":{"theme":"light"}}`)
	w.put(cliFile, `{"ui":{"theme":"dark"}}`)
	got := w.effective("")
	if s := got.find(t, "ui.theme"); s.Layer != effective.User || len(got.Layers) != 3 || got.Cwd != "" {
		t.Errorf("got %+v of %+v", s, got.Layers)
	}
}

// TestEffectiveIgnoredFiles: a file that ZCode makes nothing of is named, and
// what it would hide counts.
func TestEffectiveIgnoredFiles(t *testing.T) {
	tests := []struct{ name, text, reason string }{
		{"text that ends early", `{"ui":{"theme":"light"}`, "line 1, column 24: the file ends too early"},
		{"no object", `[]`, "must hold one JSON object"},
		{"no content", ``, "the file is empty"},
		{"one bad value", `{"ui":{"theme":"light"},"permission":{"mode":"guarded"}}`, "3.15.1"},
		{"a byte order mark", "\ufeff{\"ui\":{\"theme\":\"light\"}}", "byte order mark"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, cwd, outer, inner := projectWorld(t)
			w.put(cliFile, `{"ui":{"theme":"dark"}}`)
			w.put(outer, tt.text)
			got := w.effective(cwd)
			if s := got.find(t, "ui.theme"); string(s.Value) != `"dark"` || s.Layer != effective.User {
				t.Errorf("with a project's file that ZCode ignores: got %+v", s)
			}
			if l := got.Layers[2]; l.File != w.path(outer) || !strings.Contains(l.Ignored, tt.reason) || got.Layers[1].Ignored != "" {
				t.Errorf("got %+v, want a reason with %q", got.Layers, tt.reason)
			}

			w.put(cliFile, tt.text)
			w.put(outer, `{}`)
			w.put(inner, `{"memory":{"use":false}}`)
			got = w.effective(cwd)
			if s := got.find(t, "ui.theme"); s.Layer != effective.Default {
				t.Errorf("with a user's file that ZCode ignores: got %+v", s)
			}
			if s := got.find(t, "memory.use"); s.File != w.path(inner) {
				t.Errorf("got %+v", s)
			}
			if l := got.Layers[1]; !strings.Contains(l.Ignored, tt.reason) || got.Layers[2].Ignored != "" {
				t.Errorf("got %+v, want a reason with %q", got.Layers, tt.reason)
			}
		})
	}
}

// TestEffectiveShowsNoSecret wherever it comes from.
func TestEffectiveShowsNoSecret(t *testing.T) {
	w, cwd, outer, inner := projectWorld(t)
	const text = `{"network":{"httpProxy":"http://u:CANARY-a@p.example"},
		"mcp":{"servers":{"s":{"command":"c","args":["--token","CANARY-b"],"env":{"A":"CANARY-c"}},
			"h":{"url":"https://u:CANARY-d@h.example?api_key=CANARY-e","headers":{"X":"CANARY-f"},"oauth":{"type":"client_credentials","clientId":"i","clientSecret":"CANARY-g"}},
			"bad":{"url":"https://h.example","http_headers":{"X":"CANARY-h"},"apiKey":"CANARY-i"}}},
		"plugins":{"options":{"p@m":{"apiKey":"CANARY-j","pin":12345}},"extraKnownMarketplaces":{"m":{"source":{"source":"url","url":"https://u:CANARY-k@m.example","headers":{"X":"CANARY-l"}}}}},
		"hooks":{"enabled":true,"events":{"Stop":[{"hooks":[{"type":"process","command":"c","args":["--password=CANARY-m"],"env":{"A":"CANARY-n"}}]}]}}}`
	for _, file := range []string{cliFile, outer, inner} {
		w.put(file, text)
	}
	t.Setenv("ZCODE_HTTP_PROXY", "http://u:CANARY-o@p.example")
	got := w.effective(cwd)
	for _, l := range got.Layers {
		if l.Ignored != "" {
			t.Fatalf("the file has to be one that counts: %+v", l)
		}
	}
	answer, err := Encode(got)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(answer), "CANARY") || strings.Contains(string(answer), "12345") {
		t.Errorf("a secret is shown: %s", answer)
	}
	same(t, "the proxy", string(got.find(t, "network.httpProxy").Value), `"http://********@p.example"`)
	if n := len(got.find(t, "mcp.servers.bad").Overrides); n != 3 {
		t.Errorf("got %d layers with a server that ZCode skips, want 3", n)
	}
}

// TestEffectiveNotes: what is no setting, and has a say.
func TestEffectiveNotes(t *testing.T) {
	w, cwd, outer, _ := projectWorld(t)
	w.put(agentsFile, `{"mcpServers":{"shared":{"command":"c"}}}`)
	w.put(outer, `{"mcp":{"servers":5}}`)
	t.Setenv("ZCODE_STORAGE_DIR", w.path("elsewhere"))
	const program, place = "the environment is that of this program", "ZCODE_STORAGE_DIR is set and does not count"
	got := w.effective(cwd)
	if s := got.find(t, "storage.dir"); s.Layer != effective.Default {
		t.Errorf("got %+v, want the variable to be outranked", s)
	}
	hasOnly(t, "notes without a file of the user", got.Notes, program, place,
		"takes the MCP servers of "+w.path(agentsFile), "ignores all MCP servers of "+w.path(outer))
	w.put(cliFile, `{"mcp":{"servers":{"own":{"command":"c"}}}}`)
	hasOnly(t, "notes with a server of the user", w.effective("").Notes, program, place)
}

// TestEffectiveVariablesOfPlaces count where ZCode's own rules decide.
func TestEffectiveVariablesOfPlaces(t *testing.T) {
	clearVariables(t)
	t.Setenv("ZCODE_STORAGE_DIR", "/elsewhere")
	root := t.TempDir()
	layout, err := home.Resolve(home.Options{Env: func(name string) string {
		return map[string]string{"HOME": root, "USERPROFILE": root, "ZCODE_ACP_STATE_DIR": filepath.Join(root, "state")}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	engine := NewEngine(layout, nil)
	w := &world{t: t, dir: layout.Root(), engine: engine, catalog: NewCatalog(engine.Operations())}
	if s := w.effective("").find(t, "storage.dir"); s.Layer != effective.Environment || string(s.Value) != `"/elsewhere"` {
		t.Errorf("got %+v, want the variable", s)
	}
}

func TestEffectiveRefused(t *testing.T) {
	w, _, _, _ := projectWorld(t)
	for _, cwd := range []string{"project", w.path("none"), w.path("../project/app/go.mod")} {
		if body := w.refuse("effective", Call{}, params{"cwd": cwd}); body.Code != CodeInvalid || body.Pointer != "/cwd" {
			t.Errorf("%s: got %+v", cwd, body)
		}
	}
}
