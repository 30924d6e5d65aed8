package jsonrpc

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"
)

// TestQueueKeepsOrderAndBound drives a queue with any mix of senders, reads and
// cancelled waits, against a plain list.
func TestQueueKeepsOrderAndBound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.IntRange(1, 20).Draw(rt, "limit")
		steps := rapid.SliceOfN(rapid.IntRange(-6, 12), 1, 60).Draw(rt, "steps")
		synctest.Test(t, func(t *testing.T) {
			q := newQueue(limit)
			type sender struct {
				msg    []byte
				cancel context.CancelFunc
				done   chan error
			}
			var order []*sender // not read yet, in the order of their pushes
			read := func() {
				msg, _ := q.next()
				q.wrote(msg)
				if want := order[0].msg; &msg[0] != &want[0] {
					t.Fatalf("read a message of %d bytes, want the oldest of %d", len(msg), len(want))
				}
				synctest.Wait()
				if err := <-order[0].done; err != nil {
					t.Fatalf("a message that was sent reports %v", err)
				}
				order = order[1:]
			}
			for _, step := range steps {
				switch {
				case step > 0:
					ctx, cancel := context.WithCancel(t.Context())
					s := &sender{msg: make([]byte, step), cancel: cancel, done: make(chan error, 1)}
					go func() { s.done <- q.push(ctx, s.msg) }()
					order = append(order, s)
				case step > -5 && len(order) > 0:
					read()
				case step <= -5 && len(order) > 0:
					last := order[len(order)-1]
					last.cancel()
					synctest.Wait()
					if q.waiters.Len() < len(order)-len(q.msgs) {
						if err := <-last.done; !isCanceled(err) {
							t.Fatalf("a wait that was cancelled reports %v", err)
						}
						order = order[:len(order)-1]
					}
				}
				synctest.Wait()
				if q.size > limit && len(q.msgs) > 1 {
					t.Fatalf("%d bytes in %d messages are queued, the limit is %d", q.size, len(q.msgs), limit)
				}
				if len(q.msgs) == 0 && q.waiters.Len() > 0 {
					t.Fatalf("%d messages wait for an empty queue", q.waiters.Len())
				}
			}
			for len(order) > 0 {
				read()
			}
		})
	})
}

func TestQueueEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reason := errors.New("over")
		q := newQueue(1)
		if err := q.push(t.Context(), []byte("a")); err != nil {
			t.Fatal(err)
		}
		waits := make(chan error, 1)
		go func() { waits <- q.push(t.Context(), []byte("b")) }()
		synctest.Wait()

		q.finish(reason)
		if err := q.push(t.Context(), []byte("c")); err != reason {
			t.Errorf("push after finish: %v, want %v", err, reason)
		}
		if q.pushNow([]byte("c")) {
			t.Error("pushNow after finish succeeded")
		}
		var got []string
		for {
			msg, ok := q.next()
			if !ok {
				break
			}
			got = append(got, string(msg))
			q.wrote(msg)
		}
		if want := []string{"a", "b"}; !slices.Equal(got, want) {
			t.Errorf("read %v, want %v", got, want)
		}
		if err := <-waits; err != nil {
			t.Errorf("the one that waited before finish: %v", err)
		}
	})
}

func TestQueueAborts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reason := errors.New("broken")
		q := newQueue(1)
		if err := q.push(t.Context(), []byte("a")); err != nil {
			t.Fatal(err)
		}
		waits := make(chan error, 1)
		go func() { waits <- q.push(t.Context(), []byte("b")) }()
		synctest.Wait()
		q.abort(reason)
		if err := <-waits; err != reason {
			t.Errorf("a waiter got %v, want %v", err, reason)
		}
		if msg, ok := q.next(); ok {
			t.Errorf("read %q after abort", msg)
		}
	})
}
