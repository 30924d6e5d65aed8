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

// table writes rows under headings, each column as wide as it needs, the last
// one cut where the line would grow longer than the page.
func table(w io.Writer, headings []string, rows [][]string) {
	widths := make([]int, len(headings))
	for _, row := range append([][]string{headings}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	squeeze(widths)
	for _, row := range append([][]string{headings}, rows...) {
		var line strings.Builder
		for i, cell := range row {
			cell = cut(cell, widths[i])
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-width(cell)+2))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// squeeze narrows the widest columns until the row fits.
func squeeze(widths []int) {
	const narrowest = 8
	for {
		total, widest := 2*(len(widths)-1), 0
		for i, w := range widths {
			total += w
			if w > widths[widest] {
				widest = i
			}
		}
		if total <= columns || widths[widest] <= narrowest {
			return
		}
		widths[widest] = max(narrowest, widths[widest]-(total-columns))
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
		fmt.Fprintln(a.stdout, "nothing to change")
	case w.DryRun:
		fmt.Fprintf(a.stdout, "would have %s:\n", done)
		for _, c := range w.Changes {
			fmt.Fprintf(a.stdout, "  %s: %s -> %s\n", c.Path, orNothing(c.Before), orNothing(c.After))
		}
	default:
		fmt.Fprintf(a.stdout, "%s\n", done)
		if w.Effect == settings.NeedsRestart {
			fmt.Fprintln(a.stdout, "ZCode sees it in its next session")
		}
	}
	for _, s := range w.Also {
		fmt.Fprintf(a.stdout, "also: %s\n", s)
	}
	for _, s := range w.Warnings {
		fmt.Fprintf(a.stderr, "zcode-acp: warning: %s\n", s)
	}
	return nil
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
