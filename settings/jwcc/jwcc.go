// Package jwcc reads JSON with comments and trailing commas, as people write it
// where JSON allows neither. It never writes such text: what it reads is made
// plain JSON first.
package jwcc

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tailscale/hujson"

	"zcode-acp/settings/jsonedit"
)

// Parse reads a text without a byte order mark; the text is not changed. Its
// errors say where the text cannot be read, and hold nothing of it.
func Parse(text []byte) (hujson.Value, error) {
	if deeperThan(text, jsonedit.MaxDepth) {
		return hujson.Value{}, fmt.Errorf("%w: nested more than %d levels deep, make it flatter", jsonedit.ErrTooDeep, jsonedit.MaxDepth)
	}
	// A comment that ends with the text wants a line end.
	v, err := hujson.Parse(append(bytes.Clone(text), '\n'))
	if err != nil {
		return hujson.Value{}, placeOf(err, text)
	}
	return v, nil
}

// deeperThan reports whether containers are nested deeper than most, since the
// reader of comments calls itself for each of them. It may be wrong about what
// stands behind the first syntax error, which that reader never sees.
func deeperThan(text []byte, most int) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			if depth++; depth > most {
				return true
			}
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			i += commentLength(text[i:])
		}
	}
	return false
}

// commentLength returns how many bytes behind its first one a comment has, 0 when
// none begins here.
func commentLength(text []byte) int {
	end := ""
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		end = "\n"
	case bytes.HasPrefix(text, []byte("/*")):
		end = "*/"
	default:
		return 0
	}
	if i := bytes.Index(text[2:], []byte(end)); i >= 0 {
		return 2 + i + len(end) - 1
	}
	return len(text)
}

// placeOf says where a text cannot be read. What the reader says besides may hold
// a part of the text, and so a secret.
func placeOf(err error, text []byte) error {
	var line, column int
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); n < 2 {
		return errors.New("the text is no JSON, not even with comments: mend it")
	}
	if line > bytes.Count(text, []byte("\n"))+1 {
		return errors.New("the text ends too early: it may be cut short")
	}
	return fmt.Errorf("line %d, column %d: the text is no JSON from here on, not even with comments: mend it there", line, column)
}
