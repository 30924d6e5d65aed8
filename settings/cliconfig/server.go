package cliconfig

import (
	"fmt"
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// transport is how ZCode talks to an MCP server: the values of its "type".
type transport string

const (
	stdio transport = "stdio"
	http  transport = "http"
	sse   transport = "sse"
)

func (t transport) known() bool  { return t == stdio || t.remote() }
func (t transport) remote() bool { return t == http || t == sse }

// transportOf returns the transport that ZCode sees in a server whose members
// get returns: an unknown one as it stands, "" when nothing tells it.
func transportOf(get func(name string) jsonedit.Node) transport {
	switch t := get("type"); {
	case t.Text() == "remote":
		return http
	case t.Kind() == jsonedit.String:
		return transport(t.Text())
	case strings.TrimSpace(get("command").Text()) != "":
		return stdio
	case strings.TrimSpace(get("url").Text()) != "":
		return http
	}
	return ""
}

// member is what an entry of `mcp.servers` may have.
type member struct {
	name string
	rule schema.Rule
	on   side
}

// side tells which transports have a member.
type side uint8

const (
	both side = iota
	local
	remote
)

func (s side) has(t transport) bool {
	return s == both || !t.known() || t.remote() == (s == remote)
}

var members = []member{
	{"type", schema.OneOf("stdio", "http", "sse"), both},
	{"command", schema.NonEmpty, local},
	{"args", texts, local},
	{"cwd", schema.NonEmpty, local},
	{"env", textMap, local},
	{"url", schema.NonEmpty, remote},
	{"headers", textMap, remote},
	{"oauth", oauth, remote},
	{"protocolVersion", schema.OneOf("auto", "legacy", "2026-07-28"), both},
	{"enabled", schema.Boolean, both},
	{"timeoutMs", schema.Positive, both},
}

func findMember(name string) (member, bool) {
	i := slices.IndexFunc(members, func(m member) bool { return m.name == name })
	if i < 0 {
		return member{}, false
	}
	return members[i], true
}

var oauth = schema.Union("type", map[string]schema.Rule{
	"client_credentials": schema.Strict(
		schema.Field{Name: "type", Rule: schema.Any},
		schema.Field{Name: "clientId", Rule: schema.NonEmpty, Required: true},
		schema.Field{Name: "clientSecret", Rule: schema.NonEmpty, Required: true},
		schema.Field{Name: "clientName", Rule: schema.NonEmpty},
		schema.Field{Name: "scope", Rule: schema.Text},
	),
	"authorization_code": schema.Strict(
		schema.Field{Name: "type", Rule: schema.Any},
		schema.Field{Name: "clientId", Rule: schema.NonEmpty},
		schema.Field{Name: "clientSecret", Rule: schema.NonEmpty},
		schema.Field{Name: "clientName", Rule: schema.NonEmpty},
		schema.Field{Name: "redirectPath", Rule: schema.NonEmpty},
		schema.Field{Name: "scope", Rule: schema.Text},
	),
})

// checkServer applies ZCode's strict rules of one server as they hold after
// ZCode has read the old spellings.
func checkServer(n jsonedit.Node, r *schema.Report) {
	if n.Kind() != jsonedit.Object {
		r.Add(n, "must be an object")
		return
	}
	t := transportOf(n.Get)
	for c := range n.Children() {
		checkMember(n, c, t, r)
	}
	required := "command"
	if t.remote() {
		required = "url"
	}
	switch {
	case t == "" && n.Get("type").Kind() != jsonedit.String:
		r.Add(n, `needs "command" or "url"`)
	case t.known() && !n.Get(required).Exists():
		r.Add(n, fmt.Sprintf("needs %q for its type %s", required, t))
	}
}

func checkMember(server, c jsonedit.Node, t transport, r *schema.Report) {
	name := c.Key()
	switch name {
	case "type":
		if t.known() || c.Kind() != jsonedit.String {
			return // one that is no string counts as missing
		}
	case "enable", "timeout", "startup_timeout_sec":
		return // read or dropped before the rules apply
	case "enabled":
		if _, valid := enabledOf(server); valid {
			return
		}
	case "environment":
		if server.Get("env").Exists() {
			return
		}
		name = "env"
	case "http_headers":
		if !t.remote() || server.Get("headers").Exists() {
			return
		}
		name = "headers"
	}
	m, ok := findMember(name)
	switch {
	case !ok:
		r.Add(c, "is not known to ZCode here")
	case !m.on.has(t):
		r.Add(c, fmt.Sprintf("does not belong to a server of type %s", t))
	default:
		m.rule(c, r)
	}
}

// enabledOf reports whether ZCode starts the server; valid is false when its
// "enabled" makes ZCode skip it.
func enabledOf(server jsonedit.Node) (on, valid bool) {
	enable, hasEnable := server.Get("enable").Bool()
	enabled := server.Get("enabled")
	value, isBool := enabled.Bool()
	switch {
	case hasEnable && !enable:
		return false, true
	case isBool:
		return value, true
	case !enabled.Exists(), hasEnable && enabled.Kind() == jsonedit.Null:
		return true, true
	}
	return true, false
}

// legacyMember returns the member that stands under the old spelling of a name.
func legacyMember(server jsonedit.Node, name string) jsonedit.Node {
	switch name {
	case "env":
		return server.Get("environment")
	case "headers":
		return server.Get("http_headers")
	}
	return jsonedit.Node{}
}
