package agents

import (
	"slices"
	"strconv"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// Prefixes of the ids in the state file: source, scope.
const (
	userPrefix    = "user:user:"
	projectPrefix = "user:workspace:"
	builtInPrefix = "built-in:built-in:"
	legacyPrefix  = "user:" // of ids that other tools write
	pluginPrefix  = "plugin:"
)

// UserID returns the id that ZCode looks for in the list of disabled agents; two
// names that differ only in case share it.
func UserID(name string) string { return userPrefix + lower(trim(name)) }

// LegacyID returns the id that other tools write for a user agent. ZCode looks
// for it nowhere, so it disables nothing.
func LegacyID(name string) string { return legacyPrefix + lower(trim(name)) }

// Disabled reports whether ZCode leaves out the user agent of that name.
func Disabled(d *jsonedit.Doc, name string) bool {
	return slices.Contains(disabledIDs(d), UserID(name))
}

// Ineffective returns the disabled ids that have no effect in ZCode, in the order
// of the file: only user agents can be disabled, by exactly the id that [UserID]
// gives.
func Ineffective(d *jsonedit.Doc) []string {
	var list []string
	for _, id := range disabledIDs(d) {
		if ineffective(id) {
			list = append(list, id)
		}
	}
	return list
}

// ineffective does not judge ids of a source that it does not know.
func ineffective(id string) bool {
	name, isUser := strings.CutPrefix(id, userPrefix)
	switch {
	case isUser:
		return id != UserID(name) || name == ""
	case strings.HasPrefix(id, legacyPrefix), strings.HasPrefix(id, builtInPrefix):
		return true
	}
	return false
}

// disabledIDs returns the ids that ZCode reads, in the order of the file.
func disabledIDs(d *jsonedit.Doc) []string {
	var list []string
	ids := d.Root().Get(disabledKey)
	if ids.Kind() != jsonedit.Array {
		return nil
	}
	for n := range ids.Children() {
		if isID(n) {
			list = append(list, n.Text())
		}
	}
	return list
}

// Enable switches a user agent on or off; whether there is one is for the caller
// to know. The spelling of [LegacyID] goes either way, which the notes tell. An
// agent that is so already leaves the document as it is.
func Enable(d *jsonedit.Doc, name string, on bool) (*jsonedit.Doc, []string, error) {
	return changeState(d, "switching an agent", func(c *change) { c.enable(name, on) })
}

// Forget removes what the file knows of a user agent that is deleted.
func Forget(d *jsonedit.Doc, name string) (*jsonedit.Doc, []string, error) {
	return changeState(d, "forgetting an agent", func(c *change) { c.enable(name, true) })
}

// Move lets a user agent that is renamed stay as it is, enabled or disabled.
func Move(d *jsonedit.Doc, from, to string) (*jsonedit.Doc, []string, error) {
	return changeState(d, "renaming an agent", func(c *change) {
		if UserID(from) == UserID(to) {
			return
		}
		disabled := Disabled(d, from)
		c.enable(from, true)
		c.enable(to, !disabled)
	})
}

func (c *change) enable(name string, on bool) {
	c.need(disabledKey, jsonedit.Array)
	if c.err == nil && trim(name) == "" {
		c.err = &InvalidError{"/name", "must not be blank"}
	}
	if c.err != nil {
		return
	}
	if id := LegacyID(name); ineffective(id) && c.removeID(id) {
		c.note("removed " + strconv.Quote(id) + ", an id that has no effect in ZCode")
	}
	switch id := UserID(name); {
	case on:
		c.removeID(id)
	case !Disabled(c.doc, name):
		c.addID(id)
	}
}

// removeID takes an id out of the list as often as it is there.
func (c *change) removeID(id string) (removed bool) {
	ids := slices.Collect(c.doc.Root().Get(disabledKey).Children())
	for i := len(ids) - 1; i >= 0; i-- {
		if ids[i].Kind() == jsonedit.String && ids[i].Text() == id {
			c.delete(disabledKey, strconv.Itoa(i))
			removed = true
		}
	}
	return removed
}

// addID puts an id where it belongs in the sorted list.
func (c *change) addID(id string) {
	c.settle()
	if c.err != nil {
		return
	}
	at := 0
	for n := range c.doc.Root().Get(disabledKey).Children() {
		if !isID(n) || compareUnits(n.Text(), id) > 0 {
			break
		}
		at++
	}
	c.insert(at, jsonedit.Quote(id), disabledKey)
}
