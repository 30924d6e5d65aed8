package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"zcode-acp/atomicwrite"
	"zcode-acp/lockfile"
	"zcode-acp/settings"
	"zcode-acp/settings/agents"
	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
	"zcode-acp/settings/skills"
)

const someTag = "cliConfig.mcp.0123456789abcdef01234567"

// errorCases hold every kind of error and what it is answered with.
var errorCases = []struct {
	err    error
	status int
	code   settings.Code
}{
	{&settings.InvalidError{Pointer: "/x", Reason: "is wrong"}, 400, settings.CodeInvalid},
	{&cliconfig.InvalidError{Pointer: "/x", Reason: "is wrong"}, 400, settings.CodeInvalid},
	{&provider.InvalidError{Pointer: "/x", Reason: "is wrong"}, 400, settings.CodeInvalid},
	{settings.ErrUnknown, 400, settings.CodeUnknown},
	{cliconfig.ErrUnknown, 400, settings.CodeUnknown},
	{provider.ErrUnknown, 400, settings.CodeUnknown},
	{agents.ErrUnknown, 400, settings.CodeUnknown},
	{skills.ErrUnknown, 400, settings.CodeUnknown},
	{&agents.InvalidError{Pointer: "/x", Reason: "is wrong"}, 400, settings.CodeInvalid},
	{&skills.InvalidError{Pointer: "/x", Reason: "is wrong"}, 400, settings.CodeInvalid},
	{skills.ErrOutside, 400, settings.CodeInvalid},
	{home.ErrNoProject, 400, settings.CodeInvalid},
	{provider.ErrExists, 409, settings.CodeExists},
	{agents.ErrExists, 409, settings.CodeExists},
	{skills.ErrExists, 409, settings.CodeExists},
	{&agents.AmbiguousError{Name: "a", Paths: []string{"x", "y"}}, 409, settings.CodeAmbiguous},
	{agents.ErrNotAgent, 500, settings.CodeBroken},
	{provider.ErrAccount, 400, settings.CodeAccount},
	{&settings.ConflictError{Section: "mcp", ETag: someTag}, 412, settings.CodeConflict},
	{&settings.BrokenError{File: "f", Line: 2, Column: 3, Reason: "is broken"}, 500, settings.CodeBroken},
	{&jsonedit.SyntaxError{Line: 1, Column: 1, Kind: jsonedit.ErrSyntax}, 500, settings.CodeBroken},
	{jsonedit.ErrEmpty, 500, settings.CodeBroken},
	{jsonedit.ErrDuplicate, 500, settings.CodeBroken},
	{provider.ErrNewer, 500, settings.CodeNewer},
	{jsonedit.ErrTooLarge, 500, settings.CodeTooLarge},
	{jsonedit.ErrTooDeep, 500, settings.CodeTooLarge},
	{atomicwrite.ErrTooLarge, 500, settings.CodeTooLarge},
	{&lockfile.TimeoutError{Holder: lockfile.Holder{PID: 4711, Since: time.Unix(1, 0)}}, 503, settings.CodeLockTimeout},
	{lockfile.ErrInvalid, 503, settings.CodeLockInvalid},
	{lockfile.ErrLost, 503, settings.CodeLockLost},
	{atomicwrite.ErrUnstable, 503, settings.CodeBusy},
	{atomicwrite.ErrNoSpace, 507, settings.CodeNoSpace},
	{atomicwrite.ErrReadOnly, 500, settings.CodeReadOnly},
	{atomicwrite.ErrPermission, 500, settings.CodePermission},
	{atomicwrite.ErrMount, 500, settings.CodeMount},
	{atomicwrite.ErrIrregular, 500, settings.CodeIrregular},
	{atomicwrite.ErrLoop, 500, settings.CodeLoop},
	{atomicwrite.ErrIO, 500, settings.CodeIO},
	{home.ErrNoHome, 500, settings.CodeNoHome},
	{context.Canceled, 504, settings.CodeCancelled},
	{context.DeadlineExceeded, 504, settings.CodeCancelled},
	{errors.New("nobody expects this"), 500, settings.CodeInternal},
	{errInternal, 500, settings.CodeInternal},
	{errTooLarge, 413, "body_too_large"},
	{echo.ErrNotFound, 404, "unknown_route"},
	{echo.ErrMethodNotAllowed, 405, "method_not_allowed"},
	{echo.ErrBadGateway, 500, settings.CodeInternal},
}

func TestErrors(t *testing.T) {
	f := newFixture(t)
	for _, test := range errorCases {
		t.Run(string(test.code)+"/"+test.err.Error(), func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPut, "/settings/mcp/x", nil)
			w := httptest.NewRecorder()
			setHeaders(w.Header(), r)
			f.server.fail(w, r, fmt.Errorf("doing it: %w", test.err))
			got := answer{w.Code, w.Header(), w.Body.Bytes()}
			got.wantError(t, test.status, test.code)
			if _, known := outside[test.status]; !known && test.status != http.StatusConflict {
				if err := newChecker(t, nil).check(r, w.Result(), got.body); err != nil {
					t.Errorf("%s: %v", got.body, err)
				}
			}
			if retry := got.header.Get("Retry-After") != ""; retry != (test.status == http.StatusServiceUnavailable) {
				t.Errorf("Retry-After: %v", retry)
			}
			if logged := strings.Contains(f.log.String(), test.err.Error()); logged != (test.status >= 500) {
				t.Errorf("logged: %v, status %d", logged, test.status)
			}
		})
	}
}

func TestErrorsAreAll(t *testing.T) {
	tested := map[settings.Code]bool{}
	for _, test := range errorCases {
		tested[test.code] = true
	}
	for code := range statuses {
		if !tested[code] {
			t.Errorf("no case for %s", code)
		}
	}
}

// TestErrorDetails: what helps a program to go on.
func TestErrorDetails(t *testing.T) {
	tests := []struct {
		err  error
		want string
	}{
		{&settings.ConflictError{Section: "mcp", ETag: someTag}, `{"ok":false,"code":"conflict","etag":"` + someTag + `"}`},
		{&settings.BrokenError{File: "/h/cli/config.json", Pointer: "/mcp", Line: 2, Column: 3, Reason: "is broken"}, `{"ok":false,"code":"broken","file":"/h/cli/config.json","pointer":"/mcp","line":2,"column":3}`},
		{&lockfile.TimeoutError{Holder: lockfile.Holder{PID: 4711, Since: time.Unix(0, 0).UTC()}}, `{"ok":false,"code":"lock_timeout","holder":{"pid":4711,"since":"1970-01-01T00:00:00Z"}}`},
		{&cliconfig.InvalidError{Pointer: "/args/1", Reason: "must be a string"}, `{"ok":false,"code":"invalid","pointer":"/args/1"}`},
		{errors.New("at 0xdeadbeef"), `{"ok":false,"code":"internal"}`},
	}
	f := newFixture(t)
	for _, test := range tests {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPut, "/settings/mcp/x", nil)
		w := httptest.NewRecorder()
		f.server.fail(w, r, test.err)
		sameJSON(t, w.Body.Bytes(), test.want, "error")
		if strings.Contains(w.Body.String(), "0xdeadbeef") {
			t.Errorf("an unexpected error is shown: %s", w.Body)
		}
	}
}

// TestLockThatIsNone: over the whole way.
func TestLockThatIsNone(t *testing.T) {
	f := newFixture(t)
	f.write(cliFile, "{}")
	if err := os.Symlink("elsewhere", filepath.Join(f.dir, cliFile+".lock")); err != nil {
		t.Fatal(err)
	}
	got := f.call(http.MethodPut, "/settings/mcp/x", `{"command":"c"}`)
	got.wantError(t, http.StatusServiceUnavailable, settings.CodeLockInvalid)
	if got.header.Get("Retry-After") == "" || f.read(cliFile) != "{}" {
		t.Errorf("Retry-After %q, file %q", got.header.Get("Retry-After"), f.read(cliFile))
	}
	if got := f.call(http.MethodPut, "/settings/mcp/x?dryRun=true", `{"command":"c"}`); got.status != http.StatusOK {
		t.Errorf("a dry run needs no lock: %d %s", got.status, got.body)
	}
}

// TestCancelledRequest: who gives up gets no half answer.
func TestCancelledRequest(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, route := range []string{"GET /settings/all", "DELETE /settings/mcp/x"} {
		method, path, _ := strings.Cut(route, " ")
		r := httptest.NewRequestWithContext(ctx, method, "http://localhost"+path, nil)
		r.Header.Set("Authorization", "Bearer "+testToken)
		w := httptest.NewRecorder()
		f.server.ServeHTTP(w, r)
		answer{w.Code, w.Header(), w.Body.Bytes()}.wantError(t, http.StatusGatewayTimeout, settings.CodeCancelled)
		if err := newChecker(t, nil).check(r, w.Result(), w.Body.Bytes()); err != nil {
			t.Errorf("%s: %v", w.Body, err)
		}
	}
}
