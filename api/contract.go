package api

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings"
	"zcode-acp/settings/jsonedit"
)

//go:generate cp ../openapi.yaml openapi.yaml

// document is the contract, a copy of the one at the top of the project.
//
//go:embed openapi.yaml
var document []byte

// contract checks requests against openapi.yaml.
type contract struct{ doc *openapi3.T }

// builtIn reads the contract once: it is large, and the same for every server.
var builtIn = sync.OnceValues(loadContract)

func loadContract() (*contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, fmt.Errorf("reading the built-in openapi.yaml: %w", err)
	}
	return &contract{doc}, nil
}

// operation finds what the contract says about an operation.
func (c *contract) operation(o settings.Operation, method string) *openapi3.Operation {
	item := c.doc.Paths.Value(strings.ReplaceAll(o.Path, "...}", "}"))
	if item == nil {
		return nil
	}
	return item.GetOperation(method)
}

// takesQuery reports whether the operation has a query parameter of the name.
func (c *contract) takesQuery(o settings.Operation, name string) bool {
	op := c.operation(o, o.Methods[0])
	return op != nil && op.Parameters.GetByInAndName("query", name) != nil
}

// checkBody tells the first thing in a body that the contract does not allow,
// by its place and rule and never by its value.
func (c *contract) checkBody(o settings.Operation, method string, body jsontext.Value) error {
	op := c.operation(o, method)
	if op == nil || op.RequestBody == nil {
		return nil
	}
	media := op.RequestBody.Value.Content.Get("application/json")
	if media == nil || media.Schema == nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return &settings.InvalidError{Reason: "the body is not valid JSON"}
	}
	err := media.Schema.Value.VisitJSON(value)
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*openapi3.SchemaError](err); ok {
		path := jsonedit.Path(e.JSONPointer())
		if name, unknown := unknownMember(e); unknown {
			path = append(path, name)
		}
		return &settings.InvalidError{Pointer: path.Pointer(), Reason: rule(e)}
	}
	return &settings.InvalidError{Reason: "the body is not what openapi.yaml describes"}
}

// unknownMember returns the first member, in the order of names, that a strict
// schema does not list.
func unknownMember(e *openapi3.SchemaError) (name string, ok bool) {
	object, isObject := e.Value.(map[string]any)
	if e.SchemaField != "properties" || !isObject {
		return "", false
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if e.Schema.Properties[name] == nil {
			return name, true
		}
	}
	return "", false
}

// rule says what a schema wants, in words that hold nothing of the request.
func rule(e *openapi3.SchemaError) string {
	switch e.SchemaField {
	case "type", "nullable":
		kinds := e.Schema.Type.Slice()
		if e.Schema.Nullable {
			kinds = append(kinds, "null")
		}
		return "must be of type " + strings.Join(kinds, " or ")
	case "enum":
		return "must be one of " + choices(e.Schema.Enum)
	case "required":
		return "is required"
	case "properties":
		return "is not known here"
	case "minimum":
		return fmt.Sprintf("must be at least %.0f", *e.Schema.Min)
	case "exclusiveMinimum":
		return fmt.Sprintf("must be more than %.0f", *e.Schema.Min)
	case "maximum":
		return fmt.Sprintf("must be at most %.0f", *e.Schema.Max)
	case "minLength", "minItems":
		return "must not be empty"
	case "uniqueItems":
		return "must not hold the same entry twice"
	}
	return "is not allowed by openapi.yaml (" + e.SchemaField + ")"
}

func choices(values []any) string {
	var names []string
	for _, v := range values {
		if v == nil {
			v = "null"
		}
		names = append(names, fmt.Sprint(v))
	}
	return strings.Join(names, ", ")
}
