package jsonedit

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Path names a value by member names and decimal array indexes from the root.
type Path []string

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// Pointer returns the path as a JSON pointer (RFC 6901).
func (p Path) Pointer() string {
	var b strings.Builder
	for _, step := range p {
		b.WriteByte('/')
		b.WriteString(pointerEscapes.Replace(step))
	}
	return b.String()
}

// Path returns the names and indexes that lead to the value.
func (n Node) Path() Path {
	var path Path
	for ; n.Exists() && n.at().parent >= 0; n = n.parent() {
		path = append(path, n.step())
	}
	slices.Reverse(path)
	return slices.Clip(path)
}

// step names the value inside its container.
func (n Node) step() string {
	if n.at().keyEnd > 0 {
		return n.Key()
	}
	i := 0
	for c := range n.parent().Children() {
		if c.i == n.i {
			break
		}
		i++
	}
	return strconv.Itoa(i)
}

// index reads a decimal array index without sign or leading zero.
func index(step string) (int, bool) {
	i, err := strconv.Atoi(step)
	if err != nil || i < 0 || strconv.Itoa(i) != step {
		return 0, false
	}
	return i, true
}

// Position returns the line and column, counted from 1 in characters, of the
// member name, or of the value where it has none.
func (n Node) Position() (line, column int) { return new(Positions).Of(n) }

// Positions finds the positions of many values; while they come in document
// order the text is read only once. The zero Positions is ready.
type Positions struct {
	doc  *Doc
	mark mark
}

// Of returns what [Node.Position] returns.
func (p *Positions) Of(n Node) (line, column int) {
	if !n.Exists() {
		return 0, 0
	}
	off := n.begin()
	if p.doc != n.doc || off < p.mark.off {
		*p = Positions{doc: n.doc}
	}
	p.mark.advance(n.doc.text, off)
	return p.mark.line + 1, p.mark.column + 1
}

// mark is a place in a text; line and column count from 0.
type mark struct{ off, line, column int }

func (m *mark) advance(text []byte, off int) {
	part := text[m.off:off]
	m.off = off
	if i := bytes.LastIndexAny(part, "\r\n"); i >= 0 {
		m.line += bytes.Count(part, []byte("\n")) + bytes.Count(part, []byte("\r")) - bytes.Count(part, []byte("\r\n"))
		m.column = 0
		part = part[i+1:]
	}
	m.column += utf8.RuneCount(part)
}
