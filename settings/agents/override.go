package agents

import (
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// Selection names a model, and how much it reasons.
type Selection struct {
	ProviderID     string `json:"providerId"`
	ModelID        string `json:"modelId"`
	ReasoningLevel string `json:"reasoningLevel,omitempty"`
}

// json returns the selection in ZCode's shape and order.
func (s Selection) json() []byte {
	b := append([]byte(`{"providerId":`), jsonedit.Quote(s.ProviderID)...)
	b = append(append(b, `,"modelId":`...), jsonedit.Quote(s.ModelID)...)
	if s.ReasoningLevel != "" {
		b = append(append(b, `,"options":{"reasoningLevel":`...), jsonedit.Quote(s.ReasoningLevel)...)
		b = append(b, '}')
	}
	return append(b, '}')
}

// refuse tells what cannot stand in a selection, below a pointer.
func (s Selection) refuse(pointer string) error {
	for _, part := range []struct{ name, value string }{
		{"providerId", s.ProviderID}, {"modelId", s.ModelID}, {"reasoningLevel", s.ReasoningLevel},
	} {
		reason := ""
		switch {
		case part.value == "" && part.name == "reasoningLevel":
		case trim(part.value) == "" && part.name == "reasoningLevel":
			reason = "must not be blank: leave it out for the model's own level"
		case trim(part.value) == "":
			reason = "must not be blank: a model needs both providerId and modelId"
		case trim(part.value) != part.value:
			reason = "must not begin or end with white space"
		case hasControl(part.value):
			reason = "must not hold line breaks or other control characters"
		}
		if reason != "" {
			return &InvalidError{pointer + "/" + part.name, reason}
		}
	}
	return nil
}

// PluginAgentID returns the name under which the state file keeps the model of a
// plugin's agent; plugin is "name@marketplace".
func PluginAgentID(plugin, name string) string {
	return pluginPrefix + plugin + ":" + lower(trim(name))
}

// Override returns the model that replaces the own one of an agent: "Explore",
// "general-purpose" or an id of [PluginAgentID]. Where ZCode ignores what stands
// there, the warning says why and what to do; ok is false without a model.
func Override(d *jsonedit.Doc, agent string) (s Selection, warning string, ok bool) {
	key, known := mapOf(agent)
	if !known {
		return Selection{}, "", false
	}
	overrides := d.Root().Get(key)
	if !overrides.Exists() {
		for _, o := range legacyOverrides(d, key) {
			if o.agent == agent {
				return o.selection, "", true
			}
		}
		return Selection{}, "", false
	}
	n := overrides.Get(agent)
	if overrides.Kind() != jsonedit.Object || !n.Exists() {
		return Selection{}, "", false
	}
	s, ok = readSelection(n)
	if problems := schema.Check(n, selectionRule); len(problems) > 0 {
		warning = "ZCode ignores this model and removes it: " + problems[0].Error() + "; set it again to repair it"
	}
	return s, warning, ok
}

// readSelection reads what names a model, also where the level stands in a place
// that ZCode does not accept.
func readSelection(n jsonedit.Node) (s Selection, ok bool) {
	s = Selection{trim(n.Get("providerId").Text()), trim(n.Get("modelId").Text()), trim(n.Get("options").Get("reasoningLevel").Text())}
	for _, elsewhere := range []string{"thoughtLevel", "reasoningLevel"} {
		if s.ReasoningLevel == "" {
			s.ReasoningLevel = trim(n.Get(elsewhere).Text())
		}
	}
	if s.ProviderID == "" || s.ModelID == "" {
		return Selection{}, false
	}
	return s, true
}

// mapOf returns the member of the state file that has the model of an agent.
func mapOf(agent string) (key string, known bool) {
	if IsBuiltIn(agent) {
		return builtInKey, true
	}
	plugin, name, _ := strings.Cut(strings.TrimPrefix(agent, pluginPrefix), ":")
	return pluginKey, strings.HasPrefix(agent, pluginPrefix) && plugin != "" && name != ""
}

// SetOverride gives an agent another model: "Explore", "general-purpose" or an id
// of [PluginAgentID]; nil takes it away and leaves the empty map, without which
// ZCode would go back to what an older version stored. What another agent has
// from an older version is taken over, which the notes tell.
func SetOverride(d *jsonedit.Doc, agent string, s *Selection) (*jsonedit.Doc, []string, error) {
	return changeState(d, "setting the model of an agent", func(c *change) { c.override(agent, s) })
}

func (c *change) override(agent string, s *Selection) {
	key, known := mapOf(agent)
	if !known {
		c.err = unknownAgent(agent)
		return
	}
	if c.need(key, jsonedit.Object); c.err != nil {
		return
	}
	c.edited = agent
	if s == nil {
		if _, _, ok := Override(c.doc, agent); ok || c.doc.Root().Get(key).Get(agent).Exists() {
			c.settle()
			c.delete(key, agent)
		}
		return
	}
	if c.err = s.refuse(""); c.err != nil {
		return
	}
	if old := c.doc.Root().Get(key).Get(agent); old.Exists() && len(schema.Check(old, selectionRule)) > 0 {
		c.note("the stored model had a shape that ZCode ignores; it was replaced by one that counts")
	}
	c.settle()
	c.put(s.json(), key, agent)
}

// put stores a selection; of the built-in agents Explore stands first, since
// ZCode would put it there.
func (c *change) put(selection []byte, key, agent string) {
	overrides := c.doc.Root().Get(key)
	other := overrides.Get(generalPurpose)
	if key != builtInKey || agent != explore || overrides.Get(agent).Exists() || !other.Exists() {
		c.set(selection, key, agent)
		return
	}
	raw := other.Raw()
	c.delete(key, generalPurpose)
	c.set(selection, key, agent)
	c.set(raw, key, generalPurpose)
}
