package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"zcode-acp/settings"
)

// columns is the width that tables keep to.
const columns = 80

// table writes rows under headings, each column as wide as it needs. Where a
// line would grow longer than the page, columns are cut, but never the first
// few, by which the rows are called.
func table(w io.Writer, names int, headings []string, rows [][]string) {
	lines := make([][]string, 0, len(rows)+1)
	lines = append(lines, headings)
	for _, row := range rows {
		line := make([]string, len(row))
		for i, cell := range row {
			line[i] = visible(cell, "")
		}
		lines = append(lines, line)
	}
	widths := make([]int, len(headings))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], width(cell))
		}
	}
	squeeze(widths, names, headings)
	for _, line := range lines {
		var text strings.Builder
		for i, cell := range line {
			cell = cut(cell, widths[i])
			text.WriteString(cell)
			if i < len(line)-1 {
				text.WriteString(strings.Repeat(" ", widths[i]-width(cell)+2))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(text.String(), " "))
	}
}

// squeeze narrows the columns behind the names, the widest first, until the row
// fits, none below its heading.
func squeeze(widths []int, names int, headings []string) {
	for {
		total, widest := 2*(len(widths)-1), -1
		for i, w := range widths {
			total += w
			if i >= names && w > width(headings[i]) && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if total <= columns || widest < 0 {
			return
		}
		widths[widest]--
	}
}

func cut(s string, most int) string {
	if width(s) <= most {
		return s
	}
	runes := []rune(s)
	for len(runes) > 0 && width(string(runes)) > most-1 {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// width counts the cells that a text takes on a terminal; East Asian wide
// characters take two.
func width(s string) int {
	n := utf8.RuneCountInString(s)
	for _, r := range s {
		if r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 ||
			r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 ||
			r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd) {
			n++
		}
	}
	return n
}

// showWritten says what a write did, or with --dry-run would do.
func (a *app) showWritten(w *settings.Written, done string) error {
	switch {
	case w.DryRun && len(w.Changes) == 0, !w.DryRun && !w.Changed:
		fmt.Fprintln(a.text, "nothing to change")
	case w.DryRun:
		fmt.Fprintf(a.text, "would have %s:\n", done)
		for _, c := range w.Changes {
			fmt.Fprintf(a.text, "  %s: %s -> %s\n", c.Path, orNothing(c.Before), orNothing(c.After))
		}
	default:
		fmt.Fprintf(a.text, "%s\n", done)
		if w.Effect == settings.NeedsRestart {
			fmt.Fprintln(a.text, "ZCode sees it in its next session")
		}
	}
	for _, s := range w.Also {
		fmt.Fprintf(a.text, "also: %s\n", s)
	}
	a.warn(w.Warnings)
	return nil
}

func (a *app) warn(warnings []string) {
	for _, s := range warnings {
		fmt.Fprintf(a.stderr, "zcode-acp: warning: %s\n", s)
	}
}

func orNothing(v []byte) string {
	if len(v) == 0 {
		return "nothing"
	}
	return string(v)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
