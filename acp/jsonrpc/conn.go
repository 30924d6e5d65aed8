// Package jsonrpc is one ordered JSON-RPC 2.0 connection.
//
// It promises four things. Messages are admitted in the order in which they
// arrive, so a cancellation sent behind a request is never seen before it.
// Messages leave in the order in which they were handed over, so an answer
// never overtakes the notifications before it. Nothing that was accepted is
// dropped while the connection lives: a full queue makes the sender wait.
// Nothing that a peer sends, however malformed, ends the connection as long as
// the beginning of the next message can be found.
//
// How messages are told apart on the stream is a Framer's affair: Lines for
// one message per line, Headers for Content-Length. JSON passes through
// without being rewritten: ids, numbers and raw values keep their text.
package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

const (
	defaultInFlight   = 1024
	defaultQueueBytes = 16 << 20

	// grace is how long Serve still waits once its context has ended, and how
	// long it waits for a Read or Write that Close should have ended.
	grace = 250 * time.Millisecond

	// drainTime bounds the writing of what is queued when the peer has ended
	// the connection and no longer reads.
	drainTime = 5 * time.Second
)

// Options says how a connection behaves; the zero value is a strict JSON-RPC
// 2.0 peer that knows no method.
type Options struct {
	// Handler admits requests and notifications; without one every request is
	// answered with MethodNotFound.
	Handler Handler

	// OmitVersion leaves the jsonrpc member out of what is sent and does not
	// ask for it in what arrives.
	OmitVersion bool

	// VersionOptional accepts requests and notifications without a jsonrpc
	// member.
	VersionOptional bool

	// CancelMethod is the notification, such as "$/cancel_request", that
	// cancels the request named by its requestId (or id), in both directions.
	// Empty means that the peer knows no such notification.
	CancelMethod string

	// MaxInFlight bounds the requests of the peer that run at once; those
	// beyond it are refused with an error. Zero means 1024.
	MaxInFlight int

	// QueueBytes bounds the messages that wait to be written. Zero means
	// 16 MiB. One message larger than that is sent when the queue is empty.
	QueueBytes int

	// Logger gets methods, ids, sizes and errors, never params or results. Nil
	// logs nothing.
	Logger *slog.Logger
}

// Conn is one connection; its methods may be called from any goroutine.
type Conn struct {
	framer Framer
	opts   Options
	log    *slog.Logger
	out    *queue

	stop     chan struct{}
	stopOnce sync.Once
	done     chan struct{}
	work     sync.WaitGroup

	mu       sync.Mutex
	started  bool
	closed   error // not nil once no request and no call is admitted any more
	lastID   int64
	pending  map[ID]chan answer
	running  map[ID]context.CancelFunc
	inFlight int
}

// New returns a connection over f, which the connection closes at its end.
// Nothing is read or written before Serve runs.
func New(f Framer, opts Options) *Conn {
	if opts.MaxInFlight <= 0 {
		opts.MaxInFlight = defaultInFlight
	}
	if opts.QueueBytes <= 0 {
		opts.QueueBytes = defaultQueueBytes
	}
	if opts.Handler == nil {
		opts.Handler = func(context.Context, *Request) (any, error) { return nil, errMethodNotFound }
	}
	log := opts.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Conn{
		framer:  f,
		opts:    opts,
		log:     log,
		out:     newQueue(opts.QueueBytes),
		stop:    make(chan struct{}),
		done:    make(chan struct{}),
		pending: make(map[ID]chan answer),
		running: make(map[ID]context.CancelFunc),
	}
}

// Serve runs the connection until the peer ends it, Close is called, ctx ends
// or reading or writing fails; it may be called once.
//
// At the end it cancels the running handlers, with ErrClosed as the cause when
// the peer ended its input or Close was called, waits for them, and writes what
// is queued. It waits as long as the handlers need, but only a moment once ctx
// has ended. It returns nil after the end of input or Close, and otherwise the
// error that ended the connection. A Read that does not end when the framer is
// closed, as on a terminal, keeps its goroutine until it returns.
func (c *Conn) Serve(ctx context.Context) error {
	if err := c.begin(); err != nil {
		return err
	}
	defer close(c.done)

	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	read := start(func() error { return c.readLoop(run) })
	write := start(c.writeLoop)

	cause := c.untilEnd(ctx, read, write)
	c.refuse(cause)
	cancel(ErrClosed)
	c.windDown(ctx, read, write)
	return cause
}

// Close asks Serve to end the connection as if the peer had ended its input,
// and makes waiting and later calls fail with ErrClosed. It does not wait for
// the end, so a handler may call it; Done tells when it has come.
func (c *Conn) Close() error {
	c.refuse(nil)
	c.stopOnce.Do(func() { close(c.stop) })

	c.mu.Lock()
	defer c.mu.Unlock()
	if c.started {
		return nil
	}
	c.started = true
	c.out.abort(ErrClosed)
	close(c.done)
	return c.framer.Close()
}

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// loop is a goroutine of Serve; err may be read once done is closed.
type loop struct {
	done chan struct{}
	err  error
}

func start(f func() error) *loop {
	l := &loop{done: make(chan struct{})}
	go func() {
		defer close(l.done)
		l.err = f()
	}()
	return l
}

func (c *Conn) begin() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed != nil {
		return c.closed
	}
	if c.started {
		return errors.New("serving a connection: it is being served already")
	}
	c.started = true
	return nil
}

func (c *Conn) untilEnd(ctx context.Context, read, write *loop) error {
	select {
	case <-read.done:
		return read.err
	case <-write.done:
		return write.err
	case <-c.stop:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// windDown lets handlers answer and the writer finish, then closes the framer.
func (c *Conn) windDown(ctx context.Context, read, write *loop) {
	limit, release := graceAfter(ctx)
	defer release()

	// A handler that waits for room could not end while the peer reads nothing.
	c.out.unbound()
	idle := start(func() error { c.work.Wait(); return nil })
	await(limit, idle)

	c.out.finish(ErrClosed)
	drain, cancel := context.WithTimeout(limit, drainTime)
	defer cancel()
	await(drain, write)

	c.out.abort(ErrClosed)
	if err := c.framer.Close(); err != nil {
		c.log.Debug("closing the stream failed", "error", err)
	}
	last, cancelLast := context.WithTimeout(context.Background(), grace)
	defer cancelLast()
	await(last, read)
	await(last, write)
}

// graceAfter returns a context that ends a moment after ctx.
func graceAfter(ctx context.Context) (context.Context, context.CancelFunc) {
	limit, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(grace):
			cancel()
		case <-limit.Done():
		}
	})
	return limit, func() { stop(); cancel() }
}

func await(ctx context.Context, l *loop) {
	select {
	case <-l.done:
	case <-ctx.Done():
	}
}

func (c *Conn) writeLoop() error {
	for {
		msg, ok := c.out.next()
		if !ok {
			return nil
		}
		err := c.framer.Write(msg)
		c.out.wrote(msg)
		if err != nil {
			err = fmt.Errorf("writing a message: %w", err)
			c.out.abort(closedBy(err))
			return err
		}
	}
}

func (c *Conn) readLoop(ctx context.Context) error {
	for ctx.Err() == nil {
		msg, err := c.framer.Read()
		switch {
		case err == nil:
			c.dispatch(ctx, msg)
		case errors.Is(err, ErrTooLong):
			c.sendError(nullID, &Error{Code: InvalidRequest, Message: err.Error()})
		case err == io.EOF:
			return nil
		default:
			if errors.Is(err, ErrFraming) {
				c.sendError(nullID, &Error{Code: InvalidRequest, Message: err.Error()})
			}
			return fmt.Errorf("reading a message: %w", err)
		}
	}
	return nil
}
