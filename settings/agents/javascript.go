package agents

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// trim removes the white space that String.prototype.trim removes: the byte order
// mark is some, U+0085 is none.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return r == '\uFEFF' || r != '\u0085' && unicode.IsSpace(r)
	})
}

// lower returns what String.prototype.toLowerCase returns. Other than
// [strings.ToLower] it knows the two special cases of all languages: the capital
// I with a dot becomes two characters, and a sigma that ends a word is ς.
func lower(s string) string {
	if !strings.ContainsAny(s, "\u0130Σ") {
		return strings.ToLower(s)
	}
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case r == '\u0130':
			b.WriteString("i\u0307")
		case r == 'Σ' && endsWord(runes, i):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// endsWord is the condition Final_Sigma of the Unicode Standard, section 3.13: a
// cased letter before it and none behind it, whatever case-ignorable characters
// stand between.
func endsWord(s []rune, i int) bool {
	before, behind := i-1, i+1
	for before >= 0 && caseIgnorable(s[before]) {
		before--
	}
	for behind < len(s) && caseIgnorable(s[behind]) {
		behind++
	}
	return before >= 0 && cased(s[before]) && (behind == len(s) || !cased(s[behind]))
}

func cased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

func caseIgnorable(r rune) bool {
	// The second half are the characters that may stand inside a word.
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) ||
		strings.ContainsRune("'.:·\u0387\u055f\u05f4‘’․‧\ufe13\ufe52\ufe55＇．：", r)
}

// compareUnits orders strings by their UTF-16 code units, as JavaScript does.
func compareUnits(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
