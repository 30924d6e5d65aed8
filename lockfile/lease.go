package lockfile

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/gofrs/flock"
)

// Lease is a lock that is held. Its methods may be called from several
// goroutines.
type Lease struct {
	path string

	mu       sync.Mutex
	released bool
	turn     string       // the key of our place in this process; empty when we have none
	queue    *flock.Flock // our place among processes; nil when there is none
	owned    []ownership  // ZCode's locks, in the order they were taken
}

// Release gives the lock up; calls after the first do nothing. It removes only
// what this lease put on disk. The error says which of our own files could not
// be removed.
func (l *Lease) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.released {
		return nil
	}
	l.released = true
	var errs []error
	for _, o := range slices.Backward(l.owned) {
		errs = append(errs, o.release())
	}
	if l.queue != nil {
		errs = append(errs, l.queue.Unlock())
	}
	if l.turn != "" {
		turns.leave(l.turn)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("releasing the lock of %s: %w", l.path, err)
	}
	return nil
}

// Check reports whether the lock is still ours on disk, so that a process that
// was stopped for a while can notice before it commits that somebody removed
// its lock. The error matches ErrLost.
func (l *Lease) Check() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.released {
		return fmt.Errorf("checking the lock of %s: %w: it was released", l.path, ErrLost)
	}
	for _, o := range l.owned {
		alone, err := o.alone()
		switch {
		case err != nil:
			return fmt.Errorf("checking the lock of %s: %w: %w", l.path, ErrLost, err)
		case !alone:
			return fmt.Errorf("checking the lock of %s: %w: %s was changed by another program; start over", l.path, ErrLost, o.lock)
		}
	}
	return nil
}
