package api

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"zcode-acp/settings"
	"zcode-acp/settings/home"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const testToken = "the-token-of-the-tests"

// fixture is a server for a home of its own, and a client that checks every
// answer against openapi.yaml.
type fixture struct {
	t      testing.TB
	dir    string // stands for ~/.zcode
	layout home.Layout
	server *Server
	url    string
	client *http.Client
	log    *logText
	entry  string       // a change in the history, where a test has made one
	asked  atomic.Int64 // how often the server asked for the token
}

// Files of the home, as tests name them.
const (
	cliFile      = "cli/config.json"
	providerFile = "v2/provider_config.json"
	agentsFile   = "../.agents/mcp.json"
	stateFile    = "v2/agents-state.json"
)

func newFixture(t testing.TB, change ...func(*Options)) *fixture {
	t.Helper()
	f := &fixture{t: t, log: new(logText)}
	root := t.TempDir()
	f.dir = filepath.Join(root, ".zcode")
	var err error
	f.layout, err = home.Resolve(home.Options{Dir: f.dir, Env: func(name string) string {
		return map[string]string{"HOME": root, "ZCODE_ACP_STATE_DIR": filepath.Join(root, "state")}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	o := Options{Log: log, Token: func() (string, error) { f.asked.Add(1); return testToken, nil }}
	for _, c := range change {
		c(&o)
	}
	catalog := settings.NewCatalog(settings.NewEngine(f.layout, log).Operations())
	if f.server, err = New(catalog, o); err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(f.server)
	t.Cleanup(listening.Close)
	f.url = listening.URL
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	f.client = &http.Client{Transport: newChecker(t, transport)}
	return f
}

func noToken(o *Options) { o.Token = nil }

// write puts a file of the home there.
func (f *fixture) write(name, text string) {
	f.t.Helper()
	path := filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
	// A broken file that is old cannot be one that is being written, so reads need not wait.
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		f.t.Fatal(err)
	}
}

// read returns a file of the home, "" when it is missing.
func (f *fixture) read(name string) string {
	f.t.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil && !os.IsNotExist(err) {
		f.t.Fatal(err)
	}
	return string(text)
}

// example returns a file of testdata.
func example(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// answer is what a request got.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// call sends a request with the token; a body is JSON.
func (f *fixture) call(method, path, body string, change ...func(*http.Request)) answer {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.url+path, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	if f.server.guard.token != nil {
		r.Header.Set("Authorization", "Bearer "+testToken)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, c := range change {
		c(r)
	}
	response, err := f.client.Do(r)
	if err != nil {
		f.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		f.t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer{response.StatusCode, response.Header, text}
}

// with sets a header; "" takes it away.
func with(name, value string) func(*http.Request) {
	return func(r *http.Request) {
		if value == "" {
			r.Header.Del(name)
			return
		}
		r.Header.Set(name, value)
	}
}

// members decodes a body that must be an object.
func (a answer) members(t testing.TB) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(a.body, &m); err != nil {
		t.Fatalf("body %q: %v", a.body, err)
	}
	return m
}

// text returns a string member, "" when there is none.
func (a answer) text(t testing.TB, name string) string {
	t.Helper()
	s, _ := a.members(t)[name].(string)
	return s
}

// wantError fails unless the answer is that error.
func (a answer) wantError(t testing.TB, status int, code settings.Code) {
	t.Helper()
	if a.status != status || a.text(t, "code") != string(code) {
		t.Errorf("got %d %s, want %d %s", a.status, a.body, status, code)
	}
}

// sameJSON compares a body with a text, but for the members left out.
func sameJSON(t testing.TB, body []byte, want string, without ...string) {
	t.Helper()
	var g, w map[string]any
	if err := json.Unmarshal(body, &g); err != nil {
		t.Fatalf("body %q: %v", body, err)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("wanted text: %v", err)
	}
	// The entry in the history has another id each time.
	if _, wanted := w["history"]; !wanted {
		delete(g, "history")
	}
	for _, name := range without {
		if _, there := g[name]; !there {
			t.Errorf("the body has no %q: %s", name, body)
		}
		delete(g, name)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("body differs (-want +got):\n%s", diff)
	}
}

// encoded returns a value as JSON.
func encoded(t testing.TB, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// replaced returns a text with one part replaced, which must be there once.
func replaced(t testing.TB, text, old, replacement string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q stands %d times in the file", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, replacement, 1)
}

// logText gathers a log.
type logText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logText) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
