package agents

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCaseLegacyState(t *testing.T) {
	d := parseJSON(t, testFile(t, "agents-state/legacy.json"))
	s, warning, ok := Override(d, "Explore")
	if want := (Selection{"builtin:zai-coding-plan", "GLM-5.3-Flash", ""}); s != want || warning != "" || !ok {
		t.Errorf("Override = %+v, %q, %v, want %+v", s, warning, ok, want)
	}
	got, notes, err := SetOverride(d, "Explore", &Selection{"p", "m", "high"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "builtInModelOverrides": {
    "Explore": "custom:builtin%3Azai-coding-plan:GLM-5.3-Flash"
  },
  "builtInThoughtLevelOverrides": {},
  "disabledAgentIds": [
    "user:user:alpha",
    "user:user:zed"
  ],
  "builtInModelSelectionOverrides": {
    "Explore": {
      "providerId": "p",
      "modelId": "m",
      "options": {
        "reasoningLevel": "high"
      }
    }
  },
  "pluginAgentModelSelectionOverrides": {}
}
`
	if diff := cmp.Diff(want, string(got.Text())+"\n"); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	hasOnly(t, "notes", notes, "builtInModelSelectionOverrides, pluginAgentModelSelectionOverrides", "sorted")
}

// legacy has models of older versions for every kind of agent.
const legacy = `{
  "builtInModelOverrides": {
    "general-purpose": "zai/glm-5",
    "Explore": "inherit"
  },
  "builtInThoughtLevelOverrides": {
    "general-purpose": "high",
    "Explore": "low"
  },
  "pluginAgentModelOverrides": {
    "plugin:a@b:c": "custom:x%2Fy:m%24",
    "other": "p/m",
    "plugin:a@b:d": "nothing"
  },
  "pluginAgentThoughtLevelOverrides": {}
}`

// taken is what those members become.
const taken = `{
    "Explore": {
      "providerId": "p",
      "modelId": "m"
    },
    "general-purpose": {
      "providerId": "zai",
      "modelId": "glm-5",
      "options": {
        "reasoningLevel": "high"
      }
    }
  },
  "pluginAgentModelSelectionOverrides": {
    "plugin:a@b:c": {
      "providerId": "x/y",
      "modelId": "m$"
    }
  },
  "disabledAgentIds": []
}`

func TestSetOverrideTakesOverOthers(t *testing.T) {
	d := parseJSON(t, legacy)
	got, notes, err := SetOverride(d, "Explore", &Selection{ProviderID: "p", ModelID: "m"})
	if err != nil {
		t.Fatal(err)
	}
	want := legacy[:len(legacy)-2] + ",\n  \"builtInModelSelectionOverrides\": " + taken
	if diff := cmp.Diff(want, string(got.Text())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	hasOnly(t, "notes", notes, `"general-purpose"`, `"plugin:a@b:c"`, "added")
}

// Whatever the first write is, it takes over what the new maps would hide.
func TestEnableTakesOverModels(t *testing.T) {
	d := parseJSON(t, `{"builtInModelOverrides": {"general-purpose": "p/m", "Explore": "q/n"}}`)
	got, _, err := Enable(d, "abc", false)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"builtInModelOverrides": {"general-purpose": "p/m", "Explore": "q/n"}, ` +
		`"builtInModelSelectionOverrides": {"Explore": {"providerId": "q", "modelId": "n"}, "general-purpose": {"providerId": "p", "modelId": "m"}}, ` +
		`"pluginAgentModelSelectionOverrides": {}, "disabledAgentIds": ["user:user:abc"]}`
	if diff := cmp.Diff(want, string(got.Text())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Clearing the last model leaves the map: without it the older one would revive.
func TestClearOverride(t *testing.T) {
	const mine = `"Explore": {"providerId": "p", "modelId": "m"}`
	tests := []struct{ title, text, agent, want string }{
		{"the last one", `{"builtInModelSelectionOverrides": {` + mine + `}, "pluginAgentModelSelectionOverrides": {}, "disabledAgentIds": []}`, "Explore", three(`[]`)},
		{"the other stays", `{"builtInModelSelectionOverrides": {` + mine + `, "general-purpose": {"x": 1.0}}, "pluginAgentModelSelectionOverrides": {}, "disabledAgentIds": []}`, "Explore",
			`{"builtInModelSelectionOverrides": {"general-purpose": {"x": 1.0}}, "pluginAgentModelSelectionOverrides": {}, "disabledAgentIds": []}`},
		{"one that is broken", `{"builtInModelSelectionOverrides": {"Explore": 1}, "pluginAgentModelSelectionOverrides": {}, "disabledAgentIds": []}`, "Explore", three(`[]`)},
		{"none", `{"builtInModelSelectionOverrides": {` + mine + `}}`, "general-purpose", `{"builtInModelSelectionOverrides": {` + mine + `}}`},
		{"none at all", `{}`, "Explore", `{}`},
		{"an older one", `{"builtInModelOverrides": {"Explore": "p/m"}, "x": 1}`, "Explore",
			`{"builtInModelOverrides": {"Explore": "p/m"}, "x": 1, "builtInModelSelectionOverrides": {}, "pluginAgentModelSelectionOverrides": {}, "disabledAgentIds": []}`},
		{"an older level alone", `{"builtInThoughtLevelOverrides": {"Explore": "high"}}`, "Explore", `{"builtInThoughtLevelOverrides": {"Explore": "high"}}`},
		{"a plugin's", `{"builtInModelSelectionOverrides": {}, "pluginAgentModelSelectionOverrides": {"plugin:a@b:c": {"providerId": "p", "modelId": "m"}}, "disabledAgentIds": []}`, PluginAgentID("a@b", " C "), three(`[]`)},
	}
	for _, tt := range tests {
		t.Run(tt.title, func(t *testing.T) {
			d := parseJSON(t, tt.text)
			got, notes, err := SetOverride(d, tt.agent, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got.Text())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if tt.text == tt.want && (got != d || notes != nil) {
				t.Errorf("got another document and %q, want the same", notes)
			}
			if _, _, ok := Override(got, tt.agent); ok {
				t.Error("there still is a model")
			}
		})
	}
}

func TestSetOverride(t *testing.T) {
	tests := []struct {
		title, overrides, agent string
		s                       Selection
		want                    string
	}{
		{"first", `{}`, "Explore", Selection{"p", "m", ""}, `{"Explore": {"providerId": "p", "modelId": "m"}}`},
		{"behind", `{"Explore": {"providerId":"p","modelId":"m"}}`, "general-purpose", Selection{"p", "m", "x"},
			`{"Explore": {"providerId":"p","modelId":"m"}, "general-purpose": {"providerId": "p", "modelId": "m", "options": {"reasoningLevel": "x"}}}`},
		{"Explore goes first", `{"general-purpose": {"providerId": "\u0070", "modelId": "m"}}`, "Explore", Selection{"p", "m", ""},
			`{"Explore": {"providerId": "p", "modelId": "m"}, "general-purpose": {"providerId": "\u0070", "modelId": "m"}}`},
		{"in its place", `{"general-purpose": {"providerId": "p", "modelId": "m"}, "Explore": {"providerId": "p", "modelId": "m"}}`, "Explore", Selection{"q", "m", ""},
			`{"general-purpose": {"providerId": "p", "modelId": "m"}, "Explore": {"providerId": "q", "modelId": "m"}}`},
		{"the same", `{"Explore": {"modelId": "m", "providerId": "p"}}`, "Explore", Selection{"p", "m", ""}, `{"Explore": {"modelId": "m", "providerId": "p"}}`},
		{"repairs", `{"Explore": {"providerId": "p", "modelId": "m", "thoughtLevel": "high"}}`, "Explore", Selection{"p", "m", "high"},
			`{"Explore": {"providerId": "p", "modelId": "m", "options": {"reasoningLevel": "high"}}}`},
		{"the level goes", `{"Explore": {"providerId": "p", "modelId": "m", "options": {"reasoningLevel": "high"}}}`, "Explore", Selection{"p", "m", ""},
			`{"Explore": {"providerId": "p", "modelId": "m"}}`},
	}
	file := func(overrides string) string {
		return `{"builtInModelSelectionOverrides": ` + overrides + `, "pluginAgentModelSelectionOverrides": {}, "disabledAgentIds": [], "futureKey": 1.0}`
	}
	for _, tt := range tests {
		t.Run(tt.title, func(t *testing.T) {
			got, _, err := SetOverride(parseJSON(t, file(tt.overrides)), tt.agent, &tt.s)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(file(tt.want), string(got.Text())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if s, warning, ok := Override(got, tt.agent); s != tt.s || warning != "" || !ok {
				t.Errorf("Override = %+v, %q, %v, want %+v", s, warning, ok, tt.s)
			}
		})
	}
}

func TestSetOverrideOfPlugin(t *testing.T) {
	id := PluginAgentID("a@b", " My-Agent ")
	if id != "plugin:a@b:my-agent" {
		t.Errorf("got %q", id)
	}
	got, _, err := SetOverride(parseJSON(t, three(`[]`)), id, &Selection{"p", "m", ""})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"builtInModelSelectionOverrides": {}, "pluginAgentModelSelectionOverrides": {"plugin:a@b:my-agent": {"providerId": "p", "modelId": "m"}}, "disabledAgentIds": []}`
	if diff := cmp.Diff(want, string(got.Text())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if s, _, ok := Override(got, id); s != (Selection{"p", "m", ""}) || !ok {
		t.Errorf("Override = %+v, %v", s, ok)
	}
}

func TestOverrideReads(t *testing.T) {
	tests := []struct {
		text   string
		want   Selection
		ok     bool
		warned bool
	}{
		{`{}`, Selection{}, false, false},
		{`{"builtInModelSelectionOverrides": {}, "builtInModelOverrides": {"Explore": "p/m"}}`, Selection{}, false, false},
		{`{"builtInModelOverrides": {"Explore": "p/m$low"}}`, Selection{"p", "m", "low"}, true, false},
		{`{"builtInModelOverrides": {"Explore": "p/m$low"}, "builtInThoughtLevelOverrides": {"Explore": "high"}}`, Selection{"p", "m", "high"}, true, false},
		{`{"builtInModelOverrides": {"Explore": 1}}`, Selection{}, false, false},
		{`{"builtInModelSelectionOverrides": {"Explore": {"providerId": " p ", "modelId": "m", "options": {"reasoningLevel": "x"}}}}`, Selection{"p", "m", "x"}, true, false},
		{`{"builtInModelSelectionOverrides": {"Explore": {"providerId": "p", "modelId": "m", "thoughtLevel": "x"}}}`, Selection{"p", "m", "x"}, true, true},
		{`{"builtInModelSelectionOverrides": {"Explore": {"providerId": "p"}}}`, Selection{}, false, true},
		{`{"builtInModelSelectionOverrides": {"Explore": "p/m"}}`, Selection{}, false, true},
		{`{"builtInModelSelectionOverrides": []}`, Selection{}, false, false},
	}
	for _, tt := range tests {
		s, warning, ok := Override(parseJSON(t, tt.text), "Explore")
		if s != tt.want || ok != tt.ok || (warning != "") != tt.warned {
			t.Errorf("Override(%s) = %+v, %q, %v, want %+v, %v, warned %v", tt.text, s, warning, ok, tt.want, tt.ok, tt.warned)
		}
	}
}

func TestSetOverrideRefuses(t *testing.T) {
	good := Selection{"p", "m", ""}
	tests := []struct {
		text, agent string
		s           Selection
		want        error
		pointer     string
	}{
		{`{}`, "reviewer", good, ErrUnknown, ""},
		{`{}`, "explore", good, ErrUnknown, ""},
		{`{}`, "plugin:", good, ErrUnknown, ""},
		{`{}`, "plugin:a@b:", good, ErrUnknown, ""},
		{`{}`, "Explore", Selection{"", "m", ""}, ErrInvalid, "/providerId"},
		{`{}`, "Explore", Selection{"p", " ", ""}, ErrInvalid, "/modelId"},
		{`{}`, "Explore", Selection{"p", "m ", ""}, ErrInvalid, "/modelId"},
		{`{}`, "Explore", Selection{"p", "m", " "}, ErrInvalid, "/reasoningLevel"},
		{`{}`, "Explore", Selection{"p\n1", "m", ""}, ErrInvalid, "/providerId"},
		{`{"builtInModelSelectionOverrides": []}`, "Explore", good, ErrInvalid, "/builtInModelSelectionOverrides"},
		{`1`, "Explore", good, ErrInvalid, ""},
	}
	for _, tt := range tests {
		d, notes, err := SetOverride(parseJSON(t, tt.text), tt.agent, &tt.s)
		if !errors.Is(err, tt.want) || d != nil || notes != nil {
			t.Errorf("SetOverride(%s, %q, %+v): got %v, want %v", tt.text, tt.agent, tt.s, err, tt.want)
		}
		var invalid *InvalidError
		if errors.As(err, &invalid) && invalid.Pointer != tt.pointer {
			t.Errorf("SetOverride(%s, %q, %+v): got pointer %q, want %q", tt.text, tt.agent, tt.s, invalid.Pointer, tt.pointer)
		}
	}
}
