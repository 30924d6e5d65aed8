package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// plain writes text to a terminal that it cannot steer: control, direction and
// invisible characters become visible escapes, which inside JSON mean the same.
type plain struct{ to io.Writer }

func (p plain) Write(b []byte) (int, error) {
	if _, err := io.WriteString(p.to, visible(string(b), "\n\t")); err != nil {
		return 0, err
	}
	return len(b), nil
}

// visible escapes what a terminal would obey or hide, but for the exceptions.
func visible(s, except string) string {
	steers := func(r rune) bool {
		return (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029') && !strings.ContainsRune(except, r)
	}
	if !strings.ContainsFunc(s, steers) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if steers(r) {
			fmt.Fprintf(&out, "\\u%04x", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}
