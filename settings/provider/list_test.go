package provider_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
	"zcode-acp/settings/redact"
)

func asJSON(t testing.TB, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

const wholeListed = `{
  "available": [{"providerId": "p1", "modelId": "m1", "providerName": "Router"}],
  "providers": [
    {
      "providerId": "p1", "providerName": "Router", "enabled": true, "modelIds": ["m1", "m2"],
      "baseUrl": "https://router.example/v1", "apiType": "openai-chat-completions", "templateId": "router",
      "accessType": "api-key", "apiKey": {"set": true, "hint": "…0000"}, "apiKeyManagementUrl": "https://router.example/keys",
      "headers": {"X-Org": "********"}, "visibility": "visible", "group": "standard-personal", "logo": "router",
      "completeHere": true
    },
    {
      "providerId": "p2", "enabled": true, "modelIds": [], "accessType": "zhipu-account",
      "completeHere": false, "missingHere": ["group", "apiType", "baseUrl"]
    },
    {"providerId": "account:zai-start-plan", "enabled": false, "modelIds": [], "account": true, "completeHere": false}
  ],
  "modelRules": [
    {
      "providerId": "p1", "modelId": "m1", "enabled": true, "contextWindow": 400000, "reasoningLevels": ["low", "high"],
      "maxOutputTokens": 32000,
      "capabilities": {"requiresMfjsToolSchema": false, "supportsToolCall": true, "supportsJsonSchemaOutput": true,
        "supportsNativeWebSearch": false, "supportsMidConversationSystem": false},
      "inputFormat": {"supportsText": true, "supportsImage": true, "supportsVideo": false, "supportsAudio": false, "supportsPdf": true},
      "outputFormat": {"supportsText": true}
    },
    {
      "providerId": "p1", "modelId": "m2", "enabled": false, "contextWindow": 128000, "reasoningLevels": ["low", "high"],
      "maxOutputTokens": 32000, "manual": true,
      "capabilities": {"supportsJsonSchemaOutput": true, "supportsNativeWebSearch": false, "supportsMidConversationSystem": false},
      "inputFormat": {"supportsImage": true, "supportsVideo": false, "supportsPdf": false}
    }
  ],
  "order": ["p1", "account:zai-start-plan"],
  "default": {"providerId": "p1", "modelId": "m1", "reasoningLevel": "high"}
}`

const nothingListed = `{"available": [], "providers": [], "modelRules": [], "order": []}`

func TestList(t *testing.T) {
	for name, test := range map[string]struct{ doc, want string }{
		"every member": {string(load(t, "whole.json").Text()), wholeListed},
		"nothing":      {string(provider.New().Text()), nothingListed},
		"no object":    {`[1]`, nothingListed},
		"wrong kinds": {`{"config":{"providerOrder":{"a":"b"},"providerConfigRules":[],"modelConfigRules":{"providerModelRules":"x",
			"manualProviderModelRules":[1,{"providerId":"p"}]},"defaultModelSelection":{"providerId":1,"modelId":"m"}}}`, nothingListed},
		"half broken rules": {`{"config":{"providerConfigRules":{"providerRules":[null,{"providerId":""},{"providerId":"p","enabled":"no",
			"config":{"access":{"type":7,"apiKey":"k"},"api":{"headers":["x"],"baseUrl":5},"personalModelIds":["a",5," b "],"logo":"x"}}]},
			"modelConfigRules":{"providerModelRules":[{"providerId":"p","modelId":"a","config":{"enabled":false,
			"properties":{"contextWindow":-5},"optionSpecs":{"reasoningLevel":{"values":[]},"maxOutputTokens":{"max":1.5}}}}]}}}`,
			`{"available":[{"providerId":"p","modelId":"b"}],
			"providers":[{"providerId":"p","enabled":true,"modelIds":["a","b"],"completeHere":false,"missingHere":["group","apiKey","apiType","baseUrl"]}],
			"modelRules":[{"providerId":"p","modelId":"a","enabled":false}],"order":[]}`},
		"the last rule decides": {`{"config":{"providerConfigRules":{"providerRules":[
			{"providerId":"on","config":{"personalModelIds":["a","b","c"]}},{"providerId":"off","enabled":false,"config":{"personalModelIds":["a"]}}]},
			"modelConfigRules":{"providerModelRules":[{"providerId":"on","modelId":"a","config":{"enabled":false}},
			{"providerId":"on","modelId":"a","config":{"enabled":true}},{"providerId":"on","modelId":"b","config":{"enabled":true}},
			{"providerId":"on","modelId":"b","config":{"enabled":false}},{"providerId":"on","modelId":"b","config":{"enabled":null}}]}}}`,
			`{"available":[{"providerId":"on","modelId":"a"},{"providerId":"on","modelId":"c"}],
			"providers":[{"providerId":"on","enabled":true,"modelIds":["a","b","c"],"completeHere":false,"missingHere":["group","apiKey","apiType","baseUrl"]},
			{"providerId":"off","enabled":false,"modelIds":["a"],"completeHere":false,"missingHere":["group","apiKey","apiType","baseUrl"]}],
			"modelRules":[{"providerId":"on","modelId":"a","enabled":false},{"providerId":"on","modelId":"a","enabled":true},
			{"providerId":"on","modelId":"b","enabled":true},{"providerId":"on","modelId":"b","enabled":false},
			{"providerId":"on","modelId":"b","enabled":true}],"order":[]}`},
		"an account's access is missing something": {`{"config":{"providerConfigRules":{"providerRules":[{"providerId":"p","config":{
			"group":"standard-personal","access":{"type":"zhipu-account","entitled":false,"mode":null},
			"api":{"type":"openai-responses","baseUrl":"https://a.example"}}}]}}}`,
			`{"available":[],"providers":[{"providerId":"p","enabled":true,"modelIds":[],"accessType":"zhipu-account","apiType":"openai-responses",
			"baseUrl":"https://a.example","group":"standard-personal","completeHere":false,"missingHere":["accountType","mode"]}],"modelRules":[],"order":[]}`},
		"a key that is not set": {`{"config":{"providerConfigRules":{"providerRules":[{"providerId":"p","config":{
			"group":"standard-personal","access":{"type":"api-key","apiKey":" "},
			"api":{"type":"openai-responses","baseUrl":"draft"}}},{"providerId":"q","config":{"access":{"type":"api-key"}}}]}}}`,
			`{"available":[],"providers":[{"providerId":"p","enabled":true,"modelIds":[],"accessType":"api-key","apiKey":{"set":true},
			"apiType":"openai-responses","baseUrl":"draft","group":"standard-personal","completeHere":false,"missingHere":["apiKey","baseUrl"]},
			{"providerId":"q","enabled":true,"modelIds":[],"accessType":"api-key","apiKey":{"set":false},
			"completeHere":false,"missingHere":["group","apiKey","apiType","baseUrl"]}],"modelRules":[],"order":[]}`},
	} {
		var want any
		if err := json.Unmarshal([]byte(test.want), &want); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, asJSON(t, provider.List(parse(t, test.doc)))); diff != "" {
			t.Errorf("%s: want-, got+:\n%s", name, diff)
		}
	}
}

// canary is long enough that the hint of its last characters does not hold it.
const canary = "CANARY-1234567890-abcdef"

// leaky holds the canary wherever a secret can be.
func leaky(t testing.TB) *jsonedit.Doc {
	d := load(t, "whole.json")
	d = set(t, d, in(rules, "0/config/access/apiKey"), quote(canary))
	d = set(t, d, in(rules, "0/config/access/apiKeyManagementUrl"), quote("https://a.example/keys?token="+canary))
	d = set(t, d, in(rules, "0/config/api/baseUrl"), quote("https://user:"+canary+"@a.example/v1?api_key="+canary))
	return set(t, d, in(rules, "0/config/api/headers"), `{"Authorization":"Bearer `+canary+`","X-Org":"`+canary+`"}`)
}

func TestListHidesSecrets(t *testing.T) {
	text, err := json.Marshal(provider.List(leaky(t)))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), canary) {
		t.Errorf("a secret is shown: %s", text)
	}
	if n := strings.Count(string(text), redact.Mask); n < 5 {
		t.Errorf("got %d masks, want one for each of 5 secrets: %s", n, text)
	}
}

// The same canary in every place of the file where it is wrong: problems tell
// the place, not the value.
func TestProblemsHideValues(t *testing.T) {
	d := leaky(t)
	var visit func(n jsonedit.Node)
	visit = func(n jsonedit.Node) {
		for _, value := range []string{quote(canary), `["` + canary + `","` + canary + `"]`, `{"type":"` + canary + `"}`} {
			changed := set(t, d, n.Path(), value)
			for _, p := range provider.Check(changed) {
				if strings.Contains(p.Error(), canary) {
					t.Errorf("%s = %s: got %q", n.Path().Pointer(), value, p.Error())
				}
			}
			listed, err := json.Marshal(provider.List(changed).Providers)
			if err != nil {
				t.Fatal(err)
			}
			if at := n.Path().Pointer(); strings.Contains(at, "access") || strings.Contains(at, "headers") {
				if strings.Contains(string(listed), canary) {
					t.Errorf("%s = %s: listed as %s", at, value, listed)
				}
			}
		}
		for c := range n.Children() {
			visit(c)
		}
	}
	for c := range d.Root().Children() {
		visit(c)
	}
}

func TestErrorsHideSecrets(t *testing.T) {
	d := leaky(t)
	bad := canary + "\n"
	masked := canary + redact.Mask
	for name, err := range map[string]error{
		"key":          run(provider.SetKey(d, "p1", &bad)).err,
		"masked key":   run(provider.SetKey(d, "p1", &masked)).err,
		"no such":      run(provider.SetKey(d, "p9", &bad)).err,
		"url":          run(provider.UpdateProvider(d, "p1", provider.ProviderPatch{BaseURL: some(bad)})).err,
		"masked url":   run(provider.UpdateProvider(d, "p1", provider.ProviderPatch{BaseURL: some(masked)})).err,
		"type":         run(provider.UpdateProvider(d, "p1", provider.ProviderPatch{APIType: some(canary)})).err,
		"header":       run(provider.UpdateProvider(d, "p1", provider.ProviderPatch{Headers: some(map[string]string{"X": bad})})).err,
		"create":       run(provider.CreateProvider(d, provider.NewProvider{ProviderID: "p9", APIKey: &bad})).err,
		"create again": run(provider.CreateProvider(d, provider.NewProvider{ProviderID: "p1", APIKey: &bad})).err,
		"odd document": run(provider.SetKey(set(t, d, in(rules, "0/config"), quote(canary)), "p1", &masked)).err,
	} {
		if err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("%s: got %v, want an error without the secret", name, err)
		}
	}
}

func TestListHidesSecretsOfAnyDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(provider.List(anyDocument.Draw(t, "document")))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "secret-of-") {
			t.Fatalf("a secret is shown: %s", text)
		}
	})
}
