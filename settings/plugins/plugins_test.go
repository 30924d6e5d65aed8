package plugins

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"zcode-acp/settings/cliconfig"
)

func TestReadNothing(t *testing.T) {
	for name, dir := range map[string]string{"empty": t.TempDir(), "missing": filepath.Join(t.TempDir(), "none")} {
		if list, problems := Read(dir, ""); len(list) > 0 || problems != nil {
			t.Errorf("%s: Read = %v, %v, want nothing", name, list, problems)
		}
	}
}

func TestReadPlugin(t *testing.T) {
	p, dir, problems := readOne(t, files{
		".zcode-plugin/plugin.json": `{"name": "a", "version": "0.9", "description": "Tools for é"}`,
		"skills/review/SKILL.md":    "---\nname: review\n---\n",
		"skills/notes.txt":          "",
		"agents/tester.md":          "",
		"agents/deep/er/coder.md":   "",
		"commands/hello.md":         "",
		"commands/sub/hidden.md":    "",
		"hooks/hooks.json":          `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}`,
		".mcp.json":                 `{"mcpServers": {"db": {"command": "run", "env": {"KEY": "SECRET"}}}}`,
	})
	want := Plugin{
		ID: "a@m", Name: "a", Marketplace: "m", Version: "1.0.0", InstallPath: dir, Scope: User,
		Description: "Tools for é", Manifest: filepath.Join(dir, ".zcode-plugin", "plugin.json"),
		Contents: Contents{
			Skills:   items(dir, "review=skills/review/SKILL.md"),
			Agents:   items(dir, "coder=agents/deep/er/coder.md", "tester=agents/tester.md"),
			Commands: items(dir, "hello=commands/hello.md"),
			Hooks:    []Hooks{{"Stop", 1}},
			MCPServers: []cliconfig.Server{
				{Name: "db", Type: "stdio", Command: "run", Env: map[string]string{"KEY": "********"}, Enabled: true, Source: "plugin"},
			},
		},
	}
	if diff := cmp.Diff(want, p, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("plugin (-want +got):\n%s", diff)
	}
	checkTold(t, dir, problems)
}

func TestInstalledFor(t *testing.T) {
	storage, project := t.TempDir(), t.TempDir()
	plugin := func(name string) string {
		dir := filepath.Join(storage, name)
		write(t, dir, files{".claude-plugin/plugin.json": `{"name": "` + name + `"}`})
		return dir
	}
	install(t, storage,
		record("everywhere@m", plugin("everywhere"), ""),
		record("user@m", plugin("user"), `"scope": "user", "projectPath": "/other"`),
		record("here@m", plugin("here"), `"scope": "workspace", "projectPath": `+quote(project+"/")),
		record("there@m", plugin("there"), `"scope": "workspace", "projectPath": `+quote(project+"2")),
		record("below@m", plugin("below"), `"scope": "workspace", "projectPath": `+quote(filepath.Join(project, "sub"))),
		record("unknown@m", plugin("unknown"), `"scope": "workspace"`),
	)
	names := func(list List) (names []string) {
		for _, p := range list {
			names = append(names, p.Name)
		}
		return names
	}
	all, problems := Read(storage, "")
	if problems != nil {
		t.Errorf("problems %v", problems)
	}
	want := []string{"everywhere", "user", "here", "there", "below", "unknown"}
	if diff := cmp.Diff(want, names(all)); diff != "" {
		t.Errorf("all (-want +got):\n%s", diff)
	}
	want = []string{"everywhere", "user", "here", "unknown"}
	if diff := cmp.Diff(want, names(all.InstalledFor(project))); diff != "" {
		t.Errorf("of the project (-want +got):\n%s", diff)
	}
	here, _ := Read(storage, project)
	if diff := cmp.Diff(want, names(here)); diff != "" {
		t.Errorf("read for the project (-want +got):\n%s", diff)
	}
}

// TestSamePluginTwice wants the first of two, as ZCode loads it, unless they are
// of different workspaces.
func TestSamePluginTwice(t *testing.T) {
	storage := t.TempDir()
	for _, version := range []string{"9.0.0", "10.0.0", "8.0.0"} {
		write(t, filepath.Join(storage, version), files{".zcode-plugin/plugin.json": `{"name": "a"}`})
	}
	at := func(version string) string { return filepath.Join(storage, version) }
	install(t, storage,
		record("a@m", at("9.0.0"), ""), record("a@m", at("10.0.0"), ""), record("a@m", at("8.0.0"), ""), record("a@other", at("9.0.0"), ""),
		record("a@m", at("9.0.0"), `"scope": "workspace", "projectPath": "/p"`),
		record("a@m", at("9.0.0"), `"scope": "workspace", "projectPath": "/q"`),
	)
	list, problems := Read(storage, "")
	var got []string
	for _, p := range list {
		got = append(got, p.ID+" "+p.Version+" "+p.ProjectPath)
	}
	if diff := cmp.Diff([]string{"a@m 9.0.0 ", "a@other 9.0.0 ", "a@m 9.0.0 /p", "a@m 9.0.0 /q"}, got); diff != "" {
		t.Errorf("plugins (-want +got):\n%s", diff)
	}
	checkTold(t, storage, problems,
		"10.0.0 holds the same plugin as "+at("9.0.0")+", which ZCode takes although it is older (9.0.0, not 10.0.0)",
		"8.0.0 holds the same plugin as "+at("9.0.0")+", which ZCode takes",
	)
}

func TestNamed(t *testing.T) {
	for id, want := range map[string]Plugin{
		"a@m":   {ID: "a@m", Name: "a", Marketplace: "m"},
		"a":     {ID: "a", Name: "a"},
		"a@b@m": {ID: "a@b@m", Name: "a@b", Marketplace: "m"},
	} {
		if diff := cmp.Diff(want, Named(id)); diff != "" {
			t.Errorf("Named(%q) (-want +got):\n%s", id, diff)
		}
	}
}

func TestReadDirs(t *testing.T) {
	cwd := t.TempDir()
	write(t, cwd, files{
		"local/.codex-plugin/plugin.json":  `{"name": "mine", "version": "2.1"}`,
		"2.0.0/.zcode-plugin/plugin.json":  `{"name": "other", "version": "3"}`,
		"again/.zcode-plugin/plugin.json":  `{"name": "mine"}`,
		"broken/.zcode-plugin/plugin.json": `{`,
	})
	abs := filepath.Join(cwd, "2.0.0")
	list, problems := ReadDirs([]string{"./local", abs, "again", "broken", "none"}, cwd)
	var got []string
	for _, p := range list {
		got = append(got, p.ID+" "+p.Version+" "+filepath.Base(p.InstallPath))
	}
	if diff := cmp.Diff([]string{"mine@inline 2.1 local", "other@inline 3 2.0.0", "broken@inline  broken", "none@inline  none"}, got); diff != "" {
		t.Errorf("plugins (-want +got):\n%s", diff)
	}
	checkTold(t, cwd, problems,
		"broken/.zcode-plugin/plugin.json the file ends too early: it may be cut short",
		"none is missing: install the plugin again or uninstall it",
		"again holds the same plugin as "+filepath.Join(cwd, "local")+", which ZCode takes",
	)
	_, problems = ReadDirs([]string{"local"}, "")
	checkTold(t, cwd, problems, "local is relative: name a project to see the plugin")
}
