package redact

// hintFrom is the number of characters from which a secret is long enough to
// show its end.
const hintFrom = 16

// Secret tells about a secret without telling it.
type Secret struct {
	Set  bool   `json:"set"`
	Hint string `json:"hint,omitempty"` // "…" and the last 4 characters, for long secrets
}

// Describe tells whether a secret is set, and how a long one ends.
func Describe(secret string) Secret {
	s := Secret{Set: secret != ""}
	if end := Hint(secret); end != "" {
		s.Hint = "…" + end
	}
	return s
}

// Hint returns the last 4 characters of a secret of 16 characters or more, ""
// of a shorter one.
func Hint(secret string) string {
	r := []rune(secret)
	if len(r) < hintFrom {
		return ""
	}
	return string(r[len(r)-4:])
}
