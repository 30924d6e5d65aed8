package frontmatter

import (
	"encoding/json"
	"slices"
	"strings"
)

// Kind is the kind of a value as ZCode's loose line reader tells it.
type Kind uint8

// The kinds of values. The zero Kind is Null.
const (
	Null Kind = iota // nothing behind the key: the desktop reads an empty list, the CLI no value
	Text
	Bool
	Int
	List
	JSON // a value in braces that is valid JSON
)

// String names the kind as sentences do.
func (k Kind) String() string {
	switch k {
	case Text:
		return "a text"
	case Bool:
		return "true or false"
	case Int:
		return "a number"
	case List:
		return "a list"
	case JSON:
		return "an object"
	}
	return "nothing"
}

// Value is one value of a block, or one for an edit to store. The zero Value is
// Null.
type Value struct {
	kind  Kind
	text  string // of Text: as the file holds it between quotes; of JSON: the JSON
	lines bool   // Text that was made by Multiline
	bool  bool
	int   int64
	items []Value
}

// TextOf returns a text of one line. [Doc.Set] refuses one with a newline.
func TextOf(s string) Value { return Value{kind: Text, text: s} }

// Multiline returns a text for a key in which ZCode reads a literal `\n` as a
// newline: that is description and no other. Its newlines are written so; where
// no quotes fit that make YAML see a newline too, YAML reads a backslash and an
// n. [Doc.Set] refuses a text that holds a literal `\n` of its own, which could
// not be told apart.
func Multiline(s string) Value { return Value{kind: Text, text: s, lines: true} }

// BoolOf returns true or false.
func BoolOf(b bool) Value { return Value{kind: Bool, bool: b} }

// IntOf returns a number. [Doc.Set] refuses what ZCode reads as no number or as
// another: less than 0 and more than 2^53.
func IntOf(n int64) Value { return Value{kind: Int, int: n} }

// ListOf returns a list of texts.
func ListOf(items ...string) Value {
	v := Value{kind: List, items: make([]Value, len(items))}
	for i, s := range items {
		v.items[i] = TextOf(s)
	}
	return v
}

// Kind returns the kind of the value.
func (v Value) Kind() Kind { return v.kind }

// Text returns a text without its quotes, with every escape as it stands: ZCode
// undoes none. It is "" for other kinds.
func (v Value) Text() string {
	if v.kind != Text {
		return ""
	}
	return v.text
}

// Multiline returns [Value.Text] with each literal `\n` turned into a newline,
// as ZCode does for description and no other key.
func (v Value) Multiline() string {
	if v.lines {
		return v.text
	}
	return strings.ReplaceAll(v.Text(), `\n`, "\n")
}

// Bool returns true or false; ok is false for other kinds.
func (v Value) Bool() (b, ok bool) { return v.bool, v.kind == Bool }

// Int returns a number; ok is false for other kinds. Above 2^53 it is as inexact
// as in ZCode.
func (v Value) Int() (n int64, ok bool) { return v.int, v.kind == Int }

// List returns the texts of a list. Items of other kinds are left out, as
// ZCode's own readers of lists do.
func (v Value) List() []string {
	var texts []string
	for _, item := range v.items {
		if item.kind == Text {
			texts = append(texts, item.text)
		}
	}
	return texts
}

// Any returns the value as encoding/json encodes it: a string, bool, int64,
// []any, [json.RawMessage], or nil.
func (v Value) Any() any {
	switch v.kind {
	case Text:
		return v.text
	case Bool:
		return v.bool
	case Int:
		return v.int
	case List:
		list := make([]any, len(v.items))
		for i, item := range v.items {
			list[i] = item.Any()
		}
		return list
	case JSON:
		return json.RawMessage(v.text)
	}
	return nil
}

// Equal reports whether ZCode takes both for the same value.
func (v Value) Equal(w Value) bool {
	return v.kind == w.kind && v.stored() == w.stored() && v.bool == w.bool && v.int == w.int &&
		slices.EqualFunc(v.items, w.items, Value.Equal)
}

// stored is the text as the file holds it between quotes.
func (v Value) stored() string {
	if v.lines {
		return strings.ReplaceAll(v.text, "\n", `\n`)
	}
	return v.text
}
