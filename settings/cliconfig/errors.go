package cliconfig

import (
	"errors"
	"fmt"
)

// Errors of the edits; details are in [InvalidError].
var (
	ErrInvalid = errors.New("invalid setting")
	ErrUnknown = errors.New("not configured")
)

// InvalidError tells what an edit may not store. It wraps [ErrInvalid] and never
// holds a value.
type InvalidError struct {
	Pointer string // RFC 6901, in the body of the edit, or in the file when that is broken
	Reason  string // what is wrong and what to do
}

func (e *InvalidError) Error() string {
	if e.Pointer == "" {
		return e.Reason
	}
	return e.Pointer + " " + e.Reason
}

// Unwrap returns [ErrInvalid].
func (e *InvalidError) Unwrap() error { return ErrInvalid }

// unknownServer is the error for a server that the file does not have.
type unknownServer string

func (name unknownServer) Error() string {
	return fmt.Sprintf("MCP server %q is not configured: list the servers to see the names", string(name))
}

func (unknownServer) Unwrap() error { return ErrUnknown }
