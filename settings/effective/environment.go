package effective

import (
	"math"
	"strconv"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// Variable is an environment variable of ZCode that is a setting.
type Variable struct {
	Name    string // ZCODE_HTTP_PROXY
	Section string
	Field   string
}

// variable is how ZCode reads one.
type variable struct {
	names          []string // the first that is set counts
	section, field string
	read           func(text string) []byte
}

// variables are those that the CLI reads.
var variables = []variable{
	{[]string{"ZCODE_HTTP_PROXY"}, "network", "httpProxy", jsonedit.Quote},
	{[]string{"ZCODE_NO_PROXY"}, "network", "noProxy", jsonedit.Quote},
	{[]string{"ZCODE_AGENT_CA_CERT"}, "network", "caCertFile", jsonedit.Quote},
	{[]string{"ZCODE_HTTP_TIMEOUT", "ZCODE_TIMEOUT"}, "network", "timeout", number},
	{[]string{"ZCODE_LOG_FORMAT"}, "logging", "format", logFormat},
	{[]string{"ZCODE_MAX_TOOL_CONCURRENCY"}, "toolConcurrency", "maxConcurrency", number},
	{[]string{"ZCODE_STORAGE_DIR"}, "storage", "dir", jsonedit.Quote},
	{[]string{"ZCODE_SESSION_DB_PATH", "ZCODE_SESSION_DB"}, "storage", "sessionDbPath", jsonedit.Quote},
}

// Variables is the layer of the environment variables that getenv knows, and
// which of them count; a blank one is unset.
func Variables(getenv func(string) string) (Layer, []Variable) {
	var set []Variable
	var order []string
	sections := map[string][]byte{}
	for _, v := range variables {
		name, value := v.find(getenv)
		if value == "" {
			continue
		}
		set = append(set, Variable{name, v.section, v.field})
		if sections[v.section] == nil {
			order, sections[v.section] = append(order, v.section), []byte("{")
		}
		sections[v.section] = appendMember(sections[v.section], v.field, v.read(value))
	}
	text := []byte("{")
	for _, section := range order {
		text = appendMember(text, section, append(sections[section], '}'))
	}
	return Layer{Name: Environment, Doc: parse(append(text, '}'))}, set
}

// find returns the first of the names that is set, and its value.
func (v variable) find(getenv func(string) string) (name, value string) {
	for _, name := range v.names {
		if value := strings.TrimSpace(getenv(name)); value != "" {
			return name, value
		}
	}
	return "", ""
}

// number is what ZCode makes of a variable that should be one: 0 when it is not.
func number(text string) []byte {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		f = 0
	}
	return strconv.AppendFloat(nil, f, 'f', -1, 64)
}

// logFormat takes any other word for text, as ZCode does.
func logFormat(text string) []byte {
	if text != "json" {
		text = "text"
	}
	return jsonedit.Quote(text)
}
