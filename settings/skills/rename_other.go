//go:build unix && !linux && !darwin

package skills

import "golang.org/x/sys/unix"

func renameAt(int, string, string) error { return unix.ENOSYS }
