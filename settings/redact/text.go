package redact

import (
	"strings"

	"zcode-acp/settings/jsonedit"
)

// deepest is how far texts inside texts are followed; what is deeper is masked.
const deepest = 8

// text masks the secrets inside any text: an argument may be a script, a
// connection string, a JSON document.
func text(s string) string { return textIn(s, deepest) }

func textIn(s string, depth int) string {
	if depth == 0 {
		return hide(s)
	}
	switch trimmed := strings.TrimSpace(s); {
	case looksSecret(s) || strings.Contains(s, "PRIVATE KEY-----"):
		return Mask
	case strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "["):
		if d, err := jsonedit.Parse([]byte(s)); err == nil {
			return document(d, depth)
		}
	case connection().MatchString(s):
		return connectionString(s)
	}
	s = maskWebhooks(maskWords(s, depth))
	return parts().ReplaceAllStringFunc(s, func(part string) string { return maskPart(part, depth) })
}

// parts finds, in this order, what may hold a secret inside a text: a URL,
// name=value or name: value with or without quotes, an authentication scheme
// with its value, a word.
var parts = lazy(`(?is)` + strings.Join([]string{
	urlForm + `[^\s"'<>` + "`" + `]+`,
	pairForm,
	`bearer\s+[^\s"',;)\]}]{6,}`,
	`[\w+=.:-]+`,
}, "|"))

// urlForm is what stands before the user information of a URL, also of one that
// lacks a slash or its scheme.
const urlForm = `(?:[a-z][a-z0-9+.-]*:[/\\]+|[/\\]{2,})`

const pairForm = `([\w.$@/-]+)` + // the name
	`(\\*["']?\s*[=:]\s*)` +
	`(\\+"[^"]*"|"(?:[^"\\]|\\.)*"|'[^']*'|[\[{][^\]}]*[\]}]?[^\s"',;&)\]}]*|(?:(?:bearer|basic|token|digest)\s+)?[^\s"',;&)\]}]+)`

var (
	pair   = lazy(`(?is)^` + pairForm + `$`)
	bearer = lazy(`(?is)^(bearer\s+)(.*)$`)
)

func maskPart(s string, depth int) string {
	if urlStart().MatchString(s) {
		return URL(s)
	}
	if m := pair().FindStringSubmatch(s); m != nil {
		return m[1] + m[2] + maskValue(m[1], m[2], m[3], depth)
	}
	if m := bearer().FindStringSubmatch(s); m != nil {
		return m[1] + hide(m[2])
	}
	if looksSecret(s) {
		return Mask
	}
	return s
}

var urlStart = lazy(`(?i)^` + urlForm)

// maskValue masks the value of a pair inside a text.
func maskValue(name, separator, value string, depth int) string {
	switch {
	case strings.ContainsAny(name, "/@"):
		return textIn(value, depth-1) // a path, an image, a host: not a name
	case KeyLike(name):
		inner := strings.Trim(value, `\"'`)
		at := strings.Index(value, inner)
		return value[:at] + hide(inner) + value[at+len(inner):]
	case separator == ":" && password().MatchString(value):
		return Mask + value[strings.LastIndexByte(value, '@'):]
	default:
		return textIn(value, depth-1)
	}
}

// password is what stands behind user: in user:password@host.
var password = lazy(`^[^\s@/]+@[\w(\[][^@]*$`)

// connection matches strings like Server=x;User Id=y;Password=z.
var connection = lazy(`^\s*[A-Za-z][\w ]*=[^;=]*;(?:\s*[A-Za-z][\w ]*=[^;]*;?)+\s*$`)

func connectionString(s string) string {
	fields := strings.Split(s, ";")
	for i, field := range fields {
		if name, value, ok := strings.Cut(field, "="); ok && KeyLike(name) {
			fields[i] = name + "=" + hide(value)
		}
	}
	return strings.Join(fields, ";")
}

// document masks inside a JSON document and keeps its other bytes.
func document(d *jsonedit.Doc, depth int) string {
	m := masker{text: d.Text(), depth: depth}
	m.value(d.Root(), false)
	return string(append(m.out, m.text[m.done:]...))
}

// masker copies a document up to done.
type masker struct {
	text, out []byte
	done      int
	depth     int // of texts inside its strings
}

func (m *masker) value(n jsonedit.Node, hidden bool) {
	for c := range n.Children() {
		m.value(c, hidden || KeyLike(c.Key()) || c.Kind() == jsonedit.Object && secretPlaces[c.Key()])
	}
	switch n.Kind() {
	case jsonedit.String:
		masked := textIn(n.Text(), m.depth-1)
		if hidden {
			masked = hide(n.Text())
		}
		if masked != n.Text() {
			m.replace(n, masked)
		}
	case jsonedit.Number:
		if hidden {
			m.replace(n, Mask)
		}
	}
}

// secretPlaces are members whose values are all masked.
var secretPlaces = set("env environment headers http_headers")

func (m *masker) replace(n jsonedit.Node, with string) {
	start, end := n.Span()
	m.out = append(m.out, m.text[m.done:start]...)
	m.out = append(m.out, jsonedit.Quote(with)...)
	m.done = end
}
