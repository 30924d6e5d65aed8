package lockfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"zcode-acp/lockfile/internal/wake"
)

// retryDelays are ZCode's pauses between two tries; the last one repeats. A
// waiter that is notified seldom sleeps that long.
var retryDelays = [...]time.Duration{
	25 * time.Millisecond,
	50 * time.Millisecond,
	100 * time.Millisecond,
	200 * time.Millisecond,
	400 * time.Millisecond,
}

// blindDelay is the pause where the system cannot notify us.
const blindDelay = 2 * time.Millisecond

// wait is the patience of one Acquire: all its stages draw on the same time.
type wait struct {
	path  string
	locks []string // ZCode's locks that are needed, in the order they are taken
	start time.Time
	limit time.Duration
	watch func(path string) (*wake.Watch, error)
}

func (w *wait) left() time.Duration { return w.limit - time.Since(w.start) }

// holder tells which of the locks is held right now, and by whom.
func (w *wait) holder() (lock string, h Holder) {
	for _, lock := range w.locks {
		if s, err := inspect(lock); err == nil && s.Status != Free {
			return lock, s.Holder
		}
	}
	if len(w.locks) > 0 {
		lock = w.locks[0]
	}
	return lock, Holder{}
}

// own takes one of ZCode's locks, waiting for its holder and removing what a
// dead one left behind. The folder of the lock may have been removed by the one
// who had made it: it is made again.
func (w *wait) own(ctx context.Context, lock string, made *folders) (ownership, error) {
	var (
		watch  *wake.Watch
		blind  bool
		pauses int
		remade int
		denied error
		seen   = sightings{}
		grace  = min(ownerlessGrace, w.limit/2)
	)
	defer func() { watch.Close() }()
	for {
		o, err := claim(lock)
		if errors.Is(err, fs.ErrNotExist) && remade < maxRemade {
			remade++
			if err := made.create(filepath.Dir(lock)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return ownership{}, err
			}
			watch.Close() // it watches the folder that is gone
			watch, blind = nil, false
			continue
		}
		if !errors.Is(err, errContended) {
			return o, err
		}
		removed, err := unreleased.clear(lock)
		if err != nil {
			denied = err
		}
		if removed {
			continue
		}
		removed, err = w.examine(lock, judge{time.Now(), grace, seen}, denied)
		switch {
		case removed:
			continue
		case errors.As(err, new(*lateError)), errors.Is(err, ErrInvalid):
			return ownership{}, err
		case err != nil:
			denied = err
		}
		if watch == nil && !blind {
			if watch, err = w.watch(lock); err == nil {
				continue // the lock may have gone before the watch stood
			}
			blind = true
		}
		pause := min(retryDelays[min(pauses, len(retryDelays)-1)], w.left())
		if blind {
			pause = min(pause, blindDelay)
		}
		pauses++
		if err := watch.Wait(ctx, pause); err != nil {
			return ownership{}, err
		}
	}
}

// examine looks at a lock that stands in the way and removes it where that is
// right. True means that it is gone. A timed out waiter removes nothing: it may
// have slept through a change of holders.
func (w *wait) examine(lock string, j judge, denied error) (bool, error) {
	info, err := os.Lstat(lock)
	if err == nil {
		err = checkKind(lock, info)
	}
	if errors.Is(err, ErrInvalid) {
		return false, err
	}
	if w.left() <= 0 {
		if !errors.Is(denied, fs.ErrPermission) {
			denied = nil
		}
		return false, &lateError{denied}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, err
	}
	return j.reclaim(lock, info)
}
