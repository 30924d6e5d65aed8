package frontmatter

import (
	"errors"
	"strings"
	"testing"
)

// TestSpelling has for each text the line that is written: as it stands where
// ZCode and YAML both read it so, else in double quotes, else in single quotes.
func TestSpelling(t *testing.T) {
	tests := []struct {
		name string
		v    Value
		want string // behind the colon
	}{
		{"word", TextOf("inherit"), "inherit"},
		{"words", TextOf("It's a \"b\" c"), `It's a "b" c`},
		{"backslash", TextOf(`C:\new`), `C:\new`},
		{"model", TextOf("custom:builtin%3Azai:GLM-5.3$high"), "custom:builtin%3Azai:GLM-5.3$high"},
		{"colon and space", TextOf("a: b"), `"a: b"`},
		{"colon at the end", TextOf("a:"), `"a:"`},
		{"colon without space", TextOf("a:b"), "a:b"},
		{"# behind a space", TextOf("a # b"), `"a # b"`},
		{"# at the start", TextOf("#a"), `"#a"`},
		{"# within", TextOf("a#b"), "a#b"},
		{"# behind an apostrophe", TextOf("don't # b"), `"don't # b"`},
		{"empty", TextOf(""), `""`},
		{"spaces around", TextOf(" a "), `" a "`},
		{"a space", TextOf(" "), `" "`},
		{"true", TextOf("true"), `"true"`},
		{"True", TextOf("True"), `"True"`},
		{"digits", TextOf("12"), `"12"`},
		{"a fraction", TextOf("1.5"), `"1.5"`},
		{"a number too large", TextOf("1e312"), `"1e312"`},
		{"hexadecimal", TextOf("0x1f"), `"0x1f"`},
		{"a date", TextOf("2026-01-01"), `"2026-01-01"`},
		{"null", TextOf("null"), `"null"`},
		{"tilde", TextOf("~"), `"~"`},
		{"brackets", TextOf("[x]"), `"[x]"`},
		{"braces", TextOf("{x}"), `"{x}"`},
		{"JSON", TextOf(`{"x":1}`), `'{"x":1}'`},
		{"star", TextOf("*"), `"*"`},
		{"ampersand", TextOf("&a"), `"&a"`},
		{"exclamation", TextOf("!a"), `"!a"`},
		{"bar", TextOf("|"), `"|"`},
		{"dash", TextOf("- a"), `"- a"`},
		{"a dash alone", TextOf("-"), `"-"`},
		{"three dashes", TextOf("---"), "---"},
		{"at", TextOf("@a"), `"@a"`},
		{"quotes and a colon", TextOf(`"a": b`), `'"a": b'`},
		{"backslash and a colon", TextOf(`C:\new: a`), `'C:\new: a'`},
		{"apostrophe and a colon", TextOf("it's: a"), `"it's: a"`},
		{"in double quotes", TextOf(`"a"`), `'"a"'`},
		{"in single quotes", TextOf(`'a'`), `"'a'"`},
		{"tab", TextOf("a\tb"), "a\tb"},
		{"no-break spaces around", TextOf("\u00a0a\u00a0"), "\"\u00a0a\u00a0\""},
		{"emoji", TextOf("😀 é"), "😀 é"},
		{"only ZCode reads it: YAML undoes escapes", TextOf(`it's # C:\new`), `it's # C:\new`},
		{"only ZCode reads it: YAML reads an item", ListOf(`- it's "a"`), "\n  - - it's \"a\""},
		{"several lines of no newline", Multiline("a b"), "a b"},
		{"newlines", Multiline("a\nb\n\nc"), `"a\nb\n\nc"`},
		{"newlines and quotes", Multiline("say \"a\"\nb"), `say "a"\nb`},
		{"newlines and a colon", Multiline("a: \"b\"\nc"), `'a: "b"\nc'`},
		{"newlines and a backslash", Multiline("C:\\Users\nb"), `C:\Users\nb`},
		{"a backslash before a newline", Multiline("a\\\nb"), `a\\nb`},
		{"0", IntOf(0), "0"},
		{"2^53", IntOf(1 << 53), "9007199254740992"},
		{"false", BoolOf(false), "false"},
		{"list", ListOf("a", "b c", "", "12", "true", "*", "a: b", "[x]", "{y}", "it's", `"q"`, "Bash(a, b)", "- x", " s ", "#", "true # x"),
			"\n  - a\n  - b c\n  - \"\"\n  - \"12\"\n  - \"true\"\n  - \"*\"\n  - \"a: b\"\n  - \"[x]\"\n  - \"{y}\"\n  - it's\n  - '\"q\"'" +
				"\n  - Bash(a, b)\n  - \"- x\"\n  - \" s \"\n  - \"#\"\n  - \"true # x\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := mustParse(t, fenced("a: 1\n")).Set("key", tt.v)
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want[0] != '\n' {
				want = " " + want
			}
			if got := string(d.Text()); got != fenced("a: 1\nkey:"+want+"\n") {
				t.Fatalf("got %q, want the line %q", got, "key:"+want)
			}
			if v, _ := d.Value("key"); !v.Equal(tt.v) {
				t.Errorf("reads %v, want %v", v.Any(), tt.v.Any())
			}
		})
	}
}

// TestSpellingInBrackets has items that quotes and commas make hard.
func TestSpellingInBrackets(t *testing.T) {
	tests := []struct{ item, want string }{
		{"a", "a"}, {"a b", "a b"}, {"a,b", `"a,b"`}, {"Bash(git:*)", "Bash(git:*)"}, {"Bash(a, b)", `"Bash(a, b)"`}, {"it's", `"it's"`},
		{`say "a"`, `say "a"`}, {`"a", b`, `'"a", b'`}, {"12", `"12"`}, {"true", `"true"`}, {"", `""`}, {"[a]", `"[a]"`}, {"a]", `"a]"`}, {"(", `"("`}, {")", ")"},
		{"a # b", `"a # b"`}, {`C:\new`, `C:\new`}, {"*", `"*"`}, {"a: b", `"a: b"`}, {"{a}", `"{a}"`}, {" a ", `" a "`},
		{"-", `"-"`}, {"-a", `"-a"`}, {"?", `"?"`}, {"a:", `"a:"`}, {"a:b-c", "a:b-c"}, // YAML libraries disagree about the first four
	}
	for _, tt := range tests {
		d, err := mustParse(t, fenced("key: [old] # c\n")).Set("key", ListOf("x", tt.item, "y"))
		if err != nil {
			t.Errorf("%q: %v", tt.item, err)
			continue
		}
		if got, want := string(d.Text()), fenced("key: [x, "+tt.want+", y] # c\n"); got != want {
			t.Errorf("%q: got %q, want %q", tt.item, got, want)
		}
	}
}

func TestNoSpelling(t *testing.T) {
	tests := []struct {
		name string
		v    Value
		want string // a part of the reason
	}{
		{"newline", TextOf("a\nb"), "holds a newline"},
		{"newline in a list", ListOf("a", "b\nc"), "holds a newline"},
		{"literal backslash-n", Multiline(`C:\new`), "a backslash before an n"},
		{"the same with a newline", Multiline("C:\\new\nb"), "a backslash before an n"},
		{"carriage return", Multiline("a\r\nb"), "control character"},
		{"NUL", TextOf("a\x00b"), "control character"},
		{"escape", TextOf("\x1b[1m"), "control character"},
		{"next line", TextOf("a\u0085b"), "control character"},
		{"line separator", TextOf("a\u2028b"), "control character"},
		{"byte order mark", TextOf("\ufeffa"), "control character"},
		{"not UTF-8", TextOf("a\xff"), "not UTF-8"},
		{"both quotes and a colon", TextOf(`it's "a": b`), "both double quotes and apostrophes"},
		{"both quotes at the start", TextOf(`"a" it's`), "both double quotes and apostrophes"},
		{"both in an item", ListOf("x", `"a" it's`), "both double quotes and apostrophes"},
		{"an anchor to be", TextOf(`&a it's "b"`), "both double quotes and apostrophes"},
		{"apostrophe and an unknown escape", TextOf(`it's: C:\dir`), "no quotes fit"},
		{"an escape that YAML libraries disagree about", TextOf(`a: \'b'`), "no quotes fit"},
		{"below 0", IntOf(-1), "no number below 0"},
		{"above 2^53", IntOf(1<<53 + 1), "no number below 0 or above 2^53"},
		{"nothing", Value{}, "only a text"},
		{"an object", Value{kind: JSON, text: "{}"}, "only a text"},
		{"a list of numbers", Value{kind: List, items: []Value{IntOf(1)}}, "texts only"},
	}
	for _, tt := range tests {
		for _, block := range []string{"a: 1\n", "key: old\n", "key:\n  - old\n"} {
			d := mustParse(t, fenced(block))
			got, err := d.Set("key", tt.v)
			var refused *RefusedError
			if got != nil || !errors.As(err, &refused) || !strings.Contains(refused.Reason, tt.want) || refused.Key != "key" {
				t.Errorf("%s in %q: got %v, %v, want a refusal with %q", tt.name, block, got, err, tt.want)
			}
		}
	}
}
