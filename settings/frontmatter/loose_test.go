package frontmatter

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLooseScalars has what ZCode's line reader makes of what stands behind a
// key. The texts say how ZCode's own code goes about it.
func TestLooseScalars(t *testing.T) {
	tests := []struct {
		name, text string
		kind       Kind
		want       string // as JSON
	}{
		{"text", "a b", Text, `"a b"`},
		{"colons", "Use when: a: b", Text, `"Use when: a: b"`},
		{"a scheme", "http://x", Text, `"http://x"`},
		{"true", "true", Bool, "true"},
		{"false with a comment", "false # no", Bool, "false"},
		{"capitals are text", "True", Text, `"True"`},
		{"quoted true is text", `"true"`, Text, `"true"`},
		{"digits", "12", Int, "12"},
		{"leading zeros", "007", Int, "7"},
		{"zero", "0", Int, "0"},
		{"more digits than a float64 holds", "9007199254740993", Int, "9007199254740992"},
		{"more than an int64 holds", "99999999999999999999", Int, "9223372036854775807"},
		{"quoted digits are text", `'12'`, Text, `"12"`},
		{"a sign is text", "-1", Text, `"-1"`},
		{"a fraction is text", "1.5", Text, `"1.5"`},
		{"other digits are text", "١", Text, `"١"`},
		{"null is text", "null", Text, `"null"`},
		{"double quotes", `"a: b"`, Text, `"a: b"`},
		{"single quotes", `'a'`, Text, `"a"`},
		{"empty quotes", `""`, Text, `""`},
		{"one quote", `"`, Text, `""`},
		{"escapes stay", `"C:\new \"x\" \\"`, Text, `"C:\\new \\\"x\\\" \\\\"`},
		{"doubled apostrophe stays", `'it''s'`, Text, `"it''s"`},
		{"quotes that do not match", `"a'`, Text, `"\"a'"`},
		{"quotes within", `a "b" c`, Text, `"a \"b\" c"`},
		{"quotes at both ends", `"a" and "b"`, Text, `"a\" and \"b"`},
		{"spaces in quotes", `"  a "`, Text, `"  a "`},
		{"comment", "a # b", Text, `"a"`},
		{"comment after a tab", "a\t# b", Text, `"a"`},
		{"no space before", "a#b", Text, `"a#b"`},
		{"# in quotes", `"a # b" # c`, Text, `"a # b"`},
		{"# behind an apostrophe", "don't # b", Text, `"don't # b"`},
		{"# behind two apostrophes", "don't, can't # b", Text, `"don't, can't"`},
		{"# behind an escaped quote", `a \" # b`, Text, `"a \\\""`},
		{"# behind the colon", "# b", Text, `"# b"`},
		{"brackets", "[a, b]", List, `["a","b"]`},
		{"no items", "[]", List, `[]`},
		{"empty items", "[ , a,, ]", List, `["a"]`},
		{"items are texts", `[1, true, "x", '', {}]`, List, `["1","true","x","","{}"]`},
		{"comma in quotes", `["a, b", c]`, List, `["a, b","c"]`},
		{"comma in parentheses", `[Bash(a, b), c]`, List, `["Bash(a, b)","c"]`},
		{"parentheses too many", `[a), b]`, List, `["a)","b"]`},
		{"apostrophe in an item", `[it's, b]`, List, `["it's, b"]`},
		{"brackets within", `[[a, b], c]`, List, `["[a","b]","c"]`},
		{"open bracket", "[a, b", Text, `"[a, b"`},
		{"brackets in quotes", `"[a]"`, Text, `"[a]"`},
		{"comment behind brackets", "[a] # b", List, `["a"]`},
		{"JSON", `{"a": [1, null]}`, JSON, `{"a":[1,null]}`},
		{"no JSON", "{a: 1}", Text, `"{a: 1}"`},
		{"braces in quotes", `"{}"`, Text, `"{}"`},
		{"block scalar", "|", Text, `"|"`},
		{"folded with a comment", ">- # x", Text, `"\u003e-"`},
		{"anchor", "&a x", Text, `"\u0026a x"`},
		{"no-break space around", "\u00a0a\u00a0", Text, `"a"`},
		{"no-break space before #", "a\u00a0# b", Text, `"a"`},
		{"next line is no white space", "\u0085a\u0085", Text, `"` + "\u0085a\u0085" + `"`},
		{"nothing", "", Null, "null"},
		{"white space", " \t\u00a0", Null, "null"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, ok := mustParse(t, fenced("key: "+tt.text+"\n")).Value("key")
			if !ok {
				t.Fatal("the key is not there")
			}
			got, err := json.Marshal(v.Any())
			if err != nil || string(got) != tt.want || v.Kind() != tt.kind {
				t.Errorf("%q reads %v %s, want %v %s (%v)", tt.text, v.Kind(), got, tt.kind, tt.want, err)
			}
		})
	}
}

// TestLooseLines has what is a key and where a list ends.
func TestLooseLines(t *testing.T) {
	tests := []struct {
		name, block string
		want        []string
	}{
		{"spelling of keys", "a: 1\nB-_2: 1\n_c: 1\n2d: 1\né: 1\nf g: 1\n\"h\": 1\ni.j: 1\nk:1\nl : 1\n",
			[]string{"2 a 1", "3 B-_2 1", "10 k 1", "11 l 1"}},
		{"indented keys are passed over", "a: 1\n  b: 2\n\tc: 3\n", []string{"2 a 1"}},
		{"comments and blank lines", "# x: 1\n\n  # y: 2\na: 1\n", []string{"5 a 1"}},
		{"items", "a:\n  - x\n  - 12\n  - true\n  - '12'\n  - [b, c]\n  - k: v\nb: 1\n", []string{`2 a ["x",12,true,"12",["b","c"],"k: v"]`, "9 b 1"}},
		{"items at any indentation", "a:\n- x\n      - y\n\t- z\n", []string{`2 a ["x","y","z"]`}},
		{"comments between items", "a:\n  - x\n\n# c\n  # d\n  - y # e\n", []string{`2 a ["x","y"]`}},
		{"another line ends the list", "a:\n  - x\n    more\n  - y\n", []string{`2 a ["x"]`}},
		{"a nested map ends the list", "a:\n  - name: x\n    command: y\n  - name: z\n", []string{`2 a ["name: x"]`}},
		{"a lone dash ends the list", "a:\n  - x\n  -\n  - y\n", []string{`2 a ["x"]`}},
		{"a dash needs a space", "a:\n  -x\n  - y\n", []string{"2 a null"}},
		{"no list behind a value", "a: x\n  - y\n", []string{`2 a "x"`}},
		{"a comment is a value", "a: # c\n  - y\n", []string{`2 a "# c"`}},
		{"a nested map is nothing", "a:\n  b: 1\nc: 2\n", []string{"2 a null", "4 c 2"}},
		{"a block scalar", "a: |\n  b: 1\n  - x\nc: 2\n", []string{`2 a "|"`, "5 c 2"}},
		{"a key within quotes", "a: \"x\nb: y\"\n", []string{`2 a "\"x"`, `3 b "y\""`}},
		{"line separator within", "a: x\u2028y\nb: 1\n", []string{"3 b 1"}},
		{"line separator around", "a:\u2028x\u2029\n", []string{`2 a "x"`}},
		{"carriage return within", "a: x\ry\nb: 1\n", []string{"3 b 1"}},
		{"line separator in an item", "a:\n - x\u2028y\n - z\n", []string{"2 a null"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range listing(t, mustParse(t, fenced(tt.block))) {
				s, _, _ = strings.Cut(s, " but ")
				got = append(got, s)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestValueAccessors(t *testing.T) {
	d := mustParse(t, fenced("text: a\\nb\nbool: true\nint: 3\nlist:\n  - x\n  - 12\n  - ''\n"))
	text, _ := d.Value("text")
	if text.Text() != `a\nb` || text.Multiline() != "a\nb" {
		t.Errorf("text reads %q and %q", text.Text(), text.Multiline())
	}
	for _, name := range []string{"bool", "int", "list", "none"} {
		if v, _ := d.Value(name); v.Text() != "" || v.Multiline() != "" {
			t.Errorf("%s has the text %q", name, v.Text())
		}
	}
	b, _ := d.Value("bool")
	if got, ok := b.Bool(); !got || !ok {
		t.Errorf("Bool() = %v, %v", got, ok)
	}
	if _, ok := text.Bool(); ok {
		t.Error("a text is no bool")
	}
	n, _ := d.Value("int")
	if got, ok := n.Int(); got != 3 || !ok {
		t.Errorf("Int() = %v, %v", got, ok)
	}
	if _, ok := b.Int(); ok {
		t.Error("a bool is no number")
	}
	list, _ := d.Value("list")
	if diff := cmp.Diff([]string{"x", ""}, list.List()); diff != "" || text.List() != nil {
		t.Errorf("List() (-want +got):\n%s", diff)
	}
	if v := Multiline("a\nb"); v.Text() != "a\nb" || v.Multiline() != "a\nb" || !v.Equal(text) || v.Equal(TextOf("a\nb")) {
		t.Errorf("a text of two lines is %q", v.Text())
	}
	kinds := []string{"nothing", "a text", "true or false", "a number", "a list", "an object"}
	for k, want := range kinds {
		if got := Kind(k).String(); got != want {
			t.Errorf("kind %d is %q, want %q", k, got, want)
		}
	}
}
