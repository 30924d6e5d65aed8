package jsonedit

import (
	"bytes"
	"strings"
)

// style is how one container separates what stands in it.
type style struct {
	lines     bool   // members or elements stand on lines of their own
	newline   string // the line end
	unit      string // one level of indentation, when lines
	indent    string // indentation of the members, when lines
	separator string // from one member to the next, with its comma
	colon     string // from a name to its value
	pad       string // inside the brackets of an object, when not lines
	arrayPad  string // inside the brackets of an array, when not lines
}

// ownStyle reads the style off the members; ok is false without any.
func (d *Doc) ownStyle(container Node) (s style, ok bool) {
	first := container.firstChild()
	if !first.Exists() {
		return style{}, false
	}
	before, last := Node{}, first
	for c := range container.Children() {
		before, last = last, c
	}
	s.colon = d.colonOf(container, last)
	if last == first {
		s.separator = d.soleSeparator(first, s.colon)
	} else {
		s.separator = string(d.text[before.end():last.begin()])
	}
	if s.colon == "" {
		s.colon = ": "
		if s.separator == "," {
			s.colon = ":"
		}
	}
	if s.newline = lineEnd(s.separator); s.newline != "" {
		s.lines = true
		s.indent = d.lineIndent(last.begin())
		s.unit = d.unitOf(s.indent, d.lineIndent(int(container.at().start)))
		return s, true
	}
	s.newline = d.newline()
	s.pad = d.padOf(container)
	if container.Kind() == Array {
		s.arrayPad = s.pad
		s.pad = d.padOf(memberNear(container).parent())
	}
	return s, true
}

// soleSeparator returns what would stand between a sole member and a second one:
// who spaces brackets or colons spaces commas.
func (d *Doc) soleSeparator(first Node, colon string) string {
	open := string(d.text[first.parent().at().start+1 : first.begin()])
	switch {
	case lineEnd(open) != "":
		return "," + lineEnd(open) + d.lineIndent(first.begin())
	case open != "" || len(colon) > len(":"):
		return ", "
	default:
		return ","
	}
}

// padOf returns the space behind an opening bracket, none where a line ends.
func (d *Doc) padOf(container Node) string {
	first := container.firstChild()
	if !first.Exists() {
		return ""
	}
	pad := string(d.text[container.at().start+1 : first.begin()])
	if lineEnd(pad) != "" {
		return ""
	}
	return pad
}

// outerStyle returns the style of the nearest enclosing object, or of an array
// with one element a line where that is nearer, or of the nearest array; the
// root gets that of JSON.stringify(value, null, 2).
func (d *Doc) outerStyle(n Node) style {
	var inline *style
	for n = n.parent(); n.Exists(); n = n.parent() {
		s, _ := d.ownStyle(n)
		if n.Kind() == Object || s.lines {
			return s
		}
		if inline == nil {
			inline = &s
		}
	}
	if inline != nil {
		return *inline
	}
	return style{lines: true, newline: d.newline(), unit: "  ", colon: ": "}
}

// colonOf returns what stands between names and values: of the last member, for
// an array of the nearest object inside or around it, "" without one.
func (d *Doc) colonOf(container, last Node) string {
	member := last
	if container.Kind() == Array {
		member = memberNear(container)
	}
	if !member.Exists() {
		return ""
	}
	colon := string(d.text[member.at().keyEnd:member.at().start])
	if lineEnd(colon) != "" {
		return ": "
	}
	return colon
}

// memberNear returns a member of the nearest object inside or around an array.
func memberNear(array Node) Node {
	for c := range array.Children() {
		if m := c.firstChild(); c.Kind() == Object && m.Exists() {
			return m
		}
	}
	for n := array; n.Exists(); n = n.parent() {
		if n.at().keyEnd > 0 {
			return n
		}
	}
	return Node{}
}

// unitOf is what the indentation of members adds to that of their container.
func (d *Doc) unitOf(members, container string) string {
	if u, ok := strings.CutPrefix(members, container); ok && u != "" {
		return u
	}
	for c := range d.Root().Children() {
		if u := d.lineIndent(c.begin()); u != "" {
			return u
		}
	}
	return "  "
}

// lineIndent returns the white space that the line of an offset begins with.
func (d *Doc) lineIndent(off int) string {
	line := d.text[:off]
	line = line[bytes.LastIndexAny(line, "\r\n")+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// newline returns the first line end of the document.
func (d *Doc) newline() string {
	if i := bytes.IndexAny(d.text, "\r\n"); i >= 0 {
		return lineEnd(string(d.text[i:min(i+2, len(d.text))]))
	}
	return "\n"
}

// lineEnd returns the first line end in s: "\n", "\r\n", "\r" or none.
func lineEnd(s string) string {
	i := strings.IndexAny(s, "\r\n")
	switch {
	case i < 0:
		return ""
	case strings.HasPrefix(s[i:], "\r\n"):
		return "\r\n"
	default:
		return s[i : i+1]
	}
}
