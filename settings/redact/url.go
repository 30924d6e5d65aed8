package redact

import (
	"net/url"
	"strings"
)

// URL masks the user information, the values of key-like parameters in query
// and fragment, and what looks like a secret in the path; every other byte
// stays. It takes any text: what is no URL has no such parts.
func URL(raw string) string { return urlIn(raw, deepest) }

func urlIn(raw string, depth int) string {
	m := urlParts().FindStringSubmatch(raw)
	if m == nil {
		return maskWebhooks(withoutScheme(raw, depth))
	}
	scheme := m[2] + m[3]
	if scheme == "" {
		scheme = "http" // what has none is read as of the web
	}
	user, rest := userinfo(scheme, m[4])
	if user != "" {
		user = hide(user) + "@"
	}
	host := before(rest, "/?#")
	return maskWebhooks(m[1] + user + host + afterHost(rest[len(host):], depth))
}

// urlParts splits a URL in front of its user information; a slash too few or
// too many, or no scheme, changes nothing about the secret.
var urlParts = lazy(`(?is)^((.*?)://[/\\]*|([a-z][a-z0-9+.-]*):[/\\]+|[/\\]{2,})(.*)$`)

// withoutScheme masks what can still be told apart in host/path?query.
func withoutScheme(raw string, depth int) string {
	head := before(raw, "?#")
	if m := bareUser().FindStringSubmatch(head); m != nil {
		user := m[1] + m[2] // only one of them is there
		head = hide(user) + head[len(user):]
	}
	return head + parameters(raw[len(before(raw, "?#")):], depth)
}

// bareUser finds name:password in front of a host without a scheme, either of
// which may be empty. A name alone, as in git@host:path, is none, but in front of
// a port it may be a token.
var bareUser = lazy(`^(?:([^\s:/@]*:[^\s/]*)@|([^\s:/@]+)@(?:\[[^\s\]/@]*\]|[^\s:/@]+):\d+(?:/|$))`)

// hostPort is what can stand behind :// when there is no user information.
var hostPort = lazy(`^(?:\[[0-9A-Fa-f:.]*\]|[^:@]*)(?::\d*)?$`)

// userinfo splits what stands before the host off. A password should be escaped
// but often is not, so that it may hold the characters that end a host.
func userinfo(scheme, rest string) (user, hostAndMore string) {
	end := len(before(rest, "/?#"))
	at := strings.LastIndexByte(rest[:end], '@')
	if at < 0 && !hostPort().MatchString(rest[:end]) {
		at = strings.LastIndexByte(rest, '@')
	}
	if at < 0 && !web(scheme) {
		head := before(rest, "?#")
		if i := strings.LastIndexByte(head, '@'); i > 0 && strings.Contains(head[:i], ":") {
			at = i
		}
	}
	if at <= 0 {
		return "", rest
	}
	return rest[:at], rest[at+1:]
}

// web schemes have paths in which an @ is usual.
func web(scheme string) bool {
	scheme = strings.ToLower(scheme)
	return strings.Contains(scheme, "http") || scheme == "ws" || scheme == "wss" || scheme == "file"
}

func afterHost(s string, depth int) string {
	path := before(s, "?#")
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if looksSecret(segment) {
			segments[i] = Mask
		}
	}
	return strings.Join(segments, "/") + parameters(s[len(path):], depth)
}

// parameter is one name=value of a query or fragment, with what stands before it.
var parameter = lazy(`([?#&;])([^?#&;=]*)(?:(=)([^#&;]*))?`)

func parameters(s string, depth int) string {
	return parameter().ReplaceAllStringFunc(s, func(p string) string {
		m := parameter().FindStringSubmatch(p)
		if secretParameter(unescape(m[2]), unescape(m[4]), depth) {
			m[4] = hide(m[4])
		}
		if m[3] == "" && looksSecret(m[2]) {
			m[2] = Mask
		}
		return m[1] + m[2] + m[3] + m[4]
	})
}

func secretParameter(name, value string, depth int) bool {
	// code is how some services call the key of a function, and OAuth its grant.
	if KeyLike(name) || name == "code" || looksSecret(value) {
		return true
	}
	return strings.Contains(value, "://") && (depth == 0 || urlIn(value, depth-1) != value)
}

func unescape(s string) string {
	if decoded, err := url.QueryUnescape(s); err == nil {
		return decoded
	}
	return s
}

// webhook is the URL of a service that takes messages from everyone who knows
// its path.
var webhook = lazy(`(?i)((?:hooks\.slack(?:-gov)?\.com(?::\d+)?/+(?:services|workflows|triggers)|` +
	`discord(?:app)?\.com(?::\d+)?/+api/+(?:v\d+/+)?webhooks|` +
	`hooks\.zapier\.com(?::\d+)?/+hooks/+catch|webhook\.office\.com(?::\d+)?/+webhookb2)/+)([^\s"'?#]+)`)

func maskWebhooks(s string) string {
	if !strings.Contains(s, "/") {
		return s
	}
	return webhook().ReplaceAllStringFunc(s, func(u string) string {
		m := webhook().FindStringSubmatch(u)
		return m[1] + hide(m[2])
	})
}

// before returns the part of s in front of the first of the characters.
func before(s, ends string) string {
	if i := strings.IndexAny(s, ends); i >= 0 {
		return s[:i]
	}
	return s
}
