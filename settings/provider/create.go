package provider

import (
	"fmt"

	"zcode-acp/settings/jsonedit"
)

// CreateProvider adds a provider; its id must be new. What it needs beyond the
// given members may come from its template.
func CreateProvider(d *jsonedit.Doc, n NewProvider) (*jsonedit.Doc, []string, error) {
	c := begin(d)
	if c.err == nil {
		c.fail(n.refuse(d))
	}
	if c.err == nil {
		c.add(providersPath, n.rule())
	}
	return c.end(fmt.Sprintf("creating provider %q", n.ProviderID))
}

func (n NewProvider) refuse(d *jsonedit.Doc) error {
	switch {
	case isAccount(n.ProviderID):
		return fmt.Errorf("it is %w: sign in to the account in ZCode instead", ErrAccount)
	case findProvider(d, n.ProviderID).Exists():
		return fmt.Errorf("the provider is %w: choose another id, or update that provider", ErrExists)
	}
	if err := checkText("providerId", n.ProviderID, mustBeID); err != nil {
		return err
	}
	template := textField{name: "templateId", must: mustBeID}
	for _, t := range []struct {
		field textField
		value *string
	}{
		{template, n.TemplateID},
		{nameField, n.ProviderName},
		{apiTypeField, n.APIType},
		{baseURLField, n.BaseURL},
		{keyField, n.APIKey},
		{keyPageField, n.APIKeyManagementURL},
	} {
		if t.value == nil {
			continue
		}
		if _, err := t.field.value(*t.value, ""); err != nil {
			return err
		}
	}
	if _, err := unmaskHeaders(n.Headers, nil); err != nil {
		return err
	}
	return checkList("modelIds", n.ModelIDs, mustBeID)
}

func (n NewProvider) rule() []byte {
	var kind, headers []byte
	if n.APIKey != nil || n.APIKeyManagementURL != nil {
		kind = jsonedit.Quote(keyAccess)
	}
	if len(n.Headers) > 0 {
		headers = headersText(n.Headers, jsonedit.Node{})
	}
	return object(
		member{"providerId", jsonedit.Quote(n.ProviderID)},
		member{"templateId", textIfAny(n.TemplateID)},
		member{"providerName", textIfAny(n.ProviderName)},
		member{"enabled", boolean(n.Enabled == nil || *n.Enabled)},
		member{"config", object(
			member{"group", jsonedit.Quote("standard-personal")},
			member{"access", objectIfAny(
				member{"type", kind},
				member{"apiKey", textIfAny(n.APIKey)},
				member{"apiKeyManagementUrl", textIfAny(n.APIKeyManagementURL)})},
			member{"api", objectIfAny(
				member{"type", textIfAny(n.APIType)},
				member{"baseUrl", textIfAny(n.BaseURL)},
				member{"headers", headers})},
			member{"personalModelIds", arrayIfAny(n.ModelIDs)},
			member{"modelOrder", arrayIfAny(n.ModelIDs)})})
}
