package api

import (
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Files of a home in which there is something of everything.
const (
	reviewerFile = "agents/reviewer.md"
	skillFile    = "skills/review/SKILL.md"
	sharedSkill  = "../.agents/skills/shared/SKILL.md"
	installed    = "cli/plugins/installed_plugins.json"
	pluginDir    = "cli/plugins/cache/market/tools/1.0.0"
	projectDir   = "../project"
)

const worldConfig = `{
  "mcp": {"servers": {"files": {"type": "stdio", "command": "npx", "env": {"ROOT": "/srv"}}}},
  "hooks": {"enabled": true, "events": {"Stop": [{"hooks": [{"type": "command", "command": "first"}, {"type": "command", "command": "second", "timeout": 5}]}]}},
  "plugins": {"enabledPlugins": {"tools@market": true}},
  "ui": {"theme": "dark"}
}
`

const worldAgent = "---\nname: reviewer\ndescription: Reviews a change.\ncolor: blue\n---\n\nYou review changes.\n"

// skillText is a SKILL.md.
func skillText(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\n\nDo it.\n"
}

// inhabited is a server for a home in which there is something of everything.
func inhabited(t testing.TB, change ...func(*Options)) *fixture {
	f := newFixture(t, change...)
	f.write(cliFile, worldConfig)
	f.write(providerFile, example(t, "provider/canonical.json"))
	f.write(agentsFile, `{"mcpServers": {"shared": {"command": "shared"}}}`)
	f.write(stateFile, `{"builtInModelSelectionOverrides": {}, "pluginAgentModelSelectionOverrides": {}, "disabledAgentIds": []}`)
	f.write(reviewerFile, worldAgent)
	f.write(skillFile, skillText("review", "Reviews a change."))
	f.write(sharedSkill, skillText("shared", "Is shared."))
	f.write(installed, `{"plugins": [{"id": "tools@market", "name": "tools", "marketplace": "market", "version": "1.0.0", "installPath": "`+
		filepath.ToSlash(filepath.Join(f.dir, pluginDir))+`"}]}`)
	for name, text := range map[string]string{
		".zcode-plugin/plugin.json": `{"name": "tools", "version": "1.0.0", "description": "Some tools."}`,
		"skills/lint/SKILL.md":      skillText("lint", "Finds mistakes."),
		"agents/helper.md":          "---\nname: helper\ndescription: Helps.\n---\n\nYou help.\n",
		"commands/go.md":            "Go.\n",
		"hooks/hooks.json":          `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "stop"}]}]}}`,
		".mcp.json":                 `{"mcpServers": {"inside": {"command": "inside", "env": {"K": "the value"}}}}`,
	} {
		f.write(pluginDir+"/"+name, text)
	}
	f.write(projectDir+"/.git/HEAD", "ref: refs/heads/main\n")
	f.write(projectDir+"/.zcode/config.json", `{"hooks": {"enabled": true, "events": {"Stop": [{"hooks": [{"type": "command", "command": "own"}]}]}}}`)
	f.write(projectDir+"/.zcode/agents/own.md", "---\nname: own\ndescription: Of the project.\n---\n\nYou are here.\n")
	f.write(projectDir+"/.zcode/skills/ship/SKILL.md", skillText("ship", "Ships it."))
	return f
}

// project is the query of reads that show the project as well.
func (f *fixture) project() string { return "?cwd=" + filepath.Join(filepath.Dir(f.dir), "project") }

// tree returns every file beside backups, locks and the state of this program.
func (f *fixture) tree() map[string]string {
	f.t.Helper()
	root := filepath.Dir(f.dir)
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(f.dir, path)
		if err != nil || strings.HasPrefix(path, filepath.Join(root, "state")) || strings.Contains(name, ".bak-") {
			return err
		}
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
	return files
}

// differing names the files that two trees do not share.
func differing(before, after map[string]string) []string {
	var names []string
	for name, text := range before {
		if now, there := after[name]; !there || now != text {
			names = append(names, name)
		}
	}
	for name := range maps.Keys(after) {
		if _, there := before[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestWorldIsWhole: what the other tests look for is there, and nothing is wrong
// with it.
func TestWorldIsWhole(t *testing.T) {
	f := inhabited(t)
	for path, want := range map[string]string{
		"/settings/skills":  `"name":"lint"`,
		"/settings/agents":  `"name":"helper"`,
		"/settings/plugins": `"name":"inside"`,
		"/settings/hooks":   `"command":"second"`,
	} {
		got := f.call(http.MethodGet, path, "")
		if got.status != http.StatusOK || !strings.Contains(string(got.body), want) || got.members(t)["warnings"] != nil {
			t.Errorf("GET %s: %d %s, want %s", path, got.status, got.body, want)
		}
	}
}
