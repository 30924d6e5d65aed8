package home

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestOverride(t *testing.T) {
	w := newWorld(t)
	w.env["HOME"] = w.path("u")
	w.flag = w.path("x/zc")
	l := w.resolve()
	w.check(l, map[Place]string{
		Setting:              "x/zc/v2/setting.json < --home",
		V2Dir:                "x/zc/v2 < --home",
		ProviderConfig:       "x/zc/v2/provider_config.json < --home",
		BuiltinProviderTable: "x/zc/v2/runtime/provider < --home",
		Credentials:          "x/zc/v2/credentials.json < --home",
		LegacyProviderConfig: "x/zc/v2/config.json < --home",
		TasksIndex:           "x/zc/v2/tasks-index.sqlite < --home",
		CLIConfig:            "x/zc/cli/config.json < --home",
		AgentsMCP:            "x/.agents/mcp.json < --home",
		AgentsDir:            "x/zc/agents < --home",
		AgentsState:          "x/zc/v2/agents-state.json < --home",
		SkillsDir:            "x/zc/skills < --home",
		AgentsSkillsDir:      "x/.agents/skills < --home",
		PluginDir:            "x/zc/cli/plugins < --home",
		UsageDB:              "x/zc/cli/db/db.sqlite < --home",
		HookTrust:            "x/zc/security/workspace-hook-trust-v1.json < --home",
		LazySessions:         "x/zc/v2/acp-lazy-sessions.json < --home",
		OwnConfig:            "u/.config/zcode-acp/config.json < HOME",
	})
	if l.Root() != w.path("x/zc") || !l.Overridden() || len(l.Notes()) != 0 {
		t.Errorf("Root = %s, Overridden = %v, Notes = %q", l.Root(), l.Overridden(), l.Notes())
	}
	if got, want := filepath.Dir(l.StateDir()), w.path("u/.local/state/zcode-acp"); got != want {
		t.Errorf("the state folder is in %s, want %s", got, want)
	}
}

func TestOverrideByVariable(t *testing.T) {
	w := newWorld(t)
	w.env["HOME"] = w.path("u")
	w.env["ZCODE_HOME"] = w.path("v/.zcode")
	w.check(w.resolve(), map[Place]string{CLIConfig: "v/.zcode/cli/config.json < ZCODE_HOME", AgentsMCP: "v/.agents/mcp.json < ZCODE_HOME"})

	w.flag = w.path("f")
	l := w.resolve()
	w.check(l, map[Place]string{CLIConfig: "f/cli/config.json < --home"})
	if !noted(l, "ZCODE_HOME is ignored", "--home") {
		t.Errorf("no note about ZCODE_HOME in %q", l.Notes())
	}
}

func TestOverrideIgnoresZCodesOwn(t *testing.T) {
	w := newWorld(t)
	w.env["HOME"] = w.path("u")
	w.flag = w.path("x/.zcode")
	for _, name := range ignoredByOverride {
		w.env[name] = w.path("elsewhere")
	}
	w.write("x/.zcode/v2/setting.json", `{"dataBaseDir":"/elsewhere"}`)
	w.write("x/.zcode/cli/config.json", `{"storage":{"dir":"/elsewhere","sessionDbPath":"/elsewhere"}}`)
	l := w.resolve()
	for _, at := range l.Locations() {
		if strings.Contains(at.Path, "elsewhere") {
			t.Errorf("%s follows what is to be ignored: %s", at.Place, at.Path)
		}
	}
	if got := l.BuiltinProviderTables(); len(got) != 0 {
		t.Errorf("BuiltinProviderTables = %q, want none", got)
	}
	want := []string{
		"ZCODE_DESKTOP_HOME_DIR ", "ZCODE_DATA_BASE_DIR ", "ZCODE_PERSONAL_PROVIDER_CONFIG_FILE ", "ZCODE_BUILTIN_PROVIDER_CONFIG_FILE ",
		"ZCODE_STORAGE_DIR ", "ZCODE_SESSION_DB_PATH ", "ZCODE_SESSION_DB ",
		"dataBaseDir in setting.json ", "storage.dir in cli/config.json ", "storage.sessionDbPath in cli/config.json ",
	}
	for _, what := range want {
		if !noted(l, what+"is ignored", "--home") {
			t.Errorf("no note that %sis ignored", what)
		}
	}
	if got := len(l.Notes()); got != len(want) {
		t.Errorf("%d notes, want %d: %q", got, len(want), l.Notes())
	}
}

func TestOverrideSpellings(t *testing.T) {
	w := newWorld(t)
	t.Chdir(w.dir)
	w.env["HOME"] = w.path("u")
	for flag, want := range map[string]string{
		"rel/zc":             "rel/zc",
		"./rel/../zc/":       "zc",
		"~/z":                "u/z",
		"~":                  "u",
		" " + w.path("b"):    "b",
		w.path("c") + "//d/": "c/d",
	} {
		w.flag = flag
		if got := w.resolve().Root(); got != w.path(want) {
			t.Errorf("--home %q: Root = %s, want %s", flag, got, w.path(want))
		}
	}
}

func TestNoHome(t *testing.T) {
	for _, tt := range []struct {
		name string
		flag string
		env  map[string]string
		says string
	}{
		{"nothing set", "", nil, "HOME"},
		{"only the desktop's own", "", map[string]string{"ZCODE_DESKTOP_HOME_DIR": "/d", "ZCODE_DATA_BASE_DIR": "/b"}, "HOME"},
		{"only an unexpanded HOME", "", map[string]string{"HOME": "~", "USERPROFILE": "~/p"}, "HOME"},
		{"--home in an unknown home", "~/z", nil, "HOME"},
		{"ZCODE_HOME in an unknown home", "", map[string]string{"ZCODE_HOME": "~"}, "HOME"},
		{"--home without a place for the state", "/z", nil, "ZCODE_ACP_STATE_DIR"},
		{"state in an unknown home", "/z", map[string]string{"ZCODE_ACP_STATE_DIR": "~/s"}, "ZCODE_ACP_STATE_DIR"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.flag = w.onDisk(tt.flag)
			for name, value := range tt.env {
				w.env[name] = w.onDisk(value)
			}
			l, err := Resolve(w.options())
			if !errors.Is(err, ErrNoHome) || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("Resolve: %v, want ErrNoHome naming %s", err, tt.says)
			}
			if l.Root() != "" || len(l.Locations()) != 0 {
				t.Errorf("a layout comes with the error: %v", l.Locations())
			}
		})
	}
}
