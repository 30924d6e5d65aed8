package schema

import (
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// AbsoluteURL accepts strings that new URL(text) accepts in JavaScript: more
// than net/url does in paths, less in hosts.
func AbsoluteURL(n jsonedit.Node, r *Report) {
	if n.Kind() != jsonedit.String || !absoluteURL(n.Text()) {
		r.Add(n, "must be a URL")
	}
}

var scheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*):`)

// special schemes must have a host; in them a backslash is a slash.
var special = map[string]bool{"http": true, "https": true, "ws": true, "wss": true, "ftp": true}

func absoluteURL(s string) bool {
	s = strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	m := scheme.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	rest := s[len(m[0]):]
	if special[strings.ToLower(m[1])] {
		rest = strings.TrimLeft(rest, `/\`)
		return authority(before(rest, `/\?#`), true)
	}
	rest, ok := strings.CutPrefix(rest, "//")
	switch {
	case !ok:
		return true // only a path
	case strings.EqualFold(m[1], "file"):
		return !strings.ContainsAny(before(rest, `/\?#`), forbidden)
	default:
		return authority(before(rest, "/?#"), false)
	}
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
