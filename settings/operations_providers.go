package settings

import (
	"context"
	"os"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
)

// ProviderUpdate names a provider and what changes.
type ProviderUpdate struct {
	ID string `json:"id"`
	provider.ProviderPatch
}

// ProviderID names a provider.
type ProviderID struct {
	ID string `json:"id"`
}

// ProviderKey is a new API key; null removes it.
type ProviderKey struct {
	ID     string                    `json:"id"`
	APIKey provider.Optional[string] `json:"apiKey"`
}

// ProviderOrder is the order in which ZCode shows providers.
type ProviderOrder struct {
	Order []string `json:"order"`
}

func (e *Engine) providerOperations() []Operation {
	return []Operation{
		Write("providers/order", "PUT /settings/providers/order", Immediate, "Choose the order of providers.", e.orderProviders),
		Write("providers/create", "POST /settings/providers", Immediate, "Add a provider of your own.", e.createProvider),
		Write("providers/update", "PUT /settings/providers/{id}", Immediate, "Rename a provider, turn it on or off, or change how it is reached.", e.updateProvider),
		Write("providers/set-key", "PUT /settings/providers/{id}/key", Immediate, "Set the API key of a provider; null removes it.", e.setProviderKey),
		Write("providers/remove", "DELETE /settings/providers/{id}", Immediate, "Remove a provider with its models.", e.removeProvider),
	}
}

func (e *Engine) createProvider(ctx context.Context, call Call, in provider.NewProvider) (*Written, error) {
	return e.changeProviders(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return provider.CreateProvider(d, in)
	})
}

func (e *Engine) updateProvider(ctx context.Context, call Call, in ProviderUpdate) (*Written, error) {
	if err := required("/id", in.ID); err != nil {
		return nil, err
	}
	return e.changeProviders(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return provider.UpdateProvider(d, in.ID, in.ProviderPatch)
	})
}

func (e *Engine) setProviderKey(ctx context.Context, call Call, in ProviderKey) (*Written, error) {
	if err := required("/id", in.ID); err != nil {
		return nil, err
	}
	if !in.APIKey.Set {
		return nil, invalid("/apiKey", "is required; null removes the key")
	}
	var key *string
	if !in.APIKey.Null {
		key = &in.APIKey.Value
	}
	return e.changeProviders(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return provider.SetKey(d, in.ID, key)
	})
}

func (e *Engine) orderProviders(ctx context.Context, call Call, in ProviderOrder) (*Written, error) {
	if in.Order == nil {
		return nil, invalid("/order", "is required: an array of provider ids")
	}
	return e.changeProviders(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return provider.Order(d, in.Order)
	})
}

func (e *Engine) removeProvider(ctx context.Context, call Call, in ProviderID) (*Written, error) {
	if err := required("/id", in.ID); err != nil {
		return nil, err
	}
	return e.changeProviders(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return provider.RemoveProvider(d, in.ID)
	})
}

// builtinProvider reports whether a provider stands in the newest table that
// ZCode brought along. No table, no providers of it.
func (e *Engine) builtinProvider(id string) bool {
	for _, path := range e.Layout.BuiltinProviderTables() {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		d, err := jsonedit.Parse(text)
		if err != nil {
			continue
		}
		return namesProvider(d.Root(), id)
	}
	return false
}

// namesProvider looks for the id in the lists called providerRules, wherever
// they stand: the table's outer shape differs between versions.
func namesProvider(n jsonedit.Node, id string) bool {
	for c := range n.Children() {
		if c.Key() == "providerRules" {
			for rule := range c.Children() {
				if rule.Get("providerId").Text() == id {
					return true
				}
			}
		}
		if namesProvider(c, id) {
			return true
		}
	}
	return false
}
