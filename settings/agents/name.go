package agents

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Limits of the name of a new agent, in characters, and of a file name, in bytes.
const (
	minNameLength     = 3
	maxNameLength     = 50
	maxFileNameLength = 255
)

// FileName returns the name of the file in which ZCode keeps an agent that it
// creates.
func FileName(name string) string { return lower(name) + ".md" }

// CheckName refuses what cannot be the name of a new agent, with an
// [*InvalidError] at /name. An agent that is there already may have any name.
func CheckName(name string) error {
	if reason := refuseName(name); reason != "" {
		return &InvalidError{"/name", reason}
	}
	return nil
}

func refuseName(name string) string {
	switch {
	case name == "":
		return "must not be empty"
	case strings.ContainsRune(name, 0):
		return "must not hold a NUL character"
	case strings.ContainsAny(name, `/\`):
		return "must not hold a slash or a backslash: it is a name, not a path"
	case strings.Trim(name, ".") == "":
		return "must not be made of dots: it is a name, not a path"
	case strings.Contains(name, ":"):
		return "must not hold a colon: it is a name, not a drive or a stream"
	case len(name)+len(".md") > maxFileNameLength:
		return fmt.Sprintf("is too long for a file name: it must have at most %d characters", maxNameLength)
	case strings.TrimRight(name, ". ") != name:
		return "must not end with a dot or a space, which Windows drops"
	case reserved(name):
		return "is a device name of Windows, where no file can have it: choose another"
	case IsBuiltIn(name):
		return "is the name of a built-in agent: choose another"
	case len(name) < minNameLength, len(name) > maxNameLength, strings.ContainsFunc(name, notInName):
		return fmt.Sprintf("must have %d to %d letters, digits and hyphens (a-z, A-Z, 0-9, -)", minNameLength, maxNameLength)
	}
	return ""
}

func notInName(r rune) bool {
	return r > unicode.MaxASCII || r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// reserved reports whether Windows takes a file name for a device, whatever its
// extension is.
func reserved(name string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	stem = strings.TrimRight(stem, " ")
	if slices.Contains([]string{"con", "prn", "aux", "nul", "conin$", "conout$"}, stem) {
		return true
	}
	port, isPort := strings.CutPrefix(stem, "com")
	if !isPort {
		port, isPort = strings.CutPrefix(stem, "lpt")
	}
	return isPort && len([]rune(port)) == 1 && strings.Contains("0123456789¹²³", port)
}
