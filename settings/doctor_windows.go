package settings

import (
	"errors"
	"io/fs"
)

// tightenFile has nothing to change here.
func tightenFile(string) error { return errors.New("access lists decide on Windows, not modes") }

// judgesModes is false: on Windows access lists decide, which the mode does not show.
const judgesModes = false

func ownerOf(fs.FileInfo) (uid int, known bool) { return 0, false }
