// Package jsonedit changes JSON text without touching a byte that it was not
// asked to change.
//
// A document is parsed once into positions ([Parse]); an edit ([Doc.Set],
// [Doc.Insert], [Doc.Delete]) returns a new document in which only the span of
// the edited value differs: indentation, line ends, number text, escapes, key
// order and the final newline stay as they are. A new member goes last and
// copies the separators of its siblings; without siblings those of the nearest
// enclosing object; else two spaces. Where the document had the form that
// JSON.stringify(value, null, 2) gives, the result has it too.
//
// Parsing is as strict as ZCode's own reader: comments, trailing commas and
// text behind the value are errors, and so are duplicate names, of which
// ZCode would silently read the last.
package jsonedit

import "iter"

// Limits of a document; what exceeds them is refused with [ErrTooLarge] or
// [ErrTooDeep].
const (
	MaxSize  = 64 << 20 // bytes
	MaxDepth = 10_000   // nested containers
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of JSON values; the zero Kind belongs to no value.
const (
	Object Kind = iota + 1
	Array
	String
	Number
	Bool
	Null
)

// String names the kind as error sentences do.
func (k Kind) String() string {
	switch k {
	case Object:
		return "an object"
	case Array:
		return "an array"
	case String:
		return "a string"
	case Number:
		return "a number"
	case Bool:
		return "true or false"
	case Null:
		return "null"
	}
	return "nothing"
}

// Doc is a parsed document. It is immutable: edits return a new one.
type Doc struct {
	text  []byte // without byte order mark
	bom   bool
	nodes []node // in document order; nodes[0] is the root
}

// node is one value of the document; offsets are into Doc.text.
type node struct {
	start, end       int32 // the value's own span
	keyStart, keyEnd int32 // the member name with its quotes; 0, 0 for others
	next             int32 // index of the first node behind this subtree
	parent           int32 // -1 for the root
}

// Text returns the document without a byte order mark. It must not be changed.
func (d *Doc) Text() []byte { return d.text }

// BOM reports whether the parsed text began with a byte order mark, which
// ZCode's own readers reject.
func (d *Doc) BOM() bool { return d.bom }

// Root returns the top-level value; the zero Doc has none.
func (d *Doc) Root() Node {
	if len(d.nodes) == 0 {
		return Node{}
	}
	return Node{d, 0}
}

// Find returns the value at path, or a Node that does not exist.
func (d *Doc) Find(path Path) Node {
	n := d.Root()
	for _, step := range path {
		n = n.child(step)
	}
	return n
}

// Node is one value of a document; the zero Node does not exist.
type Node struct {
	doc *Doc
	i   int32
}

func (n Node) at() *node { return &n.doc.nodes[n.i] }

// Exists reports whether there is such a value.
func (n Node) Exists() bool { return n.doc != nil }

// Kind returns the kind of the value, 0 when it does not exist.
func (n Node) Kind() Kind {
	if !n.Exists() {
		return 0
	}
	return kindOf(n.doc.text[n.at().start])
}

// kindOf tells the kind of a value from its first byte.
func kindOf(first byte) Kind {
	switch first {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Raw returns the value's own bytes. They must not be changed.
func (n Node) Raw() []byte {
	if !n.Exists() {
		return nil
	}
	return n.doc.text[n.at().start:n.at().end]
}

// Span returns the offsets in [Doc.Text] where the value begins and ends.
func (n Node) Span() (start, end int) {
	if !n.Exists() {
		return 0, 0
	}
	return int(n.at().start), int(n.at().end)
}

// Text returns the decoded string, "" when the value is no string.
func (n Node) Text() string {
	if n.Kind() != String {
		return ""
	}
	return unquote(n.Raw())
}

// Bool returns the value of true or false; ok is false for other kinds.
func (n Node) Bool() (value, ok bool) {
	if n.Kind() != Bool {
		return false, false
	}
	return n.Raw()[0] == 't', true
}

// Key returns the decoded member name, "" for array elements and the root.
func (n Node) Key() string {
	if !n.Exists() || n.at().keyEnd == 0 {
		return ""
	}
	return unquote(n.doc.text[n.at().keyStart:n.at().keyEnd])
}

// Children returns the members of an object or the elements of an array.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if k := n.Kind(); k != Object && k != Array {
			return
		}
		for i, end := n.i+1, n.at().next; i < end; i = n.doc.nodes[i].next {
			if !yield(Node{n.doc, i}) {
				return
			}
		}
	}
}

// Len counts the members or elements.
func (n Node) Len() int {
	count := 0
	for range n.Children() {
		count++
	}
	return count
}

// Get returns the member of an object with that name.
func (n Node) Get(name string) Node {
	if n.Kind() != Object {
		return Node{}
	}
	for c := range n.Children() {
		if n.doc.keyIs(c.i, name) {
			return c
		}
	}
	return Node{}
}

// Index returns the i-th element of an array.
func (n Node) Index(i int) Node {
	if n.Kind() != Array || i < 0 {
		return Node{}
	}
	for c := range n.Children() {
		if i == 0 {
			return c
		}
		i--
	}
	return Node{}
}

func (n Node) child(step string) Node {
	switch n.Kind() {
	case Object:
		return n.Get(step)
	case Array:
		i, ok := index(step)
		if !ok {
			return Node{}
		}
		return n.Index(i)
	}
	return Node{}
}

// keyIs reports whether the member's decoded name is name.
func (d *Doc) keyIs(i int32, name string) bool {
	key := d.name(i)
	if plain(key) {
		return string(key[1:len(key)-1]) == name
	}
	return unquote(key) == name
}

// begin is where the member (with its name) or the element starts.
func (n Node) begin() int {
	if n.at().keyEnd > 0 {
		return int(n.at().keyStart)
	}
	return int(n.at().start)
}

// end is where the value ends.
func (n Node) end() int { return int(n.at().end) }

// parent returns the container that holds the value.
func (n Node) parent() Node {
	if !n.Exists() || n.at().parent < 0 {
		return Node{}
	}
	return Node{n.doc, n.at().parent}
}
