package cliconfig

import (
	"strconv"
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
)

// lostMask is the reason to refuse a mask that stands for nothing.
const lostMask = "is a mask, and there is no value here that it could stand for: send the real value"

// resolve returns the JSON text that a written member means: masks become the
// present values, and what says the same as before keeps its present text.
func resolve(name string, written, present jsonedit.Node) ([]byte, error) {
	pointer := jsonedit.Path{name}.Pointer()
	switch name {
	case "args":
		return resolveArgs(pointer, written, present)
	case "env", "headers":
		return resolveMap(pointer, written, present, func(string) bool { return true })
	case "oauth":
		return resolveMap(pointer, written, present, func(name string) bool { return name == "clientSecret" })
	case "url":
		return resolveString(pointer, written, present, redact.URL(present.Text()))
	}
	if written.Kind() == jsonedit.String {
		return resolveString(pointer, written, present, present.Text())
	}
	a, isNumber := finite(written)
	if b, ok := finite(present); isNumber && ok && a == b {
		return present.Raw(), nil
	}
	return written.Raw(), nil
}

// resolveString returns the text of one string whose masked form is known.
func resolveString(pointer string, written, present jsonedit.Node, masked string) ([]byte, error) {
	value, ok := redact.Restore(written.Text(), present.Text(), masked)
	switch {
	case !ok && written.Text() != present.Text():
		return nil, &InvalidError{pointer, lostMask}
	case present.Kind() == jsonedit.String && (value == present.Text() || !ok):
		return present.Raw(), nil
	}
	return written.Raw(), nil
}

// resolveMap returns the text of an object of strings; secret tells whose
// values are masked in listings.
func resolveMap(pointer string, written, present jsonedit.Node, secret func(name string) bool) ([]byte, error) {
	b := []byte{'{'}
	for c := range written.Children() {
		old := present.Get(c.Key())
		masked := old.Text()
		if secret(c.Key()) {
			masked = redact.String(masked)
		}
		text, err := resolveString(pointer+jsonedit.Path{c.Key()}.Pointer(), c, old, masked)
		if err != nil {
			return nil, err
		}
		b = appendMember(b, c.Key(), text)
	}
	return append(b, '}'), nil
}

// appendMember adds a member to the text of an object that is not closed yet.
func appendMember(object []byte, name string, value []byte) []byte {
	if len(object) > 1 {
		object = append(object, ',')
	}
	object = append(object, jsonedit.Quote(name)...)
	object = append(object, ':')
	return append(object, value...)
}

func resolveArgs(pointer string, written, present jsonedit.Node) ([]byte, error) {
	sent, old := textList(written), textList(present)
	masked := redact.Args(old)
	b := []byte{'['}
	for i := range sent {
		if i > 0 {
			b = append(b, ',')
		}
		j := matchArg(sent, old, masked, i)
		mask := ""
		if j >= 0 {
			mask = masked[j]
		}
		text, err := resolveString(pointer+"/"+strconv.Itoa(i), written.Index(i), present.Index(j), mask)
		if err != nil {
			return nil, err
		}
		b = append(b, text...)
	}
	return append(b, ']'), nil
}

// matchArg finds the present argument that the i-th one sent stands for: the one
// at its position, else the only one that looks the same; -1 without any. A
// value that belongs to a flag is looked for behind the same flag first, so
// that no secret moves to another flag when arguments are removed or reordered.
func matchArg(sent, old, masked []string, i int) int {
	if i < len(old) && sent[i] == masked[i] && flagOf(sent, i) == flagOf(old, i) {
		return i
	}
	alike, same := -1, -1
	alikeCount, sameCount := 0, 0
	for j := range old {
		if masked[j] != sent[i] {
			continue
		}
		alike, alikeCount = j, alikeCount+1
		if flagOf(old, j) == flagOf(sent, i) {
			same, sameCount = j, sameCount+1
		}
	}
	switch {
	case sameCount == 1:
		return same
	case sameCount == 0 && alikeCount == 1:
		return alike
	}
	return -1
}

// flagOf returns the secret's flag in front of an argument, "" where there is none.
func flagOf(args []string, i int) string {
	if i == 0 || !strings.HasPrefix(args[i-1], "-") || strings.Contains(args[i-1], "=") || !redact.KeyLike(args[i-1]) {
		return ""
	}
	return args[i-1]
}
