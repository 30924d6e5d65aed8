package cliconfig

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// conversion is a server of another tool in the members that ZCode knows.
type conversion struct {
	body    []byte // an object that is not closed yet, without "enabled"
	has     map[string]bool
	off     bool
	kind    transport
	told    string // the member that told the transport, "" when it was inferred
	dropped []string
	changed []string
}

// renamed are members of other tools, and old spellings, with ZCode's name.
var renamed = map[string]string{
	"httpUrl":      "url",
	"serverUrl":    "url",
	"environment":  "env",
	"http_headers": "headers",
}

// typeNames are the members that tell the transport, the first that is there.
var typeNames = []string{"type", "transport", "transportType"}

// typeWords are words for a transport that ZCode does not know.
var typeWords = map[string]transport{
	"local":           stdio,
	"remote":          http,
	"streamable-http": http,
	"streamable_http": http,
	"streamableHttp":  http,
	"streamableHTTP":  http,
}

// switchNames are members that turn a server on or off, with the value for off.
var switchNames = map[string]bool{"enabled": false, "enable": false, "isActive": false, "disabled": true}

// notTaken are members whose dropping needs a word.
var notTaken = map[string]string{
	"timeout":             `seconds for some tools, milliseconds for others: set "timeoutMs"`,
	"startup_timeout_sec": `set "timeoutMs" in milliseconds`,
	"tool_timeout_sec":    `set "timeoutMs" in milliseconds`,
	"envFile":             `ZCode reads no such file: set "env"`,
}

// convert reads a server of another tool. The error says why ZCode cannot have it.
func convert(server jsonedit.Node) (*conversion, error) {
	if server.Kind() != jsonedit.Object {
		return nil, errors.New("must be an object")
	}
	c := &conversion{body: []byte{'{'}, has: map[string]bool{}}
	members := membersOf(server)
	for name, m := range members {
		if isBlank(m) {
			delete(members, name)
		}
	}
	if err := c.readSwitches(server); err != nil {
		return nil, err
	}
	if err := c.readTransport(members); err != nil {
		return nil, err
	}
	for m := range server.Children() {
		_, isSwitch := switchNames[m.Key()]
		if !isSwitch && m.Key() != c.told && m.Kind() != jsonedit.Null {
			c.take(m, members)
		}
	}
	return c, nil
}

// readSwitches takes a server for off when any of its members says so, since one
// that was off must not start because of an import.
func (c *conversion) readSwitches(server jsonedit.Node) error {
	for m := range server.Children() {
		name := m.Key()
		off, isSwitch := switchNames[name]
		if !isSwitch || m.Kind() == jsonedit.Null {
			continue
		}
		value, ok := m.Bool()
		if !ok {
			return &InvalidError{jsonedit.Path{name}.Pointer(), "must be true or false"}
		}
		if value == off {
			c.off = true
			if name != "enabled" {
				c.changed = append(c.changed, fmt.Sprintf("%s: %t became enabled: false", name, value))
			}
		}
	}
	return nil
}

// readTransport puts the type in front; one that ZCode does not know stays, and
// is refused with the others' rules.
func (c *conversion) readTransport(members map[string]jsonedit.Node) error {
	url, err := onlyURL(members)
	if err != nil {
		return err
	}
	told := toldType(members)
	c.told = told.Key()
	if word := told.Text(); told.Exists() {
		c.kind = transport(word)
		if typeWords[word] != "" {
			c.kind = typeWords[word]
			c.changed = append(c.changed, fmt.Sprintf("%s: %s became type: %s", told.Key(), word, c.kind))
		} else if told.Key() != "type" && c.kind.known() {
			c.changed = append(c.changed, told.Key()+" became type")
		}
	} else {
		c.kind = transportOf(func(name string) jsonedit.Node {
			if name == "url" {
				return url
			}
			return members[name]
		})
		if c.kind == stdio && url.Exists() {
			return errors.New(`has both "command" and a url: remove one, or say which with "type"`)
		}
	}
	if c.kind != "" {
		c.add("type", jsonedit.Quote(string(c.kind)))
	}
	return nil
}

// onlyURL returns the address, under whatever name it stands.
func onlyURL(members map[string]jsonedit.Node) (jsonedit.Node, error) {
	var found jsonedit.Node
	for _, name := range []string{"url", "httpUrl", "serverUrl"} {
		n := members[name]
		switch {
		case n.Kind() != jsonedit.String:
			continue
		case found.Exists() && found.Text() != n.Text():
			return jsonedit.Node{}, fmt.Errorf("has different addresses in %q and %q: leave the one that ZCode should use", found.Key(), name)
		case !found.Exists():
			found = n
		}
	}
	return found, nil
}

func toldType(members map[string]jsonedit.Node) jsonedit.Node {
	for _, name := range typeNames {
		if members[name].Kind() == jsonedit.String {
			return members[name]
		}
	}
	return jsonedit.Node{}
}

// isBlank reports whether a member of text says as much as one that is missing:
// the forms of some tools leave such members behind.
func isBlank(m jsonedit.Node) bool {
	current := m.Key()
	if renamed[current] != "" {
		current = renamed[current]
	}
	return (current == "cwd" || current == "url" || current == "command") && m.Kind() == jsonedit.String && strings.TrimSpace(m.Text()) == ""
}

// take adds one member in ZCode's form, or drops it.
func (c *conversion) take(m jsonedit.Node, members map[string]jsonedit.Node) {
	name := m.Key()
	current, old := renamed[name]
	if !old {
		current = name
	}
	known, ok := findMember(current)
	switch {
	case !ok && notTaken[name] != "":
		c.drop(name, notTaken[name])
	case !ok:
		c.drop(name, "")
	case name == "type":
		c.drop(name, "it is no string")
	case isBlank(m):
		c.drop(name, "it is empty")
	case !known.on.has(c.kind):
		c.drop(name, "does not belong to a server of type "+string(c.kind))
	case old && members[current].Exists() && members[current].Kind() != jsonedit.Null, c.has[current]:
		c.drop(name, current+" says it already")
	case (current == "oauth" || current == "protocolVersion") && len(schema.Check(m, known.rule)) > 0:
		c.drop(name, "not in a form that ZCode knows")
	default:
		if old {
			c.changed = append(c.changed, name+" became "+current)
		}
		c.add(current, c.value(current, m))
	}
}

func (c *conversion) add(name string, value []byte) {
	c.body = appendMember(c.body, name, value)
	c.has[name] = true
}

func (c *conversion) drop(name, reason string) {
	if reason != "" {
		name += ": " + reason
	}
	c.dropped = append(c.dropped, name)
}

// value returns the text of a member; numbers and booleans become strings where
// ZCode takes nothing else.
func (c *conversion) value(name string, m jsonedit.Node) []byte {
	switch {
	case name == "args" && m.Kind() == jsonedit.Array:
		b, i := []byte{'['}, 0
		for element := range m.Children() {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, c.text(name+"["+strconv.Itoa(i)+"]", element)...)
			i++
		}
		return append(b, ']')
	case (name == "env" || name == "headers") && m.Kind() == jsonedit.Object:
		b := []byte{'{'}
		for entry := range m.Children() {
			place := name + "." + entry.Key()
			if entry.Kind() == jsonedit.Null {
				c.drop(place, "it is null")
				continue
			}
			b = appendMember(b, entry.Key(), c.text(place, entry))
		}
		return append(b, '}')
	}
	return m.Raw()
}

func (c *conversion) text(place string, n jsonedit.Node) []byte {
	if k := n.Kind(); k != jsonedit.Number && k != jsonedit.Bool {
		return n.Raw()
	}
	c.changed = append(c.changed, place+" became a string")
	return jsonedit.Quote(string(n.Raw()))
}

// equal reports whether two servers are the same to ZCode.
func (c *conversion) equal(other *conversion) bool {
	a, errA := jsonedit.Parse(slices.Concat(c.body, []byte{'}'}))
	b, errB := jsonedit.Parse(slices.Concat(other.body, []byte{'}'}))
	return errA == nil && errB == nil && c.off == other.off && jsonedit.Equal(a.Root(), b.Root())
}
