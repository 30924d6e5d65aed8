package provider

import (
	"fmt"

	"zcode-acp/settings/jsonedit"
)

// UpsertModel changes the rule of a model or creates it, and lists the model
// with its provider. known reports whether a provider stands in another layer
// than this document; nil knows none.
func UpsertModel(d *jsonedit.Doc, p ModelPatch, known func(providerID string) bool) (*jsonedit.Doc, []string, error) {
	c := begin(d)
	if c.err == nil {
		c.fail(p.refuse())
	}
	if c.err == nil {
		c.upsertModel(p, known)
	}
	return c.end(fmt.Sprintf("changing model %q of provider %q", p.ModelID, p.ProviderID))
}

// refuse looks at the patch alone.
func (p ModelPatch) refuse() error {
	for _, id := range []struct{ name, value string }{{"providerId", p.ProviderID}, {"modelId", p.ModelID}} {
		if err := checkText(id.name, id.value, mustBeID); err != nil {
			return err
		}
	}
	switch {
	case isAccount(p.ProviderID):
		return errAccount()
	case p.Enabled.Null:
		return invalid("must be true or false", "enabled")
	case p.ReasoningLevels.Set && !p.ReasoningLevels.Null && len(p.ReasoningLevels.Value) == 0:
		return invalid("must hold at least one level; send null to take them away", "reasoningLevels")
	}
	for _, n := range []struct {
		name  string
		count Optional[int64]
	}{{"contextWindow", p.ContextWindow}, {"maxOutputTokens", p.MaxOutputTokens}} {
		if reason := mustBeCount(n.count.Value); n.count.Set && !n.count.Null && reason != "" {
			return invalid(reason, n.name)
		}
	}
	return checkList("reasoningLevels", p.ReasoningLevels.Value, mustBeLevel)
}

func (c *change) upsertModel(p ModelPatch, known func(string) bool) {
	provider := findProvider(c.doc, p.ProviderID)
	smart := findModel(c.doc, smartPath, p.ProviderID, p.ModelID)
	manual := findModel(c.doc, manualPath, p.ProviderID, p.ModelID)
	switch {
	case len(manual) > 0:
		c.patchModel(manual, p, true)
	case len(smart) > 0:
		c.patchModel(smart, p, false)
	case provider.Exists() || known != nil && known(p.ProviderID):
		rule := at(smartPath, itoa(c.doc.Find(smartPath).Len()))
		c.add(smartPath, object(
			member{"modelId", jsonedit.Quote(p.ModelID)},
			member{"config", object()},
			member{"providerId", jsonedit.Quote(p.ProviderID)}))
		c.patchModel([]jsonedit.Path{rule}, p, false)
	default:
		c.fail(errUnknownProvider())
	}
	if provider.Exists() {
		c.listModel(provider.Path(), p.ModelID, len(smart)+len(manual) > 0)
	}
}

// modelField is one member of a patch, where it belongs and what to write.
type modelField struct {
	name      string
	path      jsonedit.Path // from the rule
	set, null bool
	value     []byte
}

func (p ModelPatch) fields() []modelField {
	return []modelField{
		{"contextWindow", jsonedit.Path{"config", "properties", "contextWindow"},
			p.ContextWindow.Set, p.ContextWindow.Null, number(p.ContextWindow.Value)},
		{"reasoningLevels", jsonedit.Path{"config", "optionSpecs", "reasoningLevel", "values"},
			p.ReasoningLevels.Set, p.ReasoningLevels.Null, array(p.ReasoningLevels.Value)},
		{"maxOutputTokens", jsonedit.Path{"config", "optionSpecs", "maxOutputTokens", "max"},
			p.MaxOutputTokens.Set, p.MaxOutputTokens.Null, number(p.MaxOutputTokens.Value)},
	}
}

// patchModel takes members away from all rules of the model, since a member of
// an earlier one would show again, and sets them in the last, which decides.
func (c *change) patchModel(rules []jsonedit.Path, p ModelPatch, manual bool) {
	last := rules[len(rules)-1]
	enabled := modelField{"enabled", jsonedit.Path{"config", "enabled"}, p.Enabled.Set, p.Enabled.Value, boolean(false)}
	for i, f := range append([]modelField{enabled}, p.fields()...) {
		switch {
		case !f.set:
		case f.null && manual && i > 0:
			c.fail(invalid("cannot be taken away: the rule of this model is a manual one, which must be whole", f.name))
		case f.null:
			for _, rule := range rules {
				c.drop(at(rule, f.path...), len(rule)+1)
			}
		default:
			c.put(at(last, f.path...), f.value)
		}
	}
}

// listModel adds the model to the lists of its provider that miss it.
func (c *change) listModel(rule jsonedit.Path, id string, ruled bool) {
	added := false
	for _, list := range []jsonedit.Path{modelIDsPath, modelOrderPath} {
		path := at(rule, list...)
		ids := c.doc.Find(path)
		if listed(ids, id) {
			continue
		}
		added = true
		if ids.Kind() == jsonedit.Array {
			c.add(path, jsonedit.Quote(id))
		} else {
			c.put(path, array([]string{id}))
		}
	}
	if added && ruled {
		c.note("the model was missing in the provider's list of models and was added")
	}
}

func listed(ids jsonedit.Node, id string) bool {
	for n := range ids.Children() {
		if isModelID(n, id) {
			return true
		}
	}
	return false
}
