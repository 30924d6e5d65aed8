package cliconfig

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnableServer(t *testing.T) {
	replaced := []string{`the old spelling "enable" was replaced by "enabled"`}
	tests := []struct {
		server string
		on     bool
		want   string
		notes  []string
	}{
		{`{"command": "c"}`, false, `{"command": "c", "enabled": false}`, nil},
		{`{"enabled": true, "command": "c"}`, false, `{"enabled": false, "command": "c"}`, nil},
		{`{"enabled":  false,  "command": "c"}`, true, `{"command": "c"}`, nil},
		{`{"command": "c", "enable": false}`, true, `{"command": "c"}`, replaced},
		{`{"command": "c", "enable": false}`, false, `{"command": "c", "enabled": false}`, replaced},
		{`{"command": "c", "enable": true}`, false, `{"command": "c", "enabled": false}`, replaced},
		{`{"command": "c", "enable": true}`, true, `{"command": "c"}`, replaced},
		{`{"enable": false, "enabled": true}`, false, `{"enabled": false}`, replaced},
		{`{"enable": false, "enabled": true}`, true, `{}`, replaced},
		{`{"command": "c", "enabled": "no"}`, true, `{"command": "c"}`, nil},
		{`{"command": "c", "enabled": null}`, false, `{"command": "c", "enabled": false}`, nil},
		{`{"command": "c", "autoApprove": ["*"]}`, false, `{"command": "c", "autoApprove": ["*"], "enabled": false}`, nil},
	}
	for _, tt := range tests {
		d, notes, err := EnableServer(parse(t, `{"mcp": {"servers": {"s": `+tt.server+`}}}`), "s", tt.on)
		if err != nil {
			t.Errorf("EnableServer(%s, %v): %v", tt.server, tt.on, err)
			continue
		}
		want := `{"mcp": {"servers": {"s": ` + tt.want + `}}}`
		if diff := cmp.Diff(want, string(d.Text())); diff != "" {
			t.Errorf("EnableServer(%s, %v) (-want +got):\n%s", tt.server, tt.on, diff)
		}
		if diff := cmp.Diff(tt.notes, notes); diff != "" {
			t.Errorf("EnableServer(%s, %v) notes (-want +got):\n%s", tt.server, tt.on, diff)
		}
	}
}

func TestEnableServerThatIsSoAlready(t *testing.T) {
	tests := []struct {
		server string
		on     bool
	}{
		{`{"command": "c"}`, true},
		{`{"command": "c", "enabled": true}`, true},
		{`{"command": "c", "enabled": false}`, false},
	}
	for _, tt := range tests {
		d := parse(t, `{"mcp": {"servers": {"s": `+tt.server+`}}}`)
		got, notes, err := EnableServer(d, "s", tt.on)
		if got != d || notes != nil || err != nil {
			t.Errorf("EnableServer(%s, %v) = %p, %v, %v, want the same document %p", tt.server, tt.on, got, notes, err, d)
		}
	}
}

func TestRemoveServer(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"s", `{"mcp": {"servers": {"s": {"command": "c"}}}, "ui": {}}`, `{"mcp": {"servers": {}}, "ui": {}}`},
		{"s", `{"mcp": {"servers": {"r": 1, "s": null}}}`, `{"mcp": {"servers": {"r": 1}}}`},
		{"a/b", `{"mcp": {"servers": {"a/b": {}, "r": 1}}}`, `{"mcp": {"servers": {"r": 1}}}`},
		{"__proto__", `{"mcp": {"servers": {"__proto__": {}, "r": 1}}}`, `{"mcp": {"servers": {"r": 1}}}`},
	}
	for _, tt := range tests {
		d, err := RemoveServer(parse(t, tt.text), tt.name)
		if err != nil {
			t.Errorf("RemoveServer(%s, %s): %v", tt.text, tt.name, err)
			continue
		}
		if got := string(d.Text()); got != tt.want {
			t.Errorf("RemoveServer(%s, %s) = %s, want %s", tt.text, tt.name, got, tt.want)
		}
	}
}

func TestUnknownServer(t *testing.T) {
	for _, name := range []string{"x", "", "toString", "constructor", "a.b", "0"} {
		for text, d := range map[string]string{"empty": `{}`, "others": `{"mcp": {"servers": {"a": {"command": "a"}}}}`} {
			_, _, enableErr := EnableServer(parse(t, d), name, true)
			_, removeErr := RemoveServer(parse(t, d), name)
			if !errors.Is(enableErr, ErrUnknown) || !errors.Is(removeErr, ErrUnknown) {
				t.Errorf("%s, server %q: got %v and %v, want ErrUnknown", text, name, enableErr, removeErr)
			}
		}
	}
	_, err := RemoveServer(New(), "x\x1b")
	want := `removing an MCP server: MCP server "x\x1b" is not configured: list the servers to see the names`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestBrokenSection wants every edit refused with the pointer of what is broken.
func TestBrokenSection(t *testing.T) {
	tests := []struct{ text, pointer string }{
		{`[]`, ""},
		{`null`, ""},
		{`{"mcp": null}`, "/mcp"},
		{`{"mcp": []}`, "/mcp"},
		{`{"mcp": {"servers": null}}`, "/mcp/servers"},
		{`{"mcp": {"servers": [1]}}`, "/mcp/servers"},
	}
	edits := map[string]change{
		"set":    set(t, "0", `{"command": "c"}`),
		"enable": enable("0", false),
		"remove": remove("0"),
	}
	for _, tt := range tests {
		for name, do := range edits {
			d, _, err := do(parse(t, tt.text))
			var invalid *InvalidError
			if d != nil || !errors.As(err, &invalid) || !errors.Is(err, ErrInvalid) || invalid.Pointer != tt.pointer {
				t.Errorf("%s of %s: got %v, want an invalid setting at %q", name, tt.text, err, tt.pointer)
			}
		}
	}
}

func TestEnableServerThatIsNoObject(t *testing.T) {
	_, _, err := EnableServer(parse(t, `{"mcp": {"servers": {"s": []}}}`), "s", false)
	want := "switching an MCP server: /mcp/servers/s must be an object: remove this server and add it anew"
	if !errors.Is(err, ErrInvalid) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
