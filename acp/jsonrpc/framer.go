package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

const (
	defaultLimit = 64 << 20
	readBuffer   = 64 << 10
)

// Framer finds messages on a stream. Read and Write may run at the same time,
// each in one goroutine; Close may be called from any.
type Framer interface {
	// Read returns the next message, whose memory is the caller's. It returns
	// io.EOF at the end of the stream between two messages, an error with
	// ErrTooLong for a message that was skipped, and any other error once.
	Read() ([]byte, error)

	// Write sends one message and keeps no reference to it.
	Write(msg []byte) error

	// Close closes the two halves of the stream that are io.Closers, which
	// ends a Read or Write in progress where the stream allows that.
	Close() error
}

// stream is what both framers share: the two halves and the size limit.
type stream struct {
	in     *bufio.Reader
	out    *bufio.Writer
	halves [2]any
	limit  int
}

func newStream(r io.Reader, w io.Writer, limit int) stream {
	if limit <= 0 {
		limit = defaultLimit
	}
	return stream{
		in:     bufio.NewReaderSize(r, readBuffer),
		out:    bufio.NewWriterSize(w, readBuffer),
		halves: [2]any{w, r},
		limit:  limit,
	}
}

// Close closes the writing half first, so that a peer that waits for the end
// of its input sees it even when the reading half cannot be closed.
func (s *stream) Close() error {
	var errs []error
	for _, half := range s.halves {
		if closer, ok := half.(io.Closer); ok {
			errs = append(errs, closer.Close())
		}
	}
	return errors.Join(errs...)
}

func tooLong(limit int) error {
	return fmt.Errorf("%w: the limit is %d bytes", ErrTooLong, limit)
}

// blank reports whether JSON sees only white space in b.
func blank(b []byte) bool {
	return len(bytes.TrimLeft(b, " \t\r\n")) == 0
}
