package settings

import (
	"strings"
	"testing"
)

// The text of an agent's file is shown only where it holds no secret for sure.
func TestAgentText(t *testing.T) {
	const head = "---\nname: shown\ndescription: x\n"
	tests := []struct {
		name, lines string
		shown       bool
	}{
		{"plain", "tools:\n  - Read\n# a comment\ncolor: red\n", true},
		{"a key that stands twice", "mcpServers:\n  - gh:\n      env:\n        A: CANARY\nmcpServers:\n  - files\n", false},
		{"a key in quotes", "\"apiKey\": CANARY\n", false},
		{"what YAML cannot read", "bad: a: b\nserver:\n  env:\n    A: CANARY\n", false},
		{"a comment", "# apiKey: CANARY\n", false},
		{"a line below a list", "tools:\n  - Read\n    apiKey: CANARY\n", false},
		{"a masked member", "mcpServers:\n  - gh:\n      env:\n        A: CANARY\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			text := head + tt.lines + "---\n\nPrompt\n"
			w.put("agents/shown.md", text)
			answer, err := w.run("agents/show", Call{}, params{"name": "shown"})
			if err != nil {
				t.Fatal(err)
			}
			got := answer.(*AgentText)
			if want := map[bool]string{true: text}[tt.shown]; got.Text != want {
				t.Errorf("got %q, want %q", got.Text, want)
			}
			if all := string(encoded(got)); strings.Contains(all, "CANARY") {
				t.Errorf("the answer shows the secret: %s", all)
			}
		})
	}
}
