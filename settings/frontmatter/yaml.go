package frontmatter

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yamlBlock is what YAML reads of a block.
type yamlBlock struct {
	err    error   // why it cannot
	parsed bool    // fields are all there, even when a key stands twice
	flow   bool    // the whole block stands in braces
	fields []field // top level, in file order
	line   map[int]int
}

// field is one key of a mapping. Lines are those of the file.
type field struct{ key, value *yaml.Node }

// readBlock reads a block. The opening fence goes before it, so that lines count
// as in the file and a message about the first line has one.
func readBlock(block []byte) yamlBlock {
	decoder := yaml.NewDecoder(bytes.NewReader(append([]byte(fence+"\n"), block...)))
	var doc, more yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		return yamlBlock{err: problemOf(err)}
	}
	if err := decoder.Decode(&more); err == nil {
		return yamlBlock{err: fmt.Errorf("line %d begins a second YAML document: put quotes around the --- or take it out", more.Line)}
	} else if !errors.Is(err, io.EOF) {
		return yamlBlock{err: problemOf(err)}
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" && root.Value == "" {
		return yamlBlock{parsed: true}
	}
	if root.Kind != yaml.MappingNode {
		return yamlBlock{err: fmt.Errorf("line %d is no key with a colon: write `key: value`", root.Line)}
	}
	b := yamlBlock{parsed: true, flow: root.Style&yaml.FlowStyle != 0, fields: fieldsOf(root), line: map[int]int{}}
	for i, f := range b.fields {
		b.line[f.key.Line] = i
	}
	b.err = repeated(root)
	return b
}

func fieldsOf(mapping *yaml.Node) []field {
	fields := make([]field, 0, len(mapping.Content)/2)
	for i := 1; i < len(mapping.Content); i += 2 {
		fields = append(fields, field{mapping.Content[i-1], mapping.Content[i]})
	}
	return fields
}

// at returns the field that begins on a line of the file.
func (b *yamlBlock) at(key string, line int) (f field, i int, ok bool) {
	i, ok = b.line[line]
	if !ok || b.flow || b.fields[i].key.Value != key || b.fields[i].key.Column != 1 {
		return field{}, 0, false
	}
	return b.fields[i], i, true
}

// syntaxProblem is what the library says of a block. Its line is not told: for
// some problems it is where the whole block begins.
type syntaxProblem string

func (p syntaxProblem) Error() string { return string(p) }

// problemOf takes the library's words apart, and leaves out the name of an
// anchor, which is a part of the file.
func problemOf(err error) syntaxProblem {
	problem := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(problem, "line "); ok {
		if _, after, ok := strings.Cut(rest, ": "); ok {
			problem = after
		}
	}
	switch {
	case strings.HasPrefix(problem, "unknown anchor"):
		return "an alias (*name) has no anchor (&name): put quotes around the value"
	case strings.HasPrefix(problem, "mapping values are not allowed"):
		return "a value with a colon and a space in it needs quotes around it"
	}
	return syntaxProblem(problem + ": check the quotes and the indentation there")
}

// mostLines bounds the blocks whose broken line is searched for.
const mostLines = 500

// Unreadable tells why YAML cannot read the block, with the line in the file;
// nil when it can. ZCode reads such a block line by line all the same.
func (d *Doc) Unreadable() error {
	var problem syntaxProblem
	if !errors.As(d.yaml.err, &problem) {
		return d.yaml.err
	}
	for good := len(d.lines) - 1; good >= 0 && good < mostLines; good-- {
		if !errors.As(readBlock(d.text[d.lines[0].start:d.lines[good].start]).err, new(syntaxProblem)) {
			return fmt.Errorf("YAML cannot read line %d: %w", good+2, problem)
		}
	}
	return fmt.Errorf("YAML cannot read the block: %w", problem)
}

// repeated finds a key that stands twice in one mapping, at any depth.
func repeated(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		seen := make(map[string]bool, len(n.Content)/2)
		for _, f := range fieldsOf(n) {
			if f.key.Kind != yaml.ScalarNode {
				continue
			}
			id := f.key.Tag + " " + f.key.Value
			if seen[id] {
				return fmt.Errorf("YAML cannot read the block: the key on line %d stands on an earlier line too: take one out", f.key.Line)
			}
			seen[id] = true
		}
	}
	for _, c := range n.Content {
		if err := repeated(c); err != nil {
			return err
		}
	}
	return nil
}

// same reports whether two nodes say the same. An alias is its name: what it
// leads to is not looked at.
func same(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Tag != b.Tag || a.Value != b.Value || a.Anchor != b.Anchor || len(a.Content) != len(b.Content) {
		return false
	}
	for i := range a.Content {
		if !same(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// marked reports whether a node carries an anchor, an alias or a tag.
func marked(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
		return true
	}
	for _, c := range n.Content {
		if marked(c) {
			return true
		}
	}
	return false
}
