package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zcode-acp/acp"
	"zcode-acp/api"
	"zcode-acp/settings"
	"zcode-acp/settings/home"
)

// doorsHome is a sample home of its own with the one engine on it.
type doorsHome struct {
	dir     string
	catalog *settings.Catalog
}

func newDoorsHome(t *testing.T, dir string) doorsHome {
	t.Helper()
	if err := copySample(filepath.Join(dir, ".zcode")); err != nil {
		t.Fatal(err)
	}
	layout, err := home.Resolve(home.Options{Dir: filepath.Join(dir, ".zcode"), Env: func(name string) string {
		return map[string]string{"ZCODE_ACP_STATE_DIR": filepath.Join(dir, "state"), "HOME": dir}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	return doorsHome{dir, settings.NewCatalog(settings.NewEngine(layout, nil).Operations())}
}

func (h doorsHome) rest(t *testing.T, method, path, body string) string {
	t.Helper()
	server, err := api.New(h.catalog, api.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	return w.Body.String()
}

func (h doorsHome) acp(t *testing.T, method, params string) string {
	t.Helper()
	var out bytes.Buffer
	agent := acp.Agent{Catalog: h.catalog, Version: "test"}
	line := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + "}\n"
	if err := agent.Serve(context.Background(), strings.NewReader(line), &out); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil || answer.Error != nil {
		t.Fatalf("%s: %v %s", method, err, out.Bytes())
	}
	return string(answer.Result)
}

func (h doorsHome) commandLine(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	a := newApp(strings.NewReader(""), &out, &errs, func(string) string { return "" })
	a.catalog = h.catalog
	root := newRootCmd(a)
	root.SetArgs(append(args, "--json"))
	if code := a.exit(root.ExecuteContext(context.Background())); code != exitDone {
		t.Fatalf("%v: exit %d %s", args, code, errs.String())
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// TestDoors runs the same operation through the three doors.
func TestDoors(t *testing.T) {
	t.Run("B071 everything reads the same at each door", func(t *testing.T) {
		h := newDoorsHome(t, t.TempDir())
		rest := h.rest(t, "GET", "/settings/all", "")
		if got := h.acp(t, "_zcode/settings", "{}"); got != rest {
			t.Errorf("ACP answers\n%s\nREST answers\n%s", got, rest)
		}
		if got := h.commandLine(t, "settings", "all"); got != rest {
			t.Errorf("the command line answers\n%s\nREST answers\n%s", got, rest)
		}
		if !strings.Contains(rest, `"name":"tickets"`) {
			t.Errorf("the answer misses a server of the sample home: %s", rest)
		}
	})
	for _, w := range []struct {
		name, method, path, body string
		acp, params              string
		args                     []string
	}{
		{
			"mcp enable", "POST", "/settings/mcp/enable", `{"name":"search","enabled":true}`,
			"mcp/enable", `{"name":"search","enabled":true}`, []string{"settings", "mcp", "enable", "search"},
		},
		{
			"mcp upsert", "PUT", "/settings/mcp/new", `{"command":"run","args":["a"]}`,
			"mcp/upsert", `{"name":"new","command":"run","args":["a"]}`, []string{"settings", "mcp", "set", "new", "--command", "run", "--arg", "a"},
		},
		{
			"mcp remove", "DELETE", "/settings/mcp/files", "",
			"mcp/remove", `{"name":"files"}`, []string{"settings", "mcp", "remove", "files"},
		},
		{
			"models upsert", "POST", "/settings/models", `{"providerId":"router","modelId":"large","contextWindow":200000}`,
			"models/upsert", `{"providerId":"router","modelId":"large","contextWindow":200000}`,
			[]string{"settings", "models", "set", "router", "large", "--context-window", "200000"},
		},
		{
			"models remove", "DELETE", "/settings/models/router/small", "",
			"models/remove", `{"providerId":"router","modelId":"small"}`, []string{"settings", "models", "remove", "router", "small"},
		},
		{
			"models default", "PUT", "/settings/models/default", `{"providerId":"router","modelId":"small"}`,
			"models/default", `{"providerId":"router","modelId":"small"}`, []string{"settings", "models", "default", "router", "small"},
		},
		{
			"providers update", "PUT", "/settings/providers/local", `{"enabled":true}`,
			"providers/update", `{"id":"local","enabled":true}`, []string{"settings", "providers", "enable", "local"},
		},
		{
			"providers order", "PUT", "/settings/providers/order", `{"order":["local","router"]}`,
			"providers/order", `{"order":["local","router"]}`, []string{"settings", "providers", "order", "local", "router"},
		},
		{
			"providers remove", "DELETE", "/settings/providers/local", "",
			"providers/remove", `{"id":"local"}`, []string{"settings", "providers", "remove", "local"},
		},
		{
			"providers set-key", "PUT", "/settings/providers/router/key", `{"apiKey":null}`,
			"providers/set-key", `{"id":"router","apiKey":null}`, []string{"settings", "providers", "set-key", "router", "--clear"},
		},
		{
			"providers create", "POST", "/settings/providers", `{"providerId":"p9","modelIds":["m"]}`,
			"providers/create", `{"providerId":"p9","modelIds":["m"]}`, []string{"settings", "providers", "create", "p9", "--model", "m"},
		},
	} {
		t.Run("B071 "+w.name+" leaves the same bytes at each door", func(t *testing.T) {
			before := newDoorsHome(t, t.TempDir()).files(t)
			var results, answers []string
			for _, door := range []func(doorsHome) string{
				func(h doorsHome) string { return h.rest(t, w.method, w.path, w.body) },
				func(h doorsHome) string { return h.acp(t, "_zcode/settings/"+w.acp, w.params) },
				func(h doorsHome) string { return h.commandLine(t, w.args...) },
			} {
				h := newDoorsHome(t, t.TempDir())
				answers = append(answers, withoutBackup(t, door(h)))
				results = append(results, h.files(t))
			}
			for i := 1; i < len(results); i++ {
				if results[i] != results[0] {
					t.Errorf("door %d leaves\n%s\ndoor 0 leaves\n%s", i, results[i], results[0])
				}
				if answers[i] != answers[0] {
					t.Errorf("door %d answers\n%s\ndoor 0 answers\n%s", i, answers[i], answers[0])
				}
			}
			if results[0] == before {
				t.Errorf("the operation changed nothing")
			}
		})
	}
}

// files returns the two documents as they stand on disk.
func (h doorsHome) files(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, name := range []string{"cli/config.json", "v2/provider_config.json"} {
		text, err := os.ReadFile(filepath.Join(h.dir, ".zcode", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// withoutBackup drops the one member that holds the time.
func withoutBackup(t *testing.T, answer string) string {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal([]byte(answer), &members); err != nil {
		t.Fatal(err)
	}
	if members["backup"] == nil {
		t.Errorf("no backup was kept: %s", answer)
	}
	delete(members, "backup")
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
