package effective

import (
	"slices"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var texts = []string{
	"", "{}", "5", `{"ui":5,"hooks":[],"mcp":{"servers":[]},"plugins":null}`, `{"ui":{"theme":"dark"}}`, `{"ui":{"locale":"auto"},"skills":{"/a":{}}}`,
	`{"mcp":{"servers":{"a":{"command":"x"},"b":5}}}`, `{"mcp":{"servers":{"a":{"url":"u"}}}}`, `{"plugins":{"enabled":false,"enabledPlugins":{"a@m":true}}}`,
	`{"hooks":{"enabled":true,"events":{"Stop":[` + first + `]}}}`, `{"hooks":{"enabled":false,"events":{"Stop":[` + second + `],"PreToolUse":[]}}}`,
}

// TestEverySettingIsAccountedFor: each is named once, has a value unless it comes
// from no layer, tells why anything else does not count, and no layer twice.
func TestEverySettingIsAccountedFor(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(name string) string { return rapid.SampledFrom(texts).Draw(rt, name) }
		s := sources{draw("system"), draw("user"), draw("outer"), draw("inner"), draw("env")}
		seen := map[string]bool{}
		for _, got := range Merge(s.layers(t), raw) {
			if seen[got.Path] {
				rt.Errorf("%s is told twice", got.Path)
			}
			seen[got.Path] = true
			if (got.Layer == None) != (got.Value == nil) || got.Layer == None && len(got.Overrides) == 0 {
				rt.Errorf("got %+v", got)
			}
			layers := []string{string(got.Layer) + got.File}
			for _, o := range got.Overrides {
				if o.Reason == "" || o.Value == nil || slices.Contains(layers, string(o.Layer)+o.File) {
					rt.Errorf("%s overrides %+v", got.Path, o)
				}
				layers = append(layers, string(o.Layer)+o.File)
			}
		}
	})
}
