package frontmatter

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// entry is an Entry with its places in the text.
type entry struct {
	Entry
	line     int // index into Doc.lines
	colon    int // offset behind the colon
	from, to int // offsets of the value on the key's line, without a comment
	items    []item
}

// item is one `- value` line under a key.
type item struct {
	line int // index into Doc.lines
	from int // offset of the value
}

// scan reads the block by the rules of ZCode's line reader (subagentMarkdown.ts
// of the app and profile-frontmatter.ts of the CLI): a key begins a line; one
// with nothing behind it takes the `- value` lines that follow, at any
// indentation, until another line that is neither blank nor a comment; all other
// lines are passed over.
func (d *Doc) scan() {
	var list *entry // takes the items
	for i, l := range d.lines {
		s := trimEnd(string(d.text[l.start:l.end]))
		if t := trimStart(s); t == "" || t[0] == '#' {
			continue
		}
		if at, ok := dashed(s); ok && list != nil {
			v, _ := scalar(s[at:])
			list.Value.kind = List
			list.Value.items = append(list.Value.items, v)
			list.items = append(list.items, item{line: i, from: l.start + at})
			continue
		}
		list = nil
		name, colon, at, ok := keyed(s)
		if !ok {
			continue
		}
		e := entry{Entry: Entry{Key: name, Line: i + 2}, line: i, colon: l.start + colon, from: l.start + at}
		size := 0
		if at < len(s) {
			e.Value, size = scalar(s[at:])
		}
		e.to = e.from + size
		d.entries = append(d.entries, e)
		if at == len(s) {
			list = &d.entries[len(d.entries)-1]
		}
	}
}

// keyed takes a line apart: a letter and then letters, digits, _ and -, white
// space, a colon, white space, and the value, which begins at an offset.
func keyed(s string) (name string, colon, value int, ok bool) {
	size := strings.IndexFunc(s, func(r rune) bool { return !isKeyRune(r) })
	if size <= 0 || !isLetter(rune(s[0])) {
		return "", 0, 0, false
	}
	rest := trimStart(s[size:])
	if rest == "" || rest[0] != ':' {
		return "", 0, 0, false
	}
	text := trimStart(rest[1:])
	return s[:size], len(s) - len(rest) + 1, len(s) - len(text), oneLine(text)
}

// dashed returns the offset of the value behind a dash and white space.
func dashed(s string) (value int, ok bool) {
	rest, ok := strings.CutPrefix(trimStart(s), "-")
	text := trimStart(rest)
	return len(s) - len(text), ok && len(text) < len(rest) && oneLine(text)
}

func isLetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

func isKeyRune(r rune) bool { return isLetter(r) || '0' <= r && r <= '9' || r == '_' || r == '-' }

// scalar reads the value of a key or a list item; size is its length without
// the comment. Words, digits, brackets and braces mean something only without
// quotes.
func scalar(s string) (v Value, size int) {
	s = uncommented(s)
	switch {
	case s == "true" || s == "false":
		return BoolOf(s == "true"), len(s)
	case s != "" && strings.Trim(s, "0123456789") == "":
		return IntOf(number(s)), len(s)
	case len(s) > 1 && s[0] == '[' && s[len(s)-1] == ']':
		return ListOf(flowItems(s[1 : len(s)-1])...), len(s)
	case len(s) > 1 && s[0] == '{' && s[len(s)-1] == '}':
		if json.Valid([]byte(s)) {
			return Value{kind: JSON, text: s}, len(s)
		}
		return TextOf(s), len(s)
	}
	return TextOf(unquoted(s)), len(s)
}

// number reads digits as JavaScript does: as a float64.
func number(digits string) int64 {
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || f >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(f)
}

// uncommented cuts a comment off: a # behind white space, outside quotes. Any
// quote character opens quotes, an apostrophe within a word too, unless a
// backslash stands before it.
func uncommented(s string) string {
	var quote, last rune
	for i, r := range s {
		switch {
		case (r == '"' || r == '\'') && last != '\\':
			if quote == 0 {
				quote = r
			} else if quote == r {
				quote = 0
			}
		case r == '#' && quote == 0 && i > 0 && isSpace(last):
			return trimEnd(s[:i])
		}
		last = r
	}
	return s
}

// flowItems splits what stands between brackets at the commas that are outside
// quotes and parentheses. Empty items are left out, all others are texts.
func flowItems(s string) []string {
	items := []string{}
	add := func(part string) {
		if part = trim(part); part != "" {
			items = append(items, unquoted(uncommented(part)))
		}
	}
	var quote rune
	start, depth := 0, 0
	for i, r := range s {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == '(':
			depth++
		case r == ')':
			depth = max(0, depth-1)
		case r == ',' && depth == 0:
			add(s[start:i])
			start = i + 1
		}
	}
	add(s[start:])
	return items
}

// unquoted takes one pair of quotes off and leaves all escapes.
func unquoted(s string) string {
	if s == "" || (s[0] != '"' && s[0] != '\'') || s[len(s)-1] != s[0] {
		return s
	}
	return s[1:max(1, len(s)-1)]
}

// oneLine reports whether a JavaScript regular expression's dot goes through.
func oneLine(s string) bool { return !strings.ContainsAny(s, "\n\r\u2028\u2029") }

// isSpace is white space as JavaScript's trim and \s have it.
func isSpace(r rune) bool { return r != '\u0085' && unicode.IsSpace(r) || r == '\ufeff' }

func trim(s string) string      { return strings.TrimFunc(s, isSpace) }
func trimStart(s string) string { return strings.TrimLeftFunc(s, isSpace) }
func trimEnd(s string) string   { return strings.TrimRightFunc(s, isSpace) }
