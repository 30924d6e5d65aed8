package jsonedit

// layout appends a value to an edit, on a line that is indented by indent and
// depth units.
func (s *style) layout(b []byte, v Node, indent string, depth int) []byte {
	kind := v.Kind()
	if kind != Object && kind != Array {
		return append(b, v.Raw()...)
	}
	brackets := "{}"
	if kind == Array {
		brackets = "[]"
	}
	b = append(b, brackets[0])
	if v.firstChild().Exists() {
		b = s.open(b, kind, indent, depth)
		for c := range v.Children() {
			if c.i != v.i+1 {
				b = s.between(b, indent, depth)
			}
			if kind == Object {
				b = append(b, c.key()...)
				b = append(b, s.colon...)
			}
			b = s.layout(b, c, indent, depth+1)
		}
		b = s.close(b, kind, indent, depth)
	}
	return append(b, brackets[1])
}

// open appends what stands behind the opening bracket of a new container.
func (s *style) open(b []byte, kind Kind, indent string, depth int) []byte {
	if s.lines {
		return s.line(b, indent, depth+1)
	}
	return append(b, s.padding(kind)...)
}

// between appends what stands between two members of a new container.
func (s *style) between(b []byte, indent string, depth int) []byte {
	if s.lines {
		return s.line(append(b, ','), indent, depth+1)
	}
	return append(b, s.separator...)
}

// close appends what stands before the closing bracket of a new container.
func (s *style) close(b []byte, kind Kind, indent string, depth int) []byte {
	if s.lines {
		return s.line(b, indent, depth)
	}
	return append(b, s.padding(kind)...)
}

func (s *style) padding(kind Kind) string {
	if kind == Array {
		return s.arrayPad
	}
	return s.pad
}

// line begins a new line. Indentation grows with the square of the depth: what
// is larger than a document may be gets no more of it, and is refused later.
func (s *style) line(b []byte, indent string, depth int) []byte {
	if len(b) > MaxSize {
		return b
	}
	b = append(b, s.newline...)
	b = append(b, indent...)
	for range depth {
		b = append(b, s.unit...)
	}
	return b
}
