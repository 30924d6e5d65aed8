package frontmatter

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type edit func(*Doc) (*Doc, error)

func set(key string, v Value) edit { return func(d *Doc) (*Doc, error) { return d.Set(key, v) } }

func del(key string) edit { return func(d *Doc) (*Doc, error) { return d.Delete(key) } }

// TestCaseEdits changes one thing in each case; old and new are the only bytes
// that may differ.
func TestCaseEdits(t *testing.T) {
	tests := []struct {
		name, file string
		edit       edit
		old, new   string
	}{
		{"color", "block-scalar.md", set("color", TextOf("pink")), "color: blue\n", "color: pink\n"},
		{"block scalar becomes a line", "block-scalar.md", set("description", Multiline("Reviews: all\nof it")),
			"description: |\n  Reviews changes: style, bugs,\n  and missing tests.\n", "description: \"Reviews: all\\nof it\"\n"},
		{"an item goes", "block-scalar.md", set("tools", ListOf("*")), "  - Read\n", ""},
		{"an item comes", "block-scalar.md", set("tools", ListOf("Read", "12", "*")), "  - Read\n", "  - Read\n  - \"12\"\n"},
		{"a new key", "block-scalar.md", set("maxTurns", IntOf(5)), "  - \"*\"\n---\n\nYou", "  - \"*\"\nmaxTurns: 5\n---\n\nYou"},
		{"comment above stays", "block-scalar.md", del("model"), "model: inherit\n", ""},
		{"list goes", "block-scalar.md", del("mcpServers"), "mcpServers:\n  - files\n", ""},
		{"model", "crlf.md", set("model", TextOf("zai/glm-5")), "Grep\r\n---", "Grep\r\nmodel: zai/glm-5\r\n---"},
		{"comma text becomes a list", "crlf.md", set("tools", ListOf("Read", "Grep", "Bash(a, b)")), "tools: Read, Grep\r\n", "tools: [Read, Grep, \"Bash(a, b)\"]\r\n"},
		{"the same backslash", "crlf.md", set("description", TextOf(`Writes C:\new files`)), "", ""},
		{"another backslash", "crlf.md", set("description", TextOf(`Writes C:\old files`)), `"Writes C:\new files"`, `Writes C:\old files`},
		{"color in a file that YAML cannot read", "colon.md", set("color", TextOf("red")), "a plan\n---", "a plan\ncolor: red\n---"},
		{"a list there stays on one line", "colon.md", set("tools", ListOf("Read", "*")), "a plan\n---", "a plan\ntools: [Read, \"*\"]\n---"},
		{"our writer quotes a colon", "colon.md", set("description", TextOf("Use when: the user asks")), "Use when: the user asks for a plan", `"Use when: the user asks"`},
		{"another key than the one that stands twice", "duplicate-key.md", set("description", TextOf("second")), "first", "second"},
		{"name and file name differ", "Bar.markdown", set("color", TextOf("cyan")), "differ\n", "differ\ncolor: cyan\n"},
		{"unknown keys stay", "nested/deep.md", set("maxTurns", IntOf(9)), "maxTurns: 12", "maxTurns: 9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := readCase(t, tt.file)
			if strings.Count(before, tt.old) != 1 && tt.old != "" {
				t.Fatalf("%q is not there once", tt.old)
			}
			edited, err := tt.edit(mustParse(t, before))
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Replace(before, tt.old, tt.new, 1)
			if diff := cmp.Diff(want, string(edited.Text())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSet covers the forms that a value stands in.
func TestSet(t *testing.T) {
	x := TextOf("x")
	tests := []struct {
		name, before string
		edit         edit
		want         string
	}{
		{"first key", "", set("a", x), "a: x\n"},
		{"behind comments and blank lines", "b: 1\n\n# c\n", set("a", x), "b: 1\n\n# c\na: x\n"},
		{"behind a kept block scalar", "b: |+\n  y\n\n", set("a", x), "b: |+\n  y\n\na: x\n"},
		{"a new empty list", "", set("a", ListOf()), "a: []\n"},
		{"spaces stay", "a:   b  \n", set("a", x), "a:   x  \n"},
		{"space before the colon", "a : b\n", set("a", x), "a : x\n"},
		{"tabs", "a:\tb\t# c\n", set("a", x), "a:\tx\t# c\n"},
		{"comment stays", "a: \"b\"   # c\n", set("a", x), "a: x   # c\n"},
		{"comment stays behind brackets", "a: [b,  c]   # d\n", set("a", ListOf("b", "e")), "a: [b, e]   # d\n"},
		{"comment goes where an apostrophe would hide it", "a: b # c\n", set("a", TextOf(`don't \`)), "a: don't \\\n"},
		{"quotes instead keep it", "a: b # c\n", set("a", TextOf("don't")), "a: \"don't\" # c\n"},
		{"nothing becomes a text", "a:\nb: 1\n", set("a", x), "a: x\nb: 1\n"},
		{"nothing with spaces", "a:  \n", set("a", x), "a: x  \n"},
		{"nothing with a comment", "a: # c\n", set("a", x), "a: x # c\n"},
		{"nothing becomes a list", "a: \nb: 1\n", set("a", ListOf("x", "y")), "a:\n  - x\n  - y\nb: 1\n"},
		{"nothing becomes an empty list", "a:\n", set("a", ListOf()), "a: []\n"},
		{"nothing with a comment becomes a list", "a: # c\n", set("a", ListOf("x", "y")), "a: [x, y] # c\n"},
		{"a text becomes a list", "a: b\n", set("a", ListOf("x")), "a: [x]\n"},
		{"JSON becomes a text", "a: {\"b\": 1} # c\n", set("a", x), "a: x # c\n"},
		{"a number", "a: 007\n", set("a", IntOf(8)), "a: 8\n"},
		{"the same number in other digits", "a: 007\n", set("a", IntOf(7)), "a: 007\n"},
		{"a word in quotes becomes true", "a: \"true\"\n", set("a", BoolOf(true)), "a: true\n"},
		{"a list becomes a text", "a:\n  - b\n  # c\n  - d\n\n# e\n", set("a", x), "a: x\n\n# e\n"},
		{"folded scalar with a comment", "a: >- # c\n  b\n\n  # d\n# e\n", set("a", x), "a: x # c\n# e\n"},
		{"block scalar with an indicator", "a: |1\n  b\n # c\nd: 1\n", set("a", x), "a: x\nd: 1\n"},
		{"kept block scalar", "a: |+\n  b\n\n\nc: 1\n", set("a", x), "a: x\nc: 1\n"},
		{"block scalar becomes a list", "a: |\n  b\nc: 1\n", set("a", ListOf("x")), "a:\n  - x\nc: 1\n"},
		{"nested map", "a:\n  b:\n    c: 1\n  # d\ne: 1\n", set("a", x), "a: x\n  # d\ne: 1\n"},
		{"nested map of the list", "a:\n  - b: 1\n    c: |\n      # text\n  # d\ne: 1\n", set("a", ListOf("x", "y")), "a:\n  - x\n  - y\n  # d\ne: 1\n"},
		{"a list with a comment behind the colon", "a: # b\n  - c\n", set("a", ListOf("c", "d")), "a: [c, d] # b\n"},
		{"a list whose map ZCode reads as a text", "a:\n  - b: 1\n  # c\n  - d\n", set("a", ListOf("b: 1", "e")), "a:\n  - \"b: 1\"\n  - e\n"},
		{"a list with a block scalar", "a:\n  - |\n    # b\n  - d\n", set("a", ListOf("d")), "a:\n  - d\n"},
		{"a list with a text of two lines", "a:\n  - b\n    c\n", set("a", ListOf("b", "c")), "a:\n  - b\n  - c\n"},
		{"no space behind the colon", "name:x\n", set("name", TextOf("y")), "name:y\n"},
		{"quoted key beside", "\"b\": 1\n? c\n: 2\na: b\n", set("a", x), "\"b\": 1\n? c\n: 2\na: x\n"},
		{"anchor of another key", "b: &c 1\nd: *c\na: b\n", set("a", x), "b: &c 1\nd: *c\na: x\n"},
		{"mixed line ends", "a:\r\n  - b\nc: 1\n", set("a", ListOf("b", "d")), "a:\r\n  - b\n  - d\nc: 1\n"},
		{"CRLF lists", "b: 1\r\na:\r\n", set("a", ListOf("x", "y")), "b: 1\r\na:\r\n  - x\r\n  - y\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edited, err := tt.edit(mustParse(t, fenced(tt.before)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(fenced(tt.want), string(edited.Text())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDelete(t *testing.T) {
	tests := []struct{ name, before, want string }{
		{"sole key", "a: 1\n", ""},
		{"with its comment", "b: 1\na: x # c\nd: 1\n", "b: 1\nd: 1\n"},
		{"comments around stay", "# b\na: x\n# c\n", "# b\n# c\n"},
		{"list", "a:\n- x\n\n- y # c\n# d\n", "# d\n"},
		{"block scalar", "a: |\n  x\n\n  # y\n\nb: 1\n", "\nb: 1\n"},
		{"nested", "a:\n  - b: 1\n    c: 2\nd: 1\n", "d: 1\n"},
		{"JSON", "a: {\"b\": 1}\n", ""},
		{"nothing", "a:\nb: 1\n", "b: 1\n"},
		{"absent", "b: 1\n", "b: 1\n"},
		{"CRLF", "b: 1\r\na:\r\n  - x\r\nc: 1\r\n", "b: 1\r\nc: 1\r\n"},
		{"one line of what YAML cannot read", "b: x: y\na: 1\n# c\n", "b: x: y\n# c\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edited, err := mustParse(t, fenced(tt.before)).Delete("a")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(fenced(tt.want), string(edited.Text())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSetSameReturnsSameDoc(t *testing.T) {
	d := mustParse(t, fenced("a: 'x'   # y\nb:\n- 'p'\n-   q\nc: 1\nd: x\\ny\n"))
	for key, v := range map[string]Value{"a": TextOf("x"), "b": ListOf("p", "q"), "c": IntOf(1), "d": Multiline("x\ny")} {
		if same, err := d.Set(key, v); err != nil || same != d {
			t.Errorf("Set(%q) of an equal value = %p, %v, want the document itself %p", key, same, err, d)
		}
	}
	if same, err := d.Delete("none"); err != nil || same != d {
		t.Errorf("Delete of no key = %p, %v, want the document itself %p", same, err, d)
	}
}

// TestNothingMultiplies sets a description to what was read of it, ten times.
func TestNothingMultiplies(t *testing.T) {
	for _, text := range []string{`C:\new "x"`, `\\server\share`, "it's", `a \"b\"`, "two\nlines", `say "no"`} {
		d := mustParse(t, fenced("name: x\n"))
		var size int
		for round := range 10 {
			v := TextOf(text)
			if strings.Contains(text, "\n") {
				v = Multiline(text)
			}
			other, err := d.Set("description", TextOf("other"))
			if err == nil {
				d, err = other.Set("description", v)
			}
			if err != nil {
				t.Fatal(err)
			}
			if round == 0 {
				size = len(d.Text())
			}
			got, _ := d.Value("description")
			if !got.Equal(v) || len(d.Text()) != size {
				t.Errorf("round %d of %q: %q with %d bytes, want %d", round, text, got.Text(), len(d.Text()), size)
			}
			if text = got.Text(); v.lines {
				text = got.Multiline()
			}
		}
	}
}

// TestEditErrors wants the reason and the line of every refusal; the document is
// as it was.
func TestEditErrors(t *testing.T) {
	tests := []struct {
		name, before string
		edit         edit
		want         RefusedError // Reason: a part of it
	}{
		{"key twice", "a: 1\nb: 1\na: 2\n", set("a", TextOf("x")), RefusedError{"a", 4, "stands on line 2 too"}},
		{"key twice with this value", "a: 1\na: 2\n", set("a", IntOf(2)), RefusedError{"a", 3, "stands on line 2 too"}},
		{"key twice to delete", "a: 1\na: 2\n", del("a"), RefusedError{"a", 3, "stands on line 2 too"}},
		{"anchor", "a: &b x\n", set("a", TextOf("x")), RefusedError{"a", 2, "anchor, alias or tag"}},
		{"alias", "b: &b x\na: *b\n", del("a"), RefusedError{"a", 3, "anchor, alias or tag"}},
		{"tag", "a: !!str 1\n", set("a", TextOf("x")), RefusedError{"a", 2, "anchor, alias or tag"}},
		{"anchor inside", "a:\n  - &b x\n", set("a", ListOf("x")), RefusedError{"a", 2, "anchor, alias or tag"}},
		{"plain text of two lines", "a: b\n  c\n", set("a", TextOf("x")), RefusedError{"a", 2, "several lines"}},
		{"quoted text of two lines", "a: \"b\n  # c\"\n", del("a"), RefusedError{"a", 2, "several lines"}},
		{"brackets over two lines", "a: [b,\n  c]\n", set("a", ListOf("x")), RefusedError{"a", 2, "several lines"}},
		{"a key inside a quoted text", "b: \"x\n\na: y\"\n", set("a", TextOf("x")), RefusedError{"a", 4, "YAML does not see a key here"}},
		{"a key inside braces", "{b: 1,\na: y\n}\n", set("a", TextOf("x")), RefusedError{"a", 3, "YAML does not see a key here"}},
		{"a new key behind braces", "{b: 1}\n", set("a", TextOf("x")), RefusedError{"a", 0, "change the line by hand"}},
		{"a key that only YAML reads", "b: 1\n\"a\": y\n", set("a", TextOf("x")), RefusedError{"a", 3, "ZCode does not"}},
		{"the same to delete", "b: 1\n\"a\": y\n", del("a"), RefusedError{"a", 3, "ZCode does not"}},
		{"indented fence", "b: |\n  x\n  ---\n", set("a", TextOf("x")), RefusedError{"a", 4, "is indented"}},
		{"carriage return within", "b: x\ry\na: 1\n", set("a", TextOf("x")), RefusedError{"a", 2, "invisible line break"}},
		{"line separator in a comment", "a: 1\n# \u2028\n", set("a", TextOf("x")), RefusedError{"a", 3, "invisible line break"}},
		{"list in what YAML cannot read", "b: x: y\na:\n  - x\n", set("a", ListOf("y")), RefusedError{"a", 3, "mend the block first"}},
		{"more lines in what YAML cannot read", "a: x: y\n  more\nb: 1\n", set("a", TextOf("y")), RefusedError{"a", 2, "mend the block first"}},
		{"a line that is no key there", "b: x: y\na: 1\n- z\n", del("a"), RefusedError{"a", 3, "mend the block first"}},
		{"the last text of a block scalar would grow", "b: |\n  x\na: 1\n    \n", del("a"), RefusedError{"a", 4, "other keys would be read differently"}},
		{"key with a dot", "", set("a.b", TextOf("x")), RefusedError{"a.b", 0, "a letter and then letters"}},
		{"key that begins with a digit", "", set("1a", TextOf("x")), RefusedError{"1a", 0, "a letter and then letters"}},
		{"empty key", "", del(""), RefusedError{"", 0, "a letter and then letters"}},
		{"key with a space", "", set("a ", TextOf("x")), RefusedError{"a ", 0, "a letter and then letters"}},
		{"key with a newline", "", set("a: 1\nb", TextOf("x")), RefusedError{"a: 1\nb", 0, "a letter and then letters"}},
		{"nothing to store", "", set("a", Value{}), RefusedError{"a", 0, "only a text, true or false"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := "---\n" + tt.before + "---\n"
			if tt.name == "indented fence" {
				text = "---\n" + tt.before + "  y\n---\n"
			}
			d := mustParse(t, text)
			got, err := tt.edit(d)
			var refused *RefusedError
			if got != nil || !errors.As(err, &refused) || !errors.Is(err, ErrRefused) {
				t.Fatalf("got %v, error %v, want a refusal", got, err)
			}
			if refused.Key != tt.want.Key || refused.Line != tt.want.Line || !strings.Contains(refused.Reason, tt.want.Reason) {
				t.Errorf("refused %q on line %d: %s; want %q on line %d: %s",
					refused.Key, refused.Line, refused.Reason, tt.want.Key, tt.want.Line, tt.want.Reason)
			}
			if string(d.Text()) != text {
				t.Error("the document changed")
			}
		})
	}
	err := error(&RefusedError{Key: "a", Line: 3, Reason: "no"})
	if got, want := err.Error(), `editing "a" on line 3: no`; got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}
