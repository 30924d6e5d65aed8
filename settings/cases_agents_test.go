package settings

import (
	"strings"
	"testing"
)

const sharedOne = `{"mcpServers": {"one": {"command": "one", "env": {"K": "CANARY-shared"}}}}`

// The servers of ~/.agents/mcp.json count while cli/config.json has none.
func TestCaseSharedServers(t *testing.T) {
	w := newWorld(t)
	w.put(agentsFile, sharedOne)
	list := answerOf[*MCPList](w, "mcp/list")
	if len(list.MCP.Servers) != 1 || list.MCP.Servers[0].Source != "agents" || list.MCP.Servers[0].Ignored != "" {
		t.Fatalf("got %+v, want the shared server in use", list.MCP.Servers)
	}
	preview := w.write("mcp/upsert", Call{DryRun: true}, params{"name": "x", "command": "y"})
	first := w.write("mcp/upsert", Call{IfMatch: list.ETag}, params{"name": "x", "command": "y"})
	for _, got := range []*Written{preview, first} {
		hasOnly(t, "warnings", got.Warnings, "out of sight")
		if !strings.Contains(got.Warnings[0], "import") || !strings.Contains(got.Warnings[0], w.path(agentsFile)) {
			t.Errorf("got warning %q, want one that names the file and offers the import", got.Warnings[0])
		}
	}
	second := w.write("mcp/upsert", Call{}, params{"name": "z", "command": "z"})
	hasOnly(t, "warnings of the second", second.Warnings)
	list = answerOf[*MCPList](w, "mcp/list")
	var got []string
	for _, s := range list.MCP.Servers {
		got = append(got, s.Name+" "+s.Source)
	}
	same(t, "servers", strings.Join(got, ", "), "x user, z user, one agents")
	if ignored := list.MCP.Servers[2].Ignored; !strings.Contains(ignored, "only while its own file has no server") {
		t.Errorf("the shared server: got ignored %q", ignored)
	}
	if second.ETag != list.ETag {
		t.Errorf("got etag %s, the listing has %s", second.ETag, list.ETag)
	}
	same(t, "the shared file", w.get(agentsFile), sharedOne)
}

func TestCaseSharedServerIsNotOurs(t *testing.T) {
	w := newWorld(t)
	w.put(agentsFile, sharedOne)
	w.put(cliFile, "{}\n")
	for op, in := range map[string]params{"mcp/enable": {"name": "one", "enabled": false}, "mcp/remove": {"name": "one"}} {
		got := w.refuse(op, Call{}, in)
		if got.Code != CodeUnknown || !strings.Contains(got.Error, w.path(agentsFile)) {
			t.Errorf("%s: got %+v, want %s and where it stands", op, got, CodeUnknown)
		}
		if got = w.refuse(op, Call{}, params{"name": "nobody", "enabled": true}); op == "mcp/enable" && got.Code != CodeUnknown {
			t.Errorf("%s: got %+v, want %s", op, got, CodeUnknown)
		}
	}
}

// The shared file is read only: what is wrong with it is told and stops nothing.
func TestCaseSharedFileBroken(t *testing.T) {
	for _, tt := range []struct {
		text         string
		line, column int
	}{{"{\n  // mine\n}\n", 2, 3}, {"[]", 1, 1}, {"", 0, 0}} {
		w := newWorld(t)
		w.put(agentsFile, tt.text)
		w.put(cliFile, `{"mcp":{"servers":{"a":{"command":"a"}}}}`)
		list := answerOf[*MCPList](w, "mcp/list")
		hasOnly(t, "warnings", list.Warnings, w.path(agentsFile))
		if len(list.MCP.Servers) != 1 {
			t.Errorf("got %+v, want our own server", list.MCP.Servers)
		}
		all := answerOf[*All](w, "all")
		if len(all.MCP.Servers) != 1 || len(all.Problems) != 1 || all.Problems[0].Section != "mcp" ||
			all.Problems[0].Line != tt.line || all.Problems[0].Column != tt.column {
			t.Errorf("%q: got %+v with %+v, want the server and the problem at %d:%d", tt.text, all.MCP, all.Problems, tt.line, tt.column)
		}
		w.write("mcp/enable", Call{IfMatch: list.ETag}, params{"name": "a", "enabled": false})
		same(t, "the file", w.get(cliFile), `{"mcp":{"servers":{"a":{"command":"a","enabled":false}}}}`)
		same(t, "the shared file", w.get(agentsFile), tt.text)
	}
}
