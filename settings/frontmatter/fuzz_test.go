package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func seeds(f *testing.F, add func(text string)) {
	for _, pattern := range []string{"*.m*", "nested/*.md"} {
		files, err := filepath.Glob(filepath.Join("testdata", "cases", filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			f.Fatalf("no case files: %v", err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			add(string(text))
		}
	}
	for _, p := range keyParts {
		add(fenced("a: 1\n" + strings.NewReplacer("KEY", "tools", "{}", "\n").Replace(p.text) + "b: 2\n"))
	}
	add("\ufeff---\r\n---")
	add("---\n\u2028a: 1\r\n\x00---\u0085\n---\n")
}

// FuzzParse: every text is read or refused, and what is read adds up.
func FuzzParse(f *testing.F) {
	seeds(f, func(text string) { f.Add([]byte(text)) })
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse(text)
		if err != nil {
			if d != nil {
				t.Fatal("a document beside an error")
			}
			return
		}
		if plain, found := bytes.CutPrefix(text, bom); found != d.BOM() || !bytes.Equal(plain, d.Text()) || !bytes.HasSuffix(plain, d.Body()) {
			t.Fatalf("%q reads as %q with body %q", text, d.Text(), d.Body())
		}
		line := 1
		for _, e := range d.Entries() {
			if e.Line <= line || e.Line > 1+bytes.Count(text, []byte("\n")) {
				t.Fatalf("%q is on line %d of %q", e.Key, e.Line, text)
			}
			line = e.Line
			if _, err := json.Marshal(e.Value.Any()); err != nil {
				t.Fatal(err)
			}
			if value, ok := d.Nested(e.Key); ok {
				if _, err := json.Marshal(value); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := d.Unreadable(); err != nil && err.Error() == "" {
			t.Fatal("no reason")
		}
	})
}

// FuzzSet: an edit of any text is refused, or the key has its value and nothing
// else is another.
func FuzzSet(f *testing.F) {
	seeds(f, func(text string) {
		f.Add([]byte(text), "tools", "a: 'b'", uint8(0))
		f.Add([]byte(text), "description", "a\nb # c", uint8(1))
		f.Add([]byte(text), "model", "*, x", uint8(2))
	})
	f.Fuzz(func(t *testing.T, text []byte, key, value string, kind uint8) {
		d, err := Parse(text)
		if err != nil {
			return // FuzzParse has these
		}
		v := TextOf(value)
		switch kind % 4 {
		case 1:
			v = Multiline(value)
		case 2:
			v = ListOf(strings.Split(value, ",")...)
		case 3:
			v = IntOf(int64(len(value)))
		}
		edited, err := d.Set(key, v)
		checkFuzzed(t, d, edited, err, key)
		if err == nil {
			if got, ok := edited.Value(key); !ok || !got.Equal(v) {
				t.Fatalf("set %q to %v: it is %v in %q", key, v.Any(), got.Any(), edited.Text())
			}
			again, err := edited.Set(key, v)
			if err != nil || again != edited {
				t.Fatalf("setting the same again: %v in %q", err, edited.Text())
			}
		}
		edited, err = d.Delete(key)
		checkFuzzed(t, d, edited, err, key)
		if err == nil {
			if _, ok := edited.Value(key); ok {
				t.Fatalf("%q is still there in %q", key, edited.Text())
			}
		}
	})
}

func checkFuzzed(t *testing.T, d, edited *Doc, err error, key string) {
	if err != nil {
		if edited != nil || !errors.Is(err, ErrRefused) {
			t.Fatalf("%v beside %v", edited, err)
		}
		return
	}
	if !bytes.Equal(d.Body(), edited.Body()) {
		t.Fatalf("the body of %q changed in %q", d.Text(), edited.Text())
	}
	if d.Unreadable() == nil && edited.Unreadable() != nil {
		t.Fatalf("YAML cannot read %q any more: %v", edited.Text(), edited.Unreadable())
	}
	rest := func(d *Doc) []Entry {
		return slices.DeleteFunc(d.Entries(), func(e Entry) bool { return e.Key == key })
	}
	same := func(a, b Entry) bool { return a.Key == b.Key && a.Value.Equal(b.Value) }
	if !slices.EqualFunc(rest(d), rest(edited), same) {
		t.Fatalf("ZCode reads other keys differently:\n%q\n%q", d.Text(), edited.Text())
	}
}
