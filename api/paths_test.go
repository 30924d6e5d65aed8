package api

import (
	"net/http"
	"strings"
	"testing"
)

func TestPathsAndMethods(t *testing.T) {
	tests := []struct {
		method, path string
		status       int
		code         string
	}{
		{"GET", "/settings/mcp", 200, ""},
		{"GET", "/settings/mcp/", 200, ""},
		{"GET", "/api/settings/mcp", 200, ""},
		{"GET", "/api/settings/mcp///", 200, ""},
		{"GET", "/api/api/settings/mcp", 404, "unknown_route"},
		{"GET", "/settings", 404, "unknown_route"},
		{"GET", "/", 404, "unknown_route"},
		{"GET", "/api", 404, "unknown_route"},
		{"GET", "/api/nothing", 404, "unknown_route"},
		{"POST", "/settings/nothing", 404, "unknown_route"},
		{"GET", "/settings/m%63p", 404, "unknown_route"},
		{"GET", "/settings%2Fmcp", 404, "unknown_route"},
		{"PUT", "/settings/mcp/a/b", 400, "invalid"},
		{"DELETE", "/settings/models/p1", 404, "unknown_route"},
		{"POST", "/settings/all", 405, "method_not_allowed"},
		{"PATCH", "/settings/mcp/x", 405, "method_not_allowed"},
		{"DELETE", "/settings/mcp", 405, "method_not_allowed"},
		{"DELETE", "/settings/mcp/", 405, "method_not_allowed"},
		{"GET", "/settings/mcp/enable", 405, "method_not_allowed"},
		{"GET", "/settings/mcp/x", 405, "method_not_allowed"},
		{"POST", "/api/quota", 405, "method_not_allowed"},
		{"DELETE", "/openapi.yaml", 405, "method_not_allowed"},
		{"PUT", "/settings/mcp/a%2Fb", 400, "invalid"},
		{"PUT", "/settings/mcp/a%5Cb", 400, "invalid"},
		{"PUT", "/settings/mcp/%FF", 400, "invalid"},
		{"PUT", "/settings/mcp/%00", 400, "invalid"},
		{"PUT", "/settings/mcp/..", 200, ""}, // a name like any other: it is a key, not a path
		{"DELETE", "/settings/mcp/toString", 400, "not_found"},
		{"DELETE", "/settings/models/p1/m1", 400, "not_found"},
		{"DELETE", "/settings/providers/p1", 400, "not_found"},
		{"DELETE", "/settings/providers/account:x", 400, "account_managed"},
	}
	f := newFixture(t)
	for _, test := range tests {
		t.Run(test.method+test.path, func(t *testing.T) {
			body := ""
			if test.method == http.MethodPut {
				body = `{"command":"c"}`
			}
			got := f.call(test.method, test.path, body)
			if got.status != test.status || got.text(t, "code") != test.code {
				t.Errorf("got %d %s, want %d %s", got.status, got.body, test.status, test.code)
			}
		})
	}
}

func TestMalformedEscapeSaysSo(t *testing.T) {
	got := newFixture(t).call(http.MethodDelete, "/settings/mcp/a%FFb", "")
	if want := "malformed percent-encoding in path segment: a%FFb"; got.text(t, "error") != want {
		t.Errorf("error = %q, want %q", got.text(t, "error"), want)
	}
}

// TestHead: as GET, with the length and without the body.
func TestHead(t *testing.T) {
	f := newFixture(t)
	for _, path := range []string{"/settings/all", "/settings/mcp", "/api/settings/models", "/api/instances", "/api/quota", "/api/health", "/openapi.yaml"} {
		t.Run(path, func(t *testing.T) {
			get, head := f.call(http.MethodGet, path, ""), f.call(http.MethodHead, path, "")
			if head.status != http.StatusOK || len(head.body) != 0 {
				t.Errorf("got %d %q", head.status, head.body)
			}
			for _, name := range []string{"Content-Length", "Content-Type", "ETag"} {
				if head.header.Get(name) != get.header.Get(name) {
					t.Errorf("%s is %q, of GET %q", name, head.header.Get(name), get.header.Get(name))
				}
			}
		})
	}
	if got := f.call(http.MethodHead, "/settings/nothing", ""); got.status != http.StatusNotFound || len(got.body) != 0 {
		t.Errorf("unknown route: %d %q", got.status, got.body)
	}
}

func TestAllowNamesTheMethods(t *testing.T) {
	f := newFixture(t)
	for method, status := range map[string]int{http.MethodOptions: 204, http.MethodPatch: 405} {
		got := f.call(method, "/settings/mcp/x", "")
		allow := got.header.Get("Allow")
		if got.status != status || !strings.Contains(allow, "PUT") || !strings.Contains(allow, "DELETE") || strings.Contains(allow, "POST") {
			t.Errorf("%s: %d, Allow %q", method, got.status, allow)
		}
	}
}

func TestHealthTakesAnyMethod(t *testing.T) {
	f := newFixture(t)
	for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH"} {
		got := f.call(method, "/api/health", "", with("Authorization", ""))
		if got.status != http.StatusOK || string(got.body) != "ok" {
			t.Errorf("%s: %d %s", method, got.status, got.body)
		}
	}
}

func TestOpenAPIIsServed(t *testing.T) {
	if got := newFixture(t).call(http.MethodGet, "/openapi.yaml", ""); string(got.body) != string(document) {
		t.Errorf("got %d bytes, want %d", len(got.body), len(document))
	}
}
