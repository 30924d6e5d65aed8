//go:build unix

package atomicwrite

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// openFlags keep a link or a FIFO that has just taken the place of a file from being followed or waited for.
const openFlags = unix.O_NOFOLLOW | unix.O_NONBLOCK

type owner struct{ uid, gid int }

// swap puts the file at from in the place of target and returns where the displaced file is found. Where exchanging is
// not possible it returns errMoved when target does not hold expect.
func (u *update) swap(from, target string, expect []byte) (side string, err error) {
	err = u.w.try("exchange", target)
	if err == nil {
		err = retry(func() error { return exchange(from, target) })
	}
	switch {
	case err == nil:
		return from, nil
	case unsupported(err):
		return u.linkSwap(from, target, expect)
	}
	return "", &os.LinkError{Op: "exchange", Old: from, New: target, Err: err}
}

// linkSwap does without an exchange: it gives the old file a second name, looks at it a last time and renames over it.
// The second name is a temporary one, so that a crash leaves no backup that shares its bytes with the live file.
func (u *update) linkSwap(from, target string, expect []byte) (side string, err error) {
	side = u.fresh()
	if err := u.link(target, side); err != nil {
		return "", err
	}
	err = u.stillHolds(side, target, expect)
	if err == nil {
		err = u.rename(from, target)
	}
	if err != nil {
		u.discard(side)
		return "", err
	}
	return side, nil
}

func (u *update) stillHolds(side, target string, expect []byte) error {
	got, err := u.w.load(side, u.max)
	if err != nil {
		return err
	}
	now, err := u.w.lstat(target)
	if err != nil {
		return err
	}
	if !got.is(expect) || now.ino != got.ino {
		return errMoved
	}
	return nil
}

// place renames from, which must be a name of ours, to a name that must be free; otherwise the error is fs.ErrExist.
func (u *update) place(from, to string) error {
	err := u.placeAtOnce(from, to)
	if !unsupported(err) {
		return err
	}
	if err := u.link(from, to); err != nil {
		return err
	}
	u.discard(from)
	return nil
}

// placeAtOnce is place in one step, for any file; not every file system can do it.
func (u *update) placeAtOnce(from, to string) error {
	err := u.w.try("rename", to)
	if err == nil {
		err = retry(func() error { return renameNoReplace(from, to) })
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// setAside gives the target the name of a backup. Where that takes more than one step, a rename to a temporary name
// comes first: to link the target and then to unlink it could unlink what another program has put there in between.
func (u *update) setAside() (Backup, error) {
	backup, err := u.archiveAt(u.target, u.stampFor(u.target), u.placeAtOnce)
	if !unsupported(err) {
		return backup, err
	}
	probe, side := u.fresh(), u.fresh()
	if err := u.link(u.target, probe); err != nil {
		return Backup{}, err // without links the file could be given neither a backup's name nor its own again
	}
	u.discard(probe)
	if err := u.rename(u.target, side); err != nil {
		return Backup{}, err
	}
	backup, err = u.archive(side)
	if err != nil {
		u.takeBack(side, true)
	}
	return backup, err
}

// syncFile makes the content of a file durable, whoever wrote it.
func (u *update) syncFile(path string) error {
	if err := u.w.try("open", path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := u.w.try("fsync", path); err != nil {
		return err
	}
	return f.Sync()
}

func (u *update) link(from, to string) error {
	if err := u.w.try("link", to); err != nil {
		return err
	}
	return os.Link(from, to)
}

// unsupported reports whether a file system or kernel lacks the operation, as opposed to refusing it.
func unsupported(err error) bool {
	return errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOTSUP)
}

func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// syncFolder makes the names in the folder durable.
func (u *update) syncFolder() error {
	err := u.w.try("fsyncdir", u.folder.Name())
	if err == nil {
		err = u.folder.Sync()
	}
	if unsupported(err) {
		u.warn("the file system cannot sync the folder %s: the write may not survive a loss of power", u.folder.Name())
		return nil
	}
	return err
}

// adopt gives a new file the owner, permissions and access control list of the old one, and its group if this user may.
func (u *update) adopt(f *os.File, old meta) error {
	own, err := u.w.fstat(f)
	if err != nil {
		return err
	}
	perm := old.perm
	if own.gid != old.gid {
		err := u.chown(f, -1, old.gid)
		if err != nil && !refused(err) {
			return err
		}
		if err != nil {
			u.warn("the group of %s could not be kept", u.target)
			// The bits meant for the old group would let another group in.
			perm &^= 0o070 &^ (perm & 0o007 << 3)
		}
	}
	if own.uid != old.uid {
		if err := u.giveTo(f, old.uid); err != nil {
			return err
		}
	}
	perm, set, err := u.adoptACL(f, perm)
	if err != nil {
		return err
	}
	if !set && perm == own.perm {
		return nil
	}
	if err := u.w.try("chmod", f.Name()); err != nil {
		return err
	}
	return f.Chmod(perm)
}

// giveTo hands a new file to the owner of the old one. Without its owner the file could become unreadable to just the
// user it belongs to, so that is refused.
func (u *update) giveTo(f *os.File, uid int) error {
	err := u.chown(f, uid, -1)
	if refused(err) {
		return ownerError{uid, err}
	}
	return err
}

func (u *update) chown(f *os.File, uid, gid int) error {
	if err := u.w.try("chown", f.Name()); err != nil {
		return err
	}
	return f.Chown(uid, gid)
}

// refused reports whether this user may not do it, or the system does not know the id here.
func refused(err error) bool {
	return errors.Is(err, unix.EPERM) || errors.Is(err, unix.EINVAL)
}

func fstat(f *os.File) (meta, error) {
	var st unix.Stat_t
	err := unix.Fstat(int(f.Fd()), &st)
	return metaOf(&st), err
}

func lstat(path string) (meta, error) {
	var st unix.Stat_t
	err := unix.Lstat(path, &st)
	return metaOf(&st), err
}

func metaOf(st *unix.Stat_t) meta {
	return meta{
		dev: uint64(st.Dev), ino: uint64(st.Ino),
		regular: st.Mode&unix.S_IFMT == unix.S_IFREG,
		perm:    fs.FileMode(st.Mode & 0o777),
		nlink:   uint64(st.Nlink),
		owner:   owner{int(st.Uid), int(st.Gid)},
		size:    st.Size,
		mtime:   time.Unix(st.Mtim.Unix()),
		ctime:   time.Unix(st.Ctim.Unix()),
	}
}

// alive reports whether a process exists, whoever owns it.
func alive(pid int) bool {
	return !errors.Is(unix.Kill(pid, 0), unix.ESRCH)
}

func systemKind(err error) error {
	var number unix.Errno
	if !errors.As(err, &number) {
		return ErrIO
	}
	switch number {
	case unix.ENOSPC, unix.EDQUOT:
		return ErrNoSpace
	case unix.EROFS:
		return ErrReadOnly
	case unix.EACCES, unix.EPERM:
		return ErrPermission
	case unix.EBUSY, unix.EXDEV:
		return ErrMount
	case unix.ELOOP:
		return ErrLoop
	}
	return ErrIO
}
