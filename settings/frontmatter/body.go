package frontmatter

import (
	"bytes"
	"unicode/utf8"
)

// SetBody replaces the text below the block, which ZCode reads as the prompt.
// The block stays, and so do the blank lines between it and the text. The new
// text loses the blank lines around it and the white space at its end, which
// ZCode does not read, takes the line ends of the file and ends with one. A
// body that reads the same already leaves the document as it is.
func (d *Doc) SetBody(body []byte) (*Doc, error) {
	if err := d.unsafeFence(""); err != nil {
		return nil, err
	}
	if !utf8.Valid(body) {
		return nil, &RefusedError{Reason: "the new text is not UTF-8"}
	}
	eol := d.lineEnd(0)
	text := oneNewline(body, eol)
	old := d.Body()
	if bytes.Equal(oneNewline(old, eol), text) {
		return d, nil
	}
	start := d.body + blankLines(old)
	if start == len(d.text) && d.text[start-1] != '\n' {
		text = append([]byte(eol), text...)
	}
	return d.splice(start, len(d.text), string(text))
}

// oneNewline returns a text without the blank lines around it, with the given
// line ends and one at its end; a blank one is empty.
func oneNewline(body []byte, eol string) []byte {
	text := bytes.TrimRightFunc(body[blankLines(body):], isSpace)
	if len(text) == 0 {
		return nil
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return append(bytes.ReplaceAll(text, []byte("\n"), []byte(eol)), eol...)
}

// blankLines returns the length of the blank lines that a text begins with.
func blankLines(text []byte) int {
	rest := bytes.TrimLeftFunc(text, isSpace)
	if len(rest) == 0 {
		return len(text)
	}
	return bytes.LastIndexByte(text[:len(text)-len(rest)], '\n') + 1
}
