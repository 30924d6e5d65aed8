package cliconfig

import (
	"slices"
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
	case "command":
		return resolveString(pointer, written, present, maskCommand(present.Text()))
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

// maskCommand masks what people write into a command besides the program.
func maskCommand(command string) string { return redact.Args([]string{command})[0] }

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
	olds := membersOf(present)
	b := []byte{'{'}
	for c := range written.Children() {
		old := olds[c.Key()]
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

// membersOf returns the members of an object by name.
func membersOf(n jsonedit.Node) map[string]jsonedit.Node {
	m := make(map[string]jsonedit.Node)
	if n.Kind() != jsonedit.Object {
		return m
	}
	for c := range n.Children() {
		m[c.Key()] = c
	}
	return m
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

// resolveArgs returns the text of the arguments. A flag tells what its neighbour
// is, so a value that a mask stood for is stored only where a listing masks it
// again, to exactly what was sent.
func resolveArgs(pointer string, written, present jsonedit.Node) ([]byte, error) {
	sent, old := textList(written), slices.Collect(present.Children())
	m := newArgMatcher(textList(present))
	b := []byte{'['}
	values, restored := slices.Clone(sent), make([]bool, len(sent))
	i := 0
	for c := range written.Children() {
		if i > 0 {
			b = append(b, ',')
		}
		mask, kept := "", jsonedit.Node{}
		if j := m.match(sent, i); j >= 0 {
			mask, kept = m.masked[j], old[j]
		}
		text, err := resolveString(pointer+"/"+strconv.Itoa(i), c, kept, mask)
		if err != nil {
			return nil, err
		}
		if kept.Exists() && sent[i] == mask && mask != kept.Text() {
			values[i], restored[i] = kept.Text(), true
		}
		b = append(b, text...)
		i++
	}
	if i := shown(values, sent, restored); i >= 0 {
		return nil, &InvalidError{pointer + "/" + strconv.Itoa(i), lostMask}
	}
	return append(b, ']'), nil
}

// shown returns the first restored argument that a listing of the arguments
// would not mask to what was sent, -1 without any.
func shown(values, sent []string, restored []bool) int {
	if !slices.Contains(restored, true) {
		return -1
	}
	for i, masked := range redact.Args(values) {
		if restored[i] && masked != sent[i] {
			return i
		}
	}
	return -1
}

// argMatcher finds the present arguments that arguments sent stand for.
type argMatcher struct {
	masked  []string
	keyLike map[string]bool          // flags that were asked about, since they recur
	alike   map[string]occurrence    // by masked form
	same    map[[2]string]occurrence // by flag in front and masked form
}

// occurrence is how often something is there, and where last.
type occurrence struct{ count, at int }

func newArgMatcher(old []string) argMatcher {
	m := argMatcher{keyLike: map[string]bool{}, masked: redact.Args(old), alike: map[string]occurrence{}, same: map[[2]string]occurrence{}}
	for j, look := range m.masked {
		m.alike[look] = occurrence{m.alike[look].count + 1, j}
		key := [2]string{m.flagOf(m.masked, j), look}
		m.same[key] = occurrence{m.same[key].count + 1, j}
	}
	return m
}

// match finds the present argument that the i-th one sent stands for: the one at
// its position, else the only one that looks the same; -1 without any. A value
// that belongs to a flag is looked for behind the same flag first, so that
// secrets keep to their flags when arguments are removed or reordered. Whether
// the value may stand at its new place is for [shown] to say.
func (m argMatcher) match(sent []string, i int) int {
	flag := m.flagOf(sent, i)
	if i < len(m.masked) && sent[i] == m.masked[i] && flag == m.flagOf(m.masked, i) {
		return i
	}
	same, alike := m.same[[2]string{flag, sent[i]}], m.alike[sent[i]]
	switch {
	case same.count == 1:
		return same.at
	case same.count == 0 && alike.count == 1:
		return alike.at
	}
	return -1
}

// flagOf returns the secret's flag in front of a masked argument, "" where there
// is none.
func (m argMatcher) flagOf(args []string, i int) string {
	if i == 0 || !strings.HasPrefix(args[i-1], "-") || strings.Contains(args[i-1], "=") {
		return ""
	}
	flag := args[i-1]
	secret, known := m.keyLike[flag]
	if !known {
		secret = redact.KeyLike(flag)
		m.keyLike[flag] = secret
	}
	if !secret {
		return ""
	}
	return flag
}
