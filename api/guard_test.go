package api

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"zcode-acp/settings"
)

func host(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }

func TestHosts(t *testing.T) {
	tests := []struct {
		host string
		ok   bool
	}{
		{"127.0.0.1", true},
		{"127.0.0.1:8377", true},
		{"127.1.2.3:8377", true},
		{"localhost", true},
		{"localhost:8377", true},
		{"LOCALHOST.:8377", true},
		{"[::1]:8377", true},
		{"[::1]", true},
		{"[::ffff:127.0.0.1]:8377", true},
		{"box.example:8377", true},
		{"Box.Example", true},
		{"192.168.7.7:8377", true},
		{"evil.example", false},
		{"evil.example:8377", false},
		{"127.0.0.1.evil.example", false},
		{"localhost.evil.example:8377", false},
		{"sub.localhost:8377", false},
		{"xbox.example", false},
		{"192.168.7.8", false},
		{"0.0.0.0:8377", false},
		{"2130706433", false},
		{"[::2]:8377", false},
	}
	f := newFixture(t, func(o *Options) { o.Hosts = []string{"BOX.example", "192.168.7.7", ""} })
	for _, test := range tests {
		for _, path := range []string{"/settings/mcp", "/api/settings/mcp", "/api/health", "/api/nothing"} {
			t.Run(test.host+path, func(t *testing.T) {
				got := f.call(http.MethodGet, path, "", host(test.host))
				if ok := got.status != http.StatusForbidden; ok != test.ok {
					t.Errorf("got %d %s, want ok %v", got.status, got.body, test.ok)
				}
				if !test.ok {
					got.wantError(t, http.StatusForbidden, "forbidden_host")
				}
			})
		}
	}
	if (guard{hosts: []string{""}}).hostAllowed("") {
		t.Error("a request without Host is let in")
	}
}

func TestOrigins(t *testing.T) {
	const self = "the server's own"
	tests := []struct {
		name, header, value string
		foreign             bool
	}{
		{"none", "Origin", "", false},
		{"same", "Origin", self, false},
		{"null", "Origin", "null", true},
		{"foreign", "Origin", "https://evil.example", true},
		{"other port", "Origin", "http://127.0.0.1:1", true},
		{"other name of this machine", "Origin", "http://localhost", true},
		{"same as prefix", "Origin", self + ".evil.example", true},
		{"same with a longer port", "Origin", self + "0", true},
		{"file", "Origin", "file://", true},
		{"not a URL", "Origin", "::", true},
		{"fetch from this page", "Sec-Fetch-Site", "same-origin", false},
		{"address bar", "Sec-Fetch-Site", "none", false},
		{"fetch from the same site", "Sec-Fetch-Site", "same-site", true},
		{"fetch from another site", "Sec-Fetch-Site", "cross-site", true},
	}
	guarded, open := newFixture(t), newFixture(t, noToken)
	mounts := []struct {
		name       string
		f          *fixture
		prefix     string
		anyAllowed bool // pages of any origin may call with the token
	}{
		{"token", guarded, "", false},
		{"token api", guarded, "/api", true},
		{"no token", open, "", false},
		{"no token api", open, "/api", false},
	}
	for _, mount := range mounts {
		for _, test := range tests {
			for _, method := range []string{"GET", "PUT", "DELETE"} {
				t.Run(mount.name+"/"+test.name+"/"+method, func(t *testing.T) {
					path, body := mount.prefix+"/settings/mcp", ""
					if method != "GET" {
						path += "/x"
					}
					if method == "PUT" {
						body = `{"command":"c"}`
					}
					got := mount.f.call(method, path, body, with(test.header, strings.Replace(test.value, self, mount.f.url, 1)))
					if test.foreign && !mount.anyAllowed {
						got.wantError(t, http.StatusForbidden, "forbidden_origin")
					} else if got.status == http.StatusForbidden {
						t.Errorf("got %d %s", got.status, got.body)
					}
				})
			}
		}
	}
	open.call(http.MethodGet, "/api/health", "", with("Origin", "https://evil.example")).wantError(t, http.StatusForbidden, "forbidden_origin")
}

// TestForeignWriteChangesNothing: a page cannot write blind.
func TestForeignWriteChangesNothing(t *testing.T) {
	for _, f := range []*fixture{newFixture(t), newFixture(t, noToken)} {
		f.call(http.MethodPut, "/settings/mcp/x", `{"command":"evil"}`, with("Origin", "https://evil.example"))
		f.call(http.MethodPut, "/settings/mcp/x", `{"command":"evil"}`, with("Content-Type", "text/plain"))
		f.call(http.MethodPut, "/settings/mcp/x", `{"command":"evil"}`, host("evil.example"))
		if text := f.read(cliFile); text != "" {
			t.Errorf("the file was written: %s", text)
		}
	}
}

func TestTokens(t *testing.T) {
	const right = "Bearer " + testToken
	tests := []struct {
		name, authorization, query string
		status                     int
	}{
		{"header", right, "", 200},
		{"query", "", "?token=" + testToken, 200},
		{"query beside another scheme", "Basic eDp5", "?token=" + testToken, 200},
		{"right header, wrong query", right, "?token=wrong", 200},
		{"none", "", "", 401},
		{"wrong header", "Bearer wrong", "", 401},
		{"wrong header, right query", "Bearer wrong", "?token=" + testToken, 401},
		{"wrong query", "", "?token=wrong", 401},
		{"empty query", "", "?token=", 401},
		{"lower case scheme", "bearer " + testToken, "", 401},
		{"prefix of the token", right[:len(right)-1], "", 401},
		{"longer than the token", right + "x", "", 401},
	}
	f := newFixture(t)
	for _, path := range []string{"/settings/mcp", "/api/settings/mcp", "/api/instances", "/api/quota", "/openapi.yaml"} {
		for _, test := range tests {
			t.Run(path+"/"+test.name, func(t *testing.T) {
				got := f.call(http.MethodGet, path+test.query, "", with("Authorization", test.authorization))
				if got.status != test.status {
					t.Errorf("got %d %s, want %d", got.status, got.body, test.status)
				}
				if test.status == http.StatusUnauthorized {
					got.wantError(t, http.StatusUnauthorized, "unauthorized")
				}
			})
		}
	}
	for _, path := range []string{"/api/nothing", "/nothing"} {
		f.call(http.MethodGet, path, "", with("Authorization", "")).wantError(t, http.StatusUnauthorized, "unauthorized")
	}
	if got := f.call(http.MethodGet, "/api/health", "", with("Authorization", "Bearer wrong")); got.status != http.StatusOK {
		t.Errorf("health: %d", got.status)
	}
}

// TestTokenIsAskedAtEveryRequest: a new one counts at once, none lets nobody in.
func TestTokenIsAskedAtEveryRequest(t *testing.T) {
	token, err := "", error(nil)
	f := newFixture(t, func(o *Options) { o.Token = func() (string, error) { return token, err } })
	call := func() answer {
		return f.call(http.MethodGet, "/settings/mcp", "", with("Authorization", "Bearer "+token))
	}
	call().wantError(t, http.StatusUnauthorized, "unauthorized")
	for _, token = range []string{"one", "two"} {
		if got := call(); got.status != http.StatusOK {
			t.Errorf("token %s: %d", token, got.status)
		}
	}
	err = errors.New("reading the token: permission denied")
	call().wantError(t, http.StatusInternalServerError, "internal")
}

func TestPreflight(t *testing.T) {
	for _, f := range []*fixture{newFixture(t), newFixture(t, noToken)} {
		for _, path := range []string{"/api/settings/mcp/x", "/api/settings/all", "/api/health", "/api/nothing"} {
			got := f.call(http.MethodOptions, path, "", with("Authorization", ""), with("Origin", "https://app.example"))
			if got.status != http.StatusNoContent || len(got.body) != 0 {
				t.Errorf("%s: %d %s", path, got.status, got.body)
			}
		}
	}
	f := newFixture(t)
	f.call(http.MethodOptions, "/settings/mcp/x", "", with("Authorization", "")).wantError(t, http.StatusUnauthorized, "unauthorized")
	f.call(http.MethodOptions, "/settings/mcp/x", "", with("Origin", "https://app.example")).wantError(t, http.StatusForbidden, "forbidden_origin")
	f.call(http.MethodOptions, "/api/settings/mcp/x", "", host("evil.example")).wantError(t, http.StatusForbidden, "forbidden_host")
}

func TestContentTypes(t *testing.T) {
	tests := []struct {
		kind   string
		status int
	}{
		{"application/json", 200},
		{"application/json; charset=utf-8", 200},
		{"Application/JSON", 200},
		{"", 415},
		{"text/plain", 415},
		{"text/plain; charset=application/json", 415},
		{"application/x-www-form-urlencoded", 415},
		{"multipart/form-data; boundary=x", 415},
		{"application/merge-patch+json", 415},
		{"application/jsonp", 415},
		{"application/json, text/plain", 415},
	}
	f := newFixture(t)
	for _, test := range tests {
		t.Run(test.kind, func(t *testing.T) {
			got := f.call(http.MethodPut, "/settings/mcp/x?dryRun=true", `{"command":"c"}`, with("Content-Type", test.kind))
			if got.status != test.status {
				t.Errorf("got %d %s, want %d", got.status, got.body, test.status)
			}
			if test.status == http.StatusUnsupportedMediaType {
				got.wantError(t, test.status, "unsupported_media_type")
			}
		})
	}
	streamed := func(r *http.Request) {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(`{"command":"c"}`)), -1
	}
	f.call(http.MethodPut, "/settings/mcp/x", "", streamed).wantError(t, http.StatusUnsupportedMediaType, "unsupported_media_type")
}

// TestPanicIsAnAnswer: one request that goes wrong does not cost the others.
func TestPanicIsAnAnswer(t *testing.T) {
	broken := true
	f := newFixture(t, func(o *Options) {
		o.Token = func() (string, error) {
			if broken {
				panic("the token cannot be had")
			}
			return testToken, nil
		}
	})
	got := f.call(http.MethodGet, "/settings/mcp", "")
	got.wantError(t, http.StatusInternalServerError, settings.CodeInternal)
	if !strings.Contains(f.log.String(), "the token cannot be had") {
		t.Errorf("the log does not tell: %s", f.log)
	}
	broken = false
	if got := f.call(http.MethodGet, "/settings/mcp", ""); got.status != http.StatusOK {
		t.Errorf("next request: %d", got.status)
	}
}
