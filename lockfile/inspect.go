package lockfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Status tells whether a file is locked.
type Status int

const (
	Free  Status = iota // no lock
	Held                // a lock that has to be respected
	Stale               // a lock that was left behind: the next Acquire removes it
)

// State is what Inspect saw.
type State struct {
	Status Status
	Lock   string // the lock that is held or stale; empty when free
	Holder Holder // who holds it, or held it last
}

// Inspect tells who holds the lock of the file at path right now, without
// taking it or changing anything. A lock without any usable time counts as
// held, since only waiting can show its age. The error matches ErrInvalid where
// Acquire's would.
func Inspect(path string) (State, error) {
	at, err := resolve(path, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil // no folder, no lock
	}
	if err != nil {
		return State{}, fmt.Errorf("inspecting the lock of %s: %w", path, err)
	}
	var found State
	for _, lock := range at.locks {
		s, err := inspect(lock)
		if err != nil {
			return State{}, fmt.Errorf("inspecting the lock of %s: %w", path, err)
		}
		if s.Status == Held {
			return s, nil
		}
		if s.Status == Stale {
			found = s
		}
	}
	return found, nil
}

// inspect looks at one lock.
func inspect(lock string) (State, error) {
	info, err := os.Lstat(lock)
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	if err != nil {
		return State{}, err
	}
	if err := checkKind(lock, info); err != nil {
		return State{}, err
	}
	j := judge{time.Now(), ownerlessGrace, sightings{}}
	v, err := j.look(lock, info)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return State{}, nil // released while we looked
	case err != nil:
		return State{}, err
	case v.stale:
		return State{Stale, lock, v.holder}, nil
	}
	return State{Held, lock, v.holder}, nil
}
