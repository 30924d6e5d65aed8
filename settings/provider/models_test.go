package provider_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/provider"
	"zcode-acp/settings/redact"
)

// withModels returns a canonical document with these texts for the provider
// rule of p and the two lists of model rules.
func withModels(t testing.TB, rule, smartRules, manualRules string) string {
	t.Helper()
	d := set(t, provider.New(), rules, "["+rule+"]")
	d = set(t, d, smart, "["+smartRules+"]")
	d = set(t, d, manual, "["+manualRules+"]")
	return run(d, nil, nil).canonical(t)
}

// model is a rule of p/m with the given config.
func model(config string) string { return `{"providerId":"p","modelId":"m","config":{` + config + `}}` }

const (
	listsModel = `{"providerId":"p","config":{"personalModelIds":["m"],"modelOrder":["m"]}}`
	wholeModel = `"properties":{"contextWindow":9,"supportsJsonSchemaOutput":true,"supportsNativeWebSearch":false,
		"supportsMidConversationSystem":false,"inputFormat":{"supportsImage":true,"supportsVideo":false,"supportsPdf":false}},
		"optionSpecs":{"reasoningLevel":{"values":["a"],"map":"{}"},"maxOutputTokens":{"max":7}}`
)

func TestUpsertModel(t *testing.T) {
	none := null[int64]()
	for name, test := range map[string]struct {
		smart string
		patch provider.ModelPatch
		want  string
	}{
		"new":          {``, provider.ModelPatch{}, model(``)},
		"new, enabled": {``, provider.ModelPatch{Enabled: some(true)}, model(``)},
		"new, off":     {``, provider.ModelPatch{Enabled: some(false)}, model(`"enabled":false`)},
		"new, full": {``, provider.ModelPatch{ContextWindow: some[int64](1), ReasoningLevels: some([]string{"a", "A"}), MaxOutputTokens: some[int64](1<<53 - 1)},
			model(`"properties":{"contextWindow":1},"optionSpecs":{"reasoningLevel":{"values":["a","A"]},"maxOutputTokens":{"max":9007199254740991}}`)},
		"new, nulls":         {``, provider.ModelPatch{ContextWindow: none, ReasoningLevels: null[[]string](), MaxOutputTokens: none}, model(``)},
		"on deletes":         {model(`"enabled":false`), provider.ModelPatch{Enabled: some(true)}, model(``)},
		"on deletes true":    {model(`"enabled":true`), provider.ModelPatch{Enabled: some(true)}, model(``)},
		"off":                {model(`"enabled":true`), provider.ModelPatch{Enabled: some(false)}, model(`"enabled":false`)},
		"off after null":     {model(`"enabled":null`), provider.ModelPatch{Enabled: some(false)}, model(`"enabled":false`)},
		"inside null":        {model(`"properties":null,"optionSpecs":{"reasoningLevel":null}`), provider.ModelPatch{ContextWindow: some[int64](5), ReasoningLevels: some([]string{"x"})}, model(`"properties":{"contextWindow":5},"optionSpecs":{"reasoningLevel":{"values":["x"]}}`)},
		"siblings stay":      {model(`"properties":{"supportsToolCall":true,"contextWindow":4}`), provider.ModelPatch{ContextWindow: some[int64](5)}, model(`"properties":{"supportsToolCall":true,"contextWindow":5}`)},
		"null deletes":       {model(`"properties":{"supportsToolCall":true,"contextWindow":4}`), provider.ModelPatch{ContextWindow: none}, model(`"properties":{"supportsToolCall":true}`)},
		"emptied goes":       {model(`"properties":{"contextWindow":4},"optionSpecs":{"maxOutputTokens":{"max":4}}`), provider.ModelPatch{ContextWindow: none, MaxOutputTokens: none}, model(``)},
		"empty stays":        {model(`"properties":{},"optionSpecs":{"maxOutputTokens":{}}`), provider.ModelPatch{ContextWindow: none, MaxOutputTokens: none}, model(`"properties":{},"optionSpecs":{"maxOutputTokens":{}}`)},
		"map stays":          {model(`"optionSpecs":{"reasoningLevel":{"values":["a"],"map":"{}"}}`), provider.ModelPatch{ReasoningLevels: some([]string{"b"})}, model(`"optionSpecs":{"reasoningLevel":{"values":["b"],"map":"{}"}}`)},
		"map outlives":       {model(`"optionSpecs":{"reasoningLevel":{"values":["a"],"map":"{}"}}`), provider.ModelPatch{ReasoningLevels: null[[]string]()}, model(`"optionSpecs":{"reasoningLevel":{"map":"{}"}}`)},
		"the last of two":    {model(`"enabled":false`) + "," + model(`"properties":{"contextWindow":4}`), provider.ModelPatch{ContextWindow: some[int64](5)}, model(`"enabled":false`) + "," + model(`"properties":{"contextWindow":5}`)},
		"taken from both":    {model(`"enabled":false`) + "," + model(`"enabled":false`), provider.ModelPatch{Enabled: some(true)}, model(``) + "," + model(``)},
		"nothing to change":  {model(`"enabled":false`), provider.ModelPatch{}, model(`"enabled":false`)},
		"other models stay":  {`{"providerId":"p","modelId":"n","config":{}}`, provider.ModelPatch{}, `{"providerId":"p","modelId":"n","config":{}},` + model(``)},
		"other providers do": {`{"providerId":"q","modelId":"m","config":{}}`, provider.ModelPatch{}, `{"providerId":"q","modelId":"m","config":{}},` + model(``)},
	} {
		test.patch.ProviderID, test.patch.ModelID = "p", "m"
		got := run(provider.UpsertModel(parse(t, withModels(t, listsModel, test.smart, ``)), test.patch, nil))
		if diff := cmp.Diff(withModels(t, listsModel, test.want, ``), got.canonical(t)); diff != "" {
			t.Errorf("%s: want-, got+:\n%s", name, diff)
		}
		if len(got.notes) > 0 {
			t.Errorf("%s: got notes %q, want none", name, got.notes)
		}
	}
}

func TestUpsertManualModel(t *testing.T) {
	d := parse(t, withModels(t, listsModel, ``, model(wholeModel)))
	patch := provider.ModelPatch{ProviderID: "p", ModelID: "m", Enabled: some(false), MaxOutputTokens: some[int64](8)}
	off := run(provider.UpsertModel(d, patch, nil))
	want := set(t, set(t, d, in(manual, "0/config/enabled"), "false"), in(manual, "0/config/optionSpecs/maxOutputTokens/max"), "8")
	if diff := cmp.Diff(run(want, nil, nil).canonical(t), off.canonical(t)); diff != "" {
		t.Errorf("want-, got+:\n%s", diff)
	}
	on := run(provider.UpsertModel(off.doc, provider.ModelPatch{ProviderID: "p", ModelID: "m", Enabled: some(true)}, nil))
	if on.canonical(t); on.doc.Find(in(manual, "0/config/enabled")).Exists() {
		t.Error("enabling left the flag")
	}
}

func TestUpsertModelListsIt(t *testing.T) {
	const other = `"personalModelIds":["n"],"modelOrder":[" m "]`
	for name, test := range map[string]struct{ config, smart, want, note string }{
		"new, nothing listed": {``, ``, `"personalModelIds":["m"],"modelOrder":["m"]`, ""},
		"new, null lists":     {`"personalModelIds":null,"modelOrder":null`, ``, `"personalModelIds":["m"],"modelOrder":["m"]`, ""},
		"new, one list":       {other, ``, `"personalModelIds":["n","m"],"modelOrder":[" m "]`, ""},
		"old, one list": {other, model(``), `"personalModelIds":["n","m"],"modelOrder":[" m "]`,
			"the model was missing in the provider's list of models and was added"},
	} {
		got := run(provider.UpsertModel(parse(t, withModels(t, keyed(test.config), test.smart, ``)),
			provider.ModelPatch{ProviderID: "p", ModelID: "m"}, nil))
		if diff := cmp.Diff(withModels(t, keyed(test.want), model(``), ``), got.canonical(t)); diff != "" {
			t.Errorf("%s: want-, got+:\n%s", name, diff)
		}
		if want := slices.DeleteFunc([]string{test.note}, func(s string) bool { return s == "" }); !slices.Equal(got.notes, want) {
			t.Errorf("%s: got notes %q, want %q", name, got.notes, want)
		}
	}
}

func TestUpsertModelOfOtherLayers(t *testing.T) {
	asked := ""
	known := func(id string) bool { asked = id; return true }
	patch := provider.ModelPatch{ProviderID: "p", ModelID: "m", ContextWindow: some[int64](5)}
	got := run(provider.UpsertModel(provider.New(), patch, known))
	want := withModels(t, ``, model(`"properties":{"contextWindow":5}`), ``)
	if diff := cmp.Diff(want, got.canonical(t)); diff != "" || asked != "p" {
		t.Errorf("asked for %q; want-, got+:\n%s", asked, diff)
	}
	// A rule that is there can be changed whoever its provider is.
	run(provider.UpsertModel(got.doc, patch, nil)).canonical(t)
}

func TestUpsertModelRefused(t *testing.T) {
	d := load(t, "whole.json")
	for pointer, patch := range map[string]provider.ModelPatch{
		"/providerId":        {ModelID: "m"},
		"/modelId":           {ProviderID: "p1"},
		"/enabled":           {ProviderID: "p1", ModelID: "m", Enabled: null[bool]()},
		"/contextWindow":     {ProviderID: "p1", ModelID: "m", ContextWindow: some[int64](1 << 53)},
		"/maxOutputTokens":   {ProviderID: "p1", ModelID: "m", MaxOutputTokens: some[int64](0)},
		"/reasoningLevels":   {ProviderID: "p1", ModelID: "m", ReasoningLevels: some[[]string](nil)},
		"/reasoningLevels/0": {ProviderID: "p1", ModelID: "m", ReasoningLevels: some([]string{"\u00a0"})},
	} {
		run(provider.UpsertModel(d, patch, nil)).invalidAt(t, pointer)
	}
	for _, id := range []string{" m", "m\t", "m\nn"} {
		run(provider.UpsertModel(d, provider.ModelPatch{ProviderID: "p1", ModelID: id}, nil)).invalidAt(t, "/modelId")
	}
}

func TestRemoveModel(t *testing.T) {
	const lists = `{"providerId":"p","config":{"personalModelIds":["n"," m ","m"],"modelOrder":["m"]}}`
	const listsOther = `{"providerId":"p","config":{"personalModelIds":["n"],"modelOrder":[]}}`
	const otherModel = `{"providerId":"p","modelId":"n","config":{}},{"providerId":"q","modelId":"m","config":{}}`
	for name, test := range map[string]struct{ rule, smart, manual, wantRule, wantSmart string }{
		"everywhere":    {lists, otherModel + "," + model(``) + "," + model(``), ``, listsOther, otherModel},
		"manual":        {lists, ``, model(wholeModel), listsOther, ``},
		"only listed":   {lists, otherModel, ``, listsOther, otherModel},
		"only ruled":    {`{"providerId":"p","config":{}}`, model(``), ``, `{"providerId":"p","config":{}}`, ``},
		"without rule":  {``, model(``), ``, ``, ``},
		"null lists":    {keyed(`"personalModelIds":null`), model(``), ``, keyed(`"personalModelIds":null`), ``},
		"another's too": {`{"providerId":"q","config":{"personalModelIds":["m"]}}`, model(``), ``, `{"providerId":"q","config":{"personalModelIds":["m"]}}`, ``},
	} {
		got := run(provider.RemoveModel(parse(t, withModels(t, test.rule, test.smart, test.manual)), "p", "m"))
		if diff := cmp.Diff(withModels(t, test.wantRule, test.wantSmart, ``), got.canonical(t)); diff != "" {
			t.Errorf("%s: want-, got+:\n%s", name, diff)
		}
		if len(got.notes) > 0 {
			t.Errorf("%s: got notes %q, want none", name, got.notes)
		}
	}
	d := load(t, "whole.json")
	for _, id := range [][2]string{{"p1", "m9"}, {"p9", "m1"}, {"", ""}} {
		run(provider.RemoveModel(d, id[0], id[1])).refused(t, provider.ErrUnknown)
	}

	got := run(provider.RemoveModel(d, "p1", "m1"))
	got.canonical(t)
	if n := got.doc.Find(selection); n.Exists() || len(got.notes) != 1 {
		t.Errorf("got default %s and notes %q, want it cleared and one note", n.Raw(), got.notes)
	}
	got = run(provider.RemoveModel(d, "p1", "m2"))
	got.canonical(t)
	if n := got.doc.Find(selection); !n.Exists() || len(got.notes) > 0 {
		t.Errorf("got default %q and notes %q, want another model's default kept", n.Raw(), got.notes)
	}
}

func TestRemoveProvider(t *testing.T) {
	got := run(provider.RemoveProvider(load(t, "whole.json"), "p1"))
	want := parse(t, `{"schemaVersion":1,"config":{"providerOrder":["account:zai-start-plan"],"providerConfigRules":{"providerRules":[
		{"providerId":"p2","config":{"access":{"type":"zhipu-account","accountType":"zai","mode":"start-plan","entitled":true}}},
		{"providerId":"account:zai-start-plan","enabled":false,"config":{}}]},
		"modelConfigRules":{"providerModelRules":[],"manualProviderModelRules":[]}}}`)
	if diff := cmp.Diff(run(want, nil, nil).canonical(t), got.canonical(t)); diff != "" {
		t.Errorf("want-, got+:\n%s", diff)
	}
	if len(got.notes) != 3 {
		t.Errorf("got notes %q, want one each for the order, the models and the default", got.notes)
	}
	one := run(provider.RemoveProvider(parse(t, withModels(t, keyed(``), model(``)+`,{"providerId":"q","modelId":"m","config":{}}`, ``)), "p"))
	if got, want := one.canonical(t), withModels(t, ``, `{"providerId":"q","modelId":"m","config":{}}`, ``); got != want || len(one.notes) != 1 {
		t.Errorf("notes %q; want-, got+:\n%s", one.notes, cmp.Diff(want, got))
	}
	run(provider.RemoveProvider(load(t, "whole.json"), "p9")).refused(t, provider.ErrUnknown)
	run(provider.RemoveProvider(parse(t, withModels(t, ``, model(``), ``)), "p")).refused(t, provider.ErrUnknown)
}

func TestOrder(t *testing.T) {
	d := load(t, "whole.json")
	for _, ids := range [][]string{{"p2", "p1", "builtin", "account:zai-start-plan"}, {}, nil} {
		got := run(provider.Order(d, ids))
		got.canonical(t)
		if order := provider.List(got.doc).Order; !slices.Equal(order, ids) {
			t.Errorf("got order %q, want %q", order, ids)
		}
	}
	run(provider.Order(d, []string{"p1", "p2", "p1"})).invalidAt(t, "/order/2")
	run(provider.Order(d, []string{""})).invalidAt(t, "/order/0")
}

func TestSetDefault(t *testing.T) {
	for _, d := range []string{"whole.json", "other-order.json"} {
		for _, s := range []provider.Selection{
			{ProviderID: "account:zai-start-plan", ModelID: "GLM-5"},
			{ProviderID: "p2", ModelID: "m", ReasoningLevel: "max"},
		} {
			got := run(provider.SetDefault(load(t, d), &s))
			got.canonical(t)
			if diff := cmp.Diff(&s, provider.List(got.doc).Default); diff != "" {
				t.Errorf("want-, got+:\n%s", diff)
			}
		}
		cleared := run(provider.SetDefault(load(t, d), nil))
		if cleared.canonical(t); cleared.doc.Find(selection).Exists() {
			t.Error("the default stayed")
		}
	}
	d := load(t, "whole.json")
	for pointer, s := range map[string]provider.Selection{
		"/providerId":     {ModelID: "m"},
		"/modelId":        {ProviderID: "p", ModelID: " m"},
		"/reasoningLevel": {ProviderID: "p", ModelID: "m", ReasoningLevel: " "},
	} {
		run(provider.SetDefault(d, &s)).invalidAt(t, pointer)
	}
}

// A listed provider can be sent back whole.
func TestListedValuesKeepSecrets(t *testing.T) {
	d := leaky(t)
	listed := provider.List(d).Providers[0]
	got := run(provider.UpdateProvider(d, "p1", provider.ProviderPatch{
		Enabled: some(listed.Enabled), ProviderName: some(listed.ProviderName), APIType: some(listed.APIType),
		BaseURL: some(listed.BaseURL), Headers: some(listed.Headers), Visibility: some(listed.Visibility),
		APIKeyManagementURL: some(listed.APIKeyManagementURL),
	}))
	if got.err != nil || string(got.doc.Text()) != string(d.Text()) {
		t.Errorf("got error %v and a changed text", got.err)
	}
	mask := redact.Mask
	if got := run(provider.SetKey(d, "p1", &mask)); got.err != nil || string(got.doc.Text()) != string(d.Text()) {
		t.Errorf("got error %v and a changed text", got.err)
	}
}
