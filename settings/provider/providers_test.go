package provider_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
	"zcode-acp/settings/redact"
)

// withRule returns a canonical document whose only provider rule is the text.
func withRule(t testing.TB, rule string) string {
	t.Helper()
	d := set(t, provider.New(), rules, "["+rule+"]")
	return run(d, nil, nil).canonical(t)
}

// keyed is a rule with the given config.
func keyed(config string) string { return `{"providerId":"p","config":{` + config + `}}` }

func TestUpdateProvider(t *testing.T) {
	for name, test := range map[string]struct {
		rule  string
		patch provider.ProviderPatch
		want  string // the rule afterwards
	}{
		"enable is written":  {keyed(``), provider.ProviderPatch{Enabled: some(true)}, `{"providerId":"p","enabled":true,"config":{}}`},
		"disable is written": {`{"providerId":"p","enabled":true,"config":{}}`, provider.ProviderPatch{Enabled: some(false)}, `{"providerId":"p","enabled":false,"config":{}}`},
		"rename":             {keyed(``), provider.ProviderPatch{ProviderName: some("Ünï")}, `{"providerId":"p","providerName":"Ünï","config":{}}`},
		"rename a null name": {`{"providerId":"p","providerName":null,"config":{}}`, provider.ProviderPatch{ProviderName: some("N")}, `{"providerId":"p","providerName":"N","config":{}}`},
		"null takes the name away": {`{"providerId":"p","providerName":"N","config":{}}`,
			provider.ProviderPatch{ProviderName: null[string]()}, keyed(``)},
		"null for what is not there": {keyed(`"api":{}`), provider.ProviderPatch{
			APIType: null[string](), APIKeyManagementURL: null[string](), Headers: null[map[string]string]()},
			keyed(`"api":{}`)},
		"api from nothing": {keyed(``), provider.ProviderPatch{APIType: some("openai-responses"), BaseURL: some("https://a.example")},
			keyed(`"api":{"type":"openai-responses","baseUrl":"https://a.example"}`)},
		"api from null": {keyed(`"api":null`), provider.ProviderPatch{BaseURL: some("draft")}, keyed(`"api":{"baseUrl":"draft"}`)},
		"an emptied api goes": {keyed(`"api":{"type":"openai-responses","baseUrl":"x"}`),
			provider.ProviderPatch{APIType: null[string](), BaseURL: null[string]()}, keyed(``)},
		"headers keep their order, new ones go last": {keyed(`"api":{"headers":{"b":"1","a":"2","c":"3"}}`),
			provider.ProviderPatch{Headers: some(map[string]string{"z": "9", "a": "7", "b": redact.Mask, "d": "8"})},
			keyed(`"api":{"headers":{"b":"1","a":"7","d":"8","z":"9"}}`)},
		"an empty header stays empty": {keyed(`"api":{"headers":{"b":""}}`),
			provider.ProviderPatch{Headers: some(map[string]string{"b": ""})}, keyed(`"api":{"headers":{"b":""}}`)},
		"null takes the headers away": {keyed(`"api":{"type":"openai-responses","headers":{"b":"1"}}`),
			provider.ProviderPatch{Headers: null[map[string]string]()}, keyed(`"api":{"type":"openai-responses"}`)},
		"no headers": {keyed(``), provider.ProviderPatch{Headers: some(map[string]string{})}, keyed(`"api":{"headers":{}}`)},
		"hide":       {keyed(``), provider.ProviderPatch{Visibility: some("hidden")}, keyed(`"visibility":"hidden"`)},
		"unhide":     {keyed(`"visibility":"hidden"`), provider.ProviderPatch{Visibility: null[string]()}, keyed(``)},
		"the page of keys makes an access": {keyed(``), provider.ProviderPatch{APIKeyManagementURL: some("https://a.example/k")},
			keyed(`"access":{"type":"api-key","apiKeyManagementUrl":"https://a.example/k"}`)},
		"an access keeps its type": {keyed(`"access":{"type":"zhipu-coding-plan-api-key","apiKeyManagementUrl":"https://b.example"}`),
			provider.ProviderPatch{APIKeyManagementURL: null[string]()}, keyed(`"access":{"type":"zhipu-coding-plan-api-key"}`)},
		"masked addresses stay": {keyed(`"access":{"type":"api-key","apiKeyManagementUrl":"https://a.example/?token=t"},"api":{"baseUrl":"https://u:p@a.example"}`),
			provider.ProviderPatch{APIKeyManagementURL: some("https://a.example/?token=" + redact.Mask), BaseURL: some("https://" + redact.Mask + "@a.example")},
			keyed(`"access":{"type":"api-key","apiKeyManagementUrl":"https://a.example/?token=t"},"api":{"baseUrl":"https://u:p@a.example"}`)},
		"several at once": {keyed(`"visibility":"visible"`), provider.ProviderPatch{Enabled: some(false), ProviderName: some("N"), Visibility: null[string]()},
			`{"providerId":"p","providerName":"N","enabled":false,"config":{}}`},
	} {
		got := run(provider.UpdateProvider(parse(t, withRule(t, test.rule)), "p", test.patch))
		if diff := cmp.Diff(withRule(t, test.want), got.canonical(t)); diff != "" {
			t.Errorf("%s: want-, got+:\n%s", name, diff)
		}
	}
}

func TestUpdateProviderChangesNothing(t *testing.T) {
	d := load(t, "whole.json")
	for name, patch := range map[string]provider.ProviderPatch{
		"the same values": {Enabled: some(true), ProviderName: some("Router"), BaseURL: some("https://router.example/v1")},
		"what was listed": {Headers: some(provider.List(d).Providers[0].Headers)},
	} {
		if got := run(provider.UpdateProvider(d, "p1", patch)); got.err != nil || string(got.doc.Text()) != string(d.Text()) {
			t.Errorf("%s: got error %v and a changed text", name, got.err)
		}
	}
}

func TestUpdateProviderRefused(t *testing.T) {
	d := load(t, "whole.json")
	for pointer, patch := range map[string]provider.ProviderPatch{
		"":                     {},
		"/enabled":             {Enabled: null[bool]()},
		"/providerName":        {ProviderName: some(" ")},
		"/apiType":             {APIType: some("openai")},
		"/baseUrl":             {BaseURL: some("https://a.example\n")},
		"/visibility":          {Visibility: some("gone")},
		"/apiKeyManagementUrl": {APIKeyManagementURL: some("keys")},
		"/headers/X-New":       {Headers: some(map[string]string{"X-New": redact.Mask})},
		"/headers/":            {Headers: some(map[string]string{"": "v"})},
		"/headers/X-Org":       {Headers: some(map[string]string{"X-Org": ""})},
		"/headers/a~1b":        {Headers: some(map[string]string{"a/b": "x\r\ny: z"})},
		"/headers/X-None":      {Headers: some(map[string]string{"X-None": ""})},
	} {
		run(provider.UpdateProvider(d, "p1", patch)).invalidAt(t, pointer)
	}
	for _, masked := range []string{redact.Mask, "https://" + redact.Mask + "@other.example"} {
		run(provider.UpdateProvider(d, "p1", provider.ProviderPatch{BaseURL: some(masked)})).invalidAt(t, "/baseUrl")
	}
	run(provider.UpdateProvider(d, "p9", provider.ProviderPatch{Enabled: some(true)})).refused(t, provider.ErrUnknown)
	run(provider.UpdateProvider(d, "p2", provider.ProviderPatch{APIKeyManagementURL: some("https://a.example")})).refused(t, provider.ErrAccount)
}

func TestAccountProviders(t *testing.T) {
	enable := provider.ProviderPatch{Enabled: some(true)}
	for _, id := range []string{
		"account:zai-individual-coding-plan", "account:zai-team-coding-plan", "account:zai-start-plan",
		"account:bigmodel-individual-coding-plan", "account:bigmodel-team-coding-plan", "account:bigmodel-start-plan",
	} {
		want := withRule(t, `{"providerId":"`+id+`","enabled":false,"config":{}}`)
		got := run(provider.UpdateProvider(provider.New(), id, provider.ProviderPatch{Enabled: some(false)}))
		if diff := cmp.Diff(want, got.canonical(t)); diff != "" {
			t.Errorf("%s: want-, got+:\n%s", id, diff)
		}
	}
	for _, id := range []string{"account:", "account:zai-", "account:glm-start-plan", "account:zai-start-plan-x", "zai-start-plan", "account:zai-start"} {
		run(provider.UpdateProvider(provider.New(), id, enable)).refused(t, provider.ErrUnknown)
	}
	const id = "account:zai-start-plan"
	d, key := load(t, "whole.json"), "k"
	for name, patch := range map[string]provider.ProviderPatch{
		"name": {ProviderName: some("N")}, "type": {APIType: some("openai-responses")}, "url": {BaseURL: some("https://a")},
		"headers": {Headers: some(map[string]string{"a": "b"})}, "page": {APIKeyManagementURL: some("https://a.example")},
		"visibility": {Visibility: some("hidden")}, "name too": {Enabled: some(true), ProviderName: some("N")},
	} {
		got := run(provider.UpdateProvider(d, id, patch))
		got.refused(t, provider.ErrAccount)
		if got.err == nil || !strings.Contains(got.err.Error(), "account-managed") {
			t.Errorf("%s: got %v", name, got.err)
		}
	}
	run(provider.SetKey(d, id, &key)).refused(t, provider.ErrAccount)
	run(provider.SetKey(d, id, nil)).refused(t, provider.ErrAccount)
	run(provider.SetKey(d, "p2", &key)).refused(t, provider.ErrAccount)
	run(provider.SetKey(d, "p2", nil)).refused(t, provider.ErrAccount)
	run(provider.RemoveProvider(d, id)).refused(t, provider.ErrAccount)
	run(provider.CreateProvider(d, provider.NewProvider{ProviderID: "account:zai-team-coding-plan"})).refused(t, provider.ErrAccount)
}

func TestSetKey(t *testing.T) {
	key, mask, blank, lines := "sk-new", redact.Mask, " ", "a\nb"
	for name, test := range map[string]struct {
		rule string
		key  *string
		want string
	}{
		"first":                 {keyed(``), &key, keyed(`"access":{"type":"api-key","apiKey":"sk-new"}`)},
		"first after null":      {keyed(`"access":null`), &key, keyed(`"access":{"type":"api-key","apiKey":"sk-new"}`)},
		"another":               {keyed(`"access":{"type":"zhipu-coding-plan-api-key","apiKey":"old"}`), &key, keyed(`"access":{"type":"zhipu-coding-plan-api-key","apiKey":"sk-new"}`)},
		"after a null key":      {keyed(`"access":{"type":"api-key","apiKey":null}`), &key, keyed(`"access":{"type":"api-key","apiKey":"sk-new"}`)},
		"mask keeps":            {keyed(`"access":{"type":"api-key","apiKey":"old"}`), &mask, keyed(`"access":{"type":"api-key","apiKey":"old"}`)},
		"mask keeps an odd key": {keyed(`"access":{"type":"api-key","apiKey":"a\nb"}`), &mask, keyed(`"access":{"type":"api-key","apiKey":"a\nb"}`)},
		"nil takes it away":     {keyed(`"access":{"type":"api-key","apiKey":"old"}`), nil, keyed(`"access":{"type":"api-key"}`)},
		"nil without key":       {keyed(``), nil, keyed(``)},
	} {
		got := run(provider.SetKey(parse(t, withRule(t, test.rule)), "p", test.key))
		if diff := cmp.Diff(withRule(t, test.want), got.canonical(t)); diff != "" {
			t.Errorf("%s: want-, got+:\n%s", name, diff)
		}
	}
	d := load(t, "whole.json")
	empty := ""
	for _, bad := range []*string{&blank, &lines, &empty} {
		run(provider.SetKey(d, "p1", bad)).invalidAt(t, "/apiKey")
	}
	bare := parse(t, withRule(t, keyed(``)))
	run(provider.SetKey(bare, "p", &mask)).invalidAt(t, "/apiKey")
	run(provider.SetKey(bare, "p", &empty)).invalidAt(t, "/apiKey")
	run(provider.SetKey(d, "p9", &key)).refused(t, provider.ErrUnknown)
}

func TestCreateProvider(t *testing.T) {
	p := func(s string) *string { return &s }
	off := false
	for name, test := range map[string]struct {
		provider provider.NewProvider
		want     string
	}{
		"bare": {provider.NewProvider{ProviderID: "p"}, `{"providerId":"p","enabled":true,"config":{"group":"standard-personal"}}`},
		"whole": {provider.NewProvider{ProviderID: "p", ProviderName: p("N"), TemplateID: p("t"), Enabled: &off, APIType: p("anthropic-messages"),
			BaseURL: p("https://a.example"), APIKey: p("sk"), APIKeyManagementURL: p("https://a.example/k"),
			Headers: map[string]string{"b": "1", "a": "2"}, ModelIDs: []string{"m2", "m1"}},
			`{"providerId":"p","templateId":"t","providerName":"N","enabled":false,"config":{"group":"standard-personal",
			"access":{"type":"api-key","apiKey":"sk","apiKeyManagementUrl":"https://a.example/k"},
			"api":{"type":"anthropic-messages","baseUrl":"https://a.example","headers":{"a":"2","b":"1"}},
			"personalModelIds":["m2","m1"],"modelOrder":["m2","m1"]}}`},
		"a key alone": {provider.NewProvider{ProviderID: "p", APIKey: p("sk")},
			`{"providerId":"p","enabled":true,"config":{"group":"standard-personal","access":{"type":"api-key","apiKey":"sk"}}}`},
	} {
		got := run(provider.CreateProvider(provider.New(), test.provider))
		if diff := cmp.Diff(withRule(t, test.want), got.canonical(t)); diff != "" {
			t.Errorf("%s: want-, got+:\n%s", name, diff)
		}
	}
	d := load(t, "whole.json")
	for pointer, n := range map[string]provider.NewProvider{
		"/providerName":        {ProviderName: p("")},
		"/templateId":          {TemplateID: p("")},
		"/apiType":             {APIType: p("openai")},
		"/baseUrl":             {BaseURL: p("https://" + redact.Mask + "@a.example")},
		"/apiKey":              {APIKey: p(redact.Mask)},
		"/apiKeyManagementUrl": {APIKeyManagementURL: p("https://")},
		"/headers/A":           {Headers: map[string]string{"A": redact.Mask}},
		"/modelIds/1":          {ModelIDs: []string{"a", "a"}},
		"/modelIds/0":          {ModelIDs: []string{" a"}},
	} {
		n.ProviderID = "p9"
		run(provider.CreateProvider(d, n)).invalidAt(t, pointer)
	}
	for _, id := range []string{"", " ", " p", "p\n", "p\x00q"} {
		run(provider.CreateProvider(d, provider.NewProvider{ProviderID: id})).invalidAt(t, "/providerId")
	}
	run(provider.CreateProvider(d, provider.NewProvider{ProviderID: "p1"})).refused(t, provider.ErrExists)
}

// Documents that ZCode would not read get an error, never a panic.
func TestChangesOfBrokenDocuments(t *testing.T) {
	for _, text := range []string{
		`1`, `[]`, `{}`, `{"config":null}`, `{"schemaVersion":1,"config":{"providerConfigRules":[],"modelConfigRules":7,"providerOrder":{"a":1}}}`,
		`{"config":{"providerConfigRules":{"providerRules":[{"providerId":"p1","config":"x"}]},"modelConfigRules":{"providerModelRules":[
		{"providerId":"p1","modelId":"m1","config":[1]}],"manualProviderModelRules":{"a":{}}},"defaultModelSelection":"x"}}`,
	} {
		everyChange(parse(t, text))
	}
	broken := set(t, load(t, "whole.json"), in(rules, "0/config"), `"text"`)
	got := run(provider.UpdateProvider(broken, "p1", provider.ProviderPatch{BaseURL: some("https://a.example")}))
	got.refused(t, jsonedit.ErrPath)
}
