package jsonedit

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"math/bits"
)

// few is the number of members up to which looking at all of them is cheaper
// than an index.
const few = 12

// unique refuses two members of one name; which of them ZCode means is not ours
// to guess. Names are compared as ZCode decodes them.
func (p *parser) unique(object int32) error {
	d := p.doc
	d.nodes = p.nodes
	count, simple := 0, true
	for i := object + 1; i < d.nodes[object].next; i = d.nodes[i].next {
		count++
		simple = simple && plain(d.name(i))
	}
	var first, second int32
	switch {
	case !simple:
		first, second = d.twiceDecoded(object)
	case count <= few:
		first, second = d.twiceAmongFew(object)
	default:
		first, second = p.names.twice(d, object, count)
	}
	if second == 0 {
		return nil
	}
	line, _ := Node{d, first}.Position()
	return p.fail(int(d.nodes[second].keyStart), ErrDuplicate, fmt.Sprintf(
		"the name %q stands twice in one object, first in line %d, and ZCode reads the last: remove one",
		Node{d, second}.Key(), line))
}

// name returns the member's name with its quotes.
func (d *Doc) name(i int32) []byte { return d.text[d.nodes[i].keyStart:d.nodes[i].keyEnd] }

func (d *Doc) twiceDecoded(object int32) (first, second int32) {
	seen := make(map[string]int32)
	for i := object + 1; i < d.nodes[object].next; i = d.nodes[i].next {
		name := unquote(d.name(i))
		if first, ok := seen[name]; ok {
			return first, i
		}
		seen[name] = i
	}
	return 0, 0
}

func (d *Doc) twiceAmongFew(object int32) (first, second int32) {
	for i := object + 1; i < d.nodes[object].next; i = d.nodes[i].next {
		name := d.name(i)
		for j := object + 1; j < i; j = d.nodes[j].next {
			if bytes.Equal(d.name(j), name) {
				return j, i
			}
		}
	}
	return 0, 0
}

// nameTable is an open hash table of members, used for one object after the
// other; it holds indexes of nodes, so that no name is copied.
type nameTable struct {
	slots []int32 // 0 is free: the root is nobody's member
	seed  maphash.Seed
}

func (t *nameTable) twice(d *Doc, object int32, count int) (first, second int32) {
	size := 1 << bits.Len(uint(2*count))
	if len(t.slots) < size {
		t.slots = make([]int32, size)
		t.seed = maphash.MakeSeed()
	}
	slots := t.slots[:size]
	clear(slots)
	for i := object + 1; i < d.nodes[object].next; i = d.nodes[i].next {
		name := d.name(i)
		slot := maphash.Bytes(t.seed, name) & uint64(size-1)
		for slots[slot] != 0 {
			if bytes.Equal(d.name(slots[slot]), name) {
				return slots[slot], i
			}
			slot = (slot + 1) & uint64(size-1)
		}
		slots[slot] = i
	}
	return 0, 0
}
