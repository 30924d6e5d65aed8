package settings

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// home looks at what stands above the single files: what was set and does not
// count, and whether the locks can be judged here at all.
func (c *checkup) home(context.Context) {
	layout := c.engine.Layout
	for _, note := range layout.Notes() {
		c.add(Finding{Severity: Note, Kind: "place", Message: note, Command: "zcode-acp settings where"})
	}
	for _, path := range c.engine.history().Damaged() {
		c.add(Finding{Severity: Note, Kind: "history_damaged", File: path,
			Message: "the history was damaged; what could not be read is kept in " + path + ", and a new one was begun", Command: "ls -l " + quoted(path)})
	}
	root := layout.Root()
	info, err := os.Stat(root)
	if isMissing(err) {
		c.add(Finding{Severity: Note, Kind: "no_home", File: root,
			Message: root + " does not exist: ZCode was never started here, or keeps its files elsewhere", Command: "zcode-acp settings where"})
		return
	}
	if err != nil {
		c.add(Finding{Severity: Serious, Kind: "unreadable", File: root,
			Message: fmt.Sprintf("%s cannot be read: %v", root, withoutPath(err)), Command: "ls -ld " + quoted(root)})
		return
	}
	if owner, known := ownerOf(info); known && owner != os.Geteuid() {
		c.add(Finding{Severity: Warning, Kind: "foreign_owner", File: root,
			Message: fmt.Sprintf("%s belongs to user %d, and this program runs as user %d: whether a lock there is still held cannot be judged for processes of another user's container", root, owner, os.Geteuid()),
			Command: "ls -ld " + quoted(root)})
	}
	if kind := sharedFileSystem(root); kind != "" {
		c.add(Finding{Severity: Warning, Kind: "shared_file_system", File: root,
			Message: fmt.Sprintf("%s lies on %s: a program on another machine or in another container looks dead from here, and its lock can be taken away", root, kind),
			Command: "df " + quoted(root)})
	}
	if inContainer() {
		c.add(Finding{Severity: Note, Kind: "container", File: root,
			Message: "this program runs in a container: if ZCode on the host writes the same " + root + ", the holder of a lock cannot be judged from here",
			Command: "zcode-acp settings where"})
	}
}

// inContainer reports what container engines leave in the file system.
func inContainer() bool {
	for _, mark := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(mark); err == nil {
			return true
		}
	}
	return false
}

// dotted writes a JSON pointer the way people read settings:
// hooks.events.Stop[0].matcher.
func dotted(pointer string) string {
	if pointer == "" {
		return "the file"
	}
	var b strings.Builder
	for i, step := range pathOf(pointer) {
		switch {
		case step != "" && strings.Trim(step, "0123456789") == "":
			b.WriteString("[" + step + "]")
		case i == 0:
			b.WriteString(step)
		default:
			b.WriteString("." + step)
		}
	}
	return b.String()
}

func joined(words []string) string { return strings.Join(words, ", ") }
