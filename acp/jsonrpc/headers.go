package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	maxHeaderBlock = 8 << 10

	// maxSkip is the longest body worth reading only to throw it away; a header
	// that claims more is taken for a broken one.
	maxSkip = 1 << 30

	lengthHeader = "Content-Length"
)

// Headers returns a Framer with a block of header lines, an empty line and a
// body of Content-Length bytes per message, as the Language Server Protocol
// frames them. A body may have limit bytes; 0 means 64 MiB. Other headers are
// ignored. Memory grows with the bytes that arrive, not with what a header
// claims.
func Headers(r io.Reader, w io.Writer, limit int) Framer {
	return &headers{newStream(r, w, limit)}
}

type headers struct{ stream }

func (f *headers) Read() ([]byte, error) {
	n, err := f.readHeaders()
	if err != nil {
		return nil, err
	}
	if n > int64(f.limit) {
		if _, err := io.CopyN(io.Discard, f.in, n); err != nil {
			return nil, bodyError(err)
		}
		return nil, tooLong(f.limit)
	}
	if n <= readBuffer {
		body := make([]byte, n)
		if _, err := io.ReadFull(f.in, body); err != nil {
			return nil, bodyError(err)
		}
		return body, nil
	}
	var body bytes.Buffer
	if _, err := io.CopyN(&body, f.in, n); err != nil {
		return nil, bodyError(err)
	}
	return body.Bytes(), nil
}

func bodyError(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%w: the input ended inside a message: %w", ErrFraming, io.ErrUnexpectedEOF)
	}
	return err
}

// readHeaders reads one block of headers and returns the length it declares.
func (f *headers) readHeaders() (int64, error) {
	length, size := int64(-1), 0
	for {
		line, err := f.headerLine(&size)
		if err != nil {
			return 0, err
		}
		if line == "" {
			break
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || !isToken(name) {
			return 0, fmt.Errorf("%w: a header line must be \"Name: value\"", ErrFraming)
		}
		if !strings.EqualFold(name, lengthHeader) {
			continue
		}
		if length >= 0 {
			return 0, fmt.Errorf("%w: %s is given twice", ErrFraming, lengthHeader)
		}
		if length, err = f.parseLength(strings.Trim(value, " \t")); err != nil {
			return 0, err
		}
	}
	if length < 0 {
		return 0, fmt.Errorf("%w: a message has no %s header", ErrFraming, lengthHeader)
	}
	return length, nil
}

// headerLine reads one header line without its end and adds to size what the
// block has used.
func (f *headers) headerLine(size *int) (string, error) {
	line, err := f.in.ReadSlice('\n')
	first := *size == 0 && len(line) == 0
	*size += len(line)
	switch {
	case *size > maxHeaderBlock || errors.Is(err, bufio.ErrBufferFull):
		return "", fmt.Errorf("%w: the headers of a message exceed %d bytes", ErrFraming, maxHeaderBlock)
	case err == io.EOF && first:
		return "", io.EOF
	case err != nil:
		return "", bodyError(err)
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	return string(bytes.TrimSuffix(line, []byte("\r"))), nil
}

func (f *headers) parseLength(value string) (int64, error) {
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%w: %s must be a number of bytes", ErrFraming, lengthHeader)
	}
	if err != nil || n > uint64(max(f.limit, maxSkip)) {
		return 0, fmt.Errorf("%w: %s is larger than anything that could be skipped", ErrFraming, lengthHeader)
	}
	return int64(n), nil
}

// isToken reports whether name may be the name of a header (RFC 9110, 5.6.2).
func isToken(name string) bool {
	for i := range len(name) {
		c := name[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return name != ""
}

func (f *headers) Write(msg []byte) error {
	var head [48]byte
	line := append(head[:0], lengthHeader+": "...)
	line = strconv.AppendInt(line, int64(len(msg)), 10)
	line = append(line, "\r\n\r\n"...)
	if _, err := f.out.Write(line); err != nil {
		return err
	}
	if _, err := f.out.Write(msg); err != nil {
		return err
	}
	return f.out.Flush()
}
