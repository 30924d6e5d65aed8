package cliconfig

import "zcode-acp/settings/jsonedit"

// fewChanges is the most members that are edited one by one. Each such edit
// reads the whole document again, but keeps the bytes of the other members.
const fewChanges = 8

// replace stores a value; in an object only the members that differ change.
func (e *edit) replace(present jsonedit.Node, value []byte, name string) {
	d, err := jsonedit.Parse(value)
	if err != nil {
		e.err = err
		return
	}
	if present.Kind() != jsonedit.Object || present.Len() == 0 || d.Root().Len() == 0 {
		e.set(value, name)
		return
	}
	c := compare(present, d.Root())
	if len(c.changed)+len(c.removed) > fewChanges {
		e.set(c.merged, name)
		return
	}
	for _, member := range c.changed {
		e.set(member.Raw(), name, member.Key())
	}
	for _, key := range c.removed {
		e.delete(name, key)
	}
}

// comparison is what turns one object into another.
type comparison struct {
	changed []jsonedit.Node // members to set, also new ones
	removed []string
	merged  []byte // the result in one text: present members first, in their order
}

func compare(present, wanted jsonedit.Node) comparison {
	var c comparison
	now, then := membersOf(present), membersOf(wanted)
	c.merged = []byte{'{'}
	for old := range present.Children() {
		member, stays := then[old.Key()]
		switch {
		case !stays:
			c.removed = append(c.removed, old.Key())
			continue
		case jsonedit.Equal(old, member):
			member = old
		default:
			c.changed = append(c.changed, member)
		}
		c.merged = appendMember(c.merged, old.Key(), member.Raw())
	}
	for member := range wanted.Children() {
		if _, there := now[member.Key()]; !there {
			c.changed = append(c.changed, member)
			c.merged = appendMember(c.merged, member.Key(), member.Raw())
		}
	}
	c.merged = append(c.merged, '}')
	return c
}
