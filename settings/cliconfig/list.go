package cliconfig

import (
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
	"zcode-acp/settings/schema"
)

// Server is one MCP server as ZCode understands it, with its secrets masked.
type Server struct {
	Name            string            `json:"name"`
	Type            string            `json:"type"`              // inferred where the file has none; "stdio" by default
	Command         string            `json:"command,omitempty"` // masked as package redact does
	Args            []string          `json:"args,omitempty"`    // masked as package redact does
	Cwd             string            `json:"cwd,omitempty"`
	URL             string            `json:"url,omitempty"`     // masked as package redact does
	Env             map[string]string `json:"env,omitempty"`     // every value masked
	Headers         map[string]string `json:"headers,omitempty"` // every value masked
	OAuth           map[string]string `json:"oauth,omitempty"`   // clientSecret masked
	ProtocolVersion string            `json:"protocolVersion,omitempty"`
	TimeoutMs       float64           `json:"timeoutMs,omitzero"`
	Enabled         bool              `json:"enabled"`
	Source          string            `json:"source"`            // "user" for cli/config.json, "agents" for ~/.agents/mcp.json
	Ignored         string            `json:"ignored,omitempty"` // why ZCode skips the server
	Legacy          []string          `json:"legacy,omitempty"`  // old spellings that the entry has
}

// ours are the members of a listed server that are no settings; an edit that
// sends them back means nothing by them.
var ours = []string{"name", "source", "ignored", "legacy"}

// Servers lists the MCP servers of `cli/config.json` in the order of the file;
// it is never nil.
func Servers(d *jsonedit.Doc) []Server {
	return list(d.Root().Get("mcp").Get("servers"), "user")
}

// AgentsServers lists the MCP servers of `~/.agents/mcp.json`, which ZCode reads
// only while `cli/config.json` has none; it is never nil.
func AgentsServers(d *jsonedit.Doc) []Server {
	return list(d.Root().Get("mcpServers"), "agents")
}

// Names returns the names of the MCP servers in the order of the file.
func Names(d *jsonedit.Doc) []string {
	names := []string{}
	servers := d.Root().Get("mcp").Get("servers")
	if servers.Kind() != jsonedit.Object {
		return names
	}
	for c := range servers.Children() {
		names = append(names, c.Key())
	}
	return names
}

func list(servers jsonedit.Node, source string) []Server {
	out := []Server{}
	if servers.Kind() != jsonedit.Object {
		return out
	}
	for c := range servers.Children() {
		s := read(c)
		s.Source = source
		out = append(out, s)
	}
	return out
}

// read shows the known members of one server. What has the wrong kind is left
// out: Ignored names it.
func read(n jsonedit.Node) Server {
	s := Server{
		Name:            n.Key(),
		Type:            string(transportOf(n.Get)),
		Command:         maskCommand(n.Get("command").Text()),
		Args:            redact.Args(textList(n.Get("args"))),
		Cwd:             n.Get("cwd").Text(),
		URL:             redact.URL(n.Get("url").Text()),
		Env:             redact.Map(stringsOf(current(n, "env"))),
		Headers:         redact.Map(stringsOf(current(n, "headers"))),
		OAuth:           readOAuth(n.Get("oauth")),
		ProtocolVersion: n.Get("protocolVersion").Text(),
		Ignored:         ignored(n),
		Legacy:          legacySpellings(n),
	}
	if s.Type == "" {
		s.Type = string(stdio)
	}
	s.TimeoutMs, _ = finite(n.Get("timeoutMs"))
	s.Enabled, _ = enabledOf(n)
	return s
}

// current returns a member under its present name, else under its old one.
func current(server jsonedit.Node, name string) jsonedit.Node {
	if c := server.Get(name); c.Exists() {
		return c
	}
	if name == "headers" && !transportOf(server.Get).remote() {
		return jsonedit.Node{} // ZCode drops http_headers of other transports
	}
	return legacyMember(server, name)
}

// textList returns the elements of an array of strings, nil for anything else.
func textList(n jsonedit.Node) []string {
	if n.Kind() != jsonedit.Array {
		return nil
	}
	var list []string
	for c := range n.Children() {
		if c.Kind() != jsonedit.String {
			return nil
		}
		list = append(list, c.Text())
	}
	return list
}

// stringsOf returns the members of an object that are strings.
func stringsOf(n jsonedit.Node) map[string]string {
	if n.Kind() != jsonedit.Object {
		return nil
	}
	m := make(map[string]string)
	for c := range n.Children() {
		if c.Kind() == jsonedit.String {
			m[c.Key()] = c.Text()
		}
	}
	return m
}

// oauthNames are the members of `oauth` of either type.
var oauthNames = []string{"type", "clientId", "clientSecret", "clientName", "redirectPath", "scope"}

func readOAuth(n jsonedit.Node) map[string]string {
	m := stringsOf(n)
	for name, value := range m {
		switch {
		case !slices.Contains(oauthNames, name):
			delete(m, name)
		case name == "clientSecret":
			m[name] = redact.String(value)
		}
	}
	return m
}

// ignored says why ZCode skips a server, "" when it does not.
func ignored(server jsonedit.Node) string {
	problems := schema.Check(server, checkServer)
	if len(problems) == 0 {
		return ""
	}
	reasons := make([]string, len(problems))
	for i, p := range problems {
		place := below(p.Pointer, server)
		if place == "" {
			place = "it"
		}
		reasons[i] = place + " " + p.Rule
	}
	return "ZCode skips this server: " + strings.Join(reasons, "; ")
}

// below returns the rest of a pointer that leads into a value.
func below(pointer string, n jsonedit.Node) string {
	return strings.TrimPrefix(pointer, n.Path().Pointer())
}

func legacySpellings(server jsonedit.Node) []string {
	var found []string
	if server.Get("type").Text() == "remote" {
		found = append(found, "type remote")
	}
	for _, name := range []string{"enable", "environment", "http_headers"} {
		if server.Get(name).Exists() {
			found = append(found, name)
		}
	}
	return found
}
