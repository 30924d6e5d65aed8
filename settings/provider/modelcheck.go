package provider

import (
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

var modelRules = schema.Strict(
	required("providerModelRules", schema.ArrayOf(modelRule(smartConfig), 0)),
	required("manualProviderModelRules", schema.ArrayOf(modelRule(orOlder(manualConfig, olderFlagged, olderFull)), 0)))

func modelRule(config schema.Rule) schema.Rule {
	return schema.Strict(
		required("providerId", schema.NonEmpty),
		required("modelId", schema.NonEmpty),
		required("config", config))
}

// smartConfig overlays what ZCode knows of the model.
var smartConfig = schema.Strict(
	sparse("enabled", schema.Boolean),
	sparse("properties", schema.Strict(
		sparse("requiresMfjsToolSchema", schema.Boolean),
		sparse("contextWindow", schema.PositiveInteger),
		sparse("inputFormat", schema.Strict(
			sparse("supportsText", schema.Boolean),
			sparse("supportsImage", schema.Boolean),
			sparse("supportsVideo", schema.Boolean),
			sparse("supportsAudio", schema.Boolean),
			sparse("supportsPdf", schema.Boolean))),
		sparse("outputFormat", schema.Strict(sparse("supportsText", schema.Boolean))),
		sparse("supportsToolCall", schema.Boolean),
		sparse("supportsJsonSchemaOutput", schema.Boolean),
		sparse("supportsNativeWebSearch", schema.Boolean),
		sparse("supportsMidConversationSystem", schema.Boolean))),
	sparse("optionSpecs", schema.Strict(
		sparse("reasoningLevel", schema.Strict(
			sparse("values", levels),
			sparse("map", optionMap("reasoningLevel")))),
		sparse("maxOutputTokens", schema.Strict(
			sparse("max", schema.PositiveInteger),
			sparse("map", optionMap("maxOutputTokens")))))))

// manualConfig replaces what ZCode knows of the model, so it has to be whole.
var manualConfig = manualShape()

// olderFlagged and olderFull are complete shapes of older versions, which ZCode
// accepts and reduces to the present one when it reads the file.
var (
	olderFlagged = manualShape(required("requiresMfjsToolSchema", schema.Boolean))
	olderFull    = schema.Strict(
		sparse("enabled", schema.Boolean),
		required("properties", schema.Strict(
			required("requiresMfjsToolSchema", schema.Boolean),
			required("contextWindow", schema.PositiveInteger),
			required("inputFormat", schema.Strict(
				required("supportsText", schema.Boolean),
				required("supportsImage", schema.Boolean),
				required("supportsVideo", schema.Boolean),
				required("supportsAudio", schema.Boolean),
				required("supportsPdf", schema.Boolean))),
			required("outputFormat", schema.Strict(required("supportsText", schema.Boolean))),
			required("supportsToolCall", schema.Boolean),
			required("supportsJsonSchemaOutput", schema.Boolean),
			required("supportsNativeWebSearch", schema.Boolean),
			required("supportsMidConversationSystem", schema.Boolean))),
		required("optionSpecs", schema.Strict(
			required("reasoningLevel", wholeReasoning),
			required("maxOutputTokens", schema.Strict(
				required("max", schema.PositiveInteger),
				required("map", optionMap("maxOutputTokens")))))))
	wholeReasoning = schema.Strict(required("values", levels), required("map", optionMap("reasoningLevel")))
)

// manualShape is the complete shape with more properties than the present one.
func manualShape(more ...schema.Field) schema.Rule {
	return schema.Strict(
		sparse("enabled", schema.Boolean),
		required("properties", schema.Strict(append(more,
			required("contextWindow", schema.PositiveInteger),
			required("supportsJsonSchemaOutput", schema.Boolean),
			required("supportsNativeWebSearch", schema.Boolean),
			required("supportsMidConversationSystem", schema.Boolean),
			required("inputFormat", schema.Strict(
				required("supportsImage", schema.Boolean),
				required("supportsVideo", schema.Boolean),
				required("supportsPdf", schema.Boolean))))...)),
		required("optionSpecs", schema.Strict(
			required("reasoningLevel", wholeReasoning),
			required("maxOutputTokens", schema.Strict(required("max", schema.PositiveInteger))))))
}

// orOlder accepts the older shapes too; what fits none is told by the present.
func orOlder(present schema.Rule, older ...schema.Rule) schema.Rule {
	return func(n jsonedit.Node, r *schema.Report) {
		for _, shape := range older {
			if len(schema.Check(n, shape)) == 0 {
				return
			}
		}
		present(n, r)
	}
}

// smartOrManual refuses a model that is in both lists.
func smartOrManual(n jsonedit.Node, r *schema.Report) {
	smart := map[[2]string]bool{}
	for rule := range n.Get("providerModelRules").Children() {
		if id, ok := identity(rule); ok {
			smart[id] = true
		}
	}
	for rule := range n.Get("manualProviderModelRules").Children() {
		if id, ok := identity(rule); ok && smart[id] {
			r.Add(rule, "must not be here: the same model is in providerModelRules too")
		}
	}
}

func identity(rule jsonedit.Node) (id [2]string, ok bool) {
	p, m := rule.Get("providerId"), rule.Get("modelId")
	return [2]string{p.Text(), m.Text()}, p.Kind() == jsonedit.String && m.Kind() == jsonedit.String
}

func levels(n jsonedit.Node, r *schema.Report) {
	schema.ArrayOf(notBlank, 1)(n, r)
	seen := map[string]bool{}
	for level := range n.Children() {
		if level.Kind() != jsonedit.String {
			continue
		}
		if seen[level.Text()] {
			r.Add(level, "must not be that of an earlier level")
		}
		seen[level.Text()] = true
	}
}

func optionMap(variable string) schema.Rule {
	return func(n jsonedit.Node, r *schema.Report) {
		if n.Kind() != jsonedit.String {
			r.Add(n, "must be a string")
			return
		}
		if err := compileMap(n.Text(), variable); err != nil {
			r.Add(n, "must be an expression that ZCode can compile: "+err.Error())
		}
	}
}
