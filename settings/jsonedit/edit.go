package jsonedit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// ErrPath is wrapped by the errors of edits whose path leads through a value
// that is no container, or to an element that an array does not have.
var ErrPath = errors.New("no such place")

// Set puts a JSON text at path and creates the objects on the way that are
// missing. A value that says the same already leaves the document as it is.
func (d *Doc) Set(path Path, value []byte) (*Doc, error) {
	v, err := Parse(value)
	if err != nil {
		return nil, fmt.Errorf("setting %q: %w", path.Pointer(), err)
	}
	n := d.Root()
	for i, step := range path {
		child := n.child(step)
		if child.Exists() {
			n = child
			continue
		}
		if n.Kind() != Object {
			return nil, placeError("setting", path, path[:i], n)
		}
		if v, err = wrap(path[i+1:], v); err != nil {
			return nil, fmt.Errorf("setting %q: %w", path.Pointer(), err)
		}
		return d.addMember(n, step, v.Root())
	}
	if !n.Exists() {
		return nil, placeError("setting", path, nil, n)
	}
	if Equal(n, v.Root()) {
		return d, nil
	}
	s, ok := d.ownStyle(n)
	if !ok || n.Kind() != v.Root().Kind() && len(path) > 0 {
		s = d.outerStyle(n)
	}
	return d.splice(int(n.at().start), n.end(), s.layout(nil, v.Root(), d.lineIndent(int(n.at().start)), 0))
}

// Delete removes a member or an element; one that is not there leaves the
// document as it is.
func (d *Doc) Delete(path Path) (*Doc, error) {
	n := d.Find(path)
	if !n.Exists() {
		return d, nil
	}
	parent := n.parent()
	if !parent.Exists() {
		return nil, fmt.Errorf("deleting the whole document: %w", ErrPath)
	}
	before, after := Node{}, n.nextSibling()
	for c := range parent.Children() {
		if c == n {
			break
		}
		before = c
	}
	switch {
	case before.Exists():
		return d.splice(before.end(), n.end(), nil)
	case after.Exists():
		return d.splice(n.begin(), after.begin(), nil)
	default:
		return d.splice(int(parent.at().start)+1, parent.end()-1, nil)
	}
}

// Insert puts a JSON text into the array at path, before the element that has
// the index now; the length of the array appends.
func (d *Doc) Insert(path Path, at int, value []byte) (*Doc, error) {
	v, err := Parse(value)
	if err != nil {
		return nil, fmt.Errorf("inserting into %q: %w", path.Pointer(), err)
	}
	array := d.Find(path)
	if array.Kind() != Array {
		return nil, placeError("inserting into", path, path, array)
	}
	if at < 0 || at > array.Len() {
		step := slices.Concat(path, Path{strconv.Itoa(at)})
		return nil, placeError("inserting into", step, path, array)
	}
	s, ok := d.ownStyle(array)
	if !ok {
		return d.fill(array, d.outerStyle(array), nil, v.Root())
	}
	text := s.layout(nil, v.Root(), s.indent, 0)
	if at == array.Len() {
		end := array.Index(at - 1).end()
		return d.splice(end, end, slices.Concat([]byte(s.separator), text))
	}
	n := array.Index(at)
	return d.splice(n.begin(), n.begin(), append(text, d.separatorAt(array, at, s.separator)...))
}

// separatorAt returns what stands before the element at an index, behind it for
// the first; otherwise for a sole one.
func (d *Doc) separatorAt(array Node, at int, otherwise string) string {
	left := array.Index(max(at-1, 0))
	right := left.nextSibling()
	if !right.Exists() {
		return otherwise
	}
	return string(d.text[left.end():right.begin()])
}

// addMember puts a new member behind the last one of an object.
func (d *Doc) addMember(object Node, name string, value Node) (*Doc, error) {
	s, ok := d.ownStyle(object)
	if !ok {
		return d.fill(object, d.outerStyle(object), Quote(name), value)
	}
	var last Node
	for c := range object.Children() {
		last = c
	}
	text := slices.Concat([]byte(s.separator), Quote(name), []byte(s.colon))
	return d.splice(last.end(), last.end(), s.layout(text, value, s.indent, 0))
}

// fill writes the first member or, without a name, the first element of an
// empty container.
func (d *Doc) fill(container Node, s style, name []byte, value Node) (*Doc, error) {
	kind, indent := container.Kind(), d.lineIndent(int(container.at().start))
	text := append(s.open(nil, kind, indent, 0), name...)
	if name != nil {
		text = append(text, s.colon...)
	}
	text = s.close(s.layout(text, value, indent, 1), kind, indent, 0)
	return d.splice(int(container.at().start)+1, container.end()-1, text)
}

// splice returns the document with the bytes from start to end replaced.
func (d *Doc) splice(start, end int, with []byte) (*Doc, error) {
	edited, err := Parse(slices.Concat(d.text[:start], with, d.text[end:]))
	if err != nil {
		return nil, fmt.Errorf("editing the document: %w", err)
	}
	return edited, nil
}

// placeError tells that what stands at the path does not lead on to target.
func placeError(doing string, target, at Path, n Node) error {
	return fmt.Errorf("%s %q: there is %s at %q: %w", doing, target.Pointer(), n.Kind(), at.Pointer(), ErrPath)
}

// wrap puts a value inside new objects, the outermost first.
func wrap(path Path, v *Doc) (*Doc, error) {
	if len(path) == 0 {
		return v, nil
	}
	var text []byte
	for _, step := range path {
		text = append(text, '{')
		text = append(text, Quote(step)...)
		text = append(text, ':')
	}
	text = append(text, v.text...)
	for range path {
		text = append(text, '}')
	}
	return Parse(text)
}
