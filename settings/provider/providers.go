package provider

import (
	"fmt"
	"slices"
	"strconv"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
)

func itoa(i int) string { return strconv.Itoa(i) }

// UpdateProvider changes a provider. Of an account's provider only Enabled can
// change; that of a coding plan needs no rule before.
func UpdateProvider(d *jsonedit.Doc, id string, p ProviderPatch) (*jsonedit.Doc, []string, error) {
	c := begin(d)
	if c.err == nil {
		c.fail(p.refuse(id))
	}
	rule := findProvider(d, id)
	switch {
	case c.err != nil:
	case rule.Exists():
		c.updateRule(rule, p)
	case isAccountPlan(id):
		c.add(providersPath, object(
			member{"providerId", jsonedit.Quote(id)},
			member{"enabled", boolean(p.Enabled.Value)},
			member{"config", object()}))
	default:
		c.fail(errUnknownProvider())
	}
	return c.end(fmt.Sprintf("updating provider %q", id))
}

// refuse looks at the patch alone.
func (p ProviderPatch) refuse(id string) error {
	others := p.ProviderName.Set || p.APIType.Set || p.BaseURL.Set || p.Headers.Set || p.Visibility.Set || p.APIKeyManagementURL.Set
	switch {
	case !others && !p.Enabled.Set:
		return invalid("there is nothing to update: send enabled, providerName, apiType, baseUrl, headers, visibility or apiKeyManagementUrl")
	case others && isAccount(id):
		return errAccount()
	case p.Enabled.Null:
		return invalid("must be true or false", "enabled")
	}
	return nil
}

func (c *change) updateRule(rule jsonedit.Node, p ProviderPatch) {
	path := rule.Path()
	if p.Enabled.Set {
		c.put(at(path, "enabled"), boolean(p.Enabled.Value))
	}
	c.patchText(path, nameField, p.ProviderName)
	c.patchText(path, apiTypeField, p.APIType)
	c.patchText(path, baseURLField, p.BaseURL)
	c.patchHeaders(rule, p.Headers)
	c.patchText(path, visibilityField, p.Visibility)
	if p.APIKeyManagementURL.Set && c.needKeyAccess(rule, !p.APIKeyManagementURL.Null) {
		c.patchText(path, keyPageField, p.APIKeyManagementURL)
	}
}

// textField is a string of a provider rule.
type textField struct {
	name string        // in bodies
	path jsonedit.Path // from the rule
	must func(string) string
	mask func(string) string // how it is shown; nil: as it is
}

var (
	nameField       = textField{"providerName", jsonedit.Path{"providerName"}, mustBeLine, nil}
	apiTypeField    = textField{"apiType", at(apiPath, "type"), mustBeAPIType, nil}
	baseURLField    = textField{"baseUrl", at(apiPath, "baseUrl"), mustBeLine, redact.URL}
	visibilityField = textField{"visibility", jsonedit.Path{"config", "visibility"}, mustBeVisibility, nil}
	keyField        = textField{"apiKey", at(accessPath, "apiKey"), mustBeLine, redact.String}
	keyPageField    = textField{"apiKeyManagementUrl", at(accessPath, "apiKeyManagementUrl"), mustBeURL, redact.URL}
)

// value returns what a written string means beside the present one.
func (f textField) value(written, present string) (string, error) {
	value := written
	if f.mask != nil {
		var ok bool
		if value, ok = redact.Restore(written, present, f.mask(present)); !ok {
			return "", invalid(maskedReason, f.name)
		}
	}
	if value == present && present != "" {
		return value, nil
	}
	return value, checkText(f.name, value, f.must)
}

// patchText writes, keeps or takes away one string of a rule.
func (c *change) patchText(rule jsonedit.Path, f textField, patch Optional[string]) {
	to := at(rule, f.path...)
	switch {
	case c.err != nil || !patch.Set:
	case patch.Null:
		c.drop(to, len(rule)+1)
	default:
		value, err := f.value(patch.Value, c.doc.Find(to).Text())
		if err != nil {
			c.fail(err)
			return
		}
		c.put(to, jsonedit.Quote(value))
	}
}

// patchHeaders keeps the order of the headers that stay.
func (c *change) patchHeaders(rule jsonedit.Node, patch Optional[map[string]string]) {
	to := at(rule.Path(), at(apiPath, "headers")...)
	switch {
	case c.err != nil || !patch.Set:
		return
	case patch.Null:
		c.drop(to, len(rule.Path())+1)
		return
	}
	headers, err := unmaskHeaders(patch.Value, headersOf(get(rule, apiPath)))
	if err != nil {
		c.fail(err)
		return
	}
	c.put(to, headersText(headers, c.doc.Find(to)))
}

func headersText(headers map[string]string, present jsonedit.Node) []byte {
	var names []string
	for n := range present.Children() {
		if _, ok := headers[n.Key()]; ok {
			names = append(names, n.Key())
		}
	}
	for _, name := range sortedNames(headers) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	members := make([]member, len(names))
	for i, name := range names {
		members[i] = member{name, jsonedit.Quote(headers[name])}
	}
	return object(members...)
}

// needKeyAccess makes sure that the rule's access is one by key, and makes it
// one where there is none and create is set.
func (c *change) needKeyAccess(rule jsonedit.Node, create bool) bool {
	access := get(rule, accessPath)
	switch {
	case access.Get("type").Text() == accountAccess:
		c.fail(fmt.Errorf("it is %w: it is used through a signed-in account and has no key", ErrAccount))
	case create && access.Kind() != jsonedit.Object:
		c.put(at(rule.Path(), at(accessPath, "type")...), jsonedit.Quote(keyAccess))
	}
	return c.err == nil
}

// SetKey sets the access key of a provider, or takes it away when key is nil;
// a mask keeps the key that is there.
func SetKey(d *jsonedit.Doc, id string, key *string) (*jsonedit.Doc, []string, error) {
	c := begin(d)
	rule := findProvider(d, id)
	switch {
	case c.err != nil:
	case isAccount(id):
		c.fail(errAccount())
	case !rule.Exists():
		c.fail(errUnknownProvider())
	default:
		c.setKey(rule, key)
	}
	return c.end(fmt.Sprintf("setting the key of provider %q", id))
}

func (c *change) setKey(rule jsonedit.Node, key *string) {
	patch := Optional[string]{Set: true, Null: key == nil}
	if key != nil {
		patch.Value = *key
		if _, err := keyField.value(*key, get(rule, keyField.path).Text()); err != nil {
			c.fail(err)
			return
		}
	}
	if c.needKeyAccess(rule, key != nil) {
		c.patchText(rule.Path(), keyField, patch)
	}
}
