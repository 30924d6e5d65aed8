package jsonrpc

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/go-json-experiment/json/jsontext"
)

func isCanceled(err error) bool { return errors.Is(err, context.Canceled) }

// syncBuffer is a log that a test reads while the connection writes it.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func (b *syncBuffer) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

type panicsInJSON struct{}

func (panicsInJSON) MarshalJSON() ([]byte, error) { panic("canary-secret") }

// outcomes are what a handler may return, and the rest of the answer.
var outcomes = map[string]struct {
	result any
	err    error
	want   string
}{
	"nil":              {nil, nil, `"result":null`},
	"empty raw":        {jsontext.Value(nil), nil, `"result":null`},
	"raw":              {jsontext.Value(`{ "a":1.50 }`), nil, `"result":{ "a":1.50 }`},
	"raw of v1":        {stdjson.RawMessage(`{ "a":1.50 }`), nil, `"result":{ "a":1.50 }`},
	"struct":           {struct{ A string }{"<&>\u2028"}, nil, "\"result\":{\"A\":\"<&>\u2028\"}"},
	"invalid UTF-8":    {"a\xffb", nil, "\"result\":\"a\ufffdb\""},
	"nil slice":        {[]int(nil), nil, `"result":[]`},
	"plain error":      {nil, errors.New("reading settings: file is locked, try again"), `"error":{"code":-32603,"message":"reading settings: file is locked, try again"}`},
	"typed error":      {nil, &Error{Code: -32011, Message: "locked"}, `"error":{"code":-32011,"message":"locked"}`},
	"wrapped error":    {nil, fmt.Errorf("writing: %w", &Error{Code: -32011, Message: "locked", Data: jsontext.Value(`{"pid": 7}`)}), `"error":{"code":-32011,"message":"locked","data":{"pid": 7}}`},
	"joined error":     {nil, errors.Join(errors.New("x"), &Error{Code: -32009, Message: "conflict"}), `"error":{"code":-32009,"message":"conflict"}`},
	"broken data":      {nil, &Error{Code: -32011, Message: "locked", Data: jsontext.Value(`{"pid"`)}, `"error":{"code":-32011,"message":"locked"}`},
	"error and result": {"r", &Error{Code: 1, Message: "m"}, `"error":{"code":1,"message":"m"}`},
	"deadline of its own": {nil, fmt.Errorf("asking upstream: %w", context.DeadlineExceeded),
		`"error":{"code":-32603,"message":"asking upstream: context deadline exceeded"}`},
	"cancelled elsewhere": {nil, context.Canceled, `"error":{"code":-32603,"message":"context canceled"}`},
	"broken raw":          {jsontext.Value(`{"canary-secret"`), nil, `"error":{"code":-32603,"message":"internal error"}`},
	"raw of bad UTF-8":    {jsontext.Value("\"\xff\""), nil, `"error":{"code":-32603,"message":"internal error"}`},
	"two raw values":      {jsontext.Value("1\n2"), nil, `"error":{"code":-32603,"message":"internal error"}`},
	"no JSON type":        {make(chan int), nil, `"error":{"code":-32603,"message":"internal error"}`},
	"panics in JSON":      {panicsInJSON{}, nil, `"error":{"code":-32603,"message":"internal error"}`},
}

func TestOutcomesOfHandlers(t *testing.T) {
	var log syncBuffer
	p := connect(t, lineFraming, Options{Logger: log.logger(), Handler: func(_ context.Context, req *Request) (any, error) {
		kind, name, _ := strings.Cut(req.Method, ":")
		o := outcomes[name]
		work := func(context.Context) (any, error) { return o.result, o.err }
		switch kind {
		case "work":
			return Work(work), nil
		case "func":
			return work, nil
		}
		return o.result, o.err
	}})
	for name, o := range outcomes {
		for _, kind := range []string{"now", "work", "func"} {
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"i","method":"%s:%s","params":{"a":"canary-secret"}}`, kind, name))
			if got, want := p.receive(), `{"jsonrpc":"2.0","id":"i",`+o.want+`}`; got != want {
				t.Errorf("%s, %s:\n got %s\nwant %s", name, kind, got, want)
			}
		}
	}
	if strings.Contains(log.String(), "canary-secret") {
		t.Errorf("the log holds a value:\n%s", log.String())
	}
}

func TestPanicIsAnsweredAndLogged(t *testing.T) {
	var log syncBuffer
	var none map[string]int
	boom := map[string]func(){
		"value":   func() { panic("canary-secret") },
		"error":   func() { panic(fmt.Errorf("canary-secret")) },
		"runtime": func() { none["x"] = 1 },
	}
	p := connect(t, lineFraming, Options{Logger: log.logger(), Handler: func(_ context.Context, req *Request) (any, error) {
		kind, when, _ := strings.Cut(req.Method, ":")
		switch when {
		case "admission":
			boom[kind]()
		case "after":
			req.AfterAnswer(boom[kind])
			return "ok", nil
		}
		return Work(func(context.Context) (any, error) { boom[kind](); return nil, nil }), nil
	}})
	for kind := range boom {
		for _, when := range []string{"admission", "work", "after"} {
			want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}`
			if when == "after" {
				want = `{"jsonrpc":"2.0","id":1,"result":"ok"}`
			}
			p.send(`{"jsonrpc":"2.0","id":1,"method":"` + kind + ":" + when + `"}`)
			p.want(want)
			p.send(`{"jsonrpc":"2.0","method":"` + kind + ":" + when + `"}`)
		}
	}
	p.send(`{"jsonrpc":"2.0","id":2,"method":"value:admission"}`)
	p.receive()
	text := log.String()
	for _, want := range []string{"method=runtime:work", "nil map", "handle_test.go", "value of type string"} {
		if !strings.Contains(text, want) {
			t.Errorf("the log lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "canary-secret") {
		t.Error("the log holds the value of a panic")
	}
}

func TestNotificationsAreNeverAnswered(t *testing.T) {
	var log syncBuffer
	p := connect(t, lineFraming, Options{Logger: log.logger(), Handler: func(_ context.Context, req *Request) (any, error) {
		switch req.Method {
		case "unknown":
			return nil, errMethodNotFound
		case "fails":
			return nil, errors.New("disk is full")
		case "works":
			return Work(func(context.Context) (any, error) { return nil, errors.New("disk is full") }), nil
		}
		return "result", nil
	}})
	p.send(`{"jsonrpc":"2.0","method":"unknown"}`, `{"jsonrpc":"2.0","method":"fails"}`, `{"jsonrpc":"2.0","method":"works"}`,
		`{"jsonrpc":"2.0","method":"fine"}`, `{"jsonrpc":"2.0","id":null,"method":"fine"}`)
	p.want(`{"jsonrpc":"2.0","id":null,"result":"result"}`)
	text := log.String()
	if !strings.Contains(text, `level=WARN msg="a notification could not be handled" method=fails error="disk is full"`) {
		t.Errorf("a failed notification left no trace:\n%s", text)
	}
	if strings.Contains(text, "level=WARN msg=\"a notification could not be handled\" method=unknown") {
		t.Errorf("an unknown notification is no reason to warn:\n%s", text)
	}
}

func TestWithoutHandlerNoMethodIsKnown(t *testing.T) {
	p := connect(t, lineFraming, Options{})
	p.send(`{"jsonrpc":"2.0","method":"x"}`, `{"jsonrpc":"2.0","id":1,"method":"x"}`)
	p.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found"}}`)
}

// untilCancelled runs until its context ends; "stubborn" answers all the same.
func untilCancelled(_ context.Context, req *Request) (any, error) {
	switch req.Method {
	case "ping":
		return "pong", nil
	case "stubborn":
		return Work(func(ctx context.Context) (any, error) { <-ctx.Done(); return "stopped", nil }), nil
	}
	return Work(func(ctx context.Context) (any, error) {
		<-ctx.Done()
		return nil, fmt.Errorf("running a turn: %w", ctx.Err())
	}), nil
}

func TestCancelRequest(t *testing.T) {
	const cancelled = `"error":{"code":-32800,"message":"request cancelled"}`
	tests := []struct{ id, method, params, want string }{
		{`1`, "turn", `{"requestId":1}`, cancelled},
		{`1.50`, "turn", `{"requestId":1.50}`, cancelled},
		{`"a"`, "turn", `{"requestId":"a"}`, cancelled},
		{`2`, "turn", `{"id":2}`, cancelled},
		{`3`, "stubborn", `{"requestId":3,"_meta":{}}`, `"result":"stopped"`},
	}
	eachFraming(t, func(t *testing.T, fr framing) {
		p := connect(t, fr, Options{CancelMethod: "$/cancel_request", Handler: untilCancelled})
		for _, tt := range tests {
			p.send(`{"jsonrpc":"2.0","id":`+tt.id+`,"method":"`+tt.method+`"}`,
				`{"jsonrpc":"2.0","method":"$/cancel_request","params":`+tt.params+`}`)
			p.want(`{"jsonrpc":"2.0","id":` + tt.id + `,` + tt.want + `}`)
		}
	})
}

func TestCancelRequestThatNamesNothingIsIgnored(t *testing.T) {
	p := connect(t, lineFraming, Options{CancelMethod: "$/cancel_request", Handler: untilCancelled})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"turn"}`, `{"jsonrpc":"2.0","id":null,"method":"turn"}`)
	for _, params := range []string{`{"requestId":7}`, `{"requestId":"1"}`, `{"requestId":null}`, `{}`, `[1]`, `null`, `{"requestId":{"a":1}}`} {
		p.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":` + params + `}`)
	}
	p.send(`{"jsonrpc":"2.0","method":"$/cancel_request"}`, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	p.want(`{"jsonrpc":"2.0","id":2,"result":"pong"}`)
	p.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
	p.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"request cancelled"}}`)
}

func TestRequestsBeyondTheLimitAreRefused(t *testing.T) {
	p := connect(t, lineFraming, Options{CancelMethod: "$/cancel_request", MaxInFlight: 2, Handler: untilCancelled})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"turn"}`, `{"jsonrpc":"2.0","id":null,"method":"turn"}`, `{"jsonrpc":"2.0","id":3,"method":"turn"}`)
	checkError(t, p.receive(), "3", InternalError, "too many requests")
	// A notification is what frees a place, so it must always get through.
	p.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
	checkError(t, p.receive(), "1", RequestCancelled, "cancelled")
	p.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	p.want(`{"jsonrpc":"2.0","id":1,"result":"pong"}`)
}

func TestIDOfARunningRequestIsNotReused(t *testing.T) {
	p := connect(t, lineFraming, Options{CancelMethod: "$/cancel_request", Handler: untilCancelled})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"turn"}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	checkError(t, p.receive(), "1", InvalidRequest, "in use")
	p.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
	checkError(t, p.receive(), "1", RequestCancelled, "cancelled")
	p.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	p.want(`{"jsonrpc":"2.0","id":1,"result":"pong"}`)
}

// TestIDIsFreeBeforeItsAnswerLeaves holds the answer in a full queue: a peer
// may use an id again as soon as it has read the answer.
func TestIDIsFreeBeforeItsAnswerLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := connect(t, lineFraming, Options{QueueBytes: 1, Handler: func(context.Context, *Request) (any, error) {
			return Work(func(context.Context) (any, error) { return "done", nil }), nil
		}})
		if err := p.conn.Notify(t.Context(), "first", nil); err != nil {
			t.Fatal(err)
		}
		p.send(`{"jsonrpc":"2.0","id":1,"method":"x"}`)
		synctest.Wait()
		if n := len(p.conn.running); n != 0 || p.conn.out.waiters.Len() != 1 {
			t.Errorf("%d ids are in use while %d answers wait for room, want 0 and 1", n, p.conn.out.waiters.Len())
		}
		p.want(`{"jsonrpc":"2.0","method":"first"}`, `{"jsonrpc":"2.0","id":1,"result":"done"}`)
	})
}

func TestNullIDMayBeUsedBySeveralRequests(t *testing.T) {
	p := connect(t, lineFraming, Options{CancelMethod: "$/cancel_request", Handler: untilCancelled})
	p.send(`{"jsonrpc":"2.0","id":null,"method":"turn"}`, `{"jsonrpc":"2.0","id":null,"method":"turn"}`,
		`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":null}}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`)
	p.want(`{"jsonrpc":"2.0","id":null,"result":"pong"}`)
}

func TestContextEndsBehindTheAnswer(t *testing.T) {
	contexts := make(chan context.Context, 2)
	p := connect(t, lineFraming, Options{Handler: func(ctx context.Context, req *Request) (any, error) {
		req.AfterAnswer(func() {
			if ctx.Err() != nil {
				t.Error("the context ended before what runs after the answer")
			}
			contexts <- ctx
		})
		if req.Method == "work" {
			return Work(func(context.Context) (any, error) { return nil, nil }), nil
		}
		return nil, nil
	}})
	for _, method := range []string{"now", "work"} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"` + method + `"}`)
		p.receive()
		<-(<-contexts).Done()
	}
}
