package provider

import (
	"strings"
	"testing"

	"zcode-acp/settings/jsonedit"
)

const olderFullRule = `{"enabled": null, "properties": {"requiresMfjsToolSchema": false, "contextWindow": 128000,
"inputFormat": {"supportsText": true, "supportsImage": true, "supportsVideo": false, "supportsAudio": false, "supportsPdf": false},
"outputFormat": {"supportsText": true}, "supportsToolCall": true, "supportsJsonSchemaOutput": true,
"supportsNativeWebSearch": false, "supportsMidConversationSystem": false},
"optionSpecs": {"reasoningLevel": {"values": ["low"], "map": "{\"effort\": reasoningLevel}"},
"maxOutputTokens": {"max": 32000, "map": "{\"max\": maxOutputTokens}"}}}`

const olderFlaggedRule = `{"properties": {"requiresMfjsToolSchema": true, "contextWindow": 128000, "supportsJsonSchemaOutput": true,
"supportsNativeWebSearch": false, "supportsMidConversationSystem": false,
"inputFormat": {"supportsImage": true, "supportsVideo": false, "supportsPdf": false}},
"optionSpecs": {"reasoningLevel": {"values": ["low"], "map": "{\"effort\": reasoningLevel}"}, "maxOutputTokens": {"max": 32000}}}`

// ZCode accepts two complete shapes of older versions for manual rules.
func TestOlderManualShapes(t *testing.T) {
	table := func(config string) *jsonedit.Doc {
		d, err := jsonedit.Parse([]byte(`{"schemaVersion": 1, "config": {"providerConfigRules": {"providerRules": []}, "modelConfigRules": {` +
			`"providerModelRules": [], "manualProviderModelRules": [{"modelId": "m", "config": ` + config + `, "providerId": "p"}]}}}`))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, test := range []struct {
		name, config, pointer string
	}{
		{"full", olderFullRule, ""},
		{"flagged", olderFlaggedRule, ""},
		{"full without a member", strings.Replace(olderFullRule, `"supportsToolCall": true, `, "", 1), "/config/modelConfigRules/manualProviderModelRules/0/config"},
		{"flagged with another member", strings.Replace(olderFlaggedRule, `"properties": {`, `"properties": {"supportsToolCall": true, `, 1),
			"/config/modelConfigRules/manualProviderModelRules/0/config/properties/"},
	} {
		problems := Check(table(test.config))
		if test.pointer == "" && len(problems) > 0 {
			t.Errorf("%s: %v, want it accepted", test.name, problems)
		}
		if test.pointer != "" && (len(problems) == 0 || !strings.HasPrefix(problems[0].Pointer, test.pointer)) {
			t.Errorf("%s: %v, want a problem at %s", test.name, problems, test.pointer)
		}
	}
}
