package plugins

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"zcode-acp/settings/cliconfig"
)

func TestServers(t *testing.T) {
	const mask = "********"
	server := func(name, transport string, change func(*cliconfig.Server)) cliconfig.Server {
		s := cliconfig.Server{Name: name, Type: transport, Enabled: true, Source: "plugin"}
		change(&s)
		return s
	}
	plain := func(name, command string) cliconfig.Server {
		return server(name, "stdio", func(s *cliconfig.Server) { s.Command = command })
	}
	ignored := func(transport, reason string) cliconfig.Server {
		return server("a", transport, func(s *cliconfig.Server) { s.Ignored = "ZCode skips this server: " + reason })
	}
	tests := []struct {
		name, file, manifest string
		want                 []cliconfig.Server
		problems             []string
	}{
		{"flat", `{"b": {"command": "x"}, "a": {"type": "stdio", "command": "y"}}`, ``, []cliconfig.Server{plain("b", "x"), plain("a", "y")}, nil},
		{"wrapped", `{"mcpServers": {"a": {"command": "x"}}, "b": {"command": "y"}}`, ``, []cliconfig.Server{plain("a", "x")}, nil},
		{
			"wrapper that is no object", `{"mcpServers": [], "b": {"command": "y"}}`, ``, []cliconfig.Server{plain("b", "y")},
			[]string{".mcp.json/mcpServers must be an object: ZCode skips this server"},
		},
		{"no object", `[]`, ``, nil, []string{".mcp.json must be an object of MCP servers"}},
		{"broken", `{"a": {"command": "SECRET`, ``, nil, []string{".mcp.json the string that begins here has no end: the file may be cut short"}},
		{"entry that is none", `{"mcpServers": {"a/b": 1}}`, ``, nil, []string{".mcp.json/mcpServers/a~1b must be an object: ZCode skips this server"}},
		{
			"secrets", `{"a": {"command": "run --token=SECRET", "args": ["--api-key", "SECRET", "-v"], "env": {"PLAIN": "SECRET"}, "cwd": "/d"}}`, ``,
			[]cliconfig.Server{server("a", "stdio", func(s *cliconfig.Server) {
				s.Command, s.Args, s.Cwd = "run --token="+mask, []string{"--api-key", mask, "-v"}, "/d"
				s.Env = map[string]string{"PLAIN": mask}
			})}, nil,
		},
		{
			"remote secrets",
			`{"a": {"url": "https://u:SECRET@h/?key=SECRET", "headers": {"X": "SECRET"}, "oauth": {"type": "client_credentials", "clientId": "i", "clientSecret": "SECRET"}, "timeoutMs": 5}}`, ``,
			[]cliconfig.Server{server("a", "http", func(s *cliconfig.Server) {
				s.URL, s.Headers = "https://"+mask+"@h/?key="+mask, map[string]string{"X": mask}
				s.OAuth = map[string]string{"type": "client_credentials", "clientId": "i", "clientSecret": mask}
				s.TimeoutMs = 5
			})}, nil,
		},
		{
			"old spellings mean nothing here", `{"a": {"command": "x", "environment": {"K": "SECRET"}, "enable": false}}`, ``,
			[]cliconfig.Server{plain("a", "x")}, nil,
		},
		{
			"members that ZCode overlooks", `{"a": {"command": "x", "autoApprove": ["*"], "disabled": true, "enabled": false}}`, ``,
			[]cliconfig.Server{server("a", "stdio", func(s *cliconfig.Server) { s.Command, s.Enabled = "x", false })}, nil,
		},
		{"unknown type", `{"a": {"type": "remote"}}`, ``, []cliconfig.Server{ignored("remote", "its type must be one of http, sse, stdio")}, nil},
		{"no command", `{"a": {"type": "stdio"}}`, ``, []cliconfig.Server{ignored("stdio", `it needs "command" for its type stdio`)}, nil},
		{"nothing", `{"a": {}}`, ``, []cliconfig.Server{ignored("http", `it needs "url" for its type http`)}, nil},
		{"no url", `{"a": {"type": "sse"}}`, ``, []cliconfig.Server{ignored("sse", `it needs "url" for its type sse`)}, nil},
		{
			"manifest goes before", `{"a": {"command": "x"}, "b": {"command": "x"}}`, `, "mcpServers": {"c": {"command": "z"}, "a": {"command": "z"}}`,
			[]cliconfig.Server{plain("a", "z"), plain("b", "x"), plain("c", "z")}, nil,
		},
		{
			"list in the manifest", ``, `, "mcpServers": ["./more.json", {"mcpServers": {"i": {"command": "y"}}}, "gone.json", 1]`,
			[]cliconfig.Server{plain("more", "x"), plain("i", "y")},
			[]string{
				".zcode-plugin/plugin.json/mcpServers/2 names a file that is missing",
				".zcode-plugin/plugin.json/mcpServers/3 must be an object of MCP servers",
			},
		},
	}
	for _, tt := range tests {
		list := files{
			".zcode-plugin/plugin.json": `{"name": "a"` + tt.manifest + `}`,
			"more.json":                 `{"more": {"command": "x"}}`,
		}
		if tt.file != "" {
			list[".mcp.json"] = tt.file
		}
		p, dir, problems := readOne(t, list)
		if diff := cmp.Diff(tt.want, p.Contents.MCPServers, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: servers (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.problems, told(dir, problems)); diff != "" {
			t.Errorf("%s: problems (-want +got):\n%s", tt.name, diff)
		}
		if text, err := json.Marshal([]any{p, problems}); err != nil || strings.Contains(string(text), "SECRET") {
			t.Errorf("%s: a secret is shown: %s %v", tt.name, text, err)
		}
	}
}

func TestOAuthOfServers(t *testing.T) {
	const types, missing = "its oauth needs the type authorization_code or client_credentials", `its oauth needs "clientId" and "clientSecret"`
	tests := []struct{ oauth, want string }{
		{`null`, ""},
		{`{"type": "authorization_code"}`, ""},
		{`{"type": "client_credentials", "clientId": "i", "clientSecret": "s"}`, ""},
		{`{"type": "client_credentials", "clientId": "i"}`, missing},
		{`{"type": "client_credentials", "clientSecret": "s"}`, missing},
		{`{}`, types},
		{`{"type": "basic"}`, types},
	}
	for _, tt := range tests {
		p, _, _ := readOne(t, files{".mcp.json": `{"a": {"url": "https://h", "oauth": ` + tt.oauth + `}}`})
		if got := strings.TrimPrefix(p.Contents.MCPServers[0].Ignored, "ZCode skips this server: "); got != tt.want {
			t.Errorf("%s: ignored = %q, want %q", tt.oauth, got, tt.want)
		}
	}
}

func TestManyServers(t *testing.T) {
	var entries []string
	for i := range 50_000 {
		entries = append(entries, fmt.Sprintf(`"s%d":{}`, i))
	}
	p, dir, problems := readOne(t, files{".mcp.json": "{" + strings.Join(entries, ",") + "}"})
	if got := len(p.Contents.MCPServers); got != maxServers {
		t.Errorf("got %d servers, want %d", got, maxServers)
	}
	checkTold(t, dir, problems, ".mcp.json holds more than 500 servers: the rest is left out")
}
