package jsonedit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAsJavaScriptWrites: in a file that JSON.stringify wrote, an edit gives the
// bytes that JSON.stringify would write after the same change.
func TestAsJavaScriptWrites(t *testing.T) {
	files := Path{"mcp", "servers", "files"}
	tests := []struct {
		want string // a file in testdata/stringify
		edit edit
	}{
		{"before", set(`{"env":{},"args":["-y","server-files","/srv/é 😀"],"type":"stdio","timeoutMs":60000,"command":"npx"}`, files...)},
		{"add-member", set("false", "mcp", "servers", "files", "enabled")},
		{"add-server", set(`{"command":"y","args":["a",{"b":[[],{}]}],"env":{"K":"\ud800\""}}`, "mcp", "servers", `c:\x/~ é`)},
		{"add-skill", set("false", "skills", "/home/user/skills/a/SKILL.md", "enable")},
		{"add-env", set(`"/srv"`, "mcp", "servers", "files", "env", "ROOT")},
		{"add-hook", insert(0, `{"type":"command","command":"x"}`, "hooks", "events", "Stop", "0", "hooks")},
		{"insert-argument", insert(1, `"--quiet"`, "mcp", "servers", "files", "args")},
		{"replace-arguments", set("[ ]", "mcp", "servers", "files", "args")},
		{"remove-last-member", del("skills")},
		{"remove-first-argument", del("mcp", "servers", "files", "args", "0")},
		{"remove-header", del("mcp", "servers", "remote", "headers", `X-"Q"`)},
	}
	file := func(name string) string {
		text, err := os.ReadFile(filepath.Join("testdata", "stringify", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := file("before")
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			if diff := cmp.Diff(file(tt.want), edited(t, before, tt.edit)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if entries, err := os.ReadDir(filepath.Join("testdata", "stringify")); err != nil || len(entries) != len(tests)+1 {
		t.Errorf("%d files, %d of them tested: %v", len(entries)-1, len(tests), err)
	}
	// The encoder that the properties compare with agrees with JavaScript's.
	for _, tt := range tests {
		text := file(tt.want)
		if got := stringify(read(t, []byte(text)), "  ", "\n") + "\n"; got != text {
			t.Errorf("%s: the model writes\n%s", tt.want, cmp.Diff(text, got))
		}
	}
}
