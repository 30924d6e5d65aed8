package jsonedit

import (
	"bytes"
	"errors"
	"fmt"
)

// What makes a text unusable; every error of [Parse] is a [*SyntaxError] that
// wraps one of them.
var (
	ErrSyntax    = errors.New("not valid JSON")
	ErrEmpty     = errors.New("the file is empty")
	ErrDuplicate = errors.New("duplicate name")
	ErrTooDeep   = errors.New("nested too deeply")
	ErrTooLarge  = errors.New("too large")
)

// SyntaxError tells where a text stops being a document that can be edited.
type SyntaxError struct {
	Line, Column int    // from 1, column in characters
	Reason       string // says what is wrong and what to do, never holds a value of the document
	Kind         error  // one of the sentinels
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

func (e *SyntaxError) Unwrap() error { return e.Kind }

var bom = []byte("\xef\xbb\xbf")

// Parse reads a whole document. The text is kept, not copied: it must not be
// changed afterwards.
func Parse(text []byte) (*Doc, error) {
	d := &Doc{text: text}
	if bytes.HasPrefix(text, bom) {
		d.text, d.bom = text[len(bom):], true
	}
	p := parser{doc: d, text: d.text, top: -1}
	if len(d.text) > MaxSize {
		return nil, p.fail(0, ErrTooLarge, fmt.Sprintf("the document is larger than %d MiB: make it smaller", MaxSize>>20))
	}
	p.space()
	if p.off == len(p.text) {
		return nil, p.fail(0, ErrEmpty, "the file is empty")
	}
	p.nodes = make([]node, 0, atMost(d.text))
	if err := p.document(); err != nil {
		return nil, err
	}
	d.nodes = p.nodes
	return d, nil
}

// atMost bounds the number of values, so that their slice never has to grow:
// each but the root stands behind a comma or an opening bracket, and all of
// them with what separates them are two bytes or more.
func atMost(text []byte) int {
	n := 1
	for _, c := range []string{",", "{", "["} {
		n += bytes.Count(text, []byte(c))
	}
	return min(n, len(text)/2+1)
}

// Valid reports whether text is a whole document.
func Valid(text []byte) bool {
	_, err := Parse(text)
	return err == nil
}

// parser fills nodes. It is a loop over the innermost open container, so depth
// costs no stack.
type parser struct {
	doc   *Doc // what becomes of it
	text  []byte
	off   int
	nodes []node
	top   int32 // the innermost open container, -1 outside of all
	depth int
	names nameTable
}

func (p *parser) document() error {
	if err := p.value(0, 0); err != nil {
		return err
	}
	for p.top >= 0 {
		if err := p.step(); err != nil {
			return err
		}
	}
	p.space()
	if p.off < len(p.text) {
		return p.unexpected("text behind the end of the document: remove it")
	}
	return nil
}

// step reads the next member or element of the innermost container, or its end.
func (p *parser) step() error {
	object := p.text[p.nodes[p.top].start] == '{'
	closing := byte(']')
	if object {
		closing = '}'
	}
	p.space()
	if p.peek() == closing {
		return p.close()
	}
	if first := int(p.top) == len(p.nodes)-1; !first {
		if p.peek() != ',' {
			return p.unexpected(fmt.Sprintf("expected a comma or %q", closing))
		}
		p.off++
		p.space()
		if p.peek() == closing {
			return p.fail(p.off, ErrSyntax, "a comma before the closing bracket is not allowed in JSON: remove it")
		}
	}
	if object {
		return p.member()
	}
	return p.value(0, 0)
}

func (p *parser) member() error {
	if p.peek() != '"' {
		return p.unexpected("expected a member name in double quotes")
	}
	keyStart := p.off
	if err := p.string(); err != nil {
		return err
	}
	keyEnd := p.off
	p.space()
	if p.peek() != ':' {
		return p.unexpected("expected a colon behind the member name")
	}
	p.off++
	p.space()
	return p.value(keyStart, keyEnd)
}

func (p *parser) open() error {
	if p.depth == MaxDepth {
		return p.fail(p.off, ErrTooDeep, fmt.Sprintf("nested more than %d levels deep: make it flatter", MaxDepth))
	}
	p.depth++
	p.off++
	p.top = int32(len(p.nodes) - 1)
	return nil
}

func (p *parser) close() error {
	p.off++
	p.depth--
	container := p.top
	n := &p.nodes[container]
	n.end, n.next = int32(p.off), int32(len(p.nodes))
	p.top = n.parent
	if p.text[n.start] == '{' {
		return p.unique(container)
	}
	return nil
}

// value reads a scalar whole, or the opening bracket of a container.
func (p *parser) value(keyStart, keyEnd int) error {
	i := len(p.nodes)
	p.nodes = append(p.nodes, node{
		start: int32(p.off), keyStart: int32(keyStart), keyEnd: int32(keyEnd),
		next: int32(i + 1), parent: p.top,
	})
	var err error
	switch c := p.peek(); c {
	case '{', '[':
		return p.open()
	case '"':
		err = p.string()
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		err = p.number()
	case 't':
		err = p.word("true")
	case 'f':
		err = p.word("false")
	case 'n':
		err = p.word("null")
	default:
		err = p.unexpected("expected a value")
	}
	p.nodes[i].end = int32(p.off)
	return err
}

// unexpected reports text that cannot stand here, by reason unless the text
// itself says more.
func (p *parser) unexpected(reason string) error {
	rest := p.text[p.off:]
	switch {
	case len(rest) == 0:
		reason = "the file ends too early: it may be cut short"
	case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")):
		reason = "comments are not allowed in JSON, and ZCode cannot read them: remove the comment"
	case p.off == 0 && (bytes.HasPrefix(rest, []byte("\xff\xfe")) || bytes.HasPrefix(rest, []byte("\xfe\xff"))):
		reason = "the file is UTF-16, which ZCode cannot read: save it as UTF-8"
	}
	return p.fail(p.off, ErrSyntax, reason)
}

func (p *parser) fail(off int, kind error, reason string) error {
	var m mark
	m.advance(p.text, off)
	return &SyntaxError{Line: m.line + 1, Column: m.column + 1, Reason: reason, Kind: kind}
}
