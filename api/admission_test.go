package api

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"zcode-acp/settings"
)

// What a guard must not be talked out of by spelling.
func TestGuardSpellings(t *testing.T) {
	s, err := New(settings.NewCatalog(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		headers http.Header
		status  int
	}{
		{"own origin", http.Header{"Origin": {"http://127.0.0.1:8377"}}, 404},
		{"another scheme", http.Header{"Origin": {"ftp://127.0.0.1:8377"}}, 403},
		{"no scheme", http.Header{"Origin": {"//127.0.0.1:8377"}}, 403},
		{"user information", http.Header{"Origin": {"http://evil@127.0.0.1:8377"}}, 403},
		{"upper case", http.Header{"Sec-Fetch-Site": {"CROSS-SITE"}}, 403},
		{"a second header", http.Header{"Sec-Fetch-Site": {"none", "cross-site"}}, 403},
		{"two content types", http.Header{"Content-Type": {"application/json", "text/plain"}}, 415},
	} {
		r := httptest.NewRequest(http.MethodPost, "/settings/nothing", strings.NewReader("{}"))
		r.Host = "127.0.0.1:8377"
		r.Header = test.headers
		if r.Header.Get("Content-Type") == "" {
			r.Header.Set("Content-Type", "application/json")
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != test.status {
			t.Errorf("%s: got %d, want %d", test.name, w.Code, test.status)
		}
	}
}

// A client that has shown no token learns nothing of the server's files.
func TestUnreadableToken(t *testing.T) {
	s, err := New(settings.NewCatalog(), Options{Token: func() (string, error) { return "", errors.New("reading /secret/place") }})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, "/settings/all", nil)
	r.Host = "127.0.0.1"
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "/secret/place") {
		t.Errorf("got %d %s, want 500 without the path", w.Code, w.Body)
	}
}

func TestEmptyPrecondition(t *testing.T) {
	written := false
	o := settings.Write("x", "POST /settings/x", settings.Immediate, "X.",
		func(_ context.Context, _ settings.Call, _ settings.None) (*settings.Written, error) {
			written = true
			return &settings.Written{OK: true}, nil
		})
	s, err := New(settings.NewCatalog([]settings.Operation{o}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/settings/x", strings.NewReader("{}"))
	r.Host = "127.0.0.1"
	r.Header = http.Header{"Content-Type": {"application/json"}, "If-Match": {""}}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusBadRequest || written {
		t.Errorf("got %d %s, want 400 and nothing written", w.Code, w.Body)
	}
}
