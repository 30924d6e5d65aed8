package acp

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings"
)

// TestBurstRunsInTheOrderSent sends writes of one file without waiting for an
// answer. Each depends on the one before: it would change nothing otherwise.
func TestBurstRunsInTheOrderSent(t *testing.T) {
	const writes = 200
	w := newWorld(t)
	w.put(cliFile, `{"mcp": {"servers": {"a": {"type": "stdio", "command": "a"}}}}`)
	var lines []string
	for i := range writes {
		// Off, on, off … and in between a command that counts.
		params := fmt.Sprintf(`"mcp/enable","params":{"name":"a","enabled":%t}`, i%4 == 2)
		if i%2 == 1 {
			params = fmt.Sprintf(`"mcp/upsert","params":{"name":"a","command":"command-%d"}`, i)
		}
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"_zcode/settings/%s}`, i, params[1:]))
	}
	answers := converse(t, &Agent{Catalog: w.catalog()}, lines...)
	if len(answers) != writes {
		t.Errorf("got %d answers, want %d", len(answers), writes)
	}
	for i := range writes {
		var got settings.Written
		answer := answers[strconv.Itoa(i)]
		if answer.Error != nil || json.Unmarshal(answer.Result, &got) != nil || !got.OK || !got.Changed {
			t.Fatalf("write %d: got %+v %s, want a change", i, answer.Error, answer.Result)
		}
	}
	want := map[string]string{
		cliFile: `{"mcp": {"servers": {"a": {"type": "stdio", "command": "command-199"}}}}`,
	}
	if diff := cmp.Diff(want, files(t, w.dir)); diff != "" {
		t.Errorf("the files (-want +got):\n%s", diff)
	}
}
