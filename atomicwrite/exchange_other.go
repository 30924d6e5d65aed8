//go:build unix && !linux && !darwin

package atomicwrite

import "golang.org/x/sys/unix"

func exchange(_, _ string) error { return unix.ENOSYS }

func renameNoReplace(_, _ string) error { return unix.ENOSYS }
