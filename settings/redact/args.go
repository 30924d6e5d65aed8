package redact

import (
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// Args masks the secrets among the arguments of a command: the value behind or
// beside a flag whose name is key-like or that takes a header, an environment
// variable, a password or a user with one, and what [KeyLike] names or what
// looks like a token elsewhere in an argument. The result has the same length.
func Args(args []string) []string {
	// A mask may change how the text around it reads, but the masked form of a
	// masked form has to be itself.
	const passes = 4
	before, known := args, reading{map[string]string{}, map[string]argument{}}
	for range passes {
		out := known.mask(before)
		if slices.Equal(out, before) {
			return out
		}
		before = out
	}
	out := known.mask(before)
	for i := range out {
		if out[i] != before[i] {
			out[i] = Mask
		}
	}
	return out
}

// ArgsOf masks the elements of an array as [Args] does, since a text may tell what
// the next element is. The result has for each element the JSON to show in its
// place, nil where the element stays the caller's: a container, and what is no
// string and no secret.
func ArgsOf(array jsonedit.Node) [][]byte {
	var args []string
	var texts bool
	elements := slices.Collect(array.Children())
	for _, c := range elements {
		if c.Kind() == jsonedit.String {
			args, texts = append(args, c.Text()), true
		} else {
			args = append(args, string(c.Raw()))
		}
	}
	shown := make([][]byte, len(args))
	if !texts {
		return shown
	}
	for i, masked := range Args(args) {
		switch c := elements[i]; {
		case c.Kind() == jsonedit.Object, c.Kind() == jsonedit.Array:
		case c.Kind() == jsonedit.String, masked != args[i]:
			shown[i] = jsonedit.Quote(masked)
		}
	}
	return shown
}

// reading remembers what was told of arguments: flags and masks recur.
type reading struct {
	masked map[string]string
	takes  map[string]argument
}

func (r reading) mask(args []string) []string {
	out := make([]string, len(args))
	takes := nothing
	for i, arg := range args {
		if takes != nothing && !isFlag(arg) {
			out[i] = takes.mask(arg, deepest)
		} else {
			out[i] = r.oneArg(arg)
		}
		takes = nothing
		if strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") {
			takes = r.valueOf(arg)
		}
	}
	return out
}

func (r reading) oneArg(arg string) string {
	masked, ok := r.masked[arg]
	if !ok {
		masked = oneArg(arg)
		r.masked[arg] = masked
	}
	return masked
}

func (r reading) valueOf(flag string) argument {
	takes, ok := r.takes[flag]
	if !ok {
		takes = valueOf(flag)
		r.takes[flag] = takes
	}
	return takes
}

// oneArg masks an argument that no flag stands before.
func oneArg(arg string) string {
	if connection().MatchString(arg) {
		return connectionString(arg)
	}
	if takes := gluedTo(arg); takes != nothing {
		return arg[:2] + takes.mask(arg[2:], deepest)
	}
	if m := assignment().FindStringSubmatch(arg); m != nil {
		return m[1] + "=" + valueOf(m[1]).mask(m[2], deepest)
	}
	if name, _, ok := strings.Cut(arg, ":"); ok && headerName().MatchString(name) && KeyLike(name) {
		return maskHeader(arg)
	}
	return text(arg)
}

// assignment is --flag=value or NAME=value.
var assignment = lazy(`(?s)^(-*[A-Za-z_][\w.-]*)=(.*)$`)

var headerName = lazy(`^[\w-]+$`)
