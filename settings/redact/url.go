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
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return withoutScheme(raw, depth)
	}
	user, rest := userinfo(scheme, rest)
	if user != "" {
		user = hide(user) + "@"
	}
	host := before(rest, "/?#")
	return scheme + "://" + user + host + afterHost(rest[len(host):], depth)
}

// withoutScheme masks what can still be told apart in host/path?query.
func withoutScheme(raw string, depth int) string {
	head := before(raw, "?#")
	if m := bareUser().FindStringSubmatch(head); m != nil {
		head = hide(m[1]) + head[len(m[1]):]
	}
	return head + parameters(raw[len(before(raw, "?#")):], depth)
}

// bareUser finds name:password in front of a host without a scheme.
var bareUser = lazy(`^([^\s:/@]+:[^\s/@]+)@`)

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

// before returns the part of s in front of the first of the characters.
func before(s, ends string) string {
	if i := strings.IndexAny(s, ends); i >= 0 {
		return s[:i]
	}
	return s
}
