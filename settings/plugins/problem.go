package plugins

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Problem is one thing that is wrong with an installed plugin. It never holds
// what a file says.
type Problem struct {
	Plugin  string `json:"plugin,omitempty"`  // its id, "" for the list of plugins
	File    string `json:"file,omitempty"`    // file or folder, absolute
	Pointer string `json:"pointer,omitempty"` // RFC 6901, into a JSON file; /plugins/3 is the fourth record
	Line    int    `json:"line,omitempty"`    // from 1
	Column  int    `json:"column,omitempty"`  // from 1, in characters
	Reason  string `json:"reason"`            // what is wrong, after the place
}

func (p Problem) Error() string {
	var b strings.Builder
	if p.Plugin != "" {
		fmt.Fprintf(&b, "plugin %s: ", printable(p.Plugin))
	}
	b.WriteString(printable(p.File))
	if p.Pointer != "" {
		fmt.Fprintf(&b, ": %s", printable(p.Pointer))
	}
	if p.Line > 0 {
		fmt.Fprintf(&b, " (line %d, column %d)", p.Line, p.Column)
	}
	if p.File != "" {
		b.WriteByte(' ')
	}
	b.WriteString(p.Reason)
	return b.String()
}

// printable quotes a name that could move the cursor of a terminal.
func printable(name string) string {
	if strings.ContainsFunc(name, unicode.IsControl) || !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	return name
}

// maxProblems are told; the rest is counted, since an answer is for a person.
const maxProblems = 200

// report gathers the problems of one look.
type report struct {
	list   []Problem
	untold int
}

func (r *report) add(p Problem) {
	if len(r.list) == maxProblems {
		r.untold++
		return
	}
	r.list = append(r.list, p)
}

func (r *report) problems() []Problem {
	if r.untold == 0 {
		return r.list
	}
	return append(r.list, Problem{Reason: fmt.Sprintf("%d more problems are not listed: solve these first", r.untold)})
}
