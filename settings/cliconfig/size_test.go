package cliconfig

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestLargeServers would take minutes if members were replaced one by one; an
// edit runs under the lock of ZCode's settings.
func TestLargeServers(t *testing.T) {
	list := func(n int, item string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = strings.ReplaceAll(item, "%d", strconv.Itoa(i))
		}
		return strings.Join(items, ", ")
	}
	const keys, args = 20_000, 20_000
	tests := []struct{ name, server, body string }{
		{"every variable changed", `{"command": "c", "env": {` + list(keys, `"K%d": "old"`) + `}}`, `{"env": {` + list(keys, `"K%d": "new"`) + `}}`},
		{"every variable renamed", `{"command": "c", "env": {` + list(keys, `"K%d": "old"`) + `}}`, `{"env": {` + list(keys, `"N%d": "old"`) + `}}`},
		{"every variable masked", `{"command": "c", "env": {` + list(keys, `"K%d": "old"`) + `}}`, `{"env": {` + list(keys, `"K%d": "********"`) + `}}`},
		{"every header changed", `{"url": "u", "headers": {` + list(keys, `"K%d": "old"`) + `}}`, `{"headers": {` + list(keys, `"K%d": "new"`) + `}}`},
		{"every argument changed", `{"command": "c", "args": [` + list(args, `"a%d"`) + `]}`, `{"args": [` + list(args, `"b%d"`) + `]}`},
		{"every argument masked", `{"command": "c", "args": [` + list(args, `"--token", "a%d"`) + `]}`, `{"args": [` + list(args, `"--token", "********"`) + `]}`},
		{"unknown members repaired", `{"command": "c", ` + list(8, `"m%d": 1`) + `}`, `{` + list(keys, `"m%d": null`) + `}`},
		{"a new server", `{"command": "c"}`, `{"args": [` + list(args, `"b%d"`) + `], "env": {` + list(keys, `"K%d": "new"`) + `}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, edit := parse(t, entryFile(tt.server)), set(t, "s", tt.body)
			start := time.Now()
			if _, _, err := edit(d); err != nil {
				t.Fatal(err)
			}
			const most = 30 * time.Second
			if took := time.Since(start); took > most {
				t.Errorf("took %v, want less than %v", took, most)
			}
		})
	}
}
