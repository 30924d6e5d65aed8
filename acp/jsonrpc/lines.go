package jsonrpc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Lines returns a Framer with one message per line. A message may have limit
// bytes, its line end not counted; 0 means 64 MiB. A longer line is read to
// its end without being kept. Blank lines are ignored, CRLF is accepted, and
// the last line needs no line end.
func Lines(r io.Reader, w io.Writer, limit int) Framer {
	return &lines{newStream(r, w, limit)}
}

type lines struct{ stream }

func (f *lines) Read() ([]byte, error) {
	for {
		line, err := f.readLine()
		if err != nil {
			return nil, err
		}
		if !blank(line) {
			return line, nil
		}
	}
}

// readLine returns one line without its end.
func (f *lines) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := f.in.ReadSlice('\n')
		if err == io.EOF && len(line)+len(part) > 0 {
			err = nil
		}
		if err != nil && err != bufio.ErrBufferFull {
			return nil, err
		}
		whole := err == nil
		if whole {
			part = bytes.TrimSuffix(part, []byte("\n"))
		}
		line = append(line, part...)
		if whole {
			line = bytes.TrimSuffix(line, []byte("\r"))
		}
		switch {
		case whole && len(line) <= f.limit:
			return line, nil
		case whole:
			return nil, tooLong(f.limit)
		case len(line) > f.limit+len("\r"):
			return nil, f.skipLine()
		}
	}
}

// skipLine reads the rest of an over-long line; its length has no bound, its
// memory has.
func (f *lines) skipLine() error {
	for {
		switch _, err := f.in.ReadSlice('\n'); err {
		case bufio.ErrBufferFull:
		case nil, io.EOF:
			return tooLong(f.limit)
		default:
			return err
		}
	}
}

func (f *lines) Write(msg []byte) error {
	// In valid JSON a line end can only be white space between tokens. Some
	// readers also end a line at a lone CR.
	if bytes.ContainsAny(msg, "\r\n") {
		v := jsontext.Value(slices.Clone(msg))
		if err := v.Compact(); err != nil {
			return fmt.Errorf("putting a message on one line: %w", err)
		}
		msg = v
	}
	if _, err := f.out.Write(msg); err != nil {
		return err
	}
	if err := f.out.WriteByte('\n'); err != nil {
		return err
	}
	return f.out.Flush()
}
