package cliconfig

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// knownFields are ZCode's members, each with its type and its default.
var knownFields = map[string][]string{
	"permission": {
		`mode string "build"`, `allowedTools strings null`, `disallowedTools strings null`,
		`autoApproveHighRisk boolean null`, `allowMediumRiskInAuto boolean null`,
	},
	"ui":                {`locale string "en-US"`, `theme string "auto"`},
	"network":           {`httpProxy string null`, `noProxy string null`, `caCertFile string null`, `timeout number 180000`},
	"features":          {`compact boolean true`, `rewind boolean true`, `subagent boolean true`, `memory boolean true`, `skill boolean true`, `mcp boolean true`},
	"memory":            {`use boolean true`},
	"logging":           {`level string "info"`, `format string null`},
	"toolConcurrency":   {`maxConcurrency number 10`},
	"modelStream":       {`idleTimeoutMs number 600000`},
	"modelAnomalyGuard": {`toolCallWarningThreshold number null`, `repeatedToolCallWarningThreshold number 3`, `maxBudgetWarningsPerTurn number 3`},
	"storage":           {`dir string "~/.zcode"`, `sessionDbPath string "~/.zcode/cli/db/db.sqlite"`},
}

func section(t *testing.T, file, name string) Section {
	t.Helper()
	s, err := SectionOf(parse(t, file), name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSectionsAreZCodes(t *testing.T) {
	names := SectionNames()
	if diff := cmp.Diff(slices.Sorted(maps.Keys(knownFields)), slices.Sorted(slices.Values(names))); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	for _, name := range names {
		var got []string
		for _, f := range section(t, `{}`, name).Fields {
			fallback := "null"
			if f.Default != nil {
				fallback = string(f.Default)
			}
			got = append(got, f.Name+" "+string(f.Type)+" "+fallback)
			if f.Set || f.Value != nil || f.Problem != "" {
				t.Errorf("%s.%s of an empty file is %+v", name, f.Name, f)
			}
		}
		if diff := cmp.Diff(knownFields[name], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	others := []string{"$schema", "mcp", "plugins", "skills", "skill", "command", "hooks"}
	for name := range sections {
		if slices.Contains(names, name) == slices.Contains(others, name) {
			t.Errorf("section %s has rules, but is it general or not?", name)
		}
	}
}

// TestFieldsFollowTheRules holds types, values and defaults of the table against
// the rules by which ZCode takes or ignores the file.
func TestFieldsFollowTheRules(t *testing.T) {
	samples := map[FieldType][]string{
		BooleanField: {`true`, `false`},
		NumberField:  {`1`, `5`},
		StringField:  {`"x"`},
		StringsField: {`[]`, `["x"]`},
	}
	for _, s := range generalSections {
		for _, f := range s.fields {
			accepts := func(value string) bool {
				return len(schema.Check(parse(t, `{"`+f.name+`":`+value+`}`).Root(), sections[s.name])) == 0
			}
			if f.fallback != "" && !accepts(f.fallback) {
				t.Errorf("%s.%s refuses its own default", s.name, f.name)
			}
			for kind, values := range samples {
				if kind == StringField && len(f.values) > 0 {
					continue
				}
				for _, value := range values {
					if want := kind == f.kind; accepts(value) != want {
						t.Errorf("%s.%s takes %s: %v, want %v", s.name, f.name, value, !want, want)
					}
				}
			}
			for _, value := range f.values {
				if !accepts(`"` + value + `"`) {
					t.Errorf("%s.%s refuses %q", s.name, f.name, value)
				}
			}
			if len(f.values) > 0 {
				_, _, err := SetSection(New(), s.name, parse(t, `{"`+f.name+`":"x"}`).Root())
				want := "setting a section: /" + f.name + " must be one of " + strings.Join(f.values, ", ")
				if err == nil || err.Error() != want {
					t.Errorf("got %v, want %s", err, want)
				}
			}
		}
	}
}

func TestSectionOf(t *testing.T) {
	tests := []struct {
		name, file, section string
		set, problem        string
		fields              map[string]string // value, then the problem
	}{
		{name: "no section", file: `{}`, section: "ui"},
		{name: "no object", file: `[1]`, section: "ui"},
		{name: "empty", file: `{"ui":{}}`, section: "ui", set: `{}`},
		{name: "set", file: `{"ui": {"theme" : "dark"}}`, section: "ui", set: `{"theme":"dark"}`, fields: map[string]string{"theme": `"dark"`}},
		{
			name: "wrong kind", file: `{"ui":"dark"}`, section: "ui", set: `"dark"`,
			problem: "must be an object, so ZCode ignores the whole file",
		},
		{
			name: "wrong values", file: `{"network":{"timeout":0,"noProxy":["a"]}}`, section: "network", set: `{"timeout":0,"noProxy":["a"]}`,
			fields: map[string]string{
				"timeout": `0 must be a number above 0, so ZCode ignores the whole file`,
				"noProxy": `["a"] must be a string that is not empty, so ZCode ignores the whole file`,
			},
		},
		{
			name: "mode of a newer ZCode", file: `{"permission":{"mode":"guarded","allowedTools":["Read",1]}}`, section: "permission",
			set: `{"mode":"guarded","allowedTools":["Read",1]}`,
			fields: map[string]string{
				"mode":         `"guarded" is a mode that ZCode knows from 3.15.1 on: 3.14 ignores this file, so ZCode ignores the whole file`,
				"allowedTools": `["Read",1] must be a string, so ZCode ignores the whole file`,
			},
		},
		{
			name: "unknown member", file: `{"ui":{"font":"mono","theme":"light"}}`, section: "ui", set: `{"font":"mono","theme":"light"}`,
			fields: map[string]string{"theme": `"light"`, "font": `"mono" is not known to ZCode, which drops it: remove it`},
		},
		{
			name: "secrets", section: "network",
			file: `{"network":{"httpProxy":"http://u:p@proxy:8080","caCertFile":"/etc/ca.pem","apiKey":"K1","deep":{"token":7,"env":{"A":"K2"},"args":["--token","K3"]}}}`,
			set:  `{"httpProxy":"http://********@proxy:8080","caCertFile":"/etc/ca.pem","apiKey":"********","deep":{"token":"********","env":{"A":"********"},"args":["--token","********"]}}`,
			fields: map[string]string{
				"httpProxy": `"http://********@proxy:8080"`, "caCertFile": `"/etc/ca.pem"`,
				"apiKey": `"********" is not known to ZCode, which drops it: remove it`,
				"deep":   `{"token":"********","env":{"A":"********"},"args":["--token","********"]} is not known to ZCode, which drops it: remove it`,
			},
		},
		{
			name: "proxy without a scheme", section: "network",
			file:   `{"network":{"httpProxy":"user:K93mxq@proxy:8080"}}`,
			set:    `{"httpProxy":"********@proxy:8080"}`,
			fields: map[string]string{"httpProxy": `"********@proxy:8080"`},
		},
		{
			name: "proxies that ZCode does not know", section: "network",
			file: `{"network":{"httpProxy":"K93mxq:@proxy:8080","httpsProxy":"user:K93mxq@proxy:8080","noProxy":"a,b","deep":{"ftpProxy":"user:K93mxq@proxy"}}}`,
			set:  `{"httpProxy":"********@proxy:8080","httpsProxy":"********@proxy:8080","noProxy":"a,b","deep":{"ftpProxy":"********@proxy"}}`,
			fields: map[string]string{
				"httpProxy": `"********@proxy:8080"`, "noProxy": `"a,b"`,
				"httpsProxy": `"********@proxy:8080" is not known to ZCode, which drops it: remove it`,
				"deep":       `{"ftpProxy":"********@proxy"} is not known to ZCode, which drops it: remove it`,
			},
		},
		{
			name: "proxy of the wrong kind", section: "network",
			file:   `{"network":{"httpProxy":["http://u:p@proxy"]}}`,
			set:    `{"httpProxy":["http://********@proxy"]}`,
			fields: map[string]string{"httpProxy": `["http://********@proxy"] must be a string that is not empty, so ZCode ignores the whole file`},
		},
		{
			name: "numbers and escapes", section: "modelStream",
			file: `{"modelStream":{"idleTimeoutMs":6.0e5,"a":1e400,"\ud800":"\udfff\u00e9"}}`,
			set:  "{\"idleTimeoutMs\":6.0e5,\"a\":1e400,\"\ufffd\":\"\ufffdé\"}",
			fields: map[string]string{
				"idleTimeoutMs": `6.0e5`, "a": `1e400 is not known to ZCode, which drops it: remove it`,
				"\ufffd": "\"\ufffdé\" is not known to ZCode, which drops it: remove it",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := section(t, tt.file, tt.section)
			if string(s.Set) != tt.set || s.Problem != tt.problem {
				t.Errorf("set %s, problem %q, want %s, %q", s.Set, s.Problem, tt.set, tt.problem)
			}
			got := map[string]string{}
			for _, f := range s.Fields {
				if f.Set {
					got[f.Name] = strings.TrimSpace(string(f.Value) + " " + f.Problem)
				}
			}
			if diff := cmp.Diff(tt.fields, got); len(tt.fields)+len(got) > 0 && diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSectionAsJSON wants what clients read from either encoder, whatever the
// file holds.
func TestSectionAsJSON(t *testing.T) {
	deep := strings.Repeat("[", 9000) + "1" + strings.Repeat("]", 9000)
	shown := strings.Repeat("[", 64) + `"********"` + strings.Repeat("]", 64)
	for file, want := range map[string]string{
		`{}`:                      `{"name":"memory","set":null,"fields":[{"name":"use","type":"boolean","default":true,"set":false}]}`,
		`{"memory":{"use":1}}`:    `{"name":"memory","set":{"use":1},"fields":[{"name":"use","type":"boolean","default":true,"value":1,"set":true,"problem":"must be true or false, so ZCode ignores the whole file"}]}`,
		`{"memory":"\ud800"}`:     "{\"name\":\"memory\",\"set\":\"\ufffd\",\"fields\":[{\"name\":\"use\",\"type\":\"boolean\",\"default\":true,\"set\":false}],\"problem\":\"must be an object, so ZCode ignores the whole file\"}",
		`{"memory":` + deep + `}`: `{"name":"memory","set":` + shown + `,"fields":[{"name":"use","type":"boolean","default":true,"set":false}],"problem":"must be an object, so ZCode ignores the whole file"}`,
	} {
		s := section(t, file, "memory")
		for name, encode := range map[string]func(any) ([]byte, error){
			"json":   json.Marshal,
			"jsonv2": func(v any) ([]byte, error) { return jsonv2.Marshal(v) },
		} {
			got, err := encode(s)
			if err != nil || string(got) != want {
				t.Errorf("%s of %.40s: %v\n got %.400s\nwant %s", name, file, err, got, want)
			}
		}
	}
}

func TestSectionsArePrivate(t *testing.T) {
	s := section(t, `{}`, "ui")
	s.Fields[0].Values[0], s.Fields[0].Default[1] = "x", 'x'
	if got := section(t, `{}`, "ui").Fields[0]; got.Values[0] != "auto" || string(got.Default) != `"en-US"` {
		t.Errorf("a caller changed the table: %+v", got)
	}
}

func TestUnknownSections(t *testing.T) {
	for _, name := range []string{"", "mcp", "hooks", "UI", "$schema"} {
		_, err := SectionOf(New(), name)
		_, _, errSet := SetSection(New(), name, parse(t, `{"theme":"dark"}`).Root())
		for _, err := range []error{err, errSet} {
			if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "permission, ui, network") {
				t.Errorf("%q: got %v, want an unknown section and the known ones", name, err)
			}
		}
	}
}

// sendSectionBack sets a section to what it shows.
func sendSectionBack(t testing.TB, d *jsonedit.Doc, name string) *jsonedit.Doc {
	t.Helper()
	s, err := SectionOf(d, name)
	if err != nil {
		t.Fatal(err)
	}
	got, notes, err := SetSection(d, name, parse(t, string(jsontext.Value(s.Set))).Root())
	if err != nil || len(notes) > 0 {
		t.Fatalf("sending %s back: %v, notes %q", s.Set, err, notes)
	}
	return got
}
