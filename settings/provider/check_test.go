package provider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
)

var (
	rules     = jsonedit.Path{"config", "providerConfigRules", "providerRules"}
	smart     = jsonedit.Path{"config", "modelConfigRules", "providerModelRules"}
	manual    = jsonedit.Path{"config", "modelConfigRules", "manualProviderModelRules"}
	selection = jsonedit.Path{"config", "defaultModelSelection"}
)

func in(path jsonedit.Path, more string) jsonedit.Path {
	out := append(jsonedit.Path{}, path...)
	if more == "" {
		return out
	}
	return append(out, strings.Split(more, "/")...)
}

// whole.json holds every member that ZCode knows: rule 0 has a key, rule 1 an
// account's access, rule 2 belongs to an account and is bare.
func TestCheckAcceptsEveryMember(t *testing.T) {
	for _, name := range []string{"whole.json", "canonical.json", "manual-rule.json", "account-rule.json", "other-order.json"} {
		if got := provider.Check(load(t, name)); len(got) > 0 {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// nullable are the members of whole.json that may be null; every one may be
// absent too.
var nullable = map[string]jsonedit.Path{
	"0/templateId 0/providerName 0/config/group 0/config/logo 0/config/access 0/config/access/apiKey " +
		"0/config/access/apiKeyManagementUrl 0/config/api 0/config/api/type 0/config/api/baseUrl 0/config/api/headers " +
		"0/config/personalModelIds 0/config/modelOrder 0/config/visibility 1/config/access/accountType " +
		"1/config/access/mode 1/config/access/entitled": rules,
	"0/config/enabled 0/config/properties 0/config/properties/requiresMfjsToolSchema 0/config/properties/contextWindow " +
		"0/config/properties/inputFormat 0/config/properties/inputFormat/supportsText 0/config/properties/inputFormat/supportsImage " +
		"0/config/properties/inputFormat/supportsVideo 0/config/properties/inputFormat/supportsAudio 0/config/properties/inputFormat/supportsPdf " +
		"0/config/properties/outputFormat 0/config/properties/outputFormat/supportsText 0/config/properties/supportsToolCall " +
		"0/config/properties/supportsJsonSchemaOutput 0/config/properties/supportsNativeWebSearch 0/config/properties/supportsMidConversationSystem " +
		"0/config/optionSpecs 0/config/optionSpecs/reasoningLevel 0/config/optionSpecs/reasoningLevel/values 0/config/optionSpecs/reasoningLevel/map " +
		"0/config/optionSpecs/maxOutputTokens 0/config/optionSpecs/maxOutputTokens/max 0/config/optionSpecs/maxOutputTokens/map": smart,
	"0/config/enabled": manual,
}

// absent may be left out but not be null.
var absent = map[string]jsonedit.Path{
	"config/providerOrder config/defaultModelSelection": nil,
	"0/enabled":                      rules,
	"options options/reasoningLevel": selection,
}

// needed may neither be null nor absent.
var needed = map[string]jsonedit.Path{
	"schemaVersion config config/providerConfigRules config/providerConfigRules/providerRules config/modelConfigRules " +
		"config/modelConfigRules/providerModelRules config/modelConfigRules/manualProviderModelRules": nil,
	"0/providerId 0/config 0/config/logo/type 0/config/logo/key 0/config/access/type 1/config/access/type": rules,
	"0/providerId 0/modelId 0/config": smart,
	"0/providerId 0/modelId 0/config 0/config/properties 0/config/properties/contextWindow 0/config/properties/supportsJsonSchemaOutput " +
		"0/config/properties/supportsNativeWebSearch 0/config/properties/supportsMidConversationSystem 0/config/properties/inputFormat " +
		"0/config/properties/inputFormat/supportsImage 0/config/properties/inputFormat/supportsVideo 0/config/properties/inputFormat/supportsPdf " +
		"0/config/optionSpecs 0/config/optionSpecs/reasoningLevel 0/config/optionSpecs/reasoningLevel/values 0/config/optionSpecs/reasoningLevel/map " +
		"0/config/optionSpecs/maxOutputTokens 0/config/optionSpecs/maxOutputTokens/max": manual,
	"providerId modelId": selection,
}

func TestCheckNullAndAbsent(t *testing.T) {
	whole := load(t, "whole.json")
	for _, table := range []struct {
		members                map[string]jsonedit.Path
		mayBeNull, mayBeAbsent bool
	}{{nullable, true, true}, {absent, false, true}, {needed, false, false}} {
		for names, base := range table.members {
			for name := range strings.FieldsSeq(names) {
				path := in(base, name)
				if got := len(provider.Check(set(t, whole, path, "null"))) == 0; got != table.mayBeNull {
					t.Errorf("%s null: got accepted %t, want %t", path.Pointer(), got, table.mayBeNull)
				}
				if got := len(provider.Check(without(t, whole, path))) == 0; got != table.mayBeAbsent {
					t.Errorf("%s absent: got accepted %t, want %t", path.Pointer(), got, table.mayBeAbsent)
				}
			}
		}
	}
}

// Every object of the file is strict, but that of the headers.
func TestCheckUnknownMembers(t *testing.T) {
	whole := load(t, "whole.json")
	objects := 0
	var visit func(n jsonedit.Node)
	visit = func(n jsonedit.Node) {
		if n.Kind() == jsonedit.Object {
			objects++
			path := append(n.Path(), "x-new")
			var want []string
			if !strings.HasSuffix(n.Path().Pointer(), "/headers") {
				want = []string{path.Pointer()}
			}
			if diff := cmp.Diff(want, pointers(provider.Check(set(t, whole, path, `"v"`)))); diff != "" {
				t.Errorf("a new member: want-, got+:\n%s", diff)
			}
		}
		for c := range n.Children() {
			visit(c)
		}
	}
	visit(whole.Root())
	if objects < 30 {
		t.Errorf("visited %d objects only", objects)
	}
}

func TestCheckValues(t *testing.T) {
	whole := load(t, "whole.json")
	const reasoning, tokens = "0/config/optionSpecs/reasoningLevel", "0/config/optionSpecs/maxOutputTokens"
	for _, test := range []struct {
		base    jsonedit.Path
		at      string
		good    string // values apart by a space
		bad     string
		pointer string // of the problem, from base; "" means at
	}{
		{nil, "schemaVersion", `1 1.0 1e0`, `0 -1 1.5 "1" true`, ""},
		{nil, "config/providerOrder", `[] ["a","a"]`, `"a" {}`, ""},
		{nil, "config/providerOrder/0", `"x" "\u0020"`, `"" 1 null`, ""},
		{nil, "config", ``, `[] 1`, ""},
		{rules, "", `[]`, `{} "x"`, ""},
		{rules, "0", ``, `[] 1 null`, ""},
		{rules, "0/providerId", `"new"`, `"" 1`, ""},
		{rules, "0/providerId", ``, `"p2"`, "1/providerId"},
		{rules, "0/templateId", `"t"`, `"" 1`, ""},
		{rules, "0/providerName", `"n" "\u0020"`, `"" 1`, ""},
		{rules, "0/enabled", `true false`, `1 "true"`, ""},
		{rules, "0/config", `{}`, `[]`, ""},
		{rules, "0/config/group", `"standard-personal"`, `"zai-family" "bigmodel-family" ""`, ""},
		{rules, "0/config/logo/type", `"builtin"`, `"url"`, ""},
		{rules, "0/config/logo/key", `"k"`, `"" 1`, ""},
		{rules, "0/config/access/type", `"zhipu-coding-plan-api-key"`, `"none" 1`, ""},
		{rules, "0/config/access/type", ``, `"zhipu-account"`, "0/config/access/apiKey"},
		{rules, "0/config/access/apiKey", `""`, `1 []`, ""},
		{rules, "0/config/access/apiKeyManagementUrl", `"https://a.example/k?x=1" "zcode://keys" "mailto:a@b"`,
			`"a.example/keys" "" "https://" "http://a:99999/" "http://a:x/" "/keys" 1`, ""},
		{rules, "1/config/access/accountType", `"zai" "bigmodel"`, `"glm" 1`, ""},
		{rules, "1/config/access/mode", `"start-plan" "individual-coding-plan" "team-coding-plan" "off-peak"`, `"free"`, ""},
		{rules, "1/config/access/entitled", `true`, `"yes"`, ""},
		{rules, "1/config/access", ``, `{"type":"zhipu-account","apiKey":"k"}`, "1/config/access/apiKey"},
		{rules, "2/config/access", ``, `null {"type":"api-key"}`, ""},
		{rules, "2/providerId", `"accountant"`, ``, ""},
		{rules, "0/providerId", ``, `"account:x"`, "0/config/access"},
		{rules, "0/config/api/type", `"anthropic-messages" "openai-chat-completions" "openai-responses"`, `"openai" ""`, ""},
		{rules, "0/config/api/baseUrl", `"" "draft"`, `1`, ""},
		{rules, "0/config/api/headers", `{} {"":""}`, `[] "x"`, ""},
		{rules, "0/config/api/headers/X-Org", `""`, `1 null`, ""},
		{rules, "0/config/builtinModelIds", ``, `["m"] [] null`, ""},
		{rules, "0/config/personalModelIds", `[] ["a","a"]`, `"a" {}`, ""},
		{rules, "0/config/personalModelIds/0", `"\u0020a"`, `"" "\u0020\ufeff\u2028" 1 null`, ""},
		{rules, "0/config/modelOrder/0", `"b"`, `"" "\t" 1`, ""},
		{rules, "0/config/visibility", `"visible" "hidden"`, `"" true`, ""},
		{smart, "", `[]`, `{} null`, ""},
		{smart, "0/modelId", `"m"`, `"" 1`, ""},
		{smart, "0/config", `{}`, `[]`, ""},
		{smart, "0/config/enabled", `true false`, `"no"`, ""},
		{smart, "0/config/properties/contextWindow", `1 9007199254740991 4e5`, `0 -1 1.5 1e400 9007199254740992 "1"`, ""},
		{smart, "0/config/properties/supportsToolCall", `false`, `"no" 0`, ""},
		{smart, "0/config/properties/outputFormat/supportsText", `false`, `0`, ""},
		{smart, reasoning + "/values", `["a"]`, `[] "a" {}`, ""},
		{smart, reasoning + "/values/0", `"x" "High"`, `"" "\u0020" 1 null`, ""},
		{smart, reasoning + "/values/1", ``, `"low"`, ""},
		{smart, reasoning + "/map", `"{}"`, `"" "reasoningLevel" "{" "{\"a\":maxOutputTokens}" 1`, ""},
		{smart, tokens + "/max", `1`, `0 1.5`, ""},
		{smart, tokens + "/map", `"{\"n\":maxOutputTokens}"`, `"{\"n\":reasoningLevel}"`, ""},
		{manual, "0/config/properties/contextWindow", `1`, `0`, ""},
		{manual, "0/config/properties/inputFormat/supportsText", ``, `true`, ""},
		{manual, tokens + "/map", ``, `"{}" null`, ""},
		{manual, "0/modelId", ``, `"m1"`, "0"},
		{selection, "providerId", `"\u0020a"`, `"" "\u0020" 1`, ""},
		{selection, "modelId", `"a"`, `"\u2003"`, ""},
		{selection, "options", `{}`, `[]`, ""},
		{selection, "options/reasoningLevel", `"x"`, `"" "\u0020"`, ""},
		{selection, "thoughtLevel", ``, `"x"`, ""},
	} {
		path := in(test.base, test.at)
		for value := range strings.FieldsSeq(test.good) {
			if got := provider.Check(set(t, whole, path, value)); len(got) > 0 {
				t.Errorf("%s = %s: got %v, want no problem", path.Pointer(), value, got)
			}
		}
		want := path.Pointer()
		if test.pointer != "" {
			want = in(test.base, test.pointer).Pointer()
		}
		for value := range strings.FieldsSeq(test.bad) {
			got := pointers(provider.Check(set(t, whole, path, value)))
			if !slices.Contains(got, want) {
				t.Errorf("%s = %s: got problems at %q, want %q", path.Pointer(), value, got, want)
			}
		}
	}
}

func TestCheckFindsEverything(t *testing.T) {
	d := load(t, "whole.json")
	d = set(t, d, in(rules, "0/enabled"), "1")
	d = set(t, d, in(smart, "0/config/timeout"), "1")
	d = set(t, d, in(selection, "modelId"), `" "`)
	want := []string{
		in(rules, "0/enabled").Pointer(),
		in(smart, "0/config/timeout").Pointer(),
		in(selection, "modelId").Pointer(),
	}
	if diff := cmp.Diff(want, pointers(provider.Check(d))); diff != "" {
		t.Errorf("want-, got+:\n%s", diff)
	}
	for _, text := range []string{`[]`, `1`, `null`, `{}`, `{"schemaVersion":1}`, `{"config":{}}`} {
		if got := provider.Check(parse(t, text)); len(got) == 0 {
			t.Errorf("%s: got no problem", text)
		}
	}
}
