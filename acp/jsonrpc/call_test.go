package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// called is how a Call ended.
type called struct {
	result jsontext.Value
	err    error
}

func (p *peer) call(ctx context.Context, method string, params any) <-chan called {
	ended := make(chan called, 1)
	go func() {
		result, err := p.conn.Call(ctx, method, params)
		ended <- called{result, err}
	}()
	return ended
}

func TestCallAnswers(t *testing.T) {
	tests := []struct {
		name, answer string // the members behind the id
		result       string
		code         int64
		data         string
	}{
		{"result", `,"result":{"n": 1.50}`, `{"n": 1.50}`, 0, ""},
		{"null", `,"result":null`, `null`, 0, ""},
		{"left out", ``, `null`, 0, ""},
		{"null error beside it", `,"error":null,"result":1`, `1`, 0, ""},
		{"error", `,"error":{"code":-32004,"message":"Session is not active","data":{"a": 1}}`, "", -32004, `{"a": 1}`},
		{"null result beside it", `,"result":null,"error":{"code":7,"message":"m"}`, "", 7, ""},
		{"error of another shape", `,"error":"broken"`, "", InternalError, `"broken"`},
	}
	for _, version := range []bool{true, false} {
		p := connect(t, lineFraming, Options{OmitVersion: !version})
		head := `{`
		if version {
			head = `{"jsonrpc":"2.0",`
		}
		for i, tt := range tests {
			ended := p.call(t.Context(), "m<>", []string{"<&>"})
			id := fmt.Sprint(i + 1)
			p.want(head + `"id":` + id + `,"method":"m<>","params":["<&>"]}`)
			p.send(head + `"id":` + id + tt.answer + `}`)
			got := <-ended
			if string(got.result) != tt.result {
				t.Errorf("%s: result %s, want %s", tt.name, got.result, tt.result)
			}
			e, isError := errors.AsType[*Error](got.err)
			if isError != (tt.code != 0) || (isError && (e.Code != tt.code || string(e.Data) != tt.data)) {
				t.Errorf("%s: error %+v, want code %d and data %s", tt.name, got.err, tt.code, tt.data)
			}
			if got.err != nil && !strings.HasPrefix(got.err.Error(), "calling m<>: ") {
				t.Errorf("%s: %q does not say what was being done", tt.name, got.err)
			}
		}
	}
}

func TestMalformedAnswerFailsItsCall(t *testing.T) {
	p := connect(t, lineFraming, Options{})
	ended := p.call(t.Context(), "m", nil)
	p.want(`{"jsonrpc":"2.0","id":1,"method":"m"}`)
	p.send(`{"jsonrpc":"2.0","id":1,"result":1,"result":2}`)
	if got := <-ended; got.err == nil || !strings.Contains(got.err.Error(), "malformed") {
		t.Errorf("got %s, %v, want an error", got.result, got.err)
	}
}

func TestParamsThatCannotBeSent(t *testing.T) {
	p := connect(t, lineFraming, Options{})
	for _, params := range []any{1, "text", true, make(chan int), jsontext.Value(`{`), jsontext.Value(`"a"`)} {
		if err := p.conn.Notify(t.Context(), "m", params); err == nil {
			t.Errorf("Notify sent %v", params)
		}
		if _, err := p.conn.Call(t.Context(), "m", params); err == nil {
			t.Errorf("Call sent %v", params)
		}
	}
	if err := p.conn.Notify(t.Context(), "bad\xff", nil); err == nil {
		t.Error("Notify sent a method that is not UTF-8")
	}
	var none *struct{}
	for _, params := range []any{nil, none, jsontext.Value(nil), jsontext.Value("null")} {
		if err := p.conn.Notify(t.Context(), "m", params); err != nil {
			t.Error(err)
		}
		p.want(`{"jsonrpc":"2.0","method":"m"}`)
	}
	if n := len(p.conn.pending); n != 0 {
		t.Errorf("%d calls that were never sent wait for an answer", n)
	}
}

func TestAnswersFindTheirCallInAnyOrder(t *testing.T) {
	const n = 100
	p := connect(t, lineFraming, Options{})
	var calls sync.WaitGroup
	for i := range n {
		calls.Go(func() {
			want := fmt.Sprintf(`"%d"`, i)
			if got, err := p.conn.Call(t.Context(), "m", []int{i}); err != nil || string(got) != want {
				t.Errorf("call %d: got %s, %v, want %s", i, got, err, want)
			}
		})
	}
	answers := make([]string, n)
	for i := range n {
		var id, value int
		if _, err := fmt.Sscanf(p.receive(), `{"jsonrpc":"2.0","id":%d,"method":"m","params":[%d]}`, &id, &value); err != nil {
			t.Fatal(err)
		}
		answers[n-1-i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"%d"}`, id, value)
	}
	p.send(answers...)
	calls.Wait()
}

func TestCallTimesOutTellsThePeerAndDropsTheLateAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := connect(t, lineFraming, Options{CancelMethod: "$/cancel_request"})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		first := p.call(ctx, "slow", nil)
		p.want(`{"jsonrpc":"2.0","id":1,"method":"slow"}`, `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
		if got := <-first; !errors.Is(got.err, context.DeadlineExceeded) {
			t.Errorf("got %v, want context.DeadlineExceeded", got.err)
		}
		if n := len(p.conn.pending); n != 0 {
			t.Errorf("%d calls that gave up still wait for an answer", n)
		}

		second := p.call(t.Context(), "next", nil)
		p.want(`{"jsonrpc":"2.0","id":2,"method":"next"}`)
		p.send(`{"jsonrpc":"2.0","id":1,"result":"late"}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"late"}}`)
		synctest.Wait()
		if len(second) != 0 {
			t.Fatal("a late answer went to another request")
		}
		p.send(`{"jsonrpc":"2.0","id":"2","result":"other type"}`, `{"jsonrpc":"2.0","id":2,"result":"mine"}`)
		if got := <-second; string(got.result) != `"mine"` {
			t.Errorf("got %s, %v", got.result, got.err)
		}
	})
}

func TestWithoutCancelMethodNothingIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := connect(t, lineFraming, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		ended := p.call(ctx, "slow", nil)
		p.want(`{"jsonrpc":"2.0","id":1,"method":"slow"}`)
		cancel()
		<-ended
		if err := p.conn.Notify(t.Context(), "behind", nil); err != nil {
			t.Fatal(err)
		}
		p.want(`{"jsonrpc":"2.0","method":"behind"}`)
	})
}

func TestAnswersWithoutACallAreDropped(t *testing.T) {
	var log syncBuffer
	p := connect(t, lineFraming, Options{Handler: echo, Logger: log.logger()})
	p.send(`{"jsonrpc":"2.0","id":99,"result":"canary-secret"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"canary-secret"}}`,
		`{"jsonrpc":"2.0","result":1}`, `{"jsonrpc":"2.0","id":1,"method":"x"}`)
	p.want(`{"jsonrpc":"2.0","id":1,"result":null}`)
	if text := log.String(); strings.Count(text, "level=DEBUG msg=\"dropped an answer that nobody waits for\"") != 3 || strings.Contains(text, "canary-secret") {
		t.Errorf("the log is\n%s", text)
	}
}

// TestWorkMayCallThePeer is the question that an agent asks during a turn.
func TestWorkMayCallThePeer(t *testing.T) {
	eachFraming(t, func(t *testing.T, fr framing) {
		var p *peer
		p = newPeer(t, fr, Options{Handler: func(context.Context, *Request) (any, error) {
			return Work(func(ctx context.Context) (any, error) {
				return p.conn.Call(ctx, "session/request_permission", map[string]int{"a": 1})
			}), nil
		}}, 0)
		p.serve(t.Context())
		p.send(`{"jsonrpc":"2.0","id":1,"method":"session/prompt"}`)
		p.want(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"a":1}}`)
		p.send(`{"jsonrpc":"2.0","id":1,"result":{"outcome": {}}}`)
		p.want(`{"jsonrpc":"2.0","id":1,"result":{"outcome": {}}}`)

		// The error of the peer passes through with its code and data.
		p.send(`{"jsonrpc":"2.0","id":2,"method":"session/prompt"}`)
		p.receive()
		p.send(`{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"sign in first","data":[1.0]}}`)
		p.want(`{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"sign in first","data":[1.0]}}`)
	})
}
