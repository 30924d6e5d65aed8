// Package api is the REST door: it turns HTTP requests into calls of the
// catalog's operations and their errors into answers. It holds no rule of the
// domain.
//
// Every answer is JSON with its length, errors too:
//
//	{"ok":false,"error":"a sentence for a person","code":"a_stable_word"}
//
// The routes under /settings and /api/settings are the same. Who may come in is
// decided by the guard, before a body is read.
package api

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"zcode-acp/settings"
)

// Limits of a request; a client that hangs is cut off.
const (
	maxBody       = 256 << 10 // bytes
	maxHeader     = 64 << 10  // bytes
	headerTimeout = 10 * time.Second
	readTimeout   = 30 * time.Second
	writeTimeout  = 60 * time.Second
	idleTimeout   = 2 * time.Minute
	cancelAfter   = 2 * time.Second // of stopping, requests that still wait are cancelled
	stopTimeout   = 5 * time.Second
)

// Options are what a server needs beside the catalog.
type Options struct {
	// Token returns the secret that clients must send. It is asked at every
	// request, so a new one counts at once. nil lets everybody in who passes the
	// other guards.
	Token func() (string, error)
	// Hosts are names beside loopback under which the server may be addressed,
	// without port.
	Hosts []string
	Log   *slog.Logger // nil discards
}

// Server answers HTTP requests.
type Server struct {
	router   *echo.Echo
	guard    guard
	contract *contract
	log      *slog.Logger

	headerTimeout, readTimeout time.Duration
}

// New returns a server for the operations of the catalog that have this door.
func New(catalog *settings.Catalog, o Options) (*Server, error) {
	contract, err := builtIn()
	if err != nil {
		return nil, err
	}
	s := &Server{
		router: echo.New(), guard: guard{token: o.Token, hosts: o.Hosts}, contract: contract, log: o.Log,
		headerTimeout: headerTimeout, readTimeout: readTimeout,
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.router.HTTPErrorHandler = func(err error, c echo.Context) { s.fail(c.Response(), c.Request(), err) }
	for o := range catalog.All() {
		if o.Has(settings.REST) {
			s.register(o)
		}
	}
	s.registerFixed()
	return s, nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a request failed", "method", r.Method, "panic", p)
			s.fail(w, r, errInternal)
		}
	}()
	setHeaders(w.Header(), r)
	if done, err := s.guard.admit(w, r); err != nil {
		s.fail(w, r, err)
		return
	} else if done {
		return
	}
	s.router.ServeHTTP(w, normal(r))
}

// Serve answers requests of the listener until the context ends, then lets
// running ones finish for a few seconds and cancels those that only wait.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	requests, cancelRequests := context.WithCancel(context.WithoutCancel(ctx))
	defer cancelRequests()
	server := &http.Server{
		Handler:           s,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ReadHeaderTimeout: s.headerTimeout,
		ReadTimeout:       s.readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
		defer cancel()
		timer := time.AfterFunc(cancelAfter, cancelRequests)
		defer timer.Stop()
		err := server.Shutdown(patience)
		if err != nil {
			err = errors.Join(err, server.Close())
		}
		stopped <- err
	})
	err := server.Serve(l)
	if stop() {
		return err
	}
	if stopErr := <-stopped; stopErr != nil {
		return stopErr
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func setHeaders(h http.Header, r *http.Request) {
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if isPublic(r) {
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS")
		h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, If-Match, If-None-Match")
		h.Set("Access-Control-Expose-Headers", "X-Zcode-First-Line, ETag")
	}
}
