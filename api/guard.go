package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// guard decides who may come in, by the request line and the headers alone.
type guard struct {
	token func() (string, error) // nil: no token is asked for
	hosts []string
}

// admit lets a request pass, or tells why not. done is true when the request
// is answered already.
func (g guard) admit(w http.ResponseWriter, r *http.Request) (done bool, err error) {
	if !g.hostAllowed(r.Host) {
		return false, refusal{http.StatusForbidden, "forbidden_host", "this server does not answer under that host name: use 127.0.0.1, or add the name with --host"}
	}
	if r.Method == http.MethodOptions && isPublic(r) {
		w.WriteHeader(http.StatusNoContent)
		return true, nil
	}
	if !isHealth(r) {
		if err := g.authorized(r); err != nil {
			return false, err
		}
	}
	if (g.token == nil || !isPublic(r)) && foreign(r) {
		return false, refusal{http.StatusForbidden, "forbidden_origin", "requests from other web pages are refused here: call /api/… with the token"}
	}
	if isWrite(r.Method) && !isHealth(r) && !isJSON(r) {
		return false, refusal{http.StatusUnsupportedMediaType, "unsupported_media_type", "send the body as application/json"}
	}
	return false, nil
}

// isPublic reports whether the path is of the mount that pages of other origins
// may call, with a token.
func isPublic(r *http.Request) bool {
	return r.URL.Path == "/api" || strings.HasPrefix(r.URL.Path, "/api/")
}

func isHealth(r *http.Request) bool { return strings.TrimRight(r.URL.Path, "/") == "/api/health" }

// hostAllowed stops DNS rebinding: a page that resolves its own name to this
// machine still sends its own name.
func (g guard) hostAllowed(host string) bool {
	name := hostName(host)
	if name == "" {
		return false
	}
	if name == "localhost" || slices.ContainsFunc(g.hosts, func(h string) bool { return hostName(h) == name }) {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Unmap().IsLoopback()
}

// hostName is a host without port, brackets, final dot and upper case.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// authorized compares the token in constant time. A bearer header that is there
// counts alone, as existing clients expect.
func (g guard) authorized(r *http.Request) error {
	if g.token == nil {
		return nil
	}
	want, err := g.token()
	if err != nil {
		return hidden{err} // whoever asks has not shown a token
	}
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		given = r.URL.Query().Get("token")
	}
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(want))
	if want == "" || subtle.ConstantTimeCompare(a[:], b[:]) != 1 {
		return refusal{http.StatusUnauthorized, "unauthorized", "the token is missing or wrong: send it as Authorization: Bearer; the server says at its start where it is"}
	}
	return nil
}

// foreign reports whether a web page of another origin stands behind the
// request. Browsers send Origin with every write and "null" where they hide it.
func foreign(r *http.Request) bool {
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if !strings.EqualFold(site, "same-origin") && !strings.EqualFold(site, "none") {
			return true
		}
	}
	for _, origin := range r.Header.Values("Origin") {
		if !strings.EqualFold(origin, "http://"+r.Host) && !strings.EqualFold(origin, "https://"+r.Host) {
			return true
		}
	}
	return false
}

func isWrite(method string) bool {
	return method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
}

// isJSON accepts a body that says it is JSON, or no body at all.
func isJSON(r *http.Request) bool {
	values := r.Header.Values("Content-Type")
	if len(values) == 0 && r.ContentLength == 0 {
		return true
	}
	if len(values) != 1 {
		return false
	}
	kind, _, err := mime.ParseMediaType(values[0])
	return err == nil && kind == "application/json"
}
