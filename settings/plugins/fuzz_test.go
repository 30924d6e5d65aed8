package plugins

import (
	"path/filepath"
	"strings"
	"testing"
)

// FuzzRead wants any files read without a panic, nothing outside the plugin
// named, and no text of a server's environment shown.
func FuzzRead(f *testing.F) {
	f.Add(`{"name": "a", "skills": ["./x", "../y"], "hooks": ["h.json", {"Stop": []}], "mcpServers": {"b": {}}}`, `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "c"}]}]}}`, `{"a": {"command": "x", "env": {"K": "SECRET"}}}`)
	f.Add(`{"name": 1}`, `{"hooks": {"x/~": 1}}`, `{"mcpServers": {"": {"type": "\ud800"}}}`)
	f.Add(`[`, ``, "\ufeff{}")
	storage := f.TempDir()
	dir := filepath.Join(storage, "p")
	install(f, storage, record("a@m", dir, ""))
	write(f, dir, files{"x/s/SKILL.md": "", "h.json": `{"hooks": {}}`, "agents/a.md": ""})
	f.Fuzz(func(t *testing.T, manifest, hooks, servers string) {
		write(t, dir, files{".zcode-plugin/plugin.json": manifest, "hooks/hooks.json": hooks, ".mcp.json": servers})
		list, problems := Read(storage, "")
		if len(list) != 1 {
			t.Fatalf("got %d plugins, want one", len(list))
		}
		for _, p := range problems {
			if p.Reason == "" || !strings.HasPrefix(p.File, storage) {
				t.Errorf("problem %+v", p)
			}
		}
		c := list[0].Contents
		for _, item := range append(append(c.Skills, c.Agents...), c.Commands...) {
			if item.Path != "" && !strings.HasPrefix(item.Path, dir+string(filepath.Separator)) {
				t.Errorf("%+v is outside", item)
			}
		}
		for _, s := range c.MCPServers {
			for name, value := range s.Env {
				if value != "********" && value != "" {
					t.Errorf("%s shows %s", name, value)
				}
			}
		}
	})
}
