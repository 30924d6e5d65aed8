package provider

import (
	"bytes"
	"encoding/json"
)

// Optional is a member of a change that tells absent from null. The zero value
// is absent.
type Optional[T any] struct {
	Set   bool // the member is there
	Null  bool // and is null
	Value T    // else its value
}

// IsZero reports whether the member is absent.
func (o Optional[T]) IsZero() bool { return !o.Set }

// MarshalJSON writes null or the value.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if !o.Set || o.Null {
		return []byte("null"), nil
	}
	return json.Marshal(o.Value)
}

// UnmarshalJSON is called only for members that are there. Its error is an
// [*InvalidError] without a pointer.
func (o *Optional[T]) UnmarshalJSON(text []byte) error {
	*o = Optional[T]{Set: true, Null: bytes.Equal(bytes.TrimSpace(text), []byte("null"))}
	if o.Null {
		return nil
	}
	if err := json.Unmarshal(text, &o.Value); err != nil {
		return &InvalidError{Reason: "must be " + wanted(o.Value)}
	}
	return nil
}

// wanted names a type in the words of a person who writes JSON.
func wanted(value any) string {
	switch value.(type) {
	case bool:
		return "true or false"
	case int64:
		return "a whole number"
	case string:
		return "a string"
	case []string:
		return "an array of strings"
	case map[string]string:
		return "an object of strings"
	}
	return "another kind of value"
}
