package frontmatter

import (
	"strings"

	"pgregory.net/rapid"
)

// part is one piece of a generated block: a key with its lines, or lines that
// belong to no key.
type part struct {
	key  string // "" for comments and blank lines
	text string // with {} for the line end
	fits bool   // an edit of the key has a place
}

// keyParts are values as people write them; KEY stands for the key.
var keyParts = []part{
	{"KEY", "KEY: plain text{}", true},
	{"KEY", "KEY:   spaced  {}", true},
	{"KEY", "KEY: \"double: quoted\"{}", true},
	{"KEY", "KEY: 'single # quoted'{}", true},
	{"KEY", "KEY: \"C:\\new \\\"x\\\"\"{}", true},
	{"KEY", "KEY: \"\"{}", true},
	{"KEY", "KEY: 12   # a comment{}", true},
	{"KEY", "KEY: true{}", true},
	{"KEY", "KEY: inherit # a comment{}", true},
	{"KEY", "KEY: Read, Grep{}", true},
	{"KEY", "KEY:{}", true},
	{"KEY", "KEY:  {}", true},
	{"KEY", "KEY: # only a comment{}", true},
	{"KEY", "KEY: [Read,  Grep]   # flow list{}", true},
	{"KEY", "KEY: []{}", true},
	{"KEY", "KEY: {\"a\": [1, \"b\"]}{}", true},
	{"KEY", "KEY:{}  - Read{}  - \"*\"{}", true},
	{"KEY", "KEY:{}- Read # first{}# between{}- 'Bash(git:*)'{}{}- 12{}", true},
	{"KEY", "KEY: # list{}    - a{}", true},
	{"KEY", "KEY: |{}  several{}  - lines: of{}{}  # text{}", true},
	{"KEY", "KEY: >- # folded{}    a{}      b{}", true},
	{"KEY", "KEY:{}  nested:{}    env: {A: b}{}    # comment{}    args: [x]{}", true},
	{"KEY", "KEY:{}  - name: a{}    command: b{}  - name: c{}", true},
	{"KEY", "KEY: plain{}  that goes on{}", false},
	{"KEY", "KEY: \"quoted{}  # on\"{}", false},
	{"KEY", "KEY: [a,{}  b]{}", false},
	{"KEY", "KEY: &anchor x{}", false},
	{"KEY", "KEY: !tag x{}", false},
}

var quietParts = []part{{text: "# a comment{}"}, {text: "{}"}, {text: " # indented{}"}, {text: "  {}"}}

var (
	keyNames = []string{"name", "description", "color", "model", "tools", "mcpServers", "maxTurns", "x-1_y"}
	bodies   = []string{"", "\n", "\nYou help.\n", "You help.", "\n\nYou help.\n\n---\nname: no\n---\n", "---\n", " \n\ttext \n"}
	words    = []string{
		"", " ", "a", "Use when: x", "true", "12", "007", "null", "~", "yes", "1.5", "-3", "[x]", "[x", "{x}", "{}", `{"a":1}`, "#", "# a", "a # b", "a#b",
		"*", "&a", "!x", "- x", "-", "---", "...", "? x", "|", ">", "%", "@a", "`a`", ": x", "x:", "a, b", "a: b: c", `"`, "'", `"a"`, "'a'", `a "b" c`, "it's",
		`it's "x"`, `"x" it's`, `both: "x" it's`, `C:\new`, `C:\dir\`, `C:\a: b`, `\"`, `\`, "é😀", "2026-01-01", "0x1f", "1e3", "<<", "=", "a\tb", "\u00a0a\u00a0",
		"Bash(git:*, x)", "custom:builtin%3Azai:GLM-5.3", "p/m$high", " a ", "a\u00a0# b", "don't # b", `'a' "b" # c`,
		"-a", "?", "?a", ":", "::", "a:", ":a", "a::b", "a,b", ",", "a]", "}", "+1", ".5", "1_000", "0o17", "0b1", "12:30", "NaN", ".inf", "on", "N", "a\u00a0b", "\"", "a\"", "x' y",
	}
	broken = []string{"a\nb", "a\rb", "\x00", "a\u2028b", "a\u0085b", "\ufeff", "\xff"}
)

// document is a generated text.
type document struct {
	text  string
	block string
	parts []part
	eol   string
}

// drawDocument draws a text whose keys are all different.
func drawDocument(t *rapid.T) document {
	doc := document{eol: rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "line end")}
	for _, name := range rapid.Permutation(keyNames).Draw(t, "names")[:rapid.IntRange(0, 5).Draw(t, "keys")] {
		if rapid.IntRange(0, 3).Draw(t, "quiet") == 0 {
			doc.parts = append(doc.parts, rapid.SampledFrom(quietParts).Draw(t, "line"))
		}
		p := rapid.SampledFrom(keyParts).Draw(t, "part")
		p.key, p.text = name, strings.Replace(p.text, "KEY", name, 1)
		doc.parts = append(doc.parts, p)
	}
	if rapid.IntRange(0, 3).Draw(t, "last") == 0 {
		doc.parts = append(doc.parts, rapid.SampledFrom(quietParts).Draw(t, "line"))
	}
	for i := range doc.parts {
		doc.parts[i].text = strings.ReplaceAll(doc.parts[i].text, "{}", doc.eol)
		doc.block += doc.parts[i].text
	}
	body := strings.ReplaceAll(rapid.SampledFrom(bodies).Draw(t, "body"), "\n", doc.eol)
	doc.text = "---" + doc.eol + doc.block + "---" + doc.eol + body
	return doc
}

// drawValue draws a value for Set, sometimes one that must be refused.
func drawValue(t *rapid.T) Value {
	word := func() string {
		if rapid.IntRange(0, 30).Draw(t, "broken") == 0 {
			return rapid.SampledFrom(broken).Draw(t, "text")
		}
		s := rapid.SampledFrom(words).Draw(t, "text")
		if rapid.IntRange(0, 3).Draw(t, "joined") == 0 {
			s += rapid.SampledFrom([]string{"", " ", "x", "  # "}).Draw(t, "between") + rapid.SampledFrom(words).Draw(t, "text")
		}
		return s
	}
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return BoolOf(rapid.Bool().Draw(t, "bool"))
	case 1:
		return IntOf(rapid.Int64Range(-1, 1<<53+1).Draw(t, "int"))
	case 2, 3:
		items := make([]string, rapid.IntRange(0, 4).Draw(t, "items"))
		for i := range items {
			items[i] = word()
		}
		return ListOf(items...)
	case 4:
		return Multiline(word() + rapid.SampledFrom([]string{"", "\n", "\n\n"}).Draw(t, "newline") + word())
	}
	return TextOf(word())
}
