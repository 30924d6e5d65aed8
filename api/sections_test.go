package api

import (
	"net/http"
	"strings"
	"testing"
)

const (
	helperAgent = `{"name":"helper","id":"plugin:tools@market:helper","fileName":"helper.md","path":"$HOME/` + pluginDir + `/agents/helper.md",
		"systemPrompt":"You help.","enabled":true,"readOnly":true,"source":"plugin","origin":"tools@market"`
	reviewerAgent = `{"name":"reviewer","fileName":"reviewer.md","path":"$HOME/agents/reviewer.md","systemPrompt":"You review changes.",
		"frontmatter":{"name":"reviewer","description":"Reviews a change.","color":"blue"},"enabled":true,"readOnly":false,"source":"user"}`
	firstHook  = `{"event":"Stop","matcherIndex":0,"hookIndex":0,"type":"command","command":"first","enabled":true,"timeoutMs":60000,"timeoutFrom":"default","live":true}`
	secondHook = `{"event":"Stop","matcherIndex":0,"hookIndex":1,"type":"command","command":"second","enabled":true,"timeoutMs":5000,"timeoutFrom":"timeout","live":true}`
	worldHooks = `{"enabled":true,"events":{"Stop":[{"hooks":[{"type":"command","command":"first"},{"type":"command","command":"second","timeout":5}]}]}}`
	worldTools = `{"id":"tools@market","name":"tools","marketplace":"market","version":"1.0.0","installPath":"$HOME/` + pluginDir + `","scope":"user",
		"description":"Some tools.","manifest":"$HOME/` + pluginDir + `/.zcode-plugin/plugin.json","contents":{
			"skills":[{"name":"lint","path":"$HOME/` + pluginDir + `/skills/lint/SKILL.md"}],
			"agents":[{"name":"helper","path":"$HOME/` + pluginDir + `/agents/helper.md"}],
			"commands":[{"name":"go","path":"$HOME/` + pluginDir + `/commands/go.md"}],
			"hooks":[{"event":"Stop","count":1}],
			"mcpServers":[{"name":"inside","type":"stdio","command":"inside","env":{"K":"********"},"enabled":true,"source":"plugin"}]},
		"installed":true,"enabled":true,"reason":"set in enabledPlugins"}`
)

// listedSkill is a skill that is on.
func listedSkill(name, description, dir, more string) string {
	return `{"name":"` + name + `","description":"` + description + `","dir":"` + dir + `","path":"` + dir + `/SKILL.md","realPath":"` + dir + `/SKILL.md",` + more + `,"enabled":true}`
}

// TestSections: the shapes that existing clients read, and what there is more.
func TestSections(t *testing.T) {
	skills := listedSkill("lint", "Finds mistakes.", "$HOME/"+pluginDir+"/skills/lint", `"scope":"plugin","origin":"tools@market"`) + "," +
		listedSkill("review", "Reviews a change.", "$HOME/skills/review", `"scope":"user"`) + "," +
		listedSkill("shared", "Is shared.", "$ROOT/.agents/skills/shared", `"scope":"agents"`)
	own := listedSkill("ship", "Ships it.", "$ROOT/project/.zcode/skills/ship", `"scope":"project","origin":"$ROOT/project"`)
	tests := []struct {
		path, want string
		without    []string
	}{
		{"/settings/skills", `{"ok":true,"skills":[` + skills + `]}`, []string{"etag"}},
		{"/settings/skills$PROJECT", `{"ok":true,"skills":[` + skills + `,` + own + `]}`, []string{"etag"}},
		{"/settings/hooks", `{"ok":true,"hooks":` + worldHooks + `,"enabled":true,"entries":[` + firstHook + `,` + secondHook + `],"project":[]}`, []string{"etag", "notes"}},
		{
			"/settings/hooks$PROJECT", `{"ok":true,"hooks":` + worldHooks + `,"enabled":true,"entries":[` + firstHook + `,` + secondHook + `],"project":[
				{"file":"$ROOT/project/.zcode/config.json","trust":"not trusted: ZCode asks before it runs them","entries":[` + strings.Replace(firstHook, "first", "own", 1) + `]}]}`,
			[]string{"etag", "notes"},
		},
		{"/settings/plugins", `{"ok":true,"plugins":[` + worldTools + `]}`, []string{"etag"}},
		{"/settings/agents/reviewer", `{"ok":true,"agent":` + reviewerAgent + `,"text":"---\nname: reviewer\ndescription: Reviews a change.\ncolor: blue\n---\n\nYou review changes.\n"}`, []string{"etag"}},
		{
			"/settings/config/ui", `{"ok":true,"name":"ui","set":{"theme":"dark"},"fields":[
				{"name":"locale","type":"string","values":["auto","en-US","zh-CN"],"default":"en-US","set":false},
				{"name":"theme","type":"string","values":["auto","dark","light"],"default":"auto","value":"dark","set":true}]}`,
			[]string{"etag"},
		},
	}
	f := inhabited(t)
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			got := f.call(http.MethodGet, strings.Replace(test.path, "$PROJECT", f.project(), 1), "")
			sameJSON(t, got.body, f.named(test.want), test.without...)
		})
	}
}

// TestAgentsInTheirOrder: built-in ones, the user's, those of plugins and of the
// project, each with its source.
func TestAgentsInTheirOrder(t *testing.T) {
	f := inhabited(t)
	agents := f.call(http.MethodGet, "/settings/agents"+f.project(), "").members(t)["agents"].([]any)
	var got []string
	for _, a := range agents {
		agent := a.(map[string]any)
		got = append(got, agent["name"].(string)+" "+agent["source"].(string))
	}
	if want := "general-purpose built-in, Explore built-in, reviewer user, helper plugin, own project"; strings.Join(got, ", ") != want {
		t.Errorf("agents = %s, want %s", strings.Join(got, ", "), want)
	}
	sameJSON(t, encoded(t, agents[3]), f.named(helperAgent)+`,"frontmatter":{"name":"helper","description":"Helps."}}`)
	sameJSON(t, encoded(t, agents[2]), f.named(reviewerAgent))
}

// TestAllIsTheSections: all shows what each section shows by itself.
func TestAllIsTheSections(t *testing.T) {
	f := inhabited(t)
	all := f.call(http.MethodGet, "/settings/all", "").members(t)
	for _, section := range []string{"models", "skills", "mcp", "hooks", "agents"} {
		own := f.call(http.MethodGet, "/settings/"+section, "").members(t)[section]
		sameJSON(t, encoded(t, map[string]any{section: all[section]}), string(encoded(t, map[string]any{section: own})))
	}
	sameJSON(t, encoded(t, map[string]any{"unavailable": all["unavailable"], "problems": all["problems"]}), `{"unavailable":["usage","resetCards"],"problems":[]}`)
}

// TestAgentAnswers: a write of an agent with a file shows the agent as it is now.
func TestAgentAnswers(t *testing.T) {
	f := inhabited(t)
	got := f.call(http.MethodPut, "/settings/agents/reviewer", `{"color":null,"description":"Reviews all."}`)
	want := strings.NewReplacer(`,"color":"blue"`, "", "Reviews a change.", "Reviews all.").Replace(reviewerAgent)
	sameJSON(t, got.body, f.named(`{"ok":true,"effect":"needs-restart","changed":true,"agent":`+want+`}`), "etag", "backup")
	if text, want := f.read(reviewerFile), "---\nname: reviewer\ndescription: Reviews all.\n---\n\nYou review changes.\n"; text != want {
		t.Errorf("the file is %q, want %q", text, want)
	}
	for _, body := range []string{`{"providerId":"p1","modelId":"m1","reasoningLevel":"high"}`, `{"providerId":null,"modelId":null}`} {
		got := f.call(http.MethodPut, "/settings/agents/Explore", body)
		sameJSON(t, got.body, later, "etag", "backup")
		shown := f.call(http.MethodGet, "/settings/agents/Explore", "").members(t)["agent"].(map[string]any)["modelSelection"]
		if there := shown != nil; there != strings.Contains(body, "p1") {
			t.Errorf("after %s the model is %v", body, shown)
		}
	}
}

// TestAmbiguousAgent: two files of one name are a conflict that a person solves.
func TestAmbiguousAgent(t *testing.T) {
	f := inhabited(t)
	f.write("agents/other.md", worldAgent)
	before := f.tree()
	for route, body := range map[string]string{
		"PUT /settings/agents/reviewer":         `{"color":"pink"}`,
		"POST /settings/agents/reviewer/rename": `{"newName":"critic"}`,
		"POST /settings/agents/reviewer/enable": `{"enable":false}`,
		"PUT /settings/agents/reviewer/enable":  `{"enable":false}`,
		"DELETE /settings/agents/reviewer":      "",
	} {
		method, path, _ := strings.Cut(route, " ")
		got := f.call(method, path, body)
		got.wantError(t, http.StatusConflict, "ambiguous")
		for _, file := range []string{"agents/reviewer.md", "agents/other.md"} {
			if !strings.Contains(got.text(t, "error"), f.named("$HOME/"+file)) {
				t.Errorf("%s does not name %s: %s", route, file, got.body)
			}
		}
	}
	f.wantChanged(t, before, nil)
}

// TestTakenNames are conflicts, and nothing is replaced.
func TestTakenNames(t *testing.T) {
	f := inhabited(t)
	f.write("skills/shared/SKILL.md", skillText("shared", "Is mine."))
	f.write("agents/critic.md", strings.Replace(worldAgent, "reviewer", "critic", 1))
	deleted := f.call(http.MethodDelete, "/settings/agents/reviewer", "").text(t, "backup")
	f.write("agents/moved.md", worldAgent)
	before := f.tree()
	for route, body := range map[string]string{
		"POST /settings/skills/copy-to-user":  `{"path":"$ROOT/.agents/skills/shared/SKILL.md"}`,
		"POST /settings/agents/critic/rename": `{"newName":"reviewer"}`,
		"PUT /settings/agents/Critic":         `{"description":"x"}`,
		"POST /settings/backups/restore":      `{"file":"agents","path":"` + deleted + `"}`,
	} {
		method, path, _ := strings.Cut(route, " ")
		for _, query := range []string{"?dryRun=true", ""} {
			f.call(method, path+query, f.named(body)).wantError(t, http.StatusConflict, "exists")
		}
	}
	f.wantChanged(t, before, nil)
}
