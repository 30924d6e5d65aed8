package atomicwrite

import (
	"errors"
	"io/fs"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

const openFlags = 0

type owner struct{} // part of the access control list

var replaceFile = windows.NewLazySystemDLL("kernel32.dll").NewProc("ReplaceFileW")

// swap puts the file at from in the place of target and returns where the displaced file is found.
func (u *update) swap(from, target string, _ []byte) (side string, err error) {
	side = u.fresh()
	err = u.w.try("exchange", target)
	if err == nil {
		err = retry(func() error { return replaceBy(target, from, side) })
	}
	if errors.Is(err, windows.ERROR_UNABLE_TO_MOVE_REPLACEMENT_2) {
		// The old file has its new name already, and nothing has taken its place.
		if back := move(side, target); back != nil {
			u.state = "the file is missing; its content is in " + side
		}
	}
	if err != nil {
		return "", &os.LinkError{Op: "exchange", Old: from, New: target, Err: err}
	}
	return side, nil
}

func replaceBy(target, from, side string) error {
	var names [3]*uint16
	for i, name := range []string{target, from, side} {
		p, err := windows.UTF16PtrFromString(name)
		if err != nil {
			return err
		}
		names[i] = p
	}
	ok, _, err := replaceFile.Call(uintptr(unsafe.Pointer(names[0])), uintptr(unsafe.Pointer(names[1])), uintptr(unsafe.Pointer(names[2])), 0, 0, 0)
	if ok != 0 {
		return nil
	}
	return err
}

// place renames from to a name that must be free; otherwise the error is fs.ErrExist.
func (u *update) place(from, to string) error {
	err := u.w.try("rename", to)
	if err == nil {
		err = retry(func() error { return move(from, to) })
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

// setAside gives the target the name of a backup.
func (u *update) setAside() (Backup, error) {
	return u.archiveAt(u.target, u.stampFor(u.target), u.place)
}

// syncFile makes the content of a file durable, whoever wrote it. Only an open for writing can do that, which a file
// marked as read-only does not allow: it stays as its writer left it.
func (u *update) syncFile(path string) error {
	if err := u.w.try("open", path); err != nil {
		return err
	}
	var f *os.File
	err := retry(func() (err error) {
		f, err = os.OpenFile(path, os.O_RDWR, 0)
		return err
	})
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := u.w.try("fsync", path); err != nil {
		return err
	}
	return f.Sync()
}

func move(from, to string) error {
	a, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	b, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	return windows.MoveFileEx(a, b, windows.MOVEFILE_WRITE_THROUGH)
}

// retry waits for programs, often virus scanners, that hold a file open without sharing it.
func retry(call func() error) error {
	for _, ms := range []time.Duration{50, 100, 200, 400, 800} {
		err := call()
		if !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			return err
		}
		time.Sleep(ms * time.Millisecond)
	}
	return call()
}

// syncFolder has nothing to do: MOVEFILE_WRITE_THROUGH and the journal of NTFS stand in for it.
func (u *update) syncFolder() error { return nil }

// adopt does nothing: ReplaceFileW carries the access control list and the attributes over.
func (u *update) adopt(*os.File, meta) error { return nil }

func fstat(f *os.File) (meta, error) {
	info, err := f.Stat()
	return metaOf(info, err)
}

func lstat(path string) (meta, error) {
	info, err := os.Lstat(path)
	return metaOf(info, err)
}

func metaOf(info fs.FileInfo, err error) (meta, error) {
	if err != nil {
		return meta{}, err
	}
	t := info.ModTime()
	return meta{regular: info.Mode().IsRegular(), perm: info.Mode().Perm(), nlink: 1, size: info.Size(), mtime: t, ctime: t}, nil
}

func alive(pid int) bool {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err == nil {
		windows.CloseHandle(h)
	}
	return !errors.Is(err, windows.ERROR_INVALID_PARAMETER)
}

func systemKind(err error) error {
	switch {
	case errors.Is(err, windows.ERROR_DISK_FULL), errors.Is(err, windows.ERROR_HANDLE_DISK_FULL):
		return ErrNoSpace
	case errors.Is(err, windows.ERROR_WRITE_PROTECT):
		return ErrReadOnly
	case errors.Is(err, windows.ERROR_NOT_SAME_DEVICE):
		return ErrMount
	case errors.Is(err, fs.ErrPermission):
		return ErrPermission
	}
	return ErrIO
}
