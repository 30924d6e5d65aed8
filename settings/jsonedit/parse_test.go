package jsonedit

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"
)

// bytesOf returns depth times the opening and the closing text.
func bytesOf(depth int, open, end string) []byte {
	return []byte(strings.Repeat(open, depth) + strings.Repeat(end, depth))
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		name, text   string
		kind         error
		line, column int
		reason       string // a part of it
	}{
		{"empty", "", ErrEmpty, 1, 1, "empty"},
		{"white space only", " \n\t", ErrEmpty, 1, 1, "empty"},
		{"byte order mark only", "\ufeff", ErrEmpty, 1, 1, "empty"},
		{"line comment", "{\n  // my servers\n}", ErrSyntax, 2, 3, "remove the comment"},
		{"block comment", "{\"a\": /* x */ 1}", ErrSyntax, 1, 7, "remove the comment"},
		{"comment behind a value", "{\"a\": 1 // x\n}", ErrSyntax, 1, 9, "remove the comment"},
		{"comment behind the end", "{}\n// x", ErrSyntax, 2, 1, "remove the comment"},
		{"trailing comma in an object", "{\n\"a\": 1,\n}", ErrSyntax, 3, 1, "comma before the closing bracket"},
		{"trailing comma in an array", "[1, ]", ErrSyntax, 1, 5, "comma before the closing bracket"},
		{"missing comma", "{\"a\": 1 \"b\": 2}", ErrSyntax, 1, 9, "expected a comma or '}'"},
		{"missing comma in an array", "[1 2]", ErrSyntax, 1, 4, "expected a comma or ']'"},
		{"wrong bracket", "[1}", ErrSyntax, 1, 3, "expected a comma or ']'"},
		{"missing colon", `{"a" 1}`, ErrSyntax, 1, 6, "colon"},
		{"name without quotes", "{a: 1}", ErrSyntax, 1, 2, "member name in double quotes"},
		{"single quotes", "{\"a\": 'x'}", ErrSyntax, 1, 7, "expected a value"},
		{"second value", "{} {}", ErrSyntax, 1, 4, "behind the end"},
		{"HTML", "<html>", ErrSyntax, 1, 1, "expected a value"},
		{"binary", "\x00\x01", ErrSyntax, 1, 1, "expected a value"},
		{"UTF-16", "\xff\xfe{\x00}\x00", ErrSyntax, 1, 1, "UTF-16"},
		{"UTF-16, big-endian", "\xfe\xff\x00{", ErrSyntax, 1, 1, "UTF-16"},
		{"two byte order marks", "\ufeff\ufeff{}", ErrSyntax, 1, 1, "expected a value"},
		{"cut behind a colon", "{\"a\":", ErrSyntax, 1, 6, "cut short"},
		{"cut inside a string", "{\"a\": \"st", ErrSyntax, 1, 7, "no end"},
		{"cut inside an escape", `{"a": "x\`, ErrSyntax, 1, 7, "no end"},
		{"cut inside a unicode escape", `{"a": "x\u00`, ErrSyntax, 1, 7, "no end"},
		{"cut inside a word", "[tru", ErrSyntax, 1, 2, "expected a value"},
		{"word in capitals", "[True]", ErrSyntax, 1, 2, "expected a value"},
		{"NaN", "[NaN]", ErrSyntax, 1, 2, "expected a value"},
		{"leading zero", "[012]", ErrSyntax, 1, 3, "must not begin with 0"},
		{"plus sign", "[+1]", ErrSyntax, 1, 2, "expected a value"},
		{"lone minus", "[-]", ErrSyntax, 1, 3, "expected a digit"},
		{"no digit behind the point", "[1.]", ErrSyntax, 1, 4, "decimal point"},
		{"no digit before the point", "[.5]", ErrSyntax, 1, 2, "expected a value"},
		{"no exponent", "[1e+]", ErrSyntax, 1, 5, "exponent"},
		{"unknown escape", `["é\x"]`, ErrSyntax, 1, 4, "unknown escape"},
		{"bad unicode escape", `["\u00g0"]`, ErrSyntax, 1, 7, "four hexadecimal digits"},
		{"line break inside a string", "[\"a\n\"]", ErrSyntax, 1, 4, "control character"},
		{"tab inside a string", "[\"\t\"]", ErrSyntax, 1, 3, "control character"},
		{"NUL inside a string", "[\"\x00\"]", ErrSyntax, 1, 3, "control character"},
		{"characters, not bytes", "{\n  \"é😀\": \"é\", x}", ErrSyntax, 2, 14, "member name"},
		{"column behind a byte order mark", "\ufeff{x}", ErrSyntax, 1, 2, "member name"},
		{"lines that end in CRLF", "{\r\n\r\n x}", ErrSyntax, 3, 2, "member name"},
		{"lines that end in CR", "{\r\r x}", ErrSyntax, 3, 2, "member name"},
		{"duplicate", "{\"b\": 1,\n \"a\": 2,\n \"b\": 3}", ErrDuplicate, 3, 2, `the name "b" stands twice in one object, first in line 1, and ZCode reads the last`},
		{"duplicate in other words", `{"a/b":1,"\u0061\/b":2}`, ErrDuplicate, 1, 10, `"a/b"`},
		{"duplicate of the empty name", `{"":1,"":2}`, ErrDuplicate, 1, 7, `""`},
		{"duplicate inside", `[{"a":{"x":1,"x":1}}]`, ErrDuplicate, 1, 14, `"x"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Parse([]byte(tt.text))
			if d != nil {
				t.Fatalf("accepted")
			}
			checkSyntaxError(t, err, tt.kind, tt.line, tt.column, tt.reason)
		})
	}
}

func checkSyntaxError(t *testing.T, err, kind error, line, column int, reason string) {
	t.Helper()
	var se *SyntaxError
	if !errors.As(err, &se) || !errors.Is(err, kind) {
		t.Fatalf("error %v, want a SyntaxError that is %v", err, kind)
	}
	if se.Line != line || se.Column != column {
		t.Errorf("at line %d, column %d, want line %d, column %d (%v)", se.Line, se.Column, line, column, err)
	}
	if !strings.Contains(se.Reason, reason) {
		t.Errorf("reason %q does not say %q", se.Reason, reason)
	}
}

// TestRefusedFiles reads the files of the kinds that must be refused whole.
func TestRefusedFiles(t *testing.T) {
	tests := []struct {
		file         string
		kind         error
		line, column int
		reason       string
	}{
		{"duplicate-keys", ErrDuplicate, 4, 3, `"skills"`},
		{"comments", ErrSyntax, 2, 3, "comment"},
		{"truncated", ErrSyntax, 4, 21, "cut short"},
		{"empty", ErrEmpty, 1, 1, "empty"},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			_, err := Parse([]byte(readCase(t, tt.file)))
			checkSyntaxError(t, err, tt.kind, tt.line, tt.column, tt.reason)
		})
	}
}

func TestErrorsHoldNoValue(t *testing.T) {
	const secret = "hunter2secret"
	for _, text := range []string{
		`{"k":"` + secret, `{"k":"` + secret + "\n" + `"}`, `{"k":"` + secret + `\x"}`, `{"k":` + secret + `}`,
		`{"k":"` + secret + `","k":"` + secret + `"}`, `["` + secret + `",]`, `["` + secret + `" "` + secret + `"]`,
		`"` + secret + `" ` + secret, `{"k":"` + secret + `" // ` + secret,
	} {
		_, err := Parse([]byte(text))
		if err == nil {
			t.Errorf("%q is accepted", text)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("%q holds the value", err)
		}
	}
}

func TestControlCharacters(t *testing.T) {
	for c := range 0x80 {
		text := []byte{'"', byte(c), '"'}
		want := c >= ' ' && c != '"' && c != '\\'
		if Valid(text) != want {
			t.Errorf("a string of the byte %#x is accepted: %v, want %v", c, !want, want)
		}
	}
}

func TestByteOrderMark(t *testing.T) {
	d := mustParse(t, readCase(t, "bom"))
	if !d.BOM() {
		t.Error("BOM() = false")
	}
	if want := "{\n  \"ui\": {\"locale\": \"auto\"}\n}\n"; string(d.Text()) != want {
		t.Errorf("Text() = %q, want %q", d.Text(), want)
	}
	after, err := d.Delete(Path{"ui"})
	if err != nil {
		t.Fatal(err)
	}
	if after.BOM() || bytes.HasPrefix(after.Text(), bom) {
		t.Error("the byte order mark is still there after an edit")
	}
	if mustParse(t, "{}").BOM() {
		t.Error("BOM() = true without one")
	}
}

func TestDepth(t *testing.T) {
	for _, brackets := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
		core := "1"
		if brackets[0] == "[" {
			core = ""
		}
		nest := func(depth int) []byte {
			return []byte(strings.Repeat(brackets[0], depth) + core + strings.Repeat(brackets[1], depth))
		}
		d, err := Parse(nest(MaxDepth))
		if err != nil {
			t.Fatalf("%d times %q: %v", MaxDepth, brackets[0], err)
		}
		if !Equal(d.Root(), d.Root()) || len(Diff(d.Root(), d.Root())) != 0 {
			t.Errorf("%d times %q differs from itself", MaxDepth, brackets[0])
		}
		if _, err := Parse(nest(MaxDepth + 1)); !errors.Is(err, ErrTooDeep) {
			t.Errorf("%d times %q: %v, want %v", MaxDepth+1, brackets[0], err, ErrTooDeep)
		}
	}
	// Depth counts what is open, not what has been.
	if wide := "[" + strings.Repeat("[],", MaxDepth) + "[]]"; !Valid([]byte(wide)) {
		t.Error("a wide array is refused")
	}
}

func TestSize(t *testing.T) {
	text := bytes.Repeat([]byte(" "), MaxSize+len(bom)+1)
	copy(text, bom)
	text[len(bom)] = '1'
	if _, err := Parse(text[:MaxSize+len(bom)]); err != nil {
		t.Errorf("%d bytes behind a byte order mark: %v", MaxSize, err)
	}
	// A text that is too large is refused before it is looked at.
	text[len(bom)] = '?'
	for _, large := range [][]byte{text, text[len(bom):]} {
		_, err := Parse(large)
		checkSyntaxError(t, err, ErrTooLarge, 1, 1, "larger than 64 MiB")
	}
	text = text[:MaxSize]
	copy(text, "{}  ")
	d, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Set(Path{"a"}, []byte("1")); !errors.Is(err, ErrTooLarge) {
		t.Errorf("an edit that makes the document too large: %v, want %v", err, ErrTooLarge)
	}
}

// TestMemory reads the document that has the most values for its size.
func TestMemory(t *testing.T) {
	const size = 2 << 20
	text := []byte("[" + strings.Repeat("1,", size/2-1) + "1]")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(16*size); got > limit {
		t.Errorf("parsing %d bytes allocates %d, want at most %d", size, got, limit)
	}
	if got := d.Root().Len(); got != size/2 {
		t.Errorf("%d elements, want %d", got, size/2)
	}
}
