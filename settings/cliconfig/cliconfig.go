// Package cliconfig knows `cli/config.json`, the file of ZCode's hooks, MCP
// servers, skills and plugins: which rules ZCode applies to it, what ZCode
// ignores when they are broken, and how its MCP servers are read and changed.
//
// Documents go in, documents come out; no file is touched here. An edit changes
// the named server and nothing else, and never leaves a server that ZCode would
// skip. Nothing that the package returns shows a secret: listings are masked,
// and a mask that comes back in an edit keeps the value that it stands for.
package cliconfig

import (
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// New returns the document of a file that does not exist yet; edits of it give
// two spaces and a final newline.
func New() *jsonedit.Doc {
	d, err := jsonedit.Parse([]byte("{}\n"))
	if err != nil {
		panic("cliconfig: parsing an empty object: " + err.Error())
	}
	return d
}

// Effect is what ZCode does about a problem.
type Effect string

// The effects, the widest first.
const (
	FileIgnored    Effect = "file-ignored"    // nothing in the file counts
	ServersIgnored Effect = "servers-ignored" // none of its MCP servers counts
	ServerIgnored  Effect = "server-ignored"  // one MCP server does not count
)

// Problem is one violation of ZCode's rules and what it costs.
type Problem struct {
	schema.Problem
	Effect  Effect `json:"effect"`
	Section string `json:"section,omitempty"` // top-level member, "" for the document
	Server  string `json:"server,omitempty"`  // MCP server, for ServerIgnored
}

// Check returns every violation of ZCode's strict rules of the whole file, those
// that make ZCode ignore the file first.
func Check(d *jsonedit.Doc) []Problem {
	return append(CheckFile(d), checkServers(d.Root().Get("mcp").Get("servers"))...)
}

// CheckFile returns the violations that make ZCode ignore the whole file. It
// looks into no MCP server, since a bad one costs only itself.
func CheckFile(d *jsonedit.Doc) []Problem {
	var list []Problem
	if d.BOM() {
		mark := schema.Problem{Line: 1, Column: 1, Rule: "must not begin with a byte order mark: ZCode cannot read it"}
		list = append(list, Problem{Problem: mark, Effect: FileIgnored})
	}
	for _, p := range schema.Check(d.Root(), schema.Object) {
		list = append(list, Problem{Problem: p, Effect: FileIgnored})
	}
	for c := range d.Root().Children() {
		rule, known := sections[c.Key()]
		if !known {
			continue
		}
		for _, p := range schema.Check(c, rule) {
			list = append(list, Problem{Problem: p, Effect: FileIgnored, Section: c.Key()})
		}
	}
	return list
}

// checkServers judges `mcp.servers`, where ZCode forgives more than elsewhere.
func checkServers(servers jsonedit.Node) []Problem {
	if !servers.Exists() {
		return nil
	}
	var list []Problem
	for _, p := range schema.Check(servers, schema.Object) {
		list = append(list, Problem{Problem: p, Effect: ServersIgnored, Section: "mcp"})
	}
	if servers.Kind() != jsonedit.Object {
		return list
	}
	for c := range servers.Children() {
		for _, p := range schema.Check(c, checkServer) {
			list = append(list, Problem{Problem: p, Effect: ServerIgnored, Section: "mcp", Server: c.Key()})
		}
	}
	return list
}
