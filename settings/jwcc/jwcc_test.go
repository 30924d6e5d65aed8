package jwcc

import (
	"errors"
	"strings"
	"testing"

	"zcode-acp/settings/jsonedit"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"a": 1}`, `{"a": 1}`},
		{"{\"a\": 1, // one\n}", "{\"a\": 1         }"},
		{"[1, /* two */ 2,]", "[1,           2 ]"},
		{"{} // end", "{}       "},
		{`{"//": "/*", "b": "\\"}`, `{"//": "/*", "b": "\\"}`},
	} {
		v, err := Parse([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		v.Standardize()
		got := strings.Join(strings.Fields(string(v.Pack())), " ")
		if want := strings.Join(strings.Fields(tt.want), " "); got != want {
			t.Errorf("%s: got %s, want %s", tt.text, got, want)
		}
	}
}

func TestParseTellsThePlaceAndNotTheText(t *testing.T) {
	_, err := Parse([]byte("{\n  \"a\": SECRET\n}"))
	if err == nil || !strings.Contains(err.Error(), "line 2") || strings.Contains(err.Error(), "SECRET") {
		t.Errorf("got %v, want the line without the text", err)
	}
}

// The reader behind it calls itself for each level, and Go ends a program whose
// stack grows too large.
func TestParseRefusesDepth(t *testing.T) {
	for _, begin := range []string{"", "// c\n", "/* [ */", `{"a":`} {
		text := begin + strings.Repeat("[", 5_000_000)
		if _, err := Parse([]byte(text)); !errors.Is(err, jsonedit.ErrTooDeep) {
			t.Errorf("%q and five million brackets: got %v, want %v", begin, err, jsonedit.ErrTooDeep)
		}
	}
	if _, err := Parse([]byte("// [[[[\n" + strings.Repeat("[", 100) + `"[[[["` + strings.Repeat("]", 100))); err != nil {
		t.Errorf("a hundred levels: %v", err)
	}
}
