package provider

import (
	"fmt"
	"slices"

	"zcode-acp/settings/jsonedit"
)

// form is the order in which ZCode writes the members of an object, and the
// forms of their values; that of an array is the form of its elements.
type form struct {
	names  []string
	values map[string]form
}

func ordered(names ...string) form { return form{names: names} }

func (f form) with(name string, value form) form {
	values := map[string]form{name: value}
	for k, v := range f.values {
		values[k] = v
	}
	return form{f.names, values}
}

// Canonical returns the document in the form that ZCode writes: its order of
// members, two spaces, no final newline. Scalars keep their text, arrays their
// order; members that ZCode does not know go last.
func Canonical(d *jsonedit.Doc) (*jsonedit.Doc, error) {
	out, err := jsonedit.Parse(canonicalForm.append(nil, d.Root(), "\n"))
	if err != nil {
		return nil, fmt.Errorf("bringing provider_config.json into ZCode's order: %w", err)
	}
	return out, nil
}

// append writes a value; newline is the line break with the indentation of the
// line that the value begins on.
func (f form) append(b []byte, n jsonedit.Node, newline string) []byte {
	object := n.Kind() == jsonedit.Object
	if !object && n.Kind() != jsonedit.Array {
		return append(b, n.Raw()...)
	}
	children := slices.Collect(n.Children())
	brackets := "[]"
	if object {
		brackets = "{}"
		slices.SortStableFunc(children, func(x, y jsonedit.Node) int { return f.rank(x) - f.rank(y) })
	}
	b = append(b, brackets[0])
	inner := newline + "  "
	for i, c := range children {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, inner...)
		if object {
			b = append(append(b, jsonedit.Quote(c.Key())...), ": "...)
			b = f.values[c.Key()].append(b, c, inner)
		} else {
			b = f.append(b, c, inner)
		}
	}
	if len(children) > 0 {
		b = append(b, newline...)
	}
	return append(b, brackets[1])
}

func (f form) rank(n jsonedit.Node) int {
	if i := slices.Index(f.names, n.Key()); i >= 0 {
		return i
	}
	return len(f.names)
}

var canonicalForm = ordered("schemaVersion", "config").with("config",
	ordered("providerOrder", "providerConfigRules", "modelConfigRules", "defaultModelSelection").
		with("providerConfigRules", ordered("providerRules").with("providerRules", providerForm)).
		with("modelConfigRules", ordered("providerModelRules", "manualProviderModelRules").
			with("providerModelRules", modelForm(smartProperties)).
			with("manualProviderModelRules", modelForm(manualProperties))).
		with("defaultModelSelection", ordered("providerId", "modelId", "options")))

var providerForm = ordered("providerId", "templateId", "providerName", "enabled", "config").with("config",
	ordered("group", "logo", "access", "api", "builtinModelIds", "personalModelIds", "modelOrder", "visibility").
		with("logo", ordered("type", "key")).
		with("access", ordered("type", "apiKey", "apiKeyManagementUrl", "accountType", "mode", "entitled")).
		with("api", ordered("type", "baseUrl", "headers")))

func modelForm(properties form) form {
	return ordered("modelId", "config", "providerId").with("config",
		ordered("enabled", "properties", "optionSpecs").
			with("properties", properties).
			with("optionSpecs", ordered("reasoningLevel", "maxOutputTokens").
				with("reasoningLevel", ordered("values", "map")).
				with("maxOutputTokens", ordered("max", "map"))))
}

var smartProperties = ordered("requiresMfjsToolSchema", "contextWindow", "inputFormat", "outputFormat",
	"supportsToolCall", "supportsJsonSchemaOutput", "supportsNativeWebSearch", "supportsMidConversationSystem").
	with("inputFormat", inputForm)

var manualProperties = ordered("contextWindow", "supportsJsonSchemaOutput", "supportsNativeWebSearch",
	"supportsMidConversationSystem", "inputFormat").
	with("inputFormat", inputForm)

var inputForm = ordered("supportsText", "supportsImage", "supportsVideo", "supportsAudio", "supportsPdf")
