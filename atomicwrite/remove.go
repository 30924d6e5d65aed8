package atomicwrite

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
)

// RemoveRequest describes one durable removal.
type RemoveRequest struct {
	// Path is the file as the caller spells it. Symbolic links to its folder are followed; a path that is itself a
	// link is refused with ErrIrregular.
	Path string
	// Valid tells whether content is whole, as in Request.
	Valid func(content []byte) bool
	// Expect judges the content that is about to go, and must not modify it; an error stops the removal. It is called
	// again, on the newer bytes, when another program wrote in between. Nil accepts everything; a missing file is not
	// judged.
	Expect func(old []byte) error
	// BeforeCommit, when set, is called directly before the file is taken away, each time; an error stops the removal.
	BeforeCommit func() error
	// MaxSize is the largest file in bytes that is removed; 0 means 64 MiB.
	MaxSize int64
}

// Remove takes one file away durably and keeps it as its newest backup. A file that is missing already is no error:
// Changed is false then, and that it is missing is durable too. Errors are those of Update; those of Expect are wrapped
// as they are. A new file that another program has put at the path meanwhile stays, with a warning.
func (w Writer) Remove(ctx context.Context, r RemoveRequest) (Result, error) {
	rm := &removal{
		update: &update{w: w, r: Request{Path: r.Path, Valid: r.Valid, BeforeCommit: r.BeforeCommit}, max: sizeLimit(r.MaxSize)},
		expect: r.Expect,
	}
	defer rm.release()
	return rm.end("removing", rm.run(ctx, rm.attempt))
}

// removal is the state of one Remove.
type removal struct {
	*update
	expect func([]byte) error
	judged []byte // the content that expect accepted last
}

// attempt reads, judges and takes away once. It reports false when another program wrote in between.
func (rm *removal) attempt(ctx context.Context) (done bool, err error) {
	rm.state = ""
	if err := ctx.Err(); err != nil {
		return false, err
	}
	base, err := rm.find(ctx)
	if err != nil {
		return false, err
	}
	rm.res.Old, rm.res.Existed = base.content, base.exists
	if !base.exists {
		return true, rm.confirm()
	}
	if err := rm.judge(base.content); err != nil {
		return false, err
	}
	rm.enter()
	if err := rm.openFolder(); err != nil { // what could not be synced afterwards must not begin
		return false, err
	}
	if moved, err := rm.ready(ctx, base); moved || err != nil {
		return false, err
	}
	backup, err := rm.setAside()
	if errors.Is(err, fs.ErrNotExist) && rm.state == "" {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, rm.conclude(context.WithoutCancel(ctx), backup)
}

// find reads the file that is to go.
func (rm *removal) find(ctx context.Context) (file, error) {
	real, err := resolveName(rm.r.Path)
	if err != nil {
		return file{}, err
	}
	rm.aim(real)
	info, err := os.Lstat(real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return file{}, nil
	case err != nil:
		return file{}, err
	case info.Mode()&fs.ModeSymlink != 0:
		return file{}, linkError{}
	case !info.Mode().IsRegular():
		return file{}, ErrIrregular
	}
	base, err := rm.w.readWhole(ctx, real, rm.r.Valid, rm.max)
	if err == nil && base.nlink > 1 {
		rm.warn("%s has another name (a hard link), which stays and shares its content with the backup", real)
	}
	return base, err
}

// confirm makes durable that there is no file: a removal that was interrupted can have left that undone, and its last
// content under a temporary name.
func (rm *removal) confirm() error {
	rm.enter()
	err := rm.openFolder()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = rm.syncFolder()
	}
	if err != nil {
		rm.state = "the file is missing, but may be back after a loss of power"
	}
	return err
}

func (rm *removal) judge(content []byte) error {
	if rm.expect != nil {
		if err := rm.expect(content); err != nil {
			return stopped{err}
		}
	}
	rm.judged = content
	return nil
}

// conclude ends a removal whose file has the name of a backup, or takes it back.
func (rm *removal) conclude(ctx context.Context, backup Backup) error {
	if resync, err := rm.secure(ctx, backup); err != nil {
		rm.takeBack(backup.Path, resync)
		return err
	}
	rm.res.Changed, rm.res.Backup = true, backup.Path
	if _, err := rm.w.lstat(rm.target); err == nil {
		rm.warn("another program has created %s again: it stays, and the content before is in %s", rm.target, backup.Path)
	}
	rm.prune(backup)
	return nil
}

// secure judges what was taken away, when it is not what was judged before, and makes it durable, until a last look
// finds that no program that had it open has written to it since. With an error it tells whether the folder can still
// be synced: after a sync that failed, one that does not fail proves nothing.
func (rm *removal) secure(ctx context.Context, backup Backup) (resync bool, err error) {
	// Something else than a file can have taken the place of the target, too.
	if m, err := rm.w.lstat(backup.Path); err != nil || !m.regular {
		return true, cmp.Or(err, ErrIrregular)
	}
	for range maxRebases {
		now, err := rm.w.readWhole(ctx, backup.Path, rm.r.Valid, rm.max)
		if err == nil && !now.exists {
			err = &fs.PathError{Op: "open", Path: backup.Path, Err: fs.ErrNotExist}
		}
		if err != nil {
			return true, err
		}
		if !now.is(rm.judged) {
			rm.res.Rebased++
			if err := rm.judge(now.content); err != nil {
				return true, err
			}
		}
		rm.res.Old = now.content
		if err := rm.syncFile(backup.Path); err != nil {
			return true, err
		}
		if err := rm.syncFolder(); err != nil {
			return false, err
		}
		if untouched, err := rm.untouched(backup.Path, now); untouched || err != nil {
			return true, err
		}
	}
	return true, ErrUnstable
}

// takeBack gives the file at side the name of the target again, which another program may have used meanwhile: then
// both stay.
func (u *update) takeBack(side string, resync bool) {
	err := u.place(side, u.target)
	switch {
	case errors.Is(err, fs.ErrExist):
		u.state = "another program has created the file again, and it stays; the content before is in " + side
		return
	case errors.Is(err, fs.ErrNotExist):
		u.state = "the file is gone: another program has taken it away from " + side
		return
	case err != nil:
		u.state = "the file is missing; its content is in " + side
		return
	}
	if !resync || u.syncFolder() != nil {
		u.state = "the file is in its place, but may be found at " + side + " after a loss of power"
	}
}
