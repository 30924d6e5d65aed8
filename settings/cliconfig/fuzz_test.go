package cliconfig

import (
	"errors"
	"testing"

	"zcode-acp/settings/jsonedit"
)

// FuzzUpsert wants a server that ZCode accepts or an invalid setting, with every
// other server as it was.
func FuzzUpsert(f *testing.F) {
	for _, file := range []string{
		`{}`,
		`{"mcp": {"servers": {"s": {"command": "c", "args": ["--token", "K"], "env": {"A": "K"}}, "o": 1}}}`,
		`{"mcp": {"servers": {"s": {"type": "remote", "url": "u", "http_headers": {"A": "K"}, "enable": false}}}}`,
		`{"mcp": {"servers": {"s": {"type": "sse", "url": "u", "oauth": {"type": "authorization_code"}, "x": 1}}}}`,
		`{"mcp": {"servers": []}}`,
	} {
		for _, body := range []string{
			`{"command": "c"}`, `{"type": "http", "url": "u"}`, `{"env": {"A": "********"}}`, `{"args": ["--token", "********"]}`,
			`{"headers": {"A": "********"}, "type": null}`, `{"x": null, "timeoutMs": 1e3, "enabled": true}`, `{"enabled": null}`, `[]`,
		} {
			f.Add(file, "s", body)
		}
	}
	f.Fuzz(func(t *testing.T, file, name, body string) {
		d, err := jsonedit.Parse([]byte(file))
		if err != nil {
			return
		}
		b, err := jsonedit.Parse([]byte(body))
		if err != nil {
			return
		}
		got, _, err := UpsertServer(d, name, b.Root())
		if err != nil {
			if !errors.Is(err, ErrInvalid) {
				t.Fatalf("got %v, want an invalid setting", err)
			}
			return
		}
		if !jsonedit.Valid(got.Text()) {
			t.Fatalf("%q is no document", got.Text())
		}
		for _, p := range Check(got) {
			if p.Effect == ServersIgnored || p.Server == name && p.Effect == ServerIgnored {
				t.Fatalf("%q: %v", got.Text(), p)
			}
		}
		for c := range d.Find(jsonedit.Path{"mcp", "servers"}).Children() {
			if c.Key() == name {
				continue
			}
			if other := got.Find(serverPath(c.Key())); string(other.Raw()) != string(c.Raw()) {
				t.Fatalf("server %q was %s, became %s", c.Key(), c.Raw(), other.Raw())
			}
		}
	})
}
