package acp

import (
	"fmt"
	"strings"
	"testing"
)

// TestLargeLine: a body of 20 MiB is taken or refused, and the line behind it
// is answered.
func TestLargeLine(t *testing.T) {
	const size = 20 << 20
	big := strings.Repeat("x", size)
	upsert := `{"jsonrpc":"2.0","id":1,"method":"_zcode/settings/mcp/upsert","params":{"name":"a","command":"a",%s}}`
	tests := []struct {
		name, body string
		stored     bool
	}{
		{"a value", `"env":{"A":"` + big + `"}`, true},
		{"many values", `"args":[` + strings.TrimSuffix(strings.Repeat(`"`+big[:size/16]+`",`, 16), ",") + `]`, true},
		{"a value where none may be", `"cwd":7,"env":{"A":"` + big + `"}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			answers := converse(t, &Agent{Catalog: w.catalog()},
				fmt.Sprintf(upsert, tt.body),
				`{"jsonrpc":"2.0","id":2,"method":"authenticate"}`)
			first := answers["1"]
			if tt.stored != (first.Error == nil && first.Result != nil) {
				t.Errorf("got %.300v", first.Error)
			}
			if first.Error != nil && (first.Error.Code != -32602 || first.Error.Data.Pointer != "/cwd") {
				t.Errorf("got %+.300v", first.Error)
			}
			if string(answers["2"].Result) != "{}" {
				t.Errorf("the line behind: got %+v", answers["2"])
			}
			if got := len(files(t, w.dir)[cliFile]); tt.stored != (got > size) {
				t.Errorf("the file has %d bytes, stored: %t", got, tt.stored)
			}
		})
	}
}
