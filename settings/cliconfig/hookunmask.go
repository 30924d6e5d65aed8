package cliconfig

import (
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
)

// unsureMask is the reason to refuse a mask that may stand for several values.
const unsureMask = "is a mask, and it is not sure which value it stands for: send the real value"

// eventMatches tells by event which present groups and hooks the wanted ones are;
// an event that is as it was has none.
type eventMatches map[string][]groupMatch

// unmasked writes the wanted section, in which every mask has become the present
// value that it stands for.
func unmasked(wanted, present, shown jsonedit.Node) ([]byte, eventMatches, error) {
	u, matches := unmasking{wanted: wanted}, eventMatches{}
	text := []byte{'{'}
	for c := range wanted.Children() {
		if c.Key() != "events" {
			text = appendMember(text, c.Key(), c.Raw())
			continue
		}
		events := []byte{'{'}
		for event := range c.Children() {
			name := event.Key()
			now, look := present.Get("events").Get(name), shown.Get("events").Get(name)
			value := now.Raw()
			if !look.Exists() || !jsonedit.Equal(look, event) {
				matches[name] = matchEvent(now, look, event)
				value = u.event(event, now, look, matches[name])
			}
			events = appendMember(events, name, value)
		}
		text = appendMember(text, c.Key(), append(events, '}'))
	}
	return append(text, '}'), matches, u.err
}

// unmasking restores values, and remembers the first mask that stands for none.
type unmasking struct {
	wanted jsonedit.Node // the whole section
	other  string        // the reason to refuse a mask in what is not a present hook or group
	err    error
}

func (u *unmasking) event(wanted, present, shown jsonedit.Node, matches []groupMatch) []byte {
	u.other = lostMask
	if shown.Len() > 0 {
		u.other = unsureMask
	}
	return u.elements(wanted, present, shown, func(i int) int { return matches[i].at }, func(i int, c, old, look jsonedit.Node) []byte {
		return u.group(c, old, look, matches[i])
	})
}

func (u *unmasking) group(wanted, present, shown jsonedit.Node, match groupMatch) []byte {
	b := []byte{'{'}
	for c := range wanted.Children() {
		old, look := present.Get(c.Key()), shown.Get(c.Key())
		var value []byte
		if c.Key() == "hooks" {
			value = u.elements(c, old, look, func(i int) int { return match.hooks[i].at }, func(i int, c, old, look jsonedit.Node) []byte {
				return u.owned(c, old, look, match.hooks[i].keeps)
			})
		} else {
			value = u.owned(c, old, look, match.keeps)
		}
		b = appendMember(b, c.Key(), value)
	}
	return append(b, '}')
}

// elements writes an array; at tells which present element each wanted one is,
// -1 for none.
func (u *unmasking) elements(wanted, present, shown jsonedit.Node, at func(int) int, value func(i int, c, old, look jsonedit.Node) []byte) []byte {
	olds, looks := slices.Collect(present.Children()), slices.Collect(shown.Children())
	b := []byte{'['}
	for i, c := range elements(wanted) {
		if i > 0 {
			b = append(b, ',')
		}
		var old, look jsonedit.Node
		if k := at(i); k >= 0 {
			old, look = olds[k], looks[k]
		}
		b = append(b, value(i, c, old, look)...)
	}
	return append(b, ']')
}

// owned writes a value whose masks stand for something only if it keeps them.
func (u *unmasking) owned(wanted, present, shown jsonedit.Node, keeps bool) []byte {
	if !keeps {
		u.refuseMasks(wanted, u.other)
		return wanted.Raw()
	}
	return u.value(wanted, present, shown)
}

// value writes a value of a hook: a mask stands for what is at its very place.
func (u *unmasking) value(wanted, present, shown jsonedit.Node) []byte {
	switch {
	case shown.Exists() && jsonedit.Equal(shown, wanted):
		return present.Raw()
	case wanted.Kind() == jsonedit.Object:
		b := []byte{'{'}
		for c := range wanted.Children() {
			b = appendMember(b, c.Key(), u.value(c, present.Get(c.Key()), shown.Get(c.Key())))
		}
		return append(b, '}')
	case wanted.Kind() == jsonedit.Array && wanted.Key() == "args":
		return u.args(wanted, present, shown)
	case wanted.Kind() == jsonedit.Array && shown.Kind() == jsonedit.Array:
		u.refuseMasks(wanted, unsureMask) // an index is no place: elements may have moved
	default:
		u.refuseMasks(wanted, lostMask)
	}
	return wanted.Raw()
}

// args writes arguments: a mask stands for the only present argument that looks
// the same behind the same flag.
func (u *unmasking) args(wanted, present, shown jsonedit.Node) []byte {
	olds, sent := slices.Collect(present.Children()), argPlaces(wanted)
	now, count := map[argPlace][]int{}, map[argPlace]int{}
	for i, place := range argPlaces(shown) {
		now[place] = append(now[place], i)
	}
	for _, place := range sent {
		count[place]++
	}
	b := []byte{'['}
	for i, c := range elements(wanted) {
		if i > 0 {
			b = append(b, ',')
		}
		value, list := c, now[sent[i]]
		other := func(k int) bool { return !jsonedit.Equal(olds[k], olds[list[0]]) }
		switch {
		case !firstMask(c).Exists():
		case len(list) == 0:
			u.refuseMasks(c, lostMask)
		case count[sent[i]] > len(list) || slices.ContainsFunc(list, other):
			u.refuseMasks(c, unsureMask)
		default:
			value = olds[list[0]]
		}
		b = append(b, value.Raw()...)
	}
	return append(b, ']')
}

// argPlace is what an argument looks like, and the flag in front of it.
type argPlace struct{ flag, look string }

func argPlaces(args jsonedit.Node) []argPlace {
	var list []argPlace
	flag := ""
	for _, c := range elements(args) {
		look := form(c)
		list = append(list, argPlace{flag, look})
		flag = ""
		if text := c.Text(); strings.HasPrefix(text, "-") && !strings.Contains(text, "=") {
			flag = text
		}
	}
	return list
}

func (u *unmasking) refuseMasks(n jsonedit.Node, reason string) {
	if masked := firstMask(n); masked.Exists() && u.err == nil {
		u.err = &InvalidError{below(masked.Path().Pointer(), u.wanted), reason}
	}
}

// firstMask returns the first text with a mask in a value.
func firstMask(n jsonedit.Node) jsonedit.Node {
	if n.Kind() == jsonedit.String && strings.Contains(n.Text(), redact.Mask) {
		return n
	}
	for c := range n.Children() {
		if masked := firstMask(c); masked.Exists() {
			return masked
		}
	}
	return jsonedit.Node{}
}
