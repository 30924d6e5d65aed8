package agents

import (
	"regexp"
	"slices"
	"strings"

	"zcode-acp/settings/frontmatter"
)

// Warning is something in an agent file that does not do what it seems to.
type Warning struct {
	Line   int    `json:"line"` // in the file, from 1
	Key    string `json:"key"`
	Reason string `json:"reason"` // never holds the value
}

// mostAlike is how many lines are told of with one reason; the others would say
// the same.
const mostAlike = 100

// warnings looks at what counts of each key, and at every key that stands twice.
func warnings(doc *frontmatter.Doc) []Warning {
	var list []Warning
	duplicates := doc.Duplicates()
	for _, e := range duplicates[:min(len(duplicates), mostAlike)] {
		list = append(list, Warning{e.Line, e.Key, "stands twice: ZCode reads the last one, YAML refuses the file; remove one of the lines"})
	}
	entries := doc.Entries()
	last := make(map[string]int, len(entries))
	for _, e := range entries {
		last[e.Key] = e.Line
	}
	for _, e := range entries {
		if last[e.Key] != e.Line {
			continue
		}
		for _, reason := range judge(doc, e) {
			list = append(list, Warning{e.Line, e.Key, reason})
		}
	}
	return list
}

func inFileOrder(list []Warning) []Warning {
	slices.SortStableFunc(list, func(a, b Warning) int { return a.Line - b.Line })
	return list
}

// judge returns what is to be told about a key; ZCode looks at the known ones
// alone.
func judge(doc *frontmatter.Doc, e frontmatter.Entry) []string {
	f, known := findField(e.Key)
	if !known || e.Value.Kind() == frontmatter.Null && e.Key != "mcpServers" {
		return nil
	}
	if isBlockScalar(e) {
		return []string{"is a block of lines, of which ZCode reads only the sign on the first: write the text on one line"}
	}
	var reasons []string
	if f.judge != nil {
		if reason := f.judge(e.Value); reason != "" {
			reasons = append(reasons, reason)
		}
	}
	if e.Key == "mcpServers" && !namesOnly(doc, e.Value) {
		reasons = append(reasons, "is no list of plain names: ZCode's command line rejects the whole agent (agent_invalid_mcp_servers); "+
			"configure the servers in cli/config.json and name them here")
	}
	if multiplies(e) {
		reasons = append(reasons, `holds a backslash or a double quote: ZCode's desktop app adds a backslash to it at each save; avoid it`)
	}
	return reasons
}

var blockSign = regexp.MustCompile(`^[|>][-+0-9]*$`)

func isBlockScalar(e frontmatter.Entry) bool {
	return e.Differs && blockSign.MatchString(e.Value.Text())
}

// multiplies reports whether a text grows when the desktop app escapes what its
// reader never turns back.
func multiplies(e frontmatter.Entry) bool {
	texts := append(e.Value.List(), e.Value.Text())
	if e.Key == "description" {
		texts = []string{e.Value.Multiline()}
	}
	return slices.ContainsFunc(texts, func(s string) bool { return strings.ContainsAny(s, `\"`) })
}

// namesOnly reports whether the command line takes the value of mcpServers.
func namesOnly(doc *frontmatter.Doc, v frontmatter.Value) bool {
	left := mostNested
	nested, ok := doc.NestedWithin("mcpServers", &left)
	if !ok {
		return v.Kind() == frontmatter.Null || v.Kind() == frontmatter.Text || plainNames(v)
	}
	switch nested := nested.(type) {
	case nil, string:
		return true
	case []any:
		return !slices.ContainsFunc(nested, func(item any) bool { _, isText := item.(string); return !isText })
	}
	return false
}
