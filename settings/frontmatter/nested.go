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

// allowance is what aliases may still multiply a value to.
type allowance struct {
	nodes int
	bytes *int // of all keys together, about as JSON has them; nil for any number
}

// NestedWithin is [Doc.Nested] for callers that show many keys: aliases can make
// each of them as large as the whole block is. left is the number of bytes, about
// those of JSON, that all values together may still have. A value that has more
// is not returned, and leaves left below 0.
func (d *Doc) NestedWithin(key string, left *int) (value any, ok bool) {
	f, ok := d.field(key)
	if !ok {
		return nil, false
	}
	return plainNode(f.value, &allowance{mostNodes, left})
}

// SameKeys reports whether YAML can read the block and sees the very keys that
// ZCode does, each on the same line and none twice.
func (d *Doc) SameKeys() bool {
	if d.yaml.err != nil || len(d.yaml.fields) != len(d.entries) {
		return false
	}
	for _, e := range d.entries {
		if _, _, ok := d.yaml.at(e.Key, e.Line); !ok {
			return false
		}
	}
	return true
}

// field returns the key that YAML sees, where it can read the block.
func (d *Doc) field(key string) (field, bool) {
	if d.yaml.err != nil {
		return field{}, false
	}
	for _, f := range d.yaml.fields {
		if f.key.Value == key {
			return f, true
		}
	}
	return field{}, false
}

// plainValue turns a node into types that encode to JSON.
func plainValue(n *yaml.Node) (value any, ok bool) {
	return plainNode(n, &allowance{nodes: mostNodes})
}

// take reports whether there is room for one more node, which has a text.
func (a *allowance) take(text string) bool {
	const around = 4 // a comma or colon, quotes or brackets
	a.nodes--
	if a.bytes != nil {
		*a.bytes -= len(text) + around
	}
	return a.nodes >= 0 && (a.bytes == nil || *a.bytes >= 0)
}

func plainNode(n *yaml.Node, left *allowance) (value any, ok bool) {
	if !left.take(n.Value) {
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
			_, again := members[f.key.Value] // as 1 and "1" are for YAML
			if f.key.Kind != yaml.ScalarNode || again || !left.take(f.key.Value) {
				return nil, false
			}
			v, ok := plainNode(f.value, left)
			if !ok {
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
