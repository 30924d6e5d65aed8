package settings

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/provider"
)

// All is the answer of all. Sections that this version does not know yet have
// their empty shape and are named in Unavailable.
type All struct {
	OK          bool            `json:"ok"`
	Models      provider.Models `json:"models"`
	Skills      []Skill         `json:"skills"`
	MCP         MCPServers      `json:"mcp"`
	Hooks       jsontext.Value  `json:"hooks"`
	Agents      []Agent         `json:"agents"`
	Usage       Usage           `json:"usage"`
	ResetCards  ResetCards      `json:"resetCards"`
	Workflow    Availability    `json:"workflow"`
	Unavailable []string        `json:"unavailable"`
	Problems    []Problem       `json:"problems"`
}

// Availability tells that there is nothing behind a section.
type Availability struct {
	Available bool `json:"available"`
}

// Usage is the empty shape of the usage statistics.
type Usage struct {
	Available bool         `json:"available"`
	Reason    string       `json:"reason"`
	Range     string       `json:"range"`
	Summary   UsageSummary `json:"summary"`
	Models    []None       `json:"models"`
	Daily     []None       `json:"daily"`
}

// UsageSummary holds the totals that existing clients require.
type UsageSummary struct {
	TotalTokens  int64 `json:"totalTokens"`
	RequestCount int64 `json:"requestCount"`
	Models       int64 `json:"models"`
}

// ResetCards tells of which accounts reset cards could be read.
type ResetCards struct {
	Providers   []string `json:"providers"`
	Credentials bool     `json:"credentials"`
	Reason      string   `json:"reason"`
}

// Problem is a section that could not be read.
type Problem struct {
	Section string `json:"section"`
	Code    Code   `json:"code"`
	Error   string `json:"error"`
	Line    int    `json:"line,omitzero"`
	Column  int    `json:"column,omitzero"`
}

func (e *Engine) allOperations() []Operation {
	return []Operation{
		Read("all", "/settings/all", "Read all settings at once; a broken file is told in problems.", e.all),
	}
}

const notYet = "not part of this version"

func (e *Engine) all(ctx context.Context, _ None) (*All, error) {
	answer := &All{
		OK:          true,
		Models:      provider.List(provider.New()),
		MCP:         MCPServers{[]cliconfig.Server{}},
		Skills:      []Skill{},
		Hooks:       jsontext.Value("{}"),
		Agents:      []Agent{},
		Usage:       Usage{Reason: notYet, Range: "7d"},
		ResetCards:  ResetCards{Providers: codingPlanProviders, Reason: notYet},
		Unavailable: []string{"usage", "resetCards"},
	}
	table, err := e.load(ctx, providerConfig)
	if err == nil {
		answer.Models = provider.List(table.doc)
		err = table.problem
	}
	answer.note("models", err)
	servers, err := e.listMCP(ctx, None{})
	answer.note("mcp", err)
	if err == nil {
		answer.MCP = servers.MCP
		for _, problem := range servers.problems {
			answer.note("mcp", problem)
		}
	}
	skills, err := e.listSkills(ctx, InProject{})
	answer.note("skills", err)
	if err == nil {
		answer.Skills = skills.Skills
		answer.note("skills", skills.problem)
	}
	hooks, err := e.listHooks(ctx, InProject{})
	answer.note("hooks", err)
	if err == nil {
		answer.Hooks = hooks.Hooks
		answer.note("hooks", hooks.problem)
	}
	agents, err := e.listAgents(ctx, InProject{})
	answer.note("agents", err)
	if err == nil {
		answer.Agents = agents.Agents
		answer.note("agents", agents.problem)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return answer, nil
}

// codingPlanProviders are the accounts that have reset cards.
var codingPlanProviders = []string{
	"account:bigmodel-individual-coding-plan", "account:bigmodel-team-coding-plan",
	"account:zai-individual-coding-plan", "account:zai-team-coding-plan",
}

func (a *All) note(section string, err error) {
	if err == nil {
		return
	}
	body := Describe(err)
	a.Problems = append(a.Problems, Problem{section, body.Code, body.Error, body.Line, body.Column})
}

// Operations are those of the settings themselves.
func (e *Engine) Operations() []Operation {
	var list []Operation
	for _, of := range [][]Operation{
		e.allOperations(), e.modelOperations(), e.providerOperations(), e.mcpOperations(),
		e.importOperations(), e.skillOperations(), e.hookOperations(), e.pluginOperations(), e.agentOperations(),
		e.configOperations(), e.backupOperations(), e.historyOperations(), e.whereOperations(), e.doctorOperations(), e.doctorFixOperations(), e.effectiveOperations(),
	} {
		list = append(list, of...)
	}
	for i := range list {
		list[i] = e.recorded(list[i])
	}
	return list
}
