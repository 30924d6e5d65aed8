package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings"
)

// request is one that the inhabited home answers with 200.
type request struct {
	route string // method and path
	last  string // the last segment, still to be encoded; "" for none
	body  string
	want  string   // of a write: the answer without etag, backup and agent
	files []string // that a write changes
}

// staleLock is the lock of a process that is gone.
const staleLock = "v2/provider_config.json.lock/owner-1.json"

const removedSkill = `{"ok":true,"effect":"immediate","changed":true,"removed":{"path":"$HOME/skills/review","files":1,"bytes":60}}`

// requests holds one of every operation at least, as existing clients send it
// where they know it.
var requests = map[string][]request{
	"all":             {{route: "GET /settings/all"}},
	"where":           {{route: "GET /settings/where"}},
	"doctor":          {{route: "GET /settings/doctor"}},
	"doctor/fix":      {{"POST /settings/doctor/fix", "", `{"kind":"lock_stale"}`, `{"ok":true,"effect":"immediate","changed":true,"fixed":[{"kind":"lock_stale","file":"$HOME/v2/provider_config.json","done":"the lock was removed"}]}`, []string{staleLock}}},
	"effective":       {{route: "GET /settings/effective"}},
	"models/list":     {{route: "GET /settings/models"}},
	"mcp/list":        {{route: "GET /settings/mcp"}},
	"skills/list":     {{route: "GET /settings/skills"}},
	"hooks/list":      {{route: "GET /settings/hooks"}},
	"plugins/list":    {{route: "GET /settings/plugins"}},
	"agents/list":     {{route: "GET /settings/agents"}},
	"agents/show":     {{route: "GET /settings/agents/reviewer"}, {route: "GET /settings/agents/Explore"}, {route: "GET /settings/agents/", last: "plugin:tools@market:helper"}},
	"config/list":     {{route: "GET /settings/config"}},
	"config/get":      {{route: "GET /settings/config/ui"}, {route: "GET /settings/config/toolConcurrency"}},
	"backups/list":    {{route: "GET /settings/backups"}},
	"models/upsert":   {{"POST /settings/models", "", `{"providerId":"p1","modelId":"m1","contextWindow":200000}`, now, []string{providerFile}}},
	"models/default":  {{"PUT /settings/models/default", "", `{"providerId":"p1","modelId":"m1","reasoningLevel":"high"}`, now, []string{providerFile}}},
	"models/remove":   {{"DELETE /settings/models/p1/m1", "", "", `{"ok":true,"effect":"immediate","changed":true,"also":["the default model was cleared, because it was this one's"]}`, []string{providerFile}}},
	"providers/order": {{"PUT /settings/providers/order", "", `{"order":["p2","p1"]}`, now, []string{providerFile}}},
	"providers/create": {{
		"POST /settings/providers", "",
		`{"providerId":"p9","providerName":"New","apiType":"openai-responses","baseUrl":"https://n.example/v1","apiKey":"k","modelIds":["m9"]}`, now, []string{providerFile},
	}},
	"providers/update":  {{"PUT /settings/providers/p1", "", `{"enabled":false}`, now, []string{providerFile}}},
	"providers/set-key": {{"PUT /settings/providers/p1/key", "", `{"apiKey":"new"}`, now, []string{providerFile}}},
	"providers/remove":  {{"DELETE /settings/providers/p1", "", "", `{"ok":true,"effect":"immediate","changed":true,"also":["the provider was taken out of the order of providers","the rule of its one model was removed","the default model was cleared, because it was this one's"]}`, []string{providerFile}}},
	"mcp/upsert":        {{"PUT /settings/mcp/files", "", `{"timeoutMs":5}`, later, []string{cliFile}}},
	"mcp/enable":        {{"POST /settings/mcp/enable", "", `{"name":"files","enabled":false}`, later, []string{cliFile}}},
	"mcp/remove":        {{"DELETE /settings/mcp/files", "", "", later, []string{cliFile}}},
	"mcp/import": {
		{"POST /settings/mcp/import", "", `{"servers":{"mcpServers":{"new":{"command":"c","autoApprove":["x"]}}}}`, imported(`{"name":"new","action":"add","dropped":["autoApprove"]}`), []string{cliFile}},
		{"POST /settings/mcp/import", "", `{"text":"{\"servers\":{\"new\":{\"command\":\"c\"}}} // mine"}`, imported(`{"name":"new","action":"add"}`), []string{cliFile}},
		{"POST /settings/mcp/import", "", "", imported(`{"name":"shared","action":"add"}`), []string{cliFile}},
	},
	"skills/enable":       {{"POST /settings/skills/enable", "", `{"path":"$HOME/skills/review/SKILL.md","enable":false}`, now, []string{cliFile}}},
	"skills/copy-to-user": {{"POST /settings/skills/copy-to-user", "", `{"path":"$ROOT/.agents/skills/shared/SKILL.md"}`, `{"ok":true,"effect":"immediate","changed":true,"path":"$HOME/skills/shared/SKILL.md"}`, []string{"skills/shared/SKILL.md"}}},
	"skills/delete":       {{"DELETE /settings/skills/", "$HOME/skills/review/SKILL.md", "", removedSkill, []string{skillFile}}},
	"hooks/enabled":       {{"POST /settings/hooks/enabled", "", `{"enabled":false}`, later, []string{cliFile}}},
	"hooks/set":           {{"PUT /settings/hooks", "", `{"hooks":{"enabled":true}}`, later, []string{cliFile}}},
	"hooks/add":           {{"POST /settings/hooks/PreToolUse", "", `{"matcher":"Bash","type":"process","command":"check","args":["-x"]}`, later, []string{cliFile}}},
	"hooks/update":        {{"PUT /settings/hooks/Stop/0", "", `{"hookIndex":1,"command":"third","enabled":false,"timeoutMs":5000}`, later, []string{cliFile}}},
	"hooks/move":          {{"POST /settings/hooks/Stop/0/1/move", "", `{"to":0}`, later, []string{cliFile}}},
	"hooks/remove":        {{"DELETE /settings/hooks/Stop/0/0", "", "", later, []string{cliFile}}},
	"plugins/enable":      {{"POST /settings/plugins/enable", "", `{"id":"tools@market","enabled":false}`, later, []string{cliFile}}},
	"agents/upsert": {
		{"PUT /settings/agents/reviewer", "", `{"color":"pink","model":"p1/m1"}`, later, []string{reviewerFile}},
		{"PUT /settings/agents/critic", "", `{"description":"Finds fault.","tools":["Read"]}`, later, []string{"agents/critic.md"}},
		{"PUT /settings/agents/Explore", "", `{"providerId":"p1","modelId":"m1","reasoningLevel":"high"}`, later, []string{stateFile}},
		{"PUT /settings/agents/", "plugin:tools@market:helper", `{"providerId":"p1","modelId":"m1"}`, later, []string{stateFile}},
	},
	"agents/rename": {{"POST /settings/agents/reviewer/rename", "", `{"newName":"critic"}`, later, []string{reviewerFile}}},
	"agents/enable": {
		{"POST /settings/agents/reviewer/enable", "", `{"enable":false}`, later, []string{stateFile}},
		{"PUT /settings/agents/reviewer/enable", "", `{"enabled":false}`, later, []string{stateFile}},
	},
	"agents/delete":   {{"DELETE /settings/agents/reviewer", "", "", later, []string{reviewerFile}}},
	"history/list":    {{route: "GET /settings/history"}},
	"history/show":    {{route: "GET /settings/history/", last: "$ENTRY"}},
	"history/undo":    {{"POST /settings/history/undo", "", `{"id":"$ENTRY"}`, later, []string{cliFile}}},
	"history/purge":   {{"DELETE /settings/history", "", "", `{"ok":true,"effect":"immediate","changed":true,"removed":1}`, nil}},
	"config/set":      {{"PUT /settings/config/ui", "", `{"theme":null,"locale":"zh-CN"}`, later, []string{cliFile}}},
	"backups/restore": {{"POST /settings/backups/restore", "", `{"file":"cliConfig","path":"$HOME/cli/config.json.bak-2026-01-02T03-04-05-678Z"}`, `{"ok":true,"effect":"needs-restart","changed":true,"restored":"$HOME/cli/config.json.bak-2026-01-02T03-04-05-678Z"}`, []string{cliFile}}},
}

func imported(step string) string {
	return `{"ok":true,"effect":"needs-restart","changed":true,"servers":[` + step + `]}`
}

// TestEveryOperation sends each request, the first time at the other mount; the
// client of the fixture compares every answer with openapi.yaml.
func TestEveryOperation(t *testing.T) {
	names := map[string]bool{}
	for o := range settings.NewCatalog((&settings.Engine{}).Operations()).All() {
		names[o.Name] = true
		if len(requests[o.Name]) == 0 {
			t.Errorf("no request for %s", o.Name)
		}
		for _, r := range requests[o.Name] {
			method, path, _ := strings.Cut(r.route, " ")
			if !slices.Contains(o.Methods, method) {
				t.Errorf("%s does not take %s", o.Name, method)
			}
			t.Run(o.Name+" "+r.route, func(t *testing.T) { r.run(t, o, method, path) })
		}
	}
	for name := range requests {
		if !names[name] {
			t.Errorf("there is no operation %s", name)
		}
	}
}

func (r request) run(t *testing.T, o settings.Operation, method, path string) {
	f := inhabited(t)
	f.write("cli/config.json.bak-2026-01-02T03-04-05-678Z", "{}\n")
	if o.Name == "doctor/fix" {
		f.write(staleLock, `{"pid":2147483646,"createdAt":1,"token":"1"}`)
	}
	if strings.HasPrefix(o.Name, "history/") {
		f.entry = f.call(http.MethodPut, "/settings/config/ui", `{"theme":"light"}`).text(t, "history")
	}
	path += url.PathEscape(f.named(r.last))
	before := f.tree()
	if !o.Writes() {
		for _, mount := range []string{"/api", ""} {
			if got := f.call(method, mount+path, ""); got.status != http.StatusOK {
				t.Errorf("got %d %s", got.status, got.body)
			}
		}
		f.wantChanged(t, before, nil)
		return
	}
	dry := f.call(method, "/api"+path+"?dryRun=true", f.named(r.body))
	if dry.status != http.StatusOK || dry.header.Get("ETag") != "" || dry.members(t)["dryRun"] != true || dry.text(t, "effect") != string(effectOf(r)) {
		t.Errorf("dry run: %d %s", dry.status, dry.body)
	}
	f.wantChanged(t, before, nil)
	got := f.call(method, path, f.named(r.body))
	if got.status != http.StatusOK || got.header.Get("ETag") != `"`+got.text(t, "etag")+`"` {
		t.Fatalf("got %d %s, ETag %s", got.status, got.body, got.header.Get("ETag"))
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(f.named(r.want)), &want); err != nil {
		t.Fatal(err)
	}
	answer := got.members(t)
	unrecorded := o.Name == "history/purge" || o.Name == "doctor/fix" // a lock is no setting
	if recorded := answer["history"] != nil; recorded == unrecorded {
		t.Errorf("in the history: %v (%s)", recorded, got.body)
	}
	for _, name := range []string{"etag", "backup", "agent", "history"} {
		delete(answer, name)
	}
	if diff := cmp.Diff(want, answer); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	f.wantChanged(t, before, r.files)
}

func effectOf(r request) settings.Effect {
	if strings.Contains(r.want, string(settings.Immediate)) {
		return settings.Immediate
	}
	return settings.NeedsRestart
}

// named puts the folders of the fixture into a text.
func (f *fixture) named(text string) string {
	return strings.NewReplacer("$ENTRY", f.entry, "$HOME", f.dir, "$ROOT", strings.TrimSuffix(f.dir, "/.zcode")).Replace(text)
}

func (f *fixture) wantChanged(t *testing.T, before map[string]string, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, differing(before, f.tree())); diff != "" {
		t.Errorf("files that changed (-want +got):\n%s", diff)
	}
}
