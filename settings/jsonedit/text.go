package jsonedit

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Quote returns s as a JSON string the way JSON.stringify writes it: only the
// quote, the backslash and control characters are escaped. Bytes that are not
// UTF-8 become U+FFFD.
func Quote(s string) []byte {
	const hex = "0123456789abcdef"
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r >= ' ':
			b = utf8.AppendRune(b, r)
		default:
			if k := strings.IndexRune("\b\f\n\r\t", r); k >= 0 {
				b = append(b, '\\', "bfnrt"[k])
			} else {
				b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
			}
		}
	}
	return append(b, '"')
}

// plain reports whether a string decodes to the very bytes between its quotes.
func plain(raw []byte) bool {
	return bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw)
}

// unquote decodes a string that the parser has accepted; a lone surrogate and
// every byte that is not UTF-8 become U+FFFD.
func unquote(raw []byte) string {
	if plain(raw) {
		return string(raw[1 : len(raw)-1])
	}
	return string(decode(raw, func(b []byte, _ rune) []byte { return utf8.AppendRune(b, utf8.RuneError) }))
}

// exactly decodes like unquote, but keeps lone surrogates apart: JavaScript
// strings can hold them, UTF-8 cannot. Each becomes the three bytes that a
// generalised UTF-8 would give it, which nothing else decodes to.
func exactly(raw []byte) string {
	if plain(raw) {
		return string(raw[1 : len(raw)-1])
	}
	return string(decode(raw, func(b []byte, r rune) []byte {
		return append(b, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}))
}

func decode(raw []byte, lone func([]byte, rune) []byte) []byte {
	raw = raw[1 : len(raw)-1]
	b := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		switch {
		case raw[0] != '\\':
			r, size := utf8.DecodeRune(raw)
			b = utf8.AppendRune(b, r)
			raw = raw[size:]
		case raw[1] != 'u':
			c := raw[1]
			if k := strings.IndexByte("bfnrt", c); k >= 0 {
				c = "\b\f\n\r\t"[k]
			}
			b = append(b, c)
			raw = raw[2:]
		default:
			r := hex4(raw[2:])
			raw = raw[6:]
			if !utf16.IsSurrogate(r) {
				b = utf8.AppendRune(b, r)
				continue
			}
			if pair := withNext(r, raw); pair != utf8.RuneError {
				b = utf8.AppendRune(b, pair)
				raw = raw[6:]
				continue
			}
			b = lone(b, r)
		}
	}
	return b
}

// withNext joins a surrogate with the escape behind it; U+FFFD when they are
// no pair.
func withNext(r rune, raw []byte) rune {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return utf8.RuneError
	}
	return utf16.DecodeRune(r, hex4(raw[2:]))
}

// hex4 reads four hexadecimal digits.
func hex4(b []byte) rune {
	var r rune
	for _, c := range b[:4] {
		switch {
		case c <= '9':
			r = r<<4 | rune(c-'0')
		case c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			r = r<<4 | rune(c-'a'+10)
		}
	}
	return r
}
