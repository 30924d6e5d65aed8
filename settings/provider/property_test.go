package provider_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
	"zcode-acp/settings/redact"
)

// optionally draws absent, null or a value; the last of several odd values is
// one that has to be refused.
func optionally[T any](t *rapid.T, name string, values ...T) provider.Optional[T] {
	switch i := rapid.IntRange(-2, len(values)-1).Draw(t, name); i {
	case -2:
		return provider.Optional[T]{}
	case -1:
		return null[T]()
	default:
		return some(values[i])
	}
}

// step draws a change; scope are the pointers below which it may change the
// document.
func step(t *rapid.T, d *jsonedit.Doc) (got result, scope []string) {
	id, mid := rapid.SampledFrom(providerIDs).Draw(t, "provider"), rapid.SampledFrom(modelIDs).Draw(t, "model")
	providers, order := rules.Pointer(), "/config/providerOrder"
	models, chosen := "/config/modelConfigRules", selection.Pointer()
	switch rapid.IntRange(0, 8).Draw(t, "change") {
	case 0:
		return run(provider.UpdateProvider(d, id, provider.ProviderPatch{
			Enabled:             optionally(t, "enabled", true, false),
			ProviderName:        optionally(t, "name", "N", "Ü", ""),
			APIType:             optionally(t, "type", append(apiTypes, "x")...),
			BaseURL:             optionally(t, "url", append([]string{redact.URL(urls[1])}, urls...)...),
			Headers:             optionally(t, "headers", map[string]string{"X-Org": redact.Mask}, map[string]string{}, map[string]string{"N": "v"}),
			Visibility:          optionally(t, "visibility", "visible", "hidden", "x"),
			APIKeyManagementURL: optionally(t, "page", "https://k.example", "k"),
		})), []string{providers}
	case 1:
		return run(provider.CreateProvider(d, provider.NewProvider{
			ProviderID: id, ModelIDs: rapid.SliceOfN(rapid.SampledFrom(modelIDs), 0, 2).Draw(t, "models"),
			APIKey: rapid.Ptr(rapid.SampledFrom([]string{"k", redact.Mask}), true).Draw(t, "key"),
		})), []string{providers}
	case 2:
		return run(provider.RemoveProvider(d, id)), []string{providers, order, models, chosen}
	case 3:
		return run(provider.SetKey(d, id, rapid.Ptr(rapid.SampledFrom([]string{"k", redact.Mask, ""}), true).Draw(t, "key"))), []string{providers}
	case 4:
		return run(provider.Order(d, rapid.SliceOfN(rapid.SampledFrom(providerIDs), 0, 3).Draw(t, "order"))), []string{order}
	case 5:
		return run(provider.RemoveModel(d, id, mid)), []string{providers, models, chosen}
	case 6:
		return run(provider.SetDefault(d, rapid.Ptr(rapid.Just(provider.Selection{ProviderID: id, ModelID: mid}), true).Draw(t, "default"))), []string{chosen}
	default:
		return run(provider.UpsertModel(d, provider.ModelPatch{
			ProviderID: id, ModelID: mid,
			Enabled:         optionally(t, "enabled", true, false),
			ContextWindow:   optionally[int64](t, "window", 1, 200000, 0),
			ReasoningLevels: optionally(t, "levels", []string{"low"}, []string{"low", "high"}, nil),
			MaxOutputTokens: optionally[int64](t, "tokens", 1, 32000, -1),
		}, func(string) bool { return rapid.Bool().Draw(t, "known") })), []string{providers, models}
	}
}

var sentinels = []error{provider.ErrInvalid, provider.ErrUnknown, provider.ErrExists, provider.ErrAccount}

// Any run of changes leaves the document valid, changes only its own parts,
// gives a known error or a document, and shows no secret.
func TestChangesKeepTheDocumentValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDocument.Draw(t, "document")
		if problems := provider.Check(d); len(problems) > 0 {
			t.Fatalf("the drawn document is not valid: %v\n%s", problems, d.Text())
		}
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			got, scope := step(t, d)
			if got.err != nil {
				if !slices.ContainsFunc(sentinels, func(want error) bool { return errors.Is(got.err, want) }) || got.doc != nil {
					t.Fatalf("got error %v of no kind, or a document beside it", got.err)
				}
				if strings.Contains(got.err.Error(), "secret-of-") {
					t.Fatalf("the error shows a secret: %v", got.err)
				}
				continue
			}
			if problems := provider.Check(got.doc); len(problems) > 0 {
				t.Fatalf("got %v in\n%s\nfrom\n%s", problems, got.doc.Text(), d.Text())
			}
			for _, change := range jsonedit.Diff(d.Root(), got.doc.Root()) {
				at := change.Path.Pointer()
				if !slices.ContainsFunc(scope, func(s string) bool { return at == s || strings.HasPrefix(at, s+"/") }) {
					t.Fatalf("changed %s, which is outside of %q", at, scope)
				}
			}
			if d = got.doc; rapid.Bool().Draw(t, "canonical") {
				d = canonical(t, d)
			}
		}
	})
}

// Whatever stands in the file, changing it neither panics nor loses the error.
func FuzzChanges(f *testing.F) {
	for _, name := range []string{"whole.json", "unknown-subkey.json", "future-version.json", "other-order.json"} {
		f.Add(string(load(f, name).Text()))
	}
	f.Add(`{"config":{"providerConfigRules":{"providerRules":[{"providerId":"p1","config":{"access":[],"api":"x"}}]}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := jsonedit.Parse([]byte(text))
		if err != nil {
			return // FuzzParse of jsonedit has these
		}
		provider.List(d)
		valid := len(provider.Check(d)) == 0
		for name, err := range everyChange(d) {
			if err != nil && valid && !slices.ContainsFunc(sentinels, func(want error) bool { return errors.Is(err, want) }) {
				t.Errorf("%s: got error %v of no kind", name, err)
			}
		}
		if out, err := provider.Canonical(d); err == nil && valid && len(provider.Check(out)) > 0 {
			t.Errorf("the canonical form is not valid: %v", provider.Check(out))
		}
	})
}
