package cliconfig

import (
	"fmt"
	"path"

	"zcode-acp/settings/jsonedit"
)

// EnableSkill switches a skill on or off for both of ZCode's readers. Off stores
// `{"enable":false}` under the path with slashes in `skills`, and is the one
// switch of this path afterwards. On removes every entry that switches the path
// off, whatever its spelling; the `skills` object stays when it becomes empty.
// Other members of an entry are kept; the notes name the other spellings that
// went. The links are as in [SkillEnabled]; goos is that of the ZCode in question.
func EnableSkill(d *jsonedit.Doc, file string, on bool, goos string, links ...string) (*jsonedit.Doc, []string, error) {
	doc, notes, err := enableSkill(d, file, on, goos, links)
	if err != nil {
		return nil, nil, fmt.Errorf("switching a skill: %w", err)
	}
	return doc, notes, nil
}

func enableSkill(d *jsonedit.Doc, file string, on bool, goos string, links []string) (*jsonedit.Doc, []string, error) {
	key, err := skillKey(file, on, goos)
	if err != nil {
		return nil, nil, err
	}
	if err := checkSkillSections(d); err != nil {
		return nil, nil, err
	}
	same := paths{
		files: append(links[:len(links):len(links)], key),
		form:  func(key string) string { return path.Clean(slashed(key)) },
	}
	e := edit{doc: d}
	for entry, section := range skillEntries(d) {
		own := section == "skills" && entry.Key() == key
		if !same.has(entry.Key()) || own && !on || !inTheWay(entry, on, own) {
			continue
		}
		e.dropSwitch(entry)
		if !own {
			e.note(fmt.Sprintf("another spelling of this path was removed from %q: %q", section, entry.Key()))
		}
	}
	if !on {
		e.switchOff(key)
	}
	return e.doc, e.notes, e.err
}

// inTheWay reports whether an entry of the path keeps the edit from being true.
func inTheWay(entry jsonedit.Node, on, own bool) bool {
	if entry.Kind() != jsonedit.Object {
		return own // no reader takes it for a switch, and the CLI ignores the file for it
	}
	enable := entry.Get("enable")
	if value, ok := enable.Bool(); on && ok {
		return !value
	}
	return enable.Exists()
}

// dropSwitch removes the switch of an entry, and the entry when it held no more.
func (e *edit) dropSwitch(entry jsonedit.Node) {
	e.path = entry.Path()
	if entry.Kind() == jsonedit.Object && entry.Len() > 1 {
		e.delete("enable")
		return
	}
	e.delete()
}

func (e *edit) switchOff(key string) {
	e.path = jsonedit.Path{"skills", key}
	if e.doc.Find(e.path).Kind() == jsonedit.Object {
		e.set([]byte("false"), "enable")
		return
	}
	e.set([]byte(`{"enable":false}`))
}

// checkSkillSections refuses a document in which there is no place for switches.
func checkSkillSections(d *jsonedit.Doc) error {
	if d.Root().Kind() != jsonedit.Object {
		return &InvalidError{"", "the file must hold an object: mend it by hand first"}
	}
	for _, name := range skillSections {
		if n := d.Root().Get(name); n.Exists() && n.Kind() != jsonedit.Object {
			return &InvalidError{n.Path().Pointer(), "must be an object: mend that in the file by hand first"}
		}
	}
	return nil
}
