// Package schema checks JSON values against the strict rules that ZCode applies
// to its files, and tells every violation with its place. Rules are values that
// combine; they never quote what a document holds, so their texts are safe to
// show.
package schema

import (
	"fmt"

	"zcode-acp/settings/jsonedit"
)

// Problem is one violation of a rule.
type Problem struct {
	Pointer string `json:"pointer"` // RFC 6901, "" is the document
	Line    int    `json:"line"`    // from 1
	Column  int    `json:"column"`  // from 1, in characters
	Rule    string `json:"rule"`    // what the value must be
}

func (p Problem) Error() string {
	at := p.Pointer
	if at == "" {
		at = "the document"
	}
	return fmt.Sprintf("%s (line %d, column %d) %s", at, p.Line, p.Column, p.Rule)
}

// Rule looks at a value and reports what is wrong with it.
type Rule func(n jsonedit.Node, r *Report)

// Report gathers problems in the order of the checks.
type Report struct {
	problems []Problem
	at       jsonedit.Positions
}

// Add notes that the value breaks a rule; rule is a phrase like "must be an object".
func (r *Report) Add(n jsonedit.Node, rule string) {
	line, column := r.at.Of(n)
	r.problems = append(r.problems, Problem{Pointer: n.Path().Pointer(), Line: line, Column: column, Rule: rule})
}

// Check returns the problems that the rule finds in the value; none means that
// the value keeps it.
func Check(n jsonedit.Node, rule Rule) []Problem {
	var r Report
	rule(n, &r)
	return r.problems
}
