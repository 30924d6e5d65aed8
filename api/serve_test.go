package api

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// serving is a run of Serve.
type serving struct {
	url  string
	stop context.CancelFunc
	done chan error // gets the error of Serve
}

func (f *fixture) serve(t *testing.T) serving {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	s := serving{"http://" + listener.Addr().String(), cancel, make(chan error, 1)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.done <- f.server.Serve(ctx, listener)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return s
}

// TestServeStops: the running request finishes, then nobody listens any more.
func TestServeStops(t *testing.T) {
	f := newFixture(t)
	s := f.serve(t)
	f.url = s.url
	if got := f.call(http.MethodGet, "/settings/mcp", ""); got.status != http.StatusOK {
		t.Fatalf("before: %d", got.status)
	}
	conn := f.partial(t)
	f.waitUntilRead(t)
	s.stop()
	waitUntilClosed(t, s.url)
	select {
	case err := <-s.done:
		t.Fatalf("Serve ended under a running request: %v", err)
	default:
	}
	if _, err := io.WriteString(conn, halves[1]); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("the running request got no answer: %v", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK || !strings.Contains(f.read(cliFile), `"c"`) {
		t.Errorf("got %d, file %q", response.StatusCode, f.read(cliFile))
	}
	if err := <-s.done; err != nil {
		t.Errorf("Serve = %v, want nil", err)
	}
}

// waitUntilRead returns when the server works on the half request: its client
// is then known by the token that was asked for.
func (f *fixture) waitUntilRead(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); f.asked.Load() < 2; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the server does not begin with the request")
		}
	}
}

func waitUntilClosed(t *testing.T, url string) {
	t.Helper()
	var dialer net.Dialer
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			return
		}
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatal("the server still listens")
		}
	}
}

// TestServeCutsOffSlowHeaders: who never ends its headers holds nothing.
func TestServeCutsOffSlowHeaders(t *testing.T) {
	f := newFixture(t)
	f.server.headerTimeout = 50 * time.Millisecond
	s := f.serve(t)
	var dialer net.Dialer
	conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET /settings/mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow:"); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(headerTimeout / 2)); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(conn); err != nil {
		t.Errorf("the connection stays open: %q, %v", text, err)
	}
}

// TestServeTellsWhyItEnded: a listener that fails is no orderly stop.
func TestServeTellsWhyItEnded(t *testing.T) {
	f := newFixture(t)
	listener := brokenListener{errors.New("the network is gone")}
	if err := f.server.Serve(t.Context(), listener); !errors.Is(err, listener.err) {
		t.Errorf("Serve = %v, want %v", err, listener.err)
	}
}

type brokenListener struct{ err error }

func (l brokenListener) Accept() (net.Conn, error) { return nil, l.err }
func (l brokenListener) Close() error              { return nil }
func (l brokenListener) Addr() net.Addr            { return &net.TCPAddr{} }
