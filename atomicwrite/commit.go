package atomicwrite

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// create gives the temporary file the target's name, which nothing may have taken meanwhile.
func (u *update) create(temp string, next []byte) (done bool, err error) {
	if err := u.place(temp, u.target); err != nil {
		u.discard(temp)
		if errors.Is(err, fs.ErrExist) {
			return false, nil
		}
		return false, err
	}
	if err := u.syncFolder(); err != nil {
		u.withdraw(next)
		return false, err
	}
	return true, nil
}

// withdraw takes a file that was just created away again, unless another program has written to it.
func (u *update) withdraw(ours []byte) {
	side := u.fresh()
	if err := u.rename(u.target, side); err != nil {
		u.state = "the file was created, but may not survive a loss of power"
		return
	}
	got, err := u.w.load(side, u.max)
	if err == nil && got.is(ours) {
		u.discard(side)
		return
	}
	u.state = "the file is as another program left it"
	if err != nil {
		u.state = "the file was created, but may not survive a loss of power"
	}
	if err := u.place(side, u.target); err != nil {
		u.shelve(side)
	}
}

// replace exchanges the temporary file with the target and then looks at what was displaced, twice: whether it is what
// the edit was based on, and, when the new name is durable, whether a program that had it open has written to it since.
// The folder is synced once, after the backup got its name.
func (u *update) replace(temp string, base file, next []byte) (done bool, err error) {
	side, err := u.swap(temp, u.target, base.content)
	if err != nil {
		u.discard(temp)
		if errors.Is(err, errMoved) || errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return false, err
	}
	old, err := u.w.load(side, u.max)
	if err != nil {
		_ = u.putBack(side, nil, next) // the first error is the one to tell
		return false, err
	}
	if !old.is(base.content) {
		return false, u.putBack(side, old.content, next)
	}
	var backup Backup
	if !u.r.NoBackup {
		backup, err = u.archive(side)
		if err == nil {
			side = backup.Path
		}
	}
	if err == nil {
		err = u.syncFolder()
	}
	untouched := false
	if err == nil {
		untouched, err = u.untouched(side, old)
	}
	if err != nil || !untouched {
		u.forget(backup)
		back := u.putBack(side, old.content, next)
		if err == nil {
			err = back
		}
		return false, err
	}
	u.settle(side, backup)
	return true, nil
}

// settle ends a replace that stands.
func (u *update) settle(side string, backup Backup) {
	if u.r.NoBackup {
		u.discard(side)
		return
	}
	u.res.Backup = backup.Path
	u.prune(backup)
}

// untouched reports whether the displaced file still holds what it held when it was compared. Times of file systems
// can be coarse, so for a file that had been changed just before the comparison only the bytes count.
func (u *update) untouched(side string, old file) (bool, error) {
	now, err := u.w.lstat(side)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil // somebody took the backup away; the target stands
	}
	if err != nil || !now.sameData(old.meta) {
		return false, err
	}
	if old.began.Sub(old.mtime).Abs() > tickSize {
		return true, nil
	}
	again, err := u.w.load(side, u.max)
	return err == nil && again.is(old.content), err
}

// putBack returns the file at side, with the content put, to the target, which should hold ours. When something else
// comes out there, another program has just written it: that is newer, and goes back in its turn.
func (u *update) putBack(side string, put, ours []byte) error {
	expect := ours
	for i := range maxRebases {
		out, err := u.swap(side, u.target, expect)
		if err != nil {
			return u.stuck(side, i == 0, err)
		}
		got, err := u.w.load(out, u.max)
		if err != nil {
			u.litter = append(u.litter, out)
			return err
		}
		if got.is(expect) {
			if i == 0 {
				u.discard(out)
				return nil
			}
			u.state = "the file is as another program left it"
			u.shelve(out)
			return nil
		}
		side, put, expect = out, got.content, put
	}
	u.state = "another program keeps writing; one of its versions is in " + side
	return ErrUnstable
}

// stuck handles a file that could not be put back: the target has gone on without it, or really could not be changed.
func (u *update) stuck(side string, oursInPlace bool, err error) error {
	_, gone := u.w.lstat(side)
	switch {
	case errors.Is(gone, fs.ErrNotExist):
		u.state = "the file holds the new content, but the content before is lost"
	case errors.Is(err, errMoved), errors.Is(err, fs.ErrNotExist):
		u.state = "the file is as another program left it"
		u.shelve(side)
		return nil
	case oursInPlace:
		u.state = "the file holds the new content; the content before is in " + side
	default:
		u.state = "the file holds an older version; a newer one of another program is in " + side
	}
	return err
}

// shelve keeps a version of another program that nothing needs any more, rather than deleting it.
func (u *update) shelve(side string) {
	if _, ok := tempOwner(filepath.Base(u.target), filepath.Base(side)); !ok {
		return // it has the name of a backup already
	}
	if _, err := u.archive(side); err != nil {
		u.litter = append(u.litter, side)
	}
}

// forget takes a backup that is put back off the list.
func (u *update) forget(b Backup) {
	for i := range u.saved {
		if u.saved[i].Path == b.Path {
			u.saved = append(u.saved[:i], u.saved[i+1:]...)
			return
		}
	}
}
