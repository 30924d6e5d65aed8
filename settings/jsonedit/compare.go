package jsonedit

import (
	"bytes"
	"iter"
	"slices"
	"strconv"
)

// Equal reports whether two values mean the same: members in any order,
// strings by what they decode to, numbers by their text.
func Equal(a, b Node) bool {
	return bytes.Equal(a.Raw(), b.Raw()) && a.Exists() == b.Exists() || equal(a, b)
}

func equal(a, b Node) bool {
	if !containers(a, b) {
		return equalScalars(a, b)
	}
	for p := range pairs(a, b) {
		if !equal(p.a, p.b) { // one that does not exist equals none
			return false
		}
	}
	return true
}

// containers reports whether both are objects, or both arrays.
func containers(a, b Node) bool {
	kind := a.Kind()
	return kind == b.Kind() && (kind == Object || kind == Array)
}

// equalScalars is false for containers.
func equalScalars(a, b Node) bool {
	switch kind := a.Kind(); {
	case kind != b.Kind() || kind == Object || kind == Array:
		return false
	case kind == String:
		return bytes.Equal(a.Raw(), b.Raw()) || exactly(a.Raw()) == exactly(b.Raw())
	default:
		return bytes.Equal(a.Raw(), b.Raw())
	}
}

// Change is one difference between two documents. Before or After does not
// exist where the value was added or removed.
type Change struct {
	Path          Path
	Before, After Node
}

// Diff lists what differs between two values, as deep as both have containers
// of the same kind: changed and removed values in the order of a, then the
// added ones in the order of b, container by container.
func Diff(a, b Node) []Change { return diff(nil, nil, a, b) }

func diff(list []Change, path Path, a, b Node) []Change {
	if containers(a, b) {
		for p := range pairs(a, b) {
			if !equalScalars(p.a, p.b) {
				list = diff(list, append(path, p.step()), p.a, p.b)
			}
		}
		return list
	}
	if equalScalars(a, b) {
		return list
	}
	return append(list, Change{slices.Clip(slices.Clone(path)), a, b})
}

// pair is what two containers of one kind hold at one name or index; one of the
// two may not exist.
type pair struct {
	a, b Node
	i    int // the index, for arrays
}

func (p pair) step() string {
	n := p.a
	if !n.Exists() {
		n = p.b
	}
	if n.at().keyEnd > 0 {
		return n.Key()
	}
	return strconv.Itoa(p.i)
}

func pairs(a, b Node) iter.Seq[pair] {
	if a.Kind() == Array {
		return elementPairs(a, b)
	}
	return memberPairs(a, b)
}

func elementPairs(a, b Node) iter.Seq[pair] {
	return func(yield func(pair) bool) {
		x, y := a.firstChild(), b.firstChild()
		for i := 0; x.Exists() || y.Exists(); i++ {
			if !yield(pair{x, y, i}) {
				return
			}
			x, y = x.nextSibling(), y.nextSibling()
		}
	}
}

// memberPairs yields the members of a, then those of b that a has not.
func memberPairs(a, b Node) iter.Seq[pair] {
	return func(yield func(pair) bool) {
		inB, found := members{object: b}, 0
		next := b.firstChild() // where both have one order, nothing is searched
		for x := range a.Children() {
			y := next
			if !sameName(x, y) {
				y = inB.named(x)
			}
			if y.Exists() {
				next = y.nextSibling()
				found++
			}
			if !yield(pair{a: x, b: y}) {
				return
			}
		}
		if found == b.Len() {
			return
		}
		inA := members{object: a}
		for y := range b.Children() {
			if !inA.named(y).Exists() && !yield(pair{b: y}) {
				return
			}
		}
	}
}

// members finds the members of an object by name; an object of many gets an
// index at the first search.
type members struct {
	object Node
	byName map[string]Node
}

func (m *members) named(like Node) Node {
	if m.byName == nil {
		count := m.object.Len()
		if count <= few {
			return m.search(like)
		}
		m.byName = make(map[string]Node, count)
		for c := range m.object.Children() {
			m.byName[exactly(c.key())] = c
		}
	}
	return m.byName[exactly(like.key())]
}

func (m *members) search(like Node) Node {
	for c := range m.object.Children() {
		if sameName(c, like) {
			return c
		}
	}
	return Node{}
}

func sameName(a, b Node) bool {
	if !a.Exists() || !b.Exists() {
		return false
	}
	x, y := a.key(), b.key()
	return bytes.Equal(x, y) || !(plain(x) && plain(y)) && exactly(x) == exactly(y)
}

// key returns the member's name with its quotes.
func (n Node) key() []byte { return n.doc.name(n.i) }

func (n Node) firstChild() Node {
	if n.Exists() && n.i+1 < n.at().next {
		return Node{n.doc, n.i + 1}
	}
	return Node{}
}

func (n Node) nextSibling() Node {
	if !n.Exists() || n.at().parent < 0 {
		return Node{}
	}
	if next := n.at().next; next < n.parent().at().next {
		return Node{n.doc, next}
	}
	return Node{}
}
