package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// checker fails the test on every answer that openapi.yaml does not describe.
type checker struct {
	t    testing.TB
	base http.RoundTripper
	doc  *openapi3.T
}

func newChecker(t testing.TB, base http.RoundTripper) checker {
	return checker{t, base, closedDocument()}
}

// closedDocument is openapi.yaml with every object closed that does not say
// otherwise: to clients an answer may gain members, in tests it may not have
// one that is not described.
var closedDocument = sync.OnceValue(func() *openapi3.T {
	c, err := loadContract()
	if err != nil {
		panic(err)
	}
	eachSchema(c.doc, func(s *openapi3.Schema) {
		if s.Type.Is("object") && s.AdditionalProperties.Has == nil && s.AdditionalProperties.Schema == nil {
			s.AdditionalProperties.Has = new(bool)
		}
	})
	return c.doc
})

func eachSchema(doc *openapi3.T, do func(*openapi3.Schema)) {
	for _, s := range doc.Components.Schemas {
		inSchema(s, do)
	}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			for _, response := range op.Responses.Map() {
				for _, media := range response.Value.Content {
					inSchema(media.Schema, do)
				}
			}
		}
	}
}

func inSchema(ref *openapi3.SchemaRef, do func(*openapi3.Schema)) {
	if ref == nil {
		return
	}
	do(ref.Value)
	for _, p := range ref.Value.Properties {
		inSchema(p, do)
	}
	inSchema(ref.Value.Items, do)
	inSchema(ref.Value.AdditionalProperties.Schema, do)
}

func (c checker) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if err := response.Body.Close(); err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	if err := c.check(r, response, body); err != nil {
		c.t.Errorf("%s %s -> %d %s %q: %v", r.Method, r.URL.EscapedPath(), response.StatusCode, response.Header, body, err)
	}
	return response, nil
}

func (c checker) check(r *http.Request, response *http.Response, body []byte) error {
	if err := checkEveryAnswer(r, response); err != nil {
		return err
	}
	described, err := c.described(r, response.StatusCode)
	if err != nil || described == nil {
		return err
	}
	if err := checkHeaders(described, response.Header); err != nil {
		return err
	}
	if r.Method == http.MethodHead || len(described.Content) == 0 {
		if len(body) != 0 {
			return fmt.Errorf("there must be no body")
		}
		return nil
	}
	return checkContent(described, response.Header.Get("Content-Type"), body)
}

// checkEveryAnswer looks at the headers that all answers share.
func checkEveryAnswer(r *http.Request, response *http.Response) error {
	h := response.Header
	if got := h.Get("Cache-Control"); got != "no-store" {
		return fmt.Errorf("Cache-Control is %q", got)
	}
	if got := h.Get("X-Content-Type-Options"); got != "nosniff" {
		return fmt.Errorf("X-Content-Type-Options is %q", got)
	}
	bodiless := response.StatusCode == http.StatusNoContent || response.StatusCode == http.StatusNotModified
	if (h.Get("Content-Length") == "") != bodiless {
		return fmt.Errorf("Content-Length is %q", h.Get("Content-Length"))
	}
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin":   "*",
		"Access-Control-Allow-Methods":  "GET, POST, PUT, DELETE, OPTIONS",
		"Access-Control-Allow-Headers":  "Authorization, Content-Type, If-Match, If-None-Match",
		"Access-Control-Expose-Headers": "X-Zcode-First-Line, ETag",
	} {
		if r.URL.Path != "/api" && !strings.HasPrefix(r.URL.Path, "/api/") {
			want = ""
		}
		if got := h.Get(name); got != want {
			return fmt.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	return nil
}

// outside are the answers to requests that no operation stands for.
var outside = map[int]string{
	http.StatusUnauthorized:         "Unauthorized",
	http.StatusForbidden:            "Forbidden",
	http.StatusNotFound:             "UnknownRoute",
	http.StatusMethodNotAllowed:     "MethodNotAllowed",
	http.StatusUnsupportedMediaType: "NotJSON",
}

// described finds what the document says of an answer; nil for a preflight.
func (c checker) described(r *http.Request, status int) (*openapi3.Response, error) {
	if r.Method == http.MethodOptions && status == http.StatusNoContent {
		return nil, nil
	}
	op := c.operation(r)
	if op == nil {
		name, known := outside[status]
		if !known {
			return nil, fmt.Errorf("no operation describes the request")
		}
		return c.doc.Components.Responses[name].Value, nil
	}
	response := op.Responses.Status(status)
	if response == nil {
		return nil, fmt.Errorf("%s does not describe the status", op.OperationID)
	}
	return response.Value, nil
}

func (c checker) operation(r *http.Request) *openapi3.Operation {
	path := strings.TrimRight(r.URL.EscapedPath(), "/")
	method := r.Method
	if method == http.MethodHead || path == "/api/health" {
		method = http.MethodGet
	}
	paths := c.doc.Paths.InMatchingOrder()
	slices.SortStableFunc(paths, func(a, b string) int { return strings.Count(a, "{") - strings.Count(b, "{") })
	for _, template := range paths {
		if matchesTemplate(template, path) || matchesTemplate("/api"+template, path) && strings.HasPrefix(template, "/settings/") {
			if op := c.doc.Paths.Value(template).GetOperation(method); op != nil {
				return op
			}
		}
	}
	return nil
}

// restTemplates are those whose last parameter takes the rest of the path, as
// routes do behind which no other begins.
var restTemplates = sync.OnceValue(func() []string {
	var list []string
	paths := closedDocument().Paths.InMatchingOrder()
	for _, template := range paths {
		goesOn := func(other string) bool { return strings.HasPrefix(other, template+"/") }
		if strings.HasSuffix(template, "}") && !slices.ContainsFunc(paths, goesOn) {
			list = append(list, template, "/api"+template)
		}
	}
	return list
})

func matchesTemplate(template, path string) bool {
	want := strings.Split(template, "/")
	got := strings.SplitN(path, "/", len(want))
	if len(got) != len(want) {
		return false
	}
	for i := range want {
		parameter := strings.HasPrefix(want[i], "{")
		if !parameter && want[i] != got[i] || parameter && got[i] == "" {
			return false
		}
	}
	return slices.Contains(restTemplates(), template) || !strings.Contains(got[len(got)-1], "/")
}

func checkHeaders(described *openapi3.Response, got http.Header) error {
	for name, header := range described.Headers {
		value := got.Get(name)
		if value == "" {
			if header.Value.Required {
				return fmt.Errorf("the header %s is missing", name)
			}
			continue
		}
		var decoded any = value
		if header.Value.Schema.Value.Type.Is("integer") {
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return fmt.Errorf("the header %s: %w", name, err)
			}
			decoded = n
		}
		if err := header.Value.Schema.Value.VisitJSON(decoded); err != nil {
			return fmt.Errorf("the header %s: %w", name, err)
		}
	}
	for _, name := range []string{"Etag", "Retry-After", "Www-Authenticate", "Allow"} {
		if _, there := got[name]; there && !slices.ContainsFunc(headerNames(described), func(n string) bool { return strings.EqualFold(n, name) }) {
			return fmt.Errorf("the header %s is not described", name)
		}
	}
	return nil
}

func headerNames(r *openapi3.Response) []string {
	var names []string
	for name := range r.Headers {
		names = append(names, name)
	}
	return names
}

func checkContent(described *openapi3.Response, contentType string, body []byte) error {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return fmt.Errorf("the content type %q: %w", contentType, err)
	}
	media, ok := described.Content[kind]
	if !ok {
		return fmt.Errorf("the content type %s is not described", kind)
	}
	var value any = string(body)
	if kind == "application/json" {
		if err := json.Unmarshal(body, &value); err != nil {
			return fmt.Errorf("the body is not JSON: %w", err)
		}
	}
	return media.Schema.Value.VisitJSON(value, openapi3.VisitAsResponse())
}

// TestChecker makes sure that the checker sees what it is for.
func TestChecker(t *testing.T) {
	good := func() http.Header {
		return http.Header{
			"Cache-Control": {"no-store"}, "X-Content-Type-Options": {"nosniff"}, "Content-Length": {"9"},
			"Content-Type": {"application/json"}, "Etag": {`"cliConfig.mcp.0123456789abcdef01234567"`},
		}
	}
	const body = `{"ok":true,"mcp":{"servers":[]},"etag":"cliConfig.mcp.0123456789abcdef01234567"}`
	tests := []struct {
		name, path, body string
		status           int
		change           func(http.Header)
		ok               bool
	}{
		{"right", "/settings/mcp", body, 200, nil, true},
		{"undescribed member", "/settings/mcp", strings.Replace(body, "{", `{"more":1,`, 1), 200, nil, false},
		{"undescribed inner member", "/settings/mcp", strings.Replace(body, `"servers"`, `"x":1,"servers"`, 1), 200, nil, false},
		{"missing member", "/settings/mcp", `{"ok":true}`, 200, nil, false},
		{"undescribed status", "/settings/mcp", body, 201, nil, false},
		{"undescribed path", "/settings/nothing", body, 200, nil, false},
		{"content type", "/settings/mcp", body, 200, func(h http.Header) { h.Set("Content-Type", "text/html") }, false},
		{"no length", "/settings/mcp", body, 200, func(h http.Header) { h.Del("Content-Length") }, false},
		{"cacheable", "/settings/mcp", body, 200, func(h http.Header) { h.Del("Cache-Control") }, false},
		{"no etag", "/settings/mcp", body, 200, func(h http.Header) { h.Del("Etag") }, false},
		{"bare etag", "/settings/mcp", body, 200, func(h http.Header) { h.Set("Etag", "cliConfig.mcp.0123456789abcdef01234567") }, false},
		{"undescribed header", "/settings/mcp", body, 200, func(h http.Header) { h.Set("Retry-After", "1") }, false},
		{"no cross-origin headers", "/api/settings/mcp", body, 200, nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1"+test.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			h := good()
			if test.change != nil {
				test.change(h)
			}
			err = checker{doc: closedDocument()}.check(r, &http.Response{StatusCode: test.status, Header: h}, []byte(test.body))
			if (err == nil) != test.ok {
				t.Errorf("check = %v, want ok %v", err, test.ok)
			}
		})
	}
}

// TestCheckerFindsTheOperation: by the most telling address, as the router does.
func TestCheckerFindsTheOperation(t *testing.T) {
	for route, want := range map[string]string{
		"POST /settings/hooks/enabled":              "hooks-enabled",
		"POST /settings/hooks/Stop":                 "hooks-add",
		"POST /api/settings/hooks/Stop/0/1/move":    "hooks-move",
		"POST /settings/hooks/Stop/0":               "",
		"DELETE /settings/hooks/Stop/0/1":           "hooks-remove",
		"DELETE /settings/skills/%2Fa%2FSKILL.md":   "skills-delete",
		"DELETE /api/settings/skills//a/b/SKILL.md": "skills-delete",
		"DELETE /settings/models/p1/vendor/m1":      "models-remove",
		"PUT /settings/models/default":              "models-default",
		"PUT /settings/agents/enable/enable":        "agents-enable-put",
		"GET /settings/agents/a/b":                  "",
		"HEAD /settings/agents":                     "agents-list",
		"POST /settings/mcp/import":                 "mcp-import",
		"PUT /settings/mcp/import":                  "mcp-upsert",
	} {
		method, path, _ := strings.Cut(route, " ")
		r, err := http.NewRequestWithContext(t.Context(), method, "http://127.0.0.1"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if op := (checker{doc: closedDocument()}).operation(r); op != nil {
			got = op.OperationID
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", route, got, want)
		}
	}
}
