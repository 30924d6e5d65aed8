package api

import (
	"net/http"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const builtInAgents = `
	{"name": "general-purpose", "fileName": "", "path": "", "systemPrompt": "", "enabled": true, "readOnly": true, "source": "built-in",
		"frontmatter": {"name": "general-purpose", "description": "", "color": "blue", "tools": ["*"], "injectAgentsMd": true}},
	{"name": "Explore", "fileName": "", "path": "", "systemPrompt": "", "enabled": true, "readOnly": true, "source": "built-in",
		"frontmatter": {"name": "Explore", "description": "", "color": "cyan", "injectAgentsMd": false,
			"tools": ["Bash", "Glob", "Grep", "Read", "WebFetch", "WebSearch", "TodoWrite"]}}`

const emptyAll = `{
	"ok": true,
	"models": {"available": [], "providers": [], "modelRules": [], "order": []},
	"skills": [],
	"mcp": {"servers": []},
	"hooks": {},
	"agents": [` + builtInAgents + `],
	"usage": {"available": false, "reason": "not part of this version", "range": "7d",
		"summary": {"totalTokens": 0, "requestCount": 0, "models": 0}, "models": [], "daily": []},
	"resetCards": {"providers": ["account:bigmodel-individual-coding-plan", "account:bigmodel-team-coding-plan",
		"account:zai-individual-coding-plan", "account:zai-team-coding-plan"],
		"credentials": false, "reason": "not part of this version"},
	"workflow": {"available": false},
	"unavailable": ["usage", "resetCards"],
	"problems": []
}`

// TestReadsOfAnEmptyHome: a 404 would make existing clients hide all settings.
func TestReadsOfAnEmptyHome(t *testing.T) {
	tests := []struct {
		path, want string
		without    []string
	}{
		{"/settings/all", emptyAll, nil},
		{"/settings/models", `{"ok":true,"models":{"available":[],"providers":[],"modelRules":[],"order":[]}}`, []string{"etag"}},
		{"/settings/mcp", `{"ok":true,"mcp":{"servers":[]}}`, []string{"etag"}},
		{"/settings/skills", `{"ok":true,"skills":[]}`, []string{"etag"}},
		{"/settings/hooks", `{"ok":true,"hooks":{},"enabled":false,"entries":[],"project":[]}`, []string{"etag"}},
		{"/settings/plugins", `{"ok":true,"plugins":[]}`, []string{"etag"}},
		{"/settings/agents", `{"ok":true,"builtIn":["general-purpose","Explore"],"agents":[` + builtInAgents + `]}`, []string{"etag"}},
		{"/settings/config", `{"ok":true}`, []string{"sections"}},
		{"/settings/config/memory", `{"ok":true,"name":"memory","set":null,"fields":[{"name":"use","type":"boolean","default":true,"set":false}]}`, []string{"etag"}},
		{"/settings/doctor", `{"ok":true}`, []string{"home", "files", "findings"}},
		{"/settings/backups", `{"ok":true,"backups":{"providerConfig":[],"cliConfig":[],"agentsState":[],"agents":[]}}`, nil},
		{"/settings/where", `{"ok":true}`, []string{"home", "places", "notes"}},
		{"/api/quota", `{"glm":{"kind":"unavailable"},"opencode":{"kind":"not_configured"},"ollama":{"kind":"not_configured"}}`, nil},
	}
	f := newFixture(t)
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			got := f.call(http.MethodGet, test.path, "")
			if got.status != http.StatusOK {
				t.Fatalf("status %d: %s", got.status, got.body)
			}
			sameJSON(t, got.body, test.want, test.without...)
		})
	}
}

func TestInstancesIsAnArray(t *testing.T) {
	if got := newFixture(t).call(http.MethodGet, "/api/instances", ""); string(got.body) != "[]" {
		t.Errorf("got %s, want []", got.body)
	}
}

func TestModelsList(t *testing.T) {
	const router = `{"providerId":"p1","providerName":"Router","enabled":true,"modelIds":["m1"],"baseUrl":"https://router.example/v1",
		"apiType":"openai-chat-completions","accessType":"api-key","apiKey":{"set":true,"hint":"…0000"},"group":"standard-personal","completeHere":true}`
	const rule = `{"providerId":"p1","modelId":"m1","enabled":true,"contextWindow":400000,"reasoningLevels":["low","medium","high"]}`
	const rest = `"available":[{"providerId":"p1","modelId":"m1","providerName":"Router"}],"order":["p1"],"default":{"providerId":"p1","modelId":"m1"}`
	tests := []struct{ file, want string }{
		{"canonical.json", `{"ok":true,"models":{"providers":[` + router + `],"modelRules":[` + rule + `],` + rest + `}}`},
		{"account-rule.json", `{"ok":true,"models":{"providers":[` + router + `,
			{"providerId":"account:zai-individual-coding-plan","enabled":false,"modelIds":[],"account":true,"completeHere":false}
			],"modelRules":[` + rule + `],` + rest + `}}`},
		{"manual-rule.json", `{"ok":true,"models":{"providers":[` + router + `],"modelRules":[
			{"providerId":"p1","modelId":"m2","enabled":true,"manual":true,"contextWindow":128000,"reasoningLevels":["low","high"],"maxOutputTokens":32000,
			"capabilities":{"supportsJsonSchemaOutput":true,"supportsNativeWebSearch":false,"supportsMidConversationSystem":false},
			"inputFormat":{"supportsImage":true,"supportsVideo":false,"supportsPdf":false}}],` + rest + `}}`},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			f := newFixture(t)
			f.write(providerFile, example(t, "provider/"+test.file))
			sameJSON(t, f.call(http.MethodGet, "/settings/models", "").body, test.want, "etag")
		})
	}
}

func TestMCPList(t *testing.T) {
	tests := []struct{ file, want string }{
		{"unknown-keys.json", `[{"name":"files","type":"stdio","command":"npx","args":["-y","server-files"],"env":{"ROOT":"********"},"enabled":true,"source":"user"}]`},
		{"legacy-enable.json", `[
			{"name":"old","type":"stdio","command":"old","enabled":false,"source":"user","legacy":["enable"]},
			{"name":"remote","type":"http","url":"https://r.example/mcp","headers":{"Authorization":"********"},"enabled":true,"source":"user","legacy":["type remote","http_headers"]}]`},
		{"transport.json", `[{"name":"s","type":"stdio","command":"run","args":["--x"],"env":{"TOKEN":"********"},"cwd":"/srv","timeoutMs":60000,"enabled":true,"source":"user"}]`},
		{"extra-mcp-key.json", `[
			{"name":"bad","type":"stdio","command":"x","enabled":true,"source":"user","ignored":"ZCode skips this server: /autoApprove is not known to ZCode here"},
			{"name":"good","type":"stdio","command":"y","enabled":true,"source":"user"}]`},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			f := newFixture(t)
			f.write(cliFile, example(t, "cli-config/"+test.file))
			sameJSON(t, f.call(http.MethodGet, "/settings/mcp", "").body, `{"ok":true,"mcp":{"servers":`+test.want+`}}`, "etag")
		})
	}
}

func TestMCPListShowsTheSharedFile(t *testing.T) {
	f := newFixture(t)
	f.write(agentsFile, `{"mcpServers":{"shared":{"command":"s","env":{"K":"secret"}}}}`)
	const shared = `{"name":"shared","type":"stdio","command":"s","env":{"K":"********"},"enabled":true,"source":"agents"`
	sameJSON(t, f.call(http.MethodGet, "/settings/mcp", "").body, `{"ok":true,"mcp":{"servers":[`+shared+`}]}}`, "etag")

	f.write(cliFile, `{"mcp":{"servers":{"own":{"command":"o"}}}}`)
	servers := f.call(http.MethodGet, "/settings/mcp", "").members(t)["mcp"].(map[string]any)["servers"].([]any)
	if len(servers) != 2 || servers[1].(map[string]any)["ignored"] == nil {
		t.Errorf("the shared server is not shown as ignored: %v", servers)
	}
}

// TestBrokenFile: the section tells where, everything else still reads, and the
// bytes stay.
func TestBrokenFile(t *testing.T) {
	ofCLI := []string{"mcp", "skills", "hooks"}
	tests := []struct {
		file, document string
		sections       []string // of all, each with a read of its own
		line, column   float64
	}{
		{cliFile, "cli-config/truncated.json", ofCLI, 4, 21},
		{cliFile, "cli-config/array.json", ofCLI, 1, 1},
		{cliFile, "cli-config/comments.json", ofCLI, 2, 3},
		{cliFile, "cli-config/duplicate-keys.json", ofCLI, 4, 3},
		{providerFile, "provider/unknown-subkey.json", []string{"models"}, 0, 0},
		{stateFile, "cli-config/comments.json", []string{"agents"}, 2, 3},
	}
	for _, test := range tests {
		t.Run(filepath.Base(test.document), func(t *testing.T) {
			f := newFixture(t)
			f.write(test.file, example(t, test.document))
			problems, _ := f.call(http.MethodGet, "/settings/all", "").members(t)["problems"].([]any)
			if len(problems) != len(test.sections) {
				t.Fatalf("problems of all = %v, want %v", problems, test.sections)
			}
			for i, section := range test.sections {
				own := f.call(http.MethodGet, "/settings/"+section, "")
				own.wantError(t, http.StatusInternalServerError, "broken")
				m := own.members(t)
				if m["line"] == nil || m["column"] == nil || test.line > 0 && (m["line"] != test.line || m["column"] != test.column) {
					t.Errorf("place is line %v, column %v, want %v, %v", m["line"], m["column"], test.line, test.column)
				}
				if m["file"] != filepath.Join(f.dir, test.file) {
					t.Errorf("file = %v", m["file"])
				}
				want := map[string]any{"section": section, "code": "broken", "error": m["error"], "line": m["line"], "column": m["column"]}
				if diff := cmp.Diff(want, problems[i]); diff != "" {
					t.Errorf("problem (-own read +all):\n%s", diff)
				}
			}
			for _, other := range []string{"models", "mcp", "skills", "hooks", "agents"} {
				got := f.call(http.MethodGet, "/settings/"+other, "")
				if reads := got.status == http.StatusOK; reads == slices.Contains(test.sections, other) {
					t.Errorf("%s: %d %s", other, got.status, got.body)
				}
			}
			if got := f.read(test.file); got != example(t, test.document) {
				t.Errorf("the file changed: %q", got)
			}
		})
	}
}

func TestNewerFileIsReadAndNotWritten(t *testing.T) {
	f := newFixture(t)
	f.write(providerFile, example(t, "provider/future-version.json"))
	read := f.call(http.MethodGet, "/settings/models", "")
	if warnings, _ := read.members(t)["warnings"].([]any); read.status != http.StatusOK || len(warnings) != 1 {
		t.Errorf("read: %d %s", read.status, read.body)
	}
	all := f.call(http.MethodGet, "/settings/all", "").members(t)["problems"].([]any)
	if len(all) != 1 || all[0].(map[string]any)["code"] != "newer_version" {
		t.Errorf("problems of all = %v", all)
	}
	for _, repair := range []string{"", "?repair=true"} {
		f.call(http.MethodPut, "/settings/providers/p1"+repair, `{"enabled":false}`).wantError(t, http.StatusInternalServerError, "newer_version")
	}
	if got := f.read(providerFile); got != example(t, "provider/future-version.json") {
		t.Errorf("the file changed: %s", got)
	}
}

func TestWhereNamesTheFiles(t *testing.T) {
	f := newFixture(t)
	f.write(cliFile, "{}")
	m := f.call(http.MethodGet, "/settings/where", "").members(t)
	if m["home"] != f.dir {
		t.Errorf("home = %v, want %v", m["home"], f.dir)
	}
	found := map[any]map[string]any{}
	for _, p := range m["places"].([]any) {
		place := p.(map[string]any)
		found[place["place"]] = place
	}
	for name, want := range map[string]struct {
		file   string
		exists bool
	}{"cliConfig": {cliFile, true}, "providerConfig": {providerFile, false}} {
		got := found[name]
		if got["path"] != filepath.Join(f.dir, want.file) || got["exists"] != want.exists || got["decidedBy"] != "--home" {
			t.Errorf("%s = %v", name, got)
		}
	}
}
