package settings

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/agents"
)

// AgentsList is the answer of agents/list.
type AgentsList struct {
	OK       bool     `json:"ok"`
	Agents   []Agent  `json:"agents"` // the built-in ones first
	BuiltIn  []string `json:"builtIn"`
	ETag     string   `json:"etag"`
	Warnings []string `json:"warnings,omitempty"`

	problem error // of the state file, behind the first warning
}

// Agent is one subagent as ZCode sees it.
type Agent struct {
	Name           string         `json:"name"`
	ID             string         `json:"id,omitempty"` // by which a plugin's agent is set
	FileName       string         `json:"fileName"`     // below its folder, "" when built in
	Path           string         `json:"path"`
	Frontmatter    jsontext.Value `json:"frontmatter"`
	SystemPrompt   string         `json:"systemPrompt"`
	Enabled        bool           `json:"enabled"`
	ReadOnly       bool           `json:"readOnly"`
	ModelSelection *AgentModel    `json:"modelSelection,omitempty"`
	Source         string         `json:"source"`           // "built-in", "user", "project", "plugin"
	Origin         string         `json:"origin,omitempty"` // the plugin's id
	Warnings       []string       `json:"warnings,omitempty"`
}

// AgentModel is the model that an agent runs on; nil inherits.
type AgentModel struct {
	ProviderID   string `json:"providerId"`
	ModelID      string `json:"modelId"`
	ThoughtLevel string `json:"thoughtLevel,omitempty"` // the reasoning level, by the name that existing clients know
}

// AgentText is the answer of agents/show.
type AgentText struct {
	OK    bool   `json:"ok"`
	Agent Agent  `json:"agent"`
	Text  string `json:"text,omitempty"` // of its file, unless that holds secrets
	ETag  string `json:"etag"`
}

// AgentWritten is the answer of a write of an agent that has a file.
type AgentWritten struct {
	Written
	Agent *Agent `json:"agent,omitempty"`

	text []byte // of the file now
}

// AgentSet adds an agent, or changes members of one: those of its front matter,
// and prompt. Of a built-in or plugin agent it sets the model: providerId, modelId
// and reasoningLevel, or all of them null.
type AgentSet struct {
	Name    string         `json:"name"`
	Members jsontext.Value `json:",embed"`
}

// AgentRename gives an agent another name; its file stays where it is.
type AgentRename struct {
	Name    string `json:"name"`
	NewName string `json:"newName"`
}

// AgentEnable turns an agent on or off.
type AgentEnable struct {
	Name    string `json:"name"`
	Enabled *bool  `json:"enabled"`
	Enable  *bool  `json:"enable"`
}

// AgentShow names an agent, of the project in cwd as well.
type AgentShow struct {
	Name string `json:"name"`
	Cwd  string `json:"cwd"` // absolute
}

// AgentName names an agent by its front matter.
type AgentName struct {
	Name string `json:"name"`
}

func (e *Engine) agentOperations() []Operation {
	return []Operation{
		Read("agents/list", "/settings/agents", "List the subagents.", e.listAgents),
		Read("agents/show", "/settings/agents/{name}", "Show one subagent, with the text of its file.", e.showAgent),
		Write("agents/upsert", "PUT /settings/agents/{name}", NeedsRestart,
			"Add a subagent, or change members of one; null removes a member.", e.upsertAgent),
		Write("agents/rename", "POST /settings/agents/{name}/rename", NeedsRestart, "Give a subagent another name.", e.renameAgent),
		Write("agents/enable", "POST,PUT /settings/agents/{name}/enable", NeedsRestart, "Turn a subagent on or off.", e.enableAgent),
		Write("agents/delete", "DELETE /settings/agents/{name}", NeedsRestart,
			"Delete a subagent; its file is kept as a backup.", e.deleteAgent),
	}
}

func (e *Engine) listAgents(ctx context.Context, in InProject) (*AgentsList, error) {
	seen, err := e.seeAgents(ctx)
	if err != nil {
		return nil, err
	}
	list := &AgentsList{
		OK: true, ETag: seen.tag(), Warnings: seen.warnings(), problem: seen.state.problem,
		Agents: append(seen.builtIn(), seen.users()...),
	}
	for _, b := range agents.BuiltIns() {
		list.BuiltIn = append(list.BuiltIn, b.Name)
	}
	list.Agents = append(list.Agents, e.pluginAgents(ctx, in, seen)...)
	project, warnings, err := projectAgents(ctx, in)
	if err != nil {
		return nil, err
	}
	list.Agents = append(list.Agents, project...)
	list.Warnings = append(list.Warnings, warnings...)
	return list, nil
}

func (e *Engine) showAgent(ctx context.Context, in AgentShow) (*AgentText, error) {
	list, err := e.listAgents(ctx, InProject{Cwd: in.Cwd})
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list.Agents, func(a Agent) bool { return a.Name == in.Name || a.ID == in.Name })
	if i < 0 {
		return nil, unknownAgent(in.Name)
	}
	shown := &AgentText{OK: true, Agent: list.Agents[i], ETag: list.ETag}
	if shown.Agent.Source != "user" {
		return shown, nil
	}
	seen, err := e.seeAgents(ctx)
	if err != nil {
		return nil, err
	}
	file, err := seen.find(in.Name)
	if err != nil {
		return nil, err
	}
	if agents.Presentable(file.Text) {
		shown.Text = string(file.Text)
	}
	return shown, nil
}

func unknownAgent(name string) error {
	return fmt.Errorf("%w: there is no agent %q: list the agents to see the names", ErrUnknown, name)
}
