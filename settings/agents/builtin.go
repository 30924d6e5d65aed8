package agents

import "slices"

// The agents that are part of ZCode, in the order of its listing.
const (
	generalPurpose = "general-purpose"
	explore        = "Explore"
)

// BuiltIn is an agent that is part of ZCode: it has no file, cannot be disabled
// or edited, and takes only another model.
type BuiltIn struct {
	Name           string
	Color          string
	Tools          []string
	InjectAgentsMd bool
}

// BuiltIns returns the built-in agents in the order of ZCode's listing.
func BuiltIns() []BuiltIn {
	return []BuiltIn{
		{generalPurpose, "blue", []string{"*"}, true},
		{explore, "cyan", []string{"Bash", "Glob", "Grep", "Read", "WebFetch", "WebSearch", "TodoWrite"}, false},
	}
}

// IsBuiltIn reports whether ZCode has a built-in agent of exactly that name. A file
// may define another agent of the same name, which then comes first.
func IsBuiltIn(name string) bool {
	return slices.ContainsFunc(BuiltIns(), func(b BuiltIn) bool { return b.Name == name })
}
