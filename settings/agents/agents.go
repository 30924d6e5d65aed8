// Package agents knows ZCode's subagents: the markdown files that define them,
// and `v2/agents-state.json`, which switches them off and gives the built-in
// ones another model.
//
// Documents and texts go in, documents and texts come out; no file is written
// here, and only [Scan] reads any. An edit changes what it names and leaves every
// other byte as it was: comments, unknown keys, block scalars, line ends. What
// ZCode would silently ignore is refused, or told in the notes of the edit and
// the warnings of the listing. Nothing that a listing holds shows a secret of an
// MCP server.
package agents

import (
	"errors"
	"fmt"
)

// Why something cannot be done; the errors around them say what to do. After any
// error everything is as it was.
var (
	ErrInvalid  = errors.New("invalid agent setting") // the details are an [*InvalidError]
	ErrUnknown  = errors.New("no such agent")
	ErrExists   = errors.New("agent exists already")
	ErrNotAgent = errors.New("not an agent file") // the details are a [*NotAgentError]
)

// InvalidError tells what an edit may not store. It wraps [ErrInvalid] and never
// holds a value.
type InvalidError struct {
	Pointer string // RFC 6901, into the body of the edit, or into the file when that is broken
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

// NotAgentError tells why ZCode does not list a markdown file. It wraps
// [ErrNotAgent].
type NotAgentError struct {
	Key    string // the required key, "" where there is no front matter at all
	Reason string // what is wrong and what to do
}

func (e *NotAgentError) Error() string { return e.Reason }

// Unwrap returns [ErrNotAgent].
func (e *NotAgentError) Unwrap() error { return ErrNotAgent }

// unknownAgent is the error for a name that nothing has.
func unknownAgent(name string) error {
	return fmt.Errorf("%w as %q: list the agents to see the names", ErrUnknown, name)
}
