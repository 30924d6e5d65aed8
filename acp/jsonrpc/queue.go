package jsonrpc

import (
	"container/list"
	"context"
	"math"
	"sync"
)

// queue holds the messages that wait for the writer, in the order in which
// push was called. It is bounded by bytes: a message that has no room waits,
// and everything pushed later waits behind it.
type queue struct {
	mu      sync.Mutex
	filled  *sync.Cond
	msgs    [][]byte
	waiters list.List // of *waiter
	size    int       // bytes queued or being written
	limit   int
	refused error // not nil once nothing is accepted any more
}

type waiter struct {
	msg  []byte
	done chan error
}

func newQueue(limit int) *queue {
	q := &queue{limit: limit}
	q.filled = sync.NewCond(&q.mu)
	return q
}

// push queues msg, waiting for room until ctx ends. An error means that msg
// will not be sent.
func (q *queue) push(ctx context.Context, msg []byte) error {
	q.mu.Lock()
	if q.refused != nil {
		defer q.mu.Unlock()
		return q.refused
	}
	if q.waiters.Len() == 0 && q.fits(msg) {
		q.add(msg)
		q.mu.Unlock()
		return nil
	}
	w := &waiter{msg: msg, done: make(chan error, 1)}
	place := q.waiters.PushBack(w)
	q.mu.Unlock()

	select {
	case err := <-w.done:
		return err
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case err := <-w.done:
		return err
	default:
	}
	q.waiters.Remove(place)
	q.admit()
	return ctx.Err()
}

// pushNow queues msg whether or not there is room, and reports whether msg
// will be sent.
func (q *queue) pushNow(msg []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.refused != nil {
		return false
	}
	q.add(msg)
	return true
}

// next returns the oldest message, waiting for one; it returns false when
// there will be none.
func (q *queue) next() ([]byte, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.msgs) == 0 {
		if q.refused != nil {
			return nil, false
		}
		q.filled.Wait()
	}
	msg := q.msgs[0]
	q.msgs[0] = nil
	q.msgs = q.msgs[1:]
	return msg, true
}

// wrote gives back the room of a message that next returned.
func (q *queue) wrote(msg []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.size -= len(msg)
	q.admit()
}

// unbound lifts the limit.
func (q *queue) unbound() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.limit = math.MaxInt
	q.admit()
}

// finish refuses new messages with err; those accepted stay.
func (q *queue) finish(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.refused == nil {
		q.refused = err
	}
	q.filled.Broadcast()
}

// abort refuses new messages with err and drops what is queued or waits.
func (q *queue) abort(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.refused == nil {
		q.refused = err
	}
	q.msgs = nil
	for e := q.waiters.Front(); e != nil; e = q.waiters.Front() {
		q.waiters.Remove(e).(*waiter).done <- err
	}
	q.filled.Broadcast()
}

// admit moves waiters that have room into the queue. The caller holds mu.
func (q *queue) admit() {
	for e := q.waiters.Front(); e != nil; e = q.waiters.Front() {
		w := e.Value.(*waiter)
		if !q.fits(w.msg) {
			return
		}
		q.waiters.Remove(e)
		q.add(w.msg)
		w.done <- nil
	}
}

// fits lets one message of any size into an empty queue. The caller holds mu.
func (q *queue) fits(msg []byte) bool {
	return q.size == 0 || len(msg) <= q.limit-q.size
}

// add queues msg. The caller holds mu.
func (q *queue) add(msg []byte) {
	q.msgs = append(q.msgs, msg)
	q.size += len(msg)
	q.filled.Signal()
}
