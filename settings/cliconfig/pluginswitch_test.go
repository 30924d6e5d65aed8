package cliconfig

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
)

// TestPluginsCase is what people do with the two kinds of plugins.
func TestPluginsCase(t *testing.T) {
	d := load(t, "plugins.json")
	for _, step := range []struct {
		id string
		on bool
	}{{"browser-use@zcode-plugins-official", true}, {"team-tools@our-market", false}} {
		next, notes, err := EnablePlugin(d, step.id, step.on)
		if err != nil || notes != nil {
			t.Fatalf("EnablePlugin(%s, %v): notes %q, %v", step.id, step.on, notes, err)
		}
		d = next
	}
	want := `{
  "plugins": {"enabledPlugins": {"browser-use@zcode-plugins-official": true, "team-tools@our-market": false}}
}
`
	if diff := cmp.Diff(want, string(d.Text())); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

func TestPluginState(t *testing.T) {
	const (
		off       = "off by default: installed marketplace plugins need true"
		missing   = "off by default: not installed"
		official  = "on by default (official)"
		inline    = "inline plugins are on by default"
		listed    = "set in enabledPlugins"
		allOff    = "plugins.enabled is false"
		browser   = "browser-use@zcode-plugins-official"
		computer  = "computer-use@zcode-plugins-official"
		team      = "team-tools@our-market"
		local     = "mine@inline"
		legacyOn  = `{"plugins": {"enabledPlugins": {"zcode-cua@zcode-plugins-official": true}}}`
		bothIDs   = `{"plugins": {"enabledPlugins": {"zcode-cua@zcode-plugins-official": true, "computer-use@zcode-plugins-official": false}}}`
		hidden    = `{"plugins": {"suppressedBuiltins": ["browser-use@zcode-plugins-official", "team-tools@our-market", "zcode-cua@zcode-plugins-official"], "enabledPlugins": {"browser-use@zcode-plugins-official": true, "team-tools@our-market": true}}}`
		switchOff = `{"plugins": {"enabled": false, "enabledPlugins": {"team-tools@our-market": true}}}`
	)
	tests := []struct {
		text, id  string
		installed bool
		want      PluginSwitch
	}{
		{`{}`, browser, true, PluginSwitch{true, official}},
		{`{}`, browser, false, PluginSwitch{true, official}},
		{`{}`, computer, true, PluginSwitch{false, off}},
		{`{}`, "browser-use@our-market", true, PluginSwitch{false, off}},
		{`{}`, team, true, PluginSwitch{false, off}},
		{`{}`, team, false, PluginSwitch{false, missing}},
		{`{}`, local, false, PluginSwitch{true, inline}},
		{`{}`, "inline", false, PluginSwitch{false, missing}},
		{`{"plugins": {"enabled": true}}`, browser, true, PluginSwitch{true, official}},
		{`{"plugins": {"enabledPlugins": {"mine@inline": false}}}`, local, true, PluginSwitch{false, listed}},
		{`{"plugins": {"enabledPlugins": {"team-tools@our-market": true}}}`, team, true, PluginSwitch{true, listed}},
		{`{"plugins": {"enabledPlugins": {"team-tools@our-market": "yes"}}}`, team, true, PluginSwitch{false, off}},
		{`{"plugins": {"enabledPlugins": {"browser-use@zcode-plugins-official": false}}}`, browser, true, PluginSwitch{false, listed}},
		{switchOff, team, true, PluginSwitch{false, allOff}},
		{switchOff, browser, true, PluginSwitch{false, allOff}},
		{switchOff, local, true, PluginSwitch{false, allOff}},
		{hidden, browser, true, PluginSwitch{false, "suppressed"}},
		{hidden, computer, true, PluginSwitch{false, "suppressed"}},
		{hidden, team, true, PluginSwitch{true, listed}}, // hides official ones only
		{legacyOn, computer, true, PluginSwitch{true, listed}},
		{legacyOn, legacyComputerUse, true, PluginSwitch{true, listed}},
		{bothIDs, computer, true, PluginSwitch{false, listed}},
		{bothIDs, legacyComputerUse, true, PluginSwitch{false, listed}},
		{`[]`, browser, true, PluginSwitch{true, official}},
		{`{"plugins": [], "x": 1}`, team, true, PluginSwitch{false, off}},
	}
	for _, tt := range tests {
		if got := PluginState(parse(t, tt.text), tt.id, tt.installed); got != tt.want {
			t.Errorf("PluginState(%s, %s, %v) = %+v, want %+v", tt.text, tt.id, tt.installed, got, tt.want)
		}
	}
}

// TestDefaultOnPlugins names the ten of ZCode 3.14.0.
func TestDefaultOnPlugins(t *testing.T) {
	names := "browser-use image-search documents pdf presentations spreadsheets node-repl-host skill-creator plugin-creator zcode-guide"
	if got := strings.Join(defaultOn, " "); got != names {
		t.Errorf("defaultOn = %s, want %s", got, names)
	}
	for name := range strings.FieldsSeq(names) {
		if got := PluginState(New(), name+"@zcode-plugins-official", true); !got.Enabled {
			t.Errorf("%s is off: %s", name, got.Reason)
		}
	}
}

func TestPluginLists(t *testing.T) {
	lists := func(d *jsonedit.Doc) [3][]string {
		return [3][]string{EnabledPlugins(d), SuppressedBuiltins(d), PluginDirs(d)}
	}
	none := [3][]string{{}, {}, {}}
	tests := []struct {
		name, text string
		want       [3][]string
	}{
		{"no file", `{}`, none},
		{"no object", `[]`, none},
		{"odd section", `{"plugins": 1}`, none},
		{"odd members", `{"plugins": {"enabledPlugins": [], "suppressedBuiltins": {"a": "b"}, "dirs": "x"}}`, none},
		{
			"each",
			`{"plugins": {"enabledPlugins": {"b@m": true, "a@m": false, "10@m": "x"}, "suppressedBuiltins": ["p", 1, "q"], "dirs": ["~/x", null, "./y"]}}`,
			[3][]string{{"b@m", "a@m", "10@m"}, {"p", "q"}, {"~/x", "./y"}},
		},
		{
			"old id",
			`{"plugins": {"enabledPlugins": {"zcode-cua@zcode-plugins-official": true, "a@m": true}, "suppressedBuiltins": ["zcode-cua@zcode-plugins-official"]}}`,
			[3][]string{{computerUse, "a@m"}, {computerUse}, {}},
		},
		{
			"both ids",
			`{"plugins": {"enabledPlugins": {"zcode-cua@zcode-plugins-official": true, "computer-use@zcode-plugins-official": true}}}`,
			[3][]string{{computerUse}, {}, {}},
		},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, lists(parse(t, tt.text))); diff != "" {
			t.Errorf("%s: enabled, suppressed, dirs (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestEnablePlugin(t *testing.T) {
	const replaced = `the old id "zcode-cua@zcode-plugins-official" was replaced by "computer-use@zcode-plugins-official"`
	const none = "plugins.enabled is false: ZCode runs no plugin until that is true"
	const hidden = "the plugin was removed in the app (suppressedBuiltins): ZCode hides it until it is restored there"
	tests := []struct {
		text, id string
		on       bool
		want     string
		notes    []string
	}{
		{`{"plugins": {"enabledPlugins": {"a@m": true}}}`, "a@m", false, `{"plugins": {"enabledPlugins": {"a@m": false}}}`, nil},
		{`{"plugins": {"enabledPlugins": {"a@m":  false , "b@m": true}}}`, "a@m", true, `{"plugins": {"enabledPlugins": {"a@m":  true , "b@m": true}}}`, nil},
		{`{"plugins": {"enabledPlugins": {"a@m": "yes"}}}`, "a@m", true, `{"plugins": {"enabledPlugins": {"a@m": true}}}`, nil},
		{`{"plugins": {"enabledPlugins": {}}}`, "a@m", false, `{"plugins": {"enabledPlugins": {"a@m": false}}}`, nil},
		{`{"plugins":{"dirs":["x"]}}`, "a@m", true, `{"plugins":{"dirs":["x"],"enabledPlugins":{"a@m":true}}}`, nil},
		{"{\n  \"ui\": {}\n}", "a@m", true, "{\n  \"ui\": {},\n  \"plugins\": {\n    \"enabledPlugins\": {\n      \"a@m\": true\n    }\n  }\n}", nil},
		{`{"plugins": {"enabled": false, "enabledPlugins": {"a@m": false}}}`, "a@m", true, `{"plugins": {"enabled": false, "enabledPlugins": {"a@m": true}}}`, []string{none}},
		{`{"plugins": {"enabled": false, "enabledPlugins": {"a@m": true}}}`, "a@m", false, `{"plugins": {"enabled": false, "enabledPlugins": {"a@m": false}}}`, nil},
		{
			`{"plugins": {"suppressedBuiltins": ["pdf@zcode-plugins-official"], "enabledPlugins": {}}}`, "pdf@zcode-plugins-official", true,
			`{"plugins": {"suppressedBuiltins": ["pdf@zcode-plugins-official"], "enabledPlugins": {"pdf@zcode-plugins-official": true}}}`, []string{hidden},
		},
		{
			`{"plugins": {"suppressedBuiltins": ["a@m"], "enabledPlugins": {}}}`, "a@m", true,
			`{"plugins": {"suppressedBuiltins": ["a@m"], "enabledPlugins": {"a@m": true}}}`, nil,
		},
		{
			`{"plugins": {"enabledPlugins": {"zcode-cua@zcode-plugins-official": true, "b@m": true}}}`, computerUse, false,
			`{"plugins": {"enabledPlugins": {"b@m": true, "computer-use@zcode-plugins-official": false}}}`, []string{replaced},
		},
		{
			`{"plugins": {"enabledPlugins": {"computer-use@zcode-plugins-official": true, "zcode-cua@zcode-plugins-official": false}}}`, legacyComputerUse, true,
			`{"plugins": {"enabledPlugins": {"computer-use@zcode-plugins-official": true}}}`, []string{replaced},
		},
		{`{"plugins": {"enabledPlugins": {"b@m": true}}}`, legacyComputerUse, true, `{"plugins": {"enabledPlugins": {"b@m": true, "computer-use@zcode-plugins-official": true}}}`, nil},
	}
	for _, tt := range tests {
		d, notes, err := EnablePlugin(parse(t, tt.text), tt.id, tt.on)
		if err != nil {
			t.Errorf("EnablePlugin(%s, %s, %v): %v", tt.text, tt.id, tt.on, err)
			continue
		}
		if diff := cmp.Diff(tt.want, string(d.Text())); diff != "" {
			t.Errorf("EnablePlugin(%s, %s, %v) (-want +got):\n%s", tt.text, tt.id, tt.on, diff)
		}
		if diff := cmp.Diff(tt.notes, notes); diff != "" {
			t.Errorf("EnablePlugin(%s, %s, %v) notes (-want +got):\n%s", tt.text, tt.id, tt.on, diff)
		}
	}
}

func TestEnablePluginThatIsSoAlready(t *testing.T) {
	d := parse(t, `{"plugins": {"enabledPlugins": {"a@m": true, "b@m": false}}}`)
	for id, on := range map[string]bool{"a@m": true, "b@m": false} {
		if got, notes, err := EnablePlugin(d, id, on); got != d || notes != nil || err != nil {
			t.Errorf("EnablePlugin(%s, %v) = %p, %q, %v, want the same document %p", id, on, got, notes, err, d)
		}
	}
}

func TestEnablePluginRefuses(t *testing.T) {
	const form, name, market = "plugin key must be '<name>@<marketplace>'", ": the name begins with", ": the marketplace is free of"
	tests := []struct{ text, id, pointer, want string }{
		{`{}`, "", "", form},
		{`{}`, "browser-use", "", form},
		{`{}`, "@m", "", form},
		{`{}`, "a@", "", form},
		{`{}`, "A@m", "", form + name},
		{`{}`, "-a@m", "", form + name},
		{`{}`, ".a@m", "", form + name},
		{`{}`, "a b@m", "", form + name},
		{`{}`, "a/b@m", "", form + name},
		{`{}`, "é@m", "", form + name},
		{`{}`, "a\n@m", "", form + name},
		{`{}`, "a@b@m", "", form + name},
		{`{}`, strings.Repeat("a", 129) + "@m", "", form + name},
		{`{}`, "a@our market", "", form + market},
		{`{}`, "a@m\x00", "", form + market},
		{`{}`, "a@m\xff", "", form + market},
		{`[]`, "a@m", "", "the file must hold an object"},
		{`{"plugins": null}`, "a@m", "/plugins", "must be an object"},
		{`{"plugins": {"enabledPlugins": []}}`, "0@m", "/plugins/enabledPlugins", "must be an object"},
	}
	for _, tt := range tests {
		d, _, err := EnablePlugin(parse(t, tt.text), tt.id, true)
		var invalid *InvalidError
		if d != nil || !errors.As(err, &invalid) || !errors.Is(err, ErrInvalid) {
			t.Errorf("EnablePlugin(%s, %q) = %v, want it refused", tt.text, tt.id, err)
			continue
		}
		if invalid.Pointer != tt.pointer || !strings.HasPrefix(invalid.Reason, tt.want) {
			t.Errorf("EnablePlugin(%s, %q): %q at %q, want %q at %q", tt.text, tt.id, invalid.Reason, invalid.Pointer, tt.want, tt.pointer)
		}
	}
}

func TestEnablePluginTakesNames(t *testing.T) {
	for _, id := range []string{"a@m", "9@m", "a.b_c-d@Our.Market_1", strings.Repeat("a", 128) + "@m", "a@m/x"} {
		d, _, err := EnablePlugin(New(), id, true)
		if err != nil {
			t.Errorf("EnablePlugin(%q): %v", id, err)
			continue
		}
		if on, _ := d.Find(jsonedit.Path{"plugins", "enabledPlugins", id}).Bool(); !on {
			t.Errorf("EnablePlugin(%q) left %s", id, d.Text())
		}
	}
}
