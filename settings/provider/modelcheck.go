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
var smartConfig = fullShape(sparse)

// fullShape has every member that a model's config can have, each as field makes
// it: sparse or required.
func fullShape(field func(string, schema.Rule) schema.Field) schema.Rule {
	return schema.Strict(
		sparse("enabled", schema.Boolean),
		field("properties", schema.Strict(
			field("requiresMfjsToolSchema", schema.Boolean),
			field("contextWindow", schema.PositiveInteger),
			field("inputFormat", schema.Strict(
				field("supportsText", schema.Boolean),
				field("supportsImage", schema.Boolean),
				field("supportsVideo", schema.Boolean),
				field("supportsAudio", schema.Boolean),
				field("supportsPdf", schema.Boolean))),
			field("outputFormat", schema.Strict(field("supportsText", schema.Boolean))),
			field("supportsToolCall", schema.Boolean),
			field("supportsJsonSchemaOutput", schema.Boolean),
			field("supportsNativeWebSearch", schema.Boolean),
			field("supportsMidConversationSystem", schema.Boolean))),
		field("optionSpecs", schema.Strict(
			field("reasoningLevel", schema.Strict(
				field("values", levels),
				field("map", optionMap("reasoningLevel")))),
			field("maxOutputTokens", schema.Strict(
				field("max", schema.PositiveInteger),
				field("map", optionMap("maxOutputTokens")))))))
}

// manualConfig replaces what ZCode knows of the model, so it has to be whole.
var manualConfig = manualShape()

// olderFlagged and olderFull are complete shapes of older versions, which ZCode
// accepts and reduces to the present one when it reads the file.
var (
	olderFlagged = manualShape(required("requiresMfjsToolSchema", schema.Boolean))
	olderFull    = fullShape(required)
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
			required("reasoningLevel", schema.Strict(required("values", levels), required("map", optionMap("reasoningLevel")))),
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
