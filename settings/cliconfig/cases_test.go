package cliconfig

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

func parse(t testing.TB, text string) *jsonedit.Doc {
	t.Helper()
	d, err := jsonedit.Parse([]byte(text))
	if err != nil {
		t.Fatalf("parsing %s: %v", text, err)
	}
	return d
}

func load(t testing.TB, file string) *jsonedit.Doc {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(text))
}

// change is one edit of a document.
type change func(*jsonedit.Doc) (*jsonedit.Doc, []string, error)

func set(t testing.TB, name, body string) change {
	return func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return UpsertServer(d, name, parse(t, body).Root())
	}
}

func enable(name string, on bool) change {
	return func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) { return EnableServer(d, name, on) }
}

func remove(name string) change {
	return func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		doc, err := RemoveServer(d, name)
		return doc, nil, err
	}
}

func TestCaseEdits(t *testing.T) {
	tests := []struct {
		file  string
		do    change
		want  string
		notes []string
	}{
		{
			file: "unknown-keys.json",
			do:   enable("files", false),
			want: `{
  "$schema": "https://example.invalid/zcode.json",
  "futureSection": {"keep": [1, 2,   3], "nested": {"deep": null}},
  "mcp": {
    "servers": {
      "files": {"type": "stdio", "command": "npx", "args": ["-y", "server-files"], "env": {"ROOT": "/srv"}, "enabled": false}
    }
  },
  "zeta": 1,
  "alpha": 2
}
`,
		},
		{
			file: "crlf-tabs.json",
			do:   enable("a", false),
			want: strings.ReplaceAll(`{
	"mcp": {
		"servers": {
			"a": {
				"type": "http",
				"url": "https://a.example/mcp",
				"enabled": false
			}
		}
	}
}
`, "\n", "\r\n"),
		},
		{
			file: "bom.json",
			do:   set(t, "x", `{"command": "y"}`),
			want: `{
  "ui": {"locale": "auto"},
  "mcp": {
    "servers": {
      "x": {
        "type": "stdio",
        "command": "y"
      }
    }
  }
}
`,
		},
		{
			file: "numbers.json",
			do:   set(t, "n", `{"command": "n"}`),
			want: `{
  "x": 12345678901234567890,
  "y": 1e400,
  "z": 1.0,
  "w": -0,
  "v": 0.10e-7,
  "mcp": { "servers": { "n": { "type": "stdio", "command": "n" } } }
}
`,
		},
		{
			file: "minified.json",
			do:   enable("b", false),
			want: `{"mcp":{"servers":{"a":{"type":"stdio","command":"a"},"b":{"type":"stdio","command":"b","enabled":false}}},"hooks":{"enabled":true}}`,
		},
		{
			file: "no-final-newline-4-spaces.json",
			do:   enable("a", false),
			want: `{
    "mcp": {
        "servers": {
            "a": {
                "command": "a",
                "enabled": false
            }
        }
    }
}`,
		},
		{
			file: "legacy-enable.json",
			do:   set(t, "old", `{"timeoutMs": 30000}`),
			want: `{
  "mcp": {
    "servers": {
      "old": {"type": "stdio", "command": "old", "enabled": false, "timeoutMs": 30000},
      "remote": {"type": "remote", "url": "https://r.example/mcp", "http_headers": {"Authorization": "Bearer KEY"}}
    }
  }
}
`,
			notes: []string{`the old spelling "enable" was replaced by "enabled"`},
		},
		{
			file: "transport.json",
			do:   set(t, "s", `{"type": "http", "url": "https://s.example/mcp"}`),
			want: `{
  "mcp": {
    "servers": {
      "s": {"type": "http", "timeoutMs": 60000, "url": "https://s.example/mcp"}
    }
  }
}
`,
			notes: []string{"the members of the other transport were removed: command, args, env, cwd"},
		},
		{
			file: "empty-matcher.json",
			do:   enable("a", false),
			want: `{
  "mcp": {"servers": {"a": {"type": "stdio", "command": "a", "enabled": false}}},
  "hooks": {
    "enabled": true,
    "events": {
      "UserPromptSubmit": [{"matcher": "", "hooks": [{"type": "command", "command": "log", "timeout": 5}]}]
    }
  }
}
`,
		},
		{
			file: "extra-mcp-key.json",
			do:   enable("good", false),
			want: `{
  "mcp": {"servers": {"bad": {"type": "stdio", "command": "x", "autoApprove": ["*"]}, "good": {"type": "stdio", "command": "y", "enabled": false}}}
}
`,
		},
		{
			file: "minified.json",
			do:   remove("a"),
			want: `{"mcp":{"servers":{"b":{"type":"stdio","command":"b"}}},"hooks":{"enabled":true}}`,
		},
		{
			file: "crlf-tabs.json",
			do:   remove("a"),
			want: "{\r\n\t\"mcp\": {\r\n\t\t\"servers\": {}\r\n\t}\r\n}\r\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			d, notes, err := tt.do(load(t, tt.file))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(d.Text())); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.notes, notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCaseMissingFile adds the first server to a file that does not exist yet.
func TestCaseMissingFile(t *testing.T) {
	d, _, err := UpsertServer(New(), "gh", parse(t, `{"url": "https://gh.example/mcp", "timeoutMs": 5}`).Root())
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "mcp": {
    "servers": {
      "gh": {
        "type": "http",
        "url": "https://gh.example/mcp",
        "timeoutMs": 5
      }
    }
  }
}
`
	if diff := cmp.Diff(want, string(d.Text())); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestCaseProblems(t *testing.T) {
	tests := []struct {
		file string
		want []Problem
	}{
		{"empty-matcher.json", []Problem{{
			Problem: schema.Problem{Pointer: "/hooks/events/UserPromptSubmit/0/matcher", Line: 6, Column: 29, Rule: "must be a string that is not empty"},
			Effect:  FileIgnored, Section: "hooks",
		}}},
		{"new-hook-event.json", []Problem{{
			Problem: schema.Problem{Pointer: "/hooks/events/SubagentStop", Line: 2, Column: 41, Rule: "is not known to ZCode here"},
			Effect:  FileIgnored, Section: "hooks",
		}}},
		{"extra-mcp-key.json", []Problem{{
			Problem: schema.Problem{Pointer: "/mcp/servers/bad/autoApprove", Line: 2, Column: 64, Rule: "is not known to ZCode here"},
			Effect:  ServerIgnored, Section: "mcp", Server: "bad",
		}}},
		{"bom.json", []Problem{{
			Problem: schema.Problem{Line: 1, Column: 1, Rule: "must not begin with a byte order mark: ZCode cannot read it"},
			Effect:  FileIgnored,
		}}},
		{"array.json", []Problem{{
			Problem: schema.Problem{Line: 1, Column: 1, Rule: "must be an object"},
			Effect:  FileIgnored,
		}}},
		{"legacy-enable.json", nil},
		{"transport.json", nil},
		{"unknown-keys.json", nil},
		{"numbers.json", nil},
		{"escapes.json", nil},
		{"integer-keys.json", nil},
		{"skills-keys.json", nil},
		{"plugins.json", nil},
		{"minified.json", nil},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Check(load(t, tt.file))); diff != "" {
				t.Errorf("Check (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCaseLists(t *testing.T) {
	tests := []struct {
		file string
		want []Server
	}{
		{"legacy-enable.json", []Server{
			{Name: "old", Type: "stdio", Command: "old", Source: "user", Legacy: []string{"enable"}},
			{Name: "remote", Type: "http", URL: "https://r.example/mcp", Headers: map[string]string{"Authorization": "********"},
				Enabled: true, Source: "user", Legacy: []string{"type remote", "http_headers"}},
		}},
		{"extra-mcp-key.json", []Server{
			{Name: "bad", Type: "stdio", Command: "x", Enabled: true, Source: "user",
				Ignored: "ZCode skips this server: /autoApprove is not known to ZCode here"},
			{Name: "good", Type: "stdio", Command: "y", Enabled: true, Source: "user"},
		}},
		{"array.json", []Server{}},
		{"bom.json", []Server{}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Servers(load(t, tt.file)), cmp.Transformer("args", noneIsNil)); diff != "" {
				t.Errorf("Servers (-want +got):\n%s", diff)
			}
		})
	}
}

// noneIsNil lets an empty list equal an absent one: both leave the JSON out.
func noneIsNil(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return append([]string(nil), list...)
}
