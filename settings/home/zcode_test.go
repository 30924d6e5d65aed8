package home

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDefaultPlaces(t *testing.T) {
	w := newWorld(t)
	w.env["HOME"] = w.path("u")
	l := w.resolve()
	var got []Location
	for _, at := range l.Locations() {
		if at.DecidedBy != "HOME" {
			t.Errorf("%s is decided by %q, want HOME", at.Place, at.DecidedBy)
		}
		got = append(got, Location{Place: at.Place, Path: at.Path})
	}
	want := []Location{
		{Place: "setting", Path: w.path("u/.zcode/v2/setting.json")},
		{Place: "v2Dir", Path: w.path("u/.zcode/v2")},
		{Place: "providerConfig", Path: w.path("u/.zcode/v2/provider_config.json")},
		{Place: "builtinProviderTable", Path: w.path("u/.zcode/v2/runtime/provider")},
		{Place: "credentials", Path: w.path("u/.zcode/v2/credentials.json")},
		{Place: "legacyProviderConfig", Path: w.path("u/.zcode/v2/config.json")},
		{Place: "tasksIndex", Path: w.path("u/.zcode/v2/tasks-index.sqlite")},
		{Place: "cliConfig", Path: w.path("u/.zcode/cli/config.json")},
		{Place: "agentsMCP", Path: w.path("u/.agents/mcp.json")},
		{Place: "agentsDir", Path: w.path("u/.zcode/agents")},
		{Place: "agentsState", Path: w.path("u/.zcode/v2/agents-state.json")},
		{Place: "skillsDir", Path: w.path("u/.zcode/skills")},
		{Place: "agentsSkillsDir", Path: w.path("u/.agents/skills")},
		{Place: "pluginDir", Path: w.path("u/.zcode/cli/plugins")},
		{Place: "usageDB", Path: w.path("u/.zcode/cli/db/db.sqlite")},
		{Place: "hookTrust", Path: w.path("u/.zcode/security/workspace-hook-trust-v1.json")},
		{Place: "lazySessions", Path: w.path("u/.zcode/v2/acp-lazy-sessions.json")},
		{Place: "stateDir", Path: l.StateDir()},
		{Place: "ownConfig", Path: w.path("u/.config/zcode-acp/config.json")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if got, want := l.Root(), w.path("u/.zcode"); got != want {
		t.Errorf("Root = %s, want %s", got, want)
	}
	if l.Overridden() || len(l.Notes()) != 0 {
		t.Errorf("Overridden = %v, Notes = %q, want neither", l.Overridden(), l.Notes())
	}
}

// ruleTest is one rule of precedence; values of env that begin with / are paths on the private disk.
type ruleTest struct {
	name    string
	goos    string
	env     map[string]string
	account string
	files   map[string]string
	want    map[Place]string
	notes   [][]string // words that one note has together
	quiet   bool       // no note at all
}

var ruleTests = []ruleTest{
	{
		name: "setting.json under ZCODE_DESKTOP_HOME_DIR before HOME",
		env:  map[string]string{"ZCODE_DESKTOP_HOME_DIR": "/d", "HOME": "/u"},
		want: map[Place]string{
			Setting:        "d/.zcode/v2/setting.json < ZCODE_DESKTOP_HOME_DIR",
			ProviderConfig: "u/.zcode/v2/provider_config.json < HOME",
			CLIConfig:      "u/.zcode/cli/config.json < HOME",
		},
		quiet: true,
	},
	{
		name: "HOME before USERPROFILE",
		env:  map[string]string{"HOME": "/u", "USERPROFILE": "/p"},
		want: map[Place]string{
			Setting:     "u/.zcode/v2/setting.json < HOME",
			V2Dir:       "u/.zcode/v2 < HOME",
			SkillsDir:   "u/.zcode/skills < HOME",
			UsageDB:     "u/.zcode/cli/db/db.sqlite < HOME",
			AgentsMCP:   "u/.agents/mcp.json < HOME",
			Credentials: "u/.zcode/v2/credentials.json < HOME",
		},
		quiet: true,
	},
	{
		name:    "without HOME the parts of ZCode part ways",
		env:     map[string]string{"USERPROFILE": "/p"},
		account: "/a",
		want: map[Place]string{
			Setting:   "p/.zcode/v2/setting.json < USERPROFILE",
			CLIConfig: "p/.zcode/cli/config.json < USERPROFILE",
			AgentsDir: "p/.zcode/agents < USERPROFILE",
			V2Dir:     "a/.zcode/v2 < the account's home folder",
			UsageDB:   "a/.zcode/cli/db/db.sqlite < the account's home folder",
		},
		notes: [][]string{{"the CLI's home folder", "USERPROFILE"}},
	},
	{
		name: "USERPROFILE alone",
		env:  map[string]string{"USERPROFILE": "/p"},
		want: map[Place]string{
			Setting: "p/.zcode/v2/setting.json < USERPROFILE",
			V2Dir:   "p/.zcode/v2 < USERPROFILE",
			UsageDB: "p/.zcode/cli/db/db.sqlite < USERPROFILE",
		},
		quiet: true,
	},
	{
		name:    "account's home folder last",
		account: "/a",
		want: map[Place]string{
			Setting: "a/.zcode/v2/setting.json < the account's home folder",
			V2Dir:   "a/.zcode/v2 < the account's home folder",
			UsageDB: "a/.zcode/cli/db/db.sqlite < the account's home folder",
		},
		quiet: true,
	},
	{
		name: "on Windows the CLI does not know HOME",
		goos: "windows",
		env:  map[string]string{"HOME": "/u", "USERPROFILE": "/p"},
		want: map[Place]string{
			Setting:   "u/.zcode/v2/setting.json < HOME",
			V2Dir:     "u/.zcode/v2 < HOME",
			CLIConfig: "u/.zcode/cli/config.json < HOME",
			UsageDB:   "p/.zcode/cli/db/db.sqlite < USERPROFILE",
			PluginDir: "p/.zcode/cli/plugins < USERPROFILE",
		},
		notes: [][]string{{"the CLI's home folder"}, {"credentials", "USERPROFILE"}},
	},
	{
		name:    "blank variables are unset",
		env:     map[string]string{"HOME": " ", "USERPROFILE": "", "ZCODE_HOME": "\t", "ZCODE_DATA_BASE_DIR": "  ", "ZCODE_STORAGE_DIR": " ", "ZCODE_SESSION_DB": " "},
		account: "/a",
		want: map[Place]string{
			V2Dir:     "a/.zcode/v2 < the account's home folder",
			PluginDir: "a/.zcode/cli/plugins < the account's home folder",
			UsageDB:   "a/.zcode/cli/db/db.sqlite < the account's home folder",
		},
		quiet: true,
	},
	{
		name:    "HOME that no shell has expanded",
		env:     map[string]string{"HOME": "~"},
		account: "/a",
		want:    map[Place]string{CLIConfig: "a/.zcode/cli/config.json < the account's home folder"},
		notes:   [][]string{{"HOME is ignored", "~"}},
	},
	{
		name: "ZCODE_DATA_BASE_DIR before HOME, trimmed",
		env:  map[string]string{"HOME": "/u", "ZCODE_DATA_BASE_DIR": " /b "},
		want: map[Place]string{
			Setting:              "u/.zcode/v2/setting.json < HOME",
			ProviderConfig:       "b/.zcode/v2/provider_config.json < ZCODE_DATA_BASE_DIR",
			BuiltinProviderTable: "b/.zcode/v2/runtime/provider < ZCODE_DATA_BASE_DIR",
			Credentials:          "b/.zcode/v2/credentials.json < ZCODE_DATA_BASE_DIR",
			LegacyProviderConfig: "b/.zcode/v2/config.json < ZCODE_DATA_BASE_DIR",
			TasksIndex:           "b/.zcode/v2/tasks-index.sqlite < ZCODE_DATA_BASE_DIR",
			AgentsState:          "u/.zcode/v2/agents-state.json < HOME",
			LazySessions:         "u/.zcode/v2/acp-lazy-sessions.json < HOME",
		},
		quiet: true,
	},
	{
		name:  "dataBaseDir before ZCODE_DATA_BASE_DIR, and never for setting.json",
		env:   map[string]string{"HOME": "/u", "ZCODE_DATA_BASE_DIR": "/b"},
		files: map[string]string{"u/.zcode/v2/setting.json": `{"dataBaseDir": "%D/s"}`},
		want: map[Place]string{
			Setting:        "u/.zcode/v2/setting.json < HOME",
			V2Dir:          "s/.zcode/v2 < dataBaseDir in setting.json",
			ProviderConfig: "s/.zcode/v2/provider_config.json < dataBaseDir in setting.json",
			CLIConfig:      "u/.zcode/cli/config.json < HOME",
		},
		notes: [][]string{{"ZCODE_DATA_BASE_DIR is ignored", "dataBaseDir"}, {"credentials", "b/.zcode", "s/.zcode"}},
	},
	{
		name:  "dataBaseDir of the setting.json that ZCODE_DESKTOP_HOME_DIR names",
		env:   map[string]string{"HOME": "/u", "ZCODE_DESKTOP_HOME_DIR": "/d"},
		files: map[string]string{"u/.zcode/v2/setting.json": `{"dataBaseDir":"%D/wrong"}`, "d/.zcode/v2/setting.json": `{"dataBaseDir":"%D/right"}`},
		want:  map[Place]string{V2Dir: "right/.zcode/v2 < dataBaseDir in setting.json"},
	},
	{
		name:  "blank dataBaseDir is unset",
		env:   map[string]string{"HOME": "/u"},
		files: map[string]string{"u/.zcode/v2/setting.json": `{"dataBaseDir":"  "}`},
		want:  map[Place]string{V2Dir: "u/.zcode/v2 < HOME"},
		quiet: true,
	},
	{
		name: "ZCODE_PERSONAL_PROVIDER_CONFIG_FILE moves one file",
		env:  map[string]string{"HOME": "/u", "ZCODE_PERSONAL_PROVIDER_CONFIG_FILE": "/x/mine.json", "ZCODE_DATA_BASE_DIR": "/b"},
		want: map[Place]string{
			ProviderConfig: "x/mine.json < ZCODE_PERSONAL_PROVIDER_CONFIG_FILE",
			Credentials:    "b/.zcode/v2/credentials.json < ZCODE_DATA_BASE_DIR",
		},
	},
	{
		name: "ZCODE_BUILTIN_PROVIDER_CONFIG_FILE",
		env:  map[string]string{"HOME": "/u", "ZCODE_BUILTIN_PROVIDER_CONFIG_FILE": "/x/table.json"},
		want: map[Place]string{BuiltinProviderTable: "x/table.json < ZCODE_BUILTIN_PROVIDER_CONFIG_FILE"},
	},
	{
		name:  "storage.dir moves agents, plugins and trust, but no database and no cli/config.json",
		env:   map[string]string{"HOME": "/u"},
		files: map[string]string{"u/.zcode/cli/config.json": `{"storage":{"dir":"%D/s"}}`},
		want: map[Place]string{
			AgentsDir:   "s/agents < storage.dir in cli/config.json",
			AgentsState: "s/v2/agents-state.json < storage.dir in cli/config.json",
			PluginDir:   "s/cli/plugins < storage.dir in cli/config.json",
			HookTrust:   "s/security/workspace-hook-trust-v1.json < storage.dir in cli/config.json",
			UsageDB:     "u/.zcode/cli/db/db.sqlite < HOME",
			CLIConfig:   "u/.zcode/cli/config.json < HOME",
			SkillsDir:   "u/.zcode/skills < HOME",
		},
		quiet: true,
	},
	{
		name:  "storage.dir begins with ~/",
		env:   map[string]string{"HOME": "/u"},
		files: map[string]string{"u/.zcode/cli/config.json": `{"storage":{"dir":"~/s"}}`},
		want:  map[Place]string{AgentsDir: "u/s/agents < storage.dir in cli/config.json", PluginDir: "u/s/cli/plugins < storage.dir in cli/config.json"},
		quiet: true,
	},
	{
		name:  "relative storage.dir",
		env:   map[string]string{"HOME": "/u"},
		files: map[string]string{"u/.zcode/cli/config.json": `{"storage":{"dir":"s"}}`},
		want:  map[Place]string{HookTrust: "u/s/security/workspace-hook-trust-v1.json < storage.dir in cli/config.json"},
		notes: [][]string{{"storage.dir", "is relative"}},
	},
	{
		name:  "ZCODE_STORAGE_DIR before storage.dir, but not for the desktop app's agents",
		env:   map[string]string{"HOME": "/u", "ZCODE_STORAGE_DIR": "/e"},
		files: map[string]string{"u/.zcode/cli/config.json": `{"storage":{"dir":"%D/s"}}`},
		want: map[Place]string{
			PluginDir:   "e/cli/plugins < ZCODE_STORAGE_DIR",
			HookTrust:   "e/security/workspace-hook-trust-v1.json < ZCODE_STORAGE_DIR",
			AgentsDir:   "s/agents < storage.dir in cli/config.json",
			AgentsState: "s/v2/agents-state.json < storage.dir in cli/config.json",
		},
		notes: [][]string{{"agents", "ZCODE_STORAGE_DIR", "e/agents", "s/agents"}},
	},
	{
		name:  "a storage folder called cli",
		env:   map[string]string{"HOME": "/u", "ZCODE_STORAGE_DIR": "/e/cli"},
		want:  map[Place]string{PluginDir: "e/cli/plugins < ZCODE_STORAGE_DIR", AgentsDir: "u/.zcode/agents < HOME"},
		notes: [][]string{{"agents", "ZCODE_STORAGE_DIR"}},
	},
	{
		name:  "storage.sessionDbPath before the default",
		env:   map[string]string{"HOME": "/u"},
		files: map[string]string{"u/.zcode/cli/config.json": `{"storage":{"sessionDbPath":"%D/f.sqlite"}}`},
		want:  map[Place]string{UsageDB: "f.sqlite < storage.sessionDbPath in cli/config.json"},
	},
	{
		name:  "ZCODE_SESSION_DB before storage.sessionDbPath",
		env:   map[string]string{"HOME": "/u", "ZCODE_SESSION_DB": "/e.sqlite"},
		files: map[string]string{"u/.zcode/cli/config.json": `{"storage":{"sessionDbPath":"%D/f.sqlite"}}`},
		want:  map[Place]string{UsageDB: "e.sqlite < ZCODE_SESSION_DB"},
	},
	{
		name: "ZCODE_SESSION_DB_PATH before ZCODE_SESSION_DB",
		env:  map[string]string{"HOME": "/u", "ZCODE_SESSION_DB": "/e.sqlite", "ZCODE_SESSION_DB_PATH": "/p.sqlite"},
		want: map[Place]string{UsageDB: "p.sqlite < ZCODE_SESSION_DB_PATH"},
	},
	{
		name: "a variable that begins with ~/",
		env:  map[string]string{"HOME": "/u", "ZCODE_DATA_BASE_DIR": "~/b"},
		want: map[Place]string{V2Dir: "u/b/.zcode/v2 < ZCODE_DATA_BASE_DIR"},
	},
}

func TestRules(t *testing.T) {
	for _, tt := range ruleTests {
		t.Run(tt.name, func(t *testing.T) {
			w := tt.world(t)
			l := w.resolve()
			w.check(l, tt.want)
			for _, words := range tt.notes {
				if !noted(l, words...) {
					t.Errorf("no note with %q among %q", words, l.Notes())
				}
			}
			if tt.quiet && len(l.Notes()) != 0 {
				t.Errorf("notes %q, want none", l.Notes())
			}
		})
	}
}

func TestZeroOptionsAskTheProcess(t *testing.T) {
	w := newWorld(t)
	for _, name := range allVariables {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", w.path("u"))
	t.Setenv("USERPROFILE", w.path("u"))
	l, err := Resolve(Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.check(l, map[Place]string{CLIConfig: "u/.zcode/cli/config.json < HOME"})
	t.Setenv("ZCODE_HOME", w.path("v"))
	if l, err = Resolve(Options{}); err != nil {
		t.Fatal(err)
	}
	w.check(l, map[Place]string{CLIConfig: "v/cli/config.json < ZCODE_HOME"})
}
