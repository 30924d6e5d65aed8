package provider

import (
	"fmt"

	"zcode-acp/settings/jsonedit"
)

// Order sets the order in which ZCode lists providers; ids of other layers may
// stand in it too.
func Order(d *jsonedit.Doc, ids []string) (*jsonedit.Doc, []string, error) {
	c := begin(d)
	if c.err == nil {
		c.fail(checkList("order", ids, mustBeID))
	}
	c.put(orderPath, array(ids))
	return c.end("ordering the providers")
}

// SetDefault sets the model that ZCode starts with, or clears it when s is
// nil. The model may be one of another layer.
func SetDefault(d *jsonedit.Doc, s *Selection) (*jsonedit.Doc, []string, error) {
	c := begin(d)
	if s == nil {
		c.drop(defaultPath, 1)
		return c.end("clearing the default model")
	}
	if c.err == nil {
		c.fail(s.refuse())
	}
	var options []byte
	if s.ReasoningLevel != "" {
		options = object(member{"reasoningLevel", jsonedit.Quote(s.ReasoningLevel)})
	}
	c.put(defaultPath, object(
		member{"providerId", jsonedit.Quote(s.ProviderID)},
		member{"modelId", jsonedit.Quote(s.ModelID)},
		member{"options", options}))
	return c.end(fmt.Sprintf("making model %q of provider %q the default", s.ModelID, s.ProviderID))
}

func (s Selection) refuse() error {
	if err := checkText("providerId", s.ProviderID, mustBeID); err != nil {
		return err
	}
	if err := checkText("modelId", s.ModelID, mustBeID); err != nil || s.ReasoningLevel == "" {
		return err
	}
	return checkText("reasoningLevel", s.ReasoningLevel, mustBeID)
}
