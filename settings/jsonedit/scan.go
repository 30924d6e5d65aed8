package jsonedit

import "bytes"

// The scanners below begin on the first byte of what they read and leave the
// parser behind its last one.

func (p *parser) word(w string) error {
	if !bytes.HasPrefix(p.text[p.off:], []byte(w)) {
		return p.unexpected("expected a value")
	}
	p.off += len(w)
	return nil
}

func (p *parser) number() error {
	if p.peek() == '-' {
		p.off++
	}
	if p.peek() == '0' {
		p.off++
		if c := p.peek(); c >= '0' && c <= '9' {
			return p.unexpected("a number must not begin with 0: remove the zero")
		}
	} else if p.digits() == 0 {
		return p.unexpected("expected a digit")
	}
	if p.peek() == '.' {
		p.off++
		if p.digits() == 0 {
			return p.unexpected("expected a digit behind the decimal point")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.off++
		if c := p.peek(); c == '+' || c == '-' {
			p.off++
		}
		if p.digits() == 0 {
			return p.unexpected("expected a digit in the exponent")
		}
	}
	return nil
}

func (p *parser) digits() int {
	start := p.off
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.off++
	}
	return p.off - start
}

// special marks the bytes that end a run of ordinary ones inside a string.
var special = func() (t [256]bool) {
	for c := range ' ' {
		t[c] = true
	}
	t['"'], t['\\'] = true, true
	return t
}()

func (p *parser) string() error {
	start := p.off
	p.off++
	for p.run() {
		switch p.text[p.off] {
		case '"':
			p.off++
			return nil
		case '\\':
			if err := p.escape(start); err != nil {
				return err
			}
			p.off++
		default:
			return p.fail(p.off, ErrSyntax, "a line break or control character inside a string: write it as an escape")
		}
	}
	return p.endless(start)
}

// run moves to the next special byte; false when there is none.
func (p *parser) run() bool {
	for i, c := range p.text[p.off:] {
		if special[c] {
			p.off += i
			return true
		}
	}
	return false
}

// escape leaves off on the last byte of the escape.
func (p *parser) escape(start int) error {
	p.off++
	if p.off == len(p.text) {
		return p.endless(start)
	}
	switch p.text[p.off] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
	default:
		return p.fail(p.off-1, ErrSyntax, "an unknown escape inside a string: a backslash itself is written twice")
	}
	for range 4 {
		p.off++
		if p.off == len(p.text) {
			return p.endless(start)
		}
		if !hexDigit(p.text[p.off]) {
			return p.fail(p.off, ErrSyntax, `\u needs four hexadecimal digits`)
		}
	}
	return nil
}

func (p *parser) endless(start int) error {
	return p.fail(start, ErrSyntax, "the string that begins here has no end: the file may be cut short")
}

func hexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func (p *parser) space() {
	for i, c := range p.text[p.off:] {
		if c > ' ' || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			p.off += i
			return
		}
	}
	p.off = len(p.text)
}

// peek returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.off < len(p.text) {
		return p.text[p.off]
	}
	return 0
}
