package redact

import (
	"strings"
)

// Args masks the secrets among the arguments of a command: the value behind or
// beside a flag whose name is key-like or that takes a header, an environment
// variable or a user with a password, and what [KeyLike] names or what looks
// like a token elsewhere in an argument. The result has the same length.
func Args(args []string) []string {
	out := make([]string, len(args))
	takes := nothing
	for i, arg := range args {
		if takes != nothing && !isFlag(arg) {
			out[i] = takes.mask(arg)
		} else {
			out[i] = oneArg(arg)
		}
		takes = nothing
		if strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") {
			takes = valueOf(arg)
		}
	}
	return out
}

// argument is what a flag takes.
type argument int

const (
	nothing argument = iota // nothing, or what is not special
	secret
	header      // Name: value
	environment // NAME=value
	login       // user:password
)

var flags = map[string]argument{
	"-H": header, "--header": header, "--headers": header, "--http-header": header,
	"-e": environment, "--env": environment, "--environment": environment, "--set-env": environment, "--build-arg": environment,
	"-u": login, "--user": login, "--proxy-user": login,
}

func valueOf(flag string) argument {
	if a, ok := flags[flag]; ok {
		return a
	}
	if KeyLike(flag) {
		return secret
	}
	return nothing
}

// isFlag tells a flag from a value.
func isFlag(arg string) bool { return strings.HasPrefix(arg, "-") }

func (a argument) mask(value string) string {
	switch a {
	case secret:
		return hide(value)
	case header:
		return maskHeader(value)
	case environment:
		return maskEnvironment(value)
	case login:
		return maskLogin(value)
	default:
		return text(value)
	}
}

// oneArg masks an argument that no flag stands before.
func oneArg(arg string) string {
	if connection().MatchString(arg) {
		return connectionString(arg)
	}
	if m := joined().FindStringSubmatch(arg); m != nil {
		return m[1] + valueOf(m[1]).mask(m[2])
	}
	if m := assignment().FindStringSubmatch(arg); m != nil {
		return m[1] + "=" + valueOf(m[1]).mask(m[2])
	}
	if name, _, ok := strings.Cut(arg, ":"); ok && headerName().MatchString(name) && KeyLike(name) {
		return maskHeader(arg)
	}
	return text(arg)
}

// joined are short flags with their value in the same argument: -eNAME=value.
var joined = lazy(`(?s)^(-e|-H)([A-Z][\w-]*[=:].*)$`)

// assignment is --flag=value or NAME=value.
var assignment = lazy(`(?s)^(-*[A-Za-z_][\w.-]*)=(.*)$`)

var headerName = lazy(`^[\w-]+$`)

// maskHeader masks whatever the header is called: clients send secrets in many.
func maskHeader(s string) string {
	i := strings.IndexAny(s, ":=")
	if i < 0 {
		return hide(s)
	}
	value := strings.TrimLeft(s[i+1:], " \t")
	return s[:len(s)-len(value)] + hide(value)
}

func maskEnvironment(s string) string {
	name, value, ok := strings.Cut(s, "=")
	if !ok || !variable().MatchString(name) && !KeyLike(name) {
		return text(s)
	}
	return name + "=" + hide(value)
}

// variable is the usual form of names of environment variables; -e means other
// things too.
var variable = lazy(`^[A-Z_][A-Z0-9_]*$`)

func maskLogin(s string) string {
	user, password, ok := strings.Cut(s, ":")
	if !ok || ids().MatchString(s) {
		return text(s)
	}
	return user + ":" + hide(password)
}

// ids are a user and group by number.
var ids = lazy(`^\d+:\d+$`)
