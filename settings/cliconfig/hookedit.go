package cliconfig

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// SetHooksEnabled writes the switch of all hooks. Off is written too, since ZCode
// takes an absent switch otherwise where several of its files have hooks.
func SetHooksEnabled(d *jsonedit.Doc, on bool) (*jsonedit.Doc, error) {
	err := checkHooksSection(d)
	if err == nil {
		d, err = d.Set(jsonedit.Path{"hooks", "enabled"}, strconv.AppendBool(nil, on))
	}
	if err != nil {
		return nil, fmt.Errorf("switching hooks: %w", err)
	}
	return d, nil
}

// RemoveHook removes a hook, and its group when it was the last there. The array
// of the event stays, unless ZCode does not know the event. The notes tell what
// went besides the hook.
func RemoveHook(d *jsonedit.Doc, event string, matcherIndex, hookIndex int) (*jsonedit.Doc, []string, error) {
	doc, notes, err := removeHook(d, hookPlace{event, matcherIndex, hookIndex})
	if err != nil {
		return nil, nil, fmt.Errorf("removing a hook: %w", err)
	}
	return doc, notes, nil
}

func removeHook(d *jsonedit.Doc, at hookPlace) (*jsonedit.Doc, []string, error) {
	group, _, err := findHook(d, at)
	if err != nil {
		return nil, nil, err
	}
	e := edit{doc: d, path: eventPath(at.event)}
	switch last, lastGroup := group.Get("hooks").Len() == 1, d.Find(e.path).Len() == 1; {
	case !last:
		e.delete(strconv.Itoa(at.matcher), "hooks", strconv.Itoa(at.index))
	case lastGroup && !slices.Contains(hookEvents, at.event):
		e.delete()
		e.note("the group and the event went too: the hook was their last, and ZCode up to 3.15.1 ignores the file because of the event")
	default:
		e.delete(strconv.Itoa(at.matcher))
		e.note("the group went too: the hook was its last")
	}
	return e.doc, e.notes, e.err
}

// MoveHook puts a hook at another index of its group, from 0; those in between
// move up or down. The bytes of every hook stay.
func MoveHook(d *jsonedit.Doc, event string, matcherIndex, hookIndex, to int) (*jsonedit.Doc, error) {
	doc, err := moveHook(d, hookPlace{event, matcherIndex, hookIndex}, to)
	if err != nil {
		return nil, fmt.Errorf("moving a hook: %w", err)
	}
	return doc, nil
}

func moveHook(d *jsonedit.Doc, at hookPlace, to int) (*jsonedit.Doc, error) {
	if err := checkEvent(at.event); err != nil {
		return nil, err
	}
	group, hook, err := findHook(d, at)
	if err != nil {
		return nil, err
	}
	list := slices.Collect(group.Get("hooks").Children())
	if to < 0 || to >= len(list) {
		return nil, &InvalidError{"/to", fmt.Sprintf("must be the index of a hook of the group, from 0 to %d", len(list)-1)}
	}
	if err := judgeHook(group, hook); err != nil {
		return nil, err
	}
	if to == at.index {
		return d, nil
	}
	return jsonedit.Parse(reordered(d.Text(), list, at.index, to))
}

// reordered returns the text with one element moved: what stands between the
// elements stays where it is.
func reordered(text []byte, list []jsonedit.Node, from, to int) []byte {
	order := slices.Insert(slices.Delete(slices.Clone(list), from, from+1), to, list[from])
	var b bytes.Buffer
	b.Grow(len(text))
	done := 0
	for i, slot := range list {
		start, end := slot.Span()
		b.Write(text[done:start])
		b.Write(order[i].Raw())
		done = end
	}
	b.Write(text[done:])
	return b.Bytes()
}

// hookPlace names a hook of the file.
type hookPlace struct {
	event          string
	matcher, index int // of the group in the event, and of the hook in the group
}

func eventPath(event string) jsonedit.Path { return jsonedit.Path{"hooks", "events", event} }

func (at hookPlace) group() jsonedit.Path {
	return append(eventPath(at.event), strconv.Itoa(at.matcher))
}

func (at hookPlace) path() jsonedit.Path {
	return append(at.group(), "hooks", strconv.Itoa(at.index))
}

// checkEvent refuses an event that costs the whole file.
func checkEvent(event string) error {
	if slices.Contains(hookEvents, event) {
		return nil
	}
	return &InvalidError{"/event", fmt.Sprintf("is an unknown hook event '%s': it must be one of %s; because of any other, like those that newer or other agents have, ZCode up to 3.15.1 ignores the whole file",
		bare(event), strings.Join(hookEvents, ", "))}
}

// bare writes a name so that nothing in it acts on a terminal.
func bare(name string) string {
	quoted := strconv.Quote(name)
	return quoted[1 : len(quoted)-1]
}

// checkHooksSection refuses a document in which there is no place for hooks.
func checkHooksSection(d *jsonedit.Doc) error {
	for _, path := range []jsonedit.Path{nil, {"hooks"}, {"hooks", "events"}} {
		if n := d.Find(path); n.Exists() && n.Kind() != jsonedit.Object {
			return &InvalidError{path.Pointer(), "must be an object: mend that in the file by hand first"}
		}
	}
	return nil
}

// checkEventArray refuses a document in which there is no place for hooks of the
// event.
func checkEventArray(d *jsonedit.Doc, event string) error {
	if err := checkHooksSection(d); err != nil {
		return err
	}
	path := eventPath(event)
	if n := d.Find(path); n.Exists() && n.Kind() != jsonedit.Array {
		return &InvalidError{path.Pointer(), "must be an array: mend that in the file by hand first"}
	}
	return nil
}

// findHook returns a hook that the file has, and its group.
func findHook(d *jsonedit.Doc, at hookPlace) (group, hook jsonedit.Node, err error) {
	const sentence = "must be a non-negative integer"
	switch err := checkEventArray(d, at.event); {
	case err != nil:
		return group, hook, err
	case at.matcher < 0:
		return group, hook, &InvalidError{"/matcherIndex", sentence}
	case at.index < 0:
		return group, hook, &InvalidError{"/hookIndex", sentence}
	}
	group = d.Find(at.group())
	if !group.Exists() {
		return group, hook, unknownHook(fmt.Sprintf("no matcher at index %d for %s", at.matcher, bare(at.event)))
	}
	hook = group.Get("hooks").Index(at.index)
	if !hook.Exists() {
		return group, hook, unknownHook(fmt.Sprintf("no hook at index %d in %s matcher %d", at.index, bare(at.event), at.matcher))
	}
	return group, hook, nil
}

// unknownHook is the error for a place at which the file has no hook.
type unknownHook string

func (place unknownHook) Error() string {
	return string(place) + ": list the hooks to see the indexes"
}

func (unknownHook) Unwrap() error { return ErrUnknown }
