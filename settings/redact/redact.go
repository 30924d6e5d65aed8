// Package redact knows what is secret in ZCode's settings and what stands in
// its place in every answer, difference, event, log and listing.
//
// What is shown is safe rather than complete: a value is masked for its place
// (a key, an environment, a header), for its name, or for its own look. What
// only names a variable, like ${TOKEN}, holds no secret and stays, and so do
// all other bytes around a mask.
//
// A mask that comes back in a write means "keep the value": [Restore] puts the
// present value where its masked form was sent. The masked form of a masked
// form is itself.
package redact

import "strings"

// Mask stands for a secret where clients decode a string.
const Mask = "********"

// String masks a whole value; an empty one has nothing to hide.
func String(secret string) string {
	if secret == "" {
		return ""
	}
	return Mask
}

// Map masks every value.
func Map(m map[string]string) map[string]string {
	if m == nil {
		return nil
	}
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[k] = String(v)
	}
	return out
}

// Restore returns the value that a written one means: the present value when
// the written one is its masked form. ok is false when a mask came that stands
// for nothing, which a write has to refuse.
func Restore(written, present, masked string) (value string, ok bool) {
	if written == masked {
		return present, true
	}
	return written, !strings.Contains(written, Mask)
}
