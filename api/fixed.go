package api

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"zcode-acp/settings"
)

// registerFixed adds what existing clients expect beside the settings.
func (s *Server) registerFixed() {
	s.router.Any("/api/health", func(c echo.Context) error {
		c.Response().Header().Set("Content-Length", "2")
		return c.String(http.StatusOK, "ok")
	})
	for path, answer := range map[string]any{
		"/api/instances": []settings.None{},
		"/api/quota":     noQuota,
	} {
		s.router.Match([]string{http.MethodGet, http.MethodHead}, path, func(c echo.Context) error {
			s.send(c.Response(), c.Request(), http.StatusOK, answer)
			return nil
		})
	}
	s.router.Match([]string{http.MethodGet, http.MethodHead}, "/openapi.yaml", func(c echo.Context) error {
		c.Response().Header().Set("Content-Length", strconv.Itoa(len(document)))
		return c.Blob(http.StatusOK, "application/yaml", document)
	})
}

// noQuota has the three objects that existing clients need, each saying that
// nothing is known.
var noQuota = map[string]quotaKind{
	"glm":      {"unavailable"},
	"opencode": {"not_configured"},
	"ollama":   {"not_configured"},
}

type quotaKind struct {
	Kind string `json:"kind"`
}
