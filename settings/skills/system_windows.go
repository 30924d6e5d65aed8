package skills

import (
	"errors"
	"io/fs"
	"os"
)

const openFlags = 0

// renameExclusive leaves it to a look before the rename: os.Root has no rename
// that fails on an existing name, and a path could be led elsewhere.
func renameExclusive(*os.File, string, string) error { return errors.ErrUnsupported }

// permit has nothing to do: permissions come from the folder above.
func permit(*os.File, fs.FileMode) error { return nil }

// syncFolder has nothing to do: NTFS journals names, and a folder cannot be
// flushed.
func syncFolder(*os.Root, string) error { return nil }
