package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

const (
	fileName = "history.jsonl"
	tempName = "history.jsonl.new"
	lockName = "history.lock"
	lockWait = 2 * time.Second
)

// locked runs do while no other process or goroutine changes the history.
func (s Store) locked(ctx context.Context, do func() error) error {
	if s.Dir == "" {
		return errFolder
	}
	wait, cancel := context.WithTimeout(ctx, positive(s.wait, lockWait))
	defer cancel()
	// A handle that is shared lets two goroutines in: one per acquisition.
	lock := flock.New(s.path(lockName))
	err := s.try("lock")
	if err == nil {
		_, err = lock.TryLockContext(wait, time.Millisecond)
	}
	switch {
	case err == nil:
		defer lock.Unlock()
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return ErrBusy
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
		// The file system knows no such locks: appending alone is still whole.
	default:
		return fmt.Errorf("locking it: %w", err)
	}
	// A crash may have left a copy of what is purged next.
	if err := s.remove(tempName); err != nil {
		return err
	}
	return do()
}

// load returns the entries that there are, in the order in which they were recorded.
func (s Store) load(ctx context.Context) ([]record, error) {
	if s.Dir == "" {
		return nil, errFolder
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	data, err := s.read()
	if err != nil {
		return nil, err
	}
	records, _, damaged := parse(data)
	if damaged {
		records = s.loadDamaged(ctx, records)
	}
	return records, nil
}

// loadDamaged looks again under the lock, where nobody writes at the same time, and sets aside what is damaged. What
// cannot be set aside, on a read-only disk for example, can still be read.
func (s Store) loadDamaged(ctx context.Context, records []record) []record {
	_ = s.locked(ctx, func() error {
		data, err := s.read()
		if err != nil {
			return err
		}
		var damaged bool
		if records, _, damaged = parse(data); damaged {
			return s.mend(records)
		}
		return nil
	})
	return records
}

// read returns the content of the file; without a file, nothing.
func (s Store) read() ([]byte, error) {
	f, err := s.open(fileName, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil // another process has just dropped the end
	}
	return data[:n], err
}

// settle makes the file ready for one more line and returns those that it has, and its size.
func (s Store) settle() (lines [][]byte, size int64, err error) {
	data, err := s.read()
	if err != nil {
		return nil, 0, err
	}
	lines, whole, damaged := glance(data)
	if damaged {
		records, end, really := parse(data)
		if really {
			if err := s.mend(records); err != nil {
				return nil, 0, err
			}
			return s.settle()
		}
		lines, whole = nil, end
		for _, r := range records {
			lines = append(lines, r.line)
		}
	}
	if whole < len(data) {
		err = s.truncate(int64(whole))
	}
	return lines, int64(whole), err
}

// write appends a line with a single call. After a failure the file is as long as it was.
func (s Store) write(line []byte, size int64) (err error) {
	f, err := s.open(fileName, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	defer func() {
		f.Close()
		if err != nil {
			_ = s.truncate(size)
		}
	}()
	if err = s.put(f, line); err == nil && size == 0 {
		err = s.syncFolder() // the file may be new
	}
	return err
}

// put writes and syncs.
func (s Store) put(f *os.File, data []byte) error {
	if err := s.try("write"); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := s.try("fsync"); err != nil {
		return err
	}
	return f.Sync()
}

func (s Store) truncate(size int64) error {
	f, err := s.open(fileName, os.O_WRONLY) // Windows does not truncate what is open for appending
	if err != nil {
		return err
	}
	defer f.Close()
	if err := s.try("truncate"); err != nil {
		return err
	}
	return f.Truncate(size)
}

// replace puts a file with these records, and no others, in the place of the history.
func (s Store) replace(records []record) (err error) {
	f, err := s.open(tempName, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = s.remove(tempName)
		}
	}()
	var data []byte
	for _, r := range records {
		data = append(append(data, r.line...), '\n')
	}
	err = s.put(f, data)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := s.rename(tempName, fileName); err != nil {
		return err
	}
	return s.syncFolder()
}

// open opens a file of ours, and nothing else that may stand at its place.
func (s Store) open(name string, flag int) (*os.File, error) {
	if flag != os.O_RDONLY {
		if err := s.try("open"); err != nil {
			return nil, err
		}
	}
	path := s.path(name)
	irregular := fmt.Errorf("%s is %w: move it away", path, ErrIrregular)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, irregular
	}
	f, err := os.OpenFile(path, flag|openFlags, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = irregular
	}
	if err == nil && flag != os.O_RDONLY && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		if err = s.try("chmod"); err == nil {
			err = f.Chmod(0o600)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (s Store) path(name string) string { return filepath.Join(s.Dir, name) }

// remove is done when there is no such file.
func (s Store) remove(name string) error {
	if err := s.try("unlink"); err != nil {
		return err
	}
	if err := os.Remove(s.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (s Store) rename(from, to string) error {
	if err := s.try("rename"); err != nil {
		return err
	}
	return rename(s.path(from), s.path(to))
}

func (s Store) syncFolder() error {
	if err := s.try("fsyncdir"); err != nil {
		return err
	}
	return syncFolder(s.Dir)
}

func (s Store) try(op string) error {
	if s.fault == nil {
		return nil
	}
	return s.fault(op)
}
