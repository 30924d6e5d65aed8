package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestHelp looks at the help of every command: an example, 80 columns.
func TestHelp(t *testing.T) {
	var walk func(path []string, cmd *cobra.Command)
	walk = func(path []string, cmd *cobra.Command) {
		var out bytes.Buffer
		a := newApp(strings.NewReader(""), &out, &out, func(string) string { return "" })
		root := newRootCmd(a)
		root.SetArgs(append(path, "--help"))
		if err := root.Execute(); err != nil {
			t.Fatalf("%v: %v", path, err)
		}
		ours := len(path) == 0 || path[0] != "completion"
		if ours && !strings.Contains(out.String(), "Examples:") {
			t.Errorf("%v shows no example", path)
		}
		for line := range strings.Lines(out.String()) {
			if line = strings.TrimRight(line, "\n"); ours && width(line) > columns {
				t.Errorf("%v: %d columns: %s", path, width(line), line)
			}
		}
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() && sub.Name() != "help" {
				walk(append(path[:len(path):len(path)], sub.Name()), sub)
			}
		}
	}
	var out bytes.Buffer
	walk(nil, newRootCmd(newApp(nil, &out, &out, nil)))
}
