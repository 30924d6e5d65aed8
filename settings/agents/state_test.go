package agents

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNewStateHasZCodesForm(t *testing.T) {
	d, notes, err := Enable(New(), "Reviewer", false)
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "builtInModelSelectionOverrides": {},
  "pluginAgentModelSelectionOverrides": {},
  "disabledAgentIds": [
    "user:user:reviewer"
  ]
}`
	if diff := cmp.Diff(want, string(d.Text())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	hasOnly(t, "notes", notes, "builtInModelSelectionOverrides, pluginAgentModelSelectionOverrides, disabledAgentIds")
}

func TestCheckState(t *testing.T) {
	const selection = `{"providerId": "p", "modelId": "m"}`
	tests := []struct {
		text string
		want []string // effect and pointer
	}{
		{`{}`, nil},
		{`{"future": 1, "builtInModelOverrides": 1}`, nil},
		{`{"builtInModelSelectionOverrides": {"Explore": ` + selection + `, "general-purpose": {"providerId": "p", "modelId": "m", "options": {}}}}`, nil},
		{`{"builtInModelSelectionOverrides": {"Explore": {"providerId": "p", "modelId": "m", "options": {"reasoningLevel": "x"}}}}`, nil},
		{`{"pluginAgentModelSelectionOverrides": {"plugin:a@b:c": ` + selection + `}, "disabledAgentIds": ["user:user:x"]}`, nil},
		{"\ufeff{}", []string{"file-ignored "}},
		{`[]`, []string{"file-ignored "}},
		{`{"builtInModelSelectionOverrides": [], "pluginAgentModelSelectionOverrides": null, "disabledAgentIds": {}}`, []string{
			"section-ignored /builtInModelSelectionOverrides", "section-ignored /pluginAgentModelSelectionOverrides", "section-ignored /disabledAgentIds"}},
		{`{"disabledAgentIds": ["", " ", 1, null, "x"]}`, []string{
			"entry-dropped /disabledAgentIds/0", "entry-dropped /disabledAgentIds/1", "entry-dropped /disabledAgentIds/2", "entry-dropped /disabledAgentIds/3"}},
		{`{"builtInModelSelectionOverrides": {"explore": ` + selection + `}}`, []string{"entry-dropped /builtInModelSelectionOverrides/explore"}},
		{`{"pluginAgentModelSelectionOverrides": {"a": ` + selection + `}}`, []string{"entry-dropped /pluginAgentModelSelectionOverrides/a"}},
		{`{"builtInModelSelectionOverrides": {"Explore": {"providerId": "p", "modelId": "m", "thoughtLevel": "high"}}}`, []string{
			"entry-dropped /builtInModelSelectionOverrides/Explore/thoughtLevel"}},
		{`{"builtInModelSelectionOverrides": {"Explore": {"providerId": " ", "options": {"x": 1, "reasoningLevel": ""}}}}`, []string{
			"entry-dropped /builtInModelSelectionOverrides/Explore/providerId",
			"entry-dropped /builtInModelSelectionOverrides/Explore/options/x",
			"entry-dropped /builtInModelSelectionOverrides/Explore/options/reasoningLevel",
			"entry-dropped /builtInModelSelectionOverrides/Explore"}},
	}
	for _, tt := range tests {
		var got []string
		for _, p := range Check(parseJSON(t, tt.text)) {
			got = append(got, string(p.Effect)+" "+p.Pointer)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Check(%s) (-want +got):\n%s", tt.text, diff)
		}
	}
}
