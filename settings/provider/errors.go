package provider

import (
	"errors"
	"fmt"

	"zcode-acp/settings/jsonedit"
)

// Why a change is refused; the errors around them say what to do. After any
// error the document is as it was.
var (
	ErrInvalid = errors.New("not valid")                       // the details are an [*InvalidError]
	ErrUnknown = errors.New("not in provider_config.json")     // no such provider or model
	ErrExists  = errors.New("already in provider_config.json") // the id of a new provider is taken
	ErrAccount = errors.New("account-managed")                 // the coding plan decides, not this file
	ErrNewer   = errors.New("written by a newer ZCode")        // a schemaVersion above 1
)

// InvalidError tells which part of a change cannot be written; it wraps
// [ErrInvalid].
type InvalidError struct {
	Pointer string // JSON pointer into the body of the change, "" is all of it
	Reason  string // a phrase like "must not be blank"; never holds the value
}

func (e *InvalidError) Error() string {
	if e.Pointer == "" {
		return e.Reason
	}
	return e.Pointer + " " + e.Reason
}

func (e *InvalidError) Unwrap() error { return ErrInvalid }

// invalid points at a member of the body.
func invalid(reason string, path ...string) error {
	return &InvalidError{Pointer: jsonedit.Path(path).Pointer(), Reason: reason}
}

func errAccount() error {
	return fmt.Errorf("it is %w: its name, key, address and models come from the plan, not from this file; "+
		"it can only be enabled or disabled here", ErrAccount)
}

func errUnknownProvider() error {
	return fmt.Errorf("the provider is %w: check the id, or create the provider first", ErrUnknown)
}
