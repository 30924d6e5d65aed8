package skills

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// reserved are the names that Windows keeps for devices, whatever extension
// follows them.
var reserved = []string{
	"con", "prn", "aux", "nul",
	"com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "com¹", "com²", "com³",
	"lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "lpt¹", "lpt²", "lpt³",
}

// checkName refuses a folder name that is no single name on every system, since
// people carry their skills from one to another.
func checkName(name string) error {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch {
	case name == "":
		return invalid("a skill's folder must have a name")
	case name == "." || name == "..":
		return invalid(`a skill's folder must not be named "." or ".."`)
	case !utf8.ValidString(name):
		return invalid("a skill's folder must have a name in UTF-8: rename it")
	case strings.ContainsRune(name, 0):
		return invalid("a skill's folder must not have a NUL character in its name")
	case strings.ContainsAny(name, `/\`):
		return invalid("a skill's folder must not have a slash or backslash in its name: rename it")
	case len(name) > 1 && name[1] == ':':
		return invalid("a skill's folder must not begin with a drive letter: rename it")
	case strings.ContainsAny(name, `<>:"|?*`) || strings.ContainsFunc(name, unicode.IsControl):
		return invalid("a skill's folder must not have control characters or any of < > : \" | ? * in its name: rename it")
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return invalid("a skill's folder must not end in a dot or a space: rename it")
	case strings.HasPrefix(name, ".") && ignored(name):
		return invalid("a skill's folder must not begin with a dot, ZCode would not look into it: rename it")
	case len(name) > 255:
		return invalid("a skill's folder must not have a name longer than 255 bytes: rename it")
	case slices.Contains(reserved, strings.TrimRight(stem, " ")):
		return invalid("a skill's folder must not have a name that Windows keeps for a device (con, nul, com1 …): rename it")
	case ignored(name):
		return invalid("a skill's folder must not have a name that ZCode does not look into (node_modules, dist, build …): rename it")
	}
	return nil
}
