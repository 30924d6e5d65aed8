package settings

import (
	"strings"
	"testing"
)

// edited applies replacements to a sample, each of which must be possible in
// exactly one place.
func edited(t testing.TB, text string, oldNew ...string) string {
	t.Helper()
	for i := 0; i < len(oldNew); i += 2 {
		if n := strings.Count(text, oldNew[i]); n != 1 {
			t.Fatalf("%q stands %d times in the sample, want once", oldNew[i], n)
		}
		text = strings.Replace(text, oldNew[i], oldNew[i+1], 1)
	}
	return text
}

const accountPlan = "account:zai-individual-coding-plan"

func TestCasesOfProviders(t *testing.T) {
	account := "          \"providerId\": \"" + accountPlan + "\",\n          \"enabled\": "
	tests := []struct {
		name   string
		file   string
		before []string // replacements in the file
		op     string
		in     params
		edits  []string // replacements that the write makes
		want   string   // the whole file, where it is no edit of the sample
		also   []string
	}{
		{
			name: "canonical", file: "canonical.json",
			op: "models/upsert", in: params{"providerId": "p1", "modelId": "m1", "contextWindow": 200000, "reasoningLevels": []string{"low", "high"}},
			edits: []string{"400000", "200000", "                  \"medium\",\n", ""},
		},
		{
			name: "manual rule", file: "manual-rule.json",
			op: "models/upsert", in: params{"providerId": "p1", "modelId": "m2", "reasoningLevels": []string{"off", "on"}},
			edits: []string{
				`"low"`, `"off"`, `"high"`, `"on"`,
				"\"personalModelIds\": [\n              \"m1\"\n", "\"personalModelIds\": [\n              \"m1\",\n              \"m2\"\n",
				"\"modelOrder\": [\n              \"m1\"\n", "\"modelOrder\": [\n              \"m1\",\n              \"m2\"\n",
			},
			also: []string{"was missing in the provider's list"},
		},
		{
			name: "account enabled", file: "account-rule.json",
			op: "providers/update", in: params{"id": accountPlan, "enabled": true},
			edits: []string{account + "false", account + "true"},
		},
		{
			name: "account disabled", file: "account-rule.json", before: []string{account + "false", account + "true"},
			op: "providers/update", in: params{"id": accountPlan, "enabled": false},
			edits: []string{account + "true", account + "false"},
		},
		{
			name: "other order", file: "other-order.json",
			op: "providers/create", in: params{"providerId": "p9"},
			want: `{
  "schemaVersion": 1,
  "config": {
    "providerConfigRules": {
      "providerRules": [
        {
          "providerId": "p9",
          "enabled": true,
          "config": {
            "group": "standard-personal"
          }
        }
      ]
    },
    "modelConfigRules": {
      "providerModelRules": [],
      "manualProviderModelRules": []
    }
  }
}`,
			also: []string{"order and spacing that ZCode itself writes"},
		},
		{
			name: "byte order mark", file: "canonical.json", before: []string{"{\n  \"schemaVersion\"", "\ufeff{\n  \"schemaVersion\""},
			op: "providers/update", in: params{"id": "p1", "enabled": false},
			edits: []string{"\ufeff", "", `"enabled": true`, `"enabled": false`},
			also:  []string{"byte order mark was dropped"},
		},
	}
	for _, tt := range tests {
		t.Run("B048 "+tt.name, func(t *testing.T) {
			w := newWorld(t)
			old := edited(t, sample(t, "provider/"+tt.file), tt.before...)
			w.put(providerFile, old)
			got := w.write(tt.op, Call{}, tt.in)
			want := tt.want
			if want == "" {
				want = edited(t, old, tt.edits...)
			}
			same(t, "the file", w.get(providerFile), want)
			hasOnly(t, "also", got.Also, tt.also...)
			if !got.OK || !got.Changed || got.Effect != Immediate {
				t.Errorf("got %+v, want ok, changed and %s", got, Immediate)
			}
			w.keeps(got.Backup, old)
			if list := answerOf[*ModelsList](w, "models/list"); list.ETag != got.ETag || list.Warnings != nil {
				t.Errorf("got etag %s, the listing has %s and warnings %q", got.ETag, list.ETag, list.Warnings)
			}
		})
	}
}

func TestCaseMissingProviderConfig(t *testing.T) {
	w := newWorld(t)
	got := w.write("providers/order", Call{}, params{"order": []string{"p1"}})
	same(t, "the file", w.get(providerFile), `{
  "schemaVersion": 1,
  "config": {
    "providerOrder": [
      "p1"
    ],
    "providerConfigRules": {
      "providerRules": []
    },
    "modelConfigRules": {
      "providerModelRules": [],
      "manualProviderModelRules": []
    }
  }
}`)
	w.hasMode(providerFile, 0o600)
	if got.Backup != "" || len(got.Also) != 0 {
		t.Errorf("got %+v, want no backup and nothing beside", got)
	}
}

func TestCasesOfProvidersRefused(t *testing.T) {
	canonical := sample(t, "provider/canonical.json")
	manual := sample(t, "provider/manual-rule.json")
	bothLists := edited(t, manual, `"providerModelRules": [],`, `"providerModelRules": [{"modelId": "m2", "config": {}, "providerId": "p1"}],`)
	account := sample(t, "provider/account-rule.json")
	m1 := func(name string, value any) params { return params{"providerId": "p1", "modelId": "m1", name: value} }
	m2 := func(name string, value any) params { return params{"providerId": "p1", "modelId": "m2", name: value} }
	tests := []struct {
		name    string
		text    string
		op      string
		in      params
		code    Code
		pointer string
	}{
		{"a rule left incomplete: levels", manual, "models/upsert", m2("reasoningLevels", nil), CodeInvalid, "/reasoningLevels"},
		{"a rule left incomplete: window", manual, "models/upsert", m2("contextWindow", nil), CodeInvalid, "/contextWindow"},
		{"a rule left incomplete: output", manual, "models/upsert", m2("maxOutputTokens", nil), CodeInvalid, "/maxOutputTokens"},
		{"account renamed", account, "providers/update", params{"id": accountPlan, "providerName": "Mine"}, CodeAccount, ""},
		{"account's model edited", account, "models/upsert", params{"providerId": accountPlan, "modelId": "m", "enabled": false}, CodeAccount, ""},
		{"account's model removed", account, "models/remove", params{"providerId": accountPlan, "modelId": "m"}, CodeAccount, ""},
		{"account's key", account, "providers/set-key", params{"id": accountPlan, "apiKey": "CANARY"}, CodeAccount, ""},
		{"account removed", account, "providers/remove", params{"id": accountPlan}, CodeAccount, ""},
		{"a provider that stands nowhere", sample(t, "provider/other-order.json"), "models/upsert", params{"providerId": "p8", "modelId": "m"}, CodeUnknown, ""},
		{"the id is taken", canonical, "providers/create", params{"providerId": "p1"}, CodeExists, ""},
		{"no such provider", canonical, "providers/remove", params{"id": "p8"}, CodeUnknown, ""},
		{"no such model", canonical, "models/remove", params{"providerId": "p1", "modelId": "m8"}, CodeUnknown, ""},
		{"an empty name", canonical, "providers/update", params{"id": "p1", "providerName": ""}, CodeInvalid, "/providerName"},
		{"nothing to update", canonical, "providers/update", params{"id": "p1"}, CodeInvalid, ""},
		{"a blank level", canonical, "models/upsert", m1("reasoningLevels", []string{"low", " "}), CodeInvalid, "/reasoningLevels/1"},
		{"a repeated level", canonical, "models/upsert", m1("reasoningLevels", []string{"low", "high", "low"}), CodeInvalid, "/reasoningLevels/2"},
		{"no level", canonical, "models/upsert", m1("reasoningLevels", []string{}), CodeInvalid, "/reasoningLevels"},
		{"a window of 0", canonical, "models/upsert", m1("contextWindow", 0), CodeInvalid, "/contextWindow"},
		{"a window below 0", canonical, "models/upsert", m1("contextWindow", -1), CodeInvalid, "/contextWindow"},
		{"a broken window", canonical, "models/upsert", m1("contextWindow", 1.5), CodeInvalid, "/contextWindow"},
		{"a window in words", canonical, "models/upsert", m1("contextWindow", "1"), CodeInvalid, "/contextWindow"},
		{"a mask for a new key", canonical, "providers/create", params{"providerId": "p9", "apiKey": "********"}, CodeInvalid, "/apiKey"},
		{"the same model in both lists", bothLists, "providers/order", params{"order": []string{"p1"}}, CodeBroken, "/config/modelConfigRules/manualProviderModelRules/0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.put(providerFile, tt.text)
			for _, dry := range []bool{true, false} {
				got := w.refuse(tt.op, Call{DryRun: dry}, tt.in)
				if got.Code != tt.code || got.Pointer != tt.pointer {
					t.Errorf("got %s at %q (%s), want %s at %q", got.Code, got.Pointer, got.Error, tt.code, tt.pointer)
				}
			}
		})
	}
}

// writesOfProviders is one call of every write of the table that would change
// canonical.json.
var writesOfProviders = map[string]params{
	"models/upsert":     {"providerId": "p1", "modelId": "m1", "contextWindow": 1},
	"models/default":    {"providerId": nil, "modelId": nil},
	"models/remove":     {"providerId": "p1", "modelId": "m1"},
	"providers/order":   {"order": []string{"p2", "p1"}},
	"providers/create":  {"providerId": "p9"},
	"providers/update":  {"id": "p1", "enabled": false},
	"providers/set-key": {"id": "p1", "apiKey": nil},
	"providers/remove":  {"id": "p1"},
}

func TestCasesThatRefuseEveryWrite(t *testing.T) {
	unknown := place{CodeBroken, "/config/providerConfigRules/providerRules/0/config/timeout", 29, 13}
	tests := []struct {
		file      string
		want      place
		repair    bool   // whether repair helps
		text      string // in the sentence
		listed    bool   // models/list answers
		providers int    // in all
	}{
		{"unknown-subkey.json", unknown, true, "--repair", false, 0},
		{"future-version.json", place{CodeNewer, "", 0, 0}, false, "written by a newer ZCode", true, 0},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			w := newWorld(t)
			w.put(providerFile, sample(t, "provider/"+tt.file))
			for op, in := range writesOfProviders {
				for _, call := range []Call{{}, {DryRun: true}, {Repair: true}, {IfMatch: "*"}} {
					if call.Repair && tt.repair {
						continue
					}
					got := w.refuse(op, call, in)
					w.pointsAt(got, tt.want, w.path(providerFile))
					if !strings.Contains(got.Error, tt.text) {
						t.Errorf("%s: got %q, want it to tell %q", op, got.Error, tt.text)
					}
				}
			}
			all := answerOf[*All](w, "all")
			if len(all.Problems) != 1 || all.Problems[0].Section != "models" || all.Problems[0].Code != tt.want.code || len(all.Models.Providers) != tt.providers {
				t.Errorf("got %+v and %+v, want the problem of models", all.Problems, all.Models)
			}
			list, err := w.run("models/list", Call{}, nil)
			if !tt.listed {
				w.pointsAt(Describe(err), tt.want, w.path(providerFile))
			} else if err != nil {
				t.Errorf("models/list: %v", err)
			} else {
				hasOnly(t, "warnings", list.(*ModelsList).Warnings, tt.text)
			}
		})
	}
}

// A newer file is read as far as it can be understood.
func TestCaseFutureVersionIsRead(t *testing.T) {
	w := newWorld(t)
	w.put(providerFile, edited(t, sample(t, "provider/canonical.json"), `"schemaVersion": 1`, `"schemaVersion": 2`))
	got := answerOf[*ModelsList](w, "models/list")
	if len(got.Models.Providers) != 1 || len(got.Models.ModelRules) != 1 || got.Models.Default == nil {
		t.Errorf("got %+v, want all that it says", got.Models)
	}
}

// A rule may be added to a provider of the table that ZCode brought along.
func TestCaseBuiltinProvider(t *testing.T) {
	w := newWorld(t)
	w.put(providerFile, sample(t, "provider/other-order.json"))
	table := func(version, id string) {
		w.put("v2/runtime/provider/darwin-aarch64/"+version+"/z/zcode-builtin.json", `{"any": [{"providerRules": [{"providerId": "`+id+`"}]}]}`)
	}
	table("3.14.1", "old")
	in := params{"providerId": "builtin", "modelId": "m", "enabled": false}
	if got := w.refuse("models/upsert", Call{}, in); got.Code != CodeUnknown {
		t.Errorf("got %+v, want %s", got, CodeUnknown)
	}
	table("3.15.1", "builtin")
	// What only an older table names is gone.
	if got := w.refuse("models/upsert", Call{}, params{"providerId": "old", "modelId": "m"}); got.Code != CodeUnknown {
		t.Errorf("got %+v, want %s", got, CodeUnknown)
	}
	w.write("models/upsert", Call{}, in)
	if got := answerOf[*ModelsList](w, "models/list").Models.ModelRules; len(got) != 1 || got[0].ProviderID != "builtin" || got[0].Enabled {
		t.Errorf("got %+v, want the rule", got)
	}
}
