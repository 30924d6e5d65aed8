package settings

import "io/fs"

// judgesModes is false: on Windows access lists decide, which the mode does not show.
const judgesModes = false

func ownerOf(fs.FileInfo) (uid int, known bool) { return 0, false }
