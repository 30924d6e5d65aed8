package cliconfig

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestServers holds the whole JSON of listings.
func TestServers(t *testing.T) {
	tests := []struct{ name, servers, want string }{
		{"none", `{}`, `[]`},
		{"no object", `[1]`, `[]`},
		{
			"stdio",
			`{"s": {"type": "stdio", "command": "npx", "args": ["-y", "--token", "secret", "--port=1"], "cwd": "/srv", "env": {"A": "secret", "B": ""}, "protocolVersion": "auto", "timeoutMs": 6e4, "enabled": false}}`,
			`[{"name":"s","type":"stdio","command":"npx","args":["-y","--token","********","--port=1"],"cwd":"/srv","env":{"A":"********","B":""},"protocolVersion":"auto","timeoutMs":60000,"enabled":false,"source":"user"}]`,
		},
		{
			"http",
			`{"h": {"url": "https://user:secret@h.example/mcp?token=secret&x=1", "headers": {"A": "secret"}, "oauth": {"type": "client_credentials", "clientId": "id", "clientSecret": "secret", "scope": ""}}}`,
			`[{"name":"h","type":"http","url":"https://********@h.example/mcp?token=********\u0026x=1","headers":{"A":"********"},"oauth":{"clientId":"id","clientSecret":"********","scope":"","type":"client_credentials"},"enabled":true,"source":"user"}]`,
		},
		{
			"sse and old spellings",
			`{"e": {"type": "sse", "url": "u", "http_headers": {"A": "secret"}, "enable": false}, "c": {"command": "c", "environment": {"B": "secret"}}}`,
			`[{"name":"e","type":"sse","url":"u","headers":{"A":"********"},"enabled":false,"source":"user","legacy":["enable","http_headers"]},` +
				`{"name":"c","type":"stdio","command":"c","env":{"B":"********"},"enabled":true,"source":"user","legacy":["environment"]}]`,
		},
		{
			"skipped",
			`{"n": null, "u": {"type": "streamable-http", "url": "u", "password": "secret"}, "w": {"command": "c", "args": ["secret", 1], "env": "secret", "http_headers": {"A": "secret"}}}`,
			`[{"name":"n","type":"stdio","enabled":true,"source":"user","ignored":"ZCode skips this server: it must be an object"},` +
				`{"name":"u","type":"streamable-http","url":"u","enabled":true,"source":"user","ignored":"ZCode skips this server: /type must be one of stdio, http, sse; /password is not known to ZCode here"},` +
				`{"name":"w","type":"stdio","command":"c","enabled":true,"source":"user","ignored":"ZCode skips this server: /args/1 must be a string; /env must be an object","legacy":["http_headers"]}]`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(Servers(parse(t, `{"mcp": {"servers": `+tt.servers+`}}`)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Errorf("Servers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestServersOfOddFiles(t *testing.T) {
	for _, text := range []string{`{}`, `null`, `{"mcp": 1}`, `{"mcp": {}}`, `{"mcp": {"servers": null}}`, `{"mcpServers": {"a": {"command": "a"}}}`} {
		if got := Servers(parse(t, text)); got == nil || len(got) > 0 {
			t.Errorf("Servers(%s) = %#v, want an empty list", text, got)
		}
		if got := Names(parse(t, text)); got == nil || len(got) > 0 {
			t.Errorf("Names(%s) = %#v, want an empty list", text, got)
		}
	}
}

func TestAgentsServers(t *testing.T) {
	d := parse(t, `{"mcpServers": {"a": {"command": "a", "env": {"K": "secret"}}, "b": 1}, "mcp": {"servers": {"c": {"command": "c"}}}}`)
	got, err := json.Marshal(AgentsServers(d))
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"name":"a","type":"stdio","command":"a","env":{"K":"********"},"enabled":true,"source":"agents"},` +
		`{"name":"b","type":"stdio","enabled":true,"source":"agents","ignored":"ZCode skips this server: it must be an object"}]`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("AgentsServers (-want +got):\n%s", diff)
	}
	if got := AgentsServers(New()); got == nil || len(got) > 0 {
		t.Errorf("AgentsServers of an empty file = %#v, want an empty list", got)
	}
}

func TestNamesKeepTheOrderOfTheFile(t *testing.T) {
	d := parse(t, `{"mcp": {"servers": {"10": {}, "9": 1, "__proto__": {}, "a.b": null}}}`)
	if diff := cmp.Diff([]string{"10", "9", "__proto__", "a.b"}, Names(d)); diff != "" {
		t.Errorf("Names (-want +got):\n%s", diff)
	}
}
