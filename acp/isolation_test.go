package acp

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readsOnly is what an editor may ask without anything coming into being.
var readsOnly = []string{
	`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`,
	`{"jsonrpc":"2.0","id":2,"method":"authenticate","params":{"methodId":"zcode-credentials"}}`,
	`{"jsonrpc":"2.0","id":3,"method":"_zcode/settings"}`,
	`{"jsonrpc":"2.0","id":4,"method":"_zcode/settings/models/list"}`,
	`{"jsonrpc":"2.0","id":5,"method":"_zcode/settings/mcp/list"}`,
	`{"jsonrpc":"2.0","id":6,"method":"_zcode/settings/backups/list"}`,
	`{"jsonrpc":"2.0","id":7,"method":"_zcode/settings/where"}`,
	`{"jsonrpc":"2.0","id":8,"method":"_zcode/settings/mcp/upsert","params":{"name":"a","command":"a","dryRun":true}}`,
}

// succeeds wants a result for each line.
func succeeds(t *testing.T, answers map[string]reply) {
	t.Helper()
	if len(answers) != len(readsOnly) {
		t.Errorf("got %d answers, want %d", len(answers), len(readsOnly))
	}
	for id, answer := range answers {
		if answer.Error != nil || answer.Result == nil {
			t.Errorf("request %s: got %+v", id, answer.Error)
		}
	}
}

func TestEmptyHome(t *testing.T) {
	t.Run("B007 initialize and reads succeed with an empty HOME and create nothing there", func(t *testing.T) {
		w := newWorld(t)
		before, err := os.Stat(w.root)
		if err != nil {
			t.Fatal(err)
		}
		succeeds(t, converse(t, &Agent{Catalog: w.catalog()}, readsOnly...))
		entries, err := os.ReadDir(w.root)
		if err != nil || len(entries) > 0 {
			t.Errorf("the home holds %v, %v", entries, err)
		}
		after, err := os.Stat(w.root)
		if err != nil || !after.ModTime().Equal(before.ModTime()) {
			t.Errorf("the home was changed at %v, %v", after.ModTime(), err)
		}
	})
	t.Run("B007 initialize and reads leave a home with files as it is", func(t *testing.T) {
		w := sampleWorld(t)
		before := files(t, w.root)
		succeeds(t, converse(t, &Agent{Catalog: w.catalog()}, readsOnly...))
		if diff := cmp.Diff(before, files(t, w.root)); diff != "" {
			t.Errorf("the files (-before +after):\n%s", diff)
		}
	})
	t.Run("B007 initialize succeeds without any operation", func(t *testing.T) {
		got := converse(t, &Agent{Catalog: smallCatalog()}, readsOnly[0])["1"]
		if !strings.Contains(string(got.Result), `"protocolVersion":1`) {
			t.Errorf("got %+v", got)
		}
	})
}
