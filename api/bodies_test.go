package api

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBodies(t *testing.T) {
	const upsert, model, update = "PUT /settings/mcp/x", "POST /settings/models", "PUT /settings/providers/p1"
	tests := []struct {
		name, route, body string
		status            int
		code, pointer     string
		says              string // part of the sentence
	}{
		{"empty is an empty object", "PUT /settings/providers/p1", "", 400, "invalid", "", "there is nothing to update"},
		{"blank is an empty object", "PUT /settings/providers/p1", " \n", 400, "invalid", "", "there is nothing to update"},
		{"not JSON", upsert, "{", 400, "invalid", "", "the body is not valid JSON: line 1, column 2"},
		{"single quotes", upsert, "{'command':'c'}", 400, "invalid", "", "not valid JSON"},
		{"comment", upsert, "{/**/}", 400, "invalid", "", "not valid JSON"},
		{"trailing comma", upsert, `{"command":"c",}`, 400, "invalid", "", "not valid JSON"},
		{"trailing text", upsert, `{"command":"c"} x`, 400, "invalid", "", "not valid JSON"},
		{"two values", upsert, `{"command":"c"}{}`, 400, "invalid", "", "not valid JSON"},
		{"duplicate names", upsert, `{"command":"c","command":"d"}`, 400, "invalid", "", "twice"},
		{"duplicate inner names", upsert, `{"command":"c","env":{"A":"1","A":"2"}}`, 400, "invalid", "", "twice"},
		{"duplicate names in other spellings", upsert, `{"command":"c","comm\u0061nd":"d"}`, 400, "invalid", "", "twice"},
		{"not UTF-8", upsert, "{\"command\":\"\xff\"}", 400, "invalid", "", "not valid JSON"},
		{"array", upsert, `[{"command":"c"}]`, 400, "invalid", "", "must be a JSON object"},
		{"string", upsert, `"command"`, 400, "invalid", "", "must be a JSON object"},
		{"null", upsert, `null`, 400, "invalid", "", "must be a JSON object"},
		{"deep", upsert, `{"env":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, 400, "invalid", "", ""},

		{"unknown member", model, `{"providerId":"p1","modelId":"m1","contextwindow":1}`, 400, "invalid", "/contextwindow", "is not known"},
		{"unknown member with a slash", model, `{"providerId":"p1","modelId":"m1","a/b~c":1}`, 400, "invalid", "/a~1b~0c", "is not known"},
		{"unknown member of a server", upsert, `{"command":"c","autoApprove":["*"]}`, 400, "invalid", "/autoApprove", "ZCode"},
		{"old spelling", upsert, `{"command":"c","enable":false}`, 400, "invalid", "/enable", `send "enabled"`},
		{"unknown member of oauth", upsert, `{"url":"https://h","oauth":{"type":"authorization_code","x":1}}`, 400, "invalid", "/oauth/x", "is not known"},
		{"missing member", model, `{"providerId":"p1"}`, 400, "invalid", "/modelId", "is required"},
		{"both ids or none", "PUT /settings/models/default", `{}`, 400, "invalid", "/providerId", "is required"},
		{"half a default", "PUT /settings/models/default", `{"providerId":"p1","modelId":null}`, 400, "invalid", "", "both"},
		{"neither spelling", "POST /settings/mcp/enable", `{"name":"x"}`, 400, "invalid", "/enabled", "is required"},
		{"no key", "PUT /settings/providers/p1/key", `{}`, 400, "invalid", "/apiKey", "is required"},

		{"number for string", upsert, `{"command":1}`, 400, "invalid", "/command", "must be of type string or null"},
		{"string for array", upsert, `{"command":"c","args":"a"}`, 400, "invalid", "/args", "must be of type array or null"},
		{"number in array", upsert, `{"command":"c","args":["a",1]}`, 400, "invalid", "/args/1", "must be of type string"},
		{"null in map", upsert, `{"command":"c","env":{"A/B":null}}`, 400, "invalid", "/env/A~1B", "must be of type string"},
		{"string for boolean", "POST /settings/mcp/enable", `{"name":"x","enabled":"true"}`, 400, "invalid", "/enabled", "must be of type boolean"},
		{"null for boolean", update, `{"enabled":null}`, 400, "invalid", "/enabled", "must be of type boolean"},
		{"choice", upsert, `{"command":"c","type":"pipe"}`, 400, "invalid", "/type", "must be one of stdio, http, sse"},
		{"fraction", model, `{"providerId":"p1","modelId":"m1","contextWindow":1.5}`, 400, "invalid", "/contextWindow", "must be of type integer"},
		{"zero", model, `{"providerId":"p1","modelId":"m1","contextWindow":0}`, 400, "invalid", "/contextWindow", "must be at least 1"},
		{"huge", model, `{"providerId":"p1","modelId":"m1","contextWindow":9007199254740992}`, 400, "invalid", "/contextWindow", "must be at most 9007199254740991"},
		{"no time", upsert, `{"command":"c","timeoutMs":0}`, 400, "invalid", "/timeoutMs", "must be more than 0"},
		{"no levels", model, `{"providerId":"p1","modelId":"m1","reasoningLevels":[]}`, 400, "invalid", "/reasoningLevels", "must not be empty"},
		{"same level twice", model, `{"providerId":"p1","modelId":"m1","reasoningLevels":["low","low"]}`, 400, "invalid", "/reasoningLevels", "twice"},
		{"blank level", model, `{"providerId":"p1","modelId":"m1","reasoningLevels":[" "]}`, 400, "invalid", "/reasoningLevels/0", "blank"},
		{"empty name", update, `{"providerName":""}`, 400, "invalid", "/providerName", "must not be empty"},

		{"another name than in the address", upsert, `{"name":"y","command":"c"}`, 400, "invalid", "/name", "differs from the one in the address"},
		{"the same name as in the address", upsert, `{"name":"x","command":"c"}`, 200, "", "", ""},
		{"another id than in the address", update, `{"id":"p2","enabled":false}`, 400, "invalid", "/id", "is not known"},
		{"a server that is not there", "POST /settings/mcp/enable", `{"name":"y","enabled":true}`, 400, "not_found", "", "is not configured"},
		{"a provider that stands nowhere", model, `{"providerId":"p7","modelId":"m"}`, 400, "not_found", "", "create the provider first"},
		{"the model of an account", model, `{"providerId":"account:zai-individual-coding-plan","modelId":"m"}`, 400, "account_managed", "", "plan"},
	}
	f := newFixture(t)
	f.write(providerFile, example(t, "provider/canonical.json"))
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			method, path, _ := strings.Cut(test.route, " ")
			for _, mount := range []string{"", "/api"} {
				got := f.call(method, mount+path, test.body, with("Content-Type", "application/json"))
				if got.status != test.status || got.text(t, "code") != test.code || got.text(t, "pointer") != test.pointer || !strings.Contains(got.text(t, "error"), test.says) {
					t.Errorf("got %d %s,\nwant %d %s %q %q", got.status, got.body, test.status, test.code, test.pointer, test.says)
				}
			}
		})
	}
	if got := f.read(providerFile); got != example(t, "provider/canonical.json") {
		t.Errorf("a refused write changed the file: %s", got)
	}
}

func TestBodySize(t *testing.T) {
	f := newFixture(t)
	sized := func(n int) string {
		const head, tail = `{"command":"`, `"}`
		return head + strings.Repeat("c", n-len(head)-len(tail)) + tail
	}
	if got := f.call(http.MethodPut, "/settings/mcp/x", sized(256<<10)); got.status != http.StatusOK {
		t.Errorf("256 KiB: %d %s", got.status, got.body)
	}
	after := f.read(cliFile)
	f.call(http.MethodPut, "/settings/mcp/y", sized(256<<10+1)).wantError(t, http.StatusRequestEntityTooLarge, "body_too_large")
	streamed := func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(sized(256<<10+1))), -1
	}
	f.call(http.MethodPut, "/settings/mcp/y", "", streamed, with("Content-Type", "application/json")).
		wantError(t, http.StatusRequestEntityTooLarge, "body_too_large")
	if f.read(cliFile) != after {
		t.Error("the file changed")
	}
}

// TestQueries: what is misspelt must not become a real write.
func TestQueries(t *testing.T) {
	tests := []struct {
		query   string
		status  int
		pointer string
		changes bool
	}{
		{"", 200, "", true},
		{"dryRun=false", 200, "", true},
		{"dryRun=0&repair=false", 200, "", true},
		{"dryRun=true", 200, "", false},
		{"dryRun=1", 200, "", false},
		{"dryRun=true&token=x", 200, "", false},
		{"dryRun", 400, "/dryRun", false},
		{"dryRun=", 400, "/dryRun", false},
		{"dryRun=yes", 400, "/dryRun", false},
		{"dryRun=True", 400, "/dryRun", false},
		{"dryRun=false&dryRun=true", 400, "/dryRun", false},
		{"dryrun=true", 400, "/dryrun", false},
		{"dry_run=true", 400, "/dry_run", false},
		{"dry%20Run=true", 400, "/dry Run", false},
		{"repair=please", 400, "/repair", false},
		{"x=1", 400, "/x", false},
		{"name=y", 400, "/name", false},
		{"dryRun=true;", 400, "", false},
		{"dryRun=true%zz", 400, "", false},
	}
	for _, test := range tests {
		t.Run(test.query, func(t *testing.T) {
			f := newFixture(t)
			got := f.call(http.MethodPut, "/settings/mcp/x?"+test.query, `{"command":"c"}`)
			if got.status != test.status || got.text(t, "pointer") != test.pointer {
				t.Errorf("got %d %s, want %d %q", got.status, got.body, test.status, test.pointer)
			}
			if changed := f.read(cliFile) != ""; changed != test.changes {
				t.Errorf("the file was written: %v, want %v", changed, test.changes)
			}
		})
	}
	f := newFixture(t)
	if got := f.call(http.MethodGet, "/settings/mcp?_=123&dryRun=x;y", ""); got.status != http.StatusOK {
		t.Errorf("a read: %d %s", got.status, got.body)
	}
}

func TestDryRun(t *testing.T) {
	f := newFixture(t)
	f.write(cliFile, example(t, "cli-config/transport.json"))
	got := f.call(http.MethodPut, "/settings/mcp/s?dryRun=true", `{"env":{"TOKEN":"new"},"timeoutMs":5}`)
	sameJSON(t, got.body, `{"ok":true,"effect":"needs-restart","changed":true,"dryRun":true,"changes":[
		{"path":"/mcp/servers/s/env/TOKEN","before":"********","after":"********"},
		{"path":"/mcp/servers/s/timeoutMs","before":60000,"after":5}]}`, "etag")
	if got.header.Get("ETag") != "" {
		t.Errorf("ETag %s is of a state that there is not", got.header.Get("ETag"))
	}
	if f.read(cliFile) != example(t, "cli-config/transport.json") {
		t.Error("the file changed")
	}
	if entries, err := os.ReadDir(filepath.Join(f.dir, "cli")); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}

func TestRepair(t *testing.T) {
	f := newFixture(t)
	f.write(cliFile, example(t, "cli-config/comments.json"))
	f.call(http.MethodPut, "/settings/mcp/x", `{"command":"c"}`).wantError(t, http.StatusInternalServerError, "broken")
	if f.read(cliFile) != example(t, "cli-config/comments.json") {
		t.Error("the file changed")
	}
	got := f.call(http.MethodPut, "/settings/mcp/x?repair=true", `{"command":"c"}`)
	if got.status != http.StatusOK || got.text(t, "backup") == "" || got.members(t)["also"] == nil {
		t.Errorf("repair: %d %s", got.status, got.body)
	}
	if kept, err := os.ReadFile(got.text(t, "backup")); err != nil || string(kept) != example(t, "cli-config/comments.json") {
		t.Errorf("the backup is %q, %v", kept, err)
	}
}

// partial sends the head and half the body of a write.
func (f *fixture) partial(t *testing.T) net.Conn {
	t.Helper()
	var dialer net.Dialer
	conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(f.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() }) // a second time is an error that means nothing
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(conn, "PUT /settings/mcp/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", testToken, len(halves[0]+halves[1]), halves[0])
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

var halves = [2]string{`{"command":`, `"c"}`}

// TestClientVanishes: half a body is no write, and nobody waits for the rest.
func TestClientVanishes(t *testing.T) {
	f := newFixture(t)
	if err := f.partial(t).Close(); err != nil {
		t.Fatal(err)
	}
	if got := f.call(http.MethodGet, "/settings/mcp", ""); !strings.Contains(string(got.body), `"servers":[]`) || f.read(cliFile) != "" {
		t.Errorf("servers: %s, file %q", got.body, f.read(cliFile))
	}
}

// TestClientHangs: the server gives up on a body that does not come.
func TestClientHangs(t *testing.T) {
	f := newFixture(t)
	f.server.readTimeout = 100 * time.Millisecond
	f.url = f.serve(t).url
	conn := f.partial(t)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("reading the answer: %v", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusBadRequest {
		t.Errorf("got %d %s %v", response.StatusCode, text, err)
	}
	sameJSON(t, text, `{"ok":false,"error":"the body ended too early: send it again","code":"invalid"}`)
	if diff := cmp.Diff("", f.read(cliFile)); diff != "" {
		t.Errorf("the file was written:\n%s", diff)
	}
}
