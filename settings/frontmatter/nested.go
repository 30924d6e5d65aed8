package frontmatter

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// mostNodes bounds what aliases may multiply a value to.
const mostNodes = 100_000

// plainValue turns a node into types that encode to JSON.
func plainValue(n *yaml.Node) (value any, ok bool) {
	left := mostNodes
	return plainNode(n, &left)
}

func plainNode(n *yaml.Node, left *int) (value any, ok bool) {
	if *left--; *left < 0 {
		return nil, false
	}
	switch n.Kind {
	case yaml.AliasNode:
		return plainNode(n.Alias, left)
	case yaml.SequenceNode:
		list := make([]any, 0, len(n.Content))
		for _, c := range n.Content {
			v, ok := plainNode(c, left)
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	case yaml.MappingNode:
		members := make(map[string]any, len(n.Content)/2)
		for _, f := range fieldsOf(n) {
			v, ok := plainNode(f.value, left)
			if !ok || f.key.Kind != yaml.ScalarNode {
				return nil, false
			}
			members[f.key.Value] = v
		}
		return members, true
	}
	return plainScalar(n), true
}

// plainScalar leaves dates, and numbers that JSON has not, as texts.
func plainScalar(n *yaml.Node) any {
	var v any
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool", "!!int", "!!float":
		if n.Decode(&v) != nil {
			return n.Value
		}
	}
	switch v := v.(type) {
	case bool, int64, uint64:
		return v
	case int:
		return int64(v)
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v
		}
	}
	return n.Value
}

// reads reports whether YAML reads a node as the value. A text of several lines
// may be read with its newlines or with the literal `\n` that stand for them.
func (v Value) reads(n *yaml.Node) bool {
	switch v.kind {
	case Null:
		return n.Tag == "!!null" || n.Kind == yaml.SequenceNode && len(n.Content) == 0
	case Text:
		return n.Kind == yaml.ScalarNode && n.Tag == "!!str" && (n.Value == v.text || n.Value == v.stored())
	case Bool:
		return n.Tag == "!!bool" && n.Value == strconv.FormatBool(v.bool)
	case Int:
		return n.Kind == yaml.ScalarNode && plainScalar(n) == any(v.int)
	case List:
		if n.Kind != yaml.SequenceNode || len(n.Content) != len(v.items) {
			return false
		}
		for i, item := range v.items {
			if !item.reads(n.Content[i]) {
				return false
			}
		}
		return true
	}
	got, ok := plainValue(n)
	return ok && sameJSON(got, v.Any())
}

func sameJSON(values ...any) bool {
	var decoded [2]any
	for i, v := range values {
		text, err := json.Marshal(v)
		if err != nil || json.Unmarshal(text, &decoded[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(decoded[0], decoded[1])
}

// compare finds the entries that YAML reads differently.
func (d *Doc) compare() {
	if d.yaml.err != nil {
		return
	}
	for i := range d.entries {
		e := &d.entries[i]
		f, _, ok := d.yaml.at(e.Key, e.Line)
		e.Differs = !ok || f.value.Kind == yaml.AliasNode || !e.Value.reads(f.value)
	}
}
