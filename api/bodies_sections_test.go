package api

import (
	"net/http"
	"strings"
	"testing"
)

// TestBodiesOfSections: each refusal names its place, in our own words.
func TestBodiesOfSections(t *testing.T) {
	const (
		add, update, set = "POST /settings/hooks/Stop", "PUT /settings/hooks/Stop/0", "PUT /settings/hooks"
		agent, explore   = "PUT /settings/agents/reviewer", "PUT /settings/agents/Explore"
		ui               = "PUT /settings/config/ui"
		imports          = "POST /settings/mcp/import"
	)
	tests := []struct{ name, route, body, pointer, says string }{
		{"no hook", add, `{}`, "/type", "is required"},
		{"no type", add, `{"command":"x"}`, "/type", "is required"},
		{"another type", add, `{"type":"prompt","command":"x"}`, "/type", "must be one of process, command"},
		{"no command", add, `{"type":"command","command":""}`, "/command", "must not be empty"},
		{"null for a command", add, `{"type":"command","command":null}`, "/command", "must be of type string"},
		{"string for seconds", add, `{"type":"command","command":"x","timeout":"5"}`, "/timeout", "must be of type number or null"},
		{"no time", add, `{"type":"command","command":"x","timeoutMs":0}`, "/timeoutMs", "must be more than 0"},
		{"number in arguments", add, `{"type":"process","command":"x","args":["a",1]}`, "/args/1", "must be of type string"},
		{"arguments of a shell", add, `{"type":"command","command":"x","args":["a"]}`, "/args", "does nothing in a hook of type command"},
		{"number for a shell", add, `{"type":"command","command":"x","shell":5}`, "/shell", "must be true or a string"},
		{"bad matcher", add, `{"type":"command","command":"x","matcher":"("}`, "/matcher", "a parenthesis is not closed"},
		{"negative position", add, `{"type":"command","command":"x","position":-1}`, "/position", "must be at least 0"},
		{"position behind the end", add, `{"type":"command","command":"x","position":3}`, "/position", ""},
		{"unknown member of a hook", add, `{"type":"command","command":"x","env":{}}`, "/env", "is not known"},
		{"no index", update, `{"command":"x"}`, "/hookIndex", "is required"},
		{"nothing to change", update, `{"hookIndex":0}`, "", "at least one member"},
		{"null for a command that must stay", update, `{"hookIndex":0,"command":null}`, "/command", "must be of type string"},
		{"no section", set, `{}`, "/hooks", "is required"},
		{"array for a section", set, `{"hooks":[]}`, "/hooks", "must be of type object"},
		{"unknown event", set, `{"hooks":{"events":{"SubagentStop":[]}}}`, "/hooks/events/SubagentStop", "is not known"},
		{"empty group", set, `{"hooks":{"events":{"Stop":[{"hooks":[]}]}}}`, "/hooks/events/Stop/0/hooks", "must not be empty"},
		{"hook without command", set, `{"hooks":{"events":{"Stop":[{"hooks":[{"type":"command"}]}]}}}`, "/hooks/events/Stop/0/hooks/0/command", "is required"},
		{"switch of hooks", "POST /settings/hooks/enabled", `{}`, "/enabled", "is required"},
		{"switch of hooks, null", "POST /settings/hooks/enabled", `{"enabled":null}`, "/enabled", "must be of type boolean"},
		{"no place", "POST /settings/hooks/Stop/0/0/move", `{}`, "/to", "is required"},

		{"no skill", "POST /settings/skills/enable", `{"enable":true}`, "/path", "is required"},
		{"neither spelling", "POST /settings/skills/enable", `{"path":"/x/SKILL.md"}`, "/enabled", "is required"},
		{"both spellings", "POST /settings/skills/enable", `{"path":"/x/SKILL.md","enabled":true,"enable":false}`, "/enable", "the opposite"},
		{"relative skill", "POST /settings/skills/copy-to-user", `{"path":"x/SKILL.md"}`, "", "must be absolute"},
		{"no plugin", "POST /settings/plugins/enable", `{"enabled":true}`, "/id", "is required"},
		{"no marketplace", "POST /settings/plugins/enable", `{"id":"tools","enabled":true}`, "", "<name>@<marketplace>"},

		{"colour", agent, `{"color":"black"}`, "/color", "must be one of red, blue, green, yellow, purple, orange, pink, cyan, null"},
		{"number for a model", agent, `{"model":5}`, "/model", `"provider/model"`},
		{"half a model", agent, `{"model":{"providerId":"p1"}}`, "/model/modelId", "must not be blank"},
		{"string for tools", agent, `{"tools":"Read"}`, "/tools", "must be of type array or null"},
		{"server for a name", agent, `{"mcpServers":[{"command":"x"}]}`, "/mcpServers/0", "must be the plain name of a server"},
		{"no turns", agent, `{"maxTurns":0}`, "/maxTurns", "must be at least 1"},
		{"half a turn", agent, `{"maxTurns":1.5}`, "/maxTurns", "must be of type integer"},
		{"another name", agent, `{"name":"other"}`, "/name", "differs from the one in the address"},
		{"unknown member of an agent", agent, `{"systemPrompt":"x"}`, "/systemPrompt", "is not known"},
		{"text and more", agent, `{"text":"x","color":"pink"}`, "/text", "send it alone"},
		{"text of another agent", agent, `{"text":"---\nname: other\ndescription: x\n---\n"}`, "/text", "rename the agent"},
		{"text of no agent", agent, `{"text":"x"}`, "/text", "no front matter"},
		{"no description", "PUT /settings/agents/critic", `{"color":"pink"}`, "/description", "is required to create an agent"},
		{"colour of a built-in agent", explore, `{"color":"pink"}`, "/color", "only providerId, modelId and reasoningLevel"},
		{"half a model of a built-in agent", explore, `{"providerId":"p1","modelId":null}`, "", "set providerId and modelId together"},
		{"no model of a built-in agent", explore, `{}`, "", "nothing to set"},
		{"no new name", "POST /settings/agents/reviewer/rename", `{}`, "/newName", "is required"},
		{"both spellings of an agent", "PUT /settings/agents/reviewer/enable", `{"enabled":true,"enable":false}`, "/enable", "the opposite"},

		{"nothing to set", ui, `{}`, "", "names no member to change"},
		{"unknown member of a section", ui, `{"colour":"x"}`, "/colour", "send some of locale, theme"},
		{"choice of a section", ui, `{"theme":"black"}`, "/theme", "must be one of auto, dark, light"},
		{"number for a choice", ui, `{"theme":1}`, "/theme", "auto, dark, light"},
		{"text and servers", imports, `{"text":"{}","servers":{}}`, "/text", "exclude each other"},
		{"array of servers", imports, `{"servers":[]}`, "/servers", "must be of type object"},
		{"no servers", imports, `{"servers":{}}`, "/servers", "holds no MCP servers"},
		{"text that is none", imports, `{"text":"{"}`, "", "ends too early"},
		{"unknown member of an import", imports, `{"mcpServers":{}}`, "/mcpServers", "is not known"},
		{"file of no document", "POST /settings/backups/restore", `{"file":"setting","path":"x"}`, "/file", "must be one of providerConfig, cliConfig, agentsState, agents"},
	}
	f := inhabited(t)
	before := f.tree()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			method, path, _ := strings.Cut(test.route, " ")
			for _, mount := range []string{"", "/api"} {
				got := f.call(method, mount+path, test.body)
				got.wantError(t, http.StatusBadRequest, "invalid")
				if got.text(t, "pointer") != test.pointer || !strings.Contains(got.text(t, "error"), test.says) {
					t.Errorf("got %s,\nwant %q %q", got.body, test.pointer, test.says)
				}
			}
		})
	}
	f.wantChanged(t, before, nil)
}
