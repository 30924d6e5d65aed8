package jsonrpc

import (
	"context"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// answer is what a waiting Call gets.
type answer struct {
	result jsontext.Value
	err    error
}

// Call sends a request and waits for its answer, which is never nil without an
// error and is the caller's. Params are encoded as JSON; nil sends none. An
// error answer is found as *Error, the end of the connection as ErrClosed.
//
// When ctx ends first, the peer is told with CancelMethod, if the request was
// sent, and an answer that still comes is dropped.
func (c *Conn) Call(ctx context.Context, method string, params any) (jsontext.Value, error) {
	result, err := c.call(ctx, method, params)
	if err != nil {
		return nil, fmt.Errorf("calling %s: %w", method, err)
	}
	return result, nil
}

func (c *Conn) call(ctx context.Context, method string, params any) (jsontext.Value, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	id, reply, err := c.expect()
	if err != nil {
		return nil, err
	}
	msg, err := c.encoder().request(id, method, params)
	if err == nil {
		err = c.out.push(ctx, msg)
	}
	if err != nil {
		c.forget(id)
		return nil, err
	}
	select {
	case a := <-reply:
		return a.result, a.err
	case <-ctx.Done():
	}
	if !c.forget(id) {
		// The answer came at the same moment.
		a := <-reply
		return a.result, a.err
	}
	c.sendCancel(id)
	return nil, ctx.Err()
}

// Notify sends a notification. It waits for room in the queue, not for the
// peer; an error means that nothing will be sent.
func (c *Conn) Notify(ctx context.Context, method string, params any) error {
	err := ctx.Err()
	var msg []byte
	if err == nil {
		msg, err = c.encoder().request("", method, params)
	}
	if err == nil {
		err = c.out.push(ctx, msg)
	}
	if err != nil {
		return fmt.Errorf("notifying %s: %w", method, err)
	}
	return nil
}

func (c *Conn) encoder() writer { return writer{omitVersion: c.opts.OmitVersion} }

// expect reserves the next id; ids are never used twice, so that a late answer
// cannot be taken for another request's.
func (c *Conn) expect() (ID, <-chan answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed != nil {
		return "", nil, c.closed
	}
	c.lastID++
	id := ID(strconv.FormatInt(c.lastID, 10))
	reply := make(chan answer, 1)
	c.pending[id] = reply
	return id, reply, nil
}

// forget gives up waiting and reports whether the answer had not come.
func (c *Conn) forget(id ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, waits := c.pending[id]
	delete(c.pending, id)
	return waits
}

// resolve hands an answer to its Call and reports whether one waits for it.
func (c *Conn) resolve(id ID, a answer) bool {
	c.mu.Lock()
	reply, waits := c.pending[id]
	delete(c.pending, id)
	c.mu.Unlock()
	if waits {
		reply <- a
	}
	return waits
}

// refuse admits no further request and call and fails the calls that wait.
func (c *Conn) refuse(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed == nil {
		c.closed = closedBy(cause)
	}
	for id, reply := range c.pending {
		delete(c.pending, id)
		reply <- answer{err: c.closed}
	}
}

func (c *Conn) sendCancel(id ID) {
	if c.opts.CancelMethod == "" {
		return
	}
	params := jsontext.Value(`{"requestId":` + string(id) + `}`)
	msg, err := c.encoder().request("", c.opts.CancelMethod, params)
	// The caller's context has ended, so this small message cannot wait for room.
	if err != nil || !c.out.pushNow(msg) {
		c.log.Debug("cancelling a call was not possible", "id", string(id), "error", err)
	}
}
