//go:build linux

package atomicwrite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"zcode-acp/atomicwrite"
)

// nobody is an ordinary user.
const nobody = 65534

// become gives up the rights of root, when the tests run as root.
func become(id int) error {
	if os.Getuid() != 0 {
		return nil
	}
	return errors.Join(syscall.Setgroups(nil), syscall.Setgid(id), syscall.Setuid(id))
}

// runChild runs one of children and wants it to print want.
func runChild(t *testing.T, name, dir, want string, attr *syscall.SysProcAttr) {
	t.Helper()
	cmd := child(name, dir)
	cmd.SysProcAttr = attr
	out, err := cmd.CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != want {
		t.Errorf("%v\ngot:\n%s\nwant:\n%s", err, got, want)
	}
}

// tell prints the kind of an error and whether the folder is as it was.
func tell(err error, path, content string) {
	kind := fmt.Sprint(err)
	for name, sentinel := range map[string]error{
		"no space": atomicwrite.ErrNoSpace, "read-only": atomicwrite.ErrReadOnly, "permission": atomicwrite.ErrPermission,
		"mount": atomicwrite.ErrMount, "io": atomicwrite.ErrIO,
	} {
		if errors.Is(err, sentinel) && strings.HasSuffix(err.Error(), "the file is unchanged") {
			kind = name
		}
	}
	now, readErr := os.ReadFile(path)
	entries, listErr := os.ReadDir(filepath.Dir(path))
	switch {
	case errors.Join(readErr, listErr) != nil:
		fmt.Println(kind, errors.Join(readErr, listErr))
	case string(now) != content || len(entries) != 1:
		fmt.Println(kind, "changed:", len(now), "bytes,", entries)
	default:
		fmt.Println(kind)
	}
}

func replaceWith(path, content string) error {
	_, err := atomicwrite.Writer{}.Update(context.Background(), atomicwrite.Request{Path: path, Edit: constant(content)})
	return err
}

// open makes the folders of a test reachable for nobody.
func open(t *testing.T, dir string) string {
	t.Helper()
	if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func init() {
	children["folder without permission"] = func(dir string) error {
		path := filepath.Join(dir, "config.json")
		err := errors.Join(os.WriteFile(path, []byte("old"), 0o644), os.Chmod(dir, 0o555), become(nobody))
		if err != nil {
			return err
		}
		tell(replaceWith(path, "new"), path, "old")
		return nil
	}
}

func TestFolderWithoutPermission(t *testing.T) {
	dir := open(t, t.TempDir())
	runChild(t, "folder without permission", dir, "permission", nil)
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
}

func init() {
	children["file without permission"] = func(dir string) error {
		path := filepath.Join(dir, "config.json")
		err := errors.Join(os.WriteFile(path, []byte("old"), 0o600), os.Chmod(path, 0), os.Chmod(dir, 0o777), become(nobody))
		if err != nil {
			return err
		}
		err = replaceWith(path, "new")
		fmt.Println(errors.Is(err, atomicwrite.ErrPermission))
		_, err = atomicwrite.Writer{}.Read(context.Background(), path, nil, 0)
		fmt.Println(errors.Is(err, atomicwrite.ErrPermission))
		return nil
	}
}

func TestFileWithoutPermission(t *testing.T) {
	runChild(t, "file without permission", open(t, t.TempDir()), "true\ntrue", nil)
}

func init() {
	children["file of another user"] = func(dir string) error {
		path := filepath.Join(dir, "config.json")
		if os.Getuid() != 0 {
			fmt.Println("permission\ntrue") // an ordinary user cannot make such a file
			return nil
		}
		err := errors.Join(os.WriteFile(path, []byte("old"), 0o664), os.Chmod(path, 0o664), os.Chmod(dir, 0o777), become(nobody))
		if err != nil {
			return err
		}
		err = replaceWith(path, "new")
		tell(err, path, "old")
		fmt.Println(strings.Contains(err.Error(), "the file belongs to user 0: change it as that user"))
		return nil
	}
}

// TestFileOfAnotherUser is refused: as a file of nobody, its owner might not be able to read it.
func TestFileOfAnotherUser(t *testing.T) {
	runChild(t, "file of another user", open(t, t.TempDir()), "permission\ntrue", nil)
}

func init() {
	children["file of another group"] = func(dir string) error {
		path := filepath.Join(dir, "config.json")
		if os.Getuid() != 0 {
			fmt.Println("-rw-r--r-- 1 new") // an ordinary user cannot make such a file
			return nil
		}
		err := errors.Join(os.WriteFile(path, []byte("old"), 0o664), os.Chmod(path, 0o664), os.Chown(path, nobody, 0), os.Chmod(dir, 0o777), become(nobody))
		if err != nil {
			return err
		}
		res, err := atomicwrite.Writer{}.Update(context.Background(), atomicwrite.Request{Path: path, Edit: constant("new")})
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		fmt.Println(info.Mode(), len(res.Warnings), string(res.New))
		return err
	}
}

// TestFileOfAnotherGroup writes a file of root's group as nobody: what root's group was allowed, nobody's must not be.
func TestFileOfAnotherGroup(t *testing.T) {
	runChild(t, "file of another group", open(t, t.TempDir()), "-rw-r--r-- 1 new", nil)
}

func init() {
	children["strict umask"] = func(dir string) error {
		syscall.Umask(0o777)
		path := filepath.Join(dir, "config.json")
		for _, content := range []string{"first", "second"} {
			if err := replaceWith(path, content); err != nil {
				return err
			}
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			fmt.Println(info.Mode())
		}
		return nil
	}
}

// TestStrictUmask has a umask that takes the rights of the owner too.
func TestStrictUmask(t *testing.T) {
	runChild(t, "strict umask", t.TempDir(), "-rw-------\n-rw-------", nil)
}

func TestOwnerAndGroupStay(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "config.json")
	write(t, path, "old")
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = nobody, 4711
		if err := errors.Join(os.Chown(path, uid, gid), os.Chmod(path, 0o660)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o2770); err != nil { // setgid: new files get the group of the folder
		t.Fatal(err)
	}
	res := update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: path, Edit: constant("new")})
	for _, name := range []string{path, res.Backup} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if st := info.Sys().(*syscall.Stat_t); int(st.Uid) != uid || int(st.Gid) != gid {
			t.Errorf("%s belongs to %d:%d, want %d:%d", filepath.Base(name), st.Uid, st.Gid, uid, gid)
		}
	}
	if len(res.Warnings) != 0 {
		t.Errorf("Warnings %q", res.Warnings)
	}
}

func init() {
	children["file size limit"] = func(dir string) error {
		path := filepath.Join(dir, "config.json")
		old := strings.Repeat("o", 5000)
		signal.Ignore(syscall.SIGXFSZ)
		err := errors.Join(os.WriteFile(path, []byte(old), 0o600), syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 8192, Max: 8192}))
		if err != nil {
			return err
		}
		tell(replaceWith(path, strings.Repeat("n", 100_000)), path, old)
		return nil
	}
}

// TestShortWrite lets the system take only the first 8 KiB of the new content.
func TestShortWrite(t *testing.T) {
	runChild(t, "file size limit", t.TempDir(), "io", nil)
}

func init() {
	children["mounts"] = func(dir string) error {
		if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
			return err
		}
		return errors.Join(singleFileMount(dir), readOnlyMount(dir), fullDisk(dir))
	}
}

func singleFileMount(dir string) error {
	source, path := filepath.Join(dir, "source"), filepath.Join(dir, "single", "config.json")
	err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(source, []byte("old"), 0o600), os.WriteFile(path, nil, 0o600))
	if err == nil {
		err = syscall.Mount(source, path, "", syscall.MS_BIND, "")
	}
	if err == nil {
		tell(replaceWith(path, "new"), path, "old")
		err = syscall.Unmount(path, 0)
	}
	return err
}

func readOnlyMount(dir string) error {
	ro := filepath.Join(dir, "read-only")
	path := filepath.Join(ro, "config.json")
	err := errors.Join(os.Mkdir(ro, 0o700), os.WriteFile(path, []byte("old"), 0o600), syscall.Mount(ro, ro, "", syscall.MS_BIND, ""))
	if err == nil {
		err = syscall.Mount("", ro, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
	}
	if err == nil {
		tell(replaceWith(path, "new"), path, "old")
		err = syscall.Unmount(ro, 0)
	}
	return err
}

func fullDisk(dir string) error {
	small := filepath.Join(dir, "small")
	path := filepath.Join(small, "config.json")
	old := bytes.Repeat([]byte("o"), 40_000)
	err := errors.Join(os.Mkdir(small, 0o700), syscall.Mount("tmpfs", small, "tmpfs", 0, "size=64k"), os.WriteFile(path, old, 0o600))
	if err == nil {
		tell(replaceWith(path, strings.Repeat("n", 40_000)), path, string(old))
		err = syscall.Unmount(small, 0)
	}
	return err
}

// TestMounts uses real mounts: a single file, a read-only folder and a full disk. Where the system lets tests make no
// mounts, TestEveryOperationFails stands in with the errors that they give.
func TestMounts(t *testing.T) {
	attr := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	probe := child("nothing", "")
	probe.SysProcAttr = attr
	if err := probe.Run(); err != nil {
		t.Logf("no mounts here: %v", err)
		return
	}
	runChild(t, "mounts", t.TempDir(), "mount\nread-only\nno space", attr)
}
