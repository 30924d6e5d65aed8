package provider

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// maxDepth bounds how deep expressions nest, so that no text exhausts the
// stack; ZCode's own bound is that of its JavaScript engine.
const maxDepth = 500

// compileMap checks that ZCode can compile an option map: an expression of its
// restricted CEL over one variable that gives an object. The error is a phrase
// that never quotes the expression.
func compileMap(source, variable string) error {
	if trim(source) == "" {
		return errors.New("it is empty")
	}
	p := celParser{lexer: celLexer{text: source}, variable: variable}
	p.next()
	object := p.conditional()
	switch {
	case p.err != nil:
		return p.err
	case p.token.kind != celEnd:
		return p.unexpected()
	case !object:
		return errors.New("it must give an object: write {…}, or a choice between objects")
	}
	return nil
}

// celParser descends through the grammar. The first error stays and ends the
// input, so no rule has to look at it. Rules report whether what they read
// gives an object for sure.
type celParser struct {
	lexer    celLexer
	token    celToken
	variable string
	depth    int
	err      error
}

// binaryOperators go from weak to strong; all group to the left.
var binaryOperators = [][]string{{"||"}, {"&&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}}

func (p *celParser) conditional() (object bool) {
	if !p.enter() {
		return false
	}
	defer p.leave()
	object = p.binary(0)
	if !p.consume("?") {
		return object
	}
	whenTrue := p.conditional()
	p.expect(":")
	whenFalse := p.conditional()
	return whenTrue && whenFalse
}

func (p *celParser) binary(level int) (object bool) {
	if level == len(binaryOperators) {
		return p.unary()
	}
	object = p.binary(level + 1)
	for p.token.kind == celOperator && slices.Contains(binaryOperators[level], p.token.text) {
		p.next()
		p.binary(level + 1)
		object = false
	}
	return object
}

func (p *celParser) unary() (object bool) {
	signed := false
	for p.token.kind == celOperator && slices.Contains([]string{"!", "-", "+"}, p.token.text) {
		p.next()
		signed = true
	}
	return p.primary() && !signed
}

func (p *celParser) primary() (object bool) {
	token := p.token
	switch token.kind {
	case celString:
		p.next()
		return false
	case celNumber:
		if f, err := strconv.ParseFloat(token.text, 64); err != nil || f == math.Trunc(f) && f > 1<<53-1 {
			p.fail(token.at, "a number is too large")
		}
		p.next()
		return false
	case celName:
		if !slices.Contains([]string{p.variable, "true", "false", "null"}, token.text) {
			p.fail(token.at, "only "+p.variable+", true, false and null are known by name")
		}
		p.next()
		return false
	case celPunctuation:
		switch token.text {
		case "(":
			p.next()
			object = p.conditional()
			p.expect(")")
			return object
		case "[":
			p.next()
			p.array()
			return false
		case "{":
			p.next()
			p.object()
			return true
		}
	}
	p.err = p.unexpected()
	return false
}

func (p *celParser) array() {
	if p.consume("]") {
		return
	}
	for p.conditional(); p.consume(","); p.conditional() {
	}
	p.expect("]")
}

func (p *celParser) object() {
	if p.consume("}") {
		return
	}
	keys := map[string]bool{}
	for p.entry(keys); p.consume(","); p.entry(keys) {
	}
	p.expect("}")
}

func (p *celParser) entry(keys map[string]bool) {
	key := p.token
	if key.kind != celString {
		p.fail(key.at, "the key of an object must be a string")
	} else if keys[key.text] {
		p.fail(key.at, "a key stands twice in one object")
	}
	keys[key.text] = true
	p.next()
	p.expect(":")
	p.conditional()
}

// consume compares texts alone, as ZCode does: the string "]" ends an array.
func (p *celParser) consume(text string) bool {
	if p.err != nil || p.token.kind == celEnd || p.token.text != text {
		return false
	}
	p.next()
	return true
}

func (p *celParser) expect(text string) {
	if !p.consume(text) {
		p.fail(p.token.at, p.surprise(fmt.Sprintf("%q is missing", text)))
	}
}

func (p *celParser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.token.at, fmt.Sprintf("it nests more than %d levels deep", maxDepth))
		return false
	}
	return true
}

func (p *celParser) leave() { p.depth-- }

func (p *celParser) next() {
	if p.err != nil {
		p.token = celToken{at: p.token.at}
		return
	}
	if p.token, p.err = p.lexer.next(); p.err != nil {
		p.token = celToken{at: p.token.at}
	}
}

func (p *celParser) unexpected() error {
	if p.err != nil {
		return p.err
	}
	return p.lexer.errorAt(p.token.at, p.surprise("something unexpected"))
}

// surprise explains the present token, with otherwise where it has no
// explanation of its own.
func (p *celParser) surprise(otherwise string) string {
	switch {
	case p.token.kind == celEnd:
		return "it ends too early"
	case p.token.kind == celPunctuation && p.token.text == ".":
		return "member access is not allowed"
	case p.token.kind == celPunctuation && p.token.text == "(":
		return "calls are not allowed"
	}
	return otherwise
}

// fail keeps the first error.
func (p *celParser) fail(at int, reason string) {
	if p.err == nil {
		p.err = p.lexer.errorAt(at, reason)
	}
}

func (l *celLexer) errorAt(at int, reason string) error {
	return fmt.Errorf("%s (at its character %d)", reason, utf8.RuneCountInString(l.text[:at])+1)
}
