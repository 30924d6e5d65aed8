//go:build unix

package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// tightenFile takes every right of others away from a file of ours, and follows
// no link.
func tightenFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return fmt.Errorf("%s is a link: change the mode of the file that it leads to", path)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if owner, known := ownerOf(info); !info.Mode().IsRegular() || known && owner != os.Geteuid() {
		return fmt.Errorf("%s is no file of this user: its owner has to change the mode", path)
	}
	return f.Chmod(info.Mode().Perm() &^ 0o077)
}

// judgesModes says that the mode of a file tells who may read it.
const judgesModes = true

// ownerOf returns the user that a file belongs to.
func ownerOf(info fs.FileInfo) (uid int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}
