package lockfile

import (
	"context"
	"slices"
	"sync"
	"time"
)

// turns is the queue of this process.
var turns turnstile

// turnstile lets the goroutines that want the same key in one at a time, first
// come, first served. It works with memory alone, so that the race detector,
// which knows nothing of files, sees the order too.
type turnstile struct {
	mu      sync.Mutex
	waiting map[string][]chan struct{} // an entry exists while somebody is in
}

// enter waits for the turn of key until left has passed or ctx ends.
func (t *turnstile) enter(ctx context.Context, key string, left time.Duration) error {
	turn := t.line(key)
	if turn == nil {
		return nil
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	var err error
	select {
	case <-turn:
		return nil
	case <-timer.C:
		err = &lateError{}
	case <-ctx.Done():
		err = ctx.Err()
	}
	t.giveUp(key, turn)
	return err
}

// line gets in line for key. It returns nil when the turn is ours at once.
func (t *turnstile) line(key string) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting == nil {
		t.waiting = make(map[string][]chan struct{})
	}
	queue, taken := t.waiting[key]
	if !taken {
		t.waiting[key] = nil
		return nil
	}
	turn := make(chan struct{})
	t.waiting[key] = append(queue, turn)
	return turn
}

// giveUp leaves the line for key, or hands the turn on if it came meanwhile.
func (t *turnstile) giveUp(key string, turn chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	queue := t.waiting[key]
	if i := slices.Index(queue, turn); i >= 0 {
		t.waiting[key] = slices.Delete(queue, i, i+1)
		return
	}
	t.next(key)
}

// leave hands the turn of key to the next in line.
func (t *turnstile) leave(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next(key)
}

// next requires t.mu.
func (t *turnstile) next(key string) {
	queue := t.waiting[key]
	if len(queue) == 0 {
		delete(t.waiting, key)
		return
	}
	close(queue[0])
	t.waiting[key] = queue[1:]
}
