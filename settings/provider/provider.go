// Package provider reads and changes ZCode's table of personal model providers,
// the text of v2/provider_config.json.
//
// Its promise: a change that is made to a document without violations
// ([Check]) gives a document without violations, touches only what it names
// and what its notes tell, and never shows a secret, in answers as in errors.
// ZCode reads this file strictly: one unknown member anywhere makes it run with
// no personal provider at all. Documents go in, documents come out; files are
// not this package's matter.
//
// Changes leave the form alone; [Canonical] brings the result into the order
// that ZCode writes, so that ZCode has no reason to write the file again.
package provider

import (
	"slices"
	"strings"
	"unicode"

	"zcode-acp/settings/jsonedit"
)

const skeleton = `{
  "schemaVersion": 1,
  "config": {
    "providerConfigRules": {
      "providerRules": []
    },
    "modelConfigRules": {
      "providerModelRules": [],
      "manualProviderModelRules": []
    }
  }
}`

// New returns the document of a file that does not exist yet.
func New() *jsonedit.Doc {
	d, err := jsonedit.Parse([]byte(skeleton))
	if err != nil {
		panic("provider: the skeleton: " + err.Error())
	}
	return d
}

// Where the parts of the document are.
var (
	versionPath   = jsonedit.Path{"schemaVersion"}
	orderPath     = jsonedit.Path{"config", "providerOrder"}
	providersPath = jsonedit.Path{"config", "providerConfigRules", "providerRules"}
	smartPath     = jsonedit.Path{"config", "modelConfigRules", "providerModelRules"}
	manualPath    = jsonedit.Path{"config", "modelConfigRules", "manualProviderModelRules"}
	defaultPath   = jsonedit.Path{"config", "defaultModelSelection"}
)

// Members of a provider rule, from the rule.
var (
	accessPath     = jsonedit.Path{"config", "access"}
	apiPath        = jsonedit.Path{"config", "api"}
	modelIDsPath   = jsonedit.Path{"config", "personalModelIds"}
	modelOrderPath = jsonedit.Path{"config", "modelOrder"}
)

const accountPrefix = "account:"

// isAccount reports whether a provider belongs to a signed-in account, whose
// plan supplies everything but whether it is enabled.
func isAccount(id string) bool { return strings.HasPrefix(id, accountPrefix) }

// isAccountPlan names the account providers that exist without a rule here.
func isAccountPlan(id string) bool {
	family, plan, _ := strings.Cut(strings.TrimPrefix(id, accountPrefix), "-")
	return isAccount(id) && slices.Contains([]string{"zai", "bigmodel"}, family) &&
		slices.Contains([]string{"individual-coding-plan", "team-coding-plan", "start-plan"}, plan)
}

// get follows names from a value.
func get(n jsonedit.Node, path jsonedit.Path) jsonedit.Node {
	for _, name := range path {
		n = n.Get(name)
	}
	return n
}

// findProvider returns the rule of a provider, or a Node that does not exist.
func findProvider(d *jsonedit.Doc, id string) jsonedit.Node {
	for rule := range d.Find(providersPath).Children() {
		if isText(rule.Get("providerId"), id) {
			return rule
		}
	}
	return jsonedit.Node{}
}

// findModel returns the rules of a model in one of the two lists; ZCode lays
// later ones over earlier ones.
func findModel(d *jsonedit.Doc, list jsonedit.Path, providerID, modelID string) []jsonedit.Path {
	var found []jsonedit.Path
	for rule := range d.Find(list).Children() {
		if isModelRule(rule, providerID, modelID) {
			found = append(found, rule.Path())
		}
	}
	return found
}

func isModelRule(rule jsonedit.Node, providerID, modelID string) bool {
	return isText(rule.Get("providerId"), providerID) && isText(rule.Get("modelId"), modelID)
}

func isText(n jsonedit.Node, want string) bool {
	return n.Kind() == jsonedit.String && n.Text() == want
}

// trim removes what ZCode's own trimming removes: white space as JavaScript
// knows it.
func trim(s string) string { return strings.TrimFunc(s, isSpace) }

func isSpace(r rune) bool {
	return r == '\uFEFF' || r != '\u0085' && unicode.IsSpace(r)
}
