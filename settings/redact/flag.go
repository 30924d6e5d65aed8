package redact

import "strings"

// argument is what a flag takes.
type argument int

const (
	nothing argument = iota // nothing, or what is not special
	secret
	header      // Name: value
	environment // NAME=value
	login       // user:password
	port        // -p takes a port, a package or a password
)

var flags = map[string]argument{
	"-H": header, "--header": header, "--headers": header, "--http-header": header,
	"-e": environment, "-E": environment, "--env": environment, "--env-var": environment, "--env-vars": environment,
	"--environment": environment, "--set-env": environment, "--set-env-vars": environment, "--build-arg": environment,
	"-u": login, "--user": login, "--proxy-user": login,
	"-p": port,
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

// isFlag tells a flag from a value; a secret may begin with a hyphen too.
func isFlag(arg string) bool {
	switch {
	case len(arg) == 2:
		return arg[0] == '-' && isLetter(arg[1])
	case len(arg) > 2:
		return arg[:2] == "--" && isLetter(arg[2])
	}
	return false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// gluedTo tells what the value is that follows a short flag in the same
// argument: -eNAME=value, -HName: value, -uname:password, -ppassword.
func gluedTo(arg string) argument {
	if len(arg) < 3 || arg[0] != '-' || arg[2] == '=' || longNames[beginning(arg[1:])] {
		return nothing
	}
	value := arg[2:]
	takes := flags[arg[:2]]
	switch takes {
	case environment:
		if name, _, ok := strings.Cut(value, "="); ok && variable().MatchString(name) {
			return takes
		}
	case header:
		if strings.ContainsAny(value, ":=") {
			return takes
		}
	case login:
		if i := strings.IndexAny(value, ":="); i > 0 && value[i] == ':' {
			return takes
		}
	case port:
		return takes
	}
	return nothing
}

// longNames are the first words of flags that have one hyphen and a whole name.
var longNames = set("encoding endpoint endpoints engine entry env environment event events exclude exec expr ext extension " +
	"extensions enable enabled editor url uri user username " +
	"port ports path paths print prefix project profile package packages parallel parent pretty plugin plugins param params " +
	"pid pidfile platform policy preset production prod prompt protocol provider proxy publish pull push python perm pthread page " +
	"pass password passwd passphrase passcode private public pin pat psk pwd")

// beginning returns the letters that a name begins with.
func beginning(name string) string {
	for i := range len(name) {
		if !isLetter(name[i]) {
			return name[:i]
		}
	}
	return name
}

// mask masks what a flag takes; depth is how far texts inside are followed.
func (a argument) mask(value string, depth int) string {
	switch a {
	case secret:
		return hide(value)
	case header:
		return maskHeader(value)
	case environment:
		return maskEnvironment(value, depth)
	case login:
		return maskLogin(value, depth)
	case port:
		return maskPort(value)
	default:
		return textIn(value, depth)
	}
}

// maskHeader masks whatever the header is called: clients send secrets in many.
func maskHeader(s string) string {
	i := strings.IndexAny(s, ":=")
	if i < 0 {
		return hide(s)
	}
	value := strings.TrimLeft(s[i+1:], " \t")
	return s[:len(s)-len(value)] + hide(value)
}

func maskEnvironment(s string, depth int) string {
	if strings.HasPrefix(strings.TrimSpace(s), "{") {
		return hide(s)
	}
	name, value, ok := strings.Cut(s, "=")
	if !ok || !variable().MatchString(name) {
		return textIn(s, depth)
	}
	return name + "=" + hide(value)
}

// variable is the name of an environment variable; -e takes a script elsewhere.
var variable = lazy(`^[A-Za-z_][\w.-]*$`)

func maskLogin(s string, depth int) string {
	user, password, ok := strings.Cut(s, ":")
	if !ok || ids().MatchString(s) {
		return textIn(s, depth)
	}
	return user + ":" + hide(password)
}

// ids are a user and group by number.
var ids = lazy(`^\d+:\d+$`)

func maskPort(s string) string {
	if harmlessPort().MatchString(s) {
		return s
	}
	return hide(s)
}

// harmlessPort is what -p takes besides passwords: ports, versions, scoped packages.
var harmlessPort = lazy(`^(?:(?:[\d.]+:)?\d{1,5}(?:[:-]\d{1,5}){0,2}(?:/(?:tcp|udp))?|\d{1,3}(?:\.\d{1,3}){1,2}|@[a-z0-9-]+/[a-z0-9.-]+(?:@[\w.^~-]+)?)$`)
