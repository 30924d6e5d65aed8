package settings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
)

// MCPList is the answer of mcp/list.
type MCPList struct {
	OK       bool       `json:"ok"`
	MCP      MCPServers `json:"mcp"`
	ETag     string     `json:"etag"`
	Warnings []string   `json:"warnings,omitempty"`

	problems []error // behind the warnings
}

// Tag returns the etag of the section.
func (l *MCPList) Tag() string { return l.ETag }

// MCPServers are the servers of the user's own layer, from both of its files.
type MCPServers struct {
	Servers []cliconfig.Server `json:"servers"`
}

// MCPServer names a server; the members beside the name are those of
// mcp.servers.<name> in cli/config.json, null removes one.
type MCPServer struct {
	Name   string         `json:"name"`
	Server jsontext.Value `json:",embed"`
}

// MCPEnable turns a server on or off. Existing clients send either spelling.
type MCPEnable struct {
	Name    string `json:"name"`
	Enabled *bool  `json:"enabled"`
	Enable  *bool  `json:"enable"`
}

// MCPName names a server.
type MCPName struct {
	Name string `json:"name"`
}

func (e *Engine) mcpOperations() []Operation {
	return []Operation{
		Read("mcp/list", "/settings/mcp", "List the MCP servers.", e.listMCP),
		Write("mcp/upsert", "PUT /settings/mcp/{name}", NeedsRestart,
			"Add an MCP server, or change members of one; null removes a member.", e.upsertMCP),
		Write("mcp/enable", "POST /settings/mcp/enable", NeedsRestart, "Turn an MCP server on or off.", e.enableMCP),
		Write("mcp/remove", "DELETE /settings/mcp/{name}", NeedsRestart, "Remove an MCP server.", e.removeMCP),
	}
}

func (e *Engine) listMCP(ctx context.Context, _ None) (*MCPList, error) {
	own, err := e.load(ctx, cliConfig)
	if err != nil {
		return nil, err
	}
	shared := e.sharedServers(ctx)
	servers := cliconfig.Servers(own.doc)
	hidden := len(servers) > 0
	for _, server := range shared.servers {
		if hidden {
			server.Ignored = "ZCode reads " + shared.path + " only while its own file has no server"
		}
		servers = append(servers, server)
	}
	list := &MCPList{OK: true, MCP: MCPServers{servers}, ETag: cliConfig.etag("mcp", own.doc, shared.text)}
	for _, problem := range []error{own.problem, shared.err} {
		if problem != nil {
			list.problems = append(list.problems, problem)
		}
	}
	list.Warnings = sentences(list.problems...)
	return list, nil
}

// sharedServers are the servers of ~/.agents/mcp.json, the file that other tools
// share; ZCode reads it while its own file has no server.
type sharedServers struct {
	path    string
	text    []byte
	servers []cliconfig.Server
	err     error
}

func (e *Engine) sharedServers(ctx context.Context) sharedServers {
	s := sharedServers{path: e.Layout.Path(home.AgentsMCP)}
	var parsed parseOnce
	snapshot, err := e.writer.Read(ctx, s.path, parsed.valid, jsonedit.MaxSize)
	if err != nil || !snapshot.Exists {
		s.err = err
		return s
	}
	s.text = snapshot.Content
	doc, err := cliConfig.open(&parsed, s.path, s.text, true)
	if err != nil {
		s.err = err
		return s
	}
	s.servers = cliconfig.AgentsServers(doc)
	return s
}

// changeMCP runs an edit of the servers; a server that is unknown here because
// it stands in the shared file is told so.
func (e *Engine) changeMCP(ctx context.Context, call Call, name string, apply func(*jsonedit.Doc) (*jsonedit.Doc, []string, error)) (*Written, error) {
	if err := required("/name", name); err != nil {
		return nil, err
	}
	shared := e.sharedServers(ctx)
	written, err := e.change(ctx, call, edit{
		document: cliConfig, section: "mcp", effect: NeedsRestart, beside: shared.text, apply: apply, warn: shared.hiddenBy,
	})
	if errors.Is(err, cliconfig.ErrUnknown) && slices.ContainsFunc(shared.servers, func(s cliconfig.Server) bool { return s.Name == name }) {
		return nil, sharedServer{name, shared.path}
	}
	return written, err
}

// hiddenBy warns when a first own server makes ZCode pass over the shared ones.
func (s sharedServers) hiddenBy(before, after *jsonedit.Doc) []string {
	first := len(cliconfig.Names(before)) == 0 && len(cliconfig.Names(after)) > 0
	if !first || len(s.servers) == 0 {
		return nil
	}
	names := make([]string, 0, len(s.servers))
	for _, server := range s.servers {
		names = append(names, server.Name)
	}
	return []string{fmt.Sprintf("the servers of %s go out of sight, since ZCode's own file has a server now; import what you need of them here: %s",
		s.path, strings.Join(names, ", "))}
}

// sharedServer is a server that is not in ZCode's own file but in the shared one.
type sharedServer struct{ name, path string }

func (e sharedServer) Error() string {
	return fmt.Sprintf("the MCP server %q stands in %s, which other tools share: change it there, or add it here first", e.name, e.path)
}

func (e sharedServer) Unwrap() error { return ErrUnknown }

func (e *Engine) upsertMCP(ctx context.Context, call Call, in MCPServer) (*Written, error) {
	body, err := object(in.Server)
	if err != nil {
		return nil, err
	}
	return e.changeMCP(ctx, call, in.Name, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return cliconfig.UpsertServer(d, in.Name, body)
	})
}

func (e *Engine) enableMCP(ctx context.Context, call Call, in MCPEnable) (*Written, error) {
	on, err := eitherSpelling(in.Enabled, in.Enable)
	if err != nil {
		return nil, err
	}
	return e.changeMCP(ctx, call, in.Name, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return cliconfig.EnableServer(d, in.Name, on)
	})
}

func (e *Engine) removeMCP(ctx context.Context, call Call, in MCPName) (*Written, error) {
	return e.changeMCP(ctx, call, in.Name, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		next, err := cliconfig.RemoveServer(d, in.Name)
		return next, nil, err
	})
}
