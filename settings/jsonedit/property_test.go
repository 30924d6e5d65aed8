package jsonedit

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

var (
	numbers = []string{
		"0", "-0", "1", "1.0", "10e2", "1E+2", "0.10e-7", "1e400", "-1e-1000", "9007199254740993",
		"123456789012345678901234567890",
	}
	// canonical are numbers that JSON.stringify writes so.
	canonical = []string{"0", "1", "-7", "0.5", "9007199254740991", "1e+21", "1.5e-7"}
	texts     = []string{
		"", "a", "b", "10", "9", "__proto__", "a.b", "a/b~c", "é", "e\u0301", "😀", "\u2028", "<&>", "\x00", "\n\t\"\\",
		"C:\\skills", "toString",
	}
	spaces = []string{"", "", "", " ", "  ", "\t", "\n", "\n  ", "\r\n\t", "\r", " \n\n "}
)

// units draws a string, sometimes one that UTF-8 cannot hold.
func units(t *rapid.T) []uint16 {
	u := utf16.Encode([]rune(rapid.SampledFrom(texts).Draw(t, "text")))
	if rapid.IntRange(0, 9).Draw(t, "lone") == 0 {
		u = append(u, rapid.SampledFrom([]uint16{0xd800, 0xdbff, 0xdc00, 0xdfff}).Draw(t, "surrogate"))
	}
	return u
}

// drawItem draws a value.
func drawItem(t *rapid.T, depth int, nums []string) *item {
	least := 0 // rapid prefers small numbers: containers come first
	if depth == 0 {
		least = 2
	}
	switch rapid.IntRange(least, 5).Draw(t, "kind") {
	case 0:
		return drawObject(t, depth, nums)
	case 1:
		v := &item{kind: Array}
		for range rapid.IntRange(0, 4).Draw(t, "elements") {
			v.children = append(v.children, drawItem(t, depth-1, nums))
		}
		return v
	case 2:
		return &item{kind: String, units: units(t)}
	case 3:
		return &item{kind: Number, word: rapid.SampledFrom(nums).Draw(t, "number")}
	case 4:
		return &item{kind: Bool, word: rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")}
	default:
		return &item{kind: Null, word: "null"}
	}
}

func drawObject(t *rapid.T, depth int, nums []string) *item {
	v := &item{kind: Object}
	seen := map[string]bool{}
	for range rapid.IntRange(0, 5).Draw(t, "members") {
		name := units(t)
		if seen[lossy(name)] {
			continue
		}
		seen[lossy(name)] = true
		c := drawItem(t, depth-1, nums)
		c.name = name
		v.children = append(v.children, c)
	}
	return v
}

func lossy(units []uint16) string { return string(utf16.Decode(units)) }

// spellAny draws an escape or none for every character.
func spellAny(t *rapid.T) func([]uint16) string {
	return func(units []uint16) string {
		var b strings.Builder
		b.WriteByte('"')
		for i := 0; i < len(units); i++ {
			part := units[i : i+1]
			if isPair(units, i) {
				part = units[i : i+2]
				i++
			}
			if rapid.IntRange(0, 4).Draw(t, "escape") == 0 {
				for _, u := range part {
					b.WriteString(`\u` + hex(t, u))
				}
				continue
			}
			short := spellShort(part)
			b.WriteString(short[1 : len(short)-1])
		}
		b.WriteByte('"')
		return b.String()
	}
}

func hex(t *rapid.T, u uint16) string {
	s := strconv.FormatUint(uint64(u)|0x10000, 16)[1:]
	if rapid.Bool().Draw(t, "capitals") {
		s = strings.ToUpper(s)
	}
	return s
}

// drawDocument draws a document with any white space and any spelling; the
// places of its values are in the item.
func drawDocument(t *rapid.T) (*item, string) {
	v := drawItem(t, 3, numbers)
	w := writer{spell: spellAny(t), space: func(gap, int) string { return rapid.SampledFrom(spaces).Draw(t, "space") }}
	return v, w.document(v)
}

// change is one edit of a document: what to call and what it means.
type change struct {
	path       Path
	start, end int // the span that may change
	apply      edit
	after      *item
}

// place picks a value; parent is nil for the root.
func place(t *rapid.T, root *item) (v, parent *item, at int, path Path) {
	v = root
	for len(v.children) > 0 && rapid.IntRange(0, 3).Draw(t, "deeper") > 0 {
		at = rapid.IntRange(0, len(v.children)-1).Draw(t, "child")
		parent, v = v, v.children[at]
		if parent.kind == Object {
			path = append(path, lossy(v.name))
		} else {
			path = append(path, strconv.Itoa(at))
		}
	}
	return v, parent, at, path
}

// drawChange draws an edit of the document and applies it to a copy of the
// model. The model's places say which span the edit may touch.
func drawChange(t *rapid.T, root *item, value *item, text string) change {
	after := root.clone()
	v, parent, at, path := place(t, after)
	c := change{path: path, start: v.start, end: v.end, after: after}
	last := func() { // behind the last child, or the inside of an empty container
		c.start, c.end = v.start+1, v.end-1
		if n := len(v.children); n > 0 {
			c.start, c.end = v.children[n-1].end, v.children[n-1].end
		}
	}
	value = value.clone()
	switch kind := rapid.IntRange(0, 2).Draw(t, "edit"); {
	case kind == 0 && v.kind == Object:
		value.name = append(units(t), '+')
		for slices.ContainsFunc(v.children, func(c *item) bool { return lossy(c.name) == lossy(value.name) }) {
			value.name = append(value.name, '+')
		}
		last()
		c.apply = set(text, append(path, lossy(value.name))...)
		value.name = utf16.Encode([]rune(lossy(value.name)))
		v.children = append(v.children, value)
	case kind == 0 && v.kind == Array:
		i := rapid.IntRange(0, len(v.children)).Draw(t, "index")
		last()
		if i < len(v.children) {
			c.start, c.end = v.children[i].begin, v.children[i].begin
		}
		c.apply = insert(i, text, path...)
		v.children = slices.Insert(v.children, i, value)
	case kind == 1 && parent != nil:
		switch {
		case at > 0:
			c.start = parent.children[at-1].end
		case len(parent.children) > 1:
			c.start, c.end = v.begin, parent.children[1].begin
		default:
			c.start, c.end = parent.start+1, parent.end-1
		}
		c.apply = del(path...)
		parent.children = slices.Delete(parent.children, at, at+1)
	default:
		c.apply = set(text, path...)
		if equivalent(v, value) {
			return c
		}
		value.name = v.name
		*v = *value
	}
	return c
}

// TestEditsTouchOnlyTheirSpan: whatever the document looks like, an edit leaves
// every byte outside its span, and what it wrote reads back.
func TestEditsTouchOnlyTheirSpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, before := drawDocument(t)
		value, text := drawDocument(t)
		c := drawChange(t, root, value, text)
		d, err := Parse([]byte(before))
		if err != nil {
			t.Fatal(err)
		}
		edited, err := c.apply(d)
		if err != nil {
			t.Fatalf("%v in %q", err, before)
		}
		after := string(edited.Text())
		tail := len(before) - c.end
		if len(after) < c.start+tail || after[:c.start] != before[:c.start] || after[len(after)-tail:] != before[c.end:] {
			t.Fatalf("more than %q changed:\n%q\n%q", before[c.start:c.end], before, after)
		}
		if got := read(t, edited.Text()); !same(got, c.after) {
			t.Fatalf("the edit of %q\nin %q\nsays  %q\nwanted %s", c.path.Pointer(), before, after, stringify(c.after, "", ""))
		}
		if string(d.Text()) != before {
			t.Fatal("the edit changed the document that it was made from")
		}
	})
}

// TestFormIsKept: a document in the form of JSON.stringify with an indentation,
// or minified, has that form after the edit.
func TestFormIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]string{"  ", "  ", "    ", "\t", ""}).Draw(t, "unit")
		newline := rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\r"}).Draw(t, "newline")
		final := rapid.SampledFrom([]string{"", newline}).Draw(t, "final")
		root, value := drawItem(t, 3, canonical), drawItem(t, 2, canonical)
		if len(root.children) == 0 { // nothing shows the form: that of ZCode is taken
			if unit = "  "; final == "" {
				newline = "\n"
			}
		}
		before := stringify(root, unit, newline) + final
		c := drawChange(t, root, value, stringify(value, "", ""))
		d, err := Parse([]byte(before))
		if err != nil {
			t.Fatal(err)
		}
		edited, err := c.apply(d)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(edited.Text()), stringify(c.after, unit, newline)+final; got != want {
			t.Fatalf("editing %q in\n%s\ngives\n%s\nwant\n%s", c.path.Pointer(), before, got, want)
		}
	})
}

// TestReadsWhatIsThere: the tree has the kinds, names, texts and places of the
// document.
func TestReadsWhatIsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, text := drawDocument(t)
		d, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var walk func(n Node, v *item)
		walk = func(n Node, v *item) {
			if n.Kind() != v.kind || string(n.Raw()) != text[v.start:v.end] {
				t.Fatalf("got %v %q, want %v %q", n.Kind(), n.Raw(), v.kind, text[v.start:v.end])
			}
			if n.Text() != lossy(v.units) || n.Key() != lossy(v.name) {
				t.Fatalf("got text %q, name %q, want %q, %q", n.Text(), n.Key(), lossy(v.units), lossy(v.name))
			}
			if found := d.Find(n.Path()); found != n {
				t.Fatalf("%q leads to %q", n.Path().Pointer(), found.Raw())
			}
			i := 0
			for c := range n.Children() {
				walk(c, v.children[i])
				i++
			}
			if i != len(v.children) || n.Len() != i {
				t.Fatalf("%d children, want %d", i, len(v.children))
			}
		}
		walk(d.Root(), root)
	})
}

// TestDiffTellsWhatAnEditDid: the differences of an edited document lie inside
// what was edited, and are none when the two mean the same.
func TestDiffTellsWhatAnEditDid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, before := drawDocument(t)
		value, text := drawDocument(t)
		c := drawChange(t, root, value, text)
		a, err := Parse([]byte(before))
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.apply(a)
		if err != nil {
			t.Fatal(err)
		}
		equal := equivalent(root, c.after)
		if got := Equal(a.Root(), b.Root()); got != equal {
			t.Fatalf("Equal = %v, want %v for\n%s\n%s", got, equal, before, b.Text())
		}
		changes := Diff(a.Root(), b.Root())
		if (len(changes) == 0) != equal {
			t.Fatalf("Diff = %v, equal: %v", changes, equal)
		}
		container := c.path[:max(len(c.path)-1, 0)]
		for _, change := range changes {
			if len(change.Path) < len(container) || !slices.Equal(change.Path[:len(container)], container) {
				t.Fatalf("Diff tells %q of an edit of %q", change.Path.Pointer(), c.path.Pointer())
			}
		}
	})
}
