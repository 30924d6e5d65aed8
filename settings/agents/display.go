package agents

import (
	"strings"

	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/redact"
)

// mostNested is how much of what YAML reads is shown of one file, in bytes about
// as JSON has them: aliases can multiply few lines to any size.
const mostNested = 64 << 10

// fewKeys is up to how many keys unknown ones are looked up in YAML, which takes
// the longer the more there are.
const fewKeys = 1000

// display types the values of one file the way ZCode does and masks the secrets
// in them.
type display struct {
	doc      *frontmatter.Doc
	left     int // of mostNested
	warnings []Warning
}

// members returns each key where it stands first, with the value that counts.
func (d *display) members() Members {
	entries := d.doc.Entries()
	m := make(Members, 0, len(entries))
	at := make(map[string]int, len(entries))
	for _, e := range entries {
		i, again := at[e.Key]
		if !again {
			i = len(m)
			m = append(m, Member{Key: e.Key})
			at[e.Key] = i
		}
		m[i].Value = d.value(e, len(entries) <= fewKeys)
	}
	return m
}

// value returns the value of a key; few asks YAML for what the line reader does
// not see.
func (d *display) value(e frontmatter.Entry, few bool) any {
	f, known := findField(e.Key)
	switch {
	case e.Key == "mcpServers":
		return d.servers(e)
	case !known:
		return d.unknown(e, few)
	case e.Key == "description" && e.Value.Kind() == frontmatter.Text:
		return maskText(e.Key, e.Value.Multiline())
	case f.list && e.Value.Kind() == frontmatter.Text:
		return maskList(e.Key, splitMasked(e.Key, e.Value.Text()))
	}
	return maskValue(e.Key, e.Value.Any())
}

// servers returns the MCP servers of an agent. The line reader takes nested lines
// for items of the list, so what YAML reads comes first; where it reads nothing,
// a list that has more than plain names is masked as a whole.
func (d *display) servers(e frontmatter.Entry) any {
	nested, ok := d.nested(e)
	switch {
	case ok:
		return maskValue(e.Key, nested)
	case plainNames(e.Value):
		return e.Value.Any()
	case e.Value.Kind() == frontmatter.Null && d.left >= 0:
		return nil
	}
	return redact.Mask
}

// unknown returns the value of a key that ZCode ignores. What only YAML could
// tell is masked as a whole where it is not asked or cannot.
func (d *display) unknown(e frontmatter.Entry, few bool) any {
	if e.Differs {
		if nested, ok := d.nestedOf(e, few); ok {
			return maskValue(e.Key, nested)
		}
		return redact.Mask
	}
	if strings.HasPrefix(e.Value.Text(), "{") || strings.HasPrefix(e.Value.Text(), "[") {
		return redact.Mask // its names, which would tell what is secret, are not known
	}
	return maskValue(e.Key, e.Value.Any())
}

func (d *display) nestedOf(e frontmatter.Entry, few bool) (any, bool) {
	if !few {
		return nil, false
	}
	return d.nested(e)
}

// nested returns what YAML reads of a key, as long as the file has not shown too
// much of that already; then a warning tells it.
func (d *display) nested(e frontmatter.Entry) (any, bool) {
	if value, ok := d.doc.NestedWithin(e.Key, &d.left); ok || d.left >= 0 {
		return value, ok
	}
	if len(d.warnings) < mostAlike {
		d.warnings = append(d.warnings, Warning{e.Line, e.Key,
			"is not shown, since the values that only YAML reads are too large together: make them shorter, or take the aliases (*name) out"})
	}
	return nil, false
}

// splitMasked splits a list that is written as a text. The text is masked as a
// whole before: an item may not tell what it is without the one before it.
func splitMasked(key, text string) []any {
	list := []any{}
	for _, item := range splitList(maskText(key, text)) {
		list = append(list, item)
	}
	return list
}

// splitList reads a list that is written as a text, like "Read, Bash(a, b)".
func splitList(text string) []string {
	list, depth := []string{}, 0
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return r == ',' && depth <= 0
	}) {
		if part = trim(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}
