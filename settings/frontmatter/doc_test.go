package frontmatter

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// listing is a document's entries, one a line: the line in the file, the key,
// the value as JSON, and what YAML reads where that differs.
func listing(t *testing.T, d *Doc) []string {
	t.Helper()
	var list []string
	for _, e := range d.Entries() {
		text, err := json.Marshal(e.Value.Any())
		if err != nil {
			t.Fatal(err)
		}
		s := fmt.Sprintf("%d %s %s", e.Line, e.Key, text)
		if e.Differs {
			value, _ := d.Nested(e.Key)
			nested, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			s += " but " + string(nested)
		}
		list = append(list, s)
	}
	return list
}

func TestCases(t *testing.T) {
	tests := []struct {
		file       string
		want       []string
		duplicates []int // lines
		unreadable string
		body       string
	}{
		{"Bar.markdown", []string{`2 name "Foo"`, `3 description "file name and name differ"`}, nil, "", "\nBody\n"},
		{"block-scalar.md", []string{
			`2 name "reviewer"`,
			`3 description "|" but "Reviews changes: style, bugs,\nand missing tests.\n"`,
			`6 color "blue"`,
			`8 model "inherit"`,
			`9 mcpServers ["files"]`,
			`11 tools ["Read","*"]`,
		}, nil, "", "\nYou review code.\n\n---\n\nA rule in the body is not a fence.\n"},
		{"colon.md", []string{`2 name "colon-user"`, `3 description "Use when: the user asks for a plan"`}, nil,
			"YAML cannot read line 3: a value with a colon and a space in it needs quotes around it", "\nBody\n"},
		{"crlf.md", []string{
			`2 name "windows-writer"`,
			`3 description "Writes C:\\new files" but "Writes C:\new files"`,
			`4 tools "Read, Grep"`,
		}, nil, "", "\r\nBody.\r\n"},
		{"duplicate-key.md", []string{`2 name "twice"`, `3 description "first"`, `4 model "a/b"`, `5 model "c/d"`}, []int{5},
			"YAML cannot read the block: the key on line 5 stands on an earlier line too: take one out", "\nBody\n"},
		{"nested/deep.md", []string{
			`2 name "nested-one"`, `3 description "lives in a sub-folder"`, `4 permissionMode "plan"`, `5 maxTurns 12`, `6 unknownKey "kept"`,
		}, nil, "", "Body without a blank line\n"},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			text := readCase(t, tt.file)
			d := mustParse(t, text)
			if diff := cmp.Diff(tt.want, listing(t, d)); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			var lines []int
			for _, e := range d.Duplicates() {
				lines = append(lines, e.Line)
			}
			if diff := cmp.Diff(tt.duplicates, lines); diff != "" {
				t.Errorf("lines of duplicates (-want +got):\n%s", diff)
			}
			if got := message(d.Unreadable()); got != tt.unreadable {
				t.Errorf("unreadable: got %q, want %q", got, tt.unreadable)
			}
			if got := string(d.Body()); got != tt.body {
				t.Errorf("body %q, want %q", got, tt.body)
			}
			if string(d.Text()) != text || d.BOM() {
				t.Error("the text is another")
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestDuplicateReadsTheLast(t *testing.T) {
	v, ok := mustParse(t, readCase(t, "duplicate-key.md")).Value("model")
	if !ok || v.Text() != "c/d" {
		t.Errorf("model = %q, %v, want the last", v.Text(), ok)
	}
	if v, ok := mustParse(t, readCase(t, "colon.md")).Value("model"); ok || v.Kind() != Null {
		t.Errorf("a key that is not there = %v, %v", v, ok)
	}
}

// TestFences has what ZCode takes for a fence: --- between white space, the
// first at the very beginning, the second on the first line that is one.
func TestFences(t *testing.T) {
	tests := []struct {
		name, text string
		keys, body string
	}{
		{"empty block", "---\n---\nBody", "", "Body"},
		{"no body", "---\na: 1\n---", "a", ""},
		{"no body, final newline", "---\na: 1\n---\n", "a", ""},
		{"white space behind", "---  \t\na: 1\n--- \u00a0\nBody", "a", "Body"},
		{"white space before the second", "---\na: 1\n  ---\nBody\n---\n", "a", "Body\n---\n"},
		{"inside a block scalar", "---\nd: |\n  a\n  ---\n  b\nname: x\n---\n", "d", "  b\nname: x\n---\n"},
		{"longer lines are none", "---\na: 1\n----\n--- b\n#---\n---\nBody", "a", "Body"},
		{"CRLF", "---\r\na: 1\r\n---\r\nBody\r\n", "a", "Body\r\n"},
		{"a carriage return more", "---\r\r\na: 1\r\r\n---\r\r\nBody", "a", "Body"},
		{"a body that looks like one", "---\na: 1\n---\n---\nb: 2\n---\n", "a", "---\nb: 2\n---\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := mustParse(t, tt.text)
			var keys []string
			for _, e := range d.Entries() {
				keys = append(keys, e.Key)
			}
			if got := strings.Join(keys, " "); got != tt.keys || string(d.Body()) != tt.body {
				t.Errorf("got keys %q, body %q, want %q, %q", got, d.Body(), tt.keys, tt.body)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		name, text string
		missing    bool
		want       string
	}{
		{"empty", "", true, "reading front matter: the text does not begin with a --- line: no front matter"},
		{"no front matter", readCase(t, "no-frontmatter.md"), true, "reading front matter: the text does not begin with a --- line: no front matter"},
		{"blank line first", "\n---\na: 1\n---\n", true, "reading front matter: the text does not begin with a --- line: no front matter"},
		{"space first", " ---\na: 1\n---\n", true, "reading front matter: the text does not begin with a --- line: no front matter"},
		{"JSON first", "{\"a\": 1}\n\nBody", true, "reading front matter: the text does not begin with a --- line: no front matter"},
		{"more behind the fence", "---yaml\na: 1\n---\n", true, "reading front matter: no line closes the block with --- alone: no front matter"},
		{"never closed", "---\na: 1\n", true, "reading front matter: no line closes the block with --- alone: no front matter"},
		{"only a fence", "---", true, "reading front matter: no line closes the block with --- alone: no front matter"},
		{"carriage returns only", "---\ra: 1\r---\r", true, "reading front matter: no line closes the block with --- alone: no front matter"},
		{"invisible behind the first", "---\u0085\na: 1\n---\n", true, "reading front matter: line 1 has an invisible character beside ---, delete it: no front matter"},
		{"invisible before one in between", "---\na: 1\n\ufeff---\n---\n", true, "reading front matter: line 3 has an invisible character beside ---, delete it: no front matter"},
		{"invisible behind the last", "---\na: 1\n---\u0085\n", true, "reading front matter: line 3 has an invisible character beside ---, delete it: no front matter"},
		{"not UTF-8", "---\na: SECRET\nb: \xff\n---\n", false, "reading front matter: line 3 is not UTF-8: save the file as UTF-8"},
		{"UTF-16", "\xff\xfe-\x00-\x00-\x00\n\x00", false, "reading front matter: line 1 is not UTF-8: save the file as UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Parse([]byte(tt.text))
			if d != nil || err == nil {
				t.Fatalf("got %v, %v, want an error", d, err)
			}
			if errors.Is(err, ErrMissing) != tt.missing || err.Error() != tt.want {
				t.Errorf("error %q, is ErrMissing: %v, want %q, %v", err, errors.Is(err, ErrMissing), tt.want, tt.missing)
			}
		})
	}
}

func TestByteOrderMark(t *testing.T) {
	d := mustParse(t, "\ufeff"+fenced("name: x\n"))
	if !d.BOM() || string(d.Text()) != fenced("name: x\n") {
		t.Errorf("BOM() = %v, text %q", d.BOM(), d.Text())
	}
	edited, err := d.Set("name", TextOf("y"))
	if err != nil || edited.BOM() || string(edited.Text()) != fenced("name: y\n") {
		t.Errorf("after an edit: %q, %v", edited.Text(), err)
	}
}

func TestNew(t *testing.T) {
	tests := []struct{ body, want string }{
		{"", "---\n---\n\n"},
		{"You help.", "---\n---\n\nYou help.\n"},
		{"\n\nYou help.\n\n", "---\n---\n\nYou help.\n"},
		{"  a\r\nb  ", "---\n---\n\n  a\nb\n"},
		{"---\na\n---\n", "---\n---\n\n---\na\n---\n"},
		{"\xff", "---\n---\n\n\ufffd\n"},
	}
	for _, tt := range tests {
		if got := string(New([]byte(tt.body)).Text()); got != tt.want {
			t.Errorf("New(%q) = %q, want %q", tt.body, got, tt.want)
		}
	}
	d, err := New([]byte("You help.")).Set("name", TextOf("helper"))
	if err == nil {
		d, err = d.Set("tools", ListOf("Read"))
	}
	if want := "---\nname: helper\ntools:\n  - Read\n---\n\nYou help.\n"; err != nil || string(d.Text()) != want {
		t.Errorf("a new document with two keys: %v, %v, want %q", d, err, want)
	}
}

func TestZeroDoc(t *testing.T) {
	d := new(Doc)
	if _, ok := d.Value("a"); ok || len(d.Entries())+len(d.Duplicates())+len(d.Body())+len(d.Text()) > 0 || d.BOM() || d.Unreadable() != nil {
		t.Error("the zero Doc is not empty")
	}
	if _, err := d.Set("a", BoolOf(true)); !errors.Is(err, ErrRefused) {
		t.Errorf("Set: %v, want %v", err, ErrRefused)
	}
	if _, err := d.SetBody(nil); !errors.Is(err, ErrRefused) {
		t.Errorf("SetBody: %v, want %v", err, ErrRefused)
	}
	if got, err := d.Delete("a"); got != d || err != nil {
		t.Errorf("Delete: %v, %v, want the document itself", got, err)
	}
}
