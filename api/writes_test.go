package api

import (
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

// writeCase is one write as existing clients send it, and what it leaves.
type writeCase struct {
	name         string
	document     string // of testdata, "" for no file
	method, path string
	body         string
	want         string      // the answer without etag and backup
	edits        [][2]string // what is replaced in the document, "" for the whole
}

func (c writeCase) run(t *testing.T, file string) {
	f := newFixture(t)
	before := ""
	if c.document != "" {
		before = example(t, c.document)
		f.write(file, before)
	}
	want := before
	for _, e := range c.edits {
		if e[0] == "" {
			want = e[1]
			continue
		}
		want = replaced(t, want, e[0], e[1])
	}
	got := f.call(c.method, c.path, c.body)
	if got.status != http.StatusOK {
		t.Fatalf("status %d: %s", got.status, got.body)
	}
	without := []string{"etag"}
	if want != before && before != "" {
		without = append(without, "backup")
	}
	sameJSON(t, got.body, c.want, without...)
	if text := f.read(file); text != want {
		t.Errorf("the file is\n%s\nwant\n%s", text, want)
	}
	if backup := got.text(t, "backup"); backup != "" && f.read(strings.TrimPrefix(backup, f.dir+string(filepath.Separator))) != before {
		t.Errorf("the backup is not the file as it was")
	}
	if tag := got.header.Get("ETag"); tag != `"`+got.text(t, "etag")+`"` {
		t.Errorf("ETag is %s, the body says %s", tag, got.body)
	}
}

const (
	later     = `{"ok":true,"effect":"needs-restart","changed":true}`
	laterSame = `{"ok":true,"effect":"needs-restart","changed":false}`
	now       = `{"ok":true,"effect":"immediate","changed":true}`
)

func TestMCPWrites(t *testing.T) {
	const unknown = "cli-config/unknown-keys.json"
	off := [][2]string{{`"env": {"ROOT": "/srv"}}`, `"env": {"ROOT": "/srv"}, "enabled": false}`}}
	tests := []writeCase{
		{"disable", unknown, "POST", "/settings/mcp/enable", `{"name":"files","enabled":false}`, later, off},
		{"disable in the other spelling", unknown, "POST", "/settings/mcp/enable", `{"name":"files","enable":false}`, later, off},
		{"enable what is on", unknown, "POST", "/settings/mcp/enable", `{"name":"files","enabled":true}`, laterSame, nil},
		{
			"enable removes the member", "cli-config/legacy-enable.json", "POST", "/settings/mcp/enable", `{"name":"old","enabled":true}`,
			`{"ok":true,"effect":"needs-restart","changed":true,"also":["the old spelling \"enable\" was replaced by \"enabled\""]}`,
			[][2]string{{`"command": "old", "enable": false}`, `"command": "old"}`}},
		},
		{"merge", unknown, "PUT", "/settings/mcp/files", `{"timeoutMs":60000}`, later, [][2]string{{`"env": {"ROOT": "/srv"}}`, `"env": {"ROOT": "/srv"}, "timeoutMs": 60000}`}}},
		{"null removes", unknown, "PUT", "/settings/mcp/files", `{"env":null}`, later, [][2]string{{`, "env": {"ROOT": "/srv"}`, ``}}},
		{"merge of the same", unknown, "PUT", "/settings/mcp/files", `{"command":"npx","args":["-y","server-files"],"enabled":true}`, laterSame, nil},
		{
			"change of transport", "cli-config/transport.json", "PUT", "/settings/mcp/s", `{"type":"http","url":"https://h.example/mcp"}`, `{"ok":true,"effect":"needs-restart","changed":true,"also":["the members of the other transport were removed: command, args, env, cwd"]}`,
			[][2]string{{`{"type": "stdio", "command": "run", "args": ["--x"], "env": {"TOKEN": "KEY"}, "cwd": "/srv", "timeoutMs": 60000}`, `{"type": "http", "timeoutMs": 60000, "url": "https://h.example/mcp"}`}},
		},
		{"create in a missing file", "", "PUT", "/settings/mcp/x", `{"command":"y"}`, later, [][2]string{
			{"", "{\n  \"mcp\": {\n    \"servers\": {\n      \"x\": {\n        \"type\": \"stdio\",\n        \"command\": \"y\"\n      }\n    }\n  }\n}\n"},
		}},
		{"a server called enable", "cli-config/extra-mcp-key.json", "PUT", "/settings/mcp/enable", `{"type":"stdio","command":"e"}`, later, [][2]string{
			{`"command": "y"}}`, `"command": "y"}, "enable": {"type": "stdio", "command": "e"}}`},
		}},
		{"a name with a space", "cli-config/extra-mcp-key.json", "PUT", "/settings/mcp/my%20server", `{"type":"stdio","command":"e"}`, later, [][2]string{
			{`"command": "y"}}`, `"command": "y"}, "my server": {"type": "stdio", "command": "e"}}`},
		}},
		{"a name with a percent sign, decoded once", "cli-config/extra-mcp-key.json", "PUT", "/settings/mcp/a%2541", `{"type":"stdio","command":"e"}`, later, [][2]string{
			{`"command": "y"}}`, `"command": "y"}, "a%41": {"type": "stdio", "command": "e"}}`},
		}},
		{"remove", "cli-config/extra-mcp-key.json", "DELETE", "/settings/mcp/good", "", later, [][2]string{{`, "good": {"type": "stdio", "command": "y"}`, ``}}},
		{"a body of DELETE is ignored", "cli-config/extra-mcp-key.json", "DELETE", "/settings/mcp/good", `not JSON`, later, [][2]string{{`, "good": {"type": "stdio", "command": "y"}`, ``}}},
		{"under the other mount", unknown, "POST", "/api/settings/mcp/enable", `{"name":"files","enabled":false}`, later, off},
		{"with a trailing slash", unknown, "POST", "/settings/mcp/enable//", `{"name":"files","enabled":false}`, later, off},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, cliFile) })
	}
}

func TestProviderAndModelWrites(t *testing.T) {
	const canonical = "provider/canonical.json"
	const rule = `{
          "modelId": "m1",
          "config": {
            "properties": {
              "contextWindow": 400000
            },
            "optionSpecs": {
              "reasoningLevel": {
                "values": [
                  "low",
                  "medium",
                  "high"
                ],
                "map": "{\"effort\": reasoningLevel}"
              }
            }
          },
          "providerId": "p1"
        }`
	const selection = `,
    "defaultModelSelection": {
      "providerId": "p1",
      "modelId": "m1"
    }`
	listed := func(name string) string { return "\"" + name + "\": [\n              \"m1\"\n            ]" }
	tests := []writeCase{
		{"disable a provider", canonical, "PUT", "/settings/providers/p1", `{"enabled":false}`, now, [][2]string{{`"enabled": true`, `"enabled": false`}}},
		{"rename a provider", canonical, "PUT", "/settings/providers/p1", `{"providerName":"R2"}`, now, [][2]string{{`"Router"`, `"R2"`}}},
		{"enable an account", "provider/account-rule.json", "PUT", "/settings/providers/account:zai-individual-coding-plan", `{"enabled":true}`, now, [][2]string{{`"enabled": false`, `"enabled": true`}}},
		{"context window", canonical, "POST", "/settings/models", `{"providerId":"p1","modelId":"m1","contextWindow":200000}`, now, [][2]string{{`400000`, `200000`}}},
		{"reasoning levels", canonical, "POST", "/settings/models", `{"providerId":"p1","modelId":"m1","reasoningLevels":["low","high"]}`, now, [][2]string{{"\n                  \"medium\",", ""}}},
		{
			"add a model", canonical, "POST", "/settings/models", `{"providerId":"p1","modelId":"m2","contextWindow":1000}`, now,
			[][2]string{
				{listed("personalModelIds"), strings.Replace(listed("personalModelIds"), `"m1"`, "\"m1\",\n              \"m2\"", 1)},
				{listed("modelOrder"), strings.Replace(listed("modelOrder"), `"m1"`, "\"m1\",\n              \"m2\"", 1)},
				{rule, rule + ",\n        {\n          \"modelId\": \"m2\",\n          \"config\": {\n            \"properties\": {\n              \"contextWindow\": 1000\n            }\n          },\n          \"providerId\": \"p1\"\n        }"},
			},
		},
		{
			"remove a model", canonical, "DELETE", "/settings/models/p1/m1", "",
			`{"ok":true,"effect":"immediate","changed":true,"also":["the default model was cleared, because it was this one's"]}`,
			[][2]string{
				{"[\n        " + rule + "\n      ]", "[]"},
				{listed("personalModelIds"), `"personalModelIds": []`},
				{listed("modelOrder"), `"modelOrder": []`},
				{selection, ""},
			},
		},
		{"clear the default", canonical, "PUT", "/settings/models/default", `{"providerId":null,"modelId":null}`, now, [][2]string{{selection, ""}}},
		{"choose the default", canonical, "PUT", "/settings/models/default", `{"providerId":"p1","modelId":"m1","reasoningLevel":"high"}`, now, [][2]string{
			{selection, replaced(t, selection, `"modelId": "m1"`, "\"modelId\": \"m1\",\n      \"options\": {\n        \"reasoningLevel\": \"high\"\n      }")},
		}},
		{"order", canonical, "PUT", "/settings/providers/order", `{"order":["p2","p1"]}`, now, [][2]string{{"\"providerOrder\": [\n      \"p1\"", "\"providerOrder\": [\n      \"p2\",\n      \"p1\""}}},
		{"set a key", canonical, "PUT", "/settings/providers/p1/key", `{"apiKey":"new key"}`, now, [][2]string{{`sk-test-0000000000000000`, `new key`}}},
		{"remove a key", canonical, "PUT", "/settings/providers/p1/key", `{"apiKey":null}`, now, [][2]string{{"\"type\": \"api-key\",\n              \"apiKey\": \"sk-test-0000000000000000\"", "\"type\": \"api-key\""}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, providerFile) })
	}
}

// TestModelIDsWithSlashes: the rest of the path is the id, encoded or not.
func TestModelIDsWithSlashes(t *testing.T) {
	for _, path := range []string{"vendor/m%25", url.PathEscape("vendor/m%")} {
		t.Run(path, func(t *testing.T) {
			f := newFixture(t)
			f.write(providerFile, strings.ReplaceAll(example(t, "provider/canonical.json"), `"m1"`, `"vendor/m%"`))
			if got := f.call(http.MethodDelete, "/settings/models/p1/"+path, ""); got.status != http.StatusOK {
				t.Fatalf("status %d: %s", got.status, got.body)
			}
			if strings.Contains(f.read(providerFile), "vendor/m%") {
				t.Error("the model is still there")
			}
		})
	}
}

func TestCreateAndRemoveAProvider(t *testing.T) {
	f := newFixture(t)
	f.write(providerFile, example(t, "provider/canonical.json"))
	before := f.call(http.MethodGet, "/settings/models", "").members(t)["models"]
	created := f.call(http.MethodPost, "/settings/providers", `{"providerId":"p9","providerName":"New","apiType":"openai-responses","baseUrl":"https://n.example/v1","apiKey":"k","modelIds":["m9"]}`)
	sameJSON(t, created.body, now, "etag", "backup")
	f.call(http.MethodPost, "/settings/providers", `{"providerId":"p9"}`).wantError(t, http.StatusConflict, "exists")
	if models := f.call(http.MethodGet, "/settings/models", ""); !strings.Contains(string(models.body), `{"providerId":"p9","modelId":"m9","providerName":"New"}`) {
		t.Errorf("the model cannot be selected: %s", models.body)
	}
	if got := f.call(http.MethodDelete, "/settings/providers/p9", ""); got.status != http.StatusOK || got.text(t, "effect") != "immediate" {
		t.Errorf("remove: %d %s", got.status, got.body)
	}
	after := f.call(http.MethodGet, "/settings/models", "").members(t)["models"]
	if len(after.(map[string]any)["providers"].([]any)) != len(before.(map[string]any)["providers"].([]any)) {
		t.Errorf("providers after: %v", after)
	}
}

// TestRestore: the effect is that of the file.
func TestRestore(t *testing.T) {
	tests := []struct{ name, file, document, method, path, body, effect string }{
		{"cliConfig", cliFile, "cli-config/unknown-keys.json", "DELETE", "/settings/mcp/files", "", "needs-restart"},
		{"providerConfig", providerFile, "provider/canonical.json", "PUT", "/settings/providers/p1", `{"enabled":false}`, "immediate"},
		{"agentsState", stateFile, "agents-state/one-off.json", "POST", "/settings/agents/reviewer/enable", `{"enabled":true}`, "needs-restart"},
		{"agents", reviewerFile, "agents/reviewer.md", "PUT", "/settings/agents/reviewer", `{"color":"pink"}`, "needs-restart"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newFixture(t)
			f.write(test.file, example(t, test.document))
			backup := f.call(test.method, test.path, test.body).text(t, "backup")
			list := f.call(http.MethodGet, "/settings/backups", "").members(t)["backups"].(map[string]any)[test.name].([]any)
			if len(list) != 1 || list[0].(map[string]any)["path"] != backup || list[0].(map[string]any)["size"] != float64(len(example(t, test.document))) {
				t.Fatalf("listing = %v, want %s", list, backup)
			}
			got := f.call(http.MethodPost, "/settings/backups/restore", `{"file":"`+test.name+`","path":"`+backup+`"}`)
			sameJSON(t, got.body, `{"ok":true,"changed":true,"effect":"`+test.effect+`","restored":"`+backup+`"}`, "etag", "backup")
			if f.read(test.file) != example(t, test.document) {
				t.Errorf("the file is %s", f.read(test.file))
			}
		})
	}
}

// TestDeletedAgentComesBack: the file of a deleted agent is kept as a backup.
func TestDeletedAgentComesBack(t *testing.T) {
	f := newFixture(t)
	f.write(reviewerFile, example(t, "agents/reviewer.md"))
	backup := f.call(http.MethodDelete, "/settings/agents/reviewer", "").text(t, "backup")
	if f.read(reviewerFile) != "" || backup == "" {
		t.Fatalf("the file is %q, the backup %q", f.read(reviewerFile), backup)
	}
	got := f.call(http.MethodPost, "/settings/backups/restore", `{"file":"agents","path":"`+backup+`"}`)
	sameJSON(t, got.body, `{"ok":true,"changed":true,"effect":"needs-restart","restored":"`+backup+`",
		"also":["the agent is on, whatever it was before: its switch is no part of the file"]}`, "etag")
	if f.read(reviewerFile) != example(t, "agents/reviewer.md") {
		t.Errorf("the file is %q", f.read(reviewerFile))
	}
}

// TestRestoreTakesListedBackupsOnly: a path that begins like a backup's is none.
func TestRestoreTakesListedBackupsOnly(t *testing.T) {
	f := newFixture(t)
	f.write(cliFile, example(t, "cli-config/unknown-keys.json"))
	f.write("secret.json", `{"mcp":{}}`)
	backup := f.call(http.MethodDelete, "/settings/mcp/files", "").text(t, "backup")
	after := f.read(cliFile)
	for _, body := range []string{
		`{"file":"cliConfig","path":"` + backup + `/../../secret.json"}`,
		`{"file":"cliConfig","path":"` + filepath.Join(f.dir, "secret.json") + `"}`,
		`{"file":"providerConfig","path":"` + backup + `"}`,
		`{"file":"cliConfig","path":"` + filepath.Join(f.dir, cliFile) + `"}`,
		`{"file":"cliConfig"}`,
		`{"file":"other","path":"` + backup + `"}`,
		`{"file":"agents","path":"` + backup + `"}`,
		`{"file":"agentsState","path":"` + backup + `"}`,
		`{"path":"` + backup + `"}`,
	} {
		f.call(http.MethodPost, "/settings/backups/restore", body).wantError(t, http.StatusBadRequest, "invalid")
	}
	if f.read(cliFile) != after {
		t.Error("the file changed")
	}
}
