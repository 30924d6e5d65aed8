package lockfile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// joinQueue waits for our place among the processes that share dir. It returns
// nil where the file system knows no such locks: ZCode's lock protects alone
// then.
func (w *wait) joinQueue(ctx context.Context, dir, real string) (*flock.Flock, error) {
	// A handle that is shared lets two goroutines in: one per acquisition.
	q := flock.New(filepath.Join(dir, queueName(real)))
	ok, err := w.poll(ctx, q.TryLock)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("creating the queue folder: %w", err)
		}
		ok, err = w.poll(ctx, q.TryLock)
	}
	if err != nil || !ok {
		return nil, err
	}
	return q, nil
}

// poll calls try until it succeeds. False without an error means that kernel
// locks are not supported.
func (w *wait) poll(ctx context.Context, try func() (bool, error)) (bool, error) {
	for {
		ok, err := try()
		switch {
		case unsupported(err):
			return false, nil
		case err != nil:
			return false, fmt.Errorf("taking a place in the queue: %w", err)
		case ok:
			return true, nil
		case w.left() <= 0:
			return false, &lateError{}
		}
		// The jitter keeps processes that started together from staying in step.
		pause := time.NewTimer(time.Millisecond/2 + rand.N(time.Millisecond))
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return false, ctx.Err()
		}
	}
}

func unsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK)
}

// queueName is the name of a path's file in the queue folder.
func queueName(real string) string {
	sum := sha256.Sum256([]byte(real))
	return hex.EncodeToString(sum[:16])
}
