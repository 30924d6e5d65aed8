package jsonrpc

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// The error codes of JSON-RPC 2.0 and, last, the one that the Agent Client
// Protocol adds for a request that was cancelled.
const (
	ParseError       int64 = -32700
	InvalidRequest   int64 = -32600
	MethodNotFound   int64 = -32601
	InvalidParams    int64 = -32602
	InternalError    int64 = -32603
	RequestCancelled int64 = -32800
)

var (
	// ErrClosed is found in the error of everything that the end of the
	// connection made impossible.
	ErrClosed = errors.New("connection is closed")

	// ErrTooLong is found in a Framer's error when one message exceeded the
	// limit and was skipped; the next Read gives the message behind it.
	ErrTooLong = errors.New("message is too long")

	// ErrFraming is found in a Framer's error when the beginning of the next
	// message can no longer be found.
	ErrFraming = errors.New("message framing is broken")
)

var errMethodNotFound = &Error{Code: MethodNotFound, Message: "method not found"}

// Error is the error member of an answer. A handler returns one, wrapped or
// not, to choose what the peer gets; Call returns one, wrapped, when the peer
// answered with an error.
type Error struct {
	Code    int64
	Message string
	Data    jsontext.Value // nil when absent
}

// Error returns the message and the code.
func (e *Error) Error() string { return fmt.Sprintf("%s (code %d)", e.Message, e.Code) }

// closedBy returns what the end of a connection for cause means to its users.
func closedBy(cause error) error {
	if cause == nil || errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded) {
		// The context of Serve is not the one that a caller of Call may test for.
		return ErrClosed
	}
	return fmt.Errorf("%w: %w", ErrClosed, cause)
}
