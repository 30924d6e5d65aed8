package cliconfig

import (
	"errors"
	"testing"
)

// TestUpsertRefuses wants the pointer in the body, whatever is wrong.
func TestUpsertRefuses(t *testing.T) {
	const none = "" // no such server yet
	tests := []struct{ server, body, pointer string }{
		{none, `[]`, ""},
		{none, `null`, ""},
		{none, `{}`, ""},
		{none, `{"type": "stdio"}`, ""},
		{none, `{"type": "http", "headers": {}}`, ""},
		{none, `{"command": ""}`, "/command"},
		{none, `{"command": " "}`, ""},
		{none, `{"command": ["c"]}`, "/command"},
		{none, `{"type": "remote", "url": "u"}`, "/type"},
		{none, `{"type": "streamable-http", "url": "u"}`, "/type"},
		{none, `{"type": 1, "url": "u"}`, "/type"},
		{none, `{"command": "c", "url": "u"}`, "/url"},
		{none, `{"url": "u", "args": []}`, "/args"},
		{none, `{"type": "sse", "url": "u", "cwd": "d"}`, "/cwd"},
		{none, `{"command": "c", "autoApprove": ["*"]}`, "/autoApprove"},
		{none, `{"command": "c", "a/b~": 1}`, "/a~1b~0"},
		{none, `{"command": "c", "enable": true}`, "/enable"},
		{none, `{"command": "c", "environment": {}}`, "/environment"},
		{none, `{"url": "u", "http_headers": {}}`, "/http_headers"},
		{none, `{"command": "c", "timeout": 5}`, "/timeout"},
		{none, `{"command": "c", "startup_timeout_sec": 5}`, "/startup_timeout_sec"},
		{none, `{"command": "c", "enabled": "yes"}`, "/enabled"},
		{none, `{"command": "c", "timeoutMs": 0}`, "/timeoutMs"},
		{none, `{"command": "c", "timeoutMs": "5"}`, "/timeoutMs"},
		{none, `{"command": "c", "timeoutMs": 1e400}`, "/timeoutMs"},
		{none, `{"command": "c", "protocolVersion": "1"}`, "/protocolVersion"},
		{none, `{"command": "c", "args": "a"}`, "/args"},
		{none, `{"command": "c", "args": ["a", 1]}`, "/args/1"},
		{none, `{"command": "c", "cwd": ""}`, "/cwd"},
		{none, `{"command": "c", "env": []}`, "/env"},
		{none, `{"command": "c", "env": {"X": null}}`, "/env/X"},
		{none, `{"url": "u", "headers": {"X/Y": 1}}`, "/headers/X~1Y"},
		{none, `{"url": "u", "oauth": {"type": "client_credentials", "clientId": "i"}}`, "/oauth"},
		{none, `{"url": "u", "oauth": {"type": "authorization_code", "x": 1}}`, "/oauth/x"},
		{none, `{"command": "c", "name": "other"}`, "/name"},
		// Masks have nothing to stand for.
		{none, `{"command": "c", "env": {"A": "********"}}`, "/env/A"},
		{none, `{"command": "c", "args": ["--token", "********"]}`, "/args/1"},
		{none, `{"command": "c", "args": ["--token=********"]}`, "/args/0"},
		{none, `{"url": "https://********@h/"}`, "/url"},
		{none, `{"url": "u", "headers": {"A": "********"}}`, "/headers/A"},
		{none, `{"url": "u", "oauth": {"type": "authorization_code", "clientSecret": "********"}}`, "/oauth/clientSecret"},
		{none, `{"command": "********"}`, "/command"},
		{`{"command": "c", "env": {"A": "a"}}`, `{"env": {"B": "********"}}`, "/env/B"},
		{`{"command": "c", "env": {"A": "a"}}`, `{"env": {"A": "x********"}}`, "/env/A"},
		{`{"command": "c", "env": {"A": "a"}}`, `{"type": "http", "url": "u", "headers": {"A": "********"}}`, "/headers/A"},
		{`{"url": "https://h/?token=a"}`, `{"url": "https://h/other?token=********"}`, "/url"},
		{`{"url": "u", "oauth": {"type": "authorization_code", "clientId": "i"}}`, `{"oauth": {"type": "authorization_code", "clientId": "i", "clientSecret": "********"}}`, "/oauth/clientSecret"},
		// Present servers.
		{`1`, `{"command": "c"}`, ""},
		{`null`, `{}`, ""},
		{`{"command": "c"}`, `{"command": null}`, ""},
		{`{"type": "http", "url": "u"}`, `{"url": null}`, ""},
		{`{"command": "c"}`, `{"url": "u"}`, "/url"},
		{`{"command": "c"}`, `{"type": "http"}`, ""},
		{`{"url": "u", "headers": {}}`, `{"type": "stdio", "command": "c", "headers": {"A": "b"}}`, "/headers"},
		{`{"command": "c", "enable": false}`, `{"enable": null}`, "/enable"},
		{`{"command": "c", "autoApprove": 1}`, `{"timeoutMs": 1}`, "/autoApprove"},
		{`{"command": "c", "autoApprove": 1}`, `{}`, "/autoApprove"},
		{`{"command": "c", "env": {"A": 1}}`, `{"timeoutMs": 1}`, "/env/A"},
		{`{"command": "c", "enabled": "yes"}`, `{"timeoutMs": 1}`, "/enabled"},
		{`{"type": "local", "command": "c"}`, `{"timeoutMs": 1}`, "/type"},
		{`{"type": "http", "url": "u", "command": "c"}`, `{"timeoutMs": 1}`, "/command"},
		{`{"command": "c", "autoApprove": 1}`, `{"url": "u"}`, "/url"}, // the body's own first
	}
	for _, tt := range tests {
		d := parse(t, `{"mcp": {"servers": {"other": 1}}}`)
		if tt.server != none {
			d = parse(t, entryFile(tt.server))
		}
		got, notes, err := set(t, "s", tt.body)(d)
		var invalid *InvalidError
		if !errors.As(err, &invalid) || !errors.Is(err, ErrInvalid) {
			t.Errorf("%s with %s: got %v, want an invalid setting", tt.server, tt.body, err)
			continue
		}
		if invalid.Pointer != tt.pointer || got != nil || notes != nil {
			t.Errorf("%s with %s: got %q (%v), want %q", tt.server, tt.body, invalid.Pointer, err, tt.pointer)
		}
	}
}

// TestUpsertSentences holds what a person reads.
func TestUpsertSentences(t *testing.T) {
	tests := []struct{ server, body, want string }{
		{`{"command": "c"}`, `{"autoApprove": ["*"]}`, `setting an MCP server: /autoApprove is not known to ZCode, which would skip the server: leave it out`},
		{`{"command": "c"}`, `{"enable": false}`, `setting an MCP server: /enable is an old spelling: send "enabled"`},
		{`{"command": "c"}`, `{"timeout": 5}`, `setting an MCP server: /timeout means nothing to ZCode: send "timeoutMs" in milliseconds`},
		{`{"command": "c"}`, `{"env": {"X": 1}}`, `setting an MCP server: /env/X must be a string`},
		{`{"command": "c"}`, `{"env": {"X": "********"}}`, `setting an MCP server: /env/X is a mask, and there is no value here that it could stand for: send the real value`},
		{`{"command": "c"}`, `{"url": "u"}`, `setting an MCP server: /url does not belong to a server of type stdio; send "type" as well to change the transport`},
		{`{"command": "c"}`, `{"type": "http"}`, `setting an MCP server: needs "url" for its type http`},
		{`{"command": "c", "autoApprove": 1}`, `{"cwd": "d"}`, `setting an MCP server: /autoApprove is not known to ZCode here, so ZCode skips the server; it was there before: send "autoApprove" as null or corrected`},
		{`1`, `{"cwd": "d"}`, `setting an MCP server: cannot be merged: the present entry is no object, remove this server first`},
		{`{"command": "c"}`, `{"name": "t"}`, `setting an MCP server: /name differs from the server that is set: a server cannot be renamed, set a new one and remove the old`},
	}
	for _, tt := range tests {
		_, _, err := set(t, "s", tt.body)(parse(t, entryFile(tt.server)))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s with %s:\n got %v\nwant %s", tt.server, tt.body, err, tt.want)
		}
	}
	_, _, err := set(t, "a/b", `{"command": "c"}`)(New())
	want := "setting an MCP server: the name of a server must be free of slashes, backslashes and control characters"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
