package settings

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
)

// MCPImport holds servers in the form that other tools use. Without text and
// servers, ~/.agents/mcp.json is read.
type MCPImport struct {
	Servers   jsontext.Value `json:"servers"`   // the other tool's file as JSON
	Text      *string        `json:"text"`      // the same as text, which may have comments
	Overwrite bool           `json:"overwrite"` // replace servers that are configured differently
}

// MCPImported is the answer of mcp/import.
type MCPImported struct {
	Written
	Servers []cliconfig.ImportStep `json:"servers"` // what was, or with dryRun would be, done with each
}

func (e *Engine) importOperations() []Operation {
	return []Operation{
		Write("mcp/import", "POST /settings/mcp/import", NeedsRestart,
			"Add MCP servers from the file of another tool; what ZCode cannot take is named.", e.importMCP),
	}
}

func (e *Engine) importMCP(ctx context.Context, call Call, in MCPImport) (*MCPImported, error) {
	text, err := e.foreignText(ctx, in)
	if err != nil {
		return nil, err
	}
	foreign, err := cliconfig.ReadForeign(text)
	if err != nil && len(in.Servers) > 0 {
		err = below("/servers", err)
	}
	if err != nil {
		return nil, err
	}
	var steps []cliconfig.ImportStep
	shared := e.sharedServers(ctx)
	written, err := e.change(ctx, call, edit{
		document: cliConfig, section: "mcp", effect: NeedsRestart, beside: shared.text, warn: shared.hiddenBy,
		apply: func(d *jsonedit.Doc) (next *jsonedit.Doc, _ []string, err error) {
			steps, next, err = cliconfig.Plan(d, foreign, in.Overwrite, runtime.GOOS == "windows")
			return next, nil, err
		},
	})
	if err != nil {
		return nil, err
	}
	skipped := func(s cliconfig.ImportStep) bool { return s.Action == cliconfig.ImportSkip }
	if len(steps) > 0 && !slices.ContainsFunc(steps, func(s cliconfig.ImportStep) bool { return !skipped(s) }) {
		written.Warnings = append(written.Warnings, "none of the servers was imported: see the reason of each")
	}
	return &MCPImported{Written: *written, Servers: steps}, nil
}

// foreignText is what is to be imported.
func (e *Engine) foreignText(ctx context.Context, in MCPImport) ([]byte, error) {
	switch {
	case in.Text != nil && len(in.Servers) > 0:
		return nil, invalid("/text", "and servers exclude each other: send one of them")
	case in.Text != nil && strings.TrimSpace(*in.Text) == "":
		return nil, invalid("/text", "is empty: give the file of another tool, or leave it out to import ~/.agents/mcp.json")
	case in.Text != nil:
		return []byte(*in.Text), nil
	case len(in.Servers) > 0:
		return in.Servers, nil
	}
	path := e.Layout.Path(home.AgentsMCP)
	snapshot, err := e.writer.Read(ctx, path, nil, jsonedit.MaxSize)
	if err != nil {
		return nil, err
	}
	if !snapshot.Exists {
		return nil, invalid("", "there is nothing to import: "+path+" does not exist; send servers")
	}
	return snapshot.Content, nil
}
