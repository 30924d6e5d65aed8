package cliconfig

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// skillKey returns the key under which ZCode looks for the switch of a SKILL.md.
// What is to be switched on may be a leftover of another system; what is to be
// switched off must be a path of the given one, or no ZCode would find the key.
func skillKey(file string, on bool, goos string) (string, error) {
	key := slashed(file)
	switch {
	case strings.Contains(file, "\x00"):
		return "", &InvalidError{"", "skill path must not hold a NUL character"}
	case !utf8.ValidString(file):
		return "", &InvalidError{"", "skill path must be UTF-8 text: rename the folder, ZCode cannot store its name"}
	case !absolute(key, on, goos):
		return "", &InvalidError{"", "skill path must be absolute"}
	case slices.Contains(strings.Split(key, "/"), ".."):
		return "", &InvalidError{"", `skill path must not contain ".."`}
	case path.Base(key) != "SKILL.md":
		return "", &InvalidError{"", "skill path must point at a SKILL.md file"}
	case !on && goos != "windows" && key != file:
		return "", &InvalidError{"", "skill path holds a backslash, which ZCode takes for a slash: rename the folder"}
	}
	if goos == "windows" {
		return resolved(key), nil
	}
	return path.Clean(key), nil
}

// absolute reports whether a path with slashes is absolute on the system, or on
// any when it is to be switched on.
func absolute(key string, on bool, goos string) bool {
	drive := len(key) > 2 && isLetter(key[0]) && key[1:3] == ":/"
	switch {
	case on:
		return drive || strings.HasPrefix(key, "/")
	case goos == "windows":
		return drive || strings.HasPrefix(key, "//")
	}
	return strings.HasPrefix(key, "/")
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
