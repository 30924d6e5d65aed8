//go:build unix

package home

import (
	"io/fs"
	"os"
	"syscall"
)

// checkOwner refuses a folder of another user and one that others can write to.
func checkOwner(dir string, info fs.FileInfo) error {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) != os.Geteuid() {
		return unsafeState("%s belongs to another user (uid %d): remove it, or set ZCODE_ACP_STATE_DIR to a folder of your own", dir, stat.Uid)
	}
	if info.Mode().Perm()&0o022 != 0 {
		return unsafeState("%s can be written to by others: run chmod 700 on it after a look at what it holds", dir)
	}
	return nil
}
