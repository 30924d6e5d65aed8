package skills

// Flag says why one of ZCode's readers does not take a skill.
type Flag string

// The flags.
const (
	NoDescription   Flag = "no-description"
	LongDescription Flag = "long-description"
	TooLarge        Flag = "too-large"
	NotInvocable    Flag = "not-user-invocable"
	Shadowed        Flag = "shadowed"
	ByteOrderMark   Flag = "byte-order-mark"
)

const (
	maxDescription = 1024   // UTF-16 code units, as JavaScript counts
	maxSkillFile   = 100000 // bytes
)

// Rejects reports whether one of ZCode's readers does not take the skill at all.
func (f Flag) Rejects() bool { return f == NoDescription || f == LongDescription || f == TooLarge }

// Reason says what the flag means and what to do, "" for an unknown one.
func (f Flag) Reason() string {
	switch f {
	case NoDescription:
		return "the front matter has no description: the CLI rejects the skill, the desktop app lists it; add one"
	case LongDescription:
		return "the description is longer than 1024 characters (UTF-16 code units, so an emoji counts twice): ZCode rejects the skill; shorten it"
	case TooLarge:
		return "SKILL.md is larger than 100000 bytes: the CLI does not load it; move parts of it into other files"
	case NotInvocable:
		return "user-invocable is false: the skill is not offered in menus"
	case Shadowed:
		return "a skill in ~/.zcode/skills has the same folder or name: the desktop app hides this one; rename or delete one of them"
	case ByteOrderMark:
		return "SKILL.md begins with a byte order mark: the desktop app sees no front matter; save the file without it"
	}
	return ""
}
