package redact

import "strings"

// Member masks a string by the name of the member that holds it: as a [URL] where
// the name ends in url or proxy, as an argument of [Args] elsewhere. Whether the
// name is that of a secret is for [KeyLike] to say.
func Member(name, value string) string {
	if isURL(name) {
		return URL(value)
	}
	return Args([]string{value})[0]
}

// isURL reports whether a member holds the address of something; a proxy's may
// lack the scheme, and noProxy is a list of hosts.
func isURL(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "url") || strings.HasSuffix(name, "proxy") && !strings.HasSuffix(name, "noproxy")
}
