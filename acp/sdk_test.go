package acp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	sdk "github.com/coder/acp-go-sdk"

	"zcode-acp/settings"
)

// editor is what an independent implementation of the protocol asks of a client;
// this agent asks nothing of it yet.
type editor struct{ sdk.Client }

// dial connects the independent client to an agent.
func dial(t *testing.T, a *Agent) (*sdk.ClientSideConnection, context.Context) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- a.Serve(ctx, inR, outW)
		outW.Close()
	}()
	conn := sdk.NewClientSideConnection(editor{}, inW, outR)
	conn.SetLogger(slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		inW.Close()
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
		<-conn.Done()
		cancel()
	})
	return conn, ctx
}

// TestIndependentClient needs nothing of ZCode.
func TestIndependentClient(t *testing.T) {
	w := newWorld(t)
	conn, ctx := dial(t, &Agent{Catalog: w.catalog(), Version: "1.2.3"})

	hello, err := conn.Initialize(ctx, sdk.InitializeRequest{
		ProtocolVersion: 7,
		ClientInfo:      &sdk.Implementation{Name: "editor", Version: "1"},
	})
	if err != nil {
		t.Fatalf("initialize: %v", err)
	}
	t.Run("B001 an independent client reads protocol version 1", func(t *testing.T) {
		if hello.ProtocolVersion != 1 {
			t.Errorf("got %d", hello.ProtocolVersion)
		}
	})
	t.Run("B002 an independent client reads name, title and version", func(t *testing.T) {
		info := hello.AgentInfo
		if info == nil || info.Name != "zcode-acp" || info.Title == nil || *info.Title != "ZCode" || info.Version != "1.2.3" {
			t.Errorf("got %+v", info)
		}
	})
	t.Run("B005 an independent client reads one auth method of the agent type", func(t *testing.T) {
		if len(hello.AuthMethods) != 1 || hello.AuthMethods[0].Agent == nil || hello.AuthMethods[0].Agent.Id != "zcode-credentials" {
			t.Fatalf("got %+v", hello.AuthMethods)
		}
		if _, err := conn.Authenticate(ctx, sdk.AuthenticateRequest{MethodId: "zcode-credentials"}); err != nil {
			t.Errorf("authenticate: %v", err)
		}
	})
	t.Run("the capability names the methods", func(t *testing.T) {
		text, err := json.Marshal(hello.AgentCapabilities.Meta["zcode"])
		if err != nil || !strings.Contains(string(text), `"_zcode/settings/mcp/list"`) {
			t.Errorf("got %s, %v", text, err)
		}
	})
	t.Run("B071 an independent client calls operations", func(t *testing.T) { callOperations(t, ctx, conn) })
	t.Run("a session is refused", func(t *testing.T) {
		_, err := conn.NewSession(ctx, sdk.NewSessionRequest{Cwd: w.root, McpServers: []sdk.McpServer{}})
		failed, ok := errors.AsType[*sdk.RequestError](err)
		if !ok || failed.Code != -32603 || !strings.Contains(failed.Message, "has no sessions") {
			t.Errorf("got %v", err)
		}
	})
}

func callOperations(t *testing.T, ctx context.Context, conn *sdk.ClientSideConnection) {
	_, err := conn.CallExtension(ctx, "_zcode/settings/mcp/upsert", map[string]any{"name": "b", "command": "run"})
	if err != nil {
		t.Fatalf("mcp/upsert: %v", err)
	}
	text, err := conn.CallExtension(ctx, "_zcode/settings/mcp/list", nil)
	if err != nil {
		t.Fatalf("mcp/list: %v", err)
	}
	var list settings.MCPList
	if err := json.Unmarshal(text, &list); err != nil || !list.OK {
		t.Fatalf("mcp/list answers %s, %v", text, err)
	}
	var names []string
	for _, server := range list.MCP.Servers {
		names = append(names, server.Name)
	}
	if !slices.Equal(names, []string{"b"}) {
		t.Errorf("mcp/list: got %q", names)
	}

	_, err = conn.CallExtension(ctx, "_zcode/settings/mcp/remove", map[string]any{"name": "nope"})
	failed, ok := errors.AsType[*sdk.RequestError](err)
	if !ok || failed.Code != -32002 {
		t.Fatalf("mcp/remove of none: got %v", err)
	}
	data, ok := failed.Data.(map[string]any)
	if !ok || data["ok"] != false || data["code"] != "not_found" || data["error"] != failed.Message {
		t.Errorf("mcp/remove of none: got the data %v", failed.Data)
	}
	_, err = conn.CallExtension(ctx, "_zcode/nope", nil)
	if failed, ok := errors.AsType[*sdk.RequestError](err); !ok || failed.Code != -32601 {
		t.Errorf("an unknown method: got %v", err)
	}
}
