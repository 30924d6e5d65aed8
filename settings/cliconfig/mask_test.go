package cliconfig

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
)

// sendBack sets every listed server to exactly what the listing says.
func sendBack(t testing.TB, d *jsonedit.Doc) (*jsonedit.Doc, []string) {
	t.Helper()
	var notes []string
	for _, s := range Servers(d) {
		body, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		next, told, err := UpsertServer(d, s.Name, parse(t, string(body)).Root())
		if err != nil {
			t.Fatalf("sending %s back: %v", body, err)
		}
		d, notes = next, append(notes, told...)
	}
	return d, notes
}

// TestListedServerSentBack wants nothing to change, for every transport.
func TestListedServerSentBack(t *testing.T) {
	tests := []struct{ name, server string }{
		{"stdio", `{"type": "stdio", "command": "c<&>", "args": ["-y", "--token", "K1", "--api-key=K2", "https://u:K3@h/?sig=K4", "Authorization: Bearer K5", "sk-secret6", ""], "cwd": "d", "env": {"A": "K7", "B": ""}, "protocolVersion": "auto", "timeoutMs": 6e4}`},
		{"stdio without type", `{"command": "c", "args": [], "env": {}}`},
		{"http", `{"type": "http", "url": "https://u:K1@h/mcp?token=K2&x=1#f", "headers": {"Authorization": "Bearer K3", "X": ""}, "enabled": false}`},
		{"http without type", `{"url": "https://h/mcp", "enabled": true}`},
		{"sse", `{"type": "sse", "url": "https://h/mcp?key=K1", "oauth": {"scope": "", "type": "client_credentials", "clientId": "i", "clientSecret": "K2"}}`},
		{"authorization code", `{"type": "http", "url": "u", "oauth": {"type": "authorization_code", "clientId": "i", "clientSecret": "K", "clientName": "n", "redirectPath": "/r", "scope": "s"}}`},
		{"odd text", `{"command": "\u0063\ud800", "args": ["\ud801", "\u00e9"], "env": {"\u0041": "\ud800"}, "timeoutMs": 1.0}`},
		{"command with secrets", `{"command": "env TOKEN=K1 npx x --key 'K2 K3'", "args": ["--auth", "-token", "K4", "mysql -pK5"]}`},
		{"a mask as a value", `{"command": "********", "args": ["********", "--key", "********"], "env": {"A": "********"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(t, `{"mcp": { "servers": {"s": `+tt.server+`}}}`)
			got, notes := sendBack(t, d)
			if got != d {
				t.Errorf("text (-want +got):\n%s", cmp.Diff(string(d.Text()), string(got.Text())))
			}
			if len(notes) > 0 {
				t.Errorf("notes = %q, want none", notes)
			}
		})
	}
}

func TestListedOldSpellingsSentBack(t *testing.T) {
	got, notes := sendBack(t, load(t, "legacy-enable.json"))
	want := `{
  "mcp": {
    "servers": {
      "old": {"type": "stdio", "command": "old", "enabled": false},
      "remote": {"type": "http", "url": "https://r.example/mcp", "headers": {"Authorization": "Bearer KEY"}}
    }
  }
}
`
	if diff := cmp.Diff(want, string(got.Text())); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if len(notes) != 3 {
		t.Errorf("notes = %q, want one for each of three old spellings", notes)
	}
}

func TestMaskedArgs(t *testing.T) {
	tests := []struct {
		name, present, sent, want string // space-separated; "" wants a refusal
	}{
		{"same", "--token K1 x", "--token ******** x", "--token K1 x"},
		{"one changed", "--token K1 x", "--token ******** y", "--token K1 y"},
		{"one more", "--token K1", "--token ******** x y", "--token K1 x y"},
		{"replaced", "--token K1", "--token K2", "--token K2"},
		{"moved", "-y --token K1", "--token ******** -y", "--token K1 -y"},
		{"part of an argument", "x --token=K1", "--token=********", "--token=K1"},
		{"swapped", "--token K1 --key K2", "--key ******** --token ********", "--key K2 --token K1"},
		{"first flag gone", "--token K1 --key K2", "--key ********", "--key K2"},
		{"second flag gone", "--token K1 --key K2", "--token ********", "--token K1"},
		{"flag renamed", "--token K1", "--key ********", "--key K1"},
		{"same flag twice", "--key K1 --key K2", "--key ******** --key ********", "--key K1 --key K2"},
		{"flag before it changed", "-y sk-secret1 sk-secret2", "-q ******** ********", "-q sk-secret1 sk-secret2"},
		{"nothing to stand for", "x y", "x ********", ""},
		{"other name", "--token=K1", "--key=********", ""},
		{"several to stand for", "x sk-secret1 sk-secret2", "********", ""},
		{"several flags to stand for", "--token K1 --key K2", "x --password ********", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(t, `{"mcp": {"servers": {"s": {"command": "c", "args": `+words(tt.present)+`}}}}`)
			got, _, err := set(t, "s", `{"args": `+words(tt.sent)+`}`)(d)
			if tt.want == "" {
				if err == nil {
					t.Errorf("got %s, want a refusal", got.Text())
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if args := string(got.Find(serverPath("s")).Get("args").Raw()); args != words(tt.want) {
				t.Errorf("got %s, want %s", args, words(tt.want))
			}
		})
	}
}

// words writes space-separated words as an array.
func words(text string) string {
	return `["` + strings.ReplaceAll(text, " ", `", "`) + `"]`
}

// TestMaskIsNotShownElsewhere moves masks to places where a listing would show
// what they stand for.
func TestMaskIsNotShownElsewhere(t *testing.T) {
	tests := []struct{ name, present, sent, pointer string }{
		{"another flag", `["--token", "S"]`, `["--log-prefix", "********"]`, "/args/1"},
		{"no flag", `["--token", "S"]`, `["********"]`, "/args/0"},
		{"flag gone from the middle", `["a", "--token", "S", "b"]`, `["a", "********", "b"]`, "/args/1"},
		{"header", `["-H", "X-Org: S"]`, `["-x", "X-Org: ********"]`, "/args/1"},
		{"variable", `["-e", "FOO=S"]`, `["-l", "FOO=********"]`, "/args/1"},
		{"login", `["-u", "me:S"]`, `["-v", "me:********"]`, "/args/1"},
		{"password", `["-p", "S"]`, `["-q", "********"]`, "/args/1"},
		{"another flag between", `["--token", "S"]`, `["--token", "--verbose", "********"]`, "/args/2"},
		{"place of another secret kind", `["--token", "S"]`, `["-H", "********"]`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(t, entryFile(`{"command": "c", "args": `+tt.present+`}`))
			got, _, err := set(t, "s", `{"args": `+tt.sent+`}`)(d)
			if tt.pointer == "" {
				if err != nil {
					t.Errorf("got %v, want it stored", err)
				}
				return
			}
			var invalid *InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("got %v, want a refusal", got)
			}
			if want := (InvalidError{tt.pointer, lostMask}); *invalid != want {
				t.Errorf("got %v, want %v", invalid, want)
			}
		})
	}
}

func TestMaskedCommand(t *testing.T) {
	d := parse(t, entryFile(`{"command": "env TOKEN=S npx x"}`))
	const masked = "env TOKEN=******** npx x"
	if got := Servers(d)[1].Command; got != masked {
		t.Errorf("listed as %q, want %q", got, masked)
	}
	got, _, err := set(t, "s", `{"command": "`+masked+`", "cwd": "d"}`)(d)
	if err != nil {
		t.Fatal(err)
	}
	want := entryFile(`{"command": "env TOKEN=S npx x", "cwd": "d"}`)
	if diff := cmp.Diff(want, string(got.Text())); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	var invalid *InvalidError
	if _, _, err := set(t, "s", `{"command": "env TOKEN=******** npx y"}`)(d); !errors.As(err, &invalid) || invalid.Pointer != "/command" {
		t.Errorf("got %v, want a refusal at /command", err)
	}
	if _, _, err := set(t, "new", `{"command": "`+masked+`"}`)(d); !errors.As(err, &invalid) || invalid.Pointer != "/command" {
		t.Errorf("got %v, want a refusal at /command", err)
	}
}

func TestMaskKeepsTheTextOfTheValue(t *testing.T) {
	d := parse(t, entryFile(`{"command": "c", "env": {"A": "\u004b\/\ud800", "B": "old"}}`))
	got, _, err := set(t, "s", `{"env": {"B": "new", "A": "********"}}`)(d)
	if err != nil {
		t.Fatal(err)
	}
	want := entryFile(`{"command": "c", "env": {"A": "\u004b\/\ud800", "B": "new"}}`)
	if diff := cmp.Diff(want, string(got.Text())); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

// TestNoSecretIsShown plants a word wherever a secret can stand.
func TestNoSecretIsShown(t *testing.T) {
	const canary = "CANARY"
	servers := []string{
		`{"command": "c", "env": {"A": "CANARY"}}`,
		`{"command": "c", "environment": {"A": "CANARY"}}`,
		`{"command": "c", "env": "CANARY", "args": "CANARY"}`,
		`{"command": "c", "env": {"A": ["CANARY"]}, "args": ["CANARY", 1]}`,
		`{"command": "c", "args": ["--token", "CANARY", "--api-key=CANARY", "TOKEN=CANARY", "https://u:CANARY@h/?key=CANARY", "sk-CANARY", "Authorization: CANARY"]}`,
		`{"command": "env TOKEN=CANARY x --key 'a CANARY'", "args": ["run --token CANARY", "-pCANARY", "-Hx: CANARY", "--env", "x=CANARY", "//u:CANARY@h"]}`,
		`{"url": "https:/u:CANARY@h", "headers": {}}`,
		`{"url": "https://hooks.slack.com/services/T/CANARY"}`,
		`{"url": "https://u:CANARY@h/?x=1&token=CANARY", "headers": {"A": "CANARY"}}`,
		`{"url": "https://CANARY@h/%zz?token=CANARY", "http_headers": {"A": "CANARY"}}`,
		`{"type": "sse", "url": "u", "headers": ["CANARY"], "oauth": {"type": "client_credentials", "clientId": "i", "clientSecret": "CANARY", "password": "CANARY"}}`,
		`{"url": "u", "oauth": {"type": "authorization_code", "clientSecret": ["CANARY"], "x": "CANARY"}}`,
		`{"url": "u", "oauth": "CANARY", "timeoutMs": "CANARY", "enabled": "CANARY", "enable": "CANARY"}`,
		`{"command": "c", "apiKey": "CANARY", "autoApprove": {"x": "CANARY"}}`,
		`"CANARY"`,
	}
	for _, server := range servers {
		d := parse(t, entryFile(server))
		shown := []any{Servers(d), AgentsServers(parse(t, `{"mcpServers": {"s": `+server+`}}`)), Check(d)}
		for _, p := range Check(d) {
			shown = append(shown, p.Error())
		}
		for _, body := range append(servers, `{"env": {"A": "CANARY********"}}`, `{"type": "CANARY"}`, `{"name": "CANARY"}`) {
			if _, notes, err := set(t, "s", body)(d); err != nil {
				shown = append(shown, err.Error())
			} else {
				shown = append(shown, notes)
			}
			if _, _, err := set(t, "new", body)(d); err != nil {
				shown = append(shown, err.Error())
			}
		}
		text, err := json.Marshal(shown)
		if err != nil {
			t.Fatal(err)
		}
		if i := strings.Index(string(text), canary); i >= 0 {
			t.Errorf("%s: shown in %s", server, text[max(0, i-200):min(len(text), i+50)])
		}
	}
}
