package agents

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
)

func TestUserID(t *testing.T) {
	tests := []struct{ name, want string }{
		{"reviewer", "user:user:reviewer"},
		{" Foo-Bar\ufeff\n", "user:user:foo-bar"},
		{"user:x", "user:user:user:x"},
		{"ÄÖ Ü", "user:user:äö ü"},
		// As node 20 lowers them.
		{"İx", "user:user:i\u0307x"},
		{"ΟΔΟΣ", "user:user:οδος"},
		{"ΟΣΟ Σ", "user:user:οσο σ"},
		{"ΑΣ.Α ΑΣ'", "user:user:ασ.α ας'"},
		{"\u0085x", "user:user:\u0085x"},
	}
	for _, tt := range tests {
		if got := UserID(tt.name); got != tt.want {
			t.Errorf("UserID(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCaseCurrentState(t *testing.T) {
	d := parseJSON(t, testFile(t, "agents-state/current.json"))
	if Disabled(d, "reviewer") {
		t.Error("reviewer is disabled by an id that ZCode does not look for")
	}
	if diff := cmp.Diff([]string{"user:reviewer"}, Ineffective(d)); diff != "" || LegacyID("Reviewer") != "user:reviewer" {
		t.Errorf("ineffective (-want +got):\n%s", diff)
	}
	off, notes, err := Enable(d, "reviewer", false)
	if err != nil {
		t.Fatal(err)
	}
	const head = `{
  "builtInModelSelectionOverrides": {
    "Explore": {
      "providerId": "p1",
      "modelId": "m1",
      "options": {
        "reasoningLevel": "high"
      }
    }
  },
  "pluginAgentModelSelectionOverrides": {},
  "disabledAgentIds": [`
	const tail = `],
  "futureKey": {
    "a": 1
  }
}`
	if diff := cmp.Diff(head+"\n    \"user:user:reviewer\"\n  "+tail, string(off.Text())); diff != "" {
		t.Errorf("disabled (-want +got):\n%s", diff)
	}
	hasOnly(t, "notes", notes, `"user:reviewer"`)
	if !Disabled(off, "Reviewer") || Ineffective(off) != nil {
		t.Errorf("got %v and %q, want disabled and nothing without effect", Disabled(off, "Reviewer"), Ineffective(off))
	}
	for _, from := range []*jsonedit.Doc{d, off} {
		on, _, err := Enable(from, "reviewer", true)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(head+tail, string(on.Text())); diff != "" {
			t.Errorf("enabled (-want +got):\n%s", diff)
		}
	}
}

func TestIneffective(t *testing.T) {
	d := parseJSON(t, `{"disabledAgentIds": ["user:user:a", "user:a", "user:user:A", "user:user: a", "user:user:", "user:workspace:a",
		"built-in:built-in:explore", "plugin:p@m:a", "future:x", "", 7, "user:"]}`)
	want := []string{"user:a", "user:user:A", "user:user: a", "user:user:", "user:workspace:a", "built-in:built-in:explore", "user:"}
	if diff := cmp.Diff(want, Ineffective(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := Ineffective(parseJSON(t, `{"disabledAgentIds": {"a": "user:a"}}`)); got != nil {
		t.Errorf("got %q of a list that ZCode does not read", got)
	}
}

// three are the members that every edit leaves, around a list.
func three(list string) string {
	return `{"builtInModelSelectionOverrides": {}, "pluginAgentModelSelectionOverrides": {}, "disabledAgentIds": ` + list + `}`
}

func TestEnable(t *testing.T) {
	tests := []struct {
		title, list, name string
		on                bool
		want              string
		sorts             bool
	}{
		{"first", `[]`, "a", false, `["user:user:a"]`, false},
		{"between", `["user:user:a", "user:user:c"]`, "b", false, `["user:user:a", "user:user:b", "user:user:c"]`, false},
		{"before", `["user:user:b"]`, "a", false, `["user:user:a", "user:user:b"]`, false},
		{"sorts", `["user:user:c", "user:user:b"]`, "a", false, `["user:user:a", "user:user:b", "user:user:c"]`, true},
		{"removes and sorts", `["user:user:c", "user:user:a", "user:user:b"]`, "a", true, `["user:user:b", "user:user:c"]`, true},
		{"removes all", `["user:user:a", "user:user:a", "user:a"]`, "a", true, `[]`, false},
		{"off already", `["user:user:c", "user:user:a"]`, "A", false, `["user:user:c", "user:user:a"]`, false},
		{"on already", `["user:user:c", "user:user:b"]`, "a", true, `["user:user:c", "user:user:b"]`, false},
		{"the old spelling becomes the current one", `["user:a"]`, "a", false, `["user:user:a"]`, false},
		{"what ZCode drops goes last", `[3, "user:user:b", "", null, "user:user:a"]`, "c", false, `["user:user:a", "user:user:b", "user:user:c", 3, "", null]`, true},
		{"escapes stay", `["user:user:\u0062"]`, "a", false, `["user:user:a", "user:user:\u0062"]`, false},
		{"code units", `["user:user:\ufb00", "user:user:\ud83d\ude00"]`, "z", false, `["user:user:z", "user:user:\ud83d\ude00", "user:user:\ufb00"]`, true},
		{"the id of another agent is no old spelling", `["user:user:x"]`, "user:x", true, `["user:user:x"]`, false},
	}
	for _, tt := range tests {
		t.Run(tt.title, func(t *testing.T) {
			d := parseJSON(t, three(tt.list))
			got, notes, err := Enable(d, tt.name, tt.on)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(three(tt.want), string(got.Text())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if tt.list == tt.want && (got != d || notes != nil) {
				t.Errorf("got another document and %q, want the same: nothing was to do", notes)
			}
			if sorted := strings.Contains(strings.Join(notes, "\n"), "sorted"); sorted != tt.sorts {
				t.Errorf("got notes %q, told of sorting: %v, want %v", notes, sorted, tt.sorts)
			}
			if Disabled(got, tt.name) == tt.on {
				t.Errorf("Disabled = %v", tt.on)
			}
		})
	}
}

func TestEnableLeavesNewFileAlone(t *testing.T) {
	d := New()
	got, notes, err := Enable(d, "a", true)
	if got != d || notes != nil || err != nil {
		t.Errorf("got %s, %q, %v, want the same document", got.Text(), notes, err)
	}
}

func TestForgetAndMove(t *testing.T) {
	d := parseJSON(t, three(`["user:b", "user:user:a", "user:user:b"]`))
	tests := []struct {
		title string
		edit  func() (*jsonedit.Doc, []string, error)
		want  string
	}{
		{"forget", func() (*jsonedit.Doc, []string, error) { return Forget(d, "B") }, `["user:user:a"]`},
		{"forget enabled", func() (*jsonedit.Doc, []string, error) { return Forget(d, "c") }, `["user:b", "user:user:a", "user:user:b"]`},
		{"move disabled", func() (*jsonedit.Doc, []string, error) { return Move(d, "a", "z") }, `["user:b", "user:user:b", "user:user:z"]`},
		{"move case", func() (*jsonedit.Doc, []string, error) { return Move(d, "a", "A") }, `["user:b", "user:user:a", "user:user:b"]`},
		{"move enabled onto what is left of another", func() (*jsonedit.Doc, []string, error) { return Move(d, "z", "b") }, `["user:user:a"]`},
		{"move enabled", func() (*jsonedit.Doc, []string, error) { return Move(d, "y", "z") }, `["user:b", "user:user:a", "user:user:b"]`},
	}
	for _, tt := range tests {
		got, _, err := tt.edit()
		if err != nil {
			t.Errorf("%s: %v", tt.title, err)
			continue
		}
		if diff := cmp.Diff(three(tt.want), string(got.Text())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.title, diff)
		}
	}
}

func TestEnableRefuses(t *testing.T) {
	tests := []struct{ text, name, pointer string }{
		{`{"disabledAgentIds": {}}`, "a", "/disabledAgentIds"},
		{`{"disabledAgentIds": null}`, "a", "/disabledAgentIds"},
		{`[]`, "a", ""},
		{`{}`, " \ufeff", "/name"},
	}
	for _, tt := range tests {
		_, _, err := Enable(parseJSON(t, tt.text), tt.name, false)
		var invalid *InvalidError
		if !errors.As(err, &invalid) || !errors.Is(err, ErrInvalid) || invalid.Pointer != tt.pointer {
			t.Errorf("Enable(%s, %q): got %v, want an invalid %q", tt.text, tt.name, err, tt.pointer)
		}
	}
}
