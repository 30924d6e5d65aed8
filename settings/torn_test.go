package settings

import (
	"os"
	"strings"
	"testing"
	"time"
)

// Another program that writes in place is in the middle of its write for longer
// than a torn read is waited for. Its half is not a broken file.
func TestRepairWaitsForAWriterInPlace(t *testing.T) {
	w := newWorld(t)
	const half, rest = `{"mcp":{"servers":{"a":{"type":"stdio","command":"x"`, `}}},"precious":1}`
	w.put(cliFile, half)
	if err := os.Chtimes(w.path(cliFile), time.Time{}, time.Now()); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(w.path(cliFile), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	written := make(chan error, 1)
	go func() {
		time.Sleep(700 * time.Millisecond)
		_, err := f.WriteString(rest)
		written <- err
	}()
	w.write("mcp/upsert", Call{Repair: true}, params{"name": "b", "command": "y"})
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	if got := w.get(cliFile); !strings.Contains(got, `"precious":1`) || !strings.Contains(got, `"b"`) {
		t.Errorf("the file holds\n%s\nwant both programs' changes", got)
	}
}

func TestMCPEnableContradiction(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"mcp":{"servers":{"a":{"type":"stdio","command":"x"}}}}`)
	before := w.files()
	got := w.refuse("mcp/enable", Call{}, params{"name": "a", "enabled": false, "enable": true})
	if got.Code != CodeInvalid || got.Pointer != "/enable" {
		t.Errorf("got %+v, want invalid at /enable", got)
	}
	w.unchanged(before)
}

// What ZCode makes nothing of must not look like a setting that works.
func TestReadsTellOfAnIgnoredFile(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"mcp":{"servers":{"a":{"type":"stdio","command":"x"}}},`+
		`"hooks":{"events":{"Stop":[{"matcher":"","hooks":[{"type":"command","command":"c"}]}]}}}`)
	answer, err := w.run("mcp/list", Call{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list := answer.(*MCPList)
	if len(list.MCP.Servers) != 1 || len(list.Warnings) != 1 || !strings.Contains(list.Warnings[0], "/hooks/events/Stop/0/matcher") {
		t.Errorf("got %+v, want the server and a warning that names the matcher", list)
	}
	answer, err = w.run("all", Call{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := answer.(*All)
	if same(t, "sections with problems", sectionsOf(all.Problems), "mcp skills hooks"); len(all.MCP.Servers) != 1 || all.Problems[0].Code != CodeBroken {
		t.Errorf("got %+v, want the server and the problem", all.Problems)
	}
}

func TestNamesAreRequired(t *testing.T) {
	w := newWorld(t)
	for operation, test := range map[string]struct {
		in      params
		pointer string
	}{
		"mcp/remove":        {nil, "/name"},
		"mcp/enable":        {params{"enabled": true}, "/name"},
		"providers/remove":  {nil, "/id"},
		"providers/update":  {params{"enabled": true}, "/id"},
		"providers/set-key": {params{"apiKey": "k"}, "/id"},
		"models/remove":     {params{"providerId": "p"}, "/modelId"},
		"models/upsert":     {params{"modelId": "m"}, "/providerId"},
	} {
		if got := w.refuse(operation, Call{}, test.in); got.Code != CodeInvalid || got.Pointer != test.pointer {
			t.Errorf("%s: got %+v, want invalid at %s", operation, got, test.pointer)
		}
	}
}

// A rival that reads in the moment in which our change stands there writes it
// for us. The caller's change is made, not superfluous.
func TestChangeTakenOverByAnother(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"mcp":{"servers":{}}}`)
	rival := `{"mcp":{"servers":{"a":{"type":"stdio","command":"x"}}},"rival":1}`
	written := false
	w.engine.writer.Fault = func(op, _ string) error {
		if op == "exchange" && !written {
			written = true
			next := w.path(cliFile) + ".rival"
			if err := os.WriteFile(next, []byte(rival), 0o600); err != nil {
				return err
			}
			return os.Rename(next, w.path(cliFile))
		}
		return nil
	}
	got := w.write("mcp/upsert", Call{}, params{"name": "a", "type": "stdio", "command": "x"})
	if !got.Changed {
		t.Errorf("got %+v, want a change", got)
	}
	if text := w.get(cliFile); text != rival {
		t.Errorf("the file holds %s, want what the rival wrote", text)
	}
}
