package atomicwrite

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

const (
	tornAge   = time.Second            // an unfinished write is at most this old
	tornPause = 20 * time.Millisecond  // between two looks at it
	tornWait  = 500 * time.Millisecond // for all looks together
	tickSize  = 20 * time.Millisecond  // clocks of file systems may stand still for this long
)

// Snapshot is a file as it was at one moment.
type Snapshot struct {
	Real    string // the file that was read, symbolic links resolved
	Exists  bool
	Content []byte
	Mode    fs.FileMode // permission bits
	ModTime time.Time
}

// Read returns the file at path, with symbolic links followed. A missing file is no error. Content for which valid is
// false, in a file changed less than a second ago, is read again for up to 500 ms and then returned as it is; a nil
// valid accepts everything. A file larger than maxSize bytes (0 means 64 MiB) is ErrTooLarge.
func (w Writer) Read(ctx context.Context, path string, valid func([]byte) bool, maxSize int64) (Snapshot, error) {
	real, err := resolve(path)
	if err != nil {
		return Snapshot{}, describe("reading", path, "", err)
	}
	f, err := w.readWhole(ctx, real, valid, sizeLimit(maxSize))
	if err != nil {
		return Snapshot{}, describe("reading", path, "", err)
	}
	return Snapshot{Real: real, Exists: f.exists, Content: f.content, Mode: f.perm, ModTime: f.mtime}, nil
}

// meta is what a file system tells about a file; two values are equal when nothing was done to the file in between.
type meta struct {
	dev, ino uint64 // 0 on Windows
	regular  bool
	perm     fs.FileMode
	nlink    uint64
	owner
	size  int64
	mtime time.Time
	ctime time.Time // changes with every rename, too
}

// sameData reports whether the bytes of the two are the same as far as the file system tells: unlike == it allows the
// renames that this package itself makes.
func (m meta) sameData(o meta) bool {
	return m.dev == o.dev && m.ino == o.ino && m.size == o.size && m.mtime.Equal(o.mtime)
}

// file is one reading of a file.
type file struct {
	meta
	exists  bool
	content []byte
	moving  bool      // it changed while it was read
	began   time.Time // when the reading began
}

// is reports whether the file held exactly content, and nobody was writing to it.
func (f file) is(content []byte) bool { return !f.moving && bytes.Equal(f.content, content) }

// readWhole reads path and waits for a writer in place to finish.
func (w Writer) readWhole(ctx context.Context, path string, valid func([]byte) bool, max int64) (file, error) {
	start := time.Now()
	for {
		f, err := w.load(path, max)
		if errors.Is(err, fs.ErrNotExist) {
			return file{}, nil
		}
		if err != nil {
			return file{}, err
		}
		torn := f.moving || valid != nil && !valid(f.content)
		if !torn || time.Since(f.mtime).Abs() >= tornAge || time.Since(start) >= tornWait {
			return f, nil
		}
		if err := pause(ctx, tornPause); err != nil {
			return file{}, err
		}
	}
}

// load reads the regular file at path once; it never waits, not even on a FIFO.
func (w Writer) load(path string, max int64) (file, error) {
	began := time.Now()
	if err := w.try("open", path); err != nil {
		return file{}, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return file{}, err
	}
	defer f.Close()
	before, err := w.fstat(f)
	switch {
	case err != nil:
		return file{}, err
	case !before.regular:
		return file{}, ErrIrregular
	case before.size > max:
		return file{}, tooLarge(before.size, max)
	}
	content, err := w.readAll(f, before.size)
	if err != nil {
		return file{}, err
	}
	after, err := w.fstat(f)
	if err != nil {
		return file{}, err
	}
	moving := before.size != after.size || !before.mtime.Equal(after.mtime) || int64(len(content)) != after.size
	return file{meta: after, exists: true, content: content, moving: moving, began: began}, nil
}

func (w Writer) readAll(f *os.File, size int64) ([]byte, error) {
	if err := w.try("read", f.Name()); err != nil {
		return nil, err
	}
	content := make([]byte, size)
	n, err := io.ReadFull(f, content)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	return content[:n:n], nil
}

// fstat describes an open file.
func (w Writer) fstat(f *os.File) (meta, error) {
	if err := w.try("stat", f.Name()); err != nil {
		return meta{}, err
	}
	m, err := fstat(f)
	if err != nil {
		return meta{}, &fs.PathError{Op: "stat", Path: f.Name(), Err: err}
	}
	return m, nil
}

// lstat describes the file at path without following a link.
func (w Writer) lstat(path string) (meta, error) {
	if err := w.try("stat", path); err != nil {
		return meta{}, err
	}
	m, err := lstat(path)
	if err != nil {
		return meta{}, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return m, nil
}

// pause waits for d or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
