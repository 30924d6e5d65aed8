package api

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

const keeperFile = "agents/keeper.md"

// secretAgent configures an MCP server of its own, as people do although only
// ZCode's app takes it.
const secretAgent = `---
name: keeper
description: Keeps secrets.
mcpServers:
  - inner:
      command: run
      args: ["--token", "CANARY-agent", "--key=CANARY-agent"]
      url: "https://u:CANARY-agent@h.example/?token=CANARY-agent"
      env:
        PLAIN: CANARY agent
      headers: { X-Anything: CANARY agent }
apiToken: CANARY-agent
---

You keep secrets.
`

// withSecretPlugin installs a plugin whose servers and hooks hold secrets.
func (f *fixture) withSecretPlugin() {
	const dir = "cli/plugins/cache/m/p/1"
	f.write(installed, `{"plugins": [{"id": "p@m", "name": "p", "marketplace": "m", "installPath": "`+filepath.ToSlash(filepath.Join(f.dir, dir))+`"}]}`)
	f.write(dir+"/.zcode-plugin/plugin.json", `{"name": "p", "version": "1", "mcpServers": {"declared": {"command": "x", "env": {"A": "CANARY plugin"}}}}`)
	f.write(dir+"/.mcp.json", `{"mcpServers": {"inside": {"command": "x", "args": ["--token", "CANARY-plugin"], "headers": {"A": "CANARY plugin"}}}}`)
	f.write(dir+"/hooks/hooks.json", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x --token CANARY-plugin", "env": {"A": "CANARY plugin"}}]}]}}`)
	f.write(dir+"/agents/other.md", strings.Replace(secretAgent, "keeper", "other", 1))
}

// withSecretProject fills the folder that reads with cwd look at.
func (f *fixture) withSecretProject() {
	f.write(projectDir+"/.git/HEAD", "ref: refs/heads/main\n")
	f.write(projectDir+"/zcode.json", secretServers)
	f.write(projectDir+"/.zcode/config.json", secretServers)
	f.write(projectDir+"/.zcode/agents/keeper.md", secretAgent)
}

// filled puts names of the home with secrets into a path of openapi.yaml.
func filled(path string) string {
	name := "remote"
	if strings.HasPrefix(path, "/settings/agents/") {
		name = "keeper"
	}
	return strings.NewReplacer("{name}", name, "{id}", "p1", "{section}", "network", "{event}", "Stop",
		"{matcherIndex}", "0", "{hookIndex}", "2").Replace(path)
}

// secretWrites must be done, and show nothing.
var secretWrites = []secretWrite{
	{"PUT", "/settings/hooks/Stop/0", `{"hookIndex":2,"args":["--token","CANARY-new"]}`},
	{"PUT", "/settings/hooks/Stop/0", `{"hookIndex":1,"command":"y --password=CANARY-new"}`},
	{"PUT", "/settings/hooks/Stop/0", `{"hookIndex":2,"args":null,"matcher":"Edit"}`},
	{"POST", "/settings/hooks/Stop", `{"type":"process","command":"run","args":["--token","CANARY-new"]}`},
	{"POST", "/settings/hooks/PreToolUse", `{"type":"command","command":"API_KEY=CANARY-new run"}`},
	{"POST", "/settings/hooks/Stop/0/2/move", `{"to":0}`},
	{"DELETE", "/settings/hooks/Stop/0/0", ""},
	{"DELETE", "/settings/hooks/Stop/0/2", ""},
	{"POST", "/settings/hooks/enabled", `{"enabled":false}`},
	{"PUT", "/settings/hooks", `{"hooks":{}}`},
	{"PUT", "/settings/hooks", `{"hooks":{"events":{"Stop":[{"hooks":[{"type":"command","command":"z --token CANARY-new","env":{"T":"CANARY new"}}]}]}}}`},
	{"PUT", "/settings/config/network", `{"httpProxy":"http://u:CANARY-new@proxy.example"}`},
	{"PUT", "/settings/config/network", `{"httpProxy":null}`},
	{"PUT", "/settings/config/network", `{"timeout":5}`},
	{"POST", "/settings/plugins/enable", `{"id":"p@m","enabled":true}`},
	{"PUT", "/settings/agents/keeper", `{"color":"pink"}`},
	{"PUT", "/settings/agents/keeper", `{"mcpServers":["remote"]}`},
	{"PUT", "/settings/agents/keeper", `{"mcpServers":null}`},
	{"PUT", "/settings/agents/keeper", `{"text":"---\nname: keeper\ndescription: d\nmcpServers:\n  - inner:\n      command: x\n      env: {A: CANARY new}\napiToken: CANARY-new\n---\n\nYou.\n"}`},
	{"POST", "/settings/agents/keeper/rename", `{"newName":"holder"}`},
	{"POST", "/settings/agents/keeper/enable", `{"enabled":false}`},
	{"DELETE", "/settings/agents/keeper", ""},
	{"POST", "/settings/mcp/import", `{"servers":{"new":{"command":"x","args":["--token","CANARY-new"],"env":{"A":"CANARY new"},"apiToken":"CANARY new"}}}`},
	{"POST", "/settings/mcp/import", `{"servers":{"remote":{"url":"https://u:CANARY-new@h.example","headers":{"A":"CANARY new"}}},"overwrite":true}`},
	{"POST", "/settings/mcp/import", `{"servers":{"bad":{"command":"x","env":{"A":["CANARY"]}},"worse":{"command":["CANARY"]},"masked":{"command":"x","env":{"A":"CANARY ********"}}}}`},
	{"POST", "/settings/mcp/import", ""},
}

// secretBodies are refused somewhere or everywhere.
var secretBodies = []string{
	`{"hooks":"CANARY"}`, `{"hooks":{"events":{"Stop":"CANARY"}}}`, `{"hooks":{"timeoutMs":"CANARY"}}`,
	`{"hooks":{"events":{"Stop":[{"hooks":[{"type":"CANARY","command":"x"}]}]}}}`,
	`{"hooks":{"events":{"Stop":[{"hooks":[{"type":"command","command":"x","shell":{"a":"CANARY"}}]}]}}}`,
	`{"hooks":{"events":{"Stop":[{"matcher":"(CANARY","hooks":[{"type":"command","command":"CANARY ********"}]}]}}}`,
	`{"type":"CANARY","command":"x"}`, `{"type":"command","command":["CANARY"]}`, `{"type":"command","command":"CANARY","args":["CANARY"]}`,
	`{"type":"command","command":"CANARY ********"}`, `{"type":"command","command":"x","shell":["CANARY"]}`, `{"type":"command","command":"x","matcher":"(CANARY"}`,
	`{"type":"process","command":"x","args":[["CANARY"]]}`, `{"type":"process","command":"x","env":{"A":"CANARY"}}`,
	`{"hookIndex":"CANARY"}`, `{"hookIndex":1,"command":"CANARY ********"}`, `{"hookIndex":2,"args":["CANARY","********"]}`, `{"to":"CANARY"}`,
	`{"text":"CANARY"}`, `{"text":"{\"mcpServers\":{\"x\":{\"command\":\"CANARY"}`, `{"text":"{\"x\":{\"command\":\"CANARY\"} CANARY"}`,
	`{"text":"---\nname: keeper\napiToken: CANARY\n---\n"}`,
	`{"servers":"CANARY"}`, `{"servers":{"x":"CANARY"}}`, `{"servers":{"mcpServers":["CANARY"]}}`,
	`{"httpProxy":["CANARY"]}`, `{"httpProxy":"CANARY ********"}`, `{"timeout":"CANARY"}`, `{"apiToken":"CANARY"}`,
	`{"model":["CANARY"]}`, `{"model":{"providerId":"CANARY"}}`, `{"model":{"providerId":"p1","modelId":"m1","token":"CANARY"}}`,
	`{"color":"CANARY"}`, `{"mcpServers":[{"x":{"env":{"A":"CANARY"}}}]}`, `{"prompt":["CANARY"]}`, `{"newName":["CANARY"]}`, `{"id":["CANARY"]}`, `{"path":["CANARY"]}`,
}

// TestHooksThatComeBack: a listed section that is sent back keeps everything, to
// the byte, as does a general section.
func TestHooksThatComeBack(t *testing.T) {
	f := withSecrets(t)
	hooks := f.call(http.MethodGet, "/settings/hooks", "").members(t)["hooks"]
	network := f.call(http.MethodGet, "/settings/config/network", "").members(t)["set"]
	for path, body := range map[string]any{
		"/settings/hooks":          map[string]any{"hooks": hooks},
		"/settings/config/network": network,
	} {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "********") {
			t.Errorf("%s: nothing is masked: %s", path, text)
		}
		sameJSON(t, f.call(http.MethodPut, path, string(text)).body, laterSame, "etag")
		if f.read(cliFile) != secretServers {
			t.Errorf("%s: the file changed:\n%s", path, f.read(cliFile))
		}
	}
}

// TestMaskOfNothing is refused: it would become the secret.
func TestMaskOfNothing(t *testing.T) {
	f := inhabited(t)
	before := f.tree()
	for _, test := range []struct{ method, path, body, pointer string }{
		{"POST", "/settings/hooks/Stop", `{"type":"process","command":"run","args":["--token","********"]}`, "/args/1"},
		{"PUT", "/settings/hooks/Stop/0", `{"hookIndex":0,"command":"x --token ********"}`, "/command"},
		{"PUT", "/settings/config/network", `{"httpProxy":"http://********@proxy.example"}`, "/httpProxy"},
	} {
		got := f.call(test.method, test.path, test.body)
		got.wantError(t, http.StatusBadRequest, "invalid")
		if got.text(t, "pointer") != test.pointer {
			t.Errorf("%s: pointer %q, want %q", test.path, got.text(t, "pointer"), test.pointer)
		}
	}
	got := f.call(http.MethodPost, "/settings/mcp/import", `{"servers":{"x":{"command":"c","env":{"A":"********"}}}}`)
	if steps, _ := got.members(t)["servers"].([]any); len(steps) != 1 || steps[0].(map[string]any)["action"] != "skip" {
		t.Errorf("import: %d %s", got.status, got.body)
	}
	f.wantChanged(t, before, nil)
}

// TestBrokenAgentsShowNoSecret: wherever the file ends, nothing of its front
// matter is shown.
func TestBrokenAgentsShowNoSecret(t *testing.T) {
	f := withSecrets(t)
	for at := 0; at < len(secretAgent); at += 17 {
		f.write(keeperFile, secretAgent[:at])
		f.wantNoSecret(t, "agents", f.call(http.MethodGet, "/settings/agents", ""))
		f.wantNoSecret(t, "show", f.call(http.MethodGet, "/settings/agents/keeper", ""))
		f.wantNoSecret(t, "doctor", f.call(http.MethodGet, "/settings/doctor", ""))
		f.wantNoSecret(t, "write", f.call(http.MethodPut, "/settings/agents/keeper?dryRun=true", `{"color":"pink"}`))
	}
}
