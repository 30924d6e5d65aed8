package settings

import (
	"cmp"
	"context"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
)

// ModelsList is the answer of models/list: providers, their models and rules.
type ModelsList struct {
	OK       bool            `json:"ok"`
	Models   provider.Models `json:"models"`
	ETag     string          `json:"etag"`
	Warnings []string        `json:"warnings,omitempty"`
}

// Tag returns the etag of the section.
func (l *ModelsList) Tag() string { return l.ETag }

// ModelName names a model of a provider.
type ModelName struct {
	ProviderID string `json:"providerId"`
	ModelID    string `json:"modelId"`
}

func (e *Engine) modelOperations() []Operation {
	return []Operation{
		Read("models/list", "/settings/models", "List providers, models and their rules.", e.listModels),
		Write("models/upsert", "POST /settings/models", Immediate, "Add a model to a provider, or change its rule.", e.upsertModel),
		Write("models/default", "PUT /settings/models/default", Immediate, "Choose the model that new sessions start with; nulls clear it.", e.defaultModel),
		Write("models/remove", "DELETE /settings/models/{providerId}/{modelId...}", Immediate, "Remove a model from a provider.", e.removeModel),
	}
}

func (e *Engine) listModels(ctx context.Context, _ None) (*ModelsList, error) {
	d, err := e.load(ctx, providerConfig)
	if err != nil {
		return nil, err
	}
	return &ModelsList{
		OK: true, Models: provider.List(d.doc), ETag: providerConfig.etag("models", d.doc, nil), Warnings: d.warnings(),
	}, nil
}

func (e *Engine) upsertModel(ctx context.Context, call Call, in provider.ModelPatch) (*Written, error) {
	if err := cmp.Or(required("/providerId", in.ProviderID), required("/modelId", in.ModelID)); err != nil {
		return nil, err
	}
	return e.changeProviders(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return provider.UpsertModel(d, in, e.builtinProvider)
	})
}

func (e *Engine) removeModel(ctx context.Context, call Call, in ModelName) (*Written, error) {
	if err := cmp.Or(required("/providerId", in.ProviderID), required("/modelId", in.ModelID)); err != nil {
		return nil, err
	}
	return e.changeProviders(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return provider.RemoveModel(d, in.ProviderID, in.ModelID)
	})
}

// DefaultModel is the body of models/default: both ids, or both null.
type DefaultModel struct {
	ProviderID     provider.Optional[string] `json:"providerId"`
	ModelID        provider.Optional[string] `json:"modelId"`
	ReasoningLevel *string                   `json:"reasoningLevel"`
}

func (e *Engine) defaultModel(ctx context.Context, call Call, in DefaultModel) (*Written, error) {
	var selection *provider.Selection
	switch {
	case !in.ProviderID.Set || !in.ModelID.Set || in.ProviderID.Null != in.ModelID.Null:
		return nil, invalid("", "providerId and modelId are needed both; send both as null to clear the default")
	case !in.ProviderID.Null:
		selection = &provider.Selection{ProviderID: in.ProviderID.Value, ModelID: in.ModelID.Value}
		if in.ReasoningLevel != nil {
			selection.ReasoningLevel = *in.ReasoningLevel
		}
	}
	return e.changeProviders(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return provider.SetDefault(d, selection)
	})
}

// changeProviders runs an edit of the provider table, which ZCode reads again
// within about a second.
func (e *Engine) changeProviders(ctx context.Context, call Call, apply func(*jsonedit.Doc) (*jsonedit.Doc, []string, error)) (*Written, error) {
	return e.change(ctx, call, edit{document: providerConfig, section: "models", effect: Immediate, apply: apply})
}
