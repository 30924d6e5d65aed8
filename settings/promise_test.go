package settings

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
)

// The secrets of these files are the words that begin with CANARY.
const cliWithSecrets = `{
  "$schema": "https://example.invalid/zcode.json",
  "mcp": {
    "servers": {
      "local": {"type": "stdio", "command": "run", "args": ["--port", "1", "--token", "CANARY-arg", "last"], "env": {"TOKEN": "CANARY-env", "SAME": "CANARY-same"}},
      "web": {"type": "http", "url": "https://CANARY-user:CANARY-pass@w.example/mcp?key=CANARY-query&x=1", "headers": {"X-Any": "CANARY-header"}, "oauth": {"type": "client_credentials", "clientId": "c", "clientSecret": "CANARY-oauth"}},
      "env": {"command": "run", "cwd": "/srv"}
    }
  },
  "hooks": {"enabled": true, "events": {"Stop": [{"hooks": [{"type": "process", "command": "log", "args": ["-H", "X-Any: CANARY-hookarg"], "env": {"A": "CANARY-hookenv"}}, {"type": "command", "command": "second"}]}]}},
  "skills": {"/nowhere/SKILL.md": {"enable": false}},
  "plugins": {"enabledPlugins": {"a@m": false}},
  "network": {"httpProxy": "http://CANARY-proxyuser:CANARY-proxypass@proxy.example:8080"},
  "ui": {"theme": "dark", "later": 1e2},
  "future": 1.0
}
`

// stateWithAgents has what ZCode reads, and something that only a newer one knows.
const stateWithAgents = `{
  "builtInModelSelectionOverrides": {
    "Explore": {
      "providerId": "p1",
      "modelId": "m1"
    }
  },
  "pluginAgentModelSelectionOverrides": {},
  "disabledAgentIds": [
    "user:user:sleeper"
  ],
  "futureKey": 1.0
}`

const providersWithSecrets = `{
  "schemaVersion": 1,
  "config": {
    "providerOrder": [
      "p1",
      "p2"
    ],
    "providerConfigRules": {
      "providerRules": [
        {
          "providerId": "p1",
          "providerName": "Router",
          "enabled": true,
          "config": {
            "group": "standard-personal",
            "access": {
              "type": "api-key",
              "apiKey": "CANARY-key"
            },
            "api": {
              "type": "openai-chat-completions",
              "baseUrl": "https://CANARY-user:CANARY-pass@router.example/v1?token=CANARY-query",
              "headers": {
                "X-Team": "CANARY-team"
              }
            },
            "personalModelIds": [
              "m1",
              "m2"
            ],
            "modelOrder": [
              "m1",
              "m2"
            ]
          }
        },
        {
          "providerId": "p2",
          "enabled": false,
          "config": {
            "access": {
              "type": "api-key",
              "apiKey": "CANARY-second"
            }
          }
        }
      ]
    },
    "modelConfigRules": {
      "providerModelRules": [
        {
          "modelId": "m1",
          "config": {
            "properties": {
              "contextWindow": 400000
            }
          },
          "providerId": "p1"
        },
        {
          "modelId": "m2",
          "config": {
            "enabled": false
          },
          "providerId": "p1"
        }
      ],
      "manualProviderModelRules": []
    },
    "defaultModelSelection": {
      "providerId": "p1",
      "modelId": "m2"
    }
  }
}`

// change of one of the two files by one call.
type changeCase struct {
	name   string
	op     string
	in     params
	file   string
	paths  []string // everything that changes, in the order of the file
	effect Effect
	also   []string
	again  Code // what a second call answers; "" is ok, and nothing changed
}

const (
	rules  = "/config/providerConfigRules/providerRules"
	models = "/config/modelConfigRules/providerModelRules"
	hooks0 = "/hooks/events/Stop/0/hooks/0"
	hooks1 = "/hooks/events/Stop/0/hooks/1"
)

var changeCases = []changeCase{
	{"args and env", "mcp/upsert", params{"name": "local", "args": []string{"--port", "2", "--token", "CANARY-newarg", "last"},
		"env": map[string]string{"TOKEN": "CANARY-newenv", "SAME": "********", "MORE": "CANARY-more", "EMPTY": ""}}, cliFile,
		[]string{"/mcp/servers/local/args/1", "/mcp/servers/local/args/3", "/mcp/servers/local/env/TOKEN",
			"/mcp/servers/local/env/EMPTY", "/mcp/servers/local/env/MORE"}, NeedsRestart, nil, ""},
	{"url, headers and oauth", "mcp/upsert", params{"name": "web", "url": "https://CANARY-other:CANARY-word@w.example/mcp?key=CANARY-newquery&x=2",
		"headers": map[string]string{"X-Any": "CANARY-newheader"},
		"oauth":   map[string]string{"type": "client_credentials", "clientId": "d", "clientSecret": "CANARY-newoauth"}}, cliFile,
		[]string{"/mcp/servers/web/url", "/mcp/servers/web/headers/X-Any", "/mcp/servers/web/oauth/clientId", "/mcp/servers/web/oauth/clientSecret"}, NeedsRestart, nil, ""},
	{"a new server", "mcp/upsert", params{"name": "new", "command": "n", "args": []string{"--api-key=CANARY-arg"}, "env": map[string]string{"A": "CANARY-env"}}, cliFile,
		[]string{"/mcp/servers/new"}, NeedsRestart, nil, ""},
	{"a server called env", "mcp/upsert", params{"name": "env", "cwd": "/other"}, cliFile, []string{"/mcp/servers/env/cwd"}, NeedsRestart, nil, ""},
	{"off", "mcp/enable", params{"name": "local", "enabled": false}, cliFile, []string{"/mcp/servers/local/enabled"}, NeedsRestart, nil, ""},
	{"a local server goes", "mcp/remove", params{"name": "local"}, cliFile, []string{"/mcp/servers/local"}, NeedsRestart, nil, CodeUnknown},
	{"a remote server goes", "mcp/remove", params{"name": "web"}, cliFile, []string{"/mcp/servers/web"}, NeedsRestart, nil, CodeUnknown},
	{"a backup", "backups/restore", params{"file": "cliConfig"}, cliFile,
		[]string{hooks0 + "/args/1", hooks0 + "/env/A"}, NeedsRestart, nil, ""},

	{"servers of another tool", "mcp/import", params{"servers": params{"mcpServers": params{"new": params{"command": "n", "env": params{"A": "CANARY-env"}}}}}, cliFile,
		[]string{"/mcp/servers/new"}, NeedsRestart, nil, ""},
	{"all off", "hooks/enabled", params{"enabled": false}, cliFile, []string{"/hooks/enabled"}, NeedsRestart, nil, ""},
	{"one changes", "hooks/update", params{"event": "Stop", "matcherIndex": 0, "hookIndex": 1, "command": "other --token CANARY-hooktoken"}, cliFile,
		[]string{"/hooks/events/Stop/0/hooks/1/command"}, NeedsRestart, nil, ""},
	{"one goes", "hooks/remove", params{"event": "Stop", "matcherIndex": "0", "hookIndex": "0"}, cliFile,
		[]string{hooks0 + "/type", hooks0 + "/command", hooks0 + "/args", hooks0 + "/env", "/hooks/events/Stop/0/hooks/1"}, NeedsRestart, nil, doesMore},
	{"the second first", "hooks/move", params{"event": "Stop", "matcherIndex": 0, "hookIndex": 1, "to": 0}, cliFile,
		[]string{hooks0 + "/type", hooks0 + "/command", hooks0 + "/args", hooks0 + "/env", hooks1 + "/type", hooks1 + "/command", hooks1 + "/args", hooks1 + "/env"},
		NeedsRestart, nil, doesMore},
	{"a new one", "hooks/add", params{"event": "Stop", "type": "command", "command": "third"}, cliFile, []string{"/hooks/events/Stop/0/hooks/2"}, NeedsRestart, nil, doesMore},
	{"the whole section", "hooks/set", params{"hooks": params{"enabled": true, "events": params{"Stop": []any{params{"hooks": []any{
		params{"type": "process", "command": "log", "args": []string{"-H", "X-Any: ********"}, "env": params{"A": "********"}},
		params{"type": "command", "command": "third"}}}}}}}, cliFile, []string{hooks1 + "/command"}, NeedsRestart, nil, ""},
	{"on", "plugins/enable", params{"id": "a@m", "enabled": true}, cliFile, []string{"/plugins/enabledPlugins/a@m"}, NeedsRestart, nil, ""},
	{"a stale switch", "skills/enable", params{"path": "/nowhere/SKILL.md", "enable": true}, cliFile, []string{"/skills/~1nowhere~1SKILL.md"}, Immediate, nil, ""},
	{"two members", "config/set", params{"section": "ui", "theme": nil, "locale": "zh-CN"}, cliFile, []string{"/ui/theme", "/ui/locale"}, NeedsRestart, nil, ""},
	{"on", "agents/enable", params{"name": "sleeper", "enable": true}, stateFile, []string{"/disabledAgentIds/0"}, NeedsRestart, nil, CodeUnknown},
	{"the model of a built-in", "agents/upsert", params{"name": "Explore", "providerId": "p1", "modelId": "m2", "reasoningLevel": "high"}, stateFile,
		[]string{"/builtInModelSelectionOverrides/Explore/modelId", "/builtInModelSelectionOverrides/Explore/options"}, NeedsRestart, nil, ""},

	{"a rule", "models/upsert", params{"providerId": "p1", "modelId": "m1", "contextWindow": 200000}, providerFile,
		[]string{models + "/0/config/properties/contextWindow"}, Immediate, nil, ""},
	{"a new model", "models/upsert", params{"providerId": "p1", "modelId": "m3", "contextWindow": 1}, providerFile,
		[]string{rules + "/0/config/personalModelIds/2", rules + "/0/config/modelOrder/2", models + "/2"}, Immediate, nil, ""},
	{"a model goes", "models/remove", params{"providerId": "p1", "modelId": "m2"}, providerFile,
		[]string{rules + "/0/config/personalModelIds/1", rules + "/0/config/modelOrder/1", models + "/1", "/config/defaultModelSelection"},
		Immediate, []string{"default model was cleared"}, CodeUnknown},
	{"the default", "models/default", params{"providerId": "p1", "modelId": "m1", "reasoningLevel": "high"}, providerFile,
		[]string{"/config/defaultModelSelection/modelId", "/config/defaultModelSelection/options"}, Immediate, nil, ""},
	{"no default", "models/default", params{"providerId": nil, "modelId": nil}, providerFile, []string{"/config/defaultModelSelection"}, Immediate, nil, ""},
	{"a name", "providers/update", params{"id": "p1", "providerName": "Other", "enabled": false}, providerFile,
		[]string{rules + "/0/providerName", rules + "/0/enabled"}, Immediate, nil, ""},
	{"an address", "providers/update", params{"id": "p1", "baseUrl": "https://CANARY-other:CANARY-word@r.example/?token=CANARY-newquery",
		"headers": map[string]string{"X-Team": "CANARY-newteam", "X-More": "CANARY-more"}}, providerFile,
		[]string{rules + "/0/config/api/baseUrl", rules + "/0/config/api/headers/X-Team", rules + "/0/config/api/headers/X-More"}, Immediate, nil, ""},
	{"a new provider", "providers/create", params{"providerId": "p9", "apiKey": "CANARY-newkey", "headers": map[string]string{"X-Any": "CANARY-newheader"}}, providerFile,
		[]string{rules + "/2"}, Immediate, nil, CodeExists},
	{"a key", "providers/set-key", params{"id": "p1", "apiKey": "CANARY-newkey"}, providerFile, []string{rules + "/0/config/access/apiKey"}, Immediate, nil, ""},
	{"no key", "providers/set-key", params{"id": "p1", "apiKey": nil}, providerFile, []string{rules + "/0/config/access/apiKey"}, Immediate, nil, ""},
	{"an order", "providers/order", params{"order": []string{"p2", "p1"}}, providerFile,
		[]string{"/config/providerOrder/0", "/config/providerOrder/1"}, Immediate, nil, ""},
	{"a provider goes", "providers/remove", params{"id": "p2"}, providerFile,
		[]string{"/config/providerOrder/1", rules + "/1"}, Immediate, []string{"taken out of the order"}, CodeUnknown},
}

// doesMore marks a change that a second call makes once more.
const doesMore Code = "does more"

// onFolders are the operations on files that are no JSON documents; they have
// tests of their own.
var onFolders = map[string]bool{
	"skills/copy-to-user": true, "skills/delete": true, "agents/rename": true, "agents/delete": true,
	"history/undo": true, "history/purge": true, "doctor/fix": true,
}

// title names a case after what it shows of the acceptance list.
func (c changeCase) title() string {
	numbers := map[string]string{providerFile: "B048", cliFile: "B049", stateFile: "B050"}[c.file] + "+B057"
	if c.effect == Immediate {
		numbers += "+B058"
	} else if c.file != providerFile {
		numbers += "+B059"
	}
	return numbers + " " + strings.ReplaceAll(c.op, "/", " ") + " " + c.name
}

// worldWithSecrets has both files, and a backup whose hooks differ.
func worldWithSecrets(t *testing.T, c *changeCase) *world {
	w := newWorld(t)
	w.put(cliFile, cliWithSecrets)
	w.put(providerFile, providersWithSecrets)
	w.put(stateFile, stateWithAgents)
	if c.op == "backups/restore" {
		const stamp = "2026-09-22T14-10-00-000Z"
		w.put(cliFile+".bak-"+stamp, strings.NewReplacer("CANARY-hookarg", "CANARY-oldarg", "CANARY-hookenv", "CANARY-oldenv").Replace(cliWithSecrets))
		c.in["stamp"] = stamp
	}
	return w
}

// tag reads the etag of the section that an operation changes, or that a file
// is known by.
func (w *world) tag(of string) string {
	noun, _, _ := strings.Cut(of, "/")
	list, in := noun+"/list", params(nil)
	switch {
	case noun == "providers" || of == providerFile:
		list = "models/list"
	case noun == "backups" || of == cliFile:
		list = "mcp/list"
	case noun == "config":
		list, in = "config/get", params{"section": "ui"}
	}
	answer, err := w.run(list, Call{}, in)
	if err != nil {
		w.t.Fatalf("%s: %v", list, err)
	}
	text, err := Encode(answer)
	if err != nil {
		w.t.Fatal(err)
	}
	return parse(w.t, string(text)).Root().Get("etag").Text()
}

func parse(t testing.TB, text string) *jsonedit.Doc {
	t.Helper()
	d, err := jsonedit.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func difference(t testing.TB, before, after string) []jsonedit.Change {
	return jsonedit.Diff(parse(t, before).Root(), parse(t, after).Root())
}

// TestPromise holds every write to what an answer without an error means.
func TestPromise(t *testing.T) {
	shown := map[string]bool{}
	for _, c := range changeCases {
		shown[c.op] = true
		t.Run(c.title(), func(t *testing.T) {
			w := worldWithSecrets(t, &c)
			old, tag := w.files(), w.tag(c.op)
			got := w.write(c.op, Call{IfMatch: "*"}, c.in)
			text := w.get(c.file)
			var paths []string
			for _, change := range difference(t, old[w.path(c.file)].Content, text) {
				paths = append(paths, change.Path.Pointer())
			}
			if diff := cmp.Diff(c.paths, paths); diff != "" {
				t.Errorf("changed paths (-want +got):\n%s", diff)
			}
			if !got.OK || !got.Changed || got.DryRun || got.Changes != nil || got.Effect != c.effect {
				t.Errorf("got %+v, want ok, changed and %s", got, c.effect)
			}
			hasOnly(t, "also", got.Also, c.also...)
			w.keeps(got.Backup, old[w.path(c.file)].Content)
			wantNewTag := c.op != "backups/restore" // which changed another section
			if now := w.tag(c.op); (now != tag) != wantNewTag || wantNewTag && now != got.ETag {
				t.Errorf("etag: before %s, answered %s, now %s; want it to change: %v", tag, got.ETag, now, wantNewTag)
			}
			w.onlyWrote(old, c.file, got.Backup)
			w.repeats(c, got.ETag)
		})
	}
	for operation := range newWorld(t).catalog.All() {
		if operation.Writes() && !shown[operation.Name] && !onFolders[operation.Name] {
			t.Errorf("%s is not in the table", operation.Name)
		}
	}
}

// onlyWrote checks that nothing else changed, and nothing of ours stayed.
func (w *world) onlyWrote(old map[string]entry, file, backup string) {
	w.t.Helper()
	now := w.files()
	for _, path := range []string{w.path(file), backup} {
		delete(old, path)
		delete(now, path)
	}
	if diff := cmp.Diff(old, now); diff != "" {
		w.t.Errorf("beside %s, files changed (-before +after):\n%s", file, diff)
	}
}

// repeats runs a change once more, which changes nothing.
func (w *world) repeats(c changeCase, tag string) {
	w.t.Helper()
	if c.again == doesMore {
		return
	}
	w.age(c.file)
	before := w.files()
	answer, err := w.run(c.op, Call{}, c.in)
	switch {
	case c.again != "" && (err == nil || CodeOf(err) != c.again):
		w.t.Errorf("again: got %v, want %s", err, c.again)
	case c.again == "" && err != nil:
		w.t.Errorf("again: %v", err)
	case c.again == "":
		if got := answer.(interface{ Outcome() *Written }).Outcome(); got.Changed || got.Backup != "" || got.ETag != tag || !got.OK || len(got.Also) != 0 {
			w.t.Errorf("again: got %+v, want no change and etag %s", got, tag)
		}
	}
	w.unchanged(before)
}
