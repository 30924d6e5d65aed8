package schema

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// AbsoluteURL accepts strings that new URL(text) accepts in JavaScript: more
// than net/url does in paths, less in hosts.
func AbsoluteURL(n jsonedit.Node, r *Report) {
	if n.Kind() != jsonedit.String || !IsURL(n.Text()) {
		r.Add(n, "must be a URL")
	}
}

// special schemes must have a host; in them a backslash is a slash.
var special = map[string]bool{"http": true, "https": true, "ws": true, "wss": true, "ftp": true}

// IsURL is the rule of [AbsoluteURL] for a text that is at hand already.
func IsURL(s string) bool {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || !isScheme(scheme) {
		return false
	}
	if special[strings.ToLower(scheme)] {
		rest = strings.TrimLeft(rest, `/\`)
		return authority(before(rest, `/\?#`), true)
	}
	rest, ok = strings.CutPrefix(rest, "//")
	switch {
	case !ok:
		return true // only a path
	case strings.EqualFold(scheme, "file"):
		return !strings.ContainsAny(before(rest, `/\?#`), forbidden)
	default:
		return authority(before(rest, "/?#"), false)
	}
}

// isScheme accepts a letter and then letters, digits, plus, dot and hyphen.
func isScheme(s string) bool {
	for i, c := range []byte(strings.ToLower(s)) {
		if (c < 'a' || c > 'z') && (i == 0 || (c < '0' || c > '9') && c != '+' && c != '.' && c != '-') {
			return false
		}
	}
	return s != ""
}

func before(s, ends string) string {
	if i := strings.IndexAny(s, ends); i >= 0 {
		return s[:i]
	}
	return s
}

// forbidden characters stand in no host.
const forbidden = "\x00\t\n\r #/<>?@[\\]^|"

// authority accepts user:password@host:port; of the host only the characters
// are looked at, not whether it is registered or could be.
func authority(s string, needsHost bool) bool {
	user := strings.LastIndexByte(s, '@')
	host, port := s[user+1:], ""
	if strings.HasPrefix(host, "[") {
		end := strings.IndexByte(host, ']')
		if end < 0 {
			return false
		}
		ip, err := netip.ParseAddr(host[1:end])
		after, found := strings.CutPrefix(host[end+1:], ":")
		return err == nil && ip.Is6() && ip.Zone() == "" && (found || after == "") && validPort(after)
	}
	if i := strings.IndexByte(host, ':'); i >= 0 {
		host, port = host[:i], host[i+1:]
	}
	if host == "" {
		return !needsHost && user < 0 && port == ""
	}
	if strings.ContainsAny(host, forbidden) || !validPort(port) {
		return false
	}
	if !needsHost {
		return true // not decoded
	}
	host, err := url.PathUnescape(host)
	return err == nil && !strings.ContainsAny(host, forbidden+":%\x7f") &&
		!strings.ContainsFunc(host, func(r rune) bool { return r < ' ' })
}

func validPort(s string) bool {
	if s == "" {
		return true
	}
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil
}
