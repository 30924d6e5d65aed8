package cliconfig

import (
	"iter"
	"path"
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// SkillSwitch is one entry of the file that switches a skill on or off.
type SkillSwitch struct {
	Key      string // as it stands in the file
	Path     string // Key with slashes for backslashes, as the desktop app compares it
	Spelling string // the member that holds it: "skills", or "skill", which only the CLI reads
	Enabled  bool
}

// SkillSwitches returns the entries of `skills` and `skill` that hold a boolean
// `enable`, those of `skills` first, each in the order of the file.
func SkillSwitches(d *jsonedit.Doc) []SkillSwitch {
	var list []SkillSwitch
	for entry, section := range skillEntries(d) {
		if on, ok := entry.Get("enable").Bool(); ok {
			key := entry.Key()
			list = append(list, SkillSwitch{Key: key, Path: slashed(key), Spelling: section, Enabled: on})
		}
	}
	return list
}

// SkillState is what ZCode's two readers make of the switches of one skill.
type SkillState struct {
	Desktop bool   `json:"desktop"`          // the desktop app has it on
	CLI     bool   `json:"cli"`              // the CLI has it on
	Reason  string `json:"reason,omitempty"` // why the two differ, "" when they do not
}

// SkillEnabled tells whether ZCode has a skill on. The path is the real one of
// its SKILL.md, which the desktop app compares; links are other paths that lead
// there, which only the CLI resolves. A skill that the file does not name is on.
//
// The desktop app turns backslashes into slashes everywhere, takes the last entry
// of a path and overlooks `skill`. The CLI compares resolved paths by the rules
// of the system it runs on and needs one entry that says off; an entry of
// `skills` replaces the one of `skill` with the same text.
func SkillEnabled(d *jsonedit.Doc, file, goos string, links ...string) SkillState {
	s := SkillState{Desktop: true, CLI: true}
	cli := paths{files: append(links[:len(links):len(links)], file), form: path.Clean}
	if goos == "windows" {
		cli.form = func(key string) string { return resolved(slashed(key)) }
	}
	for entry, section := range skillEntries(d) {
		on, ok := entry.Get("enable").Bool()
		desktop := section == "skills" && slashed(entry.Key()) == slashed(file)
		if ok && desktop {
			s.Desktop = on
		}
		if ok && !on && cli.has(entry.Key()) && !replaced(d, entry, section) {
			s.CLI = false
			s.Reason = onlyTheCLI(section, desktop)
		}
	}
	switch {
	case s.Desktop == s.CLI:
		s.Reason = ""
	case s.CLI:
		s.Reason = "the key has backslashes, which the CLI reads as slashes on Windows only"
	}
	return s
}

// replaced reports whether `skills` has an entry that the CLI takes instead.
func replaced(d *jsonedit.Doc, entry jsonedit.Node, section string) bool {
	return section == "skill" && d.Root().Get("skills").Get(entry.Key()).Exists()
}

// onlyTheCLI says why an entry that switches a skill off counts for the CLI only.
func onlyTheCLI(section string, desktopReads bool) string {
	switch {
	case section == "skill":
		return `the switch stands in "skill", which only the CLI reads`
	case desktopReads:
		return "the file names this path twice: the desktop app takes the last entry, the CLI any that says off"
	}
	return "the key is another name of this file, which only the CLI resolves"
}

// skillSections are the members that hold switches of skills.
var skillSections = []string{"skills", "skill"}

// skillEntries yields the entries that stand for a path, each with its section.
func skillEntries(d *jsonedit.Doc) iter.Seq2[jsonedit.Node, string] {
	return func(yield func(jsonedit.Node, string) bool) {
		for _, section := range skillSections {
			for entry := range d.Root().Get(section).Children() {
				_, reserved := skillFields[entry.Key()]
				if (section == "skill" || !reserved) && entry.Key() != "" && !yield(entry, section) {
					return
				}
			}
		}
	}
}

// slashed is the form in which the desktop app compares paths.
func slashed(file string) string { return strings.ReplaceAll(file, `\`, "/") }

// resolved is the shortest form of an absolute path with slashes; the two slashes
// that begin a network path of Windows stay.
func resolved(file string) string {
	clean := path.Clean(file)
	if strings.HasPrefix(file, "//") {
		return "/" + clean
	}
	return clean
}

// paths is a set of paths in the form that a reader compares.
type paths struct {
	files []string
	form  func(key string) string
}

func (p paths) has(key string) bool {
	want := p.form(key)
	return slices.ContainsFunc(p.files, func(file string) bool { return p.form(file) == want })
}
