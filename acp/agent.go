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
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/acp/jsonrpc"
	"zcode-acp/settings"
)

// ProtocolVersion is the version of the Agent Client Protocol that is spoken.
const ProtocolVersion = 1

// settleTime bounds the wait for the operation that still runs at the end.
const settleTime = 5 * time.Second

// Agent serves one client.
type Agent struct {
	Catalog *settings.Catalog
	Version string       // of this program
	Log     *slog.Logger // nil discards; never gets what a message holds

	client string // name and version of the client, once it has said so

	mu   sync.Mutex
	last chan struct{} // closed when the newest settings operation is over
}

// Serve speaks with the client behind r and w until it leaves, which lets what it
// asked before be done, or until ctx ends, which cancels that.
func (a *Agent) Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	if a.Log == nil {
		a.Log = slog.New(slog.DiscardHandler)
	}
	conn := jsonrpc.New(jsonrpc.Lines(r, w, 0), jsonrpc.Options{
		Handler:         func(_ context.Context, req *jsonrpc.Request) (any, error) { return a.handle(ctx, req) },
		VersionOptional: true, CancelMethod: "$/cancel_request", Logger: a.Log,
	})
	err := conn.Serve(ctx)
	a.settle()
	return err
}

// settle waits until no operation runs any more: ZCode's lock would stay behind
// if the program ended in the middle of a write.
func (a *Agent) settle() {
	a.mu.Lock()
	last := a.last
	a.mu.Unlock()
	if last == nil {
		return
	}
	select {
	case <-last:
	case <-time.After(settleTime):
	}
}

// handle admits one message. Settings operations read and write files, so they
// run apart from the read loop; those of one client still run in the order in
// which it sent them, because each waits for the one before. The context is that
// of Serve.
func (a *Agent) handle(ctx context.Context, req *jsonrpc.Request) (any, error) {
	if operation, ok := settingsOperation(req.Method); ok {
		return a.admitSettings(ctx, operation, req)
	}
	switch req.Method {
	case "initialize":
		return a.initialize(req.Params)
	case "authenticate":
		return authenticate(req.Params)
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
	ProtocolVersion float64        `json:"protocolVersion"` // there is one answer, whatever is asked
	ClientInfo      implementation `json:"clientInfo"`
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

// credentials is the one way to authenticate: what ZCode itself is set up with.
const credentials = "zcode-credentials"

type authMethod struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

// lenient lets pass what JavaScript writes when it cuts text, and members given
// twice, where nothing is stored.
var lenient = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

func (a *Agent) initialize(params jsontext.Value) (any, error) {
	var in initializeRequest
	if err := json.Unmarshal(params, &in, lenient); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.InvalidParams,
			Message: "initialize needs a protocolVersion, a number; name and version of clientInfo are strings"}
	}
	a.client = strings.TrimSpace(in.ClientInfo.Name + " " + in.ClientInfo.Version)
	return initializeResponse{
		ProtocolVersion:   ProtocolVersion,
		AgentInfo:         implementation{Name: "zcode-acp", Title: "ZCode", Version: a.Version},
		AgentCapabilities: agentCapabilities{Meta: meta{extensions{settingsExtension{1, a.settingsMethods()}}}},
		AuthMethods: []authMethod{{
			ID: credentials, Name: "ZCode credentials",
			Description: "Uses the account or the keys that ZCode itself is set up with.",
		}},
	}, nil
}

// authenticate has nothing to do, but says so only of the method that is offered.
func authenticate(params jsontext.Value) (any, error) {
	in := struct {
		MethodID string `json:"methodId"`
	}{credentials}
	if len(params) > 0 && json.Unmarshal(params, &in, lenient) != nil || in.MethodID != credentials {
		return nil, &jsonrpc.Error{Code: jsonrpc.InvalidParams,
			Message: "unknown authentication method: the one that is offered is " + credentials}
	}
	return struct{}{}, nil
}
