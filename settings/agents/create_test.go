package agents

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The layout is that of the facts about ZCode's desktop app.
func TestCreate(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"Helper", `{"description": "Helps"}`, "---\nname: \"Helper\"\ndescription: \"Helps\"\n---\n\nYou are a helpful assistant.\n"},
		{"abc", `{"description": "a\nb: c", "prompt": "  One\r\n\r\n---\r\nTwo\r\n", "color": null, "model": ""}`,
			"---\nname: \"abc\"\ndescription: \"a\\nb: c\"\n---\n\nOne\n\n---\nTwo\n"},
		{"abc", `{"mcpServers": ["m"], "injectAgentsMd": true, "background": false, "maxTurns": 9, "permissionMode": "auto", "skills": ["s"],
			"disallowedTools": ["Bash"], "tools": ["Read", "*"], "thoughtLevel": "high", "model": "p/m", "color": "red", "description": "d", "name": "abc"}`,
			`---
name: "abc"
description: "d"
color: red
model: p/m
thoughtLevel: high
tools:
  - Read
  - "*"
disallowedTools:
  - Bash
skills:
  - s
permissionMode: auto
maxTurns: 9
background: false
injectAgentsMd: true
mcpServers:
  - m
---

You are a helpful assistant.
`},
		{"abc", `{"description": "Reads C:\\dir"}`, "---\nname: \"abc\"\ndescription: Reads C:\\dir\n---\n\nYou are a helpful assistant.\n"},
		{"123", `{"description": "true"}`, "---\nname: \"123\"\ndescription: \"true\"\n---\n\nYou are a helpful assistant.\n"},
	}
	for _, tt := range tests {
		got, err := Create(tt.name, parseJSON(t, tt.body).Root())
		if err != nil {
			t.Errorf("%s: %v", tt.body, err)
			continue
		}
		if diff := cmp.Diff(tt.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.body, diff)
		}
		if p, err := ParseProfile(got); err != nil || p.Name != tt.name {
			t.Errorf("%s: read back as %q, %v", tt.body, p.Name, err)
		}
	}
}

func TestCreateRefuses(t *testing.T) {
	tests := []struct{ name, body, pointer string }{
		{"../x", `{"description": "d"}`, "/name"},
		{"Explore", `{"description": "d"}`, "/name"},
		{"abc", `{}`, "/description"},
		{"abc", `{"description": ""}`, "/description"},
		{"abc", `{"description": "d", "prompt": ""}`, "/prompt"},
		{"abc", `{"description": "d", "x": 1}`, "/x"},
		{"abc", `{"description": "d", "name": "abd"}`, "/name"},
		{"abc", `1`, ""},
	}
	for _, tt := range tests {
		_, err := Create(tt.name, parseJSON(t, tt.body).Root())
		var invalid *InvalidError
		if !errors.As(err, &invalid) || invalid.Pointer != tt.pointer {
			t.Errorf("Create(%q, %s): got %v, want an invalid %q", tt.name, tt.body, err, tt.pointer)
		}
	}
}

func TestBuiltIns(t *testing.T) {
	want := []BuiltIn{
		{"general-purpose", "blue", []string{"*"}, true},
		{"Explore", "cyan", []string{"Bash", "Glob", "Grep", "Read", "WebFetch", "WebSearch", "TodoWrite"}, false},
	}
	if diff := cmp.Diff(want, BuiltIns()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, want := range map[string]bool{"Explore": true, "general-purpose": true, "explore": false, "": false} {
		if got := IsBuiltIn(name); got != want {
			t.Errorf("IsBuiltIn(%q) = %v", name, got)
		}
	}
}
