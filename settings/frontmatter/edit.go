package frontmatter

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// splice is one way to make an edit: the bytes between two offsets replaced.
type splice struct {
	from, to int
	with     string
}

// Set replaces the value of a key, or adds the key last in the block. A value
// that ZCode reads already leaves the document as it is. A list keeps its form:
// one item a line with the indentation it had, or in brackets; a new one stands
// one item a line, one in the place of a text in brackets. The comment behind a
// value stays where it can. The error wraps [ErrRefused].
func (d *Doc) Set(key string, v Value) (*Doc, error) {
	if reason := v.unfit(); reason != "" {
		return nil, &RefusedError{Key: key, Reason: reason}
	}
	e, err := d.only(key)
	if err != nil {
		return nil, err
	}
	if e != nil && e.Value.Equal(v) {
		return d, nil
	}
	if err := d.unsafe(key); err != nil {
		return nil, err
	}
	if e == nil {
		return d.choose(key, &v, d.additions(key, v))
	}
	s, err := d.reach(e)
	if err != nil {
		return nil, err
	}
	return d.choose(key, &v, d.replacements(e, s, v))
}

// Delete removes the lines of a key, with the comment behind its value; the
// comments above and below stay. A key that is not there leaves the document as
// it is. The error wraps [ErrRefused].
func (d *Doc) Delete(key string) (*Doc, error) {
	e, err := d.only(key)
	if err != nil {
		return nil, err
	}
	if e == nil {
		return d, nil
	}
	if err := d.unsafe(key); err != nil {
		return nil, err
	}
	s, err := d.reach(e)
	if err != nil {
		return nil, err
	}
	return d.choose(key, nil, []splice{{d.lines[e.line].start, d.lines[s.last].next, ""}})
}

// only returns the one entry of a key, nil when there is none.
func (d *Doc) only(key string) (*entry, error) {
	if name, _, _, ok := keyed(key + ":"); !ok || name != key {
		return nil, &RefusedError{key, 0, "ZCode reads a key only when it is a letter and then letters, digits, _ or -"}
	}
	found := d.find(key)
	if len(found) > 1 {
		return nil, &RefusedError{key, found[len(found)-1].Line,
			fmt.Sprintf("the key stands on line %d too, and ZCode reads the last one: take the other out", found[0].Line)}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	for _, f := range d.yaml.fields {
		if f.key.Value == key {
			return nil, &RefusedError{key, f.key.Line,
				"YAML reads this key here and ZCode does not: write it without quotes at the start of a line of its own"}
		}
	}
	return nil, nil
}

// unsafe tells why no edit of this block is safe.
func (d *Doc) unsafe(key string) error {
	for i, l := range d.lines {
		if strings.ContainsAny(string(d.text[l.start:l.end]), "\r\u0085\u2028\u2029") {
			return &RefusedError{key, i + 2, "the line holds an invisible line break that ZCode and YAML read differently: take it out"}
		}
	}
	return d.unsafeFence(key)
}

// unsafeFence tells why it is not sure where the block ends.
func (d *Doc) unsafeFence(key string) error {
	if len(d.text) == 0 {
		return &RefusedError{key, 0, "there is no front matter: write a --- line, the keys and another --- line"}
	}
	if r, _ := utf8.DecodeRune(d.text[d.close:]); isSpace(r) {
		return &RefusedError{key, len(d.lines) + 2, "the --- that ends the front matter is indented, so it may be a part of the " +
			"value above: move it to the start of the line, or change that value"}
	}
	return nil
}

// choose returns the first result that both readers read as asked, else the
// first that ZCode does and YAML can still read.
func (d *Doc) choose(key string, v *Value, ways []splice) (*Doc, error) {
	results := make([]*Doc, len(ways))
	for i, w := range ways {
		after, err := d.splice(w.from, w.to, w.with)
		if err != nil || !d.keeps(after, key, v) {
			continue
		}
		if v == nil || after.yamlReads(key, *v) {
			return after, nil
		}
		if after.canEditAgain(key) { // YAML may take an & or ! at the beginning for its own
			results[i] = after
		}
	}
	for _, after := range results {
		if after != nil {
			return after, nil
		}
	}
	refused := &RefusedError{Key: key, Reason: "the other keys would be read differently: change the lines by hand"}
	if v != nil {
		refused.Reason = noSpelling(*v)
	}
	if found := d.find(key); len(found) > 0 {
		refused.Line = found[0].Line
	}
	return nil, refused
}

// canEditAgain reports whether the value has a place for the next edit.
func (d *Doc) canEditAgain(key string) bool {
	e, err := d.only(key)
	if err != nil || e == nil {
		return false
	}
	_, err = d.reach(e)
	return err == nil
}

// additions are the ways to add a key last in the block.
func (d *Doc) additions(key string, v Value) []splice {
	eol := d.lineEnd(d.close)
	var ways []splice
	if block := blockList(v, eol); block != "" {
		ways = append(ways, splice{d.close, d.close, key + ":" + block + eol})
	}
	for _, text := range onLine(v) {
		ways = append(ways, splice{d.close, d.close, key + ": " + text + eol})
	}
	return ways
}

// replacements are the ways to put a value in the place of another, those that
// keep the comment behind it first.
func (d *Doc) replacements(e *entry, s span, v Value) []splice {
	if s.form == listed && v.kind == List && len(v.items) > 0 {
		return []splice{d.listChange(e, s, v)}
	}
	key, end := d.lines[e.line], d.lines[s.last].end
	from, lead, tail := e.from, "", string(d.text[e.to:key.end])
	if from == key.end || from == e.to || d.text[from] == '#' { // a # behind the colon is a comment for YAML
		from, lead, tail = e.colon, " ", string(d.text[e.colon:key.end])
	}
	commented := strings.Contains(tail, "#")
	if s.form != inline && !commented {
		tail = ""
	}
	var ways, last []splice
	for _, text := range onLine(v) {
		ways = append(ways, splice{from, end, lead + text + tail})
		if commented {
			last = append(last, splice{from, end, lead + text})
		}
	}
	if block := blockList(v, d.lineEnd(key.next)); block != "" && (s.form != inline || e.Value.kind == Null) {
		way := splice{e.colon, end, block}
		if !commented {
			return append([]splice{way}, ways...)
		}
		last = append(last, way)
	}
	return append(ways, last...)
}

// onLine are the ways to write a value behind a key.
func onLine(v Value) []string {
	if v.kind == List {
		return bracketed(v)
	}
	return behindKey.spellings(v)
}
