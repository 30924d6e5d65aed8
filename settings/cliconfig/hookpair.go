package cliconfig

import (
	"cmp"
	"slices"

	"zcode-acp/settings/jsonedit"
)

// pairing finds the present hooks of an event that wanted ones are. It never
// guesses: a hook that may be one of several whose secrets differ gets none.
type pairing struct {
	old, new     []eventHook
	newOf, oldOf []int  // the other hook of the pair, -1 without any
	keeps        []bool // by wanted hook: its masks stand for the present values
	groups       []int  // by wanted group: the present one of the same form
}

func (m *pairing) pair(o, n int, keeps bool) { m.newOf[o], m.oldOf[n], m.keeps[n] = n, o, keeps }

// pairSame pairs the hooks that are as they are shown. Look-alikes with other
// secrets are paired only when all of them are where they were.
func (m *pairing) pairSame() {
	forms := func(list []eventHook) (forms []string) {
		for _, h := range list {
			forms = append(forms, h.form)
		}
		return forms
	}
	for _, c := range byForm(forms(m.old), forms(m.new)) {
		other := func(o int) bool { return !m.equal(o, c.old[0]) }
		if !slices.ContainsFunc(c.old, other) {
			m.pairBy(c, m.placeInGroup, placeOf, matcherOf, anywhere)
			continue
		}
		if len(c.old) != len(c.new) {
			continue
		}
		m.pairBy(c, m.placeInGroup, placeOf)
		if slices.ContainsFunc(c.new, func(n int) bool { return m.oldOf[n] < 0 }) {
			m.part(c.new)
		}
	}
}

func (m *pairing) equal(a, b int) bool { return jsonedit.Equal(m.old[a].value, m.old[b].value) }

func (m *pairing) part(list []int) {
	for _, n := range list {
		if o := m.oldOf[n]; o >= 0 {
			m.newOf[o], m.oldOf[n], m.keeps[n] = -1, -1, false
		}
	}
}

// hookKey is what two hooks of a pair have in common besides their form.
type hookKey struct {
	group, index int
	matcher      string
}

// placeInGroup finds the place in groups of the same form, wherever these are.
func (m *pairing) placeInGroup(h eventHook, wanted bool) hookKey {
	if wanted {
		return hookKey{group: m.groups[h.group], index: h.index}
	}
	return hookKey{group: h.group, index: h.index}
}

func placeOf(h eventHook, _ bool) hookKey   { return hookKey{h.group, h.index, h.matcher} }
func matcherOf(h eventHook, _ bool) hookKey { return hookKey{matcher: h.matcher} }
func anywhere(eventHook, bool) hookKey      { return hookKey{} }

// pairBy pairs look-alikes by one key after the other.
func (m *pairing) pairBy(c lookalikes, keys ...func(h eventHook, wanted bool) hookKey) {
	for _, key := range keys {
		free := map[hookKey][]int{}
		for _, o := range c.old {
			if m.newOf[o] < 0 {
				k := key(m.old[o], false)
				free[k] = append(free[k], o)
			}
		}
		for _, n := range c.new {
			k := key(m.new[n], true)
			if list := free[k]; m.oldOf[n] < 0 && len(list) > 0 {
				m.pair(list[0], n, true)
				free[k] = list[1:]
			}
		}
	}
}

// mostPairs bounds the comparing of changed hooks with present ones: of a
// million pairs, all changed ones count as new.
const mostPairs = 1 << 20

// claim is a changed hook that is most like a present one.
type claim struct {
	new, rank int // the lower the rank, the better
	keeps     bool
}

// pairEdited pairs changed hooks with the present ones that they are most like,
// where that is the only such pair.
func (m *pairing) pairEdited() {
	var changed []int
	for n, o := range m.oldOf {
		if o < 0 {
			changed = append(changed, n)
		}
	}
	if len(changed)*len(m.old) > mostPairs {
		return
	}
	claims := map[int][]claim{}
	for _, n := range changed {
		o, distance := m.nearest(n)
		switch {
		case o < 0:
		case m.sure(o, n):
			claims[o] = append(claims[o], claim{n, distance, true})
		default:
			claims[o] = append(claims[o], claim{n, distance + mostPairs, false})
		}
	}
	for o, list := range claims {
		slices.SortFunc(list, func(a, b claim) int { return cmp.Compare(a.rank, b.rank) })
		if best := list[0]; len(list) == 1 || best.rank < list[1].rank {
			m.pair(o, best.new, best.keeps)
		}
	}
}

// nearest returns the present hook that a changed one is most like, -1 where
// another one is as much like it. One that is still there counts too, since the
// changed hook may be a copy of it.
func (m *pairing) nearest(n int) (best, distance int) {
	h, best := m.new[n], -1
	distances := make([]int, len(m.old))
	for o, old := range m.old {
		distances[o] = h.distance(old)
		if m.newOf[o] >= 0 {
			continue
		}
		if best < 0 || distances[o] < distances[best] || distances[o] == distances[best] && h.nearby(old) > h.nearby(m.old[best]) {
			best = o
		}
	}
	if best < 0 {
		return -1, 0
	}
	for o, d := range distances {
		switch {
		case o == best, d > distances[best], m.equal(o, best):
		case d == distances[best] && m.newOf[o] >= 0 && h.nearby(m.old[best]) == samePlace && !h.mayBe(m.old[o], m.old[best]):
		default:
			return -1, 0
		}
	}
	return best, distances[best]
}

// samePlace is the most that nearby returns.
const samePlace = 2

// nearby tells how much the places of two hooks have in common.
func (h eventHook) nearby(other eventHook) int {
	switch {
	case h.group == other.group && h.index == other.index:
		return samePlace
	case h.matcher == other.matcher:
		return 1
	}
	return 0
}

// distance counts the members that differ. The matcher is none: hooks that look
// the same in two groups may be copies.
func (h eventHook) distance(other eventHook) int {
	count := 0
	for name, value := range h.members {
		if other.members[name] != value {
			count++
		}
	}
	for name := range other.members {
		if _, has := h.members[name]; !has {
			count++
		}
	}
	return count
}

// mayBe reports whether a hook has a value of another one which the hook that it
// is most like has not.
func (h eventHook) mayBe(other, best eventHook) bool {
	for name, value := range h.members {
		if value != best.members[name] && value == other.members[name] {
			return true
		}
	}
	return false
}

// sure reports whether a changed hook runs what the present one runs, and has
// nothing of another hook that is gone or changed: only then its masks stand for
// something.
func (m *pairing) sure(o, n int) bool {
	h, old := m.new[n], m.old[o]
	for i, rival := range m.old {
		if m.newOf[i] < 0 && h.mayBe(rival, old) && !m.equal(i, o) {
			return false
		}
	}
	return h.members["type"] == old.members["type"] && h.members["command"] == old.members["command"]
}
