package jsonrpc

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestEndOfInput(t *testing.T) {
	eachFraming(t, func(t *testing.T, fr framing) {
		p := connect(t, fr, Options{Handler: untilCancelled})
		asked := p.call(t.Context(), "ask", nil)
		p.want(`{"jsonrpc":"2.0","id":1,"method":"ask"}`)
		p.send(`{"jsonrpc":"2.0","id":"s","method":"stubborn"}`)
		p.in.Close()
		if got := <-asked; !errors.Is(got.err, ErrClosed) {
			t.Errorf("the call got %v, want ErrClosed", got.err)
		}
		// A peer that has finished sending may still read.
		p.want(`{"jsonrpc":"2.0","id":"s","result":"stopped"}`)
		if err := p.ended(); err != nil {
			t.Errorf("Serve returned %v, want nil", err)
		}
		if _, err := fr.next(p.r); err != io.EOF {
			t.Errorf("reading behind the end: %v, want io.EOF", err)
		}
		checkClosed(t, p.conn, ErrClosed)
	})
}

func checkClosed(t *testing.T, c *Conn, want error) {
	t.Helper()
	if err := c.Notify(t.Context(), "n", nil); !errors.Is(err, ErrClosed) || !errors.Is(err, want) {
		t.Errorf("Notify after the end: %v, want ErrClosed and %v", err, want)
	}
	if _, err := c.Call(t.Context(), "c", nil); !errors.Is(err, ErrClosed) || !errors.Is(err, want) {
		t.Errorf("Call after the end: %v, want ErrClosed and %v", err, want)
	}
	if err := c.Serve(t.Context()); err == nil {
		t.Error("Serve ran twice")
	}
	select {
	case <-c.Done():
	default:
		t.Error("Done is not closed")
	}
}

func TestEndOfInputInsideAMessage(t *testing.T) {
	t.Run("lines", func(t *testing.T) {
		p := connect(t, lineFraming, Options{})
		p.sendRaw(`{"jsonrpc":"2.0","id":1,"met`)
		p.in.Close()
		checkError(t, p.receive(), "null", ParseError, "not valid JSON")
		if err := p.ended(); err != nil {
			t.Errorf("Serve returned %v, want nil", err)
		}
	})
	t.Run("lines without the last line end", func(t *testing.T) {
		p := connect(t, lineFraming, Options{Handler: echo})
		p.sendRaw(`{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}`)
		p.in.Close()
		p.want(`{"jsonrpc":"2.0","id":1,"result":[1]}`)
	})
	t.Run("headers", func(t *testing.T) {
		p := connect(t, headerFraming, Options{})
		p.sendRaw("Content-Length: 100\r\n\r\n{\"jsonrpc\"")
		p.in.Close()
		checkError(t, p.receive(), "null", InvalidRequest, "the input ended inside a message")
		if err := p.ended(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("Serve returned %v, want io.ErrUnexpectedEOF", err)
		}
	})
}

func TestWriteErrorEndsTheConnection(t *testing.T) {
	broken := errors.New("broken pipe")
	p := connect(t, lineFraming, Options{Handler: untilCancelled})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"turn"}`)
	p.out.CloseWithError(broken)
	if _, err := p.conn.Call(t.Context(), "ask", nil); !errors.Is(err, ErrClosed) || !errors.Is(err, broken) {
		t.Errorf("the call got %v, want ErrClosed with the reason", err)
	}
	if err := p.ended(); !errors.Is(err, broken) {
		t.Errorf("Serve returned %v, want %v", err, broken)
	}
	checkClosed(t, p.conn, broken)
}

func TestReadErrorEndsTheConnection(t *testing.T) {
	broken := errors.New("cable cut")
	p := connect(t, lineFraming, Options{})
	p.in.CloseWithError(broken)
	if err := p.ended(); !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "reading a message: ") {
		t.Errorf("Serve returned %v, want %v", err, broken)
	}
}

func TestCloseWritesWhatIsQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := connect(t, lineFraming, Options{Handler: untilCancelled, QueueBytes: 100})
		p.send(`{"jsonrpc":"2.0","id":1,"method":"turn"}`)
		synctest.Wait()
		sent := make(chan error, 3)
		for range 3 {
			go func() { sent <- p.conn.Notify(context.Background(), "note", []string{strings.Repeat("x", 60)}) }()
		}
		asked := p.call(context.Background(), "ask", nil)
		synctest.Wait()
		if err := p.conn.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := p.conn.Call(t.Context(), "later", nil); !errors.Is(err, ErrClosed) {
			t.Errorf("a later call: %v, want ErrClosed", err)
		}
		if err := p.conn.Close(); err != nil {
			t.Error(err)
		}
		if got := <-asked; !errors.Is(got.err, ErrClosed) {
			t.Errorf("a waiting call: %v, want ErrClosed", got.err)
		}
		rest, _ := io.ReadAll(p.r)
		if n := strings.Count(string(rest), `"note"`); n != 3 || !strings.Contains(string(rest), `"id":1,"error":{"code":-32800`) {
			t.Errorf("wrote %d of 3 notes:\n%s", n, rest)
		}
		for range 3 {
			if err := <-sent; err != nil {
				t.Error(err)
			}
		}
		if err := p.ended(); err != nil {
			t.Errorf("Serve returned %v, want nil", err)
		}
		if _, err := p.in.Write([]byte("x")); err == nil {
			t.Error("the reading half is still open")
		}
	})
}

// TestNothingIsWrittenBehindTheEnd has a writer that neither Close nor the
// wait of Serve can end.
func TestNothingIsWrittenBehindTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, feed := io.Pipe()
		release := make(chan struct{})
		writes := 0
		c := New(Lines(in, writerFunc(func(b []byte) (int, error) {
			writes++
			<-release
			return len(b), nil
		}), 0), Options{})
		served := make(chan error)
		go func() { served <- c.Serve(t.Context()) }()
		for range 3 {
			if err := c.Notify(t.Context(), "n", nil); err != nil {
				t.Fatal(err)
			}
		}
		feed.Close()
		if err := <-served; err != nil {
			t.Errorf("Serve returned %v, want nil", err)
		}
		close(release)
		synctest.Wait()
		if writes != 1 {
			t.Errorf("%d messages were written, want the one that had begun", writes)
		}
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestHandlersLearnWhyTheyEnd(t *testing.T) {
	p := connect(t, lineFraming, Options{CancelMethod: "$/cancel_request", Handler: func(context.Context, *Request) (any, error) {
		return Work(func(ctx context.Context) (any, error) { <-ctx.Done(); return context.Cause(ctx).Error(), nil }), nil
	}})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"turn"}`, `{"jsonrpc":"2.0","id":2,"method":"turn"}`,
		`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
	p.want(`{"jsonrpc":"2.0","id":1,"result":"context canceled"}`)
	p.in.Close()
	p.want(`{"jsonrpc":"2.0","id":2,"result":"connection is closed"}`)
}

func TestCloseInsideAHandler(t *testing.T) {
	var p *peer
	p = newPeer(t, lineFraming, Options{Handler: func(context.Context, *Request) (any, error) {
		return "bye", p.conn.Close()
	}}, 0)
	p.serve(t.Context())
	p.send(`{"jsonrpc":"2.0","id":1,"method":"shutdown"}`)
	p.want(`{"jsonrpc":"2.0","id":1,"result":"bye"}`)
	if err := p.ended(); err != nil {
		t.Errorf("Serve returned %v, want nil", err)
	}
}

func TestCloseBeforeServe(t *testing.T) {
	p := newPeer(t, lineFraming, Options{}, 0)
	if err := p.conn.Notify(t.Context(), "early", nil); err != nil {
		t.Error(err)
	}
	if err := p.conn.Close(); err != nil {
		t.Error(err)
	}
	if _, err := p.in.Write([]byte("x")); err == nil {
		t.Error("the stream is still open")
	}
	if err := p.conn.Serve(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("Serve after Close returned %v, want ErrClosed", err)
	}
	checkClosed(t, p.conn, ErrClosed)
}

func TestEarlyNotificationIsSentByServe(t *testing.T) {
	p := newPeer(t, lineFraming, Options{}, 0)
	if err := p.conn.Notify(t.Context(), "early", nil); err != nil {
		t.Error(err)
	}
	p.serve(t.Context())
	p.want(`{"jsonrpc":"2.0","method":"early"}`)
	if err := p.conn.Serve(t.Context()); err == nil || errors.Is(err, ErrClosed) {
		t.Errorf("a second Serve returned %v", err)
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p := newPeer(t, lineFraming, Options{Handler: untilCancelled}, 0)
		p.serve(ctx)
		p.send(`{"jsonrpc":"2.0","id":1,"method":"turn"}`)
		asked := p.call(context.Background(), "ask", nil)
		p.want(`{"jsonrpc":"2.0","id":1,"method":"ask"}`)
		synctest.Wait() // until the turn has been admitted
		cancel()
		p.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"request cancelled"}}`)
		if got := <-asked; !errors.Is(got.err, ErrClosed) || isCanceled(got.err) {
			t.Errorf("the call got %v, want ErrClosed and not the context of Serve", got.err)
		}
		if err := p.ended(); !isCanceled(err) {
			t.Errorf("Serve returned %v, want context.Canceled", err)
		}
	})
}

// TestServeDoesNotWaitForever has, in turn, a handler, a reader and a writer
// that do not end.
func TestServeDoesNotWaitForever(t *testing.T) {
	t.Run("handler that ignores its context", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			release := make(chan struct{})
			p := newPeer(t, lineFraming, Options{Handler: func(context.Context, *Request) (any, error) {
				return Work(func(context.Context) (any, error) { <-release; return nil, nil }), nil
			}}, 0)
			p.serve(ctx)
			p.send(`{"jsonrpc":"2.0","id":1,"method":"turn"}`)
			p.in.Close()
			time.Sleep(time.Hour)
			if len(p.served) != 0 {
				t.Error("Serve did not wait for a running handler")
			}
			start := time.Now()
			cancel()
			p.ended()
			if waited := time.Since(start); waited > time.Second {
				t.Errorf("Serve waited %v once its context had ended", waited)
			}
			close(release)
		})
	})
	t.Run("input that cannot be closed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			in, feed := io.Pipe()
			c := New(Lines(readerFunc(in.Read), io.Discard, 0), Options{})
			served := make(chan error)
			go func() { served <- c.Serve(t.Context()) }()
			synctest.Wait()
			start := time.Now()
			c.Close()
			if err := <-served; err != nil || time.Since(start) > time.Second {
				t.Errorf("Serve returned %v after %v", err, time.Since(start))
			}
			feed.Close()
		})
	})
	t.Run("peer that reads nothing", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := connect(t, lineFraming, Options{Handler: untilCancelled, QueueBytes: 50})
			p.send(`{"jsonrpc":"2.0","id":1,"method":"turn"}`, `{"jsonrpc":"2.0","id":2,"method":"turn"}`)
			for range 3 {
				p.send(`{"jsonrpc":"2.0","method":"x"}`)
			}
			start := time.Now()
			p.in.Close()
			if err := p.ended(); err != nil {
				t.Errorf("Serve returned %v, want nil", err)
			}
			if waited := time.Since(start); waited < drainTime || waited > drainTime+time.Second {
				t.Errorf("Serve returned after %v, want about %v", waited, drainTime)
			}
		})
	})
}
