package plugins

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestFirstManifestCounts(t *testing.T) {
	named := func(name string) string { return `{"name": "` + name + `"}` }
	tests := []struct {
		list files
		want string // folder of the manifest
		id   string
	}{
		{files{".zcode-plugin/plugin.json": named("z"), ".claude-plugin/plugin.json": named("c"), ".codex-plugin/plugin.json": named("x")}, ".zcode-plugin", "z@m"},
		{files{".claude-plugin/plugin.json": named("c"), ".codex-plugin/plugin.json": named("x")}, ".claude-plugin", "c@m"},
		{files{".codex-plugin/plugin.json": named("x"), ".cursor-plugin/plugin.json": named("u")}, ".codex-plugin", "x@m"},
		{files{".zcode-plugin": "a file", ".codex-plugin/plugin.json": named("x")}, ".codex-plugin", "x@m"},
	}
	for _, tt := range tests {
		storage := t.TempDir()
		dir := filepath.Join(storage, "p")
		write(t, dir, tt.list)
		install(t, storage, record(tt.id, dir, ""))
		list, problems := Read(storage, "")
		if len(list) != 1 || list[0].ID != tt.id || list[0].Manifest != filepath.Join(dir, tt.want, "plugin.json") || problems != nil {
			t.Errorf("%v: got %+v and %v, want %s of %s", tt.list, list, problems, tt.id, tt.want)
		}
	}
}

// TestPluginThatZCodeIgnores wants it listed with the reason, and told.
func TestPluginThatZCodeIgnores(t *testing.T) {
	const prefix = "ZCode does not load this plugin: "
	const rule = "must be a name of small letters, digits, '.', '_' and '-'"
	tests := []struct{ manifest, ignored, problem string }{
		{`{"name": "A"}`, "plugin.json /name " + rule, "/name " + rule},
		{`{"name": 1}`, "plugin.json /name " + rule, "/name " + rule},
		{`{}`, "plugin.json /name " + rule, "/name " + rule},
		{`[]`, "plugin.json must hold an object", " must hold an object"},
		{`{"name": "a"`, "its manifest is not valid JSON", " the file ends too early"},
		{`{"name": "a"} // x`, "its manifest is not valid JSON", " "},
		{"\ufeff" + `{"name": "a"}`, "its manifest is not valid JSON", " begins with a byte order mark"},
		{``, "its manifest is not valid JSON", " the file is empty"},
	}
	for _, tt := range tests {
		p, dir, problems := readOne(t, files{".zcode-plugin/plugin.json": tt.manifest, "skills/s/SKILL.md": ""})
		if p.ID != "a@m" || p.Ignored != prefix+tt.ignored || p.Contents.Skills != nil {
			t.Errorf("%s: got %+v, want it ignored: %s", tt.manifest, p, tt.ignored)
		}
		if got := told(dir, problems); len(got) != 1 || !strings.HasPrefix(got[0], ".zcode-plugin/plugin.json"+tt.problem) {
			t.Errorf("%s: told %q, want %q", tt.manifest, got, tt.problem)
		}
	}
}

func TestPluginWithoutManifestOrFolder(t *testing.T) {
	storage := t.TempDir()
	write(t, storage, files{"bare/skills/s/SKILL.md": "", "file": ""})
	at := func(name string) string { return filepath.Join(storage, name) }
	install(t, storage, record("bare@m", at("bare"), ""), record("gone@m", at("gone"), ""), record("file@m", at("file"), ""), record("nul@m", at("x\x00y"), ""))
	list, problems := Read(storage, "")
	checkTold(t, storage, problems,
		"bare has no manifest (.zcode-plugin/plugin.json): ZCode does not load this plugin",
		"gone is missing: install the plugin again or uninstall it",
		"file is not a folder",
		"x\x00y cannot be read: invalid argument",
	)
	if len(list) != 4 {
		t.Fatalf("got %d plugins, want 4", len(list))
	}
	for _, p := range list {
		if !strings.HasPrefix(p.Ignored, "ZCode does not load this plugin: ") {
			t.Errorf("%s: ignored = %q, want a reason", p.ID, p.Ignored)
		}
	}
}

func TestManifestNamesTheSwitch(t *testing.T) {
	p, dir, problems := readOne(t, files{".zcode-plugin/plugin.json": `{"name": " b "}`})
	if p.ID != "b@m" || p.Name != "b" {
		t.Errorf("got %s, want b@m", p.ID)
	}
	checkTold(t, dir, problems, `.zcode-plugin/plugin.json/name decides: the plugin is installed as "a@m", but its switch is "b@m"`)
}

func TestProblemIsAnError(t *testing.T) {
	tests := []struct {
		problem Problem
		want    string
	}{
		{Problem{Reason: "is wrong"}, "is wrong"},
		{Problem{File: "/x", Reason: "is wrong"}, "/x is wrong"},
		{Problem{Plugin: "a@m", File: "/x", Pointer: "/p", Line: 2, Column: 3, Reason: "is wrong"}, "plugin a@m: /x: /p (line 2, column 3) is wrong"},
		{Problem{Plugin: "a\x1b[2J", File: "/x\n", Reason: "is wrong"}, `plugin "a\x1b[2J": "/x\n" is wrong`},
	}
	for _, tt := range tests {
		var err error = tt.problem
		if err.Error() != tt.want || !errors.As(err, new(Problem)) {
			t.Errorf("got %q, want %q", err, tt.want)
		}
	}
}
