//go:build unix

package settings

import (
	"io/fs"
	"syscall"
)

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
