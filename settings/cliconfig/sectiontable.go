package cliconfig

import (
	"fmt"
	"slices"
	"strings"
)

// generalSection is a top-level member that no other operation covers. Its rule
// is the one in sections.
type generalSection struct {
	name   string
	fields []generalField
}

// generalField is a member that ZCode knows in a section.
type generalField struct {
	name     string
	kind     FieldType
	values   []string // what its rule allows, for enumerations
	fallback string   // ZCode's default as JSON, "" when it has none
	warning  string   // what a change of it does beyond the setting
}

// FieldType is the kind of value that a member of a section takes.
type FieldType string

// The types of members.
const (
	BooleanField FieldType = "boolean"
	NumberField  FieldType = "number"
	StringField  FieldType = "string"
	StringsField FieldType = "strings" // an array of strings
	UnknownField FieldType = "unknown" // a member that ZCode drops when it reads the file
)

var generalSections = []generalSection{
	{"permission", []generalField{
		{name: "mode", kind: StringField, values: []string{"plan", "build", "edit", "yolo", "auto"}, fallback: `"build"`},
		{name: "allowedTools", kind: StringsField},
		{name: "disallowedTools", kind: StringsField},
		{name: "autoApproveHighRisk", kind: BooleanField},
		{name: "allowMediumRiskInAuto", kind: BooleanField},
	}},
	{"ui", []generalField{
		{name: "locale", kind: StringField, values: []string{"auto", "en-US", "zh-CN"}, fallback: `"en-US"`},
		{name: "theme", kind: StringField, values: []string{"auto", "dark", "light"}, fallback: `"auto"`},
	}},
	{"network", []generalField{
		{name: "httpProxy", kind: StringField},
		{name: "noProxy", kind: StringField},
		{name: "caCertFile", kind: StringField},
		{name: "timeout", kind: NumberField, fallback: "180000"},
	}},
	{"features", []generalField{
		{name: "compact", kind: BooleanField, fallback: "true"},
		{name: "rewind", kind: BooleanField, fallback: "true"},
		{name: "subagent", kind: BooleanField, fallback: "true"},
		{name: "memory", kind: BooleanField, fallback: "true"},
		{name: "skill", kind: BooleanField, fallback: "true"},
		{name: "mcp", kind: BooleanField, fallback: "true"},
	}},
	{"memory", []generalField{
		{name: "use", kind: BooleanField, fallback: "true"},
	}},
	{"logging", []generalField{
		{name: "level", kind: StringField, values: []string{"debug", "info", "warn", "error"}, fallback: `"info"`},
		{name: "format", kind: StringField, values: []string{"text", "json"}},
	}},
	{"toolConcurrency", []generalField{
		{name: "maxConcurrency", kind: NumberField, fallback: "10"},
	}},
	{"modelStream", []generalField{
		{name: "idleTimeoutMs", kind: NumberField, fallback: "600000"},
	}},
	{"modelAnomalyGuard", []generalField{
		{name: "toolCallWarningThreshold", kind: NumberField},
		{name: "repeatedToolCallWarningThreshold", kind: NumberField, fallback: "3"},
		{name: "maxBudgetWarningsPerTurn", kind: NumberField, fallback: "3"},
	}},
	{"storage", []generalField{
		{name: "dir", kind: StringField, fallback: `"~/.zcode"`, warning: "storage.dir moves the folder in which ZCode looks for agents, " +
			"plugins and the trust of hooks: what is in the present folder is not taken along, so move it yourself"},
		{name: "sessionDbPath", kind: StringField, fallback: `"~/.zcode/cli/db/db.sqlite"`, warning: "storage.sessionDbPath names another database of sessions and usage: " +
			"what is in the present one is not taken along, so move the file yourself while ZCode is closed"},
	}},
}

// SectionNames returns the names of the sections that [SectionOf] and
// [SetSection] know.
func SectionNames() []string {
	names := make([]string, len(generalSections))
	for i, s := range generalSections {
		names[i] = s.name
	}
	return names
}

// findSection returns the section of that name.
func findSection(name string) (generalSection, error) {
	for _, s := range generalSections {
		if s.name == name {
			return s, nil
		}
	}
	return generalSection{}, unknownSection(name)
}

func (s generalSection) field(name string) (generalField, bool) {
	i := slices.IndexFunc(s.fields, func(f generalField) bool { return f.name == name })
	if i < 0 {
		return generalField{}, false
	}
	return s.fields[i], true
}

// names lists the members for sentences.
func (s generalSection) names() string {
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

// unknownSection is the error for a section that is not one of [SectionNames].
type unknownSection string

func (name unknownSection) Error() string {
	return fmt.Sprintf("section %q is none of the general settings: name one of %s", string(name), strings.Join(SectionNames(), ", "))
}

func (unknownSection) Unwrap() error { return ErrUnknown }
