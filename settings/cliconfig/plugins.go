package cliconfig

import (
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

var plugins = schema.Open(
	schema.Field{Name: "enabled", Rule: schema.Boolean},
	schema.Field{Name: "dirs", Rule: fullTexts},
	schema.Field{Name: "enabledPlugins", Rule: schema.MapOf(schema.Boolean)},
	schema.Field{Name: "extraKnownMarketplaces", Rule: schema.MapOf(marketplace)},
	schema.Field{Name: "options", Rule: schema.MapOf(schema.MapOf(pluginOption))},
	schema.Field{Name: "suppressedBuiltins", Rule: fullTexts},
)

func pluginOption(n jsonedit.Node, r *schema.Report) {
	_, number := finite(n)
	if k := n.Kind(); k != jsonedit.String && k != jsonedit.Bool && !number {
		r.Add(n, "must be a string, a number, true or false")
	}
}

func marketplace(n jsonedit.Node, r *schema.Report) {
	if n.Key() == "" {
		r.Add(n, "must have a name that is not empty")
	}
	marketplaceBody(n, r)
}

var marketplaceBody = schema.Strict(
	schema.Field{Name: "source", Rule: marketplaceSource, Required: true},
)

var marketplaceSource = schema.Union("source", map[string]schema.Rule{
	"url": source(
		schema.Field{Name: "url", Rule: schema.NonEmpty, Required: true},
		schema.Field{Name: "headers", Rule: textMap},
	),
	"github": source(append(checkout,
		schema.Field{Name: "repo", Rule: schema.NonEmpty, Required: true},
	)...),
	"git": source(append(checkout,
		schema.Field{Name: "url", Rule: schema.NonEmpty, Required: true},
	)...),
	"npm":       source(schema.Field{Name: "package", Rule: schema.NonEmpty, Required: true}),
	"file":      source(schema.Field{Name: "path", Rule: schema.NonEmpty, Required: true}),
	"directory": source(schema.Field{Name: "path", Rule: schema.NonEmpty, Required: true}),
})

// checkout are the members that both kinds of git sources have.
var checkout = []schema.Field{
	{Name: "ref", Rule: schema.NonEmpty},
	{Name: "path", Rule: schema.NonEmpty},
	{Name: "sparsePaths", Rule: fullTexts},
}

// source is the rule of one kind of source, whose tag the union has judged.
func source(fields ...schema.Field) schema.Rule {
	return schema.Strict(append(fields, schema.Field{Name: "source", Rule: schema.Any})...)
}
