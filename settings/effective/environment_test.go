package effective

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/cliconfig"
)

func TestVariables(t *testing.T) {
	tests := []struct {
		name string
		env  map[string]string
		want string
	}{
		{"none", nil, `{}`},
		{"a blank one is unset", map[string]string{"ZCODE_HTTP_PROXY": " "}, `{}`},
		{"one without the prefix", map[string]string{"HTTP_PROXY": "http://p"}, `{}`},
		{
			"all",
			map[string]string{
				"ZCODE_HTTP_PROXY": "http://p", "ZCODE_NO_PROXY": "n", "ZCODE_AGENT_CA_CERT": "/c", "ZCODE_HTTP_TIMEOUT": "5",
				"ZCODE_LOG_FORMAT": "json", "ZCODE_MAX_TOOL_CONCURRENCY": "3", "ZCODE_STORAGE_DIR": "/s", "ZCODE_SESSION_DB_PATH": "/d",
			},
			`{"network":{"httpProxy":"http://p","noProxy":"n","caCertFile":"/c","timeout":5},"logging":{"format":"json"},` +
				`"toolConcurrency":{"maxConcurrency":3},"storage":{"dir":"/s","sessionDbPath":"/d"}}`,
		},
		{"the second names", map[string]string{"ZCODE_TIMEOUT": "7", "ZCODE_SESSION_DB": "/e"}, `{"network":{"timeout":7},"storage":{"sessionDbPath":"/e"}}`},
		{"the first names count", map[string]string{"ZCODE_TIMEOUT": "7", "ZCODE_HTTP_TIMEOUT": "8"}, `{"network":{"timeout":8}}`},
		{"no number is 0", map[string]string{"ZCODE_TIMEOUT": "soon", "ZCODE_MAX_TOOL_CONCURRENCY": "1e999"}, `{"network":{"timeout":0},"toolConcurrency":{"maxConcurrency":0}}`},
		{"a number in another form", map[string]string{"ZCODE_TIMEOUT": "1.5e3"}, `{"network":{"timeout":1500}}`},
		{"no format is text", map[string]string{"ZCODE_LOG_FORMAT": "xml"}, `{"logging":{"format":"text"}}`},
		{"what JSON has to escape", map[string]string{"ZCODE_NO_PROXY": "a\"\\\x01\xff"}, `{"network":{"noProxy":"a\"\\\u0001` + "\ufffd" + `"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, set := Variables(func(name string) string { return tt.env[name] })
			if got.Name != Environment || got.File != "" || string(got.Doc.Text()) != tt.want {
				t.Errorf("got %s %s, want %s", got.Name, got.Doc.Text(), tt.want)
			}
			for _, v := range set {
				if tt.env[v.Name] == "" || !got.Doc.Root().Get(v.Section).Get(v.Field).Exists() {
					t.Errorf("got %+v, which is not set", v)
				}
			}
		})
	}
}

// TestVariablesAreSettings that ZCode has.
func TestVariablesAreSettings(t *testing.T) {
	layer, set := Variables(func(string) string { return "1" })
	if got := len(Merge([]Layer{layer}, raw)); got != len(set) || got != 8 {
		t.Errorf("got %d settings of %d variables, want 8", got, len(set))
	}
}

// TestDefaults holds the values of ZCode 3.14.
func TestDefaults(t *testing.T) {
	layer := Defaults()
	want := []string{
		`permission.mode = "build" default`, `ui.locale = "en-US" default`, `ui.theme = "auto" default`, `network.timeout = 180000 default`,
		`features.compact = true default`, `features.rewind = true default`, `features.subagent = true default`,
		`features.memory = true default`, `features.skill = true default`, `features.mcp = true default`, `memory.use = true default`,
		`logging.level = "info" default`, `toolConcurrency.maxConcurrency = 10 default`, `modelStream.idleTimeoutMs = 600000 default`,
		`modelAnomalyGuard.repeatedToolCallWarningThreshold = 3 default`, `modelAnomalyGuard.maxBudgetWarningsPerTurn = 3 default`,
		`storage.dir = "~/.zcode" default`, `storage.sessionDbPath = "~/.zcode/cli/db/db.sqlite" default`,
		`plugins.enabled = true default`, `skills.metadataBudget = 20000 default`,
		`hooks.enabled = false default`, `hooks.timeoutMs = 60000 default`, `hooks.maxOutputBytes = 32768 default`,
	}
	if diff := cmp.Diff(want, lines(Merge([]Layer{layer}, raw))); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
	if problems := cliconfig.Check(layer.Doc); len(problems) > 0 {
		t.Errorf("ZCode would not take its defaults: %v", problems)
	}
}
