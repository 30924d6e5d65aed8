package frontmatter

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// outside returns what stands before and behind a key's part, the whole block
// before and the rest when the key is new.
func (doc document) outside(key string) (before, after string) {
	before = "---" + doc.eol
	for i, p := range doc.parts {
		if p.key == key {
			for _, q := range doc.parts[i+1:] {
				after += q.text
			}
			return before, after + doc.text[strings.Index(doc.text, doc.block)+len(doc.block):]
		}
		before += p.text
	}
	return before, doc.text[len(before):]
}

// part returns a key's part, with a place for a key that is not there.
func (doc document) part(key string) part {
	for _, p := range doc.parts {
		if p.key == key {
			return p
		}
	}
	return part{fits: true}
}

// TestEditsTouchOnlyTheirKey: an edit leaves every byte outside the key's lines,
// ZCode and YAML read all other keys as before, and a value that was stored
// reads back.
func TestEditsTouchOnlyTheirKey(t *testing.T) {
	refusals := 0
	rapid.Check(t, func(t *rapid.T) {
		doc := drawDocument(t)
		key, v := rapid.SampledFrom(keyNames).Draw(t, "key"), drawValue(t)
		d := mustParse(t, doc.text)
		edited, err := d.Set(key, v)
		if err != nil {
			refusals++
			checkRefused(t, err, key)
			if !doc.part(key).fits || v.unfit() != "" || mayLackSpelling(v) {
				return
			}
			t.Fatalf("%v in %q", err, doc.text)
		}
		checkOutside(t, doc, key, edited)
		if got, ok := edited.Value(key); !ok || !got.Equal(v) {
			t.Fatalf("set %v, reads %v in %q", v.Any(), got.Any(), edited.Text())
		}
		if string(d.Text()) != doc.text {
			t.Fatal("the edit changed the document that it was made from")
		}
		size := len(edited.Text())
		for range 10 {
			again, err := edited.Set(key, v)
			if err != nil || again != edited || len(again.Text()) != size {
				t.Fatalf("setting the same again: %v, %q", err, again.Text())
			}
		}
	})
	if refusals == 0 {
		t.Error("no edit was refused: the values are too tame")
	}
}

// mayLackSpelling tells the texts that may have no spelling at all: those with
// quotes of both kinds, or with a backslash and quotes.
func mayLackSpelling(v Value) bool {
	for _, s := range append(v.List(), v.Text()) {
		if strings.ContainsAny(s, `"'`) && strings.ContainsAny(s, `'\`) {
			return true
		}
	}
	return false
}

func checkRefused(t *rapid.T, err error, key string) {
	var refused *RefusedError
	if !errors.As(err, &refused) || !errors.Is(err, ErrRefused) || refused.Key != key || refused.Reason == "" {
		t.Fatalf("error %v is no refusal of %q", err, key)
	}
}

func checkOutside(t *rapid.T, doc document, key string, edited *Doc) {
	before, after := doc.outside(key)
	text := string(edited.Text())
	if !strings.HasPrefix(text, before) || !strings.HasSuffix(text, after) || len(text) < len(before)+len(after) {
		t.Fatalf("more than %q changed:\n%q\n%q", key, doc.text, text)
	}
	want, got := readings(t, doc.block), readings(t, strings.TrimPrefix(text[:edited.close], "---"+doc.eol))
	delete(want, key)
	delete(got, key)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("YAML reads other keys differently in %q (-before +after):\n%s", text, diff)
	}
	old := mustParse(t, doc.text)
	for _, e := range old.Entries() {
		if v, ok := edited.Value(e.Key); e.Key != key && (!ok || !v.Equal(e.Value)) {
			t.Fatalf("%q reads %v, was %v, in %q", e.Key, v.Any(), e.Value.Any(), text)
		}
	}
	if !bytes.Equal(old.Body(), edited.Body()) {
		t.Fatalf("the body is %q, was %q", edited.Body(), old.Body())
	}
}

// readings reads a block with the YAML library alone.
func readings(t fataler, block string) map[string]any {
	m := map[string]any{}
	if err := yaml.Unmarshal([]byte(block), &m); err != nil {
		t.Fatalf("YAML cannot read %q: %v", block, err)
	}
	return m
}

// TestBothReadersAgree: what was stored, YAML reads too, apart from texts for
// which no quotes fit.
func TestBothReadersAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := drawDocument(t)
		key, v := rapid.SampledFrom(keyNames).Draw(t, "key"), drawValue(t)
		edited, err := mustParse(t, doc.text).Set(key, v)
		if err != nil || mayLackSpelling(v) {
			return
		}
		var want any = v.Any()
		got := readings(t, string(edited.Text()[3+len(doc.eol):edited.close]))[key]
		if v.Kind() == Text && got == strings.ReplaceAll(v.Text(), "\n", `\n`) {
			return
		}
		if n, ok := v.Int(); ok {
			want = int(n)
		}
		if old, _ := mustParse(t, doc.text).Value(key); old.Equal(v) {
			return // nothing was written
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("YAML reads another value in %q (-want +got):\n%s", edited.Text(), diff)
		}
	})
}

// TestDelete: only the key's lines go, and a key that was added goes without a
// trace.
func TestDeleteTouchesOnlyItsKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := drawDocument(t)
		key := rapid.SampledFrom(keyNames).Draw(t, "key")
		d := mustParse(t, doc.text)
		edited, err := d.Delete(key)
		if !doc.part(key).fits {
			checkRefused(t, err, key)
			return
		}
		if err != nil {
			t.Fatalf("%v in %q", err, doc.text)
		}
		if _, ok := edited.Value(key); ok {
			t.Fatalf("%q is still there in %q", key, edited.Text())
		}
		checkOutside(t, doc, key, edited)
		if before, after := doc.outside(key); doc.part(key).key != "" && string(edited.Text()) != before+after {
			t.Fatalf("%q is left of %q", edited.Text(), doc.text)
		}
		added, err := edited.Set(key, drawValue(t))
		if err != nil {
			return
		}
		again, err := added.Delete(key)
		if err != nil {
			t.Fatalf("deleting what was added: %v in %q", err, added.Text())
		}
		if !bytes.Equal(again.Text(), edited.Text()) {
			t.Fatalf("added and deleted:\n%q\n%q", edited.Text(), again.Text())
		}
	})
}

// TestSetBodyKeepsTheBlock: the block and the blank lines behind it stay, the
// new text ends with one line end of the file, and ZCode reads it as given.
func TestSetBodyKeepsTheBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := drawDocument(t)
		body := rapid.SampledFrom(append(bodies, "a\r\nb", "a\n\n\nb", "x  ", "\u00a0", "é")).Draw(t, "new body")
		d := mustParse(t, doc.text)
		edited, err := d.SetBody([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(edited.Text(), d.Text()[:d.body]) {
			t.Fatalf("the block changed:\n%q\n%q", d.Text(), edited.Text())
		}
		norm := func(s string) string { return trim(strings.ReplaceAll(s, "\r\n", "\n")) }
		if got, want := norm(string(edited.Body())), norm(body); got != want {
			t.Fatalf("the prompt reads %q, want %q", got, want)
		}
		if edited != d && norm(body) != "" && (!strings.HasSuffix(string(edited.Text()), doc.eol) ||
			strings.HasSuffix(string(edited.Text()), doc.eol+doc.eol)) {
			t.Fatalf("%q does not end with one %q", edited.Text(), doc.eol)
		}
		again, err := edited.SetBody([]byte(body))
		if err != nil || again != edited {
			t.Fatalf("setting the same again: %v", err)
		}
	})
}
