package agents

import (
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// The members of `v2/agents-state.json` that ZCode reads and writes, in the order
// in which it appends those that are missing.
const (
	builtInKey  = "builtInModelSelectionOverrides"
	pluginKey   = "pluginAgentModelSelectionOverrides"
	disabledKey = "disabledAgentIds"
)

// New returns the document of a state file that does not exist yet; edits of it
// give two spaces and no final newline, as ZCode writes the file.
func New() *jsonedit.Doc {
	d, err := jsonedit.Parse([]byte("{}"))
	if err != nil {
		panic("agents: parsing an empty object: " + err.Error())
	}
	return d
}

// Effect is what ZCode does about a problem of the state file.
type Effect string

// The effects, the widest first.
const (
	FileIgnored    Effect = "file-ignored"    // nothing in the file counts, and ZCode's next save replaces it
	SectionIgnored Effect = "section-ignored" // nothing in this member counts
	EntryDropped   Effect = "entry-dropped"   // the entry does not count, and ZCode removes it
)

// Problem is one violation of ZCode's rules and what it costs.
type Problem struct {
	schema.Problem
	Effect Effect `json:"effect"`
}

// Check returns every violation of ZCode's rules of the state file, the widest
// first.
func Check(d *jsonedit.Doc) []Problem {
	var c checker
	if d.BOM() {
		mark := schema.Problem{Line: 1, Column: 1, Rule: "must not begin with a byte order mark: ZCode cannot read it"}
		c.list = append(c.list, Problem{mark, FileIgnored})
	}
	if !c.check(d.Root(), schema.Object, FileIgnored) {
		return c.list
	}
	builtIns, plugin, disabled := d.Root().Get(builtInKey), d.Root().Get(pluginKey), d.Root().Get(disabledKey)
	hasBuiltIn := c.check(builtIns, schema.Object, SectionIgnored)
	hasPlugin := c.check(plugin, schema.Object, SectionIgnored)
	hasDisabled := c.check(disabled, schema.Kind(jsonedit.Array), SectionIgnored)
	if hasBuiltIn {
		c.entries(builtIns, builtInEntry)
	}
	if hasPlugin {
		c.entries(plugin, pluginEntry)
	}
	if hasDisabled {
		c.entries(disabled, notBlank)
	}
	return c.list
}

// checker gathers problems together with their effect.
type checker struct{ list []Problem }

// check reports whether a value is there and keeps the rule.
func (c *checker) check(n jsonedit.Node, rule schema.Rule, effect Effect) bool {
	if !n.Exists() {
		return false
	}
	problems := schema.Check(n, rule)
	for _, p := range problems {
		c.list = append(c.list, Problem{p, effect})
	}
	return len(problems) == 0
}

func (c *checker) entries(container jsonedit.Node, rule schema.Rule) {
	for n := range container.Children() {
		c.check(n, rule, EntryDropped)
	}
}

func builtInEntry(n jsonedit.Node, r *schema.Report) {
	if !IsBuiltIn(n.Key()) {
		r.Add(n, "is no built-in agent of ZCode")
		return
	}
	selectionRule(n, r)
}

func pluginEntry(n jsonedit.Node, r *schema.Report) {
	if !strings.HasPrefix(n.Key(), pluginPrefix) {
		r.Add(n, `must have a name that begins with "plugin:"`)
		return
	}
	selectionRule(n, r)
}

// selectionRule is ZCode's strict shape of a model selection.
var selectionRule = schema.Strict(
	schema.Field{Name: "providerId", Rule: notBlank, Required: true},
	schema.Field{Name: "modelId", Rule: notBlank, Required: true},
	schema.Field{Name: "options", Rule: schema.Strict(schema.Field{Name: "reasoningLevel", Rule: notBlank})},
)

func notBlank(n jsonedit.Node, r *schema.Report) {
	if n.Kind() != jsonedit.String || trim(n.Text()) == "" {
		r.Add(n, "must be a string that is not blank")
	}
}
