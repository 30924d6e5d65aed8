package agents

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"

	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/redact"
)

// shownServers returns the MCP servers of an agent. The line reader takes nested
// lines for items of the list, so what YAML reads comes first; where it reads
// nothing, a list that has more than plain names is masked as a whole.
func shownServers(doc *frontmatter.Doc, v frontmatter.Value) any {
	if nested, ok := doc.Nested("mcpServers"); ok {
		return maskValue("mcpServers", nested)
	}
	if plainNames(v) {
		return v.Any()
	}
	if v.Kind() == frontmatter.Null {
		return nil
	}
	return redact.Mask
}

// isPlainName tells a name from what may hold a secret: letters, digits and a few
// signs between them.
func isPlainName(s string) bool {
	for i, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && (i == 0 || !strings.ContainsRune(" ._@-", r)) {
			return false
		}
	}
	return s != ""
}

// plainNames reports whether a list holds nothing but names.
func plainNames(v frontmatter.Value) bool {
	items, _ := v.Any().([]any)
	for _, item := range items {
		name, isText := item.(string)
		if !isText || !isPlainName(name) || redact.Args([]string{name})[0] != name {
			return false
		}
	}
	return v.Kind() == frontmatter.List
}

// shownUnknown returns the value of a key that ZCode ignores; nested asks YAML
// for what the line reader does not see.
func shownUnknown(doc *frontmatter.Doc, e frontmatter.Entry, nested bool) any {
	if e.Differs && nested {
		if value, ok := doc.Nested(e.Key); ok {
			return maskValue(e.Key, value)
		}
	}
	if strings.HasPrefix(e.Value.Text(), "{") || strings.HasPrefix(e.Value.Text(), "[") {
		return redact.Mask // its names, which would tell what is secret, are not known
	}
	return maskValue(e.Key, e.Value.Any())
}

// secretMaps are names of objects all of whose values are secret.
var secretMaps = map[string]bool{"env": true, "environment": true, "headers": true, "http_headers": true}

// maskValue masks the secrets in a value that stands under a name.
func maskValue(name string, v any) any {
	switch v := v.(type) {
	case json.RawMessage:
		return maskJSON(name, v)
	case map[string]any:
		return maskObject(name, v)
	case []any:
		return maskList(name, v)
	case string:
		return maskText(name, v)
	case nil:
	default:
		if redact.KeyLike(name) {
			return redact.Mask
		}
	}
	return v
}

func maskObject(name string, object map[string]any) map[string]any {
	masked := make(map[string]any, len(object))
	for key, value := range object {
		if masked[key] = maskValue(key, value); secretMaps[name] {
			masked[key] = redact.Mask
		}
	}
	return masked
}

func maskJSON(name string, text json.RawMessage) any {
	var value any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return redact.Mask
	}
	return maskValue(name, value)
}

// maskList looks at the texts of a list together, since an argument tells what
// the next one is.
func maskList(name string, list []any) []any {
	texts := make([]string, len(list))
	for i, item := range list {
		texts[i], _ = item.(string)
	}
	texts = redact.Args(texts)
	masked := make([]any, len(list))
	for i, item := range list {
		switch _, isText := item.(string); {
		case secretMaps[name]:
			masked[i] = redact.Mask
		case isText && !redact.KeyLike(name):
			masked[i] = texts[i]
		default:
			masked[i] = maskValue(name, item)
		}
	}
	return masked
}

func maskText(name, text string) string {
	switch {
	case redact.KeyLike(name), secretMaps[name]:
		return redact.String(text)
	case strings.Contains(text, "://"):
		return redact.URL(text)
	}
	return redact.Args([]string{text})[0]
}
