package frontmatter

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestUnreadable wants the line that a person has to look at, and never a word
// of the file.
func TestUnreadable(t *testing.T) {
	tests := []struct{ name, block, want string }{
		{"fine", "a: 1\nb: |\n  SECRET: x: y\n", ""},
		{"empty", "", ""},
		{"comments only", "# a\n\n", ""},
		{"colon in a value", "a: 1\nb: x: SECRET\n", "YAML cannot read line 3: a value with a colon and a space in it needs quotes around it"},
		{"first line", "a: x: SECRET\n", "YAML cannot read line 2: a value with a colon"},
		{"alias without an anchor", "a: 1\nb: *SECRET\n", "YAML cannot read line 3: an alias (*name) has no anchor"},
		{"open bracket", "a: 1\nb: [SECRET\nc: 2\n", "YAML cannot read line 3: "},
		{"open quote", "a: 1\nb: \"SECRET\nc: 2\n", "YAML cannot read line 3: "},
		{"unknown escape", "a: \"SECRET \\q\"\n", "YAML cannot read line 2: "},
		{"tab", "a: 1\n\tb: SECRET\n", "YAML cannot read line 3: "},
		{"indentation", "a:\n  - b\n - SECRET\n", "YAML cannot read line 4: "},
		{"block scalar ends early", "a: |\n  b\n SECRET\nc: 1\n", "YAML cannot read line 4: "},
		{"control character", "a: 1\nb: \x01\n", "YAML cannot read line 3: "},
		{"a list", "- SECRET\n", "line 2 is no key with a colon"},
		{"a text", "\nSECRET\n", "line 3 is no key with a colon"},
		{"key twice", "a: 1\nSECRET: 2\na: 3\n", "YAML cannot read the block: the key on line 4 stands on an earlier line too"},
		{"key twice inside", "a:\n  SECRET: 1\n  SECRET: 2\n", "YAML cannot read the block: the key on line 4 stands on an earlier line too"},
		{"second document", "a: 1\n--- SECRET\n", "line 3 begins a second YAML document"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := message(mustParse(t, fenced(tt.block)).Unreadable())
			if !strings.HasPrefix(got, tt.want) || (tt.want == "") != (got == "") || strings.Contains(got, "SECRET") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	long := strings.Repeat("# x\n", mostLines+1) + "a: b: c\n"
	if got, want := message(mustParse(t, fenced(long)).Unreadable()), "YAML cannot read the block: a value with a colon"; !strings.HasPrefix(got, want) {
		t.Errorf("a long block: got %q, want %q", got, want)
	}
}

func TestNested(t *testing.T) {
	tests := []struct{ name, block, want string }{
		{"list of maps", "key:\n  - name: a\n    args: [-y, 1]\n    env:\n      A: \"1\"\n  - b\n", `[{"args":["-y",1],"env":{"A":"1"},"name":"a"},"b"]`},
		{"block scalar", "key: >-\n  a\n  b\n", `"a b"`},
		{"scalars", "key: [1, -2, 0x1f, 1.5, true, null, ~, yes, 2026-01-01, 18446744073709551615]\n",
			`[1,-2,31,1.5,true,null,null,"yes","2026-01-01",18446744073709551615]`},
		{"numbers that JSON has not", "key: [.inf, .nan]\n", `[".inf",".nan"]`},
		{"a tag that does not fit", "key: !!int x\n", `"x"`},
		{"keys that are no texts", "key:\n  1: a\n  true: b\n", `{"1":"a","true":"b"}`},
		{"alias", "b: &b [1]\nkey: [*b, *b]\n", "[[1],[1]]"},
		{"nothing", "key:\n", "null"},
		{"a key that ZCode does not see", "\"key\": a\n", `"a"`},
		{"a key that is a list", "key:\n  ? [a]\n  : b\n", "none"},
		{"keys that are the same in JSON", "key:\n  1: a\n  \"1\": b\n", "none"},
		{"no such key", "b: 1\n", "none"},
		{"what YAML cannot read", "key: a\nb: c: d\n", "none"},
		{"alias of itself", "key: &b [*b]\n", "none"},
		{"aliases that multiply", "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n" +
			"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\nkey: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n", "none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			value, ok := mustParse(t, fenced(tt.block)).Nested("key")
			got, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				got = []byte("none")
			}
			if string(got) != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestNestedWithin(t *testing.T) {
	d := mustParse(t, fenced("a: &a [one, {two: three}]\nb: [*a, *a]\nc: 1\n"))
	left := 1000
	for _, key := range []string{"a", "b", "c"} {
		before := left
		value, ok := d.NestedWithin(key, &left)
		text, err := json.Marshal(value)
		if used := before - left; !ok || err != nil || used < len(text) || used > 4*len(text)+8 {
			t.Errorf("%s: got %s, %v for %d bytes", key, text, ok, used)
		}
	}
	if _, ok := d.NestedWithin("none", &left); ok || left < 0 {
		t.Errorf("no such key: got %v with %d left", ok, left)
	}
	left = 40 // enough for a, not for b
	if _, ok := d.NestedWithin("a", &left); !ok {
		t.Error("a: got nothing")
	}
	for _, key := range []string{"b", "c"} {
		if value, ok := d.NestedWithin(key, &left); ok || value != nil || left >= 0 {
			t.Errorf("%s: got %v, %v with %d left, want nothing", key, value, ok, left)
		}
	}
}

func TestSameKeys(t *testing.T) {
	tests := []struct {
		block string
		want  bool
	}{
		{"", true}, {"a: 1\nb:\n  - c\n  - d: e\n", true}, {"a: |\n  b: c\n# d: e\n", true}, {"a: &x b\nc: *x\n", true},
		{"\"a\": 1\n", false}, {"a b: 1\n", false}, {"a: 1\na: 2\n", false}, {"a: b: c\n", false}, {"{a: 1}\n", false},
		{"? a\n: 1\n", false}, {"a: \"x\nb: y\"\n", false}, {"a: 1\n\"b\": 2\n", false}, {"# x\u2028b: 2\n", false},
		{"a:\n  b: 1\n  b: 2\n", false}, {"a: \"x\nb: y\"\n\"c\": 1\n", false},
	}
	for _, tt := range tests {
		if got := mustParse(t, fenced(tt.block)).SameKeys(); got != tt.want {
			t.Errorf("%q: got %v, want %v", tt.block, got, tt.want)
		}
	}
}

// TestDiffers has values that ZCode and YAML read alike, and others.
func TestDiffers(t *testing.T) {
	tests := []struct {
		block string
		want  bool
	}{
		{"key: a\n", false}, {"key: 'a' # b\n", false}, {"key: 12\n", false}, {"key: 007\n", false}, {"key: true\n", false}, {"key: [a, b]\n", false},
		{"key:\n  - a\n  - 1\n", false}, {"key:\n", false}, {"key: []\n", false}, {"key: {\"a\": [1, 2.5, null]}\n", false}, {"key: \"\"\n", false},
		{"key: |\n  a\n", true}, {"key: >-\n  a\n", true}, {"key: \"C:\\\\new\"\n", true}, {"key: 'it''s'\n", true}, {"key: 012\n", true},
		{"key: True\n", true}, {"key: null\n", true}, {"key: 1.5\n", true}, {"key: -1\n", true}, {"key: [1]\n", true}, {"key: {a: 1}\n", true},
		{"key:\n  a: 1\n", true}, {"key:\n  - a: 1\n", true}, {"key: # a\n", true}, {"key: a\n  b\n", true}, {"key: don't # b\n", true},
		{"b: &b x\nkey: *b\n", true}, {"b: \"x\nkey: a\"\n", true}, {"key: [a,\n  b]\n", true}, {"key: 9007199254740993\n", true},
		{"key: a\nb: c: d\n", false},
	}
	for _, tt := range tests {
		for _, e := range mustParse(t, fenced(tt.block)).Entries() {
			if e.Key == "key" && e.Differs != tt.want {
				t.Errorf("%q: Differs = %v, want %v", tt.block, e.Differs, tt.want)
			}
		}
	}
}
