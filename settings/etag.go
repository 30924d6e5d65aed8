package settings

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// etag names a section in the state that the document has it in. It is strong:
// equal tags mean equal bytes of the section and of what is shown beside it.
// Bodies hold it bare, HTTP headers in quotes.
func (d *document) etag(section string, doc *jsonedit.Doc, beside ...[]byte) string {
	var parts [][]byte
	for _, path := range d.sections[section] {
		parts = append(parts, doc.Find(path).Raw())
	}
	for _, part := range beside {
		if len(part) > 0 {
			parts = append(parts, part)
		}
	}
	return etag(d.name, section, parts...)
}

func etag(document, section string, parts ...[]byte) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	return fmt.Sprintf("%s.%s.%x", document, section, h.Sum(nil)[:12])
}

// MatchTag reports whether a list of tags, as If-Match and If-None-Match have
// it, names the tag: bare or in quotes, separated by commas, * for any. A weak
// tag matches only where weak is allowed. A list that is none is an
// [InvalidError].
func MatchTag(list, tag string, weak bool) (bool, error) {
	found := false
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		bare, isWeak := strings.CutPrefix(item, "W/")
		quoted := strings.HasPrefix(bare, `"`)
		if quoted {
			bare, quoted = strings.CutSuffix(bare[1:], `"`)
			if !quoted {
				bare = ""
			}
		}
		if bare == "" || strings.ContainsAny(bare, "\" \t") {
			return false, invalid("/ifMatch", "is no etag: take it from the answer of a read or a write")
		}
		if (item == "*" || bare == tag) && (weak || !isWeak) {
			found = true
		}
	}
	return found, nil
}
