package cliconfig

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestUpsertMerges holds the whole entry after an edit.
func TestUpsertMerges(t *testing.T) {
	tests := []struct{ name, server, body, want string }{
		{"changes a value", `{"command": "c",  "timeoutMs": 1}`, `{"timeoutMs": 2}`, `{"command": "c",  "timeoutMs": 2}`},
		{"adds at the end", `{"command":"c"}`, `{"cwd":"/d","args":["a"]}`, `{"command":"c","cwd":"/d","args":["a"]}`},
		{"removes", `{"command": "c", "cwd": "d", "timeoutMs": 1}`, `{"cwd": null}`, `{"command": "c", "timeoutMs": 1}`},
		{"removes what is not there", `{"command": "c"}`, `{"cwd": null, "x": null}`, `{"command": "c"}`},
		{"off", `{"command": "c"}`, `{"enabled": false}`, `{"command": "c", "enabled": false}`},
		{"on", `{"enabled": false, "command": "c"}`, `{"enabled": true}`, `{"command": "c"}`},
		{"enabled cleared", `{"enabled": false, "command": "c"}`, `{"enabled": null}`, `{"command": "c"}`},
		{"enabled cleared", `{"enabled": true, "command": "c"}`, `{"enabled": null}`, `{"command": "c"}`},
		{"on already", `{"enabled": true, "command": "c"}`, `{"enabled": true}`, `{"enabled": true, "command": "c"}`},
		{"replaces a map", `{"command": "c", "env": {"A":  "1", "B": "2"}}`, `{"env": {"C": "3", "B": "2"}}`, `{"command": "c", "env": {"B": "2", "C": "3"}}`},
		{"empties a map", `{"command": "c", "env": {"A": "1"}}`, `{"env": {}}`, `{"command": "c", "env": {}}`},
		{"fills a map", `{"command": "c", "env": {}}`, `{"env": {"A": "1"}}`, `{"command": "c", "env": {"A": "1"}}`},
		{"replaces a list", `{"command": "c", "args": ["a", "b"]}`, `{"args": ["b"]}`, `{"command": "c", "args": ["b"]}`},
		{"replaces oauth", `{"url": "u", "oauth": {"type": "authorization_code", "scope": "s"}}`, `{"oauth": {"type": "client_credentials", "clientId": "i", "clientSecret": "k"}}`,
			`{"url": "u", "oauth": {"type": "client_credentials", "clientId": "i", "clientSecret": "k"}}`},
		{"keeps the text of a number", `{"command": "c", "timeoutMs": 6e4}`, `{"timeoutMs": 60000}`, `{"command": "c", "timeoutMs": 6e4}`},
		{"keeps the escapes of a string", `{"command": "\u0063", "cwd": "\/d"}`, `{"command": "c", "cwd": "/d"}`, `{"command": "\u0063", "cwd": "\/d"}`},
		{"leaves an inferred type out", `{"command": "c"}`, `{"type": "stdio", "timeoutMs": 1}`, `{"command": "c", "timeoutMs": 1}`},
		{"repairs with null", `{"command": "c", "autoApprove": ["*"], "type": "stdio"}`, `{"autoApprove": null, "timeoutMs": 1}`, `{"command": "c", "type": "stdio", "timeoutMs": 1}`},
		{"repairs with a value", `{"command": "c", "env": {"A": 1, "B": "b"}}`, `{"env": {"A": "1", "B": "b"}}`, `{"command": "c", "env": {"A": "1", "B": "b"}}`},
		{"repairs enabled", `{"command": "c", "enabled": "yes"}`, `{"enabled": true}`, `{"command": "c"}`},
		{"repairs the type", `{"type": "streamable-http", "url": "u"}`, `{"type": "http"}`, `{"type": "http", "url": "u"}`},
		{"ignores what only listings have", `{"command": "c"}`, `{"name": "s", "source": "user", "ignored": "x", "legacy": ["enable"], "cwd": "d"}`, `{"command": "c", "cwd": "d"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, notes, err := set(t, "s", tt.body)(parse(t, entryFile(tt.server)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(entryFile(tt.want), string(d.Text())); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if len(notes) > 0 {
				t.Errorf("notes = %q, want none", notes)
			}
		})
	}
}

// TestUpsertChangesManyMembers wants what stays to keep its text and place, as
// when few members change.
func TestUpsertChangesManyMembers(t *testing.T) {
	tests := []struct{ name, server, body, want string }{
		{"some changed, removed and added", `{"command": "c", "env": {"Z": "\u007a", "a": "1", "b": "1", "c": "1", "d": "1", "e": "1", "f": "1", "\u0067": "1", "h": "1", "Y": "\/"}, "cwd": "d"}`,
			`{"env": {"new": "n", "Y": "/", "b": "2", "c": "2", "d": "2", "e": "2", "f": "2", "g": "2", "h": "2", "Z": "********"}}`,
			`{"command": "c", "env": {"Z": "\u007a", "b": "2", "c": "2", "d": "2", "e": "2", "f": "2", "g": "2", "h": "2", "Y": "\/", "new": "n"}, "cwd": "d"}`},
		{"one member a line", "{\"url\": \"u\", \"headers\": {\n\t\"a\": \"1\",\n\t\"b\": \"1\"\n}}",
			`{"headers": {"a": "2", "c": "2", "d": "2", "e": "2", "f": "2", "g": "2", "h": "2", "i": "2", "b": "2"}}`,
			"{\"url\": \"u\", \"headers\": {\n\t\"a\": \"2\",\n\t\"b\": \"2\",\n\t\"c\": \"2\",\n\t\"d\": \"2\",\n\t\"e\": \"2\",\n\t\"f\": \"2\",\n\t\"g\": \"2\",\n\t\"h\": \"2\",\n\t\"i\": \"2\"\n}}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, _, err := set(t, "s", tt.body)(parse(t, entryFile(tt.server)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(entryFile(tt.want), string(d.Text())); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

// entryFile is a file with one server between others.
func entryFile(server string) string {
	return `{ "mcp": {"servers": {"a": {"command": "a"}, "s": ` + server + `, "z": 1}}, "end": 1e400 }`
}

func TestUpsertChangesTransport(t *testing.T) {
	const common = `"timeoutMs": 1, "protocolVersion": "auto", "enabled": false`
	tests := []struct{ name, server, body, want, removed string }{
		{"stdio to http", `{"type": "stdio", "command": "c", "args": [], "cwd": "d", "env": {}, ` + common + `}`, `{"type": "http", "url": "u"}`,
			`{"type": "http", ` + common + `, "url": "u"}`, "command, args, cwd, env"},
		{"stdio to sse", `{"command": "c", ` + common + `}`, `{"type": "sse", "url": "u"}`, `{` + common + `, "type": "sse", "url": "u"}`, "command"},
		{"http to stdio", `{"type": "http", "url": "u", "headers": {}, "oauth": {"type": "authorization_code"}, ` + common + `}`, `{"type": "stdio", "command": "c"}`,
			`{"type": "stdio", ` + common + `, "command": "c"}`, "url, headers, oauth"},
		{"sse to stdio", `{"type": "sse", "url": "u", ` + common + `}`, `{"type": "stdio", "command": "c"}`, `{"type": "stdio", ` + common + `, "command": "c"}`, "url"},
		{"http to sse keeps", `{"type": "http", "url": "u", "headers": {"A": "b"}}`, `{"type": "sse"}`, `{"type": "sse", "url": "u", "headers": {"A": "b"}}`, ""},
		{"old spellings go", `{"command": "c", "environment": {"A": "b"}, "http_headers": {"A": "b"}}`, `{"type": "http", "url": "u"}`, `{"type": "http", "url": "u"}`, "command, environment, http_headers"},
		{"remote to stdio", `{"type": "remote", "url": "u", "http_headers": {}, "environment": {}}`, `{"type": "stdio", "command": "c"}`, `{"type": "stdio", "command": "c"}`, "url, http_headers, environment"},
		{"without type", `{"command": "c", "args": ["a"]}`, `{"command": null, "url": "u"}`, `{"url": "u"}`, "args"},
		{"type cleared", `{"type": "stdio", "command": "c", "cwd": "d"}`, `{"type": null, "command": null, "url": "u"}`, `{"url": "u"}`, "cwd"},
		{"mixed before", `{"type": "stdio", "command": "c", "url": "u", "headers": {}}`, `{"type": "http"}`, `{"type": "http", "url": "u", "headers": {}}`, "command"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, notes, err := set(t, "s", tt.body)(parse(t, entryFile(tt.server)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(entryFile(tt.want), string(d.Text())); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			var want []string
			if tt.removed != "" {
				want = []string{"the members of the other transport were removed: " + tt.removed}
			}
			if diff := cmp.Diff(want, notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUpsertOldSpellings(t *testing.T) {
	enabled := `the old spelling "enable" was replaced by "enabled"`
	env := `the old spelling "environment" became "env"`
	headers := `the old spelling "http_headers" became "headers"`
	tests := []struct {
		name, server, body, want string
		notes                    []string
	}{
		{"off stays off", `{"command": "c", "enable": false}`, `{"cwd": "d"}`, `{"command": "c", "enabled": false, "cwd": "d"}`, []string{enabled}},
		{"off wins", `{"command": "c", "enable": false, "enabled": true}`, `{"cwd": "d"}`, `{"command": "c", "enabled": false, "cwd": "d"}`, []string{enabled}},
		{"off stays off without a change", `{"command": "c", "enable": false}`, `{}`, `{"command": "c", "enabled": false}`, []string{enabled}},
		{"on by request", `{"command": "c", "enable": false}`, `{"enabled": true}`, `{"command": "c"}`, []string{enabled}},
		{"enable true stays", `{"command": "c", "enable": true}`, `{"cwd": "d"}`, `{"command": "c", "enable": true, "cwd": "d"}`, nil},
		{"enable true edited", `{"command": "c", "enable": true}`, `{"enabled": false}`, `{"command": "c", "enabled": false}`, []string{enabled}},
		{"others stay", `{"type": "remote", "url": "u", "http_headers": {"A": "b"}, "timeout": 5}`, `{"url": "v"}`, `{"type": "remote", "url": "v", "http_headers": {"A": "b"}, "timeout": 5}`, nil},
		{"environment stays", `{"command": "c", "environment": {"A": "b"}}`, `{"cwd": "d"}`, `{"command": "c", "environment": {"A": "b"}, "cwd": "d"}`, nil},
		{"environment edited", `{"command": "c", "environment": {"A": "b", "B": "c"}}`, `{"env": {"A": "********", "C": "d"}}`, `{"command": "c", "env": {"A": "b", "C": "d"}}`, []string{env}},
		{"environment cleared", `{"command": "c", "environment": {"A": "b"}}`, `{"env": null}`, `{"command": "c"}`, []string{`"environment" went too: it is an old spelling of "env"`}},
		{"environment beside env", `{"command": "c", "environment": {"A": "b"}, "env": {"A": "c"}}`, `{"env": {"A": "d"}}`, `{"command": "c", "environment": {"A": "b"}, "env": {"A": "d"}}`, nil},
		{"env cleared beside environment", `{"command": "c", "environment": {"A": "b"}, "env": {"A": "c"}}`, `{"env": null}`, `{"command": "c"}`, []string{`"environment" went too: it is an old spelling of "env"`}},
		{"environment removed by its name", `{"command": "c", "environment": {"A": "b"}}`, `{"environment": null}`, `{"command": "c"}`, nil},
		{"http_headers edited", `{"url": "u", "http_headers": {"A": "b"}}`, `{"headers": {"A": "********", "B": "c"}}`, `{"url": "u", "headers": {"A": "b", "B": "c"}}`, []string{headers}},
		{"http_headers cleared", `{"url": "u", "http_headers": {"A": "b"}}`, `{"headers": null}`, `{"url": "u"}`, []string{`"http_headers" went too: it is an old spelling of "headers"`}},
		{"remote edited", `{"type": "remote", "url": "u"}`, `{"type": "http"}`, `{"type": "http", "url": "u"}`, []string{`the old spelling "remote" of the type became "http"`}},
		{"remote to sse", `{"type": "remote", "url": "u"}`, `{"type": "sse"}`, `{"type": "sse", "url": "u"}`, nil},
		{"a member without name is no old spelling", `{"command": "c", "": 1}`, `{"": null, "cwd": null}`, `{"command": "c"}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, notes, err := set(t, "s", tt.body)(parse(t, entryFile(tt.server)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(entryFile(tt.want), string(d.Text())); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.notes, notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUpsertCreates(t *testing.T) {
	tests := []struct{ name, server, body, want string }{
		{"stdio inferred", "n", `{"command": "c"}`, `{"type": "stdio", "command": "c"}`},
		{"http inferred", "n", `{"url": "u", "headers": {"A": "b"}}`, `{"type": "http", "url": "u", "headers": {"A": "b"}}`},
		{"sse", "n", `{"url": "u", "type": "sse"}`, `{"url": "u", "type": "sse"}`},
		{"null and true left out", "n", `{"type": null, "command": "c", "cwd": null, "enabled": true, "x": null}`, `{"type": "stdio", "command": "c"}`},
		{"off", "n", `{"command": "c", "enabled": false}`, `{"type": "stdio", "command": "c", "enabled": false}`},
		{"everything", "n", `{"type": "http", "url": "u", "oauth": {"type": "client_credentials", "clientId": "i", "clientSecret": "k"}, "protocolVersion": "legacy", "timeoutMs": 1.50}`,
			`{"type": "http", "url": "u", "oauth": {"type": "client_credentials", "clientId": "i", "clientSecret": "k"}, "protocolVersion": "legacy", "timeoutMs": 1.50}`},
		{"odd names", "__proto__", `{"command": "c"}`, `{"type": "stdio", "command": "c"}`},
		{"odd names", "toString", `{"command": "c"}`, `{"type": "stdio", "command": "c"}`},
		{"odd names", "a.b", `{"command": "c"}`, `{"type": "stdio", "command": "c"}`},
		{"odd names", "0", `{"command": "c"}`, `{"type": "stdio", "command": "c"}`},
		{"odd names", "~ é", `{"command": "c"}`, `{"type": "stdio", "command": "c"}`},
		{"longest name", strings.Repeat("n", 255), `{"command": "c"}`, `{"type": "stdio", "command": "c"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, notes, err := set(t, tt.server, tt.body)(parse(t, `{"mcp": {"servers": {"a": 1, "b": 2}}}`))
			if err != nil {
				t.Fatal(err)
			}
			want := `{"mcp": {"servers": {"a": 1, "b": 2, "` + tt.server + `": ` + tt.want + `}}}`
			if diff := cmp.Diff(want, string(d.Text())); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if len(notes) > 0 {
				t.Errorf("notes = %q, want none", notes)
			}
		})
	}
}

func TestUpsertRefusesNames(t *testing.T) {
	for _, name := range []string{"", "a/b", `a\b`, "a\x00", "a\n", "a\x7f", "a\u0085", "\xff", strings.Repeat("n", 256), strings.Repeat("é", 128)} {
		_, _, err := set(t, name, `{"command": "c"}`)(New())
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "the name of a server must") {
			t.Errorf("name %q: got %v, want the name refused", name, err)
		}
	}
}
