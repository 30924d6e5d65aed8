package provider

import (
	"fmt"

	"zcode-acp/settings/jsonedit"
)

// RemoveProvider removes a provider and what would be left without it: its
// place in the order, its model rules, a default selection of its models.
func RemoveProvider(d *jsonedit.Doc, id string) (*jsonedit.Doc, []string, error) {
	c := begin(d)
	switch {
	case c.err != nil:
	case isAccount(id):
		c.fail(fmt.Errorf("it is %w: disable it here, or sign out in ZCode", ErrAccount))
	case !findProvider(d, id).Exists():
		c.fail(errUnknownProvider())
	default:
		c.removeProvider(id)
	}
	return c.end(fmt.Sprintf("removing provider %q", id))
}

func (c *change) removeProvider(id string) {
	ofProvider := func(n jsonedit.Node) bool { return isText(n.Get("providerId"), id) }
	c.remove(providersPath, ofProvider)
	if c.remove(orderPath, func(n jsonedit.Node) bool { return isText(n, id) }) > 0 {
		c.note("the provider was taken out of the order of providers")
	}
	switch rules := c.remove(smartPath, ofProvider) + c.remove(manualPath, ofProvider); rules {
	case 0:
	case 1:
		c.note("the rule of its one model was removed")
	default:
		c.note("the rules of its models were removed (%d)", rules)
	}
	if s := readSelection(c.doc.Find(defaultPath)); s != nil && s.ProviderID == id {
		c.clearDefault()
	}
}

// RemoveModel removes every rule of a model, and the model from its provider's
// lists.
func RemoveModel(d *jsonedit.Doc, providerID, modelID string) (*jsonedit.Doc, []string, error) {
	c := begin(d)
	switch {
	case c.err != nil:
	case isAccount(providerID):
		c.fail(errAccount())
	default:
		c.removeModel(providerID, modelID)
	}
	return c.end(fmt.Sprintf("removing model %q of provider %q", modelID, providerID))
}

func (c *change) removeModel(providerID, modelID string) {
	ofModel := func(n jsonedit.Node) bool { return isModelRule(n, providerID, modelID) }
	removed := c.remove(smartPath, ofModel) + c.remove(manualPath, ofModel)
	if rule := findProvider(c.doc, providerID); rule.Exists() {
		path := rule.Path()
		for _, list := range []jsonedit.Path{modelIDsPath, modelOrderPath} {
			removed += c.remove(at(path, list...), func(n jsonedit.Node) bool { return isModelID(n, modelID) })
		}
	}
	if removed == 0 {
		c.fail(fmt.Errorf("the model is %w: check both ids", ErrUnknown))
		return
	}
	if s := readSelection(c.doc.Find(defaultPath)); s != nil && s.ProviderID == providerID && s.ModelID == modelID {
		c.clearDefault()
	}
}

func (c *change) clearDefault() {
	c.drop(defaultPath, 1)
	c.note("the default model was cleared, because it was this one's")
}

// isModelID compares an entry of a provider's lists, which ZCode trims.
func isModelID(n jsonedit.Node, id string) bool {
	return n.Kind() == jsonedit.String && trim(n.Text()) == trim(id)
}
