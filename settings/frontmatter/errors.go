package frontmatter

import (
	"errors"
	"fmt"
)

// Errors of this package; details of a refusal are in [RefusedError].
var (
	// ErrMissing tells that a text does not begin with a `---` line, or that
	// no later line closes the block.
	ErrMissing = errors.New("no front matter")
	// ErrRefused tells that an edit has no place, or its value no spelling,
	// that ZCode and YAML read alike.
	ErrRefused = errors.New("edit refused")
)

// RefusedError tells why an edit was refused. It wraps [ErrRefused] and never
// holds a value.
type RefusedError struct {
	Key    string // "" for the body
	Line   int    // in the file, from 1; 0 where no line is to blame
	Reason string // what is wrong and what to do
}

func (e *RefusedError) Error() string {
	what := "the text below the front matter"
	if e.Key != "" {
		what = fmt.Sprintf("%q", e.Key)
	}
	if e.Line > 0 {
		what += fmt.Sprintf(" on line %d", e.Line)
	}
	return "editing " + what + ": " + e.Reason
}

// Unwrap returns [ErrRefused].
func (e *RefusedError) Unwrap() error { return ErrRefused }
