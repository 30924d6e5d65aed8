package provider

// ProviderPatch is a change of a provider; absent members stay as they are,
// null takes a member away. A mask in BaseURL, APIKeyManagementURL or a header
// keeps what is there.
type ProviderPatch struct {
	Enabled             Optional[bool]              `json:"enabled,omitzero"` // never null
	ProviderName        Optional[string]            `json:"providerName,omitzero"`
	APIType             Optional[string]            `json:"apiType,omitzero"` // anthropic-messages, openai-chat-completions or openai-responses
	BaseURL             Optional[string]            `json:"baseUrl,omitzero"`
	Headers             Optional[map[string]string] `json:"headers,omitzero"`    // replaces all headers
	Visibility          Optional[string]            `json:"visibility,omitzero"` // visible or hidden
	APIKeyManagementURL Optional[string]            `json:"apiKeyManagementUrl,omitzero"`
}

// NewProvider is a provider to create. Nil members are left out of the file,
// but Enabled, which is then true.
type NewProvider struct {
	ProviderID          string            `json:"providerId"`
	ProviderName        *string           `json:"providerName,omitempty"`
	TemplateID          *string           `json:"templateId,omitempty"` // a template of ZCode's built-in table
	Enabled             *bool             `json:"enabled,omitempty"`
	APIType             *string           `json:"apiType,omitempty"` // anthropic-messages, openai-chat-completions or openai-responses
	BaseURL             *string           `json:"baseUrl,omitempty"`
	APIKey              *string           `json:"apiKey,omitempty"`
	APIKeyManagementURL *string           `json:"apiKeyManagementUrl,omitempty"`
	Headers             map[string]string `json:"headers,omitempty"`
	ModelIDs            []string          `json:"modelIds,omitempty"`
}

// ModelPatch is a change of a model's rule, which is created where there is
// none; absent members stay as they are, null takes a member away.
type ModelPatch struct {
	ProviderID      string             `json:"providerId"`
	ModelID         string             `json:"modelId"`
	Enabled         Optional[bool]     `json:"enabled,omitzero"`         // never null
	ContextWindow   Optional[int64]    `json:"contextWindow,omitzero"`   // tokens
	ReasoningLevels Optional[[]string] `json:"reasoningLevels,omitzero"` // weak to strong; ZCode starts with the last
	MaxOutputTokens Optional[int64]    `json:"maxOutputTokens,omitzero"` // tokens
}

// Selection names a model, and how much it reasons.
type Selection struct {
	ProviderID     string `json:"providerId"`
	ModelID        string `json:"modelId"`
	ReasoningLevel string `json:"reasoningLevel,omitempty"`
}
