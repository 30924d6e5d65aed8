package skills

import "golang.org/x/sys/unix"

func renameAt(folder int, from, to string) error {
	return unix.Renameat2(folder, from, folder, to, unix.RENAME_NOREPLACE)
}
