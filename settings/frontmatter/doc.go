// Package frontmatter changes the front matter of markdown without touching a
// byte that it was not asked to change.
//
// A text is parsed once into positions ([Parse]); an edit ([Doc.Set],
// [Doc.Delete], [Doc.SetBody]) returns a new document in which only the span of
// the edited value differs: comments, blank lines, line ends, quotes, block
// scalars, nested maps, unknown keys and a `---` in the body stay as they are. A
// new key goes last in the block.
//
// What a key's value is, ZCode's own reader says. It takes the block line by
// line and knows no YAML: it strips quotes and undoes no escape, and it does not
// see block scalars, nested maps or values of several lines. YAML, which other
// tools read, says where a value ends. An edit is written in the plainest
// spelling that both read as the given value, never with an escape, so nothing
// multiplies however often it is written. Every result is parsed again before it
// is returned: the key has its value, all others have theirs, and YAML reads
// what it read before. What cannot be had so is refused ([RefusedError]).
package frontmatter

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

var bom = []byte("\ufeff")

// Doc is a parsed text. It is immutable: edits return a new one.
type Doc struct {
	text    []byte // without byte order mark
	bom     bool
	lines   []line // of the block, without its fences
	close   int    // where the closing fence line begins
	body    int    // where the body begins
	entries []entry
	yaml    yamlBlock
}

// Entry is one key of the block.
type Entry struct {
	Key   string
	Line  int   // in the file, from 1
	Value Value // as ZCode reads it
	// Differs tells that YAML reads another value: ZCode takes a block scalar
	// for the text "|", the escapes of a double-quoted text for its letters, and
	// a nested map for nothing. It is false where YAML cannot read the block.
	Differs bool
}

// Parse reads a text that begins with front matter. A byte order mark before it
// is accepted and left out, as ZCode does with agents. The error wraps
// [ErrMissing] when there is no front matter; a block that YAML cannot read is
// no error ([Doc.Unreadable]).
func Parse(text []byte) (*Doc, error) {
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("reading front matter: line %d is not UTF-8: save the file as UTF-8", notUTF8(text))
	}
	d := &Doc{}
	d.text, d.bom = bytes.CutPrefix(text, bom)
	if err := d.split(); err != nil {
		return nil, fmt.Errorf("reading front matter: %w", err)
	}
	d.scan()
	d.compare()
	return d, nil
}

// notUTF8 returns the line of the first byte that is not UTF-8.
func notUTF8(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return 1 + bytes.Count(text[:i], []byte("\n"))
		}
		i += size
	}
	return 0
}

// New returns a document with an empty block and a body in ZCode's layout: a
// blank line behind the block, and one final newline. A body that is not UTF-8
// has its broken bytes replaced.
func New(body []byte) *Doc {
	text := append([]byte("---\n---\n\n"), oneNewline(bytes.ToValidUTF8(body, []byte("\ufffd")), "\n")...)
	d, err := Parse(text)
	if err != nil { // it is UTF-8 and begins with both fences
		panic(err)
	}
	return d
}

// Text returns the document without a byte order mark. It must not be changed.
func (d *Doc) Text() []byte { return d.text }

// BOM reports whether the parsed text began with a byte order mark.
func (d *Doc) BOM() bool { return d.bom }

// Body returns what stands behind the closing `---` line. It must not be
// changed. ZCode reads it as the prompt, without the white space around it.
func (d *Doc) Body() []byte { return d.text[d.body:] }

// Entries returns every key of the block as ZCode reads it, in file order;
// keys that stand twice are there twice.
func (d *Doc) Entries() []Entry {
	list := make([]Entry, len(d.entries))
	for i := range d.entries {
		list[i] = d.entries[i].Entry
	}
	return list
}

// Value returns what ZCode reads of a key: the last where it stands twice.
func (d *Doc) Value(key string) (v Value, ok bool) {
	found := d.find(key)
	if len(found) == 0 {
		return Value{}, false
	}
	return found[len(found)-1].Value, true
}

// Duplicates returns the entries whose key stands on an earlier line too.
func (d *Doc) Duplicates() []Entry {
	var later []Entry
	seen := make(map[string]bool, len(d.entries))
	for _, e := range d.entries {
		if seen[e.Key] {
			later = append(later, e.Entry)
		}
		seen[e.Key] = true
	}
	return later
}

// Nested returns what YAML reads of a key, in the types that encoding/json
// decodes to, with int64 and uint64 for whole numbers. ok is false when YAML
// cannot read the block or has no such key, and for what has no JSON form.
func (d *Doc) Nested(key string) (value any, ok bool) {
	f, ok := d.field(key)
	if !ok {
		return nil, false
	}
	return plainValue(f.value)
}

// find returns the entries of a key.
func (d *Doc) find(key string) []*entry {
	var found []*entry
	for i := range d.entries {
		if d.entries[i].Key == key {
			found = append(found, &d.entries[i])
		}
	}
	return found
}

// splice returns the document with the bytes from start to end replaced.
func (d *Doc) splice(start, end int, with string) (*Doc, error) {
	text := make([]byte, 0, len(d.text)-(end-start)+len(with))
	text = append(append(append(text, d.text[:start]...), with...), d.text[end:]...)
	return Parse(text)
}
