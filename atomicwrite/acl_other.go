//go:build unix && !linux

package atomicwrite

import (
	"io/fs"
	"os"
)

// adoptACL does nothing: only on Linux does a list change what the permission bits mean.
func (u *update) adoptACL(_ *os.File, perm fs.FileMode) (allowed fs.FileMode, set bool, err error) {
	return perm, false, nil
}
