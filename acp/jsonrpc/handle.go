package jsonrpc

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
)

// Handler admits one request or notification. It runs on the read loop, in the
// order of the messages, so it must be quick and must not use Call; what it
// registers is seen by every message behind. It either answers at once with a
// result or an error, or returns a Work as the result.
//
// A result is encoded as JSON; nil is null. An error that holds an *Error is
// answered as that; the error of the ended context of a cancelled request as
// RequestCancelled; any other as InternalError with its text, which therefore
// must be fit for the peer. Of a notification only the error is used, for the
// log. A panic is logged and answered as InternalError. The context ends when the request is cancelled, when it has been
// answered, or when the connection ends.
type Handler func(ctx context.Context, req *Request) (result any, err error)

// Work is the long part of a request. It runs in a goroutine of its own, may
// use Call, and its result answers the request.
type Work func(ctx context.Context) (result any, err error)

// Request is a request or notification of the peer. It may be kept.
type Request struct {
	Method string

	// Params is an object, an array, or nil when absent or null. It may hold
	// lone surrogates ("\ud83d"), which JavaScript writes when it cuts text:
	// decode it with jsontext.AllowInvalidUTF8.
	Params jsontext.Value

	ID ID

	after []func()
}

// IsNotification reports whether no answer is expected.
func (r *Request) IsNotification() bool { return r.ID == "" }

// AfterAnswer makes f run once the answer has been queued, before the context
// of the request ends: what f sends arrives behind the answer. It may be used
// until the handler, or its Work, returns; f obeys the rules of the one that
// gives the answer. For a notification f never runs.
func (r *Request) AfterAnswer(f func()) { r.after = append(r.after, f) }
