package cliconfig

import (
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// hookEvents are the events of ZCode 3.14.0 and 3.15.1; any other name costs
// the whole file.
var hookEvents = []string{
	"SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest",
	"PostToolUse", "PostToolUseFailure", "Stop",
}

var hooks = schema.Strict(
	schema.Field{Name: "enabled", Rule: schema.Boolean},
	schema.Field{Name: "timeoutMs", Rule: schema.Positive},
	schema.Field{Name: "maxOutputBytes", Rule: schema.Positive},
	schema.Field{Name: "events", Rule: schema.Strict(eventFields()...)},
)

func eventFields() []schema.Field {
	fields := make([]schema.Field, len(hookEvents))
	for i, event := range hookEvents {
		fields[i] = schema.Field{Name: event, Rule: schema.ArrayOf(hookMatcher, 0)}
	}
	return fields
}

var hookMatcher = schema.Strict(
	schema.Field{Name: "matcher", Rule: schema.NonEmpty},
	schema.Field{Name: "hooks", Rule: schema.ArrayOf(hook, 1), Required: true},
)

var hook = schema.Union("type", map[string]schema.Rule{
	"process": schema.Open(
		schema.Field{Name: "command", Rule: schema.NonEmpty, Required: true},
		schema.Field{Name: "enabled", Rule: schema.Boolean},
		schema.Field{Name: "args", Rule: texts},
		schema.Field{Name: "timeoutMs", Rule: schema.Positive},
		schema.Field{Name: "statusMessage", Rule: schema.NonEmpty},
	),
	"command": schema.Open(
		schema.Field{Name: "command", Rule: schema.NonEmpty, Required: true},
		schema.Field{Name: "enabled", Rule: schema.Boolean},
		schema.Field{Name: "async", Rule: schema.Boolean},
		schema.Field{Name: "shell", Rule: hookShell},
		schema.Field{Name: "timeout", Rule: schema.Positive}, // seconds
		schema.Field{Name: "timeoutMs", Rule: schema.Positive},
		schema.Field{Name: "statusMessage", Rule: schema.NonEmpty},
	),
})

func hookShell(n jsonedit.Node, r *schema.Report) {
	if on, _ := n.Bool(); !on && n.Text() == "" {
		r.Add(n, "must be true or a string that is not empty")
	}
}
