package api

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/labstack/echo/v4"

	"zcode-acp/settings"
	"zcode-acp/settings/jsonedit"
)

// parameter matches {name} and, for the rest of a path, {name...}.
var parameter = regexp.MustCompile(`\{(\w+)(\.\.\.)?\}`)

// register adds the routes of one operation, on both mounts.
func (s *Server) register(o settings.Operation) {
	path := parameter.ReplaceAllStringFunc(o.Path, func(p string) string {
		if strings.HasSuffix(p, "...}") {
			return "*"
		}
		return ":" + strings.Trim(p, "{}")
	})
	handler := func(c echo.Context) error { return s.run(c, o) }
	methods := o.Methods
	if slices.Contains(methods, http.MethodGet) {
		methods = append(slices.Clone(methods), http.MethodHead)
	}
	for _, mount := range []string{"", "/api"} {
		s.router.Match(methods, mount+path, handler)
	}
}

// run is one call of an operation.
func (s *Server) run(c echo.Context, o settings.Operation) error {
	r := c.Request()
	call := settings.Call{Door: settings.REST, Client: r.UserAgent(), IfMatch: strings.Join(r.Header.Values("If-Match"), ",")}
	if call.IfMatch == "" && len(r.Header.Values("If-Match")) > 0 {
		return &settings.InvalidError{Pointer: "/ifMatch", Reason: "is empty: send an etag, or no precondition"}
	}
	members, err := s.members(c, o, &call)
	if err != nil {
		return err
	}
	answer, err := o.Run(r.Context(), call, members)
	if err != nil {
		return err
	}
	if tagged, ok := answer.(interface{ Tag() string }); ok && tagged.Tag() != "" {
		c.Response().Header().Set("ETag", `"`+tagged.Tag()+`"`)
		if known := strings.Join(r.Header.Values("If-None-Match"), ","); known != "" && !o.Writes() {
			if same, err := settings.MatchTag(known, tagged.Tag(), true); err == nil && same {
				c.Response().WriteHeader(http.StatusNotModified)
				return nil
			}
		}
	}
	s.send(c.Response(), r, http.StatusOK, answer)
	return nil
}

// members merges body, path parameters and query into one object; what concerns
// the call itself goes there.
func (s *Server) members(c echo.Context, o settings.Operation, call *settings.Call) ([]byte, error) {
	body, err := s.body(c.Request(), o)
	if err != nil {
		return nil, err
	}
	fixed := map[string]string{}
	for _, p := range parameter.FindAllStringSubmatch(o.Path, -1) {
		raw := c.Param(p[1])
		if p[2] != "" {
			raw = c.Param("*")
		}
		value, err := url.PathUnescape(raw)
		if err != nil || !utf8.ValidString(value) {
			return nil, refusal{http.StatusBadRequest, settings.CodeInvalid, "malformed percent-encoding in path segment: " + raw}
		}
		fixed[p[1]] = value
	}
	if err := s.query(c.Request(), o, call, fixed); err != nil {
		return nil, err
	}
	for name, value := range fixed {
		if sent := body.Root().Get(name); sent.Exists() && (sent.Kind() != jsonedit.String || sent.Text() != value) {
			return nil, &settings.InvalidError{Pointer: "/" + name, Reason: "differs from the one in the address: leave it out of the body"}
		}
	}
	return merge(fixed, body), nil
}

func merge(fixed map[string]string, body *jsonedit.Doc) []byte {
	var b strings.Builder
	separator := "{"
	for name, value := range fixed {
		fmt.Fprintf(&b, "%s%s:%s", separator, jsonedit.Quote(name), jsonedit.Quote(value))
		separator = ","
	}
	for c := range body.Root().Children() {
		if _, inAddress := fixed[c.Key()]; inAddress {
			continue
		}
		fmt.Fprintf(&b, "%s%s:%s", separator, jsonedit.Quote(c.Key()), c.Raw())
		separator = ","
	}
	if separator == "{" {
		return []byte("{}")
	}
	return []byte(b.String() + "}")
}

// query reads the query. A misspelt dryRun must not become a real write, so
// writes refuse names that they do not know.
func (s *Server) query(r *http.Request, o settings.Operation, call *settings.Call, fixed map[string]string) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil && o.Writes() {
		return &settings.InvalidError{Reason: "the query is malformed: send dryRun=true or repair=true, joined by &"}
	}
	for name, values := range query {
		var flag *bool
		switch {
		case name == "token":
			continue
		case name == "dryRun" && o.Writes():
			flag = &call.DryRun
		case name == "repair" && o.Writes():
			flag = &call.Repair
		case s.contract.takesQuery(o, name):
			fixed[name] = values[0]
			continue
		case o.Writes():
			return &settings.InvalidError{Pointer: jsonedit.Path{name}.Pointer(), Reason: "is no query parameter of this address"}
		default:
			continue
		}
		switch strings.Join(values, ",") {
		case "true", "1":
			*flag = true
		case "false", "0":
		default:
			return &settings.InvalidError{Pointer: "/" + name, Reason: "must be true or false"}
		}
	}
	return nil
}

// body reads and checks the body of a write; every other request has none.
func (s *Server) body(r *http.Request, o settings.Operation) (*jsonedit.Doc, error) {
	empty, _ := jsonedit.Parse([]byte("{}"))
	if !isWrite(r.Method) {
		return empty, nil
	}
	text, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxBody))
	if _, tooLarge := err.(*http.MaxBytesError); tooLarge {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, refusal{http.StatusBadRequest, settings.CodeInvalid, "the body ended too early: send it again"}
	}
	if len(strings.TrimSpace(string(text))) == 0 {
		text = []byte("{}")
	}
	doc, err := jsonedit.Parse(text)
	if err != nil {
		return nil, refusal{http.StatusBadRequest, settings.CodeInvalid, "the body is not valid JSON: " + err.Error()}
	}
	if doc.Root().Kind() != jsonedit.Object {
		return nil, refusal{http.StatusBadRequest, settings.CodeInvalid, "the body must be a JSON object"}
	}
	return doc, s.contract.checkBody(o, r.Method, jsontext.Value(doc.Text()))
}

// normal returns the request as it is routed: by its path as it was sent, since
// names may hold encoded slashes, and without slashes at the end.
func normal(r *http.Request) *http.Request {
	path := strings.TrimRight(r.URL.EscapedPath(), "/")
	if path == "" {
		path = "/"
	}
	routed := r.WithContext(r.Context())
	address := *r.URL
	address.Path, address.RawPath = "", path
	routed.URL = &address
	return routed
}
