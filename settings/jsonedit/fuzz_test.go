package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// seeds adds the case files and small texts of every kind.
func seeds(f *testing.F, add func(text []byte)) {
	files, err := filepath.Glob(filepath.Join("testdata", "cases", "*.json"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no case files: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		add(text)
	}
	for _, text := range []string{
		"", " ", "1", "-0.0e-0", "[]", "{}", "{ }", "{\r\n}", "[[],[{}]]", `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`,
		`{"\ud800":1,"\ud801":2}`, `"\ud83d\ude00\ud83d"`, "\"\xff\xe2\x82\"", "\xef\xbb\xbf{}", "{\r\"a\":1\r}",
		`{"a":1 , "b":2}`, "[1,\n2]", "{} //", `{"__proto__":{"":null}}`, "\"\\u0000\u2028\"",
	} {
		add([]byte(text))
	}
}

// FuzzParse compares what is accepted, and what strings decode to, with two
// other parsers.
func FuzzParse(f *testing.F) {
	seeds(f, func(text []byte) { f.Add(text) })
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse(text)
		if errors.Is(err, ErrTooDeep) || errors.Is(err, ErrTooLarge) {
			if opened := bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{")); opened <= MaxDepth && len(text) <= MaxSize {
				t.Fatalf("%v: %d bytes with %d brackets", err, len(text), opened)
			}
			return // what other parsers say of these depends on their own limits
		}
		plain := bytes.TrimPrefix(text, bom)
		if want := jsontext.Value(plain).IsValid(jsontext.AllowInvalidUTF8(true)); (err == nil) != want {
			t.Fatalf("error %v, another parser accepts it: %v", err, want)
		}
		if err != nil {
			checkError(t, err, plain)
			return
		}
		for i := range d.nodes {
			checkScalar(t, Node{d, int32(i)})
		}
		if atMost(plain) < len(d.nodes) {
			t.Fatalf("%d values, expected at most %d", len(d.nodes), atMost(plain))
		}
	})
}

func checkError(t *testing.T, err error, text []byte) {
	var se *SyntaxError
	if !errors.As(err, &se) {
		t.Fatalf("error %v is no SyntaxError", err)
	}
	lines := 1 + bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r"))
	if se.Line < 1 || se.Line > lines || se.Column < 1 || se.Column > len(text)+1 {
		t.Fatalf("error at line %d, column %d of %q", se.Line, se.Column, text)
	}
}

func checkScalar(t *testing.T, n Node) {
	decoded := func(raw []byte) (s string) {
		if err := json.Unmarshal(raw, &s); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		return s
	}
	if n.at().keyEnd > 0 && n.Key() != decoded(n.key()) {
		t.Fatalf("name %q reads %q", n.key(), n.Key())
	}
	switch n.Kind() {
	case String:
		if n.Text() != decoded(n.Raw()) {
			t.Fatalf("string %q reads %q", n.Raw(), n.Text())
		}
	case Number, Bool, Null:
		if !json.Valid(n.Raw()) {
			t.Fatalf("%v is %q", n.Kind(), n.Raw())
		}
	}
}

// FuzzSet sets, deletes and inserts at any place of any document.
func FuzzSet(f *testing.F) {
	seeds(f, func(text []byte) {
		f.Add(text, uint16(1), []byte("false"))
		f.Add(text, uint16(3), []byte(`{"a":[1,{"b":"\ud800"}]}`))
	})
	f.Fuzz(func(t *testing.T, text []byte, at uint16, value []byte) {
		d, err := Parse(text)
		if err != nil {
			return // FuzzParse has these
		}
		n := Node{d, int32(at) % int32(len(d.nodes))}
		path := n.Path()
		if !Valid(value) {
			if after, err := d.Set(path, value); err == nil {
				t.Fatalf("set %q to %q, which is no value: %q", path.Pointer(), value, after.Text())
			}
			return
		}
		if d.Find(path) != n {
			t.Fatalf("%q leads elsewhere", path.Pointer())
		}
		start, end := int(n.at().start), n.end()
		after, err := d.Set(path, value)
		checkEdit(t, d, after, err, start, end)
		if err == nil && !Equal(after.Find(path), mustParse(t, string(value)).Root()) {
			t.Fatalf("set %q to %q: it is %q", path.Pointer(), value, after.Find(path).Raw())
		}
		if parent := n.parent(); parent.Exists() {
			after, err := d.Delete(path)
			checkEdit(t, d, after, err, int(parent.at().start)+1, parent.end()-1)
			if err == nil && after.Find(parent.Path()).Len() != parent.Len()-1 {
				t.Fatalf("deleted %q: %q", path.Pointer(), after.Text())
			}
		}
		if n.Kind() == Array {
			i := int(at) % (n.Len() + 1)
			after, err := d.Insert(path, i, value)
			checkEdit(t, d, after, err, start+1, end-1)
			if err == nil && !Equal(after.Find(path).Index(i), mustParse(t, string(value)).Root()) {
				t.Fatalf("inserted %q at %d: %q", value, i, after.Text())
			}
		}
		if n.Kind() == Object && !n.Get("new").Exists() {
			after, err := d.Set(append(path, "new", "x"), value)
			checkEdit(t, d, after, err, start+1, end-1)
			if err == nil && !Equal(after.Find(append(path, "new", "x")), mustParse(t, string(value)).Root()) {
				t.Fatalf("added %q: %q", value, after.Text())
			}
		}
	})
}

// checkEdit compares the bytes outside the span, which begins and ends at
// offsets of the old document, and reads the result with another parser.
func checkEdit(t *testing.T, before, after *Doc, err error, start, end int) {
	if errors.Is(err, ErrTooDeep) {
		return
	}
	if err != nil {
		t.Fatalf("editing %q: %v", before.Text(), err)
	}
	if !bytes.HasPrefix(after.Text(), before.Text()[:start]) || !bytes.HasSuffix(after.Text(), before.Text()[end:]) ||
		len(after.Text()) < len(before.Text())-(end-start) {
		t.Fatalf("more than bytes %d to %d changed:\n%q\n%q", start, end, before.Text(), after.Text())
	}
	if !jsontext.Value(after.Text()).IsValid(jsontext.AllowInvalidUTF8(true)) {
		t.Fatalf("another parser refuses %q", after.Text())
	}
}

// FuzzDiff compares Diff with Equal and both with an independent comparison.
func FuzzDiff(f *testing.F) {
	seeds(f, func(text []byte) {
		f.Add(text, text)
		f.Add(text, []byte(`{"b":{"c":1},"a":[1,2]}`))
	})
	f.Fuzz(func(t *testing.T, x, y []byte) {
		a, errA := Parse(x)
		b, errB := Parse(y)
		if errA != nil || errB != nil {
			return // FuzzParse has these
		}
		want := equivalent(read(t, x), read(t, y))
		if got := Equal(a.Root(), b.Root()); got != want {
			t.Fatalf("Equal = %v, want %v", got, want)
		}
		changes := Diff(a.Root(), b.Root())
		if (len(changes) == 0) != want {
			t.Fatalf("%d differences, equal: %v", len(changes), want)
		}
		for _, c := range changes {
			if c.Before.Exists() == c.After.Exists() && Equal(c.Before, c.After) {
				t.Fatalf("%q is no difference", c.Path.Pointer())
			}
		}
	})
}
