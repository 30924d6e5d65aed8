package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
)

func parse(t *testing.T, text string) jsonedit.Node {
	t.Helper()
	d, err := jsonedit.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d.Root()
}

// TestRules names, for every rule, values that keep it and values that break it.
func TestRules(t *testing.T) {
	everything := []string{`{}`, `[]`, `"x"`, `""`, `1`, `0`, `true`, `null`}
	tests := []struct {
		name   string
		rule   Rule
		good   []string
		broken string // what every bad value is told
		bad    []string
	}{
		{"Any", Any, everything, "", nil},
		{"Object", Object, []string{`{}`, `{"a":1}`}, "must be an object", []string{`[]`, `"{}"`, `null`}},
		{"Text", Text, []string{`""`, `"x"`}, "must be a string", []string{`1`, `null`, `["x"]`}},
		{"Boolean", Boolean, []string{`true`, `false`}, "must be true or false", []string{`"true"`, `0`, `null`}},
		{"Kind(Null)", Kind(jsonedit.Null), []string{`null`}, "must be null", []string{`false`, `0`, `""`}},
		{"Kind(Array)", Kind(jsonedit.Array), []string{`[]`}, "must be an array", []string{`{}`}},
		{"NonEmpty", NonEmpty, []string{`"x"`, `" "`}, "must be a string that is not empty", []string{`""`, `1`, `null`}},
		{"AbsoluteURL", AbsoluteURL, []string{`"https://a.example"`}, "must be a URL", []string{`"a.example"`, `""`, `1`, `null`, `{}`}},
		{"OneOf", OneOf("a", "b"), []string{`"a"`, `"\u0062"`}, "must be one of a, b", []string{`"A"`, `""`, `1`, `null`, `["a"]`}},
		{"Positive", Positive, []string{`1`, `0.5`, `1e-300`, `1e308`}, "must be a number above 0",
			[]string{`0`, `-0`, `-1`, `1e400`, `1e-400`, `"1"`, `null`}},
		{"PositiveInteger", PositiveInteger, []string{`1`, `1.0`, `1e3`, `9007199254740991`}, "must be a whole number above 0",
			[]string{`0`, `-1`, `1.5`, `9007199254740992`, `1e400`, `"1"`, `true`}},
		{"Nullable", Nullable(NonEmpty), []string{`null`, `"x"`}, "must be a string that is not empty", []string{`""`, `false`}},
		{"ArrayOf", ArrayOf(Text, 0), []string{`[]`, `["a","b"]`}, "must be an array", []string{`{}`, `"a"`, `null`}},
		{"ArrayOf of one", ArrayOf(Text, 1), []string{`["a"]`}, "must not be empty", []string{`[]`}},
		{"ArrayOf of two", ArrayOf(Text, 2), []string{`["a","b"]`}, "must have at least 2 elements", []string{`[]`, `["a"]`}},
		{"MapOf", MapOf(Text), []string{`{}`, `{"a":"b","":""}`}, "must be an object", []string{`[]`, `null`}},
		{"Strict", Strict(Field{Name: "a", Rule: Text}), []string{`{}`, `{"a":"x"}`}, "must be an object", []string{`[]`, `"a"`}},
		{"Strict of a field without rule", Strict(Field{Name: "a"}), []string{`{"a":1}`}, "must be an object", []string{`1`}},
		{"Open", Open(Field{Name: "a", Rule: Text}), []string{`{}`, `{"a":"x","b":1}`}, "must be an object", []string{`[]`, `null`}},
		{"Union", Union("type", map[string]Rule{"": Any}), []string{`{"type":""}`}, "must be an object", []string{`[]`, `null`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, text := range tt.good {
				if problems := Check(parse(t, text), tt.rule); len(problems) != 0 {
					t.Errorf("%s: %v", text, problems)
				}
			}
			for _, text := range tt.bad {
				want := []Problem{{Pointer: "", Line: 1, Column: 1, Rule: tt.broken}}
				if diff := cmp.Diff(want, Check(parse(t, text), tt.rule)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", text, diff)
				}
			}
		})
	}
}

var server = Union("type", map[string]Rule{
	"stdio": Strict(
		Field{Name: "type"},
		Field{Name: "command", Rule: NonEmpty, Required: true},
		Field{Name: "args", Rule: ArrayOf(Text, 0)},
		Field{Name: "env", Rule: MapOf(Text)},
	),
	"http": Open(
		Field{Name: "url", Rule: NonEmpty, Required: true},
		Field{Name: "timeoutMs", Rule: Nullable(PositiveInteger)},
	),
})

// TestPlaces checks a whole document: every problem, each at its place.
func TestPlaces(t *testing.T) {
	text := `{
  "a/b": {"type": "stdio", "args": ["é", 1, {}], "autoApprove": []},
  "http": {"type": "http", "url": "", "timeoutMs": 0, "other": 1},
  "null": {"type": "http", "url": "https://a.example", "timeoutMs": null},
  "é": {"type": "ws"}, "n": {"type": 1}, "none": {},
  "s": {"type": "stdio", "command": "x", "env": {"K": "v", "~": null}}, "list": []
}`
	want := []Problem{
		{"/a~1b/args/1", 2, 42, "must be a string"},
		{"/a~1b/args/2", 2, 45, "must be a string"},
		{"/a~1b/autoApprove", 2, 50, "is not known to ZCode here"},
		{"/a~1b", 2, 3, `needs "command"`},
		{"/http/url", 3, 28, "must be a string that is not empty"},
		{"/http/timeoutMs", 3, 39, "must be a whole number above 0"},
		{"/é/type", 5, 9, "must be one of http, stdio"},
		{"/n/type", 5, 30, "must be one of http, stdio"},
		{"/none", 5, 42, `needs "type"`},
		{"/s/env/~0", 6, 60, "must be a string"},
		{"/list", 6, 73, "must be an object"},
	}
	if diff := cmp.Diff(want, Check(parse(t, text), MapOf(server))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnionRefusesAnotherKindOfTag(t *testing.T) {
	rule := Union("type", map[string]Rule{"": Any})
	if problems := Check(parse(t, `{"type":1}`), rule); len(problems) != 1 {
		t.Errorf("a number passes for the empty string: %v", problems)
	}
}

func TestProblemError(t *testing.T) {
	for want, p := range map[string]Problem{
		"/a (line 2, column 3) must be a string":           {"/a", 2, 3, "must be a string"},
		"the document (line 1, column 1) must be a string": {"", 1, 1, "must be a string"},
	} {
		if got := p.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestProblemsHoldNoValue plants a secret in values of every kind and looks for
// it in what every rule says.
func TestProblemsHoldNoValue(t *testing.T) {
	const canary = "918273645"
	values := []string{
		canary, "-" + canary, canary + ".5e-400", `"` + canary + `"`, `" ` + canary + `"`, `"https://` + canary + `@"`,
		`["` + canary + `"]`, `[[` + canary + `]]`, `{"a":"` + canary + `"}`, `{"type":"` + canary + `"}`, `{"type":` + canary + `}`,
		`{"type":"stdio","command":` + canary + `,"args":"` + canary + `","env":["` + canary + `"]}`,
		`{"type":"http","url":"` + canary + `","timeoutMs":"` + canary + `"}`,
	}
	rules := []Rule{
		Kind(jsonedit.Null), Kind(jsonedit.Array), Text, Boolean, Object, NonEmpty, AbsoluteURL, OneOf("a", "b"),
		Positive, PositiveInteger, Nullable(Boolean), ArrayOf(Boolean, 2), MapOf(Boolean),
		Strict(Field{Name: "b", Rule: Boolean, Required: true}), Open(Field{Name: "a", Rule: Boolean, Required: true}), server,
	}
	for i, rule := range rules {
		told := 0
		for _, value := range values {
			for _, p := range Check(parse(t, value), rule) {
				told++
				if strings.Contains(p.Error(), canary) || strings.Contains(fmt.Sprintf("%+v", p), canary) {
					t.Errorf("rule %d tells the value of %s: %v", i, value, p)
				}
			}
		}
		if told == 0 {
			t.Errorf("rule %d found nothing: it proves nothing", i)
		}
	}
}

// TestManyProblems would not end if every place were looked for from the start.
func TestManyProblems(t *testing.T) {
	const n = 100_000
	text := "[" + strings.Repeat("1,", n) + "1]"
	if got := len(Check(parse(t, text), ArrayOf(Text, 0))); got != enough {
		t.Errorf("%d problems of one array, want %d", got, enough)
	}
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"%d":1,`, i)
	}
	problems := Check(parse(t, "{"+b.String()+`"":1}`), MapOf(Text))
	if len(problems) != n+1 {
		t.Fatalf("%d problems of one object, want %d", len(problems), n+1)
	}
	if last := problems[n]; last.Pointer != "/" || last.Column != b.Len()+2 {
		t.Errorf("the last problem is %v", last)
	}
}
