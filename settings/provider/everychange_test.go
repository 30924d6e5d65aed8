package provider_test

import (
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
)

// everyChange runs one of each kind and returns their errors.
func everyChange(d *jsonedit.Doc) map[string]error {
	key := "sk-other"
	return map[string]error{
		"UpdateProvider": run(provider.UpdateProvider(d, "p1", provider.ProviderPatch{Enabled: some(false)})).err,
		"CreateProvider": run(provider.CreateProvider(d, provider.NewProvider{ProviderID: "p9"})).err,
		"RemoveProvider": run(provider.RemoveProvider(d, "p1")).err,
		"SetKey":         run(provider.SetKey(d, "p1", &key)).err,
		"Order":          run(provider.Order(d, []string{"p1"})).err,
		"UpsertModel":    run(provider.UpsertModel(d, provider.ModelPatch{ProviderID: "p1", ModelID: "m1"}, nil)).err,
		"RemoveModel":    run(provider.RemoveModel(d, "p1", "m1")).err,
		"SetDefault":     run(provider.SetDefault(d, &provider.Selection{ProviderID: "p1", ModelID: "m1"})).err,
		"SetDefault nil": run(provider.SetDefault(d, nil)).err,
	}
}
