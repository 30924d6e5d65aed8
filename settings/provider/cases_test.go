package provider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/provider"
)

const canonicalEdited = `{
  "schemaVersion": 1,
  "config": {
    "providerOrder": [
      "p1"
    ],
    "providerConfigRules": {
      "providerRules": [
        {
          "providerId": "p1",
          "providerName": "Router",
          "enabled": true,
          "config": {
            "group": "standard-personal",
            "access": {
              "type": "api-key",
              "apiKey": "sk-test-0000000000000000"
            },
            "api": {
              "type": "openai-chat-completions",
              "baseUrl": "https://router.example/v1"
            },
            "personalModelIds": [
              "m1"
            ],
            "modelOrder": [
              "m1"
            ]
          }
        }
      ]
    },
    "modelConfigRules": {
      "providerModelRules": [
        {
          "modelId": "m1",
          "config": {
            "properties": {
              "contextWindow": 200000
            },
            "optionSpecs": {
              "reasoningLevel": {
                "values": [
                  "low",
                  "high"
                ],
                "map": "{\"effort\": reasoningLevel}"
              }
            }
          },
          "providerId": "p1"
        }
      ],
      "manualProviderModelRules": []
    },
    "defaultModelSelection": {
      "providerId": "p1",
      "modelId": "m1"
    }
  }
}`

func TestCaseCanonical(t *testing.T) {
	got := run(provider.UpsertModel(load(t, "canonical.json"), provider.ModelPatch{
		ProviderID: "p1", ModelID: "m1",
		ContextWindow:   some[int64](200000),
		ReasoningLevels: some([]string{"low", "high"}),
	}, nil))
	if diff := cmp.Diff(canonicalEdited, got.canonical(t)); diff != "" {
		t.Errorf("want-, got+:\n%s", diff)
	}
	if len(got.notes) > 0 {
		t.Errorf("got notes %q, want none", got.notes)
	}
}

func TestCaseManualRule(t *testing.T) {
	d := load(t, "manual-rule.json")
	patch := provider.ModelPatch{ProviderID: "p1", ModelID: "m2", ReasoningLevels: some([]string{"off", "on"})}
	got := run(provider.UpsertModel(d, patch, nil))
	text := got.canonical(t)
	want := strings.NewReplacer(
		"                  \"low\",\n                  \"high\"\n", "                  \"off\",\n                  \"on\"\n",
		// m2 stood in no list of its provider.
		"              \"m1\"\n            ]", "              \"m1\",\n              \"m2\"\n            ]",
	).Replace(string(d.Text()))
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("want-, got+:\n%s", diff)
	}
	if len(got.notes) != 1 {
		t.Errorf("got notes %q, want one about the list", got.notes)
	}

	for name, patch := range map[string]provider.ModelPatch{
		"contextWindow":   {ContextWindow: null[int64]()},
		"reasoningLevels": {ReasoningLevels: null[[]string]()},
		"maxOutputTokens": {MaxOutputTokens: null[int64]()},
	} {
		patch.ProviderID, patch.ModelID = "p1", "m2"
		run(provider.UpsertModel(d, patch, nil)).invalidAt(t, "/"+name)
	}
}

func TestCaseUnknownSubkey(t *testing.T) {
	problems := provider.Check(load(t, "unknown-subkey.json"))
	want := []string{"/config/providerConfigRules/providerRules/0/config/timeout"}
	if got := pointers(problems); !slices.Equal(got, want) {
		t.Fatalf("got problems at %q, want %q", got, want)
	}
	if got, want := problems[0].Line, 29; got != want {
		t.Errorf("got line %d, want %d", got, want)
	}
}

func TestCaseAccountRule(t *testing.T) {
	const id = "account:zai-individual-coding-plan"
	d := load(t, "account-rule.json")
	run(provider.UpdateProvider(d, id, provider.ProviderPatch{ProviderName: some("Mine")})).refused(t, provider.ErrAccount)
	run(provider.UpsertModel(d, provider.ModelPatch{ProviderID: id, ModelID: "GLM-5", ContextWindow: some[int64](1)},
		func(string) bool { return true })).refused(t, provider.ErrAccount)
	run(provider.RemoveModel(d, id, "GLM-5")).refused(t, provider.ErrAccount)

	on := run(provider.UpdateProvider(d, id, provider.ProviderPatch{Enabled: some(true)}))
	rule := "          \"providerId\": \"" + id + "\",\n          \"enabled\": "
	want := strings.Replace(string(d.Text()), rule+"false", rule+"true", 1)
	if diff := cmp.Diff(want, on.canonical(t)); diff != "" {
		t.Errorf("enabling: want-, got+:\n%s", diff)
	}
	off := run(provider.UpdateProvider(on.doc, id, provider.ProviderPatch{Enabled: some(false)}))
	if diff := cmp.Diff(string(d.Text()), off.canonical(t)); diff != "" {
		t.Errorf("disabling: want-, got+:\n%s", diff)
	}
}

const otherOrderCreated = `{
  "schemaVersion": 1,
  "config": {
    "providerConfigRules": {
      "providerRules": [
        {
          "providerId": "p9",
          "enabled": true,
          "config": {
            "group": "standard-personal"
          }
        }
      ]
    },
    "modelConfigRules": {
      "providerModelRules": [],
      "manualProviderModelRules": []
    }
  }
}`

func TestCaseOtherOrder(t *testing.T) {
	got := run(provider.CreateProvider(load(t, "other-order.json"), provider.NewProvider{ProviderID: "p9"}))
	if diff := cmp.Diff(otherOrderCreated, got.canonical(t)); diff != "" {
		t.Errorf("want-, got+:\n%s", diff)
	}
	patch := provider.ModelPatch{ProviderID: "nowhere", ModelID: "m1"}
	run(provider.UpsertModel(got.doc, patch, nil)).refused(t, provider.ErrUnknown)
	run(provider.UpsertModel(got.doc, patch, func(string) bool { return false })).refused(t, provider.ErrUnknown)
	if got.canonical(t) != otherOrderCreated {
		t.Error("a refused change touched the document")
	}
}

func TestCaseFutureVersion(t *testing.T) {
	d := load(t, "future-version.json")
	for name, err := range everyChange(d) {
		if !strings.Contains(err.Error(), "written by a newer ZCode (schemaVersion 2)") {
			t.Errorf("%s: got error %q", name, err)
		}
		result{err: err}.refused(t, provider.ErrNewer)
	}
	if got, want := pointers(provider.Check(d)), []string{"/schemaVersion"}; !slices.Equal(got, want) {
		t.Errorf("got problems at %q, want %q", got, want)
	}
	d = set(t, load(t, "canonical.json"), []string{"schemaVersion"}, "2")
	if got := provider.List(d); len(got.Providers) != 1 || len(got.ModelRules) != 1 || got.Default == nil {
		t.Errorf("got %+v, want what a newer file says too", got)
	}
}

// The line below the table of cases: refused before anything is touched, each
// with its pointer.
func TestCaseInvalidValues(t *testing.T) {
	d := load(t, "canonical.json")
	run(provider.UpdateProvider(d, "p1", provider.ProviderPatch{ProviderName: some("")})).invalidAt(t, "/providerName")
	for pointer, patch := range map[string]provider.ModelPatch{
		"/reasoningLevels/1": {ReasoningLevels: some([]string{"low", " "})},
		"/reasoningLevels/2": {ReasoningLevels: some([]string{"low", "high", "low"})},
		"/reasoningLevels":   {ReasoningLevels: some([]string{})},
		"/contextWindow":     {ContextWindow: some[int64](0)},
		"/maxOutputTokens":   {MaxOutputTokens: some[int64](-1)},
	} {
		patch.ProviderID, patch.ModelID = "p1", "m1"
		run(provider.UpsertModel(d, patch, nil)).invalidAt(t, pointer)
	}
	both := load(t, "manual-rule.json")
	both, err := both.Insert(smart, 0, []byte(`{"modelId":"m2","config":{},"providerId":"p1"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"/config/modelConfigRules/manualProviderModelRules/0"}
	if got := pointers(provider.Check(both)); !slices.Equal(got, want) {
		t.Errorf("the same model in both lists: got problems at %q, want %q", got, want)
	}
}
