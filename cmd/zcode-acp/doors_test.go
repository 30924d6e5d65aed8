package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
		{
			"mcp import", "POST", "/settings/mcp/import", `{"text":"{\"mcpServers\":{\"b\":{\"command\":\"x\"}}}","overwrite":false}`,
			"mcp/import", `{"text":"{\"mcpServers\":{\"b\":{\"command\":\"x\"}}}","overwrite":false}`, []string{"settings", "mcp", "import", "SERVERS"},
		},
		{
			"skills enable", "POST", "/settings/skills/enable", `{"path":"HOME/.zcode/skills/changelog/SKILL.md","enable":false}`,
			"skills/enable", `{"path":"HOME/.zcode/skills/changelog/SKILL.md","enable":false}`, []string{"settings", "skills", "disable", "changelog"},
		},
		{
			"hooks enabled", "POST", "/settings/hooks/enabled", `{"enabled":false}`,
			"hooks/enabled", `{"enabled":false}`, []string{"settings", "hooks", "off"},
		},
		{
			"hooks add", "POST", "/settings/hooks/Stop", `{"type":"command","command":"x","timeout":3}`,
			"hooks/add", `{"event":"Stop","type":"command","command":"x","timeout":3}`,
			[]string{"settings", "hooks", "add", "Stop", "--command", "x", "--timeout", "3"},
		},
		{
			"hooks update", "PUT", "/settings/hooks/PreToolUse/0", `{"hookIndex":0,"timeout":9}`,
			"hooks/update", `{"event":"PreToolUse","matcherIndex":0,"hookIndex":0,"timeout":9}`,
			[]string{"settings", "hooks", "set", "PreToolUse", "0", "0", "--timeout", "9"},
		},
		{
			"hooks remove", "DELETE", "/settings/hooks/PreToolUse/0/0", "",
			"hooks/remove", `{"event":"PreToolUse","matcherIndex":0,"hookIndex":0}`, []string{"settings", "hooks", "remove", "PreToolUse", "0", "0"},
		},
		{
			"plugins enable", "POST", "/settings/plugins/enable", `{"id":"pdf@zcode-plugins-official","enabled":true}`,
			"plugins/enable", `{"id":"pdf@zcode-plugins-official","enabled":true}`, []string{"settings", "plugins", "enable", "pdf@zcode-plugins-official"},
		},
		{
			"agents upsert", "PUT", "/settings/agents/reviewer", `{"color":"pink"}`,
			"agents/upsert", `{"name":"reviewer","color":"pink"}`, []string{"settings", "agents", "set", "reviewer", "--color", "pink"},
		},
		{
			"agents rename", "POST", "/settings/agents/reviewer/rename", `{"newName":"critic"}`,
			"agents/rename", `{"name":"reviewer","newName":"critic"}`, []string{"settings", "agents", "rename", "reviewer", "critic"},
		},
		{
			"agents delete", "DELETE", "/settings/agents/reviewer", "",
			"agents/delete", `{"name":"reviewer"}`, []string{"settings", "agents", "remove", "reviewer"},
		},
		{
			"config set", "PUT", "/settings/config/ui", `{"theme":"light"}`,
			"config/set", `{"section":"ui","theme":"light"}`, []string{"settings", "config", "set", "ui.theme", "light"},
		},
	} {
		t.Run("B071 "+w.name+" leaves the same bytes at each door", func(t *testing.T) {
			before := newDoorsHome(t, t.TempDir()).files(t)
			var results, answers []string
			for _, door := range []func(doorsHome) string{
				func(h doorsHome) string { return h.rest(t, w.method, w.path, h.at(w.body)) },
				func(h doorsHome) string { return h.acp(t, "_zcode/settings/"+w.acp, h.at(w.params)) },
				func(h doorsHome) string { return h.commandLine(t, h.args(t, w.args)...) },
			} {
				h := newDoorsHome(t, t.TempDir())
				answers = append(answers, h.portable(withoutBackup(t, door(h))))
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

// at names the files of this home in a text that has HOME for them.
func (h doorsHome) at(text string) string {
	return strings.ReplaceAll(text, "HOME", filepath.ToSlash(h.dir))
}

// portable is an answer without what differs from home to home: paths, and etags
// of sections that hold paths.
func (h doorsHome) portable(answer string) string {
	answer = strings.ReplaceAll(answer, filepath.ToSlash(h.dir), "HOME")
	return regexp.MustCompile(`"etag":"cliConfig.skills.[^"]*"`).ReplaceAllString(answer, `"etag":"ETAG"`)
}

// args puts a file of another tool where the arguments name one.
func (h doorsHome) args(t *testing.T, args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "SERVERS" {
			args[i] = filepath.Join(h.dir, "servers.json")
			if err := os.WriteFile(args[i], []byte(`{"mcpServers":{"b":{"command":"x"}}}`), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return args
}

// files returns every file of the home as it stands on disk, backups by the file
// that they are of.
func (h doorsHome) files(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	root := filepath.Join(h.dir, ".zcode")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _, kept := strings.Cut(strings.TrimPrefix(path, root), ".bak-")
		if kept {
			name += " as a backup"
		}
		fmt.Fprintf(&all, "%s\n%s\n", name, strings.ReplaceAll(string(text), filepath.ToSlash(h.dir), "HOME"))
		return err
	})
	if err != nil {
		t.Fatal(err)
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
	if members["history"] == nil {
		t.Errorf("nothing was recorded: %s", answer)
	}
	delete(members, "history")
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
