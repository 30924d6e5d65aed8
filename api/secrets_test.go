package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// canary is a word that stands in every planted secret, and in nothing else.
const canary = "CANARY"

const secretServers = `{
  "mcp": {"servers": {
    "local": {"type": "stdio", "command": "run", "env": {"PLAIN": "CANARY env"}, "args": [
      "--token", "CANARY-flag", "--api-key=CANARY-joined", "API_TOKEN=CANARY-assigned",
      "https://user:CANARY-password@h.example/?token=CANARY-query", "Authorization: Bearer CANARY-header", "sk-CANARY-look"]},
    "remote": {"type": "http", "url": "https://CANARY-user:CANARY-password@h.example/mcp?api_key=CANARY-query&page=1",
      "headers": {"X-Anything": "CANARY header"}, "oauth": {"type": "client_credentials", "clientId": "id", "clientSecret": "CANARY secret"}},
    "old": {"command": "x", "environment": {"A": "CANARY old env"}},
    "older": {"type": "remote", "url": "https://r.example", "http_headers": {"A": "CANARY old header"}},
    "strange": {"type": "stdio", "command": "x", "env": {"A": ["CANARY list"]}, "headers": {"A": "CANARY misplaced"}, "apiToken": "CANARY unknown"}
  }},
  "hooks": {"enabled": true, "events": {"Stop": [{"matcher": "Bash", "hooks": [
    {"type": "command", "command": "x", "env": {"T": "CANARY hook"}},
    {"type": "command", "command": "curl -H 'Authorization: Bearer CANARY-hook' https://u:CANARY-hook@h.example/?token=CANARY-hook"},
    {"type": "process", "command": "run", "args": ["--token", "CANARY-hook", "--key=CANARY-hook"], "environment": {"N": 1, "T": ["CANARY hook"]}, "headers": {"A": "CANARY hook"}}
  ]}]}},
  "network": {"httpProxy": "http://CANARY-user:CANARY-password@proxy.example:3128", "noProxy": "localhost"},
  "plugins": {"options": {"p@m": {"apiKey": "CANARY option"}}}
}
`

const secretShared = `{"mcpServers": {"shared": {"command": "x", "args": ["--password", "CANARY-shared"], "env": {"A": "CANARY shared"}}}}`

// secretProviders is the canonical document with secrets in every place.
func secretProviders(t *testing.T) string {
	text := replaced(t, example(t, "provider/canonical.json"), "sk-test-0000000000000000", "sk-CANARY-0000000000000000")
	return replaced(t, text, `"baseUrl": "https://router.example/v1"`,
		`"baseUrl": "https://CANARY-user:CANARY-password@router.example/v1?key=CANARY-query",
              "headers": {
                "X-Anything": "CANARY header"
              }`)
}

func withSecrets(t *testing.T) *fixture {
	f := newFixture(t)
	f.write(cliFile, secretServers)
	f.write(agentsFile, secretShared)
	f.write(providerFile, secretProviders(t))
	f.write(keeperFile, secretAgent)
	f.withSecretPlugin()
	f.withSecretProject()
	return f
}

// wantNoSecret looks at everything that a client or a reader of the log sees.
func (f *fixture) wantNoSecret(t *testing.T, what string, got answer) {
	t.Helper()
	header := fmt.Sprint(got.header)
	for _, text := range []string{string(got.body), header, f.log.String()} {
		if strings.Contains(text, canary) {
			t.Errorf("%s shows a secret (%d):\n%s", what, got.status, text)
		}
	}
}

func TestReadsShowNoSecret(t *testing.T) {
	f := withSecrets(t)
	for path := range closedDocument().Paths.Map() {
		if closedDocument().Paths.Value(path).Get == nil {
			continue
		}
		if path == "/settings/history/{id}" {
			path = "/settings/history/" + f.call(http.MethodPut, "/settings/mcp/local", `{"env":{"NEW":"`+canary+`"}}`).text(t, "history")
		}
		path = filled(path)
		for _, query := range []string{"", f.project()} {
			got := f.call(http.MethodGet, path+query, "")
			if got.status != http.StatusOK {
				t.Errorf("GET %s: %d %s", path, got.status, got.body)
			}
			f.wantNoSecret(t, "GET "+path, got)
		}
	}
	if got := f.call(http.MethodGet, "/settings/mcp", ""); !strings.Contains(string(got.body), "********") {
		t.Errorf("nothing is masked: %s", got.body)
	}
}

// TestWritesShowNoSecret: neither what was there nor what comes, in a dry run or
// a real one, nor afterwards among the backups.
func TestWritesShowNoSecret(t *testing.T) {
	tests := []secretWrite{
		{"DELETE", "/settings/mcp/local", ""},
		{"DELETE", "/settings/mcp/remote", ""},
		{"DELETE", "/settings/mcp/old", ""},
		{"DELETE", "/settings/mcp/older", ""},
		{"DELETE", "/settings/mcp/strange", ""},
		{"PUT", "/settings/mcp/local", `{"env":{"PLAIN":"CANARY new","MORE":"CANARY more"}}`},
		{"PUT", "/settings/mcp/local", `{"env":null,"args":null}`},
		{"PUT", "/settings/mcp/local", `{"args":["--token","CANARY-new"]}`},
		{"PUT", "/settings/mcp/local", `{"args":["--password=CANARY-new","--token","********"]}`},
		{"PUT", "/settings/mcp/local", `{"type":"sse","url":"https://a:CANARY-new@h.example/?secret=CANARY-new"}`},
		{"PUT", "/settings/mcp/remote", `{"url":"https://u:CANARY-new@h.example/?sig=CANARY-new","headers":{"X":"CANARY new"},"oauth":{"type":"authorization_code","clientSecret":"CANARY new"}}`},
		{"PUT", "/settings/mcp/remote", `{"type":"stdio","command":"c","env":{"A":"CANARY new"}}`},
		{"PUT", "/settings/mcp/old", `{"timeoutMs":5,"env":{"A":"CANARY new"}}`},
		{"PUT", "/settings/mcp/older", `{"headers":{"A":"********","B":"CANARY new"}}`},
		{"PUT", "/settings/mcp/strange", `{"timeoutMs":5}`},
		{"POST", "/settings/mcp/enable", `{"name":"local","enabled":false}`},
		{"PUT", "/settings/mcp/new", `{"command":"c","env":{"A":"CANARY new"},"args":["--key","CANARY-new"]}`},
		{"PUT", "/settings/mcp/shared", `{"enabled":false}`},
		{"POST", "/settings/mcp/enable", `{"name":"shared","enabled":false}`},
		{"PUT", "/settings/providers/p1/key", `{"apiKey":"CANARY new key of many letters"}`},
		{"PUT", "/settings/providers/p1/key", `{"apiKey":null}`},
		{"PUT", "/settings/providers/p1", `{"baseUrl":"https://u:CANARY-new@h.example/?key=CANARY-new","headers":{"X-Anything":"CANARY new","Y":"CANARY"}}`},
		{"PUT", "/settings/providers/p1", `{"headers":null,"baseUrl":null}`},
		{"PUT", "/settings/providers/p1", `{"apiKeyManagementUrl":"https://u:CANARY-new@h.example/?token=CANARY-new"}`},
		{"DELETE", "/settings/providers/p1", ""},
		{"DELETE", "/settings/models/p1/m1", ""},
		{"POST", "/settings/providers", `{"providerId":"p9","apiKey":"CANARY key","baseUrl":"https://u:CANARY-new@h.example","headers":{"X":"CANARY"}}`},
		{"POST", "/settings/models", `{"providerId":"p1","modelId":"m2"}`},
	}
	for _, test := range tests {
		t.Run(test.method+test.path+test.body, func(t *testing.T) { test.run(t) })
	}
	for _, test := range secretWrites {
		t.Run(test.method+test.path+test.body, func(t *testing.T) {
			if status := test.run(t); status != http.StatusOK {
				t.Errorf("status %d", status)
			}
		})
	}
}

type secretWrite struct{ method, path, body string }

// run makes sure that nobody sees a secret, and returns the status of the write.
func (w secretWrite) run(t *testing.T) (status int) {
	f := withSecrets(t)
	for _, query := range []string{"?dryRun=true", "", "?dryRun=true"} {
		got := f.call(w.method, w.path+query, w.body)
		f.wantNoSecret(t, query, got)
		if query == "" {
			status = got.status
		}
	}
	for file, backups := range f.call(http.MethodGet, "/settings/backups", "").members(t)["backups"].(map[string]any) {
		for _, b := range backups.([]any) {
			body := fmt.Sprintf(`{"file":%q,"path":%q}`, file, b.(map[string]any)["path"])
			got := f.call(http.MethodPost, "/settings/backups/restore?dryRun=true", body)
			if got.status != http.StatusOK {
				t.Errorf("restore of %s: %d %s", file, got.status, got.body)
			}
			f.wantNoSecret(t, "restore", got)
		}
	}
	return status
}

// TestRestoreShowsNoSecret: a difference of whole files touches every place.
func TestRestoreShowsNoSecret(t *testing.T) {
	f := withSecrets(t)
	f.call(http.MethodPost, "/settings/mcp/enable", `{"name":"local","enabled":false}`)
	backups := f.call(http.MethodGet, "/settings/backups", "").members(t)["backups"].(map[string]any)["cliConfig"].([]any)
	body := fmt.Sprintf(`{"file":"cliConfig","path":%q}`, backups[0].(map[string]any)["path"])
	for _, now := range []string{`{"mcp":{},"hooks":{},"plugins":{}}`, `{}`, strings.ReplaceAll(secretServers, canary, "CANARY2")} {
		f.write(cliFile, now)
		got := f.call(http.MethodPost, "/settings/backups/restore?dryRun=true", body)
		if got.status != http.StatusOK || got.members(t)["changes"] == nil {
			t.Errorf("got %d %s", got.status, got.body)
		}
		f.wantNoSecret(t, "restore over "+now, got)
	}
}

func TestRefusalsShowNoSecret(t *testing.T) {
	bodies := []string{
		`"CANARY"`, `["CANARY"]`, `CANARY`, `{"command":"CANARY`, `{"command":"CANARY" "CANARY"}`, `{"command":"CANARY"}CANARY`,
		`{"command":"CANARY","command":"CANARY"}`, "{\"command\":\"CANARY\xff\"}", `{"command":"CANARY \ud800"}`,
		`{"type":"CANARY"}`, `{"type":["CANARY"]}`, `{"command":["CANARY"]}`, `{"args":"CANARY"}`, `{"args":[{"a":"CANARY"}]}`,
		`{"env":"CANARY"}`, `{"env":{"A":["CANARY"]}}`, `{"env":{"A":1},"command":"CANARY"}`, `{"headers":"CANARY"}`, `{"headers":{"A":{"B":"CANARY"}}}`,
		`{"oauth":"CANARY"}`, `{"oauth":{"type":"CANARY"}}`, `{"url":"h","oauth":{"type":"client_credentials","clientSecret":"CANARY"}}`,
		`{"url":"h","oauth":{"type":"authorization_code","token":"CANARY"}}`, `{"enabled":"CANARY"}`, `{"timeoutMs":"CANARY"}`, `{"protocolVersion":"CANARY"}`,
		`{"unknown":"CANARY"}`, `{"enable":"CANARY"}`, `{"environment":{"A":"CANARY"}}`, `{"name":"CANARY","command":"c"}`, `{"command":"c","url":"https://u:CANARY@h"}`,
		`{"env":{"A":"CANARY ********"},"command":"c"}`, `{"args":["--token","CANARY********"],"command":"c"}`, `{"url":"https://CANARY:********@h\u0000"}`,
		`{"providerId":["CANARY"]}`, `{"providerId":"p1","modelId":"m1","contextWindow":"CANARY"}`, `{"providerId":"p1","modelId":"m1","reasoningLevels":"CANARY"}`,
		`{"providerId":"p9","apiKey":["CANARY"]}`, `{"providerId":"p9","apiKey":"CANARY\u0001"}`, `{"providerId":"p9","apiKey":"CANARY********"}`,
		`{"providerId":"p9","apiType":"CANARY"}`, `{"providerId":"p9","headers":{"X":"CANARY\n"}}`, `{"providerId":"p1","apiKey":"CANARY"}`,
		`{"apiKey":"CANARY\u0001"}`, `{"apiKey":{"CANARY":1}}`, `{"apiKey":"CANARY ********"}`, `{"baseUrl":"CANARY\u0001"}`, `{"providerName":{"x":"CANARY"}}`,
		`{"apiKeyManagementUrl":"CANARY"}`, `{"visibility":"CANARY"}`, `{"order":"CANARY"}`, `{"order":[["CANARY"]]}`,
		`{"file":"CANARY"}`, `{"file":"cliConfig","path":"CANARY"}`, `{"file":"cliConfig","stamp":"CANARY"}`, `{"providerId":null,"modelId":{"x":"CANARY"}}`,
	}
	f := withSecrets(t)
	for path, item := range closedDocument().Paths.Map() {
		for method, op := range item.Operations() {
			if op.RequestBody == nil {
				continue
			}
			path = filled(path)
			for _, body := range append(bodies, secretBodies...) {
				got := f.call(method, path+"?dryRun=true", body)
				f.wantNoSecret(t, method+" "+path+" "+body, got)
				f.wantNoSecret(t, method+" "+path+" "+body, f.call(method, path, body, with("Content-Type", "text/plain")))
			}
			f.wantNoSecret(t, path+" query", f.call(method, path+"?dryRun=CANARY", "{}"))
			f.wantNoSecret(t, path+" If-Match", f.call(method, path, `{}`, with("If-Match", "CANARY")))
			f.wantNoSecret(t, path+" token", f.call(method, path+"?token=CANARY", "{}", with("Authorization", "")))
			f.wantNoSecret(t, path+" bearer", f.call(method, path, "{}", with("Authorization", "Bearer CANARY")))
			f.wantNoSecret(t, path+" agent", f.call(method, path+"?dryRun=true", "{}", with("User-Agent", "CANARY")))
			f.wantNoSecret(t, path+" host", f.call(method, path, "{}", host("canary.CANARY")))
		}
	}
}

// TestBrokenFilesShowNoSecret: wherever the file ends, its content is not shown.
func TestBrokenFilesShowNoSecret(t *testing.T) {
	f := newFixture(t)
	for at := 0; at < len(secretServers); at += 61 {
		f.write(cliFile, secretServers[:at])
		f.wantNoSecret(t, "mcp", f.call(http.MethodGet, "/settings/mcp", ""))
		f.wantNoSecret(t, "all", f.call(http.MethodGet, "/settings/all", ""))
		f.wantNoSecret(t, "write", f.call(http.MethodDelete, "/settings/mcp/local", ""))
		f.wantNoSecret(t, "repair", f.call(http.MethodPut, "/settings/mcp/x?repair=true&dryRun=true", `{"command":"c"}`))
	}
	f.write(providerFile, strings.Replace(secretProviders(t), `"type": "api-key"`, `"type": "CANARY", "more": {"CANARY": 1}`, 1))
	f.wantNoSecret(t, "models", f.call(http.MethodGet, "/settings/models", ""))
	f.wantNoSecret(t, "all", f.call(http.MethodGet, "/settings/all", ""))
	f.wantNoSecret(t, "write", f.call(http.MethodPut, "/settings/providers/p1", `{"enabled":false}`))
}

// TestMasksThatComeBack: a listed server or provider that is sent back keeps
// everything, to the byte.
func TestMasksThatComeBack(t *testing.T) {
	f := withSecrets(t)
	before := f.read(cliFile)
	list := f.call(http.MethodGet, "/settings/mcp", "").members(t)["mcp"].(map[string]any)["servers"].([]any)
	for _, item := range list {
		server := item.(map[string]any)
		name := server["name"].(string)
		if name != "local" && name != "remote" {
			continue
		}
		body, err := json.Marshal(server)
		if err != nil {
			t.Fatal(err)
		}
		got := f.call(http.MethodPut, "/settings/mcp/"+url.PathEscape(name), string(body))
		sameJSON(t, got.body, laterSame, "etag")
		if text := f.read(cliFile); text != before {
			t.Errorf("%s: the file changed:\n%s", name, text)
		}
	}

	before = f.read(providerFile)
	provider := f.call(http.MethodGet, "/settings/models", "").members(t)["models"].(map[string]any)["providers"].([]any)[0].(map[string]any)
	body, err := json.Marshal(map[string]any{"enabled": provider["enabled"], "providerName": provider["providerName"], "baseUrl": provider["baseUrl"], "headers": provider["headers"]})
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, f.call(http.MethodPut, "/settings/providers/p1", string(body)).body, `{"ok":true,"effect":"immediate","changed":false}`, "etag")
	sameJSON(t, f.call(http.MethodPut, "/settings/providers/p1/key", `{"apiKey":"********"}`).body, `{"ok":true,"effect":"immediate","changed":false}`, "etag")
	if text := f.read(providerFile); text != before {
		t.Errorf("the file changed:\n%s", text)
	}
}

// TestMaskThatStandsForNothing is refused: it would become the secret.
func TestMaskThatStandsForNothing(t *testing.T) {
	f := withSecrets(t)
	for _, test := range []struct{ method, path, body, pointer string }{
		{"PUT", "/settings/mcp/new", `{"command":"c","env":{"A":"********"}}`, "/env/A"},
		{"PUT", "/settings/mcp/local", `{"env":{"OTHER":"********"}}`, "/env/OTHER"},
		{"POST", "/settings/providers", `{"providerId":"p9","apiKey":"********"}`, "/apiKey"},
		{"PUT", "/settings/providers/p1", `{"headers":{"Other":"********"}}`, "/headers/Other"},
	} {
		got := f.call(test.method, test.path, test.body)
		got.wantError(t, http.StatusBadRequest, "invalid")
		if got.text(t, "pointer") != test.pointer {
			t.Errorf("pointer %q, want %q", got.text(t, "pointer"), test.pointer)
		}
	}
	if f.read(cliFile) != secretServers || bytes.Contains([]byte(f.read(providerFile)), []byte("****")) {
		t.Error("a file changed")
	}
}
