package jsonrpc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is when a test gives up; it says nothing about speed.
const patience = 30 * time.Second

// framing is one framer and an independent implementation of its other side.
type framing struct {
	name  string
	open  func(io.Reader, io.Writer, int) Framer
	frame func(msg string) string
	next  func(*bufio.Reader) (string, error)
}

var lineFraming = framing{
	name:  "lines",
	open:  Lines,
	frame: func(msg string) string { return msg + "\n" },
	next: func(r *bufio.Reader) (string, error) {
		line, err := r.ReadString('\n')
		return strings.TrimSuffix(line, "\n"), err
	},
}

var headerFraming = framing{
	name:  "headers",
	open:  Headers,
	frame: func(msg string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(msg), msg) },
	next: func(r *bufio.Reader) (string, error) {
		head, err := r.ReadString('\n')
		if err != nil {
			return "", err
		}
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(head, "Content-Length: "), "\r\n"))
		if err != nil {
			return "", fmt.Errorf("first header line %q: %w", head, err)
		}
		if end, err := r.ReadString('\n'); end != "\r\n" {
			return "", fmt.Errorf("second header line %q: %v", end, err)
		}
		body := make([]byte, n)
		_, err = io.ReadFull(r, body)
		return string(body), err
	},
}

var framings = []framing{lineFraming, headerFraming}

// eachFraming runs f once for each framer.
func eachFraming(t *testing.T, f func(t *testing.T, fr framing)) {
	for _, fr := range framings {
		t.Run(fr.name, func(t *testing.T) { f(t, fr) })
	}
}

// peer is the other side of a served connection, driven byte by byte.
type peer struct {
	t      *testing.T
	fr     framing
	conn   *Conn
	in     *io.PipeWriter // to the connection
	out    *io.PipeReader // from the connection
	r      *bufio.Reader
	served chan error
}

// connect serves a connection with opts until the test ends.
func connect(t *testing.T, fr framing, opts Options) *peer {
	t.Helper()
	return connectLimit(t, fr, opts, 0)
}

func connectLimit(t *testing.T, fr framing, opts Options, limit int) *peer {
	t.Helper()
	p := newPeer(t, fr, opts, limit)
	p.serve(t.Context())
	return p
}

func newPeer(t *testing.T, fr framing, opts Options, limit int) *peer {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{t: t, fr: fr, in: inW, out: outR, r: bufio.NewReader(outR), served: make(chan error, 1)}
	p.conn = New(fr.open(inR, outW, limit), opts)
	return p
}

func (p *peer) serve(ctx context.Context) {
	go func() { p.served <- p.conn.Serve(ctx) }()
	p.t.Cleanup(func() {
		p.in.Close()
		p.out.Close()
		<-p.conn.Done()
	})
}

// send writes messages, each in its frame.
func (p *peer) send(msgs ...string) {
	p.t.Helper()
	for _, msg := range msgs {
		p.sendRaw(p.fr.frame(msg))
	}
}

func (p *peer) sendRaw(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, text); err != nil {
		p.t.Fatalf("writing to the connection: %v", err)
	}
}

func (p *peer) receive() string {
	p.t.Helper()
	msg, err := p.fr.next(p.r)
	if err != nil {
		p.t.Fatalf("reading from the connection: %v", err)
	}
	return msg
}

// want receives one message per argument and compares the bytes.
func (p *peer) want(msgs ...string) {
	p.t.Helper()
	for _, want := range msgs {
		if got := p.receive(); got != want {
			p.t.Fatalf("received\n got %s\nwant %s", got, want)
		}
	}
}

// ended waits for Serve and returns its error.
func (p *peer) ended() error {
	p.t.Helper()
	select {
	case err := <-p.served:
		return err
	case <-time.After(patience):
		p.t.Fatal("Serve did not return")
		return nil
	}
}

// echo answers every request with its params.
func echo(_ context.Context, req *Request) (any, error) { return req.Params, nil }
