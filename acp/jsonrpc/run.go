package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
)

var errInternal = &Error{Code: InternalError, Message: "internal error"}

// admit runs the handler and answers, or starts the Work that will.
func (c *Conn) admit(ctx context.Context, req *Request) {
	ctx, cancel := context.WithCancel(ctx)
	if refusal := c.enter(req, cancel); refusal != nil {
		cancel()
		if !req.IsNotification() {
			c.sendError(req.ID, refusal)
		}
		return
	}
	var result any
	var err error = errInternal
	c.guard(req, func() { result, err = c.opts.Handler(ctx, req) })
	work := asWork(result)
	if err != nil || work == nil {
		c.finish(ctx, req, result, err)
		cancel()
		return
	}
	go func() {
		defer cancel()
		var err error = errInternal
		c.guard(req, func() { result, err = work(ctx) })
		c.finish(ctx, req, result, err)
	}()
}

// asWork also takes a function that was returned without being converted,
// which an interface result does not do by itself.
func asWork(result any) Work {
	switch f := result.(type) {
	case Work:
		return f
	case func(context.Context) (any, error):
		return f
	}
	return nil
}

// enter counts req as running, or returns why it cannot run.
func (c *Conn) enter(req *Request, cancel context.CancelFunc) *Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed != nil {
		return &Error{Code: InternalError, Message: "the connection is ending"}
	}
	if !req.IsNotification() {
		if _, runs := c.running[req.ID]; runs {
			return &Error{Code: InvalidRequest, Message: "id is in use by a request that still runs"}
		}
		if c.inFlight >= c.opts.MaxInFlight {
			return &Error{Code: InternalError, Message: "too many requests run at once: wait for an answer, then send it again"}
		}
		c.inFlight++
		// Several requests may have the id null, and nobody can name one of them.
		if req.ID != nullID {
			c.running[req.ID] = cancel
		}
	}
	c.work.Add(1)
	return nil
}

// leave frees the id of req before its answer goes out: the peer may use it
// again as soon as it has read the answer.
func (c *Conn) leave(req *Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inFlight--
	delete(c.running, req.ID)
}

// finish answers req.
func (c *Conn) finish(ctx context.Context, req *Request, result any, err error) {
	defer c.work.Done()
	if req.IsNotification() {
		c.logNotification(req, err)
		return
	}
	msg := c.encodeAnswer(ctx, req, result, err)
	c.leave(req)
	c.send(msg)
	for _, f := range req.after {
		c.guard(req, f)
	}
}

func (c *Conn) encodeAnswer(ctx context.Context, req *Request, result any, err error) []byte {
	var msg []byte
	if err == nil {
		// A result may have a method of its own that encodes it, and panics.
		err = errInternal
		c.guard(req, func() { msg, err = c.encoder().result(req.ID, result) })
		if err == nil {
			return msg
		}
		c.log.Error("a result could not be encoded", "method", req.Method, "error", err)
		err = errInternal
	}
	return c.encoder().failure(req.ID, errorFor(ctx, err))
}

// errorFor maps the error of a handler whose context is ctx.
func errorFor(ctx context.Context, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok && e != nil {
		return e
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return &Error{Code: RequestCancelled, Message: "request cancelled"}
	}
	return &Error{Code: InternalError, Message: err.Error()}
}

func (c *Conn) logNotification(req *Request, err error) {
	switch e, _ := errors.AsType[*Error](err); {
	case err == nil:
	case e != nil && e.Code == MethodNotFound:
		c.log.Debug("ignored an unknown notification", "method", req.Method)
	default:
		c.log.Warn("a notification could not be handled", "method", req.Method, "error", err)
	}
}

// guard runs f and survives its panic.
func (c *Conn) guard(req *Request, f func()) {
	defer func() {
		if v := recover(); v != nil {
			c.log.Error("a handler panicked", "method", req.Method, "panic", panicText(v), "stack", string(debug.Stack()))
		}
	}()
	f()
}

// panicText shows a value only when the runtime made it: any other may hold
// what the peer sent.
func panicText(v any) string {
	if err, ok := v.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("value of type %T", v)
}
