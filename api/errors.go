package api

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"zcode-acp/settings"
)

// statuses says which HTTP status each kind of error is answered with.
var statuses = map[settings.Code]int{
	settings.CodeInvalid:     http.StatusBadRequest,
	settings.CodeUnknown:     http.StatusBadRequest, // 404 would make existing clients hide all settings
	settings.CodeAccount:     http.StatusBadRequest,
	settings.CodeExists:      http.StatusConflict,
	settings.CodeAmbiguous:   http.StatusConflict,
	settings.CodeConflict:    http.StatusPreconditionFailed,
	settings.CodeBroken:      http.StatusInternalServerError,
	settings.CodeNewer:       http.StatusInternalServerError,
	settings.CodeTooLarge:    http.StatusInternalServerError,
	settings.CodeLockTimeout: http.StatusServiceUnavailable,
	settings.CodeLockInvalid: http.StatusServiceUnavailable,
	settings.CodeLockLost:    http.StatusServiceUnavailable,
	settings.CodeBusy:        http.StatusServiceUnavailable,
	settings.CodeNoSpace:     http.StatusInsufficientStorage,
	settings.CodeReadOnly:    http.StatusInternalServerError,
	settings.CodePermission:  http.StatusInternalServerError,
	settings.CodeMount:       http.StatusInternalServerError,
	settings.CodeIrregular:   http.StatusInternalServerError,
	settings.CodeLoop:        http.StatusInternalServerError,
	settings.CodeIO:          http.StatusInternalServerError,
	settings.CodeNoHome:      http.StatusInternalServerError,
	settings.CodeCancelled:   http.StatusGatewayTimeout,
	settings.CodeInternal:    http.StatusInternalServerError,
}

// refusal is an error of the door itself.
type refusal struct {
	status int
	code   settings.Code
	reason string
}

func (e refusal) Error() string { return e.reason }

var (
	errInternal = refusal{http.StatusInternalServerError, settings.CodeInternal, "something went wrong inside the server: see its log"}
	errTooLarge = refusal{http.StatusRequestEntityTooLarge, "body_too_large", "the body is larger than 256 KiB"}
)

// hidden is an error whose text is for the log only.
type hidden struct{ error }

// fail answers an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, body := errorAnswer(err)
	h := w.Header()
	switch status {
	case http.StatusServiceUnavailable:
		h.Set("Retry-After", "1")
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", `Bearer realm="zcode-acp"`)
	case http.StatusPreconditionFailed:
		if body.ETag != "" {
			h.Set("ETag", `"`+body.ETag+`"`)
		}
	}
	if status >= 500 {
		s.log.Warn("request failed", "method", r.Method, "status", status, "code", body.Code, "error", err)
	}
	s.send(w, r, status, body)
}

// errorAnswer finds status and body of an error.
func errorAnswer(err error) (int, settings.ErrorBody) {
	if _, ok := errors.AsType[hidden](err); ok {
		err = errInternal
	}
	if e, ok := errors.AsType[refusal](err); ok {
		return e.status, settings.ErrorBody{Error: e.reason, Code: e.code}
	}
	if e, ok := errors.AsType[*echo.HTTPError](err); ok {
		switch e.Code {
		case http.StatusNotFound:
			return e.Code, settings.ErrorBody{Error: "there is no such address here: see /openapi.yaml", Code: "unknown_route"}
		case http.StatusMethodNotAllowed:
			return e.Code, settings.ErrorBody{Error: "this address does not take that method: see /openapi.yaml", Code: "method_not_allowed"}
		}
	}
	body := settings.Describe(err)
	status, known := statuses[body.Code]
	if !known {
		return errInternal.status, settings.ErrorBody{Error: errInternal.reason, Code: errInternal.code}
	}
	if body.Code == settings.CodeInternal {
		body.Error = errInternal.reason
	}
	return status, body
}

// send writes a JSON answer with its length.
func (s *Server) send(w http.ResponseWriter, r *http.Request, status int, answer any) {
	b, err := settings.Encode(answer)
	if err != nil {
		s.log.Error("encoding an answer", "error", err)
		status, b = http.StatusInternalServerError, []byte(`{"ok":false,"error":"the answer could not be encoded","code":"internal"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(b) // a client that left has no use for the error
	}
}
