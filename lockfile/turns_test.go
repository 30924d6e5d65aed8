package lockfile

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func TestTurnsFirstComeFirstServed(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		gone := rapid.SliceOfN(rapid.Bool(), 1, 8).Draw(rt, "which waiters give up")
		synctest.Test(t, func(t *testing.T) { serve(t, gone) })
	})
}

// serve lines up one waiter after the other, lets some give up, and checks that
// the rest are served in order.
func serve(t *testing.T, gone []bool) {
	var q turnstile
	if err := q.enter(t.Context(), "k", time.Hour); err != nil {
		t.Fatal(err)
	}
	var want, got []int
	leave := make([]context.CancelFunc, len(gone))
	served := make(chan int)
	for i := range gone {
		var ctx context.Context
		ctx, leave[i] = context.WithCancel(t.Context())
		defer leave[i]()
		go func() {
			if q.enter(ctx, "k", time.Hour) != nil {
				return
			}
			served <- i
			q.leave("k")
		}()
		synctest.Wait()
	}
	for i, g := range gone {
		if g {
			leave[i]()
		} else {
			want = append(want, i)
		}
	}
	synctest.Wait()
	q.leave("k")
	for range want {
		got = append(got, <-served)
	}
	synctest.Wait()
	if !slices.Equal(got, want) {
		t.Errorf("served %v, want %v", got, want)
	}
	if len(q.waiting) != 0 {
		t.Errorf("left in the queue: %v", q.waiting)
	}
}

func TestTurnsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q turnstile
		if err := q.enter(t.Context(), "k", 0); err != nil {
			t.Fatalf("a free turn without any time: %v", err)
		}
		if err := q.enter(t.Context(), "other", 0); err != nil {
			t.Errorf("another key: %v", err)
		}
		start := time.Now()
		err := q.enter(t.Context(), "k", 3*time.Second)
		if !errors.As(err, new(*lateError)) || time.Since(start) != 3*time.Second {
			t.Errorf("a taken turn: %v after %s, want lateError after 3s", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := q.enter(ctx, "k", time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a taken turn with a short context: %v", err)
		}
		// The turn came just when the waiter gave up: it must not be lost.
		turn := q.line("k")
		q.leave("k")
		q.giveUp("k", turn)
		if err := q.enter(t.Context(), "k", 0); err != nil {
			t.Errorf("after a waiter that gave up late: %v", err)
		}
	})
}
