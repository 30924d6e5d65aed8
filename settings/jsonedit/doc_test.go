package jsonedit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNode(t *testing.T) {
	d := mustParse(t, ` { "a\/b" : [ 1.0 , "x\ud83d\ude00" , true , false , null ] , "" : {} } `)
	root := d.Root()
	if root.Kind() != Object || root.Len() != 2 || root.Key() != "" || root.Text() != "" || root.Path() != nil {
		t.Errorf("root: %v, %d members, key %q, text %q, path %q", root.Kind(), root.Len(), root.Key(), root.Text(), root.Path())
	}
	if got, want := string(root.Raw()), strings.TrimSpace(string(d.Text())); got != want {
		t.Errorf("root is %q, want %q", got, want)
	}
	var kinds []Kind
	for c := range root.Get("a/b").Children() {
		kinds = append(kinds, c.Kind())
	}
	if diff := cmp.Diff([]Kind{Number, String, Bool, Bool, Null}, kinds); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	if got := d.Find(Path{"a/b", "1"}).Text(); got != "x😀" {
		t.Errorf("text %q, want %q", got, "x😀")
	}
	for i, want := range map[int][2]bool{0: {}, 2: {true, true}, 3: {false, true}, 4: {}} {
		if value, ok := root.Get("a/b").Index(i).Bool(); value != want[0] || ok != want[1] {
			t.Errorf("Bool of element %d = %v, %v, want %v", i, value, ok, want)
		}
	}
	for range root.Children() {
		break // leaving early is allowed
	}
}

func TestFind(t *testing.T) {
	d := mustParse(t, `{"a":[10,{"b":20}],"":{"":30},"0":40,"\u0041":50}`)
	tests := []struct {
		path Path
		want string
	}{
		{nil, string(d.Text())},
		{Path{"a", "0"}, "10"},
		{Path{"a", "1", "b"}, "20"},
		{Path{"", ""}, "30"},
		{Path{"0"}, "40"},
		{Path{"A"}, "50"},
		{Path{`\u0041`}, ""},
		{Path{"a", "2"}, ""},
		{Path{"a", "-1"}, ""},
		{Path{"a", "+1"}, ""},
		{Path{"a", "01"}, ""},
		{Path{"a", ""}, ""},
		{Path{"a", "99999999999999999999"}, ""},
		{Path{"a", "0", "x"}, ""},
		{Path{"x", "y"}, ""},
	}
	for _, tt := range tests {
		n := d.Find(tt.path)
		if got := string(n.Raw()); got != tt.want || n.Exists() != (tt.want != "") {
			t.Errorf("Find(%q) = %q, exists: %v, want %q", tt.path, got, n.Exists(), tt.want)
		}
		if n.Exists() && n.Path().Pointer() != tt.path.Pointer() {
			t.Errorf("Path() = %q, want %q", n.Path(), tt.path)
		}
	}
	if n := d.Root().Index(0); n.Exists() {
		t.Error("an object has an element")
	}
	if n := d.Root().Get("a").Get("0"); n.Exists() {
		t.Error("an array has a member")
	}
}

func TestNothing(t *testing.T) {
	for name, n := range map[string]Node{"zero Node": {}, "root of the zero Doc": new(Doc).Root()} {
		value, ok := n.Bool()
		line, column := n.Position()
		if n.Exists() || n.Kind() != 0 || n.Raw() != nil || n.Text() != "" || n.Key() != "" || n.Len() != 0 ||
			n.Get("a").Exists() || n.Index(0).Exists() || n.Path() != nil || value || ok || line != 0 || column != 0 {
			t.Errorf("%s is something", name)
		}
	}
	if d, err := new(Doc).Delete(Path{"a"}); err != nil || d.Root().Exists() {
		t.Errorf("deleting from the zero Doc: %v", err)
	}
}

func TestKindString(t *testing.T) {
	want := []string{"nothing", "an object", "an array", "a string", "a number", "true or false", "null"}
	for k := Kind(0); k <= Null; k++ {
		if k.String() != want[k] {
			t.Errorf("Kind %d is %q, want %q", k, k, want[k])
		}
	}
}

func TestPathIsItsOwn(t *testing.T) {
	path := mustParse(t, `{"a":{"b":{"c":1}}}`).Find(Path{"a", "b", "c"}).Path()
	first := append(path, "x")
	_ = append(path, "y")
	if first.Pointer() != "/a/b/c/x" {
		t.Errorf("appending to a path twice gives %q", first.Pointer())
	}
}

func TestPointer(t *testing.T) {
	for want, path := range map[string]Path{"": nil, "/": {""}, "/a~1b/~0/0": {"a/b", "~", "0"}, "/~01": {"~1"}} {
		if got := path.Pointer(); got != want {
			t.Errorf("Pointer of %q = %q, want %q", path, got, want)
		}
	}
}

func TestPosition(t *testing.T) {
	d := mustParse(t, "\ufeff{\"é\": 1, \"b\":\r\n  2,\n\"😀\": [\r  3, \"é\", 4\n]}")
	tests := []struct {
		path         Path
		line, column int
	}{
		{nil, 1, 1},
		{Path{"é"}, 1, 2},
		{Path{"b"}, 1, 10},
		{Path{"😀"}, 3, 1},
		{Path{"😀", "0"}, 4, 3},
		{Path{"😀", "2"}, 4, 11},
	}
	var forward, backward Positions
	for i := range tests {
		for _, p := range []struct {
			way string
			*Positions
			tt int
		}{{"forward", &forward, i}, {"backward", &backward, len(tests) - 1 - i}, {"alone", new(Positions), i}} {
			tt := tests[p.tt]
			if line, column := p.Of(d.Find(tt.path)); line != tt.line || column != tt.column {
				t.Errorf("%s: %q is at %d:%d, want %d:%d", p.way, tt.path, line, column, tt.line, tt.column)
			}
		}
	}
	// Another document begins anew.
	if line, column := forward.Of(mustParse(t, strings.Repeat(" ", 99)+"1").Root()); line != 1 || column != 100 {
		t.Errorf("in another document: %d:%d, want 1:100", line, column)
	}
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"":                       `""`,
		"a\"b\\c/d":              `"a\"b\\c/d"`,
		"\b\f\n\r\t\x00\x1f\x7f": `"\b\f\n\r\t\u0000\u001f` + "\x7f" + `"`,
		"<>&é😀\u2028\u2029":      "\"<>&é😀\u2028\u2029\"",
		"\xff\xed\xa0\x80":       "\"\ufffd\ufffd\ufffd\ufffd\"",
	} {
		if got := string(Quote(s)); got != want {
			t.Errorf("Quote(%q) = %s, want %s", s, got, want)
		}
	}
}
