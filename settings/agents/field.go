package agents

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// field is a key that ZCode knows in the front matter.
type field struct {
	name  string
	list  bool // a list of names, which people also write with commas
	rule  schema.Rule
	value func(n jsonedit.Node) frontmatter.Value // what an edit stores of a value that keeps the rule
	judge func(v frontmatter.Value) string        // what ZCode does about a value, "" when nothing is to be told
}

// fields are in the order in which ZCode's desktop app writes them.
var fields = []field{
	{name: "name"},
	{name: "description", rule: notBlank, value: descriptionOf},
	{name: "color", rule: schema.OneOf(colors...), value: textValue, judge: oneOf(colors)},
	{name: "model", judge: judgeModel},
	{name: "thoughtLevel", rule: notBlank, value: textValue},
	{name: "tools", list: true, rule: names, value: listValue},
	{name: "disallowedTools", list: true, rule: names, value: listValue},
	{name: "skills", list: true, rule: names, value: listValue},
	{name: "permissionMode", rule: schema.OneOf(permissionModes...), value: textValue, judge: judgePermissionMode},
	{name: "maxTurns", rule: schema.PositiveInteger, value: countValue, judge: judgeMaxTurns},
	{name: "background", rule: schema.Boolean, value: boolValue, judge: judgeBool},
	{name: "injectAgentsMd", rule: schema.Boolean, value: boolValue, judge: judgeBool},
	{name: "mcpServers", list: true, rule: serverNames, value: listValue},
	{name: "memory", rule: schema.OneOf(memoryScopes...), value: textValue, judge: judgeMemory},
}

var (
	colors          = []string{"red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan"}
	permissionModes = []string{"auto", "plan", "acceptEdits", "bypassPermissions", "default", "dontAsk"}
	memoryScopes    = []string{"user", "project", "local"}
)

func findField(name string) (field, bool) {
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return field{}, false
	}
	return fields[i], true
}

func textValue(n jsonedit.Node) frontmatter.Value { return frontmatter.TextOf(n.Text()) }

func descriptionOf(n jsonedit.Node) frontmatter.Value {
	return frontmatter.Multiline(strings.ReplaceAll(n.Text(), "\r\n", "\n"))
}

func boolValue(n jsonedit.Node) frontmatter.Value {
	b, _ := n.Bool()
	return frontmatter.BoolOf(b)
}

// countValue takes 5.0 and 1e1 too, which JSON holds for the same as 5 and 10.
func countValue(n jsonedit.Node) frontmatter.Value {
	f, _ := strconv.ParseFloat(string(n.Raw()), 64)
	return frontmatter.IntOf(int64(f))
}

func listValue(n jsonedit.Node) frontmatter.Value {
	var items []string
	for c := range n.Children() {
		items = append(items, c.Text())
	}
	return frontmatter.ListOf(items...)
}

// names accepts lists of names; an empty list differs from none.
func names(n jsonedit.Node, r *schema.Report) { schema.ArrayOf(notBlank, 0)(n, r) }

// serverNames accepts lists of names of MCP servers.
func serverNames(n jsonedit.Node, r *schema.Report) {
	schema.ArrayOf(func(n jsonedit.Node, r *schema.Report) {
		if n.Kind() == jsonedit.Object {
			r.Add(n, "must be the plain name of a server: ZCode's command line rejects an agent with anything else; configure the server in cli/config.json")
			return
		}
		notBlank(n, r)
	}, 0)(n, r)
}

// oneOf tells about a value that ZCode silently ignores.
func oneOf(values []string) func(frontmatter.Value) string {
	return func(v frontmatter.Value) string {
		if slices.Contains(values, v.Text()) {
			return ""
		}
		return "is ignored by ZCode: it must be one of " + strings.Join(values, ", ")
	}
}

// judgePermissionMode knows that ZCode 3.14 has two of the modes.
func judgePermissionMode(v frontmatter.Value) string {
	if i := slices.Index(permissionModes, v.Text()); i >= 2 {
		return "is a mode that ZCode knows from 3.15.1 on: older versions ignore it"
	}
	return oneOf(permissionModes)(v)
}

func judgeMaxTurns(v frontmatter.Value) string {
	if n, ok := v.Int(); ok && n > 0 {
		return ""
	}
	return "is ignored by ZCode: it must be a whole number above 0"
}

func judgeBool(v frontmatter.Value) string {
	if _, ok := v.Bool(); ok {
		return ""
	}
	return "must be true or false"
}

func judgeMemory(v frontmatter.Value) string {
	if !slices.Contains(memoryScopes, v.Text()) {
		return fmt.Sprintf("must be one of %s (agent_invalid_memory_scope)", strings.Join(memoryScopes, ", "))
	}
	return "counts for ZCode's command line only: the desktop app drops it when it saves this agent"
}

// judgeModel tells about models that ZCode reads as none, or under another name.
func judgeModel(v frontmatter.Value) string {
	s, ok := ParseModel(v.Text(), "")
	switch {
	case !ok && !inherits(v.Text()):
		return "names no provider and model: write providerId/modelId, or inherit"
	case v.Kind() != frontmatter.Text:
		return "must be a text"
	case strings.HasPrefix(s.ProviderID, "builtin:"):
		return "has the provider id of an older version, which ZCode replaces by the present one"
	}
	return ""
}
