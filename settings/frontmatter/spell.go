package frontmatter

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// place is where a scalar stands: texts around it that make a whole line for
// both readers.
type place struct{ before, after string }

var (
	behindKey  = place{"k: ", ""}
	behindDash = place{"k:\n  - ", ""}
	// Neighbours show a quote in one item that would open quotes for the next.
	inBrackets = place{"k: [x, ", ", x]"}
)

// spellings returns the ways to write a scalar there, the best first: those
// that both readers read as the value, then those that only ZCode does. Each is
// the text as it stands, in double or in single quotes; there is no escape, since
// ZCode undoes none.
func (p place) spellings(v Value) []string {
	switch v.kind {
	case Bool:
		return []string{strconv.FormatBool(v.bool)}
	case Int:
		return []string{strconv.FormatInt(v.int, 10)}
	}
	text := v.stored()
	all := []string{text, `"` + text + `"`, `'` + text + `'`}
	if text != v.text { // YAML sees the newlines only in double quotes
		all[0], all[1] = all[1], all[0]
	}
	var both, readable, rest []string
	for _, s := range all {
		switch loose, yaml, ok := p.read(s, v); {
		case !loose || s == "" || p.unsure(s):
		case yaml:
			both = append(both, s)
		case ok:
			readable = append(readable, s)
		default:
			rest = append(rest, s)
		}
	}
	return slices.Concat(both, readable, rest)
}

// unsure tells the spellings about which YAML libraries disagree, the one that
// ZCode's app falls back to among them.
func (p place) unsure(s string) bool {
	if s[0] == '"' {
		return strings.Contains(s, `\'`)
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return true
	}
	return p == inBrackets && (s[0] == '-' || s[0] == '?' || s[len(s)-1] == ':')
}

// read reports whether ZCode reads a spelling as the value, whether YAML does,
// and whether YAML can read it at all.
func (p place) read(s string, v Value) (loose, yaml, ok bool) {
	block := p.before + s + p.after
	d, err := Parse([]byte(fence + "\n" + block + "\n" + fence + "\n"))
	if err != nil || len(d.entries) != 1 {
		return false, false, false
	}
	want := v
	switch p {
	case behindDash:
		want = Value{kind: List, items: []Value{v}}
	case inBrackets:
		want = Value{kind: List, items: []Value{TextOf("x"), v, TextOf("x")}}
	}
	loose = d.entries[0].Value.Equal(want)
	if ok = d.yaml.err == nil && len(d.yaml.fields) == 1; ok {
		yaml = want.reads(d.yaml.fields[0].value)
	}
	return loose, yaml, ok
}

// unfit tells why a value can be stored under no key, "" when it may be.
func (v Value) unfit() string {
	switch v.kind {
	case Bool:
		return ""
	case Int:
		if v.int < 0 || v.int > 1<<53 {
			return "ZCode reads no number below 0 or above 2^53: take another"
		}
		return ""
	case List:
		for _, item := range v.items {
			if item.kind != Text {
				return "a list may hold texts only"
			}
			if reason := item.unfit(); reason != "" {
				return reason
			}
		}
		return ""
	case Text:
		return unfitText(v)
	}
	return "only a text, true or false, a number or a list of texts can be stored"
}

func unfitText(v Value) string {
	switch {
	case !utf8.ValidString(v.text):
		return "the text is not UTF-8"
	case v.lines && strings.Contains(v.text, `\n`):
		return `the text holds a backslash before an n, which ZCode would read as a newline: write it in another way`
	case !v.lines && strings.Contains(v.text, "\n"):
		return "the text holds a newline, for which ZCode has no place here: write it on one line"
	case strings.ContainsFunc(v.stored(), isControl):
		return "the text holds a control character or an invisible line break: take it out"
	}
	return ""
}

// isControl tells the characters that end a line for one reader only, or that
// YAML refuses.
func isControl(r rune) bool {
	return unicode.IsControl(r) && r != '\t' || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == '\ufffe' || r == '\uffff'
}

// noSpelling is the reason when no spelling of a value will do.
func noSpelling(v Value) string {
	text := v.stored()
	for _, item := range v.items {
		text += item.stored()
	}
	if strings.Contains(text, `"`) && strings.Contains(text, "'") {
		return "ZCode undoes no escape, so a text with both double quotes and apostrophes cannot be written so that ZCode and YAML read it: leave one of them out"
	}
	if strings.ContainsAny(text, `"'\`) {
		return "no quotes fit around this text, since ZCode undoes no escape: leave out its quotes or the backslash before one"
	}
	return "there is no way to write this value here that ZCode and YAML read alike: change the line by hand"
}
