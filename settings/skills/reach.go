package skills

import "path/filepath"

// Reach tells how far below a root ZCode looks for skills.
type Reach int

// The reaches.
const (
	Deep    Reach = iota // eight levels; nothing when it holds another Deep root, as in the desktop app
	Shallow              // the root and the folders in it, as the CLI
	Single               // the root itself, which is one skill
)

// holds reports whether a folder, given relative to the root, may be a skill.
func (r Reach) holds(rel string) bool {
	switch r {
	case Single:
		return rel == "."
	case Shallow:
		return filepath.Base(rel) == rel
	}
	return true
}

// depth is the number of levels below the root that are looked at.
func (r Reach) depth() int {
	switch r {
	case Single:
		return 0
	case Shallow:
		return 1
	}
	return maxDepth
}
