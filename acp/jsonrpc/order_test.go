package jsonrpc

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/go-json-experiment/json/jsontext"
)

// TestCancelNeverOvertakesPrompt sends a cancellation right behind each
// prompt: the prompt must have been registered when the cancellation comes.
func TestCancelNeverOvertakesPrompt(t *testing.T) {
	const pairs = 300
	eachFraming(t, func(t *testing.T, fr framing) {
		var current context.CancelFunc
		early := 0
		p := connect(t, fr, Options{Handler: func(ctx context.Context, req *Request) (any, error) {
			switch req.Method {
			case "session/prompt":
				turn, cancel := context.WithCancel(ctx)
				current = cancel
				return Work(func(context.Context) (any, error) {
					<-turn.Done()
					return map[string]string{"stopReason": "cancelled"}, nil
				}), nil
			case "session/cancel":
				if current == nil {
					early++
					return nil, nil
				}
				current()
				current = nil
			case "early":
				return early, nil
			}
			return nil, nil
		}})
		for i := range pairs {
			p.sendRaw(fr.frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{}}`, i)) +
				fr.frame(`{"jsonrpc":"2.0","method":"session/cancel","params":{}}`))
			p.want(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"stopReason":"cancelled"}}`, i))
		}
		p.send(`{"jsonrpc":"2.0","id":"q","method":"early"}`)
		p.want(`{"jsonrpc":"2.0","id":"q","result":0}`)
	})
}

func TestHandlersAreAdmittedInWireOrder(t *testing.T) {
	const n = 500
	var got []string // written on the read loop only
	p := connect(t, lineFraming, Options{Handler: func(_ context.Context, req *Request) (any, error) {
		if req.Method == "list" {
			return strings.Join(got, ","), nil
		}
		got = append(got, req.Method)
		return nil, nil
	}})
	var input strings.Builder
	var want []string
	for i := range n {
		want = append(want, fmt.Sprint(i))
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","method":"%d"}`+"\n", i)
	}
	p.sendRaw(input.String())
	p.send(`{"jsonrpc":"2.0","id":1,"method":"list"}`)
	p.want(`{"jsonrpc":"2.0","id":1,"result":"` + strings.Join(want, ",") + `"}`)
}

// TestAnswerLeavesBehindItsNotifications also checks what AfterAnswer sends.
func TestAnswerLeavesBehindItsNotifications(t *testing.T) {
	update := func(i int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","method":"update","params":[%d]}`, i) }
	var p *peer
	notify := func(ctx context.Context, i int) {
		if err := p.conn.Notify(ctx, "update", []int{i}); err != nil {
			t.Errorf("update %d: %v", i, err)
		}
	}
	p = newPeer(t, lineFraming, Options{Handler: func(ctx context.Context, req *Request) (any, error) {
		req.AfterAnswer(func() { notify(ctx, 100) })
		answer := func(ctx context.Context) (any, error) {
			for i := range 100 {
				notify(ctx, i)
			}
			req.AfterAnswer(func() { notify(ctx, 101) })
			return "done", nil
		}
		if req.Method == "long" {
			return Work(answer), nil
		}
		return answer(ctx)
	}}, 0)
	p.serve(t.Context())
	for _, method := range []string{"long", "short"} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"` + method + `"}`)
		for i := range 100 {
			p.want(update(i))
		}
		p.want(`{"jsonrpc":"2.0","id":1,"result":"done"}`, update(100), update(101))
	}
}

// TestSlowReaderLosesNothing fills the queue before anything is read.
func TestSlowReaderLosesNothing(t *testing.T) {
	const senders, each, limit = 4, 300, 1000
	eachFraming(t, func(t *testing.T, fr framing) {
		synctest.Test(t, func(t *testing.T) {
			p := connect(t, fr, Options{QueueBytes: limit})
			var sent sync.WaitGroup
			for s := range senders {
				sent.Go(func() {
					for i := range each {
						if err := p.conn.Notify(t.Context(), "n", []int{s, i}); err != nil {
							t.Errorf("sender %d: %v", s, err)
						}
					}
				})
			}
			synctest.Wait()
			p.conn.out.mu.Lock()
			size, waiting := p.conn.out.size, p.conn.out.waiters.Len()
			p.conn.out.mu.Unlock()
			if size > limit || size < limit-100 || waiting != senders {
				t.Errorf("with a reader that sleeps %d bytes are queued and %d senders wait, want up to %d and %d", size, waiting, limit, senders)
			}
			var next [senders]int
			for range senders * each {
				var s, i int
				if _, err := fmt.Sscanf(p.receive(), `{"jsonrpc":"2.0","method":"n","params":[%d,%d]}`, &s, &i); err != nil {
					t.Fatal(err)
				}
				if next[s] != i {
					t.Fatalf("sender %d: received %d, want %d", s, i, next[s])
				}
				next[s]++
			}
			sent.Wait()
		})
	})
}

func TestWaitingForRoomEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := connect(t, lineFraming, Options{QueueBytes: 10, CancelMethod: "$/cancel_request"})
		first := make(chan error)
		go func() { first <- p.conn.Notify(t.Context(), "first", nil) }()
		synctest.Wait()
		if err := <-first; err != nil {
			t.Fatalf("a message larger than an empty queue: %v", err)
		}

		ctx, cancel := context.WithCancel(t.Context())
		waits := make(chan error, 2)
		go func() { waits <- p.conn.Notify(ctx, "given-up", nil) }()
		go func() { _, err := p.conn.Call(ctx, "given-up", nil); waits <- err }()
		synctest.Wait()
		last := make(chan error, 1)
		go func() { last <- p.conn.Notify(t.Context(), "last", nil) }()
		synctest.Wait()
		if len(waits)+len(last) != 0 {
			t.Fatal("a full queue took a message")
		}
		cancel()
		for range 2 {
			if err := <-waits; !isCanceled(err) {
				t.Errorf("got %v, want context.Canceled", err)
			}
		}
		// A request that never left needs no cancellation.
		p.want(`{"jsonrpc":"2.0","method":"first"}`, `{"jsonrpc":"2.0","method":"last"}`)
		if err := <-last; err != nil {
			t.Error(err)
		}
		if err := p.conn.Notify(ctx, "never", nil); !isCanceled(err) {
			t.Errorf("with an ended context: got %v, want context.Canceled", err)
		}
		if _, err := p.conn.Call(ctx, "never", nil); !isCanceled(err) {
			t.Errorf("with an ended context: got %v, want context.Canceled", err)
		}
	})
}

// TestSmallMessageTakesTheRoomOfOneThatGaveUp keeps the queue from stalling
// behind a message that nobody waits for any more.
func TestSmallMessageTakesTheRoomOfOneThatGaveUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(10)
		if err := q.push(t.Context(), make([]byte, 5)); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		big := make(chan error, 1)
		go func() { big <- q.push(ctx, make([]byte, 8)) }()
		synctest.Wait()
		small := make(chan error, 1)
		go func() { small <- q.push(t.Context(), make([]byte, 3)) }()
		synctest.Wait()
		if len(small) != 0 {
			t.Error("the small message overtook the big one")
		}
		cancel()
		if err := <-big; !isCanceled(err) {
			t.Errorf("got %v, want context.Canceled", err)
		}
		if err := <-small; err != nil {
			t.Errorf("the small message: %v", err)
		}
	})
}

func TestValuesKeepTheirBytes(t *testing.T) {
	values := []string{
		`1`, `-1`, `1.50`, `12345678901234567890123`, `1e400`, `-0`, `"a"`, `"\u0061\/<&>"`, `"\ud83d"`, `"ä😀"`,
	}
	eachFraming(t, func(t *testing.T, fr framing) {
		p := connect(t, fr, Options{Handler: func(_ context.Context, req *Request) (any, error) {
			if req.Method == "inside" {
				return struct {
					V jsontext.Value `json:"v"`
				}{req.Params}, nil
			}
			return req.Params, nil
		}})
		for _, v := range values {
			p.send(`{"jsonrpc":"2.0","id":` + v + `,"method":"x","params":[` + v + `, {"k" : ` + v + `}]}`)
			p.want(`{"jsonrpc":"2.0","id":` + v + `,"result":[` + v + `, {"k" : ` + v + `}]}`)
			p.send(`{"jsonrpc":"2.0","id":` + v + `,"method":"inside","params":[` + v + `]}`)
			p.want(`{"jsonrpc":"2.0","id":` + v + `,"result":{"v":[` + v + `]}}`)
		}
	})
}
