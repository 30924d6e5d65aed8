package cliconfig

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/jwcc"
)

// Foreign is one MCP server as the file of another tool has it.
type Foreign struct {
	Name   string
	Server jsonedit.Node
}

// ReadForeign reads the MCP servers of another tool's file in the order of the
// file: those in `mcpServers`, `mcp.servers`, `servers` or Zed's
// `context_servers`, or a plain object of servers. Comments and trailing commas are allowed, a name that stands
// twice is not. The text must not be changed afterwards. Errors are those of
// [InvalidError] and hold nothing of the text but names.
func ReadForeign(text []byte) ([]Foreign, error) {
	d, err := parseForeign(text)
	if err != nil {
		return nil, fmt.Errorf("reading the servers to import: %w", &InvalidError{"", err.Error()})
	}
	servers, err := foreignServers(d.Root())
	if err != nil {
		return nil, fmt.Errorf("reading the servers to import: %w", err)
	}
	return servers, nil
}

// parseForeign reads JSON, with comments and trailing commas where it has some.
func parseForeign(text []byte) (*jsonedit.Doc, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("the text is not UTF-8: save it as UTF-8")
	}
	d, err := jsonedit.Parse(text)
	if !errors.Is(err, jsonedit.ErrSyntax) {
		return d, err
	}
	v, err := jwcc.Parse(bytes.TrimPrefix(text, []byte("\ufeff")))
	if err != nil {
		return nil, err
	}
	v.Standardize()
	return jsonedit.Parse(v.Pack())
}

// foreignForms says what is looked for.
const foreignForms = `an object with "mcpServers", "mcp.servers", "servers" or "context_servers", or an object of servers with "command" or "url"`

func foreignServers(root jsonedit.Node) ([]Foreign, error) {
	if root.Kind() != jsonedit.Object {
		return nil, &InvalidError{"", "must be " + foreignForms}
	}
	holders := holdersOf(root)
	if len(holders) == 0 {
		if !holdsServer(root) {
			return nil, &InvalidError{"", "holds no MCP servers: send " + foreignForms}
		}
		holders = []jsonedit.Node{root}
	}
	list, seen := []Foreign{}, map[string]bool{}
	for _, holder := range holders {
		if holder.Kind() != jsonedit.Object {
			return nil, &InvalidError{holder.Path().Pointer(), "must be an object of servers"}
		}
		for c := range holder.Children() {
			name := c.Key()
			if seen[name] {
				return nil, &InvalidError{c.Path().Pointer(), "has a name that another server of the text has: rename or remove one"}
			}
			seen[name] = true
			list = append(list, Foreign{name, c})
		}
	}
	return list, nil
}

// holdersOf returns the members that hold servers, none in a plain object of
// servers, where one may be called like such a member.
func holdersOf(root jsonedit.Node) []jsonedit.Node {
	var holders []jsonedit.Node
	for _, n := range []jsonedit.Node{root.Get("mcpServers"), root.Get("mcp").Get("servers"), root.Get("servers"), root.Get("context_servers")} {
		if n.Exists() && !isServer(n) {
			holders = append(holders, n)
		}
	}
	return holders
}

func holdsServer(object jsonedit.Node) bool {
	for c := range object.Children() {
		if isServer(c) {
			return true
		}
	}
	return false
}

// isServer tells a server from an object of servers.
func isServer(n jsonedit.Node) bool {
	for _, name := range []string{"command", "url", "httpUrl", "serverUrl"} {
		if n.Get(name).Kind() == jsonedit.String {
			return true
		}
	}
	return false
}
