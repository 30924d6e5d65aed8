package skills

import "errors"

// Errors of [Delete] and [CopyToUser].
var (
	ErrInvalid = errors.New("invalid skill")
	ErrUnknown = errors.New("no such skill")
	ErrExists  = errors.New("the skill exists already")
	ErrOutside = errors.New("outside the skill folders") // no root that the operation may touch
)

// InvalidError tells what cannot be accepted. It wraps [ErrInvalid].
type InvalidError struct {
	Pointer string // RFC 6901, in the body of the request; "" where Reason names the place
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

// invalid returns an [InvalidError] whose sentence names the place.
func invalid(reason string) error { return &InvalidError{Reason: reason} }

// refusal is a sentence for a person with the sentinel that it stands for.
type refusal struct {
	kind   error
	reason string
}

func (r *refusal) Error() string { return r.reason }

func (r *refusal) Unwrap() error { return r.kind }

func unknown(reason string) error { return &refusal{ErrUnknown, reason} }
func exists(reason string) error  { return &refusal{ErrExists, reason} }
func outside(reason string) error { return &refusal{ErrOutside, reason} }
