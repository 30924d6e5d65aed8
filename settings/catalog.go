// Package settings is what can be read and changed of ZCode's settings. It
// knows no transport: an [Operation] is declared once, beside the code that
// does it, and every door (command line, REST, ACP) runs the same one.
//
// Its promise: an answer without an error means that the change is durable on
// disk, that exactly the named paths changed, that every other byte of the file
// is as it was, and that whatever ZCode wrote at the same moment is still
// there. Any other answer is a typed error that a person can act on, and
// nothing changed. What is outside of that is told in the member "also" of the
// answer.
package settings

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/provider"
)

// Effect tells when ZCode sees a change.
type Effect string

// The effects of writes; reads have none.
const (
	Immediate    Effect = "immediate"
	NeedsRestart Effect = "needs-restart"
)

// Door is a way in.
type Door string

// The doors that an operation can be reached through.
const (
	REST        Door = "rest"
	ACP         Door = "acp"
	CommandLine Door = "command-line"
)

var everyDoor = []Door{REST, ACP, CommandLine}

// Operation is one thing that people can do, for every door at once.
type Operation struct {
	Name    string   // "mcp/upsert": the ACP method behind _zcode/settings/
	Summary string   // one sentence, for help texts and openapi.yaml
	Methods []string // HTTP methods, the first is the usual one
	Path    string   // "/settings/mcp/{name}"
	Effect  Effect   // "" for reads
	Doors   []Door

	input, output reflect.Type
	run           func(ctx context.Context, call Call, params jsontext.Value) (any, error)
}

// Call is what a door knows about a call beside its parameters.
type Call struct {
	Door    Door
	Client  string // who calls, for people: "zed 1.2", "curl/8.5"; may be empty
	DryRun  bool   // answer what would change, change nothing
	IfMatch string // a strong etag that the section must still have; "" is no precondition
	Repair  bool   // copy a broken file aside and mend it before the write
}

// Writes reports whether the operation changes anything.
func (o Operation) Writes() bool { return o.Effect != "" }

// Has reports whether the operation is reachable through the door.
func (o Operation) Has(door Door) bool { return slices.Contains(o.Doors, door) }

// Input and Output are the types of the parameters and of the answer.
func (o Operation) Input() reflect.Type  { return o.input }
func (o Operation) Output() reflect.Type { return o.output }

// Run decodes the parameters, an object of path parameters, query and body
// merged, and does the operation. Unknown members are refused.
func (o Operation) Run(ctx context.Context, call Call, params []byte) (any, error) {
	if call.DryRun && !o.Writes() {
		return nil, invalid("/dryRun", "means nothing here: the operation only reads")
	}
	return o.run(ctx, call, params)
}

// Encode returns an answer as every door sends it.
func Encode(answer any) ([]byte, error) {
	b, err := json.Marshal(answer, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encoding the answer: %w", err)
	}
	return b, nil
}

// None is the input of operations that take no parameters.
type None struct{}

// Read declares an operation that changes nothing.
func Read[In, Out any](name, path, summary string, do func(context.Context, In) (Out, error)) Operation {
	run := func(ctx context.Context, _ Call, in In) (Out, error) { return do(ctx, in) }
	return operation(name, "GET "+path, summary, "", run)
}

// Write declares an operation that changes something; the route is one or more
// HTTP methods, with commas between, and a path.
func Write[In, Out any](name, route string, effect Effect, summary string, do func(context.Context, Call, In) (Out, error)) Operation {
	return operation(name, route, summary, effect, do)
}

func operation[In, Out any](name, route, summary string, effect Effect, do func(context.Context, Call, In) (Out, error)) Operation {
	methods, path, _ := strings.Cut(route, " ")
	return Operation{
		Name: name, Summary: summary, Methods: strings.Split(methods, ","), Path: path, Effect: effect, Doors: everyDoor,
		input: reflect.TypeFor[In](), output: reflect.TypeFor[Out](),
		run: func(ctx context.Context, call Call, params jsontext.Value) (any, error) {
			var in In
			if err := decode(params, &in); err != nil {
				return nil, err
			}
			return do(ctx, call, in)
		},
	}
}

// decode reads parameters strictly: duplicate and unknown names are errors.
func decode(params jsontext.Value, into any) error {
	if len(params) == 0 {
		params = jsontext.Value("{}")
	}
	err := json.Unmarshal(params, into, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		pointer := string(semantic.JSONPointer)
		if errors.Is(err, json.ErrUnknownName) {
			return invalid(pointer, "is not known here")
		}
		if pointer == "" {
			return invalid("", "the parameters must be one JSON object")
		}
		if member, ok := errors.AsType[*provider.InvalidError](err); ok {
			return invalid(pointer, member.Reason)
		}
		if member, ok := errors.AsType[*InvalidError](err); ok {
			return invalid(pointer, member.Reason)
		}
		return invalid(pointer, "must be "+kindOf(semantic.GoType))
	}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok && errors.Is(err, jsontext.ErrDuplicateName) {
		return invalid(string(syntactic.JSONPointer), "stands there twice")
	}
	return invalid("", "the parameters are not valid JSON")
}

// required refuses a name that is missing or empty.
func required(pointer, value string) error {
	if value == "" {
		return invalid(pointer, "is required")
	}
	return nil
}

// kindOf says for a person what a Go type accepts.
func kindOf(t reflect.Type) string {
	if t == nil {
		return "of another type"
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "an array"
	case reflect.Map, reflect.Struct:
		return "an object"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return "a number"
	}
	return "of another type"
}

// Catalog is the table of operations.
type Catalog struct {
	byName map[string]Operation
	names  []string
}

// NewCatalog gathers operations in the order given; two of one name are a
// mistake in the program.
func NewCatalog(lists ...[]Operation) *Catalog {
	c := &Catalog{byName: map[string]Operation{}}
	for _, list := range lists {
		for _, o := range list {
			if _, twice := c.byName[o.Name]; twice {
				panic("settings: two operations called " + o.Name)
			}
			c.byName[o.Name] = o
			c.names = append(c.names, o.Name)
		}
	}
	return c
}

// Lookup returns the operation of that name.
func (c *Catalog) Lookup(name string) (Operation, bool) {
	o, ok := c.byName[name]
	return o, ok
}

// All lists the operations in the order of the catalog.
func (c *Catalog) All() iter.Seq[Operation] {
	return func(yield func(Operation) bool) {
		for _, name := range c.names {
			if !yield(c.byName[name]) {
				return
			}
		}
	}
}
