package atomicwrite_test

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"zcode-acp/atomicwrite"
)

const (
	accessList  = "system.posix_acl_access"
	defaultList = "system.posix_acl_default"
)

// acl is a list as the system stores it: the owner rw, user 1234 rw, the owning group as given, mask rw, others nothing.
func acl(group uint16) []byte {
	list := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range []struct {
		tag, perm uint16
		id        uint32
	}{{1, 6, ^uint32(0)}, {2, 6, 1234}, {4, group, ^uint32(0)}, {16, 6, ^uint32(0)}, {32, 0, ^uint32(0)}} {
		list = binary.LittleEndian.AppendUint16(list, e.tag)
		list = binary.LittleEndian.AppendUint16(list, e.perm)
		list = binary.LittleEndian.AppendUint32(list, e.id)
	}
	return list
}

// withList gives path the list called name. Some file systems know no lists: there, nothing is to be kept.
func withList(t *testing.T, path, name string, list []byte) bool {
	t.Helper()
	err := unix.Setxattr(path, name, list, 0)
	if errors.Is(err, unix.EOPNOTSUPP) {
		t.Logf("no access control lists here: %v", err)
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	return true
}

func listOf(path string) string {
	buf := make([]byte, 1024)
	n, err := unix.Getxattr(path, accessList, buf)
	if err != nil {
		return ""
	}
	return string(buf[:n])
}

func TestAccessControlListStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	if !withList(t, path, accessList, acl(0)) {
		return
	}
	res := update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: path, Edit: constant("new")})
	if got := listOf(path); got != string(acl(0)) {
		t.Errorf("list %x, want %x", got, acl(0))
	}
	if got := mode(t, path); got != 0o660 || len(res.Warnings) != 0 {
		t.Errorf("mode %v, warnings %q; want 0660 (the mask) and none", got, res.Warnings)
	}
}

// TestAccessControlListThatCannotBeKept falls back on what the owning group itself was allowed.
func TestAccessControlListThatCannotBeKept(t *testing.T) {
	for group, want := range map[uint16]os.FileMode{0: 0o600, 4: 0o640, 7: 0o660} {
		path := filepath.Join(t.TempDir(), "config.json")
		write(t, path, "old")
		if !withList(t, path, accessList, acl(group)) {
			return
		}
		w := atomicwrite.Writer{Fault: func(op, _ string) error {
			if op == "setxattr" {
				return syscall.EPERM
			}
			return nil
		}}
		res := update(t, w, atomicwrite.Request{Path: path, Edit: constant("new")})
		if got := mode(t, path); got != want || listOf(path) != "" {
			t.Errorf("group %o: mode %v, list %x; want %v and no list", group, got, listOf(path), want)
		}
		if len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "access control list") {
			t.Errorf("Warnings %q, want one of the list", res.Warnings)
		}
	}
}

// TestFolderListIsNotInherited has a folder that lets another user in by default, and a file that does not.
func TestFolderListIsNotInherited(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if !withList(t, filepath.Dir(path), defaultList, acl(6)) {
		return
	}
	update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: path, Edit: constant("new")})
	if got := mode(t, path); got != 0o640 || listOf(path) != "" {
		t.Errorf("mode %v, list %x; want 0640 and none", got, listOf(path))
	}
}
