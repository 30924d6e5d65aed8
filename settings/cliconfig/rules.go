package cliconfig

import (
	"math"
	"strconv"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// sections are the rules of the top-level members. ZCode keeps and ignores
// members that it does not know; a known one that breaks its rule costs the
// whole file.
var sections = map[string]schema.Rule{
	"$schema": schema.Text,
	"modelStream": schema.Open(
		schema.Field{Name: "idleTimeoutMs", Rule: schema.Positive},
	),
	"permission": schema.Open(
		schema.Field{Name: "mode", Rule: permissionMode},
		schema.Field{Name: "allowedTools", Rule: texts},
		schema.Field{Name: "disallowedTools", Rule: texts},
		schema.Field{Name: "autoApproveHighRisk", Rule: schema.Boolean},
		schema.Field{Name: "allowMediumRiskInAuto", Rule: schema.Boolean},
	),
	"storage": schema.Open(
		schema.Field{Name: "dir", Rule: schema.NonEmpty},
		schema.Field{Name: "sessionDbPath", Rule: schema.NonEmpty},
	),
	"network": schema.Open(
		schema.Field{Name: "httpProxy", Rule: schema.NonEmpty},
		schema.Field{Name: "noProxy", Rule: schema.NonEmpty},
		schema.Field{Name: "caCertFile", Rule: schema.NonEmpty},
		schema.Field{Name: "timeout", Rule: schema.Positive},
	),
	"features": schema.Open(
		schema.Field{Name: "compact", Rule: schema.Boolean},
		schema.Field{Name: "rewind", Rule: schema.Boolean},
		schema.Field{Name: "subagent", Rule: schema.Boolean},
		schema.Field{Name: "memory", Rule: schema.Boolean},
		schema.Field{Name: "skill", Rule: schema.Boolean},
		schema.Field{Name: "mcp", Rule: schema.Boolean},
	),
	"memory":  schema.Open(schema.Field{Name: "use", Rule: schema.Boolean}),
	"mcp":     schema.Object, // its servers are judged one by one
	"plugins": plugins,
	"skills":  skills,
	"skill":   schema.MapOf(toggle),
	"command": schema.MapOf(toggle),
	"logging": schema.Open(
		schema.Field{Name: "level", Rule: schema.OneOf("debug", "info", "warn", "error")},
		schema.Field{Name: "format", Rule: schema.OneOf("text", "json")},
	),
	"ui": schema.Open(
		schema.Field{Name: "locale", Rule: schema.OneOf("auto", "en-US", "zh-CN")},
		schema.Field{Name: "theme", Rule: schema.OneOf("auto", "dark", "light")},
	),
	"toolConcurrency": schema.Open(
		schema.Field{Name: "maxConcurrency", Rule: schema.Positive},
	),
	"modelAnomalyGuard": schema.Open(
		schema.Field{Name: "toolCallWarningThreshold", Rule: schema.PositiveInteger},
		schema.Field{Name: "repeatedToolCallWarningThreshold", Rule: schema.PositiveInteger},
		schema.Field{Name: "maxBudgetWarningsPerTurn", Rule: countRule},
	),
	"hooks": hooks,
}

var (
	texts     = schema.ArrayOf(schema.Text, 0)
	fullTexts = schema.ArrayOf(schema.NonEmpty, 0)
	textMap   = schema.MapOf(schema.Text)
)

// toggle is the override of one skill or command.
var toggle = schema.Open(schema.Field{Name: "enable", Rule: schema.Boolean})

// skillFields are the members of `skills` that are no path of a skill.
var skillFields = map[string]schema.Rule{
	"enabled":             schema.Boolean,
	"includeInstructions": schema.Boolean,
	"metadataBudget":      schema.Positive,
	"roots":               texts,
}

func skills(n jsonedit.Node, r *schema.Report) {
	if n.Kind() != jsonedit.Object {
		r.Add(n, "must be an object")
		return
	}
	for c := range n.Children() {
		rule, ok := skillFields[c.Key()]
		if !ok {
			rule = toggle
		}
		rule(c, r)
	}
}

var permissionModes = schema.OneOf("plan", "build", "edit", "yolo", "auto")

func permissionMode(n jsonedit.Node, r *schema.Report) {
	if n.Text() == "guarded" {
		r.Add(n, "is a mode that ZCode knows from 3.15.1 on: 3.14 ignores this file")
		return
	}
	permissionModes(n, r)
}

// countRule accepts whole numbers from 0 to 2^53-1.
func countRule(n jsonedit.Node, r *schema.Report) {
	f, ok := finite(n)
	if !ok || f < 0 || f != math.Trunc(f) || f > 1<<53-1 {
		r.Add(n, "must be a whole number, 0 or more")
	}
}

// finite returns the value of a number that JavaScript does not read as Infinity.
func finite(n jsonedit.Node) (float64, bool) {
	if n.Kind() != jsonedit.Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n.Raw()), 64)
	return f, err == nil
}
