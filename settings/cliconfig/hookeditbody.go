package cliconfig

import (
	"fmt"
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// hookBody are the members that an edit may send: of a hook and of its group.
var hookBody = append([]hookField{
	{"type", schema.OneOf(string(processHook), string(commandHook)), ""},
	{"matcher", schema.NonEmpty, ""},
}, hookFields...)

// hookPosition is where a new hook goes in its group.
var hookPosition = hookField{"position", countRule, ""}

// checkHookBody refuses what can stand in no hook, whatever the file holds.
func checkHookBody(body jsonedit.Node, fields []hookField) error {
	if body.Kind() != jsonedit.Object {
		return &InvalidError{"", "must be an object with the members to set"}
	}
	if body.Len() == 0 {
		return &InvalidError{"", "must have at least one member to set: " + namesOf(fields)}
	}
	for c := range body.Children() {
		i := slices.IndexFunc(fields, func(f hookField) bool { return f.name == c.Key() })
		pointer := below(c.Path().Pointer(), body)
		if i < 0 {
			return &InvalidError{pointer, "is not a member that can be set: leave it out, or set one of " + namesOf(fields)}
		}
		if c.Kind() == jsonedit.Null {
			continue
		}
		if problems := schema.Check(c, fields[i].rule); len(problems) > 0 {
			return &InvalidError{pointer + below(problems[0].Pointer, c), problems[0].Rule}
		}
	}
	return nil
}

func namesOf(fields []hookField) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

// given returns the value that a body gives a member; null is none.
func given(body jsonedit.Node, name string) jsonedit.Node {
	if c := body.Get(name); c.Kind() != jsonedit.Null {
		return c
	}
	return jsonedit.Node{}
}

// resolveHookMember returns the JSON text that a member sent means, as resolve
// does: every text of a hook is masked in listings.
func resolveHookMember(sent, present jsonedit.Node) ([]byte, error) {
	name := sent.Key()
	if sent.Kind() == jsonedit.String && name != "command" {
		return resolveString(jsonedit.Path{name}.Pointer(), sent, present, maskCommand(present.Text()))
	}
	return resolve(name, sent, present)
}

// checkSide refuses a member that the hook's type ignores.
func checkSide(name string, t hookType) error {
	i := slices.IndexFunc(hookFields, func(f hookField) bool { return f.name == name })
	if i < 0 || !t.known() || hookFields[i].on(t) {
		return nil
	}
	return &InvalidError{jsonedit.Path{name}.Pointer(), fmt.Sprintf("does nothing in a hook of type %s: %s", t, otherWay(name))}
}

// checkMatcher refuses a matcher with which ZCode could not match.
func checkMatcher(matcher string) error {
	if fault, _ := checkPattern(matcher); fault != "" {
		return &InvalidError{"/matcher", badPattern(fault)}
	}
	return nil
}

// judgeHook refuses a hook that makes ZCode ignore the file, or a group that
// does. What a body sends was judged before: what is wrong now is missing, or
// stood in the file already. The other hooks of the group are not looked at.
func judgeHook(group, edited jsonedit.Node) error {
	var before error
	for _, p := range schema.Check(edited, hook) {
		pointer := below(p.Pointer, edited)
		name := firstStep(pointer)
		switch {
		case name == "":
			return &InvalidError{"", p.Rule}
		case before == nil:
			before = &InvalidError{pointer, fmt.Sprintf("%s, so ZCode ignores the whole file; it was there before: set %q right, or to null to remove it", p.Rule, name)}
		}
	}
	for _, p := range schema.Check(group, hookGroup) {
		switch name := firstStep(below(p.Pointer, group)); {
		case before != nil:
		case name == "matcher":
			before = &InvalidError{"/matcher", p.Rule + `, so ZCode ignores the whole file; it was there before: set "matcher" right, or to null to remove it`}
		default:
			before = &InvalidError{p.Pointer, p.Rule + ", so ZCode ignores the whole file; it was there before: mend that in the file by hand first"}
		}
	}
	return before
}
