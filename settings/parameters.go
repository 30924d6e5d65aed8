package settings

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/jsonedit"
)

// InProject names the folder of a project, whose own files are shown as well;
// without it only the user's are.
type InProject struct {
	Cwd string `json:"cwd"` // absolute
}

// Index is a place in a list, counted from 0. A path has it as text, a body as a
// number; both are taken.
type Index int

// UnmarshalJSONFrom reads a number or its text.
func (i *Index) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	text := string(value)
	if value.Kind() == '"' {
		if err := json.Unmarshal(value, &text); err != nil {
			return err
		}
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || strconv.Itoa(n) != text {
		return &InvalidError{Reason: fmt.Sprintf("must be a whole number from 0 on, not %.20q", text)}
	}
	*i = Index(n)
	return nil
}

// object reads the open part of a body, one JSON object.
func object(v jsontext.Value) (jsonedit.Node, error) {
	if len(v) == 0 {
		v = jsontext.Value("{}")
	}
	d, err := jsonedit.Parse(v)
	if err != nil || d.Root().Kind() != jsonedit.Object {
		return jsonedit.Node{}, invalid("", "the body must be one JSON object")
	}
	return d.Root(), nil
}

// eitherSpelling reads a switch that existing clients send as enabled or as
// enable.
func eitherSpelling(enabled, enable *bool) (bool, error) {
	switch {
	case enabled == nil && enable == nil:
		return false, invalid("/enabled", "is required: true or false")
	case enabled == nil:
		return *enable, nil
	case enable != nil && *enable != *enabled:
		return false, invalid("/enable", "says the opposite of enabled: send one of them")
	}
	return *enabled, nil
}

// below turns a place in one member of a body into the place in the body.
func below(member string, err error) error {
	if e, ok := errors.AsType[*cliconfig.InvalidError](err); ok {
		return invalid(member+e.Pointer, e.Reason)
	}
	return err
}
