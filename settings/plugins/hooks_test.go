package plugins

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHooks(t *testing.T) {
	const one = `{"hooks": [{"type": "command", "command": "x"}]}`
	const two = `{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}, {"type": "process", "command": "y"}]}`
	tests := []struct {
		name, file, manifest string
		want                 []Hooks
		problems             []string
	}{
		{"none", ``, `{}`, nil, nil},
		{"file", `{"description": "d", "hooks": {"Stop": [` + two + `, ` + one + `], "PreToolUse": [` + one + `]}}`, `{}`, []Hooks{{"Stop", 3}, {"PreToolUse", 1}}, nil},
		{"event without hooks", `{"hooks": {"Stop": []}}`, `{}`, nil, nil},
		{"no wrapper", `{"Stop": [` + one + `]}`, `{}`, nil, []string{"hooks/hooks.json/hooks must be an object of events"}},
		{"list", `[]`, `{}`, nil, []string{"hooks/hooks.json/hooks must be an object of events"}},
		{"broken", `{`, `{}`, nil, []string{"hooks/hooks.json the file ends too early: it may be cut short"}},
		{
			"unknown event", `{"hooks": {"SubagentStop": [` + one + `], "Stop": [` + one + `]}}`, `{}`, []Hooks{{"Stop", 1}},
			[]string{"hooks/hooks.json/hooks/SubagentStop is not known to ZCode here: ZCode skips it"},
		},
		{
			"event that is no list", `{"hooks": {"Stop": {}, "PreToolUse": [` + one + `]}}`, `{}`, []Hooks{{"PreToolUse", 1}},
			[]string{"hooks/hooks.json/hooks/Stop must be an array: ZCode skips it"},
		},
		{
			"bad groups", `{"hooks": {"Stop": [{"matcher": "", "hooks": [{"type": "command", "command": "x"}]}, ` + two + `, {"hooks": []}]}}`, `{}`, []Hooks{{"Stop", 2}},
			[]string{
				"hooks/hooks.json/hooks/Stop/0/matcher must be a string that is not empty: ZCode skips it",
				"hooks/hooks.json/hooks/Stop/2/hooks must not be empty: ZCode skips it",
			},
		},
		{
			"odd event", `{"hooks": {"a/b~": [` + one + `]}}`, `{}`, nil,
			[]string{"hooks/hooks.json/hooks/a~1b~0 is not known to ZCode here: ZCode skips it"},
		},
		{"in the manifest", `{"hooks": {"Stop": [` + one + `]}}`, `{"hooks": {"Stop": [` + two + `], "PostToolUse": [` + one + `]}}`, []Hooks{{"Stop", 3}, {"PostToolUse", 1}}, nil},
		{
			"list in the manifest", ``, `{"hooks": [{"Stop": [` + one + `]}, "./more.json", "more.json", "gone.json", 3]}`, []Hooks{{"Stop", 2}},
			[]string{
				".zcode-plugin/plugin.json/hooks/3 names a file that is missing",
				".zcode-plugin/plugin.json/hooks/4 must be an object of events",
			},
		},
		{"usual file named again", `{"hooks": {"Stop": [` + one + `]}}`, `{"hooks": "./hooks/hooks.json"}`, []Hooks{{"Stop", 1}}, nil},
	}
	for _, tt := range tests {
		list := files{
			".zcode-plugin/plugin.json": `{"name": "a", ` + tt.manifest[1:],
			"more.json":                 `{"hooks": {"Stop": [` + one + `]}}`,
		}
		if tt.manifest == `{}` {
			list[".zcode-plugin/plugin.json"] = `{"name": "a"}`
		}
		if tt.file != "" {
			list["hooks/hooks.json"] = tt.file
		}
		p, dir, problems := readOne(t, list)
		if diff := cmp.Diff(tt.want, p.Contents.Hooks); diff != "" {
			t.Errorf("%s: hooks (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.problems, told(dir, problems)); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", tt.name, diff)
		}
	}
}
