package cliconfig

import (
	"slices"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// hookEvents are the events of ZCode 3.14.0 and 3.15.1; any other name costs
// the whole file.
var hookEvents = []string{
	"SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest",
	"PostToolUse", "PostToolUseFailure", "Stop",
}

// HookEvents returns the events that ZCode up to 3.15.1 has hooks for.
func HookEvents() []string { return slices.Clone(hookEvents) }

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

// hookMatcher is the rule of a group: hooks that share a matcher. hookGroup is
// the same without a look at the hooks themselves.
var (
	hookMatcher = groupOf(hook)
	hookGroup   = groupOf(schema.Any)
)

func groupOf(hook schema.Rule) schema.Rule {
	return schema.Strict(
		schema.Field{Name: "matcher", Rule: schema.NonEmpty},
		schema.Field{Name: "hooks", Rule: schema.ArrayOf(hook, 1), Required: true},
	)
}

// hookType is how ZCode runs a hook: the values of its "type".
type hookType string

const (
	processHook hookType = "process" // a program with arguments
	commandHook hookType = "command" // a line for a shell
)

func (t hookType) known() bool { return t == processHook || t == commandHook }

// hookField is a member that hooks of a type have, of both types when only is
// empty. ZCode lets a hook have other members and ignores them.
type hookField struct {
	name string
	rule schema.Rule
	only hookType
}

func (f hookField) on(t hookType) bool { return f.only == "" || f.only == t }

var hookFields = []hookField{
	{"command", schema.NonEmpty, ""},
	{"enabled", schema.Boolean, ""},
	{"args", texts, processHook},
	{"async", schema.Boolean, commandHook},
	{"shell", hookShell, commandHook},
	{"timeout", schema.Positive, commandHook}, // seconds
	{"timeoutMs", schema.Positive, ""},
	{"statusMessage", schema.NonEmpty, ""},
}

var hook = schema.Union("type", map[string]schema.Rule{
	string(processHook): hookOf(processHook),
	string(commandHook): hookOf(commandHook),
})

func hookOf(t hookType) schema.Rule {
	var fields []schema.Field
	for _, f := range hookFields {
		if f.on(t) {
			fields = append(fields, schema.Field{Name: f.name, Rule: f.rule, Required: f.name == "command"})
		}
	}
	return schema.Open(fields...)
}

func hookShell(n jsonedit.Node, r *schema.Report) {
	if on, _ := n.Bool(); !on && n.Text() == "" {
		r.Add(n, "must be true or a string that is not empty")
	}
}
