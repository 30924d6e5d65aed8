package effective

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	first  = `{"hooks":[{"type":"command","command":"a"}]}`
	second = `{"hooks":[{"type":"command","command":"b"}]}`
)

// TestHooks: a project's are candidates, and never count by themselves.
func TestHooks(t *testing.T) {
	tests := []struct {
		name string
		sources
		want []string
	}{
		{
			"those of the user",
			sources{system: `{"hooks":{"enabled":false,"timeoutMs":60000}}`, user: `{"hooks":{"enabled":true,"events":{"Stop":[` + first + `]}}}`},
			[]string{
				`hooks.enabled = true user; false default: outranked`, `hooks.timeoutMs = 60000 default`,
				`hooks.events.Stop = [` + first + `] user`,
			},
		},
		{
			"without a switch they are off, by default",
			sources{system: `{"hooks":{"enabled":false}}`, user: `{"hooks":{"events":{"Stop":[` + first + `]}}}`},
			[]string{`hooks.enabled = false default`, `hooks.events.Stop = [` + first + `] user`},
		},
		{
			"a file that turns them off contributes none",
			sources{user: `{"hooks":{"enabled":false,"timeoutMs":5,"events":{"Stop":[` + first + `]}}}`},
			[]string{`hooks.enabled = false user`, `hooks.timeoutMs = 5 user`, `hooks.events.Stop =  none; [` + first + `] user: off`},
		},
		{
			"a project's do not count before they are trusted",
			sources{
				user:  `{"hooks":{"enabled":false,"timeoutMs":5}}`,
				outer: `{"hooks":{"enabled":true,"timeoutMs":6,"maxOutputBytes":7,"events":{"Stop":[` + second + `]}}}`,
			},
			[]string{
				`hooks.enabled = false user; true outer: candidate`, `hooks.timeoutMs = 5 user; 6 outer: candidate`,
				`hooks.maxOutputBytes =  none; 7 outer: candidate`, `hooks.events.Stop =  none; [` + second + `] outer: candidate`,
			},
		},
		{
			"a project turns the user's neither off nor over",
			sources{
				user:  `{"hooks":{"enabled":true,"events":{"Stop":[` + first + `]}}}`,
				outer: `{"hooks":{"enabled":false,"events":{"Stop":[` + second + `]}}}`,
			},
			[]string{
				`hooks.enabled = true user; false outer: candidate`,
				`hooks.events.Stop = [` + first + `] user; [` + second + `] outer: candidate`,
			},
		},
		{"an event that ZCode does not have", sources{user: `{"hooks":{"events":{"Notification":[` + first + `]}}}`}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { check(t, tt.sources, tt.want...) })
	}
}

// TestHooksOfSeveralLayers that count without trust.
func TestHooksOfSeveralLayers(t *testing.T) {
	const b = `,"events":{"Stop":[` + second + `]}`
	tests := []struct {
		name, low, high string
		want            []string
	}{
		{
			"the events of all are joined",
			`{"hooks":{"enabled":true,"timeoutMs":1,"events":{"Stop":[` + first + `]}}}`, `{"hooks":{"timeoutMs":2` + b + `}}`,
			[]string{
				`hooks.enabled = true user`, `hooks.timeoutMs = 2 environment; 1 user: outranked`,
				`hooks.events.Stop = [` + first + `,` + second + `] environment; [` + first + `] user: joined`,
			},
		},
		{
			"one switch is enough, and the layer that says off contributes none",
			`{"hooks":{"enabled":true,"events":{"Stop":[` + first + `]}}}`, `{"hooks":{"enabled":false` + b + `}}`,
			[]string{
				`hooks.enabled = true user; false environment: on`,
				`hooks.events.Stop = [` + first + `] user; [` + second + `] environment: off`,
			},
		},
		{
			"the other way round",
			`{"hooks":{"enabled":false,"events":{"Stop":[` + first + `]}}}`, `{"hooks":{"enabled":true` + b + `}}`,
			[]string{
				`hooks.enabled = true environment; false user: outranked`,
				`hooks.events.Stop = [` + second + `] environment; [` + first + `] user: off`,
			},
		},
		{
			"two layers without a hook", `{"hooks":{"events":{"Stop":[]}}}`, `{"hooks":{"events":{"Stop":[]}}}`,
			[]string{`hooks.events.Stop = [] environment; [] user: joined`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			layers := []Layer{layer(t, User, userFile, tt.low), layer(t, Environment, "", tt.high)}
			if diff := cmp.Diff(tt.want, lines(Merge(layers, raw))); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
}
