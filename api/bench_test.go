package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// BenchmarkUnchanged is GET /settings/mcp of a file that does not change, whole
// and with the etag that the client has.
func BenchmarkUnchanged(b *testing.B) {
	f := newFixture(b)
	f.write(cliFile, example(b, "cli-config/unknown-keys.json"))
	tag := f.call(http.MethodGet, "/settings/mcp", "").header.Get("ETag")
	for name, want := range map[string]int{"whole": http.StatusOK, "not-modified": http.StatusNotModified} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "http://localhost/settings/mcp", nil)
			r.Header.Set("Authorization", "Bearer "+testToken)
			if want == http.StatusNotModified {
				r.Header.Set("If-None-Match", tag)
			}
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				if f.server.ServeHTTP(w, r); w.Code != want {
					b.Fatalf("got %d, want %d", w.Code, want)
				}
			}
		})
	}
}

// BenchmarkNew is what the contract costs at the start.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := loadContract(); err != nil {
			b.Fatal(err)
		}
	}
}
