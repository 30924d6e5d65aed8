// Package skills finds the skills that ZCode sees on disk, deletes one and copies
// one into the user's own folder.
//
// [Scan] walks the folders the way ZCode does and says of each skill why one of
// ZCode's readers would not take it. Nothing outside the given roots is read,
// except what a link names as a skill in a root of the user or of a project, as
// ZCode does, and of that nothing but its SKILL.md. In a plugin no link counts.
//
// An OK answer of [Delete] and [CopyToUser] is durable, and any other answer means
// that nothing changed. Both show ZCode a skill whole or not at all: they work
// under a hidden name, which ZCode does not look at, and rename. Nothing is ever
// replaced, and what another program swaps in between a check and the act is left
// alone. Delete follows no link out of a root; CopyToUser follows only one that is
// the skill's folder itself, in a root of the user anywhere, in that of a project
// inside the project. A process that is killed may leave such a hidden folder; the
// next call in the same folder clears it away once it is an hour old.
package skills

// Scope tells whose folder holds a skill.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // `~/.zcode/skills`, and with [FromSettings] what `skills.roots` names
	Agents  Scope = "agents"  // `~/.agents/skills`
	Project Scope = "project" // `.zcode/skills` and `.agents/skills` of a project
	Plugin  Scope = "plugin"  // `skills` of an installed plugin version, and what its manifest names
)

// Root is a folder in which ZCode looks for skills.
type Root struct {
	Path      string // absolute
	Scope     Scope
	Origin    string // the plugin's id, the project's folder or [FromSettings], "" for ZCode's own folders of the user
	Reach     Reach
	Deletable bool // whether [Delete] may work here
}

// FromSettings is the origin of the folders that the user names in `skills.roots`
// of `cli/config.json`.
const FromSettings = "skills.roots"

// Skill is one SKILL.md.
type Skill struct {
	Name        string `json:"name"` // the folder's name where the file gives none
	Description string `json:"description"`
	Path        string `json:"path"`     // of SKILL.md, as spelt under its root
	RealPath    string `json:"realPath"` // of SKILL.md without links: the desktop app's key of the switch
	Dir         string `json:"dir"`      // the folder that holds it, absolute
	Scope       Scope  `json:"scope"`
	Origin      string `json:"origin,omitempty"`
	Link        string `json:"link,omitempty"` // what the folder links to, "" when it is no link
	Flags       []Flag `json:"flags,omitempty"`
}

// Problem is a place that could not be looked at.
type Problem struct {
	Path   string `json:"path"`
	Reason string `json:"reason"` // what is wrong and what to do
}

// skillFile is the name of the file that makes a folder a skill.
const skillFile = "SKILL.md"
