package lockfile

import (
	"errors"
	"fmt"
	"os"
	"time"
)

var (
	// ErrTimeout is matched by the error of an Acquire that waited too long.
	ErrTimeout = errors.New("timed out waiting for the lock")

	// ErrInvalid is matched when the lock's place is taken by something that is
	// neither a folder nor a regular file, for example a symbolic link.
	ErrInvalid = errors.New("not a lock")

	// ErrLost is matched by the error of a Check that found the lock not ours.
	ErrLost = errors.New("lock lost")
)

// Holder is who holds a lock.
type Holder struct {
	PID   int       // zero when unknown
	Since time.Time // zero when unknown
}

// String tells about the holder in words that follow a comma.
func (h Holder) String() string {
	who := fmt.Sprintf("held by process %d", h.PID)
	switch h.PID {
	case 0:
		who = "held by an unknown process"
	case os.Getpid():
		who = "held by another operation of this process"
	}
	if h.Since.IsZero() {
		return who
	}
	return who + " since " + h.Since.UTC().Format(time.RFC3339)
}

// TimeoutError is the error of an Acquire that waited for MaxWait. It matches
// ErrTimeout, and fs.ErrPermission when a lock left behind could not be removed
// for want of permission.
type TimeoutError struct {
	Path   string        // the protected file, as Acquire was given it
	Lock   string        // the lock that was waited for
	Waited time.Duration // since the call of Acquire
	Holder Holder        // at the end of the wait

	cause error
}

// Error names the holder and what a person can do.
func (e *TimeoutError) Error() string {
	advice := "try again, or end that process"
	switch {
	case e.cause != nil:
		advice = fmt.Sprintf("it was left behind and could not be removed (%v): remove it by hand", e.cause)
	case e.Holder.PID == 0:
		advice = fmt.Sprintf("try again, or remove %s when no program uses it", e.Lock)
	case e.Holder.PID == os.Getpid():
		advice = "try again"
	}
	unit := time.Millisecond
	if e.Waited >= time.Second {
		unit = 100 * time.Millisecond
	}
	return fmt.Sprintf("locking %s: %s; waited %s: %s", e.Path, e.Holder, e.Waited.Round(unit), advice)
}

// Is makes every TimeoutError match ErrTimeout.
func (e *TimeoutError) Is(target error) bool { return target == ErrTimeout }

// Unwrap returns why a lock left behind could not be removed, or nil.
func (e *TimeoutError) Unwrap() error { return e.cause }

// lateError ends a stage of Acquire when the time is up.
type lateError struct{ cause error }

func (e *lateError) Error() string { return "out of time" }
