package cliconfig

import (
	"bytes"
	"fmt"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// UpdateHook merges body, an object, into a hook member by member; null removes a
// member, and so does "enabled" when it is true. "matcher" is that of the group.
// A change of the type drops the members that the other type does not have. A
// masked value keeps the present one. The notes tell what else is affected. A hook
// because of which ZCode would ignore the file is refused with an [InvalidError].
func UpdateHook(d *jsonedit.Doc, event string, matcherIndex, hookIndex int, body jsonedit.Node) (*jsonedit.Doc, []string, error) {
	doc, notes, err := updateHook(d, hookPlace{event, matcherIndex, hookIndex}, body)
	if err != nil {
		return nil, nil, fmt.Errorf("changing a hook: %w", err)
	}
	return doc, notes, nil
}

func updateHook(d *jsonedit.Doc, at hookPlace, body jsonedit.Node) (*jsonedit.Doc, []string, error) {
	if err := checkEvent(at.event); err != nil {
		return nil, nil, err
	}
	if err := checkHookBody(body, hookBody); err != nil {
		return nil, nil, err
	}
	group, hook, err := findHook(d, at)
	if err != nil {
		return nil, nil, err
	}
	if hook.Kind() != jsonedit.Object {
		return nil, nil, &InvalidError{at.path().Pointer(), "must be an object: remove this hook and add it anew"}
	}
	e := edit{doc: d, path: at.path()}
	e.mergeHook(hook, body)
	e.path = at.group()
	e.mergeMatcher(group, body.Get("matcher"))
	if e.err != nil {
		return nil, nil, e.err
	}
	if err := judgeHook(e.doc.Find(at.group()), e.doc.Find(at.path())); err != nil {
		return nil, nil, err
	}
	return e.doc, e.notes, nil
}

// mergeHook changes the members of a hook that the body names.
func (e *edit) mergeHook(hook, body jsonedit.Node) {
	t := e.changeHookType(hook, body)
	for c := range body.Children() {
		on, _ := c.Bool()
		switch name := c.Key(); {
		case name == "matcher":
		case c.Kind() == jsonedit.Null, name == "enabled" && on:
			e.delete(name)
		default:
			e.mergeHookMember(hook, c, t)
		}
	}
}

// changeHookType drops what the type that the body sends does not have, and
// returns the type that the hook will be of.
func (e *edit) changeHookType(hook, body jsonedit.Node) hookType {
	present, sent := hook.Get("type"), given(body, "type")
	if !sent.Exists() || sent.Text() == present.Text() {
		return hookType(present.Text())
	}
	t := hookType(sent.Text())
	var lost []string
	for _, f := range hookFields {
		if f.on(t) || !hook.Get(f.name).Exists() {
			continue
		}
		e.delete(f.name)
		if body.Get(f.name).Kind() != jsonedit.Null {
			lost = append(lost, f.name)
		}
	}
	if len(lost) > 0 {
		e.note("the members of the other type were removed: " + strings.Join(lost, ", "))
	}
	return t
}

// mergeHookMember sets one member. One that the type ignores is refused, unless
// it comes back as it is.
func (e *edit) mergeHookMember(hook, sent jsonedit.Node, t hookType) {
	if e.err != nil {
		return
	}
	name := sent.Key()
	present := hook.Get(name)
	value, err := resolveHookMember(sent, present)
	if err != nil {
		e.err = err
		return
	}
	if err := checkSide(name, t); err != nil {
		if d, parseErr := jsonedit.Parse(value); parseErr != nil || !jsonedit.Equal(present, d.Root()) {
			e.err = err
		}
		return
	}
	e.replace(present, value, name)
}

// mergeMatcher sets or removes the matcher of a group.
func (e *edit) mergeMatcher(group, sent jsonedit.Node) {
	before := e.doc
	switch present := group.Get("matcher"); {
	case e.err != nil || !sent.Exists():
		return
	case sent.Kind() == jsonedit.Null:
		e.delete("matcher")
	default:
		value, err := resolveHookMember(sent, present)
		if err == nil && !bytes.Equal(value, present.Raw()) {
			err = checkMatcher(sent.Text())
		}
		if e.err = err; err == nil {
			e.set(value, "matcher")
		}
	}
	if count := group.Get("hooks").Len(); e.doc != before && count > 1 {
		e.note(fmt.Sprintf("the matcher counts for all %d hooks of the group", count))
	}
}
