package atomicwrite

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

const (
	aclName     = "system.posix_acl_access"
	aclHeader   = 4 // bytes: the version
	aclEntry    = 8 // bytes: tag, permissions, id
	aclGroupObj = 4 // the tag of the owning group
	xattrMax    = 64 << 10
)

// adoptACL gives f the access control list of the target and returns the permissions that f may have. Where there is a
// list, the group bits of a mode are its mask, which may allow more than the owning group has: a file without the
// list must get the group's own entry instead.
func (u *update) adoptACL(f *os.File, perm fs.FileMode) (allowed fs.FileMode, set bool, err error) {
	acl, err := u.readACL()
	if err != nil {
		return 0, false, &fs.PathError{Op: "getxattr", Path: u.target, Err: err}
	}
	if acl == nil {
		return perm, false, dropInheritedACL(f)
	}
	if err = u.w.try("setxattr", f.Name()); err == nil {
		err = unix.Fsetxattr(int(f.Fd()), aclName, acl, 0)
	}
	switch {
	case err == nil:
		return perm, true, nil
	case unsupported(err), errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		u.warn("the access control list of %s could not be kept", u.target)
		return perm &^ (0o070 &^ groupEntry(acl)), false, nil
	}
	return 0, false, &fs.PathError{Op: "setxattr", Path: f.Name(), Err: err}
}

// readACL returns nil where the target has no list or the file system knows none.
func (u *update) readACL() ([]byte, error) {
	if err := u.w.try("getxattr", u.target); err != nil {
		return nil, err
	}
	acl := make([]byte, 1024)
	n, err := unix.Lgetxattr(u.target, aclName, acl)
	if err == unix.ERANGE {
		acl = make([]byte, xattrMax)
		n, err = unix.Lgetxattr(u.target, aclName, acl)
	}
	// A target that was removed meanwhile is found to be missing directly before the exchange.
	if unsupported(err) || errors.Is(err, unix.ENODATA) || errors.Is(err, unix.ENOENT) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return acl[:n], nil
}

// dropInheritedACL takes away the list that the folder gives its new files: with the permissions of the old file it
// would let in whom the old file kept out.
func dropInheritedACL(f *os.File) error {
	fd := int(f.Fd())
	if _, err := unix.Fgetxattr(fd, aclName, nil); err != nil {
		return nil // there is none
	}
	if err := unix.Fremovexattr(fd, aclName); err != nil && !errors.Is(err, unix.ENODATA) {
		return &fs.PathError{Op: "removexattr", Path: f.Name(), Err: err}
	}
	return nil
}

// groupEntry returns the owning group's own rights as the group bits of a mode; none when the list has no such entry.
func groupEntry(acl []byte) fs.FileMode {
	for at := aclHeader; at+aclEntry <= len(acl); at += aclEntry {
		if binary.LittleEndian.Uint16(acl[at:]) == aclGroupObj {
			return fs.FileMode(binary.LittleEndian.Uint16(acl[at+2:])&7) << 3
		}
	}
	return 0
}
