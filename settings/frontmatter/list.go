package frontmatter

import "strings"

// dash stands before the items of a list that had none, as ZCode writes them.
const dash = "  - "

// bracketed writes a list on one line; nil when an item has no spelling there.
func bracketed(v Value) []string {
	texts := make([]string, len(v.items))
	for i, item := range v.items {
		ways := inBrackets.spellings(item)
		if len(ways) == 0 {
			return nil
		}
		texts[i] = ways[0]
	}
	return []string{"[" + strings.Join(texts, ", ") + "]"}
}

// blockList writes a list one item a line, each behind a line end; "" when it is
// none, is empty, or an item has no spelling there.
func blockList(v Value, eol string) string {
	var b strings.Builder
	for _, item := range v.items {
		ways := behindDash.spellings(item)
		if len(ways) == 0 {
			return ""
		}
		b.WriteString(eol + dash + ways[0])
	}
	return b.String()
}

// listChange changes the lines of items that change and leaves all others: the
// comments between items, and those behind the items that stay. A new item goes
// to the line of one that went, else behind the one before it.
func (d *Doc) listChange(e *entry, s span, v Value) splice {
	first := d.lines[e.items[0].line]
	lead := string(d.text[first.start:e.items[0].from])
	stay := common(e.Value.items, v.items)
	var b strings.Builder
	old, done := 0, 0
	put := func(l line) {
		if ways := behindDash.spellings(v.items[done]); len(ways) > 0 {
			b.WriteString(lead + ways[0] + d.lineEnd(l.next))
		} // else the result lacks an item and is refused
		done++
	}
	for i := e.line + 1; i <= s.last; i++ {
		l := d.lines[i]
		if old == len(e.items) || e.items[old].line != i {
			b.Write(d.text[l.start:l.next])
			continue
		}
		if at := stay[old]; at >= 0 {
			for done < at {
				put(l)
			}
			b.Write(d.text[l.start:l.next])
			done++
		} else if done < nextStay(stay[old:], len(v.items)) {
			put(l)
		}
		if old++; old == len(e.items) {
			for done < len(v.items) {
				put(l)
			}
		}
	}
	return splice{d.lines[e.line].next, d.lines[s.last].next, b.String()}
}

// nextStay returns the new index of the next item that stays.
func nextStay(stay []int, otherwise int) int {
	for _, at := range stay {
		if at >= 0 {
			return at
		}
	}
	return otherwise
}

// mostCells bounds the table of common; longer lists are written anew.
const mostCells = 1 << 20

// common tells for each old item its index in the new list, or -1 when it goes:
// a longest common subsequence.
func common(before, after []Value) []int {
	stay := make([]int, len(before))
	for i := range stay {
		stay[i] = -1
	}
	if len(before)*len(after) > mostCells {
		return stay
	}
	length := make([][]int, len(before)+1)
	for i := range length {
		length[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			if before[i].Equal(after[j]) {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(before) && j < len(after); {
		switch {
		case before[i].Equal(after[j]):
			stay[i] = j
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return stay
}
