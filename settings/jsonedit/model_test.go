package jsonedit

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// item is a value of the model that the properties compare with: what a
// document means, kept apart from the code under test. Strings and names are
// UTF-16, as in JavaScript, so that lone surrogates are values of their own.
type item struct {
	kind     Kind
	word     string // numbers, true, false and null as they are written
	units    []uint16
	children []*item
	name     []uint16 // of a member

	begin, start, end int // where write put it: its name, its value
}

// write appends the value; space is asked for every gap, spell for every string.
type writer struct {
	text  []byte
	space func(place gap, depth int) string
	spell func(units []uint16) string
}

// gap is a place where white space may stand.
type gap int

const (
	afterOpen gap = iota
	beforeComma
	afterComma
	beforeColon
	afterColon
	beforeClose
	outside
)

func (w *writer) document(v *item) string {
	w.add(w.space(outside, 0))
	w.value(v, 0)
	w.add(w.space(outside, 0))
	return string(w.text)
}

func (w *writer) add(s string) { w.text = append(w.text, s...) }

func (w *writer) value(v *item, depth int) {
	v.start = len(w.text)
	switch v.kind {
	case Object, Array:
		w.container(v, depth)
	case String:
		w.add(w.spell(v.units))
	default:
		w.add(v.word)
	}
	v.end = len(w.text)
}

func (w *writer) container(v *item, depth int) {
	brackets := "{}"
	if v.kind == Array {
		brackets = "[]"
	}
	w.add(brackets[:1])
	for i, c := range v.children {
		if i > 0 {
			w.add(w.space(beforeComma, depth+1) + ",")
			w.add(w.space(afterComma, depth+1))
		} else {
			w.add(w.space(afterOpen, depth+1))
		}
		c.begin = len(w.text)
		if v.kind == Object {
			w.add(w.spell(c.name) + w.space(beforeColon, depth+1) + ":")
			w.add(w.space(afterColon, depth+1))
		}
		w.value(c, depth+1)
	}
	if len(v.children) > 0 {
		w.add(w.space(beforeClose, depth))
	}
	w.add(brackets[1:])
}

// stringify writes the value as JSON.stringify(value, null, unit) does, with
// another line end where one is given.
func stringify(v *item, unit, newline string) string {
	w := writer{spell: spellShort, space: func(place gap, depth int) string {
		switch {
		case unit != "" && (place == afterOpen || place == afterComma || place == beforeClose):
			return newline + strings.Repeat(unit, depth)
		case unit != "" && place == afterColon:
			return " "
		}
		return ""
	}}
	return w.document(v)
}

// spellShort writes a string as JSON.stringify does.
func spellShort(units []uint16) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(units); i++ {
		u := rune(units[i])
		switch {
		case u == '"' || u == '\\':
			b.WriteString(`\` + string(u))
		case u == '\b':
			b.WriteString(`\b`)
		case u == '\f':
			b.WriteString(`\f`)
		case u == '\n':
			b.WriteString(`\n`)
		case u == '\r':
			b.WriteString(`\r`)
		case u == '\t':
			b.WriteString(`\t`)
		case isPair(units, i):
			b.WriteRune(utf16.DecodeRune(u, rune(units[i+1])))
			i++
		case u < ' ' || utf16.IsSurrogate(u):
			fmt.Fprintf(&b, `\u%04x`, u)
		default:
			b.WriteRune(u)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func isPair(units []uint16, i int) bool {
	return i+1 < len(units) && utf16.DecodeRune(rune(units[i]), rune(units[i+1])) != utf8.RuneError
}

// failer is what testing.TB and *rapid.T have in common here.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// read decodes a text with another parser.
func read(t failer, text []byte) *item {
	t.Helper()
	dec := jsontext.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, bom)), jsontext.AllowInvalidUTF8(true))
	v := readValue(t, dec)
	if _, err := dec.ReadToken(); err == nil {
		t.Fatalf("more than one value in %q", text)
	}
	return v
}

func readValue(t failer, dec *jsontext.Decoder) *item {
	t.Helper()
	v := &item{}
	switch dec.PeekKind() {
	case '{', '[':
		open, err := dec.ReadToken()
		if err != nil {
			t.Fatal(err)
		}
		v.kind = Array
		if open.Kind() == '{' {
			v.kind = Object
		}
		for k := dec.PeekKind(); k != '}' && k != ']'; k = dec.PeekKind() {
			var name []uint16
			if v.kind == Object {
				name = readValue(t, dec).units
			}
			c := readValue(t, dec)
			c.name = name
			v.children = append(v.children, c)
		}
		if _, err := dec.ReadToken(); err != nil {
			t.Fatal(err)
		}
		return v
	}
	raw, err := dec.ReadValue()
	if err != nil {
		t.Fatal(err)
	}
	v.word = string(raw)
	switch raw.Kind() {
	case '"':
		v.kind, v.units, v.word = String, unitsOf(t, v.word), ""
	case '0':
		v.kind = Number
	case 'n':
		v.kind = Null
	default:
		v.kind = Bool
	}
	return v
}

// unitsOf decodes a JSON string to UTF-16.
func unitsOf(t failer, raw string) []uint16 {
	t.Helper()
	units := []uint16{}
	for raw = raw[1 : len(raw)-1]; raw != ""; {
		switch {
		case strings.HasPrefix(raw, `\u`):
			u, err := strconv.ParseUint(raw[2:6], 16, 16)
			if err != nil {
				t.Fatal(err)
			}
			units = append(units, uint16(u))
			raw = raw[6:]
		case raw[0] == '\\':
			units = append(units, map[byte]uint16{
				'"': '"', '\\': '\\', '/': '/', 'b': 8, 'f': 12, 'n': 10, 'r': 13, 't': 9,
			}[raw[1]])
			raw = raw[2:]
		default:
			r, size := utf8.DecodeRuneInString(raw)
			units = utf16.AppendRune(units, r)
			raw = raw[size:]
		}
	}
	return units
}

// same compares two values with the order of their members.
func same(a, b *item) bool {
	return a.kind == b.kind && a.word == b.word && slices.Equal(a.units, b.units) &&
		slices.EqualFunc(a.children, b.children, func(x, y *item) bool {
			return slices.Equal(x.name, y.name) && same(x, y)
		})
}

// equivalent compares two values without the order of their members.
func equivalent(a, b *item) bool {
	if a.kind != b.kind || a.word != b.word || !slices.Equal(a.units, b.units) || len(a.children) != len(b.children) {
		return false
	}
	for i, x := range a.children {
		y := b.children[i]
		if a.kind == Object {
			at := slices.IndexFunc(b.children, func(y *item) bool { return slices.Equal(x.name, y.name) })
			if at < 0 {
				return false
			}
			y = b.children[at]
		}
		if !equivalent(x, y) {
			return false
		}
	}
	return true
}

// clone copies a value, so that an edit of the copy leaves the places of the
// original alone.
func (v *item) clone() *item {
	c := *v
	c.children = nil
	for _, child := range v.children {
		c.children = append(c.children, child.clone())
	}
	return &c
}
