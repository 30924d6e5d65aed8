package cliconfig

import (
	"fmt"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// AddHook adds a hook to the group of the event that has the matcher of body, at
// its end or at the index "position", or in a new group. The switch of all hooks
// stays as it is; the notes tell when nothing runs because of it. A mask is
// refused, and so is a hook because of which ZCode would ignore the file.
func AddHook(d *jsonedit.Doc, event string, body jsonedit.Node) (*jsonedit.Doc, []string, error) {
	doc, notes, err := addHook(d, event, body)
	if err != nil {
		return nil, nil, fmt.Errorf("adding a hook: %w", err)
	}
	return doc, notes, nil
}

func addHook(d *jsonedit.Doc, event string, body jsonedit.Node) (*jsonedit.Doc, []string, error) {
	if err := checkEvent(event); err != nil {
		return nil, nil, err
	}
	if err := checkEventArray(d, event); err != nil {
		return nil, nil, err
	}
	if err := checkHookBody(body, append(hookBody[:len(hookBody):len(hookBody)], hookPosition)); err != nil {
		return nil, nil, err
	}
	text, err := newHook(body)
	if err != nil {
		return nil, nil, err
	}
	matcher, err := newMatcher(body)
	if err != nil {
		return nil, nil, err
	}
	index, group := groupFor(d.Find(eventPath(event)), matcher)
	position, err := positionIn(group, given(body, "position"))
	if err != nil {
		return nil, nil, err
	}
	doc, err := insertHook(d, hookPlace{event, index, position}, group, matcher, text)
	if err != nil {
		return nil, nil, err
	}
	return doc, switchedOff(d), nil
}

// newHook returns the text of a hook that ZCode accepts.
func newHook(body jsonedit.Node) ([]byte, error) {
	text := []byte{'{'}
	for c := range body.Children() {
		name := c.Key()
		on, _ := c.Bool()
		if c.Kind() == jsonedit.Null || name == "matcher" || name == "position" || name == "enabled" && on {
			continue
		}
		if err := checkSide(name, hookType(body.Get("type").Text())); err != nil {
			return nil, err
		}
		value, err := resolveHookMember(c, jsonedit.Node{})
		if err != nil {
			return nil, err
		}
		text = appendMember(text, name, value)
	}
	text = append(text, '}')
	d, err := jsonedit.Parse(text)
	if err != nil {
		return nil, err
	}
	if problems := schema.Check(d.Root(), hook); len(problems) > 0 {
		return nil, &InvalidError{problems[0].Pointer, problems[0].Rule}
	}
	return text, nil
}

// newMatcher returns the matcher that a body sends; the zero Node is none.
func newMatcher(body jsonedit.Node) (jsonedit.Node, error) {
	matcher := given(body, "matcher")
	if !matcher.Exists() {
		return matcher, nil
	}
	if _, err := resolveHookMember(matcher, jsonedit.Node{}); err != nil {
		return matcher, err
	}
	return matcher, checkMatcher(matcher.Text())
}

// groupFor returns the first group with a matcher that ZCode accepts once it has
// a hook; without any, the index is that of a new group.
func groupFor(event, matcher jsonedit.Node) (int, jsonedit.Node) {
	count := 0
	for i, group := range elements(event) {
		count = i + 1
		if group.Get("matcher").Text() == matcher.Text() && len(schema.Check(group, openGroup)) == 0 {
			return i, group
		}
	}
	return count, jsonedit.Node{}
}

// openGroup is a group that may still be empty.
var openGroup = schema.Strict(
	schema.Field{Name: "matcher", Rule: schema.NonEmpty},
	schema.Field{Name: "hooks", Rule: schema.Kind(jsonedit.Array), Required: true},
)

// positionIn returns where a hook goes in a group that exists or is new.
func positionIn(group, sent jsonedit.Node) (int, error) {
	count := group.Get("hooks").Len()
	if !sent.Exists() {
		return count, nil
	}
	position, _ := finite(sent)
	if position > float64(count) {
		return 0, &InvalidError{"/position", fmt.Sprintf("must be at most %d, the number of hooks in the group", count)}
	}
	return int(position), nil
}

func insertHook(d *jsonedit.Doc, at hookPlace, group, matcher jsonedit.Node, text []byte) (*jsonedit.Doc, error) {
	if group.Exists() {
		return d.Insert(append(at.group(), "hooks"), at.index, text)
	}
	anew := []byte{'{'}
	if matcher.Exists() {
		anew = appendMember(anew, "matcher", matcher.Raw())
	}
	list := append(append([]byte{'['}, text...), ']')
	anew = append(appendMember(anew, "hooks", list), '}')
	path := eventPath(at.event)
	if d.Find(path).Exists() {
		return d.Insert(path, at.matcher, anew)
	}
	return d.Set(path, append(append([]byte{'['}, anew...), ']'))
}

// switchedOff notes that no hook of the file runs.
func switchedOff(d *jsonedit.Doc) []string {
	if on, _ := d.Find(jsonedit.Path{"hooks", "enabled"}).Bool(); on {
		return nil
	}
	return []string{"the hook does not run yet: hooks are off in this file, turn them on"}
}
