package effective

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSections: a higher layer that has the section replaces it whole.
func TestSections(t *testing.T) {
	tests := []struct {
		name string
		sources
		want []string
	}{
		{"nothing", sources{}, nil},
		{"the default alone", sources{system: `{"ui":{"theme":"auto"}}`}, []string{`ui.theme = "auto" default`}},
		{
			"a project's permission hides the user's",
			sources{user: `{"permission":{"mode":"edit","allowedTools":["Read"]}}`, outer: `{"permission":{"mode":"plan"}}`},
			[]string{`permission.mode = "plan" outer; "edit" user: outranked`, `permission.allowedTools =  none; ["Read"] user: replaced`},
		},
		{
			"another section of a project hides nothing",
			sources{user: `{"permission":{"mode":"edit","allowedTools":["Read"]}}`, outer: `{"ui":{"theme":"dark"}}`},
			[]string{`permission.mode = "edit" user`, `permission.allowedTools = ["Read"] user`, `ui.theme = "dark" outer`},
		},
		{
			"an empty section hides as well",
			sources{user: `{"ui":{"theme":"dark"}}`, outer: `{"ui":{}}`},
			[]string{`ui.theme =  none; "dark" user: replaced`},
		},
		{
			"the default of a member that a user's section leaves out",
			sources{system: `{"ui":{"locale":"en-US","theme":"auto"}}`, user: `{"ui":{"theme":"dark"}}`},
			[]string{`ui.locale =  none; "en-US" default: replaced`, `ui.theme = "dark" user; "auto" default: outranked`},
		},
		{
			"the file nearer to the folder counts",
			sources{outer: `{"ui":{"theme":"dark"}}`, inner: `{"ui":{"theme":"light"}}`},
			[]string{`ui.theme = "light" inner; "dark" outer: outranked`},
		},
		{
			"the environment counts most, the nearest first among the others",
			sources{
				system: `{"network":{"timeout":180000}}`, user: `{"network":{"timeout":1}}`,
				outer: `{"network":{"timeout":2}}`, env: `{"network":{"timeout":3}}`,
			},
			[]string{`network.timeout = 3 environment; 2 outer: outranked; 1 user: outranked; 180000 default: outranked`},
		},
		{
			"a value that does not differ has a layer too",
			sources{user: `{"ui":{"theme":"dark"}}`, outer: `{"ui":{"theme":"dark"}}`},
			[]string{`ui.theme = "dark" outer; "dark" user: outranked`},
		},
		{"what ZCode drops is none", sources{user: `{"ui":{"colour":"red"},"sandbox":{"on":true},"$schema":"x"}`}, nil},
		{
			"one skill of a project hides all of the user's",
			sources{system: `{"skills":{"metadataBudget":20000}}`, user: `{"skills":{"/a/SKILL.md":{"enable":false}}}`, outer: `{"skills":{"/b/SKILL.md":{"enable":false}}}`},
			[]string{
				`skills.metadataBudget =  none; 20000 default: replaced`, `skills./a/SKILL.md =  none; {"enable":false} user: replaced`,
				`skills./b/SKILL.md = {"enable":false} outer`,
			},
		},
		{
			"the singular is a section of its own",
			sources{user: `{"skill":{"/a":{"enable":false}}}`, outer: `{"skills":{"roots":["x"]},"command":{"/c":{}}}`},
			[]string{`skills.roots = ["x"] outer`, `skill./a = {"enable":false} user`, `command./c = {} outer`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { check(t, tt.sources, tt.want...) })
	}
}

// TestServers: each counts on its own, the user's before a project's.
func TestServers(t *testing.T) {
	tests := []struct {
		name string
		sources
		want []string
	}{
		{
			"the user's hides a project's",
			sources{user: `{"mcp":{"servers":{"a":{"command":"u"}}}}`, outer: `{"mcp":{"servers":{"a":{"command":"p"}}}}`},
			[]string{`mcp.servers.a = {"command":"u"} user; {"command":"p"} outer: outranked`},
		},
		{
			"one of another name hides nothing",
			sources{user: `{"mcp":{"servers":{"a":{"command":"u"}}}}`, outer: `{"mcp":{"servers":{"b":{"command":"p"}}}}`},
			[]string{`mcp.servers.a = {"command":"u"} user`, `mcp.servers.b = {"command":"p"} outer`},
		},
		{
			"of two files of a project the nearer",
			sources{outer: `{"mcp":{"servers":{"a":{"command":"o"}}}}`, inner: `{"mcp":{"servers":{"a":{"command":"i"}}}}`},
			[]string{`mcp.servers.a = {"command":"i"} inner; {"command":"o"} outer: outranked`},
		},
		{
			"one that ZCode skips hides none",
			sources{user: `{"mcp":{"servers":{"a":{"command":"u","disabled":true}}}}`, outer: `{"mcp":{"servers":{"a":{"command":"p"}}}}`},
			[]string{`mcp.servers.a = {"command":"p"} outer; {"command":"u","disabled":true} user: skipped`},
		},
		{
			"one that is off hides all the same",
			sources{user: `{"mcp":{"servers":{"a":{"command":"u","enabled":false}}}}`, outer: `{"mcp":{"servers":{"a":{"command":"p"}}}}`},
			[]string{`mcp.servers.a = {"command":"u","enabled":false} user; {"command":"p"} outer: outranked`},
		},
		{
			"one that ZCode skips, alone",
			sources{user: `{"mcp":{"servers":{"a":5}}}`},
			[]string{`mcp.servers.a =  none; 5 user: skipped`},
		},
		{"servers that are no object", sources{user: `{"mcp":{"servers":null}}`, outer: `{"mcp":{"servers":[{}]}}`}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { check(t, tt.sources, tt.want...) })
	}
}

// TestPlugins: the section is merged. Feedback 249 is a switch of the user that
// a project's hides.
func TestPlugins(t *testing.T) {
	tests := []struct {
		name string
		sources
		want []string
	}{
		{
			"a project's switch hides the user's of the same plugin only",
			sources{user: `{"plugins":{"enabledPlugins":{"a@m":true,"b@m":true}}}`, outer: `{"plugins":{"enabledPlugins":{"a@m":false}}}`},
			[]string{`plugins.enabledPlugins.a@m = false outer; true user: outranked`, `plugins.enabledPlugins.b@m = true user`},
		},
		{
			"a project's section without switches hides none",
			sources{system: `{"plugins":{"enabled":true}}`, user: `{"plugins":{"enabledPlugins":{"a@m":true}}}`, outer: `{"plugins":{"dirs":["x"]}}`},
			[]string{`plugins.enabled = true default`, `plugins.dirs = ["x"] outer`, `plugins.enabledPlugins.a@m = true user`},
		},
		{
			"a project turns all off",
			sources{system: `{"plugins":{"enabled":true}}`, user: `{"plugins":{"enabled":true}}`, inner: `{"plugins":{"enabled":false}}`},
			[]string{`plugins.enabled = false inner; true user: outranked; true default: outranked`},
		},
		{
			"lists and options, of which the rule is not known",
			sources{
				user:  `{"plugins":{"dirs":["u"],"suppressedBuiltins":["s"],"options":{"a@m":{"k":1},"b@m":{"k":2}}}}`,
				outer: `{"plugins":{"dirs":["p"],"options":{"a@m":{"l":3}}}}`,
			},
			[]string{
				`plugins.dirs = ["p"] outer; ["u"] user: outranked?`, `plugins.suppressedBuiltins = ["s"] user`,
				`plugins.options.a@m = {"l":3} outer; {"k":1} user: outranked?`, `plugins.options.b@m = {"k":2} user`,
			},
		},
		{
			"marketplaces of a project are ignored",
			sources{user: `{"plugins":{"extraKnownMarketplaces":{"m":{}}}}`, outer: `{"plugins":{"extraKnownMarketplaces":{"m":{},"n":{}}}}`},
			[]string{
				`plugins.extraKnownMarketplaces.m = {} user; {} outer: project`,
				`plugins.extraKnownMarketplaces.n =  none; {} outer: project`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { check(t, tt.sources, tt.want...) })
	}
}

// TestIgnored: a layer that ZCode ignores contributes nothing, even what it hides.
func TestIgnored(t *testing.T) {
	s := sources{user: `{"ui":{"theme":"dark"}}`, outer: `{"ui":{"theme":"light"},"hooks":{"enabled":true}}`}
	for name, change := range map[string]func(*Layer){
		"that breaks a rule": func(l *Layer) { l.Ignored = "because" }, "that cannot be read": func(l *Layer) { l.Doc = nil },
	} {
		layers := s.layers(t)
		change(&layers[2])
		if diff := cmp.Diff([]string{`ui.theme = "dark" user`}, lines(Merge(layers, raw))); diff != "" {
			t.Errorf("a project's file %s (-want +got):\n%s", name, diff)
		}
	}
}

// TestReasonNamesTheFile that a person has to change.
func TestReasonNamesTheFile(t *testing.T) {
	got := Merge(sources{user: `{"ui":{"theme":"dark","locale":"auto"}}`, inner: `{"ui":{"theme":"light"}}`}.layers(t), raw)
	for _, s := range got {
		if len(s.Overrides) != 1 || !strings.Contains(s.Overrides[0].Reason, inner) {
			t.Errorf("got %+v, want a reason with %s", s, inner)
		}
	}
	if len(got) != 2 {
		t.Errorf("got %d settings, want 2", len(got))
	}
}
