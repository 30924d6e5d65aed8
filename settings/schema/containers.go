package schema

import (
	"fmt"
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// Nullable accepts null beside what the rule accepts.
func Nullable(rule Rule) Rule {
	return func(n jsonedit.Node, r *Report) {
		if n.Kind() != jsonedit.Null {
			rule(n, r)
		}
	}
}

// enough problems of one array are told; the others would say the same.
const enough = 100

// ArrayOf accepts arrays of at least least elements which the rule accepts.
func ArrayOf(rule Rule, least int) Rule {
	return func(n jsonedit.Node, r *Report) {
		if n.Kind() != jsonedit.Array {
			r.Add(n, "must be an array")
			return
		}
		switch count := n.Len(); {
		case count < least && least == 1:
			r.Add(n, "must not be empty")
		case count < least:
			r.Add(n, fmt.Sprintf("must have at least %d elements", least))
		}
		found := len(r.problems)
		for c := range n.Children() {
			if rule(c, r); len(r.problems) >= found+enough {
				return
			}
		}
	}
}

// MapOf accepts objects of any names whose values the rule accepts.
func MapOf(rule Rule) Rule {
	return func(n jsonedit.Node, r *Report) {
		if n.Kind() != jsonedit.Object {
			r.Add(n, "must be an object")
			return
		}
		for c := range n.Children() {
			rule(c, r)
		}
	}
}

// Field is a member that an object may have.
type Field struct {
	Name     string
	Rule     Rule // nil accepts every value
	Required bool
}

// UnknownMember is the rule that a member breaks which ZCode does not know where
// it knows all.
const UnknownMember = "is not known to ZCode here"

// Strict accepts objects that have no other members than the fields.
func Strict(fields ...Field) Rule { return object(fields, true) }

// Open accepts objects that may have other members too.
func Open(fields ...Field) Rule { return object(fields, false) }

func object(fields []Field, strict bool) Rule {
	return func(n jsonedit.Node, r *Report) {
		if n.Kind() != jsonedit.Object {
			r.Add(n, "must be an object")
			return
		}
		for c := range n.Children() {
			name := c.Key()
			i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
			switch {
			case i >= 0 && fields[i].Rule != nil:
				fields[i].Rule(c, r)
			case i < 0 && strict:
				r.Add(c, UnknownMember)
			}
		}
		for _, f := range fields {
			if f.Required && !n.Get(f.Name).Exists() {
				r.Add(n, fmt.Sprintf("needs %q", f.Name))
			}
		}
	}
}

// Union chooses the rule by a string member.
func Union(member string, rules map[string]Rule) Rule {
	names := make([]string, 0, len(rules))
	for name := range rules {
		names = append(names, name)
	}
	slices.Sort(names)
	return func(n jsonedit.Node, r *Report) {
		if n.Kind() != jsonedit.Object {
			r.Add(n, "must be an object")
			return
		}
		tag := n.Get(member)
		rule, ok := rules[tag.Text()]
		switch {
		case !tag.Exists():
			r.Add(n, fmt.Sprintf("needs %q", member))
		case !ok || tag.Kind() != jsonedit.String:
			r.Add(tag, "must be one of "+strings.Join(names, ", "))
		default:
			rule(n, r)
		}
	}
}
