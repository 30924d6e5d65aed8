//go:build unix

package plugins

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func link(t testing.TB, target, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func TestInstallPathThatLeadsToTheRoot(t *testing.T) {
	storage := t.TempDir()
	at := func(name string) string { return filepath.Join(storage, name) }
	link(t, "/", at("root"))
	link(t, "root", at("again"))
	link(t, "loop", at("loop"))
	link(t, "gone", at("dangling"))
	link(t, "real", at("good"))
	write(t, at("real"), files{".zcode-plugin/plugin.json": `{"name": "good"}`, "commands/c.md": ""})
	var records []string
	for _, name := range []string{"root", "again", "loop", "dangling", "good"} {
		records = append(records, record(name+"@m", at(name), ""))
	}
	install(t, storage, append(records, record("slash@m", "/", ""))...)
	list, problems := Read(storage, "")
	const root = " is the root of the file system, which is no plugin: install the plugin again"
	checkTold(t, storage, problems,
		"root"+root, "again"+root,
		"loop is a symbolic link that leads to itself",
		"dangling is missing: install the plugin again or uninstall it",
		told(storage, []Problem{{File: "/", Reason: root[1:]}})[0],
	)
	for _, p := range list {
		if good := p.Name == "good"; good != (p.Ignored == "") || good != (cmp.Diff(Contents{}, p.Contents) != "") {
			t.Errorf("%s: ignored %q with %+v", p.Name, p.Ignored, p.Contents)
		}
	}
}

// TestLinksInsideAPlugin wants none followed out of the plugin, and no skill,
// agent or command taken through one.
func TestLinksInsideAPlugin(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, files{
		"skill/SKILL.md": "", "x.md": "", "sub/y.md": "",
		"hooks.json": `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}`,
		"mcp.json":   `{"canary": {"command": "SECRET"}}`,
	})
	storage := t.TempDir()
	dir := filepath.Join(storage, "p")
	write(t, dir, files{
		".zcode-plugin/plugin.json": `{"name": "a", "skills": ["linked", "deep/out"], "mcpServers": "./in.json"}`,
		"skills/real/SKILL.md":      "", "skills/note": "", "agents/real.md": "", "in/z.md": "",
		"servers.json": `{"inner": {"command": "x"}}`,
	})
	link(t, filepath.Join(outside, "skill"), filepath.Join(dir, "skills", "away"))
	link(t, "/", filepath.Join(dir, "skills", "slash"))
	link(t, "real", filepath.Join(dir, "skills", "same"))
	link(t, "note", filepath.Join(dir, "skills", "note2"))
	link(t, filepath.Join(outside, "x.md"), filepath.Join(dir, "skills", "file", "SKILL.md"))
	link(t, filepath.Join(outside, "x.md"), filepath.Join(dir, "agents", "out.md"))
	link(t, outside, filepath.Join(dir, "agents", "tree"))
	link(t, ".", filepath.Join(dir, "agents", "loop"))
	link(t, outside, filepath.Join(dir, "commands"))
	link(t, "skills", filepath.Join(dir, "linked"))
	link(t, outside, filepath.Join(dir, "deep"))
	link(t, filepath.Join(outside, "hooks.json"), filepath.Join(dir, "hooks", "hooks.json"))
	link(t, "../../../../../../../../../../../.."+filepath.Join(outside, "mcp.json"), filepath.Join(dir, ".mcp.json"))
	link(t, "servers.json", filepath.Join(dir, "in.json"))
	install(t, storage, record("a@m", dir, ""))
	list, problems := Read(storage, "")
	c := list[0].Contents
	checkItems(t, "skills", c.Skills, items(dir, "real=skills/real/SKILL.md"))
	checkItems(t, "agents", c.Agents, items(dir, "real=agents/real.md"))
	checkItems(t, "commands", c.Commands, nil)
	if c.Hooks != nil || len(c.MCPServers) != 1 || c.MCPServers[0].Name != "inner" {
		t.Errorf("hooks %v, servers %v, want the inner server only", c.Hooks, c.MCPServers)
	}
	const escapes = " cannot be read: path escapes from parent"
	checkTold(t, dir, problems,
		"skills/away "+isLink, "skills/file/SKILL.md "+isLink, "skills/same "+isLink, "skills/slash "+isLink,
		"linked "+isLink, "deep/out"+escapes, "commands "+isLink,
		"hooks/hooks.json"+escapes, ".mcp.json"+escapes,
	)
}

func TestManifestBehindALink(t *testing.T) {
	outside, storage := t.TempDir(), t.TempDir()
	write(t, outside, files{"plugin.json": `{"name": "canary"}`})
	dir := filepath.Join(storage, "p")
	link(t, filepath.Join(outside, "plugin.json"), filepath.Join(dir, ".zcode-plugin", "plugin.json"))
	install(t, storage, record("a@m", dir, ""))
	list, problems := Read(storage, "")
	if len(list) != 1 || list[0].ID != "a@m" {
		t.Errorf("got %v, want the id of the record", list)
	}
	checkTold(t, dir, problems, ".zcode-plugin/plugin.json cannot be read: path escapes from parent")
}

// TestNamedPipes would wait for ever if one were opened.
func TestNamedPipes(t *testing.T) {
	storage := t.TempDir()
	dir := filepath.Join(storage, "p")
	write(t, dir, files{".claude-plugin/plugin.json": `{"name": "a"}`, "hooks/x": "", ".zcode-plugin/x": "", "marketplaces/x": ""})
	write(t, storage, files{"marketplaces/zcode-plugins-official/x": ""})
	install(t, storage, record("a@m", dir, ""))
	for _, path := range []string{
		filepath.Join(dir, ".zcode-plugin", "plugin.json"), filepath.Join(dir, "hooks", "hooks.json"), filepath.Join(dir, ".mcp.json"),
		filepath.Join(storage, bundledFile),
	} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, problems := Read(storage, "")
	if len(list) != 1 || list[0].ID != "a@m" || list[0].Ignored != "" {
		t.Errorf("got %+v, want the plugin", list)
	}
	const irregular = " is not a regular file"
	checkTold(t, storage, problems, bundledFile+irregular, "p/.zcode-plugin/plugin.json"+irregular, "p/hooks/hooks.json"+irregular, "p/.mcp.json"+irregular)
}
