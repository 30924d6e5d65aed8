// Package acp is the ACP door: an agent that speaks the Agent Client Protocol
// with one editor over one connection. Beside the protocol's own methods it
// answers the settings operations as extension methods _zcode/settings/<name>.
//
// It holds no rule of the settings: it decodes, calls the catalog, and maps the
// error.
package acp

import (
	"context"
	"io"
	"log/slog"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/acp/jsonrpc"
	"zcode-acp/settings"
)

// ProtocolVersion is the version of the Agent Client Protocol that is spoken.
const ProtocolVersion = 1

// Agent serves one client.
type Agent struct {
	Catalog *settings.Catalog
	Version string       // of this program
	Log     *slog.Logger // nil discards; never gets what a message holds

	client string        // name and version of the client, once it has said so
	last   chan struct{} // closed when the newest settings operation is over; read loop only
}

// Serve speaks with the client behind r and w until it leaves or ctx ends.
func (a *Agent) Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	if a.Log == nil {
		a.Log = slog.New(slog.DiscardHandler)
	}
	conn := jsonrpc.New(jsonrpc.Lines(r, w, 0), jsonrpc.Options{
		Handler: a.handle, VersionOptional: true, CancelMethod: "$/cancel_request", Logger: a.Log,
	})
	return conn.Serve(ctx)
}

// handle admits one message. Settings operations read and write files, so they
// run apart from the read loop; those of one client still run in the order in
// which it sent them, because each waits for the one before.
func (a *Agent) handle(_ context.Context, req *jsonrpc.Request) (any, error) {
	if operation, ok := settingsOperation(req.Method); ok {
		return a.admitSettings(operation, req)
	}
	switch req.Method {
	case "initialize":
		return a.initialize(req.Params)
	case "authenticate":
		return struct{}{}, nil
	case "session/new", "session/load", "session/resume", "session/list", "session/prompt":
		return nil, &jsonrpc.Error{Code: jsonrpc.InternalError,
			Message: "this version of zcode-acp has no sessions: it answers the settings methods _zcode/settings/… only"}
	}
	if req.IsNotification() {
		return nil, nil
	}
	return nil, methodNotFound(req.Method)
}

func methodNotFound(method string) error {
	data, err := json.Marshal(map[string]string{"method": method})
	if err != nil {
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.MethodNotFound, Message: "method not found", Data: data}
}

type implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version"`
}

type initializeRequest struct {
	ProtocolVersion int             `json:"protocolVersion"`
	ClientInfo      *implementation `json:"clientInfo"`
}

type initializeResponse struct {
	ProtocolVersion   int               `json:"protocolVersion"`
	AgentInfo         implementation    `json:"agentInfo"`
	AgentCapabilities agentCapabilities `json:"agentCapabilities"`
	AuthMethods       []authMethod      `json:"authMethods"`
}

type agentCapabilities struct {
	LoadSession bool `json:"loadSession"`
	Meta        meta `json:"_meta"`
}

type meta struct {
	ZCode extensions `json:"zcode"`
}

// extensions tells the client which methods there are beside the protocol's.
type extensions struct {
	Settings settingsExtension `json:"settings"`
}

type settingsExtension struct {
	Version int      `json:"version"`
	Methods []string `json:"methods"`
}

type authMethod struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

func (a *Agent) initialize(params jsontext.Value) (any, error) {
	var in initializeRequest
	if err := json.Unmarshal(params, &in); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "initialize needs a protocolVersion"}
	}
	if in.ClientInfo != nil {
		a.client = in.ClientInfo.Name + " " + in.ClientInfo.Version
	}
	return initializeResponse{
		ProtocolVersion:   ProtocolVersion,
		AgentInfo:         implementation{Name: "zcode-acp", Title: "ZCode", Version: a.Version},
		AgentCapabilities: agentCapabilities{Meta: meta{extensions{settingsExtension{1, a.settingsMethods()}}}},
		AuthMethods: []authMethod{{
			ID: "zcode-credentials", Name: "ZCode credentials",
			Description: "Uses the account or the keys that ZCode itself is set up with.",
		}},
	}, nil
}
