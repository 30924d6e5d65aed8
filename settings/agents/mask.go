package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/redact"
)

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
		if masked[key] = maskValue(key, value); secretMaps[name] || redact.KeyLike(name) && value != nil {
			masked[key] = redact.Mask
		}
	}
	return masked
}

func maskJSON(name string, text json.RawMessage) any {
	value, err := decodedJSON(text)
	if err != nil {
		return redact.Mask
	}
	return maskValue(name, value)
}

// decodedJSON keeps the digits of numbers.
func decodedJSON(text json.RawMessage) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&value)
	return value, err
}

// maskList looks at the texts of a list together, since an argument tells what
// the next one is.
func maskList(name string, list []any) []any {
	texts := make([]string, len(list))
	for i, item := range list {
		if texts[i] = fmt.Sprint(item); !isScalar(item) {
			texts[i] = ""
		}
	}
	shown := redact.Args(texts)
	masked := make([]any, len(list))
	for i, item := range list {
		switch _, isText := item.(string); {
		case secretMaps[name]:
			masked[i] = redact.Mask
		case redact.KeyLike(name):
			masked[i] = maskValue(name, item)
		case isText, shown[i] != texts[i]:
			masked[i] = shown[i]
		default:
			masked[i] = maskValue(name, item)
		}
	}
	return masked
}

// isScalar holds for texts, numbers and truth values.
func isScalar(v any) bool {
	switch v.(type) {
	case nil, json.RawMessage, map[string]any, []any:
		return false
	}
	return true
}

func maskText(name, text string) string {
	switch {
	case redact.KeyLike(name), secretMaps[name]:
		return redact.String(text)
	case strings.Contains(text, "://") && !strings.ContainsFunc(text, unicode.IsSpace):
		text = redact.URL(text)
	}
	return redact.Args([]string{text})[0]
}

// keepMasked takes out the edits whose values are as they are shown, with a mask
// in the place of what stays, and refuses any other mask.
func (edits *bodyEdits) keepMasked(shown Members) error {
	var kept []keyEdit
	for _, e := range edits.keys {
		switch {
		case !e.holdsMask():
			kept = append(kept, e)
		case !e.isShown(shown):
			return &InvalidError{memberPointer(e.key), "holds a mask in the place of a secret, which only a value that is sent just as it is shown may: " +
				"leave the member out to keep it, or send it whole"}
		}
	}
	edits.keys = kept
	return nil
}

func (e keyEdit) holdsMask() bool {
	return slices.ContainsFunc(append(e.value.List(), e.value.Multiline()), func(s string) bool { return strings.Contains(s, redact.Mask) })
}

// isShown reports whether a listing shows the new value of the key.
func (e keyEdit) isShown(shown Members) bool {
	i := slices.IndexFunc(shown, func(m Member) bool { return m.Key == e.key })
	if i < 0 {
		return false
	}
	var value any = e.value.Multiline()
	if e.value.Kind() == frontmatter.List {
		value = e.value.Any()
	}
	return reflect.DeepEqual(shown[i].Value, value)
}
