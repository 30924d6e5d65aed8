package api

import (
	"net/http"
	"testing"
)

func TestIfMatch(t *testing.T) {
	f := newFixture(t)
	f.write(cliFile, example(t, "cli-config/unknown-keys.json"))
	seen := f.call(http.MethodGet, "/settings/mcp", "").header.Get("ETag")

	// Another section of the same file is no conflict.
	f.write(cliFile, replaced(t, f.read(cliFile), `"zeta": 1`, `"zeta": 2`))
	disabled := f.call(http.MethodPost, "/settings/mcp/enable", `{"name":"files","enabled":false}`, with("If-Match", seen))
	if disabled.status != http.StatusOK {
		t.Fatalf("other section changed: %d %s", disabled.status, disabled.body)
	}
	present := disabled.header.Get("ETag")
	if read := f.call(http.MethodGet, "/settings/mcp", "").header.Get("ETag"); read != present || read == seen {
		t.Errorf("after the write: read %s, write told %s, before %s", read, present, seen)
	}

	before := f.read(cliFile)
	tests := []struct {
		name, ifMatch string
		status        int
	}{
		{"stale", seen, 412},
		{"of another section", `"cliConfig.file.` + present[len(`"cliConfig.mcp.`):], 412},
		{"weak", "W/" + present, 412},
		{"unknown", `"x"`, 412},
		{"list without it", seen + `, "x"`, 412},
		{"not a tag", `"`, 400},
		{"present", present, 200},
		{"bare", present[1 : len(present)-1], 200},
		{"list with it", seen + `, ` + present, 200},
		{"any", "*", 200},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, query := range []string{"", "?dryRun=true"} {
				got := f.call(http.MethodPut, "/settings/mcp/files"+query, `{"enabled":false}`, with("If-Match", test.ifMatch))
				if got.status != test.status {
					t.Errorf("got %d %s, want %d", got.status, got.body, test.status)
				}
				if test.status == http.StatusPreconditionFailed {
					got.wantError(t, test.status, "conflict")
					if got.header.Get("ETag") != present || `"`+got.text(t, "etag")+`"` != present {
						t.Errorf("ETag %s and %s, want %s", got.header.Get("ETag"), got.text(t, "etag"), present)
					}
				}
			}
			if f.read(cliFile) != before {
				t.Error("the file changed")
			}
		})
	}
	stale := f.call(http.MethodDelete, "/settings/mcp/files", "", with("If-Match", seen))
	stale.wantError(t, http.StatusPreconditionFailed, "conflict")
	if f.read(cliFile) != before {
		t.Error("a stale DELETE changed the file")
	}
	several := func(r *http.Request) { r.Header["If-Match"] = []string{seen, present} }
	if got := f.call(http.MethodDelete, "/settings/mcp/files", "", several); got.status != http.StatusOK {
		t.Errorf("two header lines: %d %s", got.status, got.body)
	}
}

func TestIfMatchOfProviders(t *testing.T) {
	f := newFixture(t)
	f.write(providerFile, example(t, "provider/canonical.json"))
	seen := f.call(http.MethodGet, "/settings/models", "").header.Get("ETag")
	first := f.call(http.MethodPut, "/settings/providers/p1", `{"enabled":false}`, with("If-Match", seen))
	if first.status != http.StatusOK {
		t.Fatalf("fresh: %d %s", first.status, first.body)
	}
	f.call(http.MethodPut, "/settings/providers/p1", `{"enabled":true}`, with("If-Match", seen)).wantError(t, http.StatusPreconditionFailed, "conflict")
	if got := f.call(http.MethodPut, "/settings/providers/p1", `{"enabled":true}`, with("If-Match", first.header.Get("ETag"))); got.status != http.StatusOK {
		t.Errorf("with the etag of the write: %d %s", got.status, got.body)
	}
}

// TestIfMatchOnAMissingFile: there is a section before there is a file.
func TestIfMatchOnAMissingFile(t *testing.T) {
	f := newFixture(t)
	seen := f.call(http.MethodGet, "/settings/mcp", "").header.Get("ETag")
	if got := f.call(http.MethodPut, "/settings/mcp/x", `{"command":"c"}`, with("If-Match", seen)); got.status != http.StatusOK {
		t.Errorf("got %d %s", got.status, got.body)
	}
	f.call(http.MethodPut, "/settings/mcp/y", `{"command":"c"}`, with("If-Match", seen)).wantError(t, http.StatusPreconditionFailed, "conflict")
}

func TestIfNoneMatch(t *testing.T) {
	f := newFixture(t)
	f.write(cliFile, example(t, "cli-config/unknown-keys.json"))
	f.write(providerFile, example(t, "provider/canonical.json"))
	f.write(reviewerFile, worldAgent)
	for _, path := range []string{
		"/settings/mcp", "/api/settings/models", "/settings/config/toolConcurrency",
	} {
		tag := f.call(http.MethodGet, path, "").header.Get("ETag")
		tests := []struct {
			name, header string
			status       int
		}{
			{"present", tag, 304},
			{"weak", "W/" + tag, 304},
			{"bare", tag[1 : len(tag)-1], 304},
			{"list", `"x", ` + tag, 304},
			{"any", "*", 304},
			{"other", `"x"`, 200},
			{"part", tag[:len(tag)-2] + `"`, 200},
			{"not a tag", `"`, 200},
			{"none", "", 200},
		}
		for _, test := range tests {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				t.Run(path+"/"+test.name+"/"+method, func(t *testing.T) {
					got := f.call(method, path, "", with("If-None-Match", test.header))
					if got.status != test.status || got.header.Get("ETag") != tag {
						t.Errorf("got %d, ETag %s, want %d, %s", got.status, got.header.Get("ETag"), test.status, tag)
					}
					if got.status == http.StatusNotModified && len(got.body) != 0 {
						t.Errorf("304 with a body: %s", got.body)
					}
				})
			}
		}
	}
	tag := f.call(http.MethodGet, "/settings/mcp", "").header.Get("ETag")
	f.call(http.MethodPost, "/settings/mcp/enable", `{"name":"files","enabled":false}`)
	if got := f.call(http.MethodGet, "/settings/mcp", "", with("If-None-Match", tag)); got.status != http.StatusOK {
		t.Errorf("after a change: %d", got.status)
	}
}

// TestSharedFileCountsForTheEtag: the answer shows it, so a client must see
// that it changed.
func TestSharedFileCountsForTheEtag(t *testing.T) {
	f := newFixture(t)
	f.write(agentsFile, `{"mcpServers":{"a":{"command":"a"}}}`)
	tag := f.call(http.MethodGet, "/settings/mcp", "").header.Get("ETag")
	f.write(agentsFile, `{"mcpServers":{"a":{"command":"b"}}}`)
	if got := f.call(http.MethodGet, "/settings/mcp", "", with("If-None-Match", tag)); got.status != http.StatusOK {
		t.Errorf("got %d", got.status)
	}
	tag = f.call(http.MethodGet, "/settings/mcp", "").header.Get("ETag")
	if got := f.call(http.MethodPut, "/settings/mcp/x", `{"command":"c"}`, with("If-Match", tag)); got.status != http.StatusOK {
		t.Errorf("a write with the etag of the read: %d %s", got.status, got.body)
	} else if read := f.call(http.MethodGet, "/settings/mcp", "").header.Get("ETag"); read != got.header.Get("ETag") {
		t.Errorf("read %s, write told %s", read, got.header.Get("ETag"))
	}
}

// TestNoEtagOfMoreThanASection: the answer shows what the etag of the user's own
// section does not cover, so it is never taken for the same.
func TestNoEtagOfMoreThanASection(t *testing.T) {
	f := inhabited(t)
	for _, path := range []string{"/settings/hooks", "/settings/agents"} {
		tag := `"` + f.call(http.MethodGet, path, "").text(t, "etag") + `"`
		for _, known := range []string{"", tag, "*"} {
			got := f.call(http.MethodGet, path+f.project(), "", with("If-None-Match", known))
			if got.status != http.StatusOK || got.header.Get("ETag") != "" {
				t.Errorf("GET %s with %q: %d, ETag %s", path, known, got.status, got.header.Get("ETag"))
			}
			if `"`+got.text(t, "etag")+`"` != tag {
				t.Errorf("GET %s: the body says %s, want %s, for a write", path, got.text(t, "etag"), tag)
			}
		}
	}
}

// TestSectionsAreIndependent: a write of one section is no conflict for the
// others, and one for its own.
func TestSectionsAreIndependent(t *testing.T) {
	writes := map[string]struct{ method, path, body string }{
		"mcp":       {"POST", "/settings/mcp/enable", `{"name":"files","enabled":false}`},
		"hooks":     {"POST", "/settings/hooks/enabled", `{"enabled":false}`},
		"skills":    {"POST", "/settings/skills/enable", `{"path":"$HOME/skills/review/SKILL.md","enabled":false}`},
		"plugins":   {"POST", "/settings/plugins/enable", `{"id":"tools@market","enabled":false}`},
		"agents":    {"PUT", "/settings/agents/reviewer", `{"color":"pink"}`},
		"config/ui": {"PUT", "/settings/config/ui", `{"theme":"light"}`},
	}
	for changed, write := range writes {
		t.Run(changed, func(t *testing.T) {
			f := inhabited(t)
			tags := map[string]string{}
			for section := range writes {
				tags[section] = f.call(http.MethodGet, "/settings/"+section, "").text(t, "etag")
			}
			if got := f.call(write.method, write.path, f.named(write.body)); got.status != http.StatusOK {
				t.Fatalf("got %d %s", got.status, got.body)
			}
			for section, other := range writes {
				want := http.StatusOK
				if section == changed {
					want = http.StatusPreconditionFailed
				}
				got := f.call(other.method, other.path+"?dryRun=true", f.named(other.body), with("If-Match", tags[section]))
				if got.status != want {
					t.Errorf("a write of %s: %d %s, want %d", section, got.status, got.body, want)
				}
			}
		})
	}
}
