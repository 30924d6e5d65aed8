package settings

import (
	"os"
	"strings"
	"testing"
)

func TestCasesOfCLIConfig(t *testing.T) {
	addX := params{"name": "x", "command": "y"}
	tests := []struct {
		file     string
		op       string
		in       params
		want     string
		also     []string
		warnings []string
	}{
		{file: "unknown-keys.json", op: "mcp/enable", in: params{"name": "files", "enabled": false}, want: `{
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
`},
		{file: "crlf-tabs.json", op: "mcp/enable", in: params{"name": "a", "enabled": false}, want: "{\r\n" +
			"\t\"mcp\": {\r\n" +
			"\t\t\"servers\": {\r\n" +
			"\t\t\t\"a\": {\r\n" +
			"\t\t\t\t\"type\": \"http\",\r\n" +
			"\t\t\t\t\"url\": \"https://a.example/mcp\",\r\n" +
			"\t\t\t\t\"enabled\": false\r\n" +
			"\t\t\t}\r\n\t\t}\r\n\t}\r\n}\r\n"},
		{file: "bom.json", op: "mcp/upsert", in: addX, also: []string{"byte order mark was dropped"}, want: `{
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
`},
		{file: "numbers.json", op: "mcp/upsert", in: addX, want: `{
  "x": 12345678901234567890,
  "y": 1e400,
  "z": 1.0,
  "w": -0,
  "v": 0.10e-7,
  "mcp": { "servers": { "x": { "type": "stdio", "command": "y" } } }
}
`},
		{file: "escapes.json", op: "mcp/upsert", in: addX, want: `{
  "note": "\u00e9 \/ <&> \ud83d\ude00 é \u2028",
  "lone": "\ud800",
  "skills": {},
  "mcp": {
    "servers": {
      "x": {
        "type": "stdio",
        "command": "y"
      }
    }
  }
}
`},
		{file: "integer-keys.json", op: "mcp/upsert", in: addX, want: `{
  "10": "ten",
  "9": "nine",
  "b": 1,
  "skills": {},
  "mcp": {
    "servers": {
      "x": {
        "type": "stdio",
        "command": "y"
      }
    }
  }
}
`},
		{file: "minified.json", op: "mcp/enable", in: params{"name": "b", "enabled": false},
			want: `{"mcp":{"servers":{"a":{"type":"stdio","command":"a"},"b":{"type":"stdio","command":"b","enabled":false}}},"hooks":{"enabled":true}}`},
		{file: "no-final-newline-4-spaces.json", op: "mcp/enable", in: params{"name": "a", "enable": false}, want: `{
    "mcp": {
        "servers": {
            "a": {
                "command": "a",
                "enabled": false
            }
        }
    }
}`},
		{file: "legacy-enable.json", op: "mcp/upsert", in: params{"name": "old", "timeoutMs": 30000}, also: []string{`"enable" was replaced`}, want: `{
  "mcp": {
    "servers": {
      "old": {"type": "stdio", "command": "old", "enabled": false, "timeoutMs": 30000},
      "remote": {"type": "remote", "url": "https://r.example/mcp", "http_headers": {"Authorization": "Bearer KEY"}}
    }
  }
}
`},
		{file: "transport.json", op: "mcp/upsert", in: params{"name": "s", "type": "http", "url": "https://s.example/mcp"}, want: `{
  "mcp": {
    "servers": {
      "s": {"type": "http", "timeoutMs": 60000, "url": "https://s.example/mcp"}
    }
  }
}
`, also: []string{"command, args, env, cwd"}},
		{file: "empty-matcher.json", op: "mcp/enable", in: params{"name": "a", "enabled": false},
			warnings: []string{"/hooks/events/UserPromptSubmit/0/matcher (line 6, column 29)"}, want: `{
  "mcp": {"servers": {"a": {"type": "stdio", "command": "a", "enabled": false}}},
  "hooks": {
    "enabled": true,
    "events": {
      "UserPromptSubmit": [{"matcher": "", "hooks": [{"type": "command", "command": "log", "timeout": 5}]}]
    }
  }
}
`},
		{file: "new-hook-event.json", op: "mcp/upsert", in: addX,
			warnings: []string{"/hooks/events/SubagentStop (line 2, column 41)"}, want: `{
  "hooks": {"enabled": true, "events": {"SubagentStop": [{"hooks": [{"type": "command", "command": "x"}]}]}},
  "skills": {},
  "mcp": {
    "servers": {
      "x": {
        "type": "stdio",
        "command": "y"
      }
    }
  }
}
`},
		{file: "extra-mcp-key.json", op: "mcp/enable", in: params{"name": "good", "enabled": false}, want: `{
  "mcp": {"servers": {"bad": {"type": "stdio", "command": "x", "autoApprove": ["*"]}, "good": {"type": "stdio", "command": "y", "enabled": false}}}
}
`},
	}
	for _, tt := range tests {
		t.Run("B046 "+tt.file, func(t *testing.T) {
			w := newWorld(t)
			old := sample(t, "cli-config/"+tt.file)
			w.put(cliFile, old)
			if err := os.Chmod(w.path(cliFile), 0o644); err != nil {
				t.Fatal(err)
			}
			got := w.write(tt.op, Call{}, tt.in)
			same(t, "the file", w.get(cliFile), tt.want)
			hasOnly(t, "also", got.Also, tt.also...)
			hasOnly(t, "warnings", got.Warnings, tt.warnings...)
			if !got.OK || !got.Changed || got.Effect != NeedsRestart {
				t.Errorf("got %+v, want ok, changed and %s", got, NeedsRestart)
			}
			w.hasMode(cliFile, 0o644)
			w.keeps(got.Backup, old)
			if list := answerOf[*MCPList](w, "mcp/list"); list.ETag != got.ETag {
				t.Errorf("got etag %s, the listing has %s", got.ETag, list.ETag)
			}
		})
	}
}

func (w *world) hasMode(file string, want os.FileMode) {
	w.t.Helper()
	info, err := os.Stat(w.path(file))
	if err != nil {
		w.t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != want {
		w.t.Errorf("%s has mode %v, want %v", file, got, want)
	}
}

// keeps checks that a backup holds a file as it was.
func (w *world) keeps(backup, want string) {
	w.t.Helper()
	content, err := os.ReadFile(backup)
	if err != nil {
		w.t.Fatalf("the backup: %v", err)
	}
	same(w.t, "the backup", string(content), want)
}

func TestCaseMissingCLIConfig(t *testing.T) {
	w := newWorld(t)
	if got := answerOf[*MCPList](w, "mcp/list"); len(got.MCP.Servers) != 0 || got.Warnings != nil {
		t.Errorf("got %+v, want nothing", got)
	}
	got := w.write("mcp/upsert", Call{}, params{"name": "x", "command": "y"})
	same(t, "the file", w.get(cliFile), `{
  "mcp": {
    "servers": {
      "x": {
        "type": "stdio",
        "command": "y"
      }
    }
  }
}
`)
	w.hasMode(cliFile, 0o600)
	if got.Backup != "" || !got.Changed || len(got.Also) != 0 {
		t.Errorf("got %+v, want a change without a backup", got)
	}
}

// place is where a refusal points at.
type place struct {
	code         Code
	pointer      string
	line, column int
}

func TestCasesOfCLIConfigRefused(t *testing.T) {
	tests := []struct {
		file string
		want place
		text string // in the sentence
	}{
		{"duplicate-keys.json", place{CodeBroken, "", 4, 3}, `"skills"`},
		{"comments.json", place{CodeBroken, "", 2, 3}, "comment"},
		{"empty.json", place{CodeBroken, "", 0, 0}, "--repair"},
		{"array.json", place{CodeBroken, "", 1, 1}, "object"},
		{"truncated.json", place{CodeBroken, "", 4, 21}, "no end"}, // where the string begins,
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			w := newWorld(t)
			w.put(cliFile, sample(t, "cli-config/"+tt.file))
			w.put(providerFile, sample(t, "provider/canonical.json"))
			for _, dry := range []bool{false, true} {
				for op, in := range map[string]params{
					"mcp/upsert": {"name": "x", "command": "y"},
					"mcp/enable": {"name": "a", "enabled": false},
					"mcp/remove": {"name": "a"},
				} {
					got := w.refuse(op, Call{DryRun: dry}, in)
					w.pointsAt(got, tt.want, w.path(cliFile))
					if !strings.Contains(got.Error, tt.text) {
						t.Errorf("%s: got %q, want it to tell %q", op, got.Error, tt.text)
					}
				}
			}
			before := w.files()
			all := answerOf[*All](w, "all")
			same(t, "sections with problems", sectionsOf(all.Problems), "mcp skills hooks")
			for _, p := range all.Problems {
				if p.Code != CodeBroken || p.Line != tt.want.line || p.Column != tt.want.column {
					t.Errorf("got problem %+v, want %+v", p, tt.want)
				}
			}
			if len(all.MCP.Servers) != 0 || len(all.Models.Providers) != 1 {
				t.Errorf("got %+v and %+v, want no server, and the provider", all.MCP, all.Models.Providers)
			}
			list, err := w.run("mcp/list", Call{}, nil)
			if tt.file != "empty.json" {
				w.pointsAt(Describe(err), tt.want, w.path(cliFile))
			} else if err != nil {
				t.Errorf("mcp/list: %v", err)
			} else {
				hasOnly(t, "warnings", list.(*MCPList).Warnings, "is empty")
			}
			w.unchanged(before)
		})
	}
}

func sectionsOf(problems []Problem) string {
	var names []string
	for _, p := range problems {
		names = append(names, p.Section)
	}
	return strings.Join(names, " ")
}

func (w *world) pointsAt(got ErrorBody, want place, file string) {
	w.t.Helper()
	if at := (place{got.Code, got.Pointer, got.Line, got.Column}); at != want {
		w.t.Errorf("got %+v, want %+v (%s)", at, want, got.Error)
	}
	if got.File != file || got.OK {
		w.t.Errorf("got file %q, ok %v, want %q", got.File, got.OK, file)
	}
}

// TestCaseEmptyFile: what holds nothing is read as empty settings, and replaced
// only when somebody asks for it.
func TestCaseEmptyFile(t *testing.T) {
	for _, text := range []string{"", " \r\n\t\n", "\ufeff"} {
		w := newWorld(t)
		w.put(cliFile, text)
		w.put(providerFile, text)
		hasOnly(t, "mcp/list", answerOf[*MCPList](w, "mcp/list").Warnings, w.path(cliFile)+": the file is empty")
		models := answerOf[*ModelsList](w, "models/list")
		hasOnly(t, "models/list", models.Warnings, w.path(providerFile)+": the file is empty")
		if len(models.Models.Providers) != 0 {
			t.Errorf("got %+v, want no provider", models.Models)
		}
		all := answerOf[*All](w, "all")
		same(t, "sections with problems", sectionsOf(all.Problems), "models mcp skills hooks")
		for op, in := range map[string]params{
			"mcp/upsert":       {"name": "x", "command": "y"},
			"providers/create": {"providerId": "p9"},
		} {
			if got := w.refuse(op, Call{}, in); got.Code != CodeBroken {
				t.Errorf("%q: %s: got %+v, want %s", text, op, got, CodeBroken)
			}
			got := w.write(op, Call{Repair: true}, in)
			w.keeps(got.Backup, text)
			hasOnly(t, "also", got.Also, "begun anew")
		}
		if got := answerOf[*MCPList](w, "mcp/list"); len(got.MCP.Servers) != 1 || got.Warnings != nil {
			t.Errorf("%q: got %+v, want the server", text, got)
		}
	}
}

func TestCaseListings(t *testing.T) {
	tests := []struct{ file, want string }{
		{"legacy-enable.json", `[{"name":"old","type":"stdio","command":"old","enabled":false,"source":"user","legacy":["enable"]},` +
			`{"name":"remote","type":"http","url":"https://r.example/mcp","headers":{"Authorization":"********"},"enabled":true,"source":"user","legacy":["type remote","http_headers"]}]`},
		{"extra-mcp-key.json", `[{"name":"bad","type":"stdio","command":"x","enabled":true,"source":"user","ignored":"ZCode skips this server: /autoApprove is not known to ZCode here"},` +
			`{"name":"good","type":"stdio","command":"y","enabled":true,"source":"user"}]`},
	}
	for _, tt := range tests {
		w := newWorld(t)
		w.put(cliFile, sample(t, "cli-config/"+tt.file))
		text, err := Encode(answerOf[*MCPList](w, "mcp/list").MCP.Servers)
		if err != nil {
			t.Fatal(err)
		}
		same(t, tt.file, string(text), tt.want)
	}
}

// TestCaseExtraKeySent: what would make ZCode skip a server is refused.
func TestCaseExtraKeySent(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, sample(t, "cli-config/extra-mcp-key.json"))
	got := w.refuse("mcp/upsert", Call{}, params{"name": "good", "autoApprove": []string{"*"}})
	if got.Code != CodeInvalid || got.Pointer != "/autoApprove" {
		t.Errorf("got %+v, want %s at /autoApprove", got, CodeInvalid)
	}
}
