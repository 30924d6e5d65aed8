package provider

import (
	"slices"
	"strings"
	"unicode"

	"zcode-acp/settings/redact"
	"zcode-acp/settings/schema"
)

// Each checker returns what the value must be, "" when it is.

func mustBeID(s string) string {
	switch {
	case trim(s) == "":
		return "must not be blank"
	case trim(s) != s:
		return "must not begin or end with white space"
	}
	return mustBeLine(s)
}

func mustBeLine(s string) string {
	switch {
	case trim(s) == "":
		return "must not be blank; send null to take it away"
	case strings.ContainsFunc(s, unicode.IsControl):
		return "must not hold line breaks or other control characters"
	}
	return ""
}

func mustBeURL(s string) string {
	if !schema.IsURL(s) {
		return "must be a URL, like https://example.com/keys"
	}
	return mustBeLine(s)
}

func mustBeAPIType(s string) string { return mustBeOneOf(s, apiTypes) }

func mustBeVisibility(s string) string { return mustBeOneOf(s, []string{"visible", "hidden"}) }

func mustBeOneOf(s string, values []string) string {
	if slices.Contains(values, s) {
		return ""
	}
	return "must be one of " + strings.Join(values, ", ")
}

// maximum is the largest whole number that ZCode's numbers hold exactly.
const maximum = 1<<53 - 1

func mustBeCount(n int64) string {
	if n <= 0 || n > maximum {
		return "must be a whole number above 0"
	}
	return ""
}

// checkText is one value of the body under its name.
func checkText(name, value string, must func(string) string) error {
	if reason := must(value); reason != "" {
		return invalid(reason, name)
	}
	return nil
}

// checkList refuses blank and repeated entries.
func checkList(name string, values []string, must func(string) string) error {
	for i, v := range values {
		if reason := must(v); reason != "" {
			return invalid(reason, name, itoa(i))
		}
		if slices.Contains(values[:i], v) {
			return invalid("must not be that of an earlier entry", name, itoa(i))
		}
	}
	return nil
}

func mustBeLevel(s string) string {
	if trim(s) == "" {
		return "must not be blank"
	}
	return ""
}

const maskedReason = "is masked: send the whole value, or leave it out to keep what is there"

// unmaskHeaders returns what written headers mean beside the present ones.
func unmaskHeaders(written, present map[string]string) (map[string]string, error) {
	out := make(map[string]string, len(written))
	for _, name := range sortedNames(written) {
		if trim(name) == "" {
			return nil, invalid("must not have a blank name", "headers", name)
		}
		old, there := present[name]
		value, ok := redact.Restore(written[name], old, redact.String(old))
		switch {
		case !ok:
			return nil, invalid(maskedReason, "headers", name)
		case there && value == old:
		case value == "":
			return nil, invalid("must not be empty; leave the header out to take it away", "headers", name)
		case strings.ContainsFunc(name+value, unicode.IsControl):
			return nil, invalid("must not hold line breaks or other control characters", "headers", name)
		}
		out[name] = value
	}
	return out, nil
}

func sortedNames(m map[string]string) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
