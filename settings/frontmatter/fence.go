package frontmatter

import (
	"bytes"
	"fmt"

	"github.com/adrg/frontmatter"
)

const fence = "---"

// line is one line of the text; next is where the following one begins.
type line struct{ start, end, next int }

// linesOf returns the lines between two offsets. As for ZCode, a line ends with
// LF or CRLF and nothing else.
func linesOf(text []byte, start, end int) []line {
	lines := make([]line, 0, bytes.Count(text[start:end], []byte("\n")))
	for start < end {
		l := line{start: start, end: end, next: end}
		if i := bytes.IndexByte(text[start:end], '\n'); i >= 0 {
			l.end, l.next = start+i, start+i+1
			if l.end > start && text[l.end-1] == '\r' {
				l.end--
			}
		}
		lines = append(lines, l)
		start = l.next
	}
	return lines
}

// split finds the block and the body. ZCode wants the first fence at the very
// beginning and ends the block at the first line that is `---` between white
// space, and so does the library.
func (d *Doc) split() error {
	if !bytes.HasPrefix(d.text, []byte(fence)) {
		return fmt.Errorf("the text does not begin with a --- line: %w", ErrMissing)
	}
	var block []byte
	format := frontmatter.NewFormat(fence, fence, func(text []byte, _ any) error {
		block = text
		return nil
	})
	body, err := frontmatter.MustParse(bytes.NewReader(d.text), nil, format)
	if err != nil {
		return fmt.Errorf("no line closes the block with --- alone: %w", ErrMissing)
	}
	start := bytes.IndexByte(d.text, '\n') + 1
	d.close, d.body = start+len(block), len(d.text)-len(body)
	d.lines = linesOf(d.text, start, d.close)
	d.yaml = readBlock(d.text[start:d.close])
	return d.sameFences(start)
}

// sameFences checks the fences by what ZCode takes for white space, which is
// not quite what the library does.
func (d *Doc) sameFences(start int) error {
	odd := func(l line, want bool, number int) error {
		if (trim(string(d.text[l.start:l.end])) == fence) == want {
			return nil
		}
		return fmt.Errorf("line %d has an invisible character beside ---, delete it: %w", number, ErrMissing)
	}
	if err := odd(line{0, start, start}, true, 1); err != nil {
		return err
	}
	for i, l := range d.lines {
		if err := odd(l, false, i+2); err != nil {
			return err
		}
	}
	return odd(line{d.close, d.body, d.body}, true, len(d.lines)+2)
}

// lineEnd returns the line end before an offset, that of the first line where
// there is none.
func (d *Doc) lineEnd(at int) string {
	i := bytes.LastIndexByte(d.text[:at], '\n')
	if i < 0 {
		i = bytes.IndexByte(d.text, '\n')
	}
	if i > 0 && d.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
