package api

import (
	"bytes"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings"
)

// fixedRoutes are the operations of openapi.yaml that no catalog has.
var fixedRoutes = []string{"GET /api/health", "GET /api/instances", "GET /api/quota", "GET /openapi.yaml"}

func TestContractIsTheCopy(t *testing.T) {
	top, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(top, document) {
		t.Error("api/openapi.yaml differs from openapi.yaml: run go generate ./api")
	}
}

func TestContractIsTheCatalog(t *testing.T) {
	var want []string
	doc := closedDocument()
	for _, o := range (&settings.Engine{}).Operations() {
		path := strings.ReplaceAll(o.Path, "...}", "}")
		for _, method := range o.Methods {
			want = append(want, method+" "+path)
		}
		item := doc.Paths.Value(path)
		if item == nil || item.GetOperation(o.Methods[0]) == nil {
			continue // the comparison below tells
		}
		checkOperation(t, o, item.GetOperation(o.Methods[0]))
		for _, method := range o.Methods[1:] {
			sameAs(t, o, item.GetOperation(o.Methods[0]), item.GetOperation(method))
		}
	}
	want = append(want, fixedRoutes...)
	var got []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			got = append(got, method+" "+path)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations of openapi.yaml (-catalog +openapi.yaml):\n%s", diff)
	}
}

func checkOperation(t *testing.T, o settings.Operation, op *openapi3.Operation) {
	t.Helper()
	if want := strings.ReplaceAll(o.Name, "/", "-"); op.OperationID != want {
		t.Errorf("operationId of %s is %q, want %q", o.Name, op.OperationID, want)
	}
	if op.Summary != o.Summary {
		t.Errorf("summary of %s is %q, want %q", o.Name, op.Summary, o.Summary)
	}
	for name, in := range map[string]string{"dryRun": "query", "repair": "query", "If-Match": "header"} {
		if there := op.Parameters.GetByInAndName(in, name) != nil; there != o.Writes() {
			t.Errorf("%s has %s: %v, want %v", o.Name, name, there, o.Writes())
		}
	}
	checkQuery(t, o, op)
	_, tagged := o.Output().MethodByName("Tag")
	if there := op.Parameters.GetByInAndName("header", "If-None-Match") != nil; there != (tagged && !o.Writes()) {
		t.Errorf("%s has If-None-Match: %v", o.Name, there)
	}
	if there := op.Responses.Status(http.StatusNotModified) != nil; there != (tagged && !o.Writes()) {
		t.Errorf("%s answers 304: %v", o.Name, there)
	}
	answers := op.Responses.Status(http.StatusOK).Value.Content.Get("application/json")
	sameMembers(t, o.Name+" answer", o.Output(), answers.Schema.Value)
	if op.RequestBody != nil {
		body := op.RequestBody.Value.Content.Get("application/json").Schema.Value
		sameMembers(t, o.Name+" body", o.Input(), body, pathParameters(o)...)
		if strict := body.AdditionalProperties.Has; !slices.Contains(openBodies, o.Name) && (strict == nil || *strict) {
			t.Errorf("the body of %s is not strict", o.Name)
		}
	}
	if needs := slices.ContainsFunc(o.Methods, isWrite); needs != (op.RequestBody != nil) {
		t.Errorf("%s has a body: %v, want %v", o.Name, op.RequestBody != nil, needs)
	}
}

// openBodies are those whose members the domain judges, in better words.
var openBodies = []string{"mcp/upsert", "config/set"}

// checkQuery compares the members of a read that stand in no path with its query.
func checkQuery(t *testing.T, o settings.Operation, op *openapi3.Operation) {
	t.Helper()
	want := []string{"dryRun", "repair"}
	if !o.Writes() || o.Methods[0] == http.MethodDelete { // which has no body
		if !o.Writes() {
			want = nil
		}
		for name := range jsonFields(o.Input()) {
			if !slices.Contains(pathParameters(o), name) {
				want = append(want, name)
			}
		}
	}
	var got []string
	for _, p := range op.Parameters {
		if p.Value.In == openapi3.ParameterInQuery {
			got = append(got, p.Value.Name)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("query of %s (-input +openapi.yaml):\n%s", o.Name, diff)
	}
}

// sameAs makes sure that a second method of an operation is described like the
// first.
func sameAs(t *testing.T, o settings.Operation, first, other *openapi3.Operation) {
	t.Helper()
	if other == nil {
		return // the comparison of all methods tells
	}
	body := func(op *openapi3.Operation) *openapi3.Schema {
		return op.RequestBody.Value.Content.Get("application/json").Schema.Value
	}
	if other.Summary != first.Summary || body(other) != body(first) || len(other.Parameters) != len(first.Parameters) {
		t.Errorf("the methods of %s are described differently", o.Name)
	}
	for status, response := range first.Responses.Map() {
		if got := other.Responses.Value(status); got == nil || got.Value != response.Value {
			t.Errorf("%s of %s is described for one method only", status, o.Name)
		}
	}
}

func pathParameters(o settings.Operation) []string {
	var names []string
	for _, p := range parameter.FindAllStringSubmatch(o.Path, -1) {
		names = append(names, p[1])
	}
	return names
}

// sameMembers compares the members of a type with those of a schema, all the
// way down.
func sameMembers(t *testing.T, at string, of reflect.Type, schema *openapi3.Schema, but ...string) {
	t.Helper()
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch {
	case of == reflect.TypeFor[jsontext.Value](), strings.Contains(of.Name(), "Optional["):
	case of.Kind() == reflect.Slice && schema.Items != nil:
		sameMembers(t, at+"[]", of.Elem(), schema.Items.Value)
	case of.Kind() == reflect.Struct && len(schema.Properties) > 0:
		fields := jsonFields(of)
		if _, free := fields[""]; free {
			return // an embedded value holds the members, the domain judges them
		}
		for name, field := range fields {
			property := schema.Properties[name]
			switch {
			case slices.Contains(but, name):
			case property == nil:
				t.Errorf("%s: openapi.yaml does not describe %q", at, name)
			default:
				sameMembers(t, at+"."+name, field, property.Value)
			}
		}
		for name := range schema.Properties {
			if fields[name] == nil {
				t.Errorf("%s: openapi.yaml describes %q, which the type does not have", at, name)
			}
		}
	}
}

// jsonFields are the members that a struct is encoded with; "" is one that holds
// the others.
func jsonFields(of reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(of) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && (!f.Anonymous || name != "") && (name != "" || options == "embed") {
			fields[name] = f.Type
		}
	}
	return fields
}

func TestContractDescribesEverything(t *testing.T) {
	doc := closedDocument()
	if err := doc.Validate(t.Context()); err != nil {
		t.Errorf("openapi.yaml: %v", err)
	}
	for name, schema := range doc.Components.Schemas {
		if schema.Value.Description == "" {
			t.Errorf("%s has no description", name)
		}
		for property, ref := range schema.Value.Properties {
			if ref.Value.Description == "" {
				t.Errorf("%s.%s has no description", name, property)
			}
		}
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			checkExamples(t, method+" "+path, op)
		}
	}
}

// checkExamples makes sure that each body has an example and that it is right.
func checkExamples(t *testing.T, at string, op *openapi3.Operation) {
	t.Helper()
	if op.RequestBody != nil {
		media := op.RequestBody.Value.Content.Get("application/json")
		if err := checkExample(media); err != nil {
			t.Errorf("%s body: %v", at, err)
		}
	}
	for status, response := range op.Responses.Map() {
		for kind, media := range response.Value.Content {
			if err := checkExample(media); err != nil {
				t.Errorf("%s %s %s: %v", at, status, kind, err)
			}
		}
	}
}

func checkExample(media *openapi3.MediaType) error {
	if media.Example == nil {
		return errNoExample
	}
	return media.Schema.Value.VisitJSON(media.Example)
}

var errNoExample = refusal{reason: "has no example"}

func TestContractKnowsEveryCode(t *testing.T) {
	want := []string{
		"body_too_large", "unauthorized", "forbidden_host", "forbidden_origin",
		"unsupported_media_type", "unknown_route", "method_not_allowed",
	}
	for code := range statuses {
		want = append(want, string(code))
	}
	var got []string
	for _, code := range closedDocument().Components.Schemas["Code"].Value.Enum {
		got = append(got, code.(string))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("codes (-code +openapi.yaml):\n%s", diff)
	}
}
