package agents

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/redact"
)

// mostPresented bounds the front matter that is looked through, in bytes.
const mostPresented = 64 << 10

// Presentable reports whether the text of an agent file may be shown as it is. It
// is true only where nothing in the front matter may be a secret: ZCode and YAML
// see the same keys, no value changes when its secrets are masked, however it is
// read, and no line, comments among them, holds a secret or the name of one. What
// cannot be told is not presentable. The prompt is not looked at.
func Presentable(text []byte) bool {
	doc, err := frontmatter.Parse(text)
	if err != nil || !doc.SameKeys() {
		return false
	}
	block := string(doc.Text()[:len(doc.Text())-len(doc.Body())])
	if len(block) > mostPresented || strings.Contains(block, redact.Mask) {
		return false
	}
	left := mostNested
	for _, e := range doc.Entries() {
		nested, ok := doc.NestedWithin(e.Key, &left)
		if !ok || !harmless(e.Key, nested) || !harmlessRead(e) {
			return false
		}
	}
	return harmlessLines(block)
}

// harmless reports whether a value has nothing to mask.
func harmless(name string, v any) bool { return reflect.DeepEqual(maskValue(name, v), v) }

// harmlessRead does so for each of the ways in which ZCode reads a value.
func harmlessRead(e frontmatter.Entry) bool {
	items := []any{}
	for _, item := range splitList(e.Value.Text()) {
		items = append(items, item)
	}
	v := e.Value.Any()
	if raw, isJSON := v.(json.RawMessage); isJSON {
		var err error
		if v, err = decodedJSON(raw); err != nil {
			return false
		}
	}
	return harmless(e.Key, v) && harmless(e.Key, e.Value.Multiline()) && harmless(e.Key, items)
}

// harmlessLines looks at the lines as they stand, whatever they mean, and at the
// comments together, since a line may tell what the next one is.
func harmlessLines(block string) bool {
	var words []string
	for line := range strings.Lines(block) {
		for _, name := range nameInLine().FindAllStringSubmatch(line, -1) {
			if redact.KeyLike(name[1]) || secretMaps[strings.ToLower(name[1])] || !unmasked(name[1]) {
				return false
			}
		}
		if !unmasked(line) {
			return false
		}
		if _, comment, ok := strings.Cut(line, "#"); ok {
			words = append(words, commentWords(comment)...)
		}
	}
	return unmasked(strings.Join(words, " "))
}

// nameInLine is a name before a colon or an equals sign.
var nameInLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([\pL\pN_.$@-]+)\\*["']?\s*[:=]`) })

// commentWords are the words of a comment without the signs of lists.
func commentWords(comment string) []string {
	var words []string
	for word := range strings.FieldsSeq(comment) {
		if word = strings.Trim(word, `#"'[],`); word != "" && word != "-" {
			words = append(words, word)
		}
	}
	return words
}

func unmasked(text string) bool { return redact.Args([]string{text})[0] == text }
