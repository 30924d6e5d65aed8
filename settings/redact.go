package settings

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
)

// Change is one path that differs, with its secrets masked. The side on which
// there is no value is left out.
type Change struct {
	Path   string         `json:"path"` // JSON pointer
	Before jsontext.Value `json:"before,omitzero"`
	After  jsontext.Value `json:"after,omitzero"`
}

// maskedChanges lists what differs between two documents.
func maskedChanges(before, after *jsonedit.Doc) []Change {
	var list []Change
	for _, c := range jsonedit.Diff(before.Root(), after.Root()) {
		list = append(list, Change{
			Path:   c.Path.Pointer(),
			Before: mask(before, c.Path, c.Before),
			After:  mask(after, c.Path, c.After),
		})
	}
	return list
}

// mask returns a value without its secrets: by the place where it stands
// (environments, headers, arguments, URLs), by the name it has and by its look.
func mask(d *jsonedit.Doc, path jsonedit.Path, n jsonedit.Node) jsontext.Value {
	if !n.Exists() {
		return nil
	}
	if last := len(path) - 1; last > 0 && isList(path[:last], d.Find(path[:last])) {
		if i, err := strconv.Atoi(path[last]); err == nil {
			if shown := redact.ArgsOf(d.Find(path[:last]))[i]; shown != nil {
				return shown
			}
		}
	}
	return appendMasked(nil, path, n)
}

func appendMasked(b []byte, path jsonedit.Path, n jsonedit.Node) []byte {
	switch n.Kind() {
	case jsonedit.Object:
		b = append(b, '{')
		for c := range n.Children() {
			b = comma(b, '{')
			b = append(append(b, jsonedit.Quote(c.Key())...), ':')
			b = appendMasked(b, append(path, c.Key()), c)
		}
		return append(b, '}')
	case jsonedit.Array:
		return appendArray(b, path, n)
	case jsonedit.String:
		return append(b, jsonedit.Quote(maskString(path, n.Text()))...)
	case jsonedit.Number:
		if hidden(path) {
			return append(b, jsonedit.Quote(redact.Mask)...)
		}
	}
	return append(b, n.Raw()...)
}

func appendArray(b []byte, path jsonedit.Path, n jsonedit.Node) []byte {
	var masked [][]byte
	if isList(path, n) {
		masked = redact.ArgsOf(n)
	}
	b = append(b, '[')
	i := 0
	for c := range n.Children() {
		b = comma(b, '[')
		element := append(path, strconv.Itoa(i))
		if masked != nil && masked[i] != nil {
			b = append(b, masked[i]...)
		} else {
			b = appendMasked(b, element, c)
		}
		i++
	}
	return append(b, ']')
}

func comma(b []byte, open byte) []byte {
	if b[len(b)-1] != open {
		b = append(b, ',')
	}
	return b
}

// isList tells an array whose elements are masked together because a text tells
// what its neighbour is; in a hidden one each is a secret.
func isList(path jsonedit.Path, n jsonedit.Node) bool {
	return n.Kind() == jsonedit.Array && !hidden(path)
}

func maskString(path jsonedit.Path, s string) string {
	switch {
	case hidden(path):
		return redact.String(s)
	case len(path) == 0:
		return redact.Member("", s)
	}
	return redact.Member(path[len(path)-1], s)
}

// secretPlaces are members whose values are secret whatever they are called.
var secretPlaces = []string{"env", "environment", "headers", "http_headers"}

// hidden reports whether what stands at a path is secret, because of the name
// of a member on the way. The names of MCP servers are not such names.
func hidden(path jsonedit.Path) bool {
	for i, step := range path {
		if i == 2 && path[0] == "mcp" && path[1] == "servers" {
			continue
		}
		if redact.KeyLike(step) || slices.Contains(secretPlaces, step) {
			return true
		}
	}
	return false
}
