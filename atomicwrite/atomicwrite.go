// Package atomicwrite replaces or removes one file durably, beside programs that take no lock.
//
// An Update without an error means: the new content is on disk and survives a loss of power, no reader ever saw a
// half-written file, whatever another program wrote to the file at the same moment is still there with the edit on
// top, and the content before is kept as a backup. An Update with an error changed nothing; in the rare case that even
// putting things back failed, the error says which file holds what.
//
// A Remove without an error means: the file is gone, also after a loss of power, its last content is its newest backup,
// and whatever another program wrote at the same moment was judged before it went, or stands at the path as a new file.
//
// The new content is written to a temporary file in the same folder, synced, and exchanged with the target in one step
// (renameat2 on Linux, renamex_np on macOS, ReplaceFileW on Windows). Only after the exchange is it certain what was
// displaced: when that is not what the edit was based on, another program wrote in between, its file is put back at
// once and the edit starts again from there. File systems that cannot exchange get a hard link of the old file
// and a rename; between the last comparison and that rename a few microseconds remain in which a foreign write is lost.
//
// What nobody can prevent: a program that read the file before an Update and writes it afterwards brings back its own
// older view. A program that had the file open for writing before the exchange or the removal and writes once more after
// the last look at the displaced file writes into the backup. Two Updates or Removes of one file at the same time must
// exclude each other with a lock of their own.
//
// Owner and permission bits stay; a file whose owner cannot be kept is refused with ErrPermission, since its owner might
// not be able to read the new one. A group that cannot be kept loses its rights, with a warning. Access control lists
// are carried over on Linux and Windows; other extended attributes are not.
package atomicwrite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	defaultMaxSize = 64 << 20 // bytes
	maxRebases     = 16
)

// errMoved tells that the target does not hold what it was expected to hold.
var errMoved = errors.New("another program wrote the file")

// Writer reads, replaces and removes files; the zero value works.
type Writer struct {
	// Fault, when set, is called before each file operation with its name ("open", "stat", "read", "readdir",
	// "create", "chown", "getxattr", "setxattr", "chmod", "write", "fsync", "close", "exchange", "link", "rename",
	// "fsyncdir", "unlink") and its path.
	// An error makes the operation fail with it.
	Fault func(op, path string) error
	// Now gives the time for the stamps of backups; nil means time.Now.
	Now func() time.Time
}

// Request describes one durable replace.
type Request struct {
	// Path is the file as the caller spells it; symbolic links are followed and stay.
	Path string
	// NoLink refuses a path that is itself a symbolic link with ErrIrregular; links to its folder are followed.
	NoLink bool
	// Valid tells whether content is whole. Content that is not, in a file changed less than a second ago, is taken
	// for the middle of another program's write and read again for up to 500 ms. Nil means that everything is valid.
	Valid func(content []byte) bool
	// Edit returns the next content for the current one and must not modify old. It is called again, on the newer
	// bytes, when another program wrote in between; these may hold the edit already. Without a file, exists is false and old nil. Returning nil, or
	// bytes equal to old, changes nothing; an error stops the write.
	Edit func(old []byte, exists bool) ([]byte, error)
	// BeforeCommit, when set, is called directly before the file is replaced, each time; an error stops the write.
	BeforeCommit func() error
	// NoBackup drops the displaced file instead of keeping it as <file>.bak-<stamp>.
	NoBackup bool
	// Keep is the path of a backup that this Update does not drop, however old, such as one that is being restored.
	Keep string
	// MaxSize is the largest file in bytes that is read or written; 0 means 64 MiB.
	MaxSize int64
}

// Result tells what an Update or a Remove did. Beside an error only Real, Rebased and Warnings count.
type Result struct {
	Real     string   // the file that was written or removed, symbolic links resolved
	Old, New []byte   // content before and after; equal when nothing changed, New nil after a Remove
	Existed  bool     // there was a file before
	Changed  bool     // the file holds New because of this Update, or is gone because of this Remove
	Backup   string   // path of the content before, or ""
	Rebased  int      // how often another program's write was found and kept
	Warnings []string // what a person should know although the write succeeded
}

// Update replaces one file as r says. Errors of the system wrap one of the sentinels and the error of the system;
// errors of Edit and BeforeCommit are wrapped as they are, and so is that of a ctx that ended before the replace.
func (w Writer) Update(ctx context.Context, r Request) (Result, error) {
	u := &update{w: w, r: r, max: sizeLimit(r.MaxSize)}
	defer u.release()
	return u.end("writing", u.run(ctx, u.attempt))
}

// end turns what was done, or what went wrong, into the answer.
func (u *update) end(doing string, err error) (Result, error) {
	if err != nil {
		return u.res, u.explain(doing, err)
	}
	for _, path := range u.litter {
		u.warn("a temporary file could not be removed: delete %s", path)
	}
	return u.res, nil
}

// update is the state of one Update or Remove.
type update struct {
	w      Writer
	r      Request
	max    int64
	res    Result
	target string   // the real file
	folder *os.File // of target, for listing and syncing; nil until it is open
	swept  bool     // leftovers beside target were looked for
	temps  []string // names handed out by reserve
	saved  []Backup // backups of target
	litter []string // files of ours that could not be removed
	state  string   // what is on disk, when it is not simply unchanged
}

// openFolder opens the folder of the target, if it is not open yet.
func (u *update) openFolder() (err error) {
	if u.folder != nil {
		return nil
	}
	dir := filepath.Dir(u.target)
	if err := u.w.try("open", dir); err != nil {
		return err
	}
	u.folder, err = os.OpenFile(dir, os.O_RDONLY|openFlags, 0)
	return err
}

func (u *update) closeFolder() {
	if u.folder != nil {
		u.folder.Close()
		u.folder = nil
	}
}

// run repeats attempt while it reports that another program wrote in between.
func (u *update) run(ctx context.Context, attempt func(context.Context) (done bool, err error)) error {
	for {
		done, err := attempt(ctx)
		if err != nil || done {
			return err
		}
		if u.res.Rebased == maxRebases {
			return ErrUnstable
		}
		u.res.Rebased++
	}
}

// attempt reads, edits and replaces once. It reports false when another program wrote in between.
func (u *update) attempt(ctx context.Context) (done bool, err error) {
	u.state = ""
	base, err := u.begin(ctx)
	if err != nil {
		return false, err
	}
	next, err := u.r.Edit(base.content, base.exists)
	if err != nil {
		return false, stopped{err}
	}
	u.res.Old, u.res.New, u.res.Existed = base.content, base.content, base.exists
	if next == nil || base.exists && bytes.Equal(next, base.content) {
		return true, nil
	}
	if int64(len(next)) > u.max {
		return false, tooLarge(int64(len(next)), u.max)
	}
	u.enter()
	temp, err := u.stage(base, next)
	if err != nil {
		return false, err
	}
	if moved, err := u.ready(ctx, base); moved || err != nil {
		u.discard(temp)
		return false, err
	}
	if base.exists {
		done, err = u.replace(temp, base, next)
	} else {
		done, err = u.create(temp, next)
	}
	if done {
		u.res.New, u.res.Changed = next, true
	}
	return done, err
}

// begin finds the real file and reads it.
func (u *update) begin(ctx context.Context) (file, error) {
	if err := ctx.Err(); err != nil {
		return file{}, err
	}
	real, err := u.resolve()
	if err != nil {
		return file{}, err
	}
	u.aim(real)
	base, err := u.w.readWhole(ctx, real, u.r.Valid, u.max)
	if err == nil && base.nlink > 1 {
		u.warn("%s has another name (a hard link), which keeps the old content", real)
	}
	return base, err
}

// resolve finds the file behind the path.
func (u *update) resolve() (string, error) {
	if !u.r.NoLink {
		return resolve(u.r.Path)
	}
	real, err := resolveName(u.r.Path)
	if err != nil {
		return "", err
	}
	switch info, err := os.Lstat(real); {
	case errors.Is(err, fs.ErrNotExist):
		return real, nil
	case err != nil:
		return "", err
	case info.Mode()&fs.ModeSymlink != 0:
		return "", linkError{}
	case !info.Mode().IsRegular():
		return "", ErrIrregular
	}
	return real, nil
}

// aim makes real the target; what was known of another one counts no more.
func (u *update) aim(real string) {
	if real != u.target {
		u.target, u.res.Real = real, real
		u.closeFolder()
		u.saved, u.swept = nil, false
	}
}

// ready asks everyone who may object directly before the replace. The look at the target costs little and keeps the
// exchange, which other programs can see, for the times when it is likely to stand.
func (u *update) ready(ctx context.Context, base file) (moved bool, err error) {
	if u.r.BeforeCommit != nil {
		if err := u.r.BeforeCommit(); err != nil {
			return false, stopped{err}
		}
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	now, err := u.w.lstat(u.target)
	if errors.Is(err, fs.ErrNotExist) {
		return base.exists, nil
	}
	if err != nil {
		return false, err
	}
	return !base.exists || now != base.meta, nil
}

// enter opens the folder of the target and clears what crashed writes left there, once and only when there is something
// to write: an edit that changes nothing leaves the whole folder as it is. Not being able to list it is no reason to
// refuse the edit: stage will tell when it cannot be written either.
func (u *update) enter() {
	if u.swept {
		return
	}
	u.swept = true
	err := u.openFolder()
	if err == nil {
		err = u.sweep()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		u.warn("leftovers of interrupted writes in %s were not looked for: %v", filepath.Dir(u.target), err)
	}
}

func (u *update) release() {
	u.closeFolder()
	for _, name := range u.temps {
		inUse.Delete(name)
	}
}

// warn adds a warning once, however often the edit starts again.
func (u *update) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(u.res.Warnings, text) {
		u.res.Warnings = append(u.res.Warnings, text)
	}
}

// try gives Fault the chance to fail an operation.
func (w Writer) try(op, path string) error {
	if w.Fault == nil {
		return nil
	}
	if err := w.Fault(op, path); err != nil {
		return &fs.PathError{Op: op, Path: path, Err: err}
	}
	return nil
}

func (w Writer) now() time.Time {
	if w.Now == nil {
		return time.Now()
	}
	return w.Now()
}

func sizeLimit(n int64) int64 {
	if n <= 0 {
		return defaultMaxSize
	}
	return n
}
