// Package effective tells which value of each setting counts for a session in a
// folder, and what it hides: ZCode merges its defaults, the user's file, the
// files of the project and the environment, in that order.
//
// Layers go in, settings come out; no file is touched here. The rules are
// those of ZCode 3.14. Where its source does not tell what happens, the answer
// says so instead of guessing: such a setting comes from the layer [None].
package effective

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/jsonedit"
)

// Name says whose a layer is.
type Name string

// The names of layers. ZCode's order is the one given here, but for MCP servers,
// of which the user's count more than a project's.
const (
	Default     Name = "default" // what ZCode takes by itself
	User        Name = "user"    // cli/config.json
	Project     Name = "project" // zcode.json and .zcode/config.json, one layer each
	Environment Name = "environment"

	// None is where a setting comes from that no layer sets in a way that counts.
	None Name = "none"
)

// Layer is one place that settings come from.
type Layer struct {
	Name    Name
	File    string        // absolute; "" for what is no file
	Doc     *jsonedit.Doc // in the form of cli/config.json; nil when it cannot be read
	Ignored string        // why ZCode makes nothing of it; "" when it counts
}

// Setting is one setting and where its value comes from.
type Setting struct {
	Path      string         `json:"path"`           // dotted: permission.mode, mcp.servers.files
	Value     jsontext.Value `json:"value,omitzero"` // left out when Layer is None
	Layer     Name           `json:"layer"`
	File      string         `json:"file,omitempty"`
	Overrides []Override     `json:"overrides,omitempty"` // the layer that comes nearest to counting first
}

// Override is a value of another layer, and why it does not count alone.
type Override struct {
	Layer  Name           `json:"layer"`
	File   string         `json:"file,omitempty"`
	Value  jsontext.Value `json:"value"`
	Reason string         `json:"reason"`
}

// Show writes a value for the answer; it is where secrets are masked.
type Show func(d *jsonedit.Doc, path jsonedit.Path, n jsonedit.Node) jsontext.Value

// Merge lists every setting that a layer holds, in the order of ZCode's
// sections. The layers are given from the lowest to the highest; those that
// ZCode ignores contribute nothing, nor do members that ZCode drops.
func Merge(layers []Layer, show Show) []Setting {
	m := merger{show: show, settings: []Setting{}}
	for _, l := range layers {
		if l.Ignored == "" && l.Doc != nil {
			m.layers = append(m.layers, l)
		}
	}
	for _, section := range cliconfig.SectionNames() {
		m.replace(section, fieldsOf(section))
	}
	m.servers()
	m.plugins()
	for _, section := range []string{"skills", "skill", "command"} {
		m.replace(section, nil)
	}
	m.hooks()
	return m.settings
}

// merger gathers the settings.
type merger struct {
	layers   []Layer // those that count, from the lowest to the highest
	show     Show
	settings []Setting
}

// held is what one layer holds of a setting.
type held struct {
	layer *Layer
	node  jsonedit.Node
	lost  string // why it cannot count; "" when it can
}

// in returns what the layers hold at a path, from the lowest to the highest.
func (m *merger) in(path ...string) []held {
	var list []held
	for i := range m.layers {
		if n := m.layers[i].Doc.Find(path); n.Exists() {
			list = append(list, held{layer: &m.layers[i], node: n})
		}
	}
	return list
}

// below groups what the layers hold in the objects at a path by the names of the
// members, which are listed in the order in which they are met.
func (m *merger) below(path ...string) (names []string, members map[string][]held) {
	members = map[string][]held{}
	for _, h := range m.in(path...) {
		if h.node.Kind() != jsonedit.Object {
			continue
		}
		for c := range h.node.Children() {
			name := c.Key()
			if members[name] == nil {
				names = append(names, name)
			}
			members[name] = append(members[name], held{layer: h.layer, node: c})
		}
	}
	return names, members
}

// last adds a setting of which the highest layer counts among those that can;
// note is what else there is to say to the others.
func (m *merger) last(list []held, note string, path ...string) {
	if len(list) == 0 {
		return
	}
	winner := len(list) - 1
	for winner >= 0 && list[winner].lost != "" {
		winner--
	}
	for i := range list {
		if i < winner && list[i].lost == "" {
			list[i].lost = list[winner].layer.called() + " outranks it" + note
		}
	}
	m.add(list, winner, path...)
}

// add adds a setting with the value of the winner, -1 for none.
func (m *merger) add(list []held, winner int, path ...string) {
	s := Setting{Path: strings.Join(path, "."), Layer: None}
	if winner >= 0 {
		s.Layer, s.File, s.Value = list[winner].layer.Name, list[winner].layer.File, m.text(list[winner])
	}
	for i, h := range slices.Backward(list) {
		if i != winner {
			s.Overrides = append(s.Overrides, Override{h.layer.Name, h.layer.File, m.text(h), h.lost})
		}
	}
	m.settings = append(m.settings, s)
}

func (m *merger) text(h held) jsontext.Value {
	return m.show(h.layer.Doc, h.node.Path(), h.node)
}

// called names a layer for sentences.
func (l *Layer) called() string {
	switch {
	case l.Name == Default:
		return "ZCode's default"
	case l.Name == Environment:
		return "the environment"
	case l.Name == User:
		return "the user's file"
	case l.Name == Project:
		return "the project's file " + l.File
	}
	return l.File
}
