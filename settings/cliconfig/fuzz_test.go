package cliconfig

import (
	"encoding/json"
	"errors"
	"strings"
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

// FuzzSentBack lists a server of any texts and sets it to what the listing says:
// nothing changes.
func FuzzSentBack(f *testing.F) {
	for _, args := range []string{
		"--token\nK\n--key\nK", "-e\nA=K\n-H\nx: K\n-u\na:K", "run --token K --y\n-pK\n-p\nK", "--auth\n-token\nK\n********",
		`sh -c "x --token 'a b'"` + "\n//u:K@h", "sk-secret1\nsk-secret2\nx --header A: K",
	} {
		f.Add("env TOKEN=K npx x", args, "https://u:K@h/?key=K", "K")
	}
	f.Add("c --token 'a b'", "", "https:/u:K@hooks.slack.com/services/a", "********")
	f.Fuzz(func(t *testing.T, command, args, url, value string) {
		if command == "" || url == "" {
			return
		}
		file, err := json.Marshal(map[string]any{"mcp": map[string]any{"servers": map[string]any{
			"local":  map[string]any{"type": "stdio", "command": command, "args": strings.Split(args, "\n"), "env": map[string]string{"A": value}},
			"remote": map[string]any{"type": "http", "url": url, "headers": map[string]string{"A": value}},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		d := parse(t, string(file))
		if got, notes := sendBack(t, d); got != d || len(notes) > 0 {
			t.Fatalf("%s\nbecame\n%s, notes %q", d.Text(), got.Text(), notes)
		}
	})
}

// FuzzMaskStaysMasked sends any arguments with masks: what a mask stood for is
// never shown afterwards.
func FuzzMaskStaysMasked(f *testing.F) {
	for _, sent := range []string{"--log-prefix\n********", "-x\nX-Org: ********", "-l\nFOO=********", "********", "a\n--token\n-v\n********", "--token\n********"} {
		f.Add(sent)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		const secret = "K93mxq"
		if strings.Contains(sent, secret) {
			return
		}
		d := parse(t, entryFile(`{"command": "c", "args": ["--token", "K93mxq", "-H", "X-Org: K93mxq", "-e", "FOO=K93mxq", "-u", "a:K93mxq"]}`))
		body, err := json.Marshal(map[string]any{"args": strings.Split(sent, "\n")})
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := set(t, "s", string(body))(d)
		if err != nil {
			return
		}
		for _, arg := range Servers(got)[1].Args {
			if strings.Contains(arg, secret) {
				t.Fatalf("%q shows the secret: %q", sent, Servers(got)[1].Args)
			}
		}
	})
}
