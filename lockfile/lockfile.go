// Package lockfile takes the lock that ZCode itself takes before it changes one
// of its files.
//
// The promise: between Acquire and Release no other user of this package, in
// this process or another, and no ZCode process that locks the same file holds
// the lock. A lock whose holder is alive is never taken away, however old it
// is; one whose holder is gone is reclaimed. Waiting is bounded, ends early
// with the context, and its error names the holder. Whatever fails, no lock of
// ours stays behind.
//
// ZCode's lock of a file P is the folder P.lock with one owner file inside.
// In front of it stand two queues of our own, one for the goroutines of this
// process and one, kept by the kernel, for the processes that share a QueueDir,
// so that at most one of them at a time competes with ZCode.
//
// The lock binds only those who take it: ZCode writes some of its files without
// locking them.
package lockfile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"zcode-acp/lockfile/internal/wake"
)

// ZCode's own timings: every program that shares the lock relies on them.
const (
	defaultMaxWait = 8 * time.Second
	ownerlessGrace = 100 * time.Millisecond
	clockSkew      = 5 * time.Minute
)

// Locker takes locks. Its zero value waits as long as ZCode does and keeps no
// kernel queue. It may be copied and used by several goroutines at once.
type Locker struct {
	// QueueDir is the folder of the kernel queue's files, one per protected
	// file. It is created with mode 0700 when needed and the files in it are
	// never removed. Empty means no kernel queue.
	QueueDir string

	// MaxWait bounds the whole wait, queues included; zero means 8 s.
	MaxWait time.Duration

	// watch replaces wake.New in tests.
	watch func(path string) (*wake.Watch, error)
}

// Acquire waits for the lock of the file at path and takes it. Where path is a
// symbolic link, the file it leads to is locked too. A missing parent folder is
// created with mode 0700, durably, and removed by Release if it is still empty.
//
// The error matches ErrTimeout (and is a *TimeoutError) when the wait took
// longer than MaxWait, ErrInvalid when something that cannot be a lock stands
// in its place, and ctx.Err() when ctx ended the wait. Acquire is not
// re-entrant: a second call for the same file waits for the first lease.
func (l Locker) Acquire(ctx context.Context, path string) (*Lease, error) {
	if path == "" {
		return nil, errors.New("locking a file: its path is empty")
	}
	w := wait{path: path, start: time.Now(), limit: l.MaxWait, watch: l.watch}
	if w.limit <= 0 {
		w.limit = defaultMaxWait
	}
	if w.watch == nil {
		w.watch = wake.New
	}
	lease := &Lease{path: path}
	if err := w.acquire(ctx, l.QueueDir, lease); err != nil {
		_ = lease.Release() // the error that stopped us says more
		return nil, w.explain(ctx, err)
	}
	return lease, nil
}

// acquire goes through the stages in their order and notes in lease what it has
// taken so far.
func (w *wait) acquire(ctx context.Context, queueDir string, lease *Lease) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	at, err := resolve(w.path, &lease.made)
	if err != nil {
		return err
	}
	w.locks = at.locks
	if err := turns.enter(ctx, at.real, w.left()); err != nil {
		return err
	}
	lease.turn = at.real
	if queueDir != "" {
		lease.queue, err = w.joinQueue(ctx, queueDir, at.real)
		if err != nil {
			return err
		}
	}
	for _, lock := range at.locks {
		o, err := w.own(ctx, lock, &lease.made)
		if err != nil {
			return err
		}
		lease.owned = append(lease.owned, o)
	}
	return nil
}

// explain turns the error of a stage into the one the caller sees.
func (w *wait) explain(ctx context.Context, err error) error {
	var late *lateError
	switch {
	case errors.As(err, &late):
		lock, holder := w.holder()
		return &TimeoutError{Path: w.path, Lock: lock, Waited: time.Since(w.start), Holder: holder, cause: late.cause}
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		lock, holder := w.holder()
		if holder == (Holder{}) {
			return fmt.Errorf("locking %s: gave up: %w", w.path, err)
		}
		return fmt.Errorf("locking %s: gave up waiting for %s, %s: %w", w.path, lock, holder, err)
	}
	return fmt.Errorf("locking %s: %w", w.path, err)
}
