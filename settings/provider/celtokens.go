package provider

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// celKind is the kind of a token; the zero kind is the end of the input.
type celKind uint8

const (
	celEnd celKind = iota
	celName
	celString
	celNumber
	celOperator
	celPunctuation
)

type celToken struct {
	kind celKind
	text string // of a string what it stands for
	at   int    // byte offset
}

type celLexer struct {
	text string
	off  int
}

func (l *celLexer) next() (celToken, error) {
	l.space()
	rest, at := l.text[l.off:], l.off
	if rest == "" {
		return celToken{at: at}, nil
	}
	switch c := rest[0]; {
	case c == '"' || c == '\'':
		s, err := l.string(c)
		return celToken{celString, s, at}, err
	case isDigit(c):
		return l.take(celNumber, numberLength(rest)), nil
	case isLetter(c):
		return l.take(celName, span(rest, func(c byte) bool { return isLetter(c) || isDigit(c) })), nil
	case hasOperator(rest, 2):
		return l.take(celOperator, 2), nil
	case hasOperator(rest, 1):
		return l.take(celOperator, 1), nil
	case strings.IndexByte("{}[](),:?.", c) >= 0:
		return l.take(celPunctuation, 1), nil
	}
	return celToken{at: at}, l.errorAt(at, "a character that has no meaning here")
}

func hasOperator(s string, length int) bool {
	if len(s) < length {
		return false
	}
	switch s[:length] {
	case "&&", "||", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "!", "<", ">":
		return true
	}
	return false
}

func (l *celLexer) take(kind celKind, length int) celToken {
	at := l.off
	l.off += length
	return celToken{kind, l.text[at:l.off], at}
}

func (l *celLexer) space() {
	for l.off < len(l.text) {
		r, size := utf8.DecodeRuneInString(l.text[l.off:])
		if !isSpace(r) {
			return
		}
		l.off += size
	}
}

// numberLength measures a JSON number without sign; what does not continue it
// is left for the next token.
func numberLength(s string) int {
	n := 1
	if s[0] != '0' {
		n = span(s, isDigit)
	}
	if fraction := s[n:]; len(fraction) > 1 && fraction[0] == '.' && isDigit(fraction[1]) {
		n += 1 + span(fraction[1:], isDigit)
	}
	exponent := s[n:]
	if exponent == "" || exponent[0] != 'e' && exponent[0] != 'E' {
		return n
	}
	sign := 0
	if len(exponent) > 1 && (exponent[1] == '+' || exponent[1] == '-') {
		sign = 1
	}
	if digits := span(exponent[1+sign:], isDigit); digits > 0 {
		n += 1 + sign + digits
	}
	return n
}

// string reads a literal; its text is gathered in the units of JavaScript, so
// that a character and its escape are the same key.
func (l *celLexer) string(quote byte) (string, error) {
	start := l.off
	var units []uint16
	for l.off++; l.off < len(l.text); {
		r, size := utf8.DecodeRuneInString(l.text[l.off:])
		switch r {
		case rune(quote):
			l.off++
			return string(utf16.Decode(units)), nil
		case '\n', '\r':
			return "", l.errorAt(start, "a string has no end on its line")
		case '\\':
			unit, length := escape(l.text[l.off+1:])
			if length == 0 {
				return "", l.errorAt(l.off, "an unknown escape in a string")
			}
			units = append(units, unit)
			l.off += 1 + length
		default:
			units = utf16.AppendRune(units, r)
			l.off += size
		}
	}
	return "", l.errorAt(start, "a string has no end")
}

// escape reads what follows a backslash; length 0 means it is no escape.
func escape(s string) (unit uint16, length int) {
	if s == "" {
		return 0, 0
	}
	if i := strings.IndexByte(`'"\bfnrt`, s[0]); i >= 0 {
		return uint16("'\"\\\b\f\n\r\t"[i]), 1
	}
	if s[0] != 'u' || len(s) < 5 || span(s[1:5], isHex) < 4 {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[1:5], 16, 16)
	if err != nil {
		return 0, 0
	}
	return uint16(v), 5
}

func span(s string, in func(byte) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
