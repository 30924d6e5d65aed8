package lockfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// errContended means that somebody else has the lock or was faster: try again.
var errContended = errors.New("the lock is taken")

// ownership is one of ZCode's locks, held by us.
type ownership struct {
	lock  string // the folder
	owner string // the name of our owner file in it
}

// claim tries once to make the lock ours.
func claim(lock string) (ownership, error) {
	// The modes are those that ZCode's files have under the usual umask, so that
	// a process of another user can at least read who holds the lock.
	if err := mkdir(lock, 0o755); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return ownership{}, errContended
		}
		return ownership{}, err
	}
	now := time.Now()
	token := newToken(os.Getpid(), now)
	o := ownership{lock, ownerName(token)}
	err := o.moveIn(ownerLine(os.Getpid(), now, token))
	if err == nil {
		return o, nil
	}
	_ = o.release() // the error that stopped us says more
	if errors.Is(err, fs.ErrNotExist) {
		return ownership{}, errContended // somebody removed our folder while it was empty
	}
	return ownership{}, err
}

// moveIn writes our owner file into the folder we made and makes sure that it
// is still that folder and nobody else moved in.
func (o ownership) moveIn(line []byte) error {
	made, err := os.Lstat(o.lock)
	if err != nil {
		return err
	}
	if err := createOwner(filepath.Join(o.lock, o.owner), line); err != nil {
		return err
	}
	now, err := os.Lstat(o.lock)
	if err != nil {
		return err
	}
	alone, err := o.alone()
	if err != nil {
		return err
	}
	if !alone || !os.SameFile(made, now) {
		return errContended
	}
	return nil
}

func createOwner(path string, line []byte) error {
	f, err := openFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(line)
	return errors.Join(err, f.Close())
}

// alone reports whether our owner file is the only one. File systems use inode
// numbers again, so this, not the folder's identity, is the proof of ownership.
func (o ownership) alone() (bool, error) {
	dir, err := openFile(o.lock, os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return false, err
	}
	ours := false
	for _, name := range names {
		switch {
		case name == o.owner:
			ours = true
		case isOwnerName(name):
			return false, nil
		}
	}
	return ours, nil
}

// release removes our owner file and then the folder. A folder in which
// somebody else has moved in stays. What cannot be removed is remembered as
// unreleased.
func (o ownership) release() error {
	err := o.remove()
	unreleased.note(o, err != nil)
	return err
}

func (o ownership) remove() error {
	unlinkErr := unlink(filepath.Join(o.lock, o.owner))
	rmdirErr := rmdir(o.lock)
	if rmdirErr == nil || errors.Is(rmdirErr, fs.ErrNotExist) || errors.Is(rmdirErr, syscall.ENOTDIR) {
		return nil // no folder, so no owner file of ours either
	}
	for _, err := range []error{unlinkErr, rmdirErr} {
		if err != nil && !outrun(err) {
			return fmt.Errorf("%w: remove %s by hand", err, o.lock)
		}
	}
	return nil
}

// outrun reports whether a removal failed because others changed the folder.
func outrun(err error) bool {
	// fs.ErrExist covers "directory not empty" on every system.
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist)
}
