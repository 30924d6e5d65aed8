package provider

import (
	"slices"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
	"zcode-acp/settings/schema"
)

// Models is what the document says, without secrets. Lists are never nil.
type Models struct {
	Available  []Model     `json:"available"`
	Providers  []Provider  `json:"providers"`
	ModelRules []ModelRule `json:"modelRules"`
	Order      []string    `json:"order"` // providers as ZCode lists them
	Default    *Selection  `json:"default,omitempty"`
}

// Model is one that can be selected: its provider and itself are enabled.
type Model struct {
	ProviderID   string `json:"providerId"`
	ModelID      string `json:"modelId"`
	ProviderName string `json:"providerName,omitempty"`
}

// Provider is one provider rule.
type Provider struct {
	ProviderID          string            `json:"providerId"`
	ProviderName        string            `json:"providerName,omitempty"`
	Enabled             bool              `json:"enabled"`
	ModelIDs            []string          `json:"modelIds"`
	BaseURL             string            `json:"baseUrl,omitempty"` // masked
	APIType             string            `json:"apiType,omitempty"`
	TemplateID          string            `json:"templateId,omitempty"`
	Account             bool              `json:"account,omitzero"` // its plan supplies the rest
	AccessType          string            `json:"accessType,omitempty"`
	APIKey              *redact.Secret    `json:"apiKey,omitempty"` // nil where the access has no key
	APIKeyManagementURL string            `json:"apiKeyManagementUrl,omitempty"`
	Headers             map[string]string `json:"headers,omitempty"` // masked
	Visibility          string            `json:"visibility,omitempty"`
	Group               string            `json:"group,omitempty"`
	Logo                string            `json:"logo,omitempty"` // key of a built-in logo

	// CompleteHere says that ZCode needs nothing beyond this rule to use the
	// provider. What is missing here may come from a template, the built-in
	// table or an account.
	CompleteHere bool     `json:"completeHere"`
	MissingHere  []string `json:"missingHere,omitempty"`
}

// ModelRule is what the document says of one model.
type ModelRule struct {
	ProviderID      string          `json:"providerId"`
	ModelID         string          `json:"modelId"`
	Enabled         bool            `json:"enabled"`
	ContextWindow   int64           `json:"contextWindow,omitzero"` // tokens
	ReasoningLevels []string        `json:"reasoningLevels,omitempty"`
	Manual          bool            `json:"manual,omitzero"`          // replaces what ZCode knows of the model
	MaxOutputTokens int64           `json:"maxOutputTokens,omitzero"` // tokens
	Capabilities    map[string]bool `json:"capabilities,omitempty"`   // by ZCode's names, like supportsToolCall
	InputFormat     map[string]bool `json:"inputFormat,omitempty"`    // by ZCode's names, like supportsImage
	OutputFormat    map[string]bool `json:"outputFormat,omitempty"`
}

// List reads what can be read, also of a newer or broken document.
func List(d *jsonedit.Doc) Models {
	m := Models{
		Available:  []Model{},
		Providers:  []Provider{},
		ModelRules: []ModelRule{},
		Order:      texts(d.Find(orderPath)),
		Default:    readSelection(d.Find(defaultPath)),
	}
	for rule := range d.Find(providersPath).Children() {
		if id := rule.Get("providerId").Text(); id != "" {
			m.Providers = append(m.Providers, readProvider(id, rule))
		}
	}
	for _, list := range []jsonedit.Path{smartPath, manualPath} {
		for rule := range d.Find(list).Children() {
			if id, ok := identity(rule); ok {
				m.ModelRules = append(m.ModelRules, readModelRule(id, rule, list[2] == manualPath[2]))
			}
		}
	}
	m.Available = available(m.Providers, enabledModels(d))
	return m
}

// enabledModels lays the rules over each other: of those which say something
// about a model, the last decides.
func enabledModels(d *jsonedit.Doc) map[[2]string]bool {
	enabled := map[[2]string]bool{}
	for _, list := range []jsonedit.Path{smartPath, manualPath} {
		for rule := range d.Find(list).Children() {
			id, _ := identity(rule)
			if value, ok := get(rule, jsonedit.Path{"config", "enabled"}).Bool(); ok {
				enabled[id] = value
			}
		}
	}
	return enabled
}

func available(providers []Provider, enabled map[[2]string]bool) []Model {
	list := []Model{}
	for _, p := range providers {
		if !p.Enabled {
			continue
		}
		for _, id := range p.ModelIDs {
			if on, ruled := enabled[[2]string{p.ProviderID, id}]; on || !ruled {
				list = append(list, Model{p.ProviderID, id, p.ProviderName})
			}
		}
	}
	return list
}

func readProvider(id string, rule jsonedit.Node) Provider {
	config := rule.Get("config")
	access, api := config.Get("access"), config.Get("api")
	p := Provider{
		ProviderID:   id,
		ProviderName: rule.Get("providerName").Text(),
		Enabled:      isEnabled(rule),
		ModelIDs:     modelIDs(config.Get("personalModelIds")),
		BaseURL:      redact.URL(api.Get("baseUrl").Text()),
		APIType:      api.Get("type").Text(),
		TemplateID:   rule.Get("templateId").Text(),
		Account:      isAccount(id),
		Headers:      redact.Map(headersOf(api)),
		Visibility:   config.Get("visibility").Text(),
		Group:        config.Get("group").Text(),
		Logo:         get(config, jsonedit.Path{"logo", "key"}).Text(),
	}
	if page := access.Get("apiKeyManagementUrl").Text(); schema.IsURL(page) {
		p.APIKeyManagementURL = redact.URL(page)
	}
	switch kind := access.Get("type").Text(); kind {
	case keyAccess, planKeyAccess:
		key := redact.Describe(access.Get("apiKey").Text())
		p.APIKey = &key
		p.AccessType = kind
	case accountAccess:
		p.AccessType = kind
	}
	if !p.Account {
		p.MissingHere = missing(config)
		p.CompleteHere = len(p.MissingHere) == 0
	}
	return p
}

// missing names what ZCode requires of a complete provider.
func missing(config jsonedit.Node) []string {
	var names []string
	need := func(name string, there bool) {
		if !there {
			names = append(names, name)
		}
	}
	access, api := config.Get("access"), config.Get("api")
	need("group", config.Get("group").Text() != "")
	switch access.Get("type").Text() {
	case accountAccess:
		for _, name := range []string{"accountType", "mode", "entitled"} {
			kind := access.Get(name).Kind()
			need(name, kind == jsonedit.String || kind == jsonedit.Bool)
		}
	case keyAccess, planKeyAccess:
		need("apiKey", trim(access.Get("apiKey").Text()) != "")
	default:
		need("apiKey", false)
	}
	need("apiType", slices.Contains(apiTypes, api.Get("type").Text()))
	need("baseUrl", schema.IsURL(api.Get("baseUrl").Text()))
	return names
}

func readModelRule(id [2]string, rule jsonedit.Node, manual bool) ModelRule {
	config := rule.Get("config")
	properties, options := config.Get("properties"), config.Get("optionSpecs")
	m := ModelRule{
		ProviderID:      id[0],
		ModelID:         id[1],
		Enabled:         isEnabled(config),
		Manual:          manual,
		ContextWindow:   count(properties.Get("contextWindow")),
		MaxOutputTokens: count(get(options, jsonedit.Path{"maxOutputTokens", "max"})),
		Capabilities:    switches(properties),
		InputFormat:     switches(properties.Get("inputFormat")),
		OutputFormat:    switches(properties.Get("outputFormat")),
	}
	if levels := texts(get(options, jsonedit.Path{"reasoningLevel", "values"})); len(levels) > 0 {
		m.ReasoningLevels = levels
	}
	return m
}

func readSelection(n jsonedit.Node) *Selection {
	s := Selection{
		ProviderID:     trim(n.Get("providerId").Text()),
		ModelID:        trim(n.Get("modelId").Text()),
		ReasoningLevel: trim(get(n, jsonedit.Path{"options", "reasoningLevel"}).Text()),
	}
	if s.ProviderID == "" || s.ModelID == "" {
		return nil
	}
	return &s
}

// isEnabled: what does not say that it is off is on.
func isEnabled(n jsonedit.Node) bool {
	on, ok := n.Get("enabled").Bool()
	return on || !ok
}

// texts returns the strings of an array.
func texts(n jsonedit.Node) []string {
	list := []string{}
	for c := range n.Children() {
		if s := c.Text(); s != "" && n.Kind() == jsonedit.Array {
			list = append(list, s)
		}
	}
	return list
}

// modelIDs returns them as ZCode takes them, trimmed.
func modelIDs(n jsonedit.Node) []string {
	list := texts(n)
	for i, id := range list {
		list[i] = trim(id)
	}
	return list
}

func headersOf(api jsonedit.Node) map[string]string {
	headers := map[string]string{}
	for c := range api.Get("headers").Children() {
		if c.Kind() == jsonedit.String && c.Key() != "" {
			headers[c.Key()] = c.Text()
		}
	}
	return headers
}

func switches(n jsonedit.Node) map[string]bool {
	found := map[string]bool{}
	for c := range n.Children() {
		if on, ok := c.Bool(); ok && c.Key() != "" {
			found[c.Key()] = on
		}
	}
	return found
}

// count reads a positive whole number, 0 when there is none.
func count(n jsonedit.Node) int64 {
	if f, ok := wholeNumber(n); ok && f > 0 && f <= 1<<53-1 {
		return int64(f)
	}
	return 0
}
