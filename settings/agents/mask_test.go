package agents

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// No spelling of a secret may come out, whoever reads the file.
func TestSecretsOfServersAreMasked(t *testing.T) {
	tests := []string{
		"mcpServers:\n  - gh:\n      command: npx\n      args: [\"--token\", CANARY]\n      env:\n        TOKEN: CANARY\n",
		"mcpServers:\n  - gh:\n      command: npx\n      args:\n        - --api-key=CANARY\n      env:\n        A: [CANARY]\n        B: {c: CANARY}\n",
		"mcpServers:\n  - name: gh\n    type: http\n    url: https://u:CANARY@h/?key=CANARY\n    headers:\n      Authorization: Bearer CANARY\n",
		"mcpServers:\n  gh:\n    command: x\n    env: {A: CANARY}\n",
		"mcpServers: {\"gh\": {\"command\": \"x\", \"env\": {\"A\": \"CANARY\", \"N\": 1}}}\n",
		"mcpServers: [{gh: {command: x, env: {A: CANARY, B: CANARY}}}]\n",
		"mcpServers: [files, {\"gh\": {\"oauth\": {\"clientSecret\": \"CANARY\"}}}]\n",
		// What YAML cannot read, the line reader reads by halves.
		"bad: a: b\nmcpServers:\n  - gh:\n      args:\n        - --token\n        - CANARY\n",
		"bad: a: b\nmcpServers: [{gh: {command: x, env: {A: CANARY}}}]\n",
		"bad: a: b\nmcpServers: {gh: {env: {A: CANARY}}}\n",
		"bad: a: b\nmcpServers: {\"gh\": {\"env\": {\"A\": \"CANARY\"}}}\n",
		"bad: a: b\nmcpServers: gh --token CANARY\n",
		// Keys that ZCode ignores.
		"apiKey: CANARY\n",
		"env:\n  A: CANARY\n",
		"env:\n  - A=CANARY\n",
		"env: {\"A\": \"CANARY\"}\n",
		"bad: a: b\nenv: {A: CANARY}\n",
		"bad: a: b\nserver: {token: CANARY}\n",
		"bad: a: b\nserver: [a, {token: CANARY}\n",
		"home: https://user:CANARY@h/\n",
		"home: https://h/a?x=1&key=CANARY\n",
		"servers:\n  a:\n    http_headers:\n      X: CANARY\n",
		"run:\n  args: [--password, CANARY]\n",
		"run:\n  args: [--password, 1234567]\n",
		"mcpServers:\n  - gh:\n      args: [\"--token\", 1234567, {a: b}]\n",
		"password: 1234567\n",
		"credentials:\n  gh: CANARY\n",
		"server:\n  ? [a]\n  : b\n  env: {A: CANARY}\n",
		// Keys that ZCode knows, in any of their forms.
		"tools: Read, Bash(curl -H \"Authorization: Bearer CANARY\")\n",
		"tools:\n  - Bash(curl -H \"Authorization: Bearer CANARY\")\n",
		"tools: --token, CANARY\n",
		"disallowedTools: Bash(--header \"X-A: CANARY\"), Read\n",
		"tools: run --header \"X-A: b, CANARY\"\n",
		"skills: sk-ant-CANARY\n",
		"skills: [a, sk-ant-CANARY]\n",
		"color: sk-ant-CANARY\n",
		"home: see https://host/ and token=CANARY\n",
	}
	for _, lines := range tests {
		p, err := ParseProfile(agentText(lines))
		if err != nil {
			t.Errorf("%q: %v", lines, err)
			continue
		}
		all, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(all), "CANARY") || strings.Contains(string(all), "1234567") {
			t.Errorf("%q shows its secret: %s", lines, all)
		}
		if !strings.Contains(encoded(t, p), "****") {
			t.Errorf("%q: got %s, want a mask", lines, encoded(t, p))
		}
	}
}

func TestSecretsOfDescriptionsAreMasked(t *testing.T) {
	for _, description := range []string{"Use sk-ant-CANARY", `"one\ntoken: CANARY"`, "see https://host/ and token=CANARY", "'curl -H \"A: CANARY\" x'"} {
		p, err := ParseProfile([]byte("---\nname: abc\ndescription: " + description + "\n---\n"))
		if err != nil {
			t.Fatal(err)
		}
		if all := encode(t, p); strings.Contains(all, "CANARY") || strings.Count(all, "********") != 2 {
			t.Errorf("%q: got %s, want it masked in both places", description, all)
		}
	}
}

// What comes back as it was shown stays; any other mask would take the place of a
// secret.
func TestMaskThatComesBack(t *testing.T) {
	text := []byte("---\nname: abc\ndescription: Use sk-ant-SECRET\ntools: Read, Bash(curl -H \"A: SECRET\")\nskills: [a, sk-ant-SECRET]\ncolor: red\n---\n")
	tests := []struct{ body, pointer, want string }{
		{`{"description": "Use ********", "color": "blue"}`, "", "color: blue"},
		{`{"tools": ["Read", "Bash(curl -H \"A: ********\")"], "skills": ["a", "********"], "color": "blue"}`, "", "color: blue"},
		{`{"description": "Never use ********"}`, "/description", ""},
		{`{"tools": ["Bash(curl -H \"A: ********\")"]}`, "/tools", ""},
		{`{"skills": ["********", "a"]}`, "/skills", ""},
		{`{"disallowedTools": ["********"]}`, "/disallowedTools", ""},
		{`{"prompt": "Print ********"}`, "", "color: red"},
		{`{"description": "Use nothing"}`, "", "color: red"},
	}
	for _, tt := range tests {
		got, _, err := Patch(text, parseJSON(t, tt.body).Root())
		var invalid *InvalidError
		if errors.As(err, &invalid); tt.pointer != "" && (invalid == nil || invalid.Pointer != tt.pointer) || tt.pointer == "" && err != nil {
			t.Errorf("%s: got %v, want it refused at %q", tt.body, err, tt.pointer)
		}
		if err == nil && (!strings.Contains(string(got), tt.want) || strings.Count(string(got), "SECRET") < 2) {
			t.Errorf("%s: got %s, want %s and the secrets", tt.body, got, tt.want)
		}
	}
	if _, err := Create("new-one", parseJSON(t, `{"description": "Use ********"}`).Root()); !errors.Is(err, ErrInvalid) {
		t.Errorf("got %v, want %v", err, ErrInvalid)
	}
}

func TestMaskLeavesTheRest(t *testing.T) {
	tests := []struct{ lines, want string }{
		{"mcpServers:\n  - files\n  - \"my server@x\"\n", `"mcpServers":["files","my server@x"]`},
		{"mcpServers: [files, web]\n", `"mcpServers":["files","web"]`},
		{"bad: a: b\nmcpServers:\n  - files\n", `"bad":"a: b","mcpServers":["files"]`},
		{"mcpServers:\n", `"mcpServers":null`},
		{"mcpServers:\n  - gh:\n      command: npx\n      args: [-y, pkg]\n      timeoutMs: 5\n      env:\n        TOKEN: x\n",
			`"mcpServers":[{"gh":{"args":["-y","pkg"],"command":"npx","env":{"TOKEN":"********"},"timeoutMs":5}}]`},
		{"tools: Read, Bash(git log:*), Bash(a, b)\n", `"tools":["Read","Bash(git log:*)","Bash(a, b)"]`},
		{"maxTokens: 5\nkeyboard: a\n", `"maxTokens":5,"keyboard":"a"`},
	}
	for _, tt := range tests {
		p, err := ParseProfile(agentText(tt.lines))
		if err != nil {
			t.Errorf("%q: %v", tt.lines, err)
			continue
		}
		if want := `{"name":"abc","description":"d",` + tt.want + `}`; encoded(t, p) != want {
			t.Errorf("%q: got %s, want %s", tt.lines, encoded(t, p), want)
		}
	}
}
