package provider_test

import (
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"zcode-acp/settings/jsonedit"
)

func parseRapid(t *rapid.T, text string) *jsonedit.Doc {
	d, err := jsonedit.Parse([]byte(text))
	if err != nil {
		t.Fatalf("parsing %s: %v", text, err)
	}
	return d
}

// Ids come from a small set, so that changes meet what is there.
var (
	providerIDs = []string{"p1", "p2", "p/3", "pé", "account:zai-start-plan", "account:other", "nowhere"}
	modelIDs    = []string{"m1", "m2", "org/m3", "m4 x"}
	levelNames  = []string{"off", "low", "medium", "high", "max"}
	apiTypes    = []string{"anthropic-messages", "openai-chat-completions", "openai-responses"}
	urls        = []string{"https://a.example/v1", "https://u:secret-of-url@b.example/?api_key=secret-of-query", "draft"}
)

func quote(s string) string { return string(jsonedit.Quote(s)) }

func oneOf(values ...string) *rapid.Generator[string] { return rapid.SampledFrom(values) }

var flag = oneOf("true", "false")

// fields draws an object from "name", generator pairs; a name that ends with ?
// may be absent or null, one with ! may be absent.
func fields(t *rapid.T, pairs ...any) string {
	var parts []string
	for i := 0; i < len(pairs); i += 2 {
		name, value := pairs[i].(string), pairs[i+1].(*rapid.Generator[string])
		bare := strings.TrimRight(name, "?!")
		switch {
		case name != bare && rapid.Bool().Draw(t, "absent "+bare):
			continue
		case strings.HasSuffix(name, "?") && rapid.IntRange(0, 4).Draw(t, "null "+bare) == 0:
			parts = append(parts, quote(bare)+":null")
		default:
			parts = append(parts, quote(bare)+": "+value.Draw(t, bare))
		}
	}
	if len(parts) > 1 {
		parts = rapid.Permutation(parts).Draw(t, "order")
	}
	space := oneOf("", " ", "\n  ").Draw(t, "space")
	return "{" + space + strings.Join(parts, ","+space) + space + "}"
}

func objectOf(pairs ...any) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string { return fields(t, pairs...) })
}

func arrayText(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = quote(v)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// some distinct values, at least least.
func distinct(values []string, least int) *rapid.Generator[[]string] {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(values), least, len(values), rapid.ID[string])
}

func list(values []string, least int) *rapid.Generator[string] {
	return rapid.Map(distinct(values, least), arrayText)
}

func text(values ...string) *rapid.Generator[string] { return rapid.Map(oneOf(values...), quote) }

var count = rapid.Map(rapid.IntRange(1, 1<<30), strconv.Itoa)

var headersText = objectOf("X-Org!", text("secret-of-header", ""), "Authorization!", text("Bearer secret-of-header"))

var personalAccess = rapid.OneOf(
	objectOf("type", text("api-key", "zhipu-coding-plan-api-key"), "apiKey?", text("secret-of-key", ""),
		"apiKeyManagementUrl?", text("https://u:secret-of-url@a.example/keys", "https://a.example")),
	objectOf("type", text("zhipu-account"), "accountType?", text("zai"), "mode?", text("off-peak"), "entitled?", flag))

func ruleOf(id string) *rapid.Generator[string] {
	if strings.HasPrefix(id, "account:") {
		return objectOf("providerId", text(id), "enabled!", flag, "config", objectOf("modelOrder?", list(modelIDs, 0)))
	}
	return objectOf("providerId", text(id), "templateId?", text("t"), "providerName?", text("Name"), "enabled!", flag,
		"config", objectOf("group?", text("standard-personal"), "logo?", objectOf("type", text("builtin"), "key", text("k")),
			"access?", personalAccess,
			"api?", objectOf("type?", text(apiTypes...), "baseUrl?", text(urls...), "headers?", headersText),
			"personalModelIds?", list(append(modelIDs, " m9 "), 0), "modelOrder?", list(modelIDs, 0), "visibility?", text("visible", "hidden")))
}

const levelMap, tokenMap = `{"effort": reasoningLevel}`, `maxOutputTokens > 1 ? {"n": maxOutputTokens} : {}`

var smartModel = objectOf("enabled?", flag,
	"properties?", objectOf("contextWindow?", count, "supportsToolCall?", flag, "requiresMfjsToolSchema?", flag,
		"inputFormat?", objectOf("supportsText?", flag, "supportsAudio?", flag), "outputFormat?", objectOf("supportsText?", flag)),
	"optionSpecs?", objectOf("reasoningLevel?", objectOf("values?", list(levelNames, 1), "map?", text(levelMap)),
		"maxOutputTokens?", objectOf("max?", count, "map?", text(tokenMap))))

var manualModel = objectOf("enabled?", flag,
	"properties", objectOf("contextWindow", count, "supportsJsonSchemaOutput", flag, "supportsNativeWebSearch", flag,
		"supportsMidConversationSystem", flag, "inputFormat", objectOf("supportsImage", flag, "supportsVideo", flag, "supportsPdf", flag)),
	"optionSpecs", objectOf("reasoningLevel", objectOf("values", list(levelNames, 1), "map", text(levelMap)),
		"maxOutputTokens", objectOf("max", count)))

func modelRulesOf(t *rapid.T) string {
	var lists [2][]string
	for _, p := range providerIDs {
		for _, m := range modelIDs {
			ids := []any{"providerId", text(p), "modelId", text(m), "config"}
			switch rapid.IntRange(0, 9).Draw(t, "rule") {
			case 0, 1:
				lists[0] = append(lists[0], fields(t, append(ids, smartModel)...))
			case 2: // ZCode allows two smart rules for one model
				lists[0] = append(lists[0], fields(t, append(ids, smartModel)...), fields(t, append(ids, smartModel)...))
			case 3:
				lists[1] = append(lists[1], fields(t, append(ids, manualModel)...))
			}
		}
	}
	return fields(t, "providerModelRules", rapid.Just("["+strings.Join(lists[0], ", ")+"]"),
		"manualProviderModelRules", rapid.Just("["+strings.Join(lists[1], ",")+"]"))
}

var modelSelection = objectOf("providerId", text(providerIDs...), "modelId", text(modelIDs...),
	"options!", objectOf("reasoningLevel!", text(levelNames...)))

// anyDocument draws documents without violations, in any order and spacing.
var anyDocument = rapid.Custom(func(t *rapid.T) *jsonedit.Doc {
	var providers []string
	for _, id := range distinct(providerIDs[:len(providerIDs)-1], 0).Draw(t, "providers") {
		providers = append(providers, ruleOf(id).Draw(t, "provider"))
	}
	config := rapid.Custom(func(t *rapid.T) string {
		return fields(t, "providerOrder!", list(providerIDs, 0),
			"providerConfigRules", rapid.Just(`{"providerRules": [`+strings.Join(providers, ",\n")+`]}`),
			"modelConfigRules", rapid.Custom(modelRulesOf),
			"defaultModelSelection!", modelSelection)
	})
	return parseRapid(t, fields(t, "schemaVersion", oneOf("1", "1.0"), "config", config))
})
