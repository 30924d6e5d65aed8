package agents

import (
	"strings"
	"testing"
)

func TestWarnings(t *testing.T) {
	tests := []struct {
		lines string
		line  int
		key   string
		part  string // of the reason
	}{
		{"color: magenta\n", 4, "color", "red, blue, green, yellow, purple, orange, pink, cyan"},
		{"color: Red\n", 4, "color", "ignored"},
		{"permissionMode: yolo\n", 4, "permissionMode", "auto, plan"},
		{"permissionMode: bypassPermissions\n", 4, "permissionMode", "3.15.1"},
		{"maxTurns: 0\n", 4, "maxTurns", "above 0"},
		{"maxTurns: many\n", 4, "maxTurns", "above 0"},
		{"maxTurns: 1.5\n", 4, "maxTurns", "above 0"},
		{"background: yes\n", 4, "background", "true or false"},
		{"injectAgentsMd: 1\n", 4, "injectAgentsMd", "true or false"},
		{"memory: user\n", 4, "memory", "drops"},
		{"memory: all\n", 4, "memory", "agent_invalid_memory_scope"},
		{"# comment\n\nmodel: a/b\nmodel: c/d\n", 7, "model", "twice"},
		{"color: magenta\ncolor: red\n", 5, "color", "twice"},
		{"model: glm-5\n", 4, "model", "providerId/modelId"},
		{"model: custom:%zz:m\n", 4, "model", "providerId/modelId"},
		{"model: builtin:zai/glm\n", 4, "model", "older version"},
		{"model: |\n  p/m\n", 4, "model", "one line"},
		{"tools:\n  - \"a\\\\b\"\n", 4, "tools", "backslash"},
		{"mcpServers:\n  - gh:\n      command: x\n", 4, "mcpServers", "agent_invalid_mcp_servers"},
		{"mcpServers: {\"gh\": {\"command\": \"x\"}}\n", 4, "mcpServers", "agent_invalid_mcp_servers"},
		{"mcpServers:\n  gh:\n    command: x\n", 4, "mcpServers", "agent_invalid_mcp_servers"},
		{"bad: a: b\nmcpServers:\n  - gh:\n      command: x\n", 5, "mcpServers", "agent_invalid_mcp_servers"},
	}
	for _, tt := range tests {
		p, err := ParseProfile(agentText(tt.lines))
		if err != nil {
			t.Errorf("%q: %v", tt.lines, err)
			continue
		}
		if len(p.Warnings) != 1 {
			t.Errorf("%q: got %+v, want one warning", tt.lines, p.Warnings)
			continue
		}
		if w := p.Warnings[0]; w.Line != tt.line || w.Key != tt.key || !strings.Contains(w.Reason, tt.part) {
			t.Errorf("%q: got %+v, want line %d, %s, %q", tt.lines, w, tt.line, tt.key, tt.part)
		}
	}
}

func TestNoWarnings(t *testing.T) {
	for _, lines := range []string{
		"",
		"color: cyan\npermissionMode: plan\nmaxTurns: 1\nbackground: false\ninjectAgentsMd: true\nmodel: inherit\n",
		"color:\nmodel: \"\"\ntools:\nmcpServers:\nmaxTurns:\n",
		"model: p/m\nthoughtLevel: high\n",
		"model: custom:a%2Fb:c%24\n",
		"model: p/m$high\n",
		"model: sonnet\nmcpServers:\n  - files\ntools: Read, Grep\nskills: [a, b]\n",
		"unknown: \"C:\\\\x\"\nother:\n  nested: |\n    a\n",
	} {
		p, err := ParseProfile(agentText(lines))
		if err != nil || p.Warnings != nil {
			t.Errorf("%q: got %+v, %v, want none", lines, p.Warnings, err)
		}
	}
}

// The desktop app writes \" and \\ and reads both back as two characters.
func TestWarnsOfWhatMultiplies(t *testing.T) {
	for description, want := range map[string]int{
		`C:\dir`:              1,
		`say "x"`:             1,
		`"say \"x\""`:         1,
		`one\ntwo`:            0,
		`plain 'single'`:      0,
		`"quoted as written"`: 0,
	} {
		p, err := ParseProfile([]byte("---\nname: abc\ndescription: " + description + "\n---\n"))
		if err != nil || len(p.Warnings) != want {
			t.Errorf("%s: got %+v, %v, want %d", description, p.Warnings, err, want)
		}
	}
}

func TestWarningsOfDuplicatesEnd(t *testing.T) {
	p, err := ParseProfile(agentText(strings.Repeat("color: red\n", 1000)))
	if err != nil || len(p.Warnings) != mostAlike {
		t.Errorf("got %d warnings, %v, want %d", len(p.Warnings), err, mostAlike)
	}
}
