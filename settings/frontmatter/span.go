package frontmatter

import "go.yaml.in/yaml/v3"

// form is how a value stands in the file.
type form uint8

const (
	inline form = iota // on the key's line
	listed             // one `- item` a line, which ZCode and YAML read alike
	nested             // a block scalar, or a block that only YAML reads
)

// span tells where a value ends: at the end of the line with that index.
type span struct {
	form form
	last int
}

// mostTrailing bounds the blank and comment lines behind a value that are tried
// for being a part of it.
const mostTrailing = 100

// reach finds the span of an entry, or why it cannot be told.
func (d *Doc) reach(e *entry) (span, error) {
	if !d.yaml.parsed {
		return d.looseReach(e)
	}
	f, i, ok := d.yaml.at(e.Key, e.Line)
	if !ok {
		return span{}, e.refuse("YAML does not see a key here: write `key: value` on a line of its own, and check the lines above")
	}
	if marked(f.value) {
		return span{}, e.refuse("the value has a YAML anchor, alias or tag, which only an editor can keep right: change it by hand")
	}
	end := len(d.lines)
	if i+1 < len(d.yaml.fields) {
		end = d.yaml.fields[i+1].key.Line - 2
	}
	last, ok := d.lastLine(e, f, end)
	switch {
	case !ok:
		return span{}, e.refuse("where the value ends cannot be told: put it on one line")
	case last == e.line:
		return span{inline, last}, nil
	case f.value.Kind == yaml.ScalarNode && f.value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0,
		f.value.Kind != yaml.ScalarNode && f.value.Style&yaml.FlowStyle != 0:
		return span{}, e.refuse("the value goes on over several lines, of which ZCode reads only the first: put it on one line")
	case f.value.Kind == yaml.SequenceNode && e.Value.kind == List && e.Value.reads(f.value):
		return span{listed, last}, nil
	}
	return span{nested, last}, nil
}

// lastLine finds the shortest run of lines from the key's that YAML reads as
// the value. Blank lines and comments behind it belong to it only where the
// value is another without them, as in a block scalar.
func (d *Doc) lastLine(e *entry, f field, end int) (last int, ok bool) {
	last = e.line
	for i := e.line + 1; i < end; i++ {
		if !d.isQuiet(i) {
			last = i
		}
	}
	for tries := 0; last < end && tries < mostTrailing; tries++ {
		alone := readBlock(d.text[d.lines[e.line].start:d.lines[last].next])
		if alone.err == nil && len(alone.fields) == 1 && same(alone.fields[0].value, f.value) {
			return last, true
		}
		last++
	}
	return 0, false
}

// isQuiet reports whether a line is blank or a comment, where it is not within
// a value of several lines.
func (d *Doc) isQuiet(i int) bool {
	t := trimStart(string(d.text[d.lines[i].start:d.lines[i].end]))
	return t == "" || t[0] == '#'
}

// looseReach is for a block that YAML cannot read: only a key that stands on one
// line for ZCode, with nothing below it that could belong to it, has a place.
func (d *Doc) looseReach(e *entry) (span, error) {
	const mend = "YAML cannot read this block, so where the value ends is not sure: mend the block first"
	for i := e.line + 1; i < len(d.lines); i++ {
		l := d.lines[i]
		text := string(d.text[l.start:l.end])
		if _, _, _, key := keyed(trimEnd(text)); key {
			break
		}
		if trim(text) != "" && text[0] != '#' {
			return span{}, e.refuse(mend)
		}
	}
	return span{inline, e.line}, nil
}

func (e *entry) refuse(reason string) error { return &RefusedError{e.Key, e.Line, reason} }
