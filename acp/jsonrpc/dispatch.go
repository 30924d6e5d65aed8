package jsonrpc

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// dispatch handles one message on the read loop.
func (c *Conn) dispatch(ctx context.Context, text []byte) {
	m, problem := parse(text, !c.opts.OmitVersion && !c.opts.VersionOptional)
	switch {
	case m.isAnswer():
		c.takeAnswer(&m, problem)
	case problem != nil:
		c.log.Debug("refused a message", "code", problem.Code, "bytes", len(text))
		c.sendError(m.id, problem)
	case m.hasMethod && m.id == "" && m.method == c.opts.CancelMethod && m.method != "":
		c.cancelRunning(m.params)
	case m.hasMethod:
		c.admit(ctx, &Request{Method: m.method, Params: m.params, ID: m.id})
	default:
		// JavaScript leaves out a result that is undefined.
		if m.id == "" || !c.resolve(m.id, answer{result: jsontext.Value("null")}) {
			c.sendError(m.id, &Error{Code: InvalidRequest, Message: "method is missing"})
		}
	}
}

func (c *Conn) takeAnswer(m *message, problem *Error) {
	a := answer{result: m.result}
	switch {
	case problem != nil:
		a = answer{err: fmt.Errorf("the answer is malformed: %s", problem.Message)}
	case m.failure != nil:
		a = answer{err: decodeError(m.failure)}
	}
	if !c.resolve(m.id, a) {
		c.log.Debug("dropped an answer that nobody waits for", "id", string(m.id))
	}
}

// sendError answers a message that cannot be handled.
func (c *Conn) sendError(id ID, e *Error) {
	if id == "" {
		id = nullID
	}
	c.send(c.encoder().failure(id, e))
}

// send queues an answer. It waits for room as long as the connection lives,
// which keeps a peer that reads nothing from filling the memory.
func (c *Conn) send(msg []byte) {
	if err := c.out.push(context.Background(), msg); err != nil {
		c.log.Debug("dropped an answer", "error", err)
	}
}

// cancelRunning ends the context of the request that params name.
func (c *Conn) cancelRunning(params jsontext.Value) {
	var p struct {
		RequestID jsontext.Value `json:"requestId"`
		ID        jsontext.Value `json:"id"`
	}
	if err := json.Unmarshal(params, &p, rawText); err != nil {
		c.log.Debug("ignored a malformed cancellation")
		return
	}
	id := ID(p.RequestID)
	if id == "" {
		id = ID(p.ID)
	}
	c.mu.Lock()
	cancel := c.running[id]
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}
