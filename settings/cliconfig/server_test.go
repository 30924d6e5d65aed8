package cliconfig

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestServerRules holds what ZCode accepts and skips after it has read the old
// spellings; want are pointers below the server.
func TestServerRules(t *testing.T) {
	tests := []struct {
		server string
		want   []string
	}{
		{`{"type": "stdio", "command": "c"}`, nil},
		{`{"type": "stdio", "command": " ", "args": [""], "cwd": "d", "env": {"": ""}, "protocolVersion": "auto", "enabled": false, "timeoutMs": 0.1}`, nil},
		{`{"type": "http", "url": "u", "headers": {"A": "b"}, "protocolVersion": "legacy", "enabled": true, "timeoutMs": 1}`, nil},
		{`{"type": "sse", "url": "u", "headers": {}, "protocolVersion": "2026-07-28"}`, nil},
		{`{"type": "http", "url": "u", "oauth": {"type": "client_credentials", "clientId": "i", "clientSecret": "s", "clientName": "n", "scope": ""}}`, nil},
		{`{"type": "sse", "url": "u", "oauth": {"type": "authorization_code"}}`, nil},
		{`{"type": "http", "url": "u", "oauth": {"type": "authorization_code", "clientId": "i", "clientSecret": "s", "clientName": "n", "redirectPath": "/r", "scope": ""}}`, nil},
		// Inferred and old spellings.
		{`{"command": "c"}`, nil},
		{`{"url": "u"}`, nil},
		{`{"type": 5, "command": "c"}`, nil},
		{`{"type": null, "url": "u"}`, nil},
		{`{"type": "remote", "url": "u", "http_headers": {"A": "b"}}`, nil},
		{`{"command": "c", "environment": {"A": "b"}}`, nil},
		{`{"command": "c", "environment": 1, "env": {}}`, nil},
		{`{"command": "c", "http_headers": 1}`, nil},
		{`{"url": "u", "http_headers": 1, "headers": {}}`, nil},
		{`{"command": "c", "timeout": "x", "startup_timeout_sec": []}`, nil},
		{`{"command": "c", "enable": "no"}`, nil},
		{`{"command": "c", "enable": false, "enabled": "x"}`, nil},
		{`{"command": "c", "enable": true, "enabled": null}`, nil},
		// Skipped.
		{`null`, []string{""}},
		{`[]`, []string{""}},
		{`"c"`, []string{""}},
		{`{}`, []string{""}},
		{`{"command": " "}`, []string{""}},
		{`{"command": ["c"]}`, []string{"/command", ""}},
		{`{"type": "streamable-http", "url": "u"}`, []string{"/type"}},
		{`{"type": "local", "url": "u", "disabled": true}`, []string{"/type", "/disabled"}},
		{`{"type": "stdio"}`, []string{""}},
		{`{"type": "stdio", "command": ""}`, []string{"/command"}},
		{`{"type": "http"}`, []string{""}},
		{`{"type": "http", "url": ""}`, []string{"/url"}},
		{`{"type": "sse", "url": 1}`, []string{"/url"}},
		{`{"type": "stdio", "command": "c", "url": "u", "headers": {}, "oauth": {}}`, []string{"/url", "/headers", "/oauth"}},
		{`{"type": "http", "url": "u", "command": "c", "args": [], "cwd": "d", "env": {}}`, []string{"/command", "/args", "/cwd", "/env"}},
		{`{"type": "sse", "url": "u", "environment": {}}`, []string{"/environment"}},
		{`{"command": "c", "environment": 1}`, []string{"/environment"}},
		{`{"command": "c", "environment": {}, "env": null}`, []string{"/env"}},
		{`{"url": "u", "http_headers": {"A": 1}}`, []string{"/http_headers/A"}},
		{`{"url": "u", "http_headers": {}, "headers": null}`, []string{"/headers"}},
		{`{"command": "c", "args": "x"}`, []string{"/args"}},
		{`{"command": "c", "args": [1], "cwd": "", "env": {"A": 1}}`, []string{"/args/0", "/cwd", "/env/A"}},
		{`{"command": "c", "protocolVersion": "2"}`, []string{"/protocolVersion"}},
		{`{"command": "c", "protocolVersion": null}`, []string{"/protocolVersion"}},
		{`{"command": "c", "enabled": "x"}`, []string{"/enabled"}},
		{`{"command": "c", "enabled": null}`, []string{"/enabled"}},
		{`{"command": "c", "enabled": null, "enable": "x"}`, []string{"/enabled"}},
		{`{"command": "c", "enable": true, "enabled": 1}`, []string{"/enabled"}},
		{`{"command": "c", "timeoutMs": 0}`, []string{"/timeoutMs"}},
		{`{"command": "c", "timeoutMs": 1e400}`, []string{"/timeoutMs"}},
		{`{"command": "c", "disabled": false, "autoApprove": [], "description": "", "isolation": {}}`, []string{"/disabled", "/autoApprove", "/description", "/isolation"}},
		{`{"url": "u", "oauth": "x"}`, []string{"/oauth"}},
		{`{"url": "u", "oauth": {}}`, []string{"/oauth"}},
		{`{"url": "u", "oauth": {"type": "password"}}`, []string{"/oauth/type"}},
		{`{"url": "u", "oauth": {"type": "client_credentials"}}`, []string{"/oauth", "/oauth"}},
		{`{"url": "u", "oauth": {"type": "client_credentials", "clientId": "", "clientSecret": "", "clientName": "", "scope": 1, "redirectPath": "/"}}`, []string{
			"/oauth/clientId", "/oauth/clientSecret", "/oauth/clientName", "/oauth/scope", "/oauth/redirectPath"}},
		{`{"url": "u", "oauth": {"type": "authorization_code", "clientId": "", "clientSecret": "", "clientName": "", "redirectPath": "", "scope": 1, "x": 1}}`, []string{
			"/oauth/clientId", "/oauth/clientSecret", "/oauth/clientName", "/oauth/redirectPath", "/oauth/scope", "/oauth/x"}},
	}
	for _, tt := range tests {
		var got []string
		for _, p := range Check(parse(t, `{"mcp": {"servers": {"a/b": `+tt.server+`}}}`)) {
			if p.Effect != ServerIgnored || p.Section != "mcp" || p.Server != "a/b" {
				t.Errorf("%s: %+v, want an ignored server", tt.server, p)
			}
			got = append(got, p.Pointer[len("/mcp/servers/a~1b"):])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.server, diff)
		}
	}
}

func TestEnabledOf(t *testing.T) {
	tests := []struct {
		server    string
		on, valid bool
	}{
		{`{}`, true, true},
		{`{"enabled": true}`, true, true},
		{`{"enabled": false}`, false, true},
		{`{"enable": true}`, true, true},
		{`{"enable": false}`, false, true},
		{`{"enable": false, "enabled": true}`, false, true},
		{`{"enable": true, "enabled": false}`, false, true},
		{`{"enable": false, "enabled": "x"}`, false, true},
		{`{"enable": true, "enabled": null}`, true, true},
		{`{"enable": "x"}`, true, true},
		{`{"enabled": "x"}`, true, false},
		{`{"enabled": null}`, true, false},
	}
	for _, tt := range tests {
		on, valid := enabledOf(parse(t, tt.server).Root())
		if on != tt.on || valid != tt.valid {
			t.Errorf("enabledOf(%s) = %v, %v, want %v, %v", tt.server, on, valid, tt.on, tt.valid)
		}
	}
}
