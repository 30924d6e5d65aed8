package skills

import (
	"errors"
	"io/fs"
	"os"
)

// renameNoReplace renames inside a folder to a name that must be free; otherwise
// the error is fs.ErrExist. Where the system cannot say so in one step, an empty
// folder that another program makes at that very moment would be replaced;
// anything else is not.
func renameNoReplace(in *os.Root, from, to string) error {
	folder, err := in.Open(".")
	if err != nil {
		return err
	}
	defer folder.Close()
	err = renameExclusive(folder, from, to)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if _, err := in.Lstat(to); err == nil {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	return in.Rename(from, to)
}
