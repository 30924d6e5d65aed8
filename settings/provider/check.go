package provider

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// Check returns every violation of the rules by which ZCode reads the file;
// one is enough for ZCode to run with no personal provider. Of a newer file it
// says only that ([Version]). A byte order mark is not its matter.
func Check(d *jsonedit.Doc) []schema.Problem {
	if Version(d) != nil {
		return schema.Check(d.Find(versionPath), currentVersion)
	}
	return schema.Check(d.Root(), document)
}

// Version returns an error that wraps [ErrNewer] when the document has a
// schemaVersion above 1, else nil. Such a file is read as far as it is
// understood and never written.
func Version(d *jsonedit.Doc) error {
	n := d.Find(versionPath)
	if v, ok := wholeNumber(n); ok && v > 1 {
		return fmt.Errorf("the file was %w (schemaVersion %s): update this program, or make the change in ZCode", ErrNewer, n.Raw())
	}
	return nil
}

func wholeNumber(n jsonedit.Node) (float64, bool) {
	if n.Kind() != jsonedit.Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n.Raw()), 64)
	return f, err == nil && f == math.Trunc(f)
}

func currentVersion(n jsonedit.Node, r *schema.Report) {
	if v, ok := wholeNumber(n); !ok || v != 1 {
		r.Add(n, "must be 1, the version that ZCode reads today")
	}
}

func required(name string, rule schema.Rule) schema.Field {
	return schema.Field{Name: name, Rule: rule, Required: true}
}

func optional(name string, rule schema.Rule) schema.Field {
	return schema.Field{Name: name, Rule: rule}
}

// sparse is a member that may be absent (the layer below decides) or null
// (what the layer below says is cleared).
func sparse(name string, rule schema.Rule) schema.Field {
	return optional(name, schema.Nullable(rule))
}

var document = schema.Strict(
	required("schemaVersion", currentVersion),
	required("config", schema.Strict(
		optional("providerOrder", schema.ArrayOf(schema.NonEmpty, 0)),
		required("providerConfigRules", schema.Strict(
			required("providerRules", every(schema.ArrayOf(providerRule, 0), uniqueProviders)))),
		required("modelConfigRules", every(modelRules, smartOrManual)),
		optional("defaultModelSelection", selection))))

var selection = schema.Strict(
	required("providerId", notBlank),
	required("modelId", notBlank),
	optional("options", schema.Strict(optional("reasoningLevel", notBlank))))

var providerRule = every(schema.Strict(
	required("providerId", schema.NonEmpty),
	sparse("templateId", schema.NonEmpty),
	sparse("providerName", schema.NonEmpty),
	optional("enabled", schema.Boolean),
	required("config", schema.Strict(
		sparse("group", schema.OneOf("standard-personal")),
		sparse("logo", schema.Strict(
			required("type", schema.OneOf("builtin")),
			required("key", schema.NonEmpty))),
		sparse("access", access),
		sparse("api", schema.Strict(
			sparse("type", schema.OneOf(apiTypes...)),
			sparse("baseUrl", schema.Text),
			sparse("headers", schema.MapOf(schema.Text)))),
		sparse("personalModelIds", schema.ArrayOf(notBlank, 0)),
		sparse("modelOrder", schema.ArrayOf(notBlank, 0)),
		sparse("visibility", schema.OneOf("visible", "hidden"))))), noAccountAccess)

// APITypes returns the protocols that ZCode speaks with providers, for
// completion and help.
func APITypes() []string { return slices.Clone(apiTypes) }

// apiTypes are the protocols that ZCode speaks with providers.
var apiTypes = []string{"anthropic-messages", "openai-chat-completions", "openai-responses"}

// What [Provider.AccessType] can be.
const (
	keyAccess     = "api-key"
	planKeyAccess = "zhipu-coding-plan-api-key"
	accountAccess = "zhipu-account"
)

var access = schema.Union("type", map[string]schema.Rule{
	keyAccess:     accessByKey,
	planKeyAccess: accessByKey,
	accountAccess: schema.Strict(
		required("type", schema.Text),
		sparse("accountType", schema.OneOf("zai", "bigmodel")),
		sparse("mode", schema.OneOf("start-plan", "individual-coding-plan", "team-coding-plan", "off-peak")),
		sparse("entitled", schema.Boolean)),
})

var accessByKey = schema.Strict(
	required("type", schema.Text),
	sparse("apiKey", schema.Text),
	sparse("apiKeyManagementUrl", schema.AbsoluteURL))

// noAccountAccess: for an account even "access": null is a violation.
func noAccountAccess(n jsonedit.Node, r *schema.Report) {
	if a := get(n, accessPath); a.Exists() && isAccount(n.Get("providerId").Text()) {
		r.Add(a, "must not be there: the access of an account comes from its plan")
	}
}

func uniqueProviders(n jsonedit.Node, r *schema.Report) {
	seen := map[string]bool{}
	for rule := range n.Children() {
		id := rule.Get("providerId")
		if id.Kind() != jsonedit.String {
			continue
		}
		if seen[id.Text()] {
			r.Add(id, "must not be that of an earlier rule")
		}
		seen[id.Text()] = true
	}
}

// every applies all rules, whatever the earlier ones found.
func every(rules ...schema.Rule) schema.Rule {
	return func(n jsonedit.Node, r *schema.Report) {
		for _, rule := range rules {
			rule(n, r)
		}
	}
}

func notBlank(n jsonedit.Node, r *schema.Report) {
	if n.Kind() != jsonedit.String || trim(n.Text()) == "" {
		r.Add(n, "must be a string that is not blank")
	}
}
