package agents

import (
	"testing"

	"pgregory.net/rapid"
)

func TestParseModel(t *testing.T) {
	tests := []struct {
		model, level string
		want         Selection
		ok           bool
	}{
		{"", "", Selection{}, false},
		{"inherit", "high", Selection{}, false},
		{"main", "", Selection{}, false},
		{"sonnet", "", Selection{}, false},
		{"opus", "", Selection{}, false},
		{"haiku", "", Selection{}, false},
		{"zai/glm-5", "", Selection{"zai", "glm-5", ""}, true},
		{" zai/glm-5 ", " high ", Selection{"zai", "glm-5", "high"}, true},
		{"zai/org/glm-5", "", Selection{"zai", "org/glm-5", ""}, true},
		{"zai/glm-5$high", "", Selection{"zai", "glm-5", "high"}, true},
		{"zai/glm-5$high", "low", Selection{"zai", "glm-5", "low"}, true},
		{"custom:provider:model", "high", Selection{"provider", "model", "high"}, true},
		{"custom:builtin%3Azai-coding-plan:GLM-5.3-Flash", "", Selection{"builtin:zai-coding-plan", "GLM-5.3-Flash", ""}, true},
		{"custom:a%2Fb:c%24d$max", "", Selection{"a/b", "c$d", "max"}, true},
		{"custom:a:", "", Selection{}, false},
		{"custom::m", "", Selection{}, false},
		{"custom:a", "", Selection{}, false},
		{"custom:%zz:m", "", Selection{}, false},
		{"p$x/m", "", Selection{"p$x", "m", ""}, true},
		{"p/m$", "", Selection{"p", "m$", ""}, true},
		{"glm-5", "", Selection{}, false},
		{"/m", "", Selection{}, false},
		{"p/", "", Selection{}, false},
	}
	for _, tt := range tests {
		if got, ok := ParseModel(tt.model, tt.level); got != tt.want || ok != tt.ok {
			t.Errorf("ParseModel(%q, %q) = %+v, %v, want %+v, %v", tt.model, tt.level, got, ok, tt.want, tt.ok)
		}
	}
}

func TestModelText(t *testing.T) {
	tests := []struct {
		s    Selection
		want string
	}{
		{Selection{"zai", "glm-5.3", "high"}, "zai/glm-5.3"},
		{Selection{"account:zai-individual-coding-plan", "GLM-5.3", ""}, "account:zai-individual-coding-plan/GLM-5.3"},
		{Selection{"zai", "org/glm", ""}, "zai/org/glm"},
		{Selection{"a/b", "m", ""}, "custom:a%2Fb:m"},
		{Selection{"custom:x", "m", ""}, "custom:custom%3Ax:m"},
		{Selection{"p", "m$x", ""}, "custom:p:m%24x"},
		// As encodeURIComponent encodes it.
		{Selection{"ä /", "-_.!~*'()", ""}, "custom:%C3%A4%20%2F:-_.!~*'()"},
	}
	for _, tt := range tests {
		if got := tt.s.modelText(); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.s, got, tt.want)
		}
	}
}

func TestModelTextReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringMatching(`[a-z:/$%.ä][a-z:/$% .ä]{0,6}[a-z:/$%.ä]`)
		want := Selection{ProviderID: part.Draw(t, "provider"), ModelID: part.Draw(t, "model")}
		if rapid.Bool().Draw(t, "custom") {
			want.ProviderID = customPrefix + want.ProviderID
		}
		if got, ok := ParseModel(want.modelText(), ""); got != want || !ok {
			t.Errorf("%+v is written as %q and read as %+v, %v", want, want.modelText(), got, ok)
		}
	})
}
