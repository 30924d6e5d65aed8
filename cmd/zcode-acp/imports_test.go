package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed says which packages of the project a package may import: knowledge
// flows one way. Test files are not looked at.
var allowed = map[string][]string{
	"api":                    {"settings", "settings/jsonedit"},
	"acp":                    {"settings", "settings/jsonedit", "acp/jsonrpc"},
	"acp/jsonrpc":            {},
	"settings":               {"settings/home", "settings/jsonedit", "settings/jwcc", "settings/schema", "settings/redact", "settings/provider", "settings/cliconfig", "settings/effective", "settings/agents", "settings/frontmatter", "settings/history", "settings/plugins", "settings/skills", "lockfile", "atomicwrite"},
	"settings/agents":        {"settings/jsonedit", "settings/schema", "settings/redact", "settings/frontmatter"},
	"settings/frontmatter":   {},
	"settings/history":       {},
	"settings/plugins":       {"settings/jsonedit", "settings/cliconfig"},
	"settings/skills":        {"settings/frontmatter"},
	"settings/provider":      {"settings/jsonedit", "settings/schema", "settings/redact"},
	"settings/cliconfig":     {"settings/jsonedit", "settings/jwcc", "settings/schema", "settings/redact"},
	"settings/effective":     {"settings/jsonedit", "settings/cliconfig"},
	"settings/jwcc":          {"settings/jsonedit"},
	"settings/schema":        {"settings/jsonedit"},
	"settings/home":          {},
	"settings/jsonedit":      {},
	"settings/redact":        {"settings/jsonedit"},
	"lockfile":               {"lockfile/internal/wake"},
	"lockfile/internal/wake": {},
	"atomicwrite":            {},
}

// libraries says which modules beside the standard library a leaf may import.
var libraries = map[string][]string{
	"lockfile":               {"github.com/gofrs/flock"},
	"lockfile/internal/wake": {"github.com/fsnotify/fsnotify"},
	"atomicwrite":            {"golang.org/x/sys"},
	"settings/home":          {},
	"settings/jsonedit":      {},
	"settings/redact":        {},
	"settings/schema":        {},
	"settings/provider":      {"github.com/go-json-experiment/json"},
	"settings/cliconfig":     {"github.com/go-json-experiment/json"},
	"settings/effective":     {"github.com/go-json-experiment/json"},
	"settings/jwcc":          {"github.com/tailscale/hujson"},
	"settings/agents":        {"golang.org/x/sys"},
	"settings/history":       {"github.com/go-json-experiment/json", "github.com/gofrs/flock"},
	"settings/frontmatter":   {"github.com/adrg/frontmatter", "go.yaml.in/yaml/v3"},
	"settings/plugins":       {},
	"settings/skills":        {"golang.org/x/sys"},
	"acp/jsonrpc":            {"github.com/go-json-experiment/json"},
}

// TestImports fails when a package knows what it must not know.
func TestImports(t *testing.T) {
	const module = "zcode-acp/"
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "zcode-acp/...").Output()
	if err != nil {
		t.Fatalf("listing the packages: %v", err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], module)
		mayImport, known := allowed[name]
		if !known {
			if !strings.HasPrefix(name, "cmd/") && !strings.HasPrefix(name, "bench") {
				t.Errorf("package %s is not in the table: say what it may import", name)
			}
			continue
		}
		seen++
		for _, path := range fields[1:] {
			if ours, ok := strings.CutPrefix(path, module); ok && !slices.Contains(mayImport, ours) {
				t.Errorf("%s imports %s, which it must not know", name, ours)
			}
			if mayUse, leaf := libraries[name]; leaf && strings.Contains(strings.Split(path, "/")[0], ".") {
				if !slices.ContainsFunc(mayUse, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") }) {
					t.Errorf("%s imports %s: a leaf keeps to its own library", name, path)
				}
			}
		}
	}
	if seen != len(allowed) {
		t.Errorf("%d of %d packages of the table were found", seen, len(allowed))
	}
}
