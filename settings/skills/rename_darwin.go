package skills

import "golang.org/x/sys/unix"

func renameAt(folder int, from, to string) error {
	return unix.RenameatxNp(folder, from, folder, to, unix.RENAME_EXCL)
}
