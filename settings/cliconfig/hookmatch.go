package cliconfig

import (
	"cmp"
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// groupMatch tells which present group a wanted one is, and the same of its
// hooks. What belongs to a group or a hook stays there: a hook that comes into
// another group is a new one.
type groupMatch struct {
	at    int  // index of the present group, -1 for a new one
	keeps bool // a mask in it stands for the present value
	hooks []hookMatch
}

// hookMatch tells which hook of the present group a wanted one is.
type hookMatch struct {
	at    int  // index of the present hook, -1 for a new one
	keeps bool // its masks stand for the present values
}

// eventHook is a hook of an event, present or wanted, and what tells it from
// others.
type eventHook struct {
	group, index int
	matcher      string            // of the group, as it is shown
	form         string            // the hook as it is shown
	members      map[string]string // the same, member by member
	value        jsonedit.Node     // the hook with its secrets
}

func eventHooks(shown, present jsonedit.Node) []eventHook {
	var list []eventHook
	values := slices.Collect(present.Children())
	for i, group := range elements(shown) {
		matcher := form(group.Get("matcher"))
		hooks := slices.Collect(values[i].Get("hooks").Children())
		for j, hook := range elements(group.Get("hooks")) {
			members := map[string]string{}
			if hook.Kind() == jsonedit.Object {
				for c := range hook.Children() {
					members[c.Key()] = form(c)
				}
			}
			list = append(list, eventHook{i, j, matcher, form(hook), members, hooks[j]})
		}
	}
	return list
}

// form is one text for all texts of a value that mean the same.
func form(n jsonedit.Node) string { return string(appendForm(nil, n)) }

func appendForm(b []byte, n jsonedit.Node) []byte {
	switch n.Kind() {
	case jsonedit.Object:
		members := slices.SortedFunc(n.Children(), func(a, b jsonedit.Node) int { return strings.Compare(a.Key(), b.Key()) })
		b = append(b, '{')
		for _, c := range members {
			b = append(append(b, jsonedit.Quote(c.Key())...), ':')
			b = append(appendForm(b, c), ',')
		}
		return append(b, '}')
	case jsonedit.Array:
		b = append(b, '[')
		for c := range n.Children() {
			b = append(appendForm(b, c), ',')
		}
		return append(b, ']')
	case jsonedit.String:
		return append(b, jsonedit.Quote(n.Text())...)
	}
	return append(b, n.Raw()...)
}

// matchEvent finds the present groups and hooks of an event that the wanted ones
// are; shown is the present event without its secrets.
func matchEvent(present, shown, wanted jsonedit.Node) []groupMatch {
	m := pairing{
		old: eventHooks(shown, present), new: eventHooks(wanted, wanted),
		groups: sameGroups(present, shown, wanted),
	}
	m.newOf, m.oldOf = slices.Repeat([]int{-1}, len(m.old)), slices.Repeat([]int{-1}, len(m.new))
	m.keeps = make([]bool, len(m.new))
	m.pairSame()
	m.pairEdited()
	return m.inGroups(shown, wanted)
}

// lookalikes are the present and the wanted things of one form.
type lookalikes struct{ old, new []int }

// byForm gathers what looks the same on both sides.
func byForm(old, new []string) []lookalikes {
	var list []lookalikes
	at := map[string]int{}
	for i, form := range new {
		if _, known := at[form]; !known {
			at[form] = len(list)
			list = append(list, lookalikes{})
		}
		list[at[form]].new = append(list[at[form]].new, i)
	}
	for i, form := range old {
		if k, known := at[form]; known {
			list[k].old = append(list[k].old, i)
		}
	}
	return list
}

// sameGroups returns, for each wanted group, the present one of the same form,
// -1 where none is or where it may be one of several with other secrets.
func sameGroups(present, shown, wanted jsonedit.Node) []int {
	values := slices.Collect(present.Children())
	forms := func(event jsonedit.Node) (list []string) {
		for _, group := range elements(event) {
			list = append(list, form(group))
		}
		return list
	}
	now, then := forms(shown), forms(wanted)
	same := slices.Repeat([]int{-1}, len(then))
	for _, c := range byForm(now, then) {
		free := slices.Clone(c.old)
		for _, i := range c.new {
			if slices.Contains(free, i) {
				same[i], free = i, slices.DeleteFunc(free, func(o int) bool { return o == i })
			}
		}
		for _, i := range c.new {
			if same[i] < 0 && len(free) > 0 {
				same[i], free = free[0], free[1:]
			}
		}
		other := func(o int) bool { return !jsonedit.Equal(values[o], values[c.old[0]]) }
		if slices.ContainsFunc(c.old, other) && !slices.Equal(c.old, c.new) {
			for _, i := range c.new {
				same[i] = -1
			}
		}
	}
	return same
}

// groupPair is a wanted group that may be a present one.
type groupPair struct{ new, old int }

// inGroups tells which group each wanted one is, by the hooks that both have, and
// gives up the pairs of hooks that are in other groups.
func (m *pairing) inGroups(shown, wanted jsonedit.Node) []groupMatch {
	matches := make([]groupMatch, wanted.Len())
	for i, group := range elements(wanted) {
		matches[i] = groupMatch{at: -1, hooks: slices.Repeat([]hookMatch{{at: -1}}, group.Get("hooks").Len())}
	}
	taken := make([]bool, shown.Len())
	for _, p := range m.groupPairs() {
		if matches[p.new].at < 0 && !taken[p.old] {
			matches[p.new].at, taken[p.old] = p.old, true
		}
	}
	for n, h := range m.new {
		o := m.oldOf[n]
		if o < 0 || matches[h.group].at != m.old[o].group {
			continue
		}
		matches[h.group].hooks[h.index] = hookMatch{m.old[o].index, m.keeps[n]}
		matches[h.group].keeps = matches[h.group].keeps || m.keeps[n]
	}
	return matches
}

// groupPairs lists the pairs of groups that share hooks, the surest first.
func (m *pairing) groupPairs() []groupPair {
	weights := map[groupPair]int{}
	const index, kept, matcher, group = 1 << 40, 1 << 41, 1 << 42, 1 << 43
	for n, h := range m.new {
		o := m.oldOf[n]
		if o < 0 {
			continue
		}
		old := m.old[o]
		p := groupPair{h.group, old.group}
		weight := weights[p] + 1
		for bit, holds := range map[int]bool{
			index: h.group == old.group, kept: m.keeps[n], matcher: h.matcher == old.matcher, group: m.groups[h.group] == old.group,
		} {
			if holds {
				weight |= bit
			}
		}
		weights[p] = weight
	}
	var list []groupPair
	for p := range weights {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b groupPair) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a.new, b.new), cmp.Compare(a.old, b.old))
	})
	return list
}
