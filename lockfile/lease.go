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
	ended    bool         // Release was called
	released bool         // and nothing of ours is left on disk
	turn     string       // the key of our place in this process; empty when we have none
	queue    *flock.Flock // our place among processes; nil when there is none
	owned    []ownership  // ZCode's locks, in the order they were taken
	made     folders      // missing folders that were made for the locks
}

// Release gives the lock up. It removes only what this lease put on disk, and
// folders that Acquire made when nothing was put into them. The error says which
// of our own files could not be removed: a later Release tries again, and so
// does the next Acquire of the file in this process. Once all is gone, Release
// does nothing.
func (l *Lease) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.released {
		return nil
	}
	l.ended = true
	var errs []error
	for i, o := range slices.Backward(l.owned) {
		if err := o.release(); err != nil {
			errs = append(errs, err)
		} else {
			l.owned = slices.Delete(l.owned, i, i+1)
		}
	}
	if len(l.owned) == 0 {
		l.released = true
		l.made.remove()
	}
	if l.queue != nil {
		errs = append(errs, l.queue.Unlock())
		l.queue = nil
	}
	if l.turn != "" {
		turns.leave(l.turn)
		l.turn = ""
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
	if l.ended {
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
