package main

import (
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	var out strings.Builder
	text := "a\tb\n\x1b[31mred\a\r\u009b1m \u202ecod\u200bed é 漢字\n"
	want := "a\tb\n\\u001b[31mred\\u0007\\u000d\\u009b1m \\u202ecod\\u200bed é 漢字\n"
	if n, err := (plain{&out}).Write([]byte(text)); err != nil || n != len(text) {
		t.Errorf("wrote %d of %d: %v", n, len(text), err)
	}
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// A name from a file must not forge a row.
func TestTableCells(t *testing.T) {
	var out strings.Builder
	table(&out, 1, []string{"NAME", "STATE"}, [][]string{{"a\nforged  on", "off"}, {strings.Repeat("n", 90), "on"}})
	want := "NAME" + strings.Repeat(" ", 88) + "STATE\n" +
		"a\\u000aforged  on" + strings.Repeat(" ", 75) + "off\n" + strings.Repeat("n", 90) + "  on\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
