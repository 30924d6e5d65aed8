// Package wake tells a waiter that an entry of a folder went away.
//
// The promise: from the return of New on, a removal that the system reports
// ends the running or the next Wait at once. Systems may miss one, so a Wait
// always has an end of its own.
package wake

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Watch waits for the removal of one path. A nil Watch hears nothing. It is for
// one goroutine.
type Watch struct {
	name    string
	watcher *fsnotify.Watcher
}

// New starts to watch for the removal of path. The watch is on its folder,
// which must exist, because one on the path itself would end with it.
func New(path string) (*Watch, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching %s: %w", path, err)
	}
	if err := watcher.Add(filepath.Dir(path)); err != nil {
		watcher.Close()
		return nil, fmt.Errorf("watching %s: %w", path, err)
	}
	return &Watch{filepath.Base(path), watcher}, nil
}

// Wait returns nil when the path was removed, after atMost, or when events may
// have been lost, and ctx.Err() when ctx ends first.
func (w *Watch) Wait(ctx context.Context, atMost time.Duration) error {
	var events chan fsnotify.Event
	var errs chan error
	if w != nil {
		events, errs = w.watcher.Events, w.watcher.Errors
	}
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	for {
		select {
		case e := <-events:
			if filepath.Base(e.Name) == w.name && (e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)) {
				return nil
			}
		case <-errs:
			return nil
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Close ends the watch.
func (w *Watch) Close() error {
	if w == nil {
		return nil
	}
	return w.watcher.Close()
}
