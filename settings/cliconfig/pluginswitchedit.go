package cliconfig

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"zcode-acp/settings/jsonedit"
)

// EnablePlugin switches the plugin `<name>@<marketplace>` on or off: it stores
// true or false, since a missing entry means off for most plugins. An entry under
// the old id of the plugin becomes one under its present id. The notes tell that,
// and why a plugin that is switched on will not run. A plugin that is so already
// leaves the document as it is.
func EnablePlugin(d *jsonedit.Doc, id string, on bool) (*jsonedit.Doc, []string, error) {
	doc, notes, err := enablePlugin(d, id, on)
	if err != nil {
		return nil, nil, fmt.Errorf("switching a plugin: %w", err)
	}
	return doc, notes, nil
}

func enablePlugin(d *jsonedit.Doc, id string, on bool) (*jsonedit.Doc, []string, error) {
	if err := checkPluginID(id); err != nil {
		return nil, nil, err
	}
	if err := checkPluginsSection(d); err != nil {
		return nil, nil, err
	}
	id = currentPluginID(id)
	e := edit{doc: d, path: jsonedit.Path{"plugins", "enabledPlugins"}}
	value := "false"
	if on {
		value = "true"
	}
	e.set([]byte(value), id)
	if id == computerUse && d.Find(e.at(legacyComputerUse)).Exists() {
		e.delete(legacyComputerUse)
		e.note(fmt.Sprintf("the old id %q was replaced by %q", legacyComputerUse, computerUse))
	}
	if on {
		e.notePluginObstacles(d, id)
	}
	return e.doc, e.notes, e.err
}

// notePluginObstacles tells why a plugin that is switched on does not run.
func (e *edit) notePluginObstacles(d *jsonedit.Doc, id string) {
	if allPluginsOff(d.Root().Get("plugins")) {
		e.note("plugins.enabled is false: ZCode runs no plugin until that is true")
	}
	if _, marketplace := splitPluginID(id); marketplace == officialMarketplace && slices.Contains(SuppressedBuiltins(d), id) {
		e.note("the plugin was removed in the app (suppressedBuiltins): ZCode hides it until it is restored there")
	}
}

// IsPluginName is ZCode's rule for the name in the manifest of a plugin: small
// letters, digits, '.', '_' and '-', 128 at most, the first a letter or a digit.
func IsPluginName(name string) bool {
	if name == "" || len(name) > 128 || strings.IndexByte("._-", name[0]) >= 0 {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	})
}

// checkPluginID refuses a key that no plugin can have.
func checkPluginID(id string) error {
	name, marketplace := splitPluginID(id)
	unprintable := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	switch {
	case name == "" || marketplace == "":
		return &InvalidError{"", "plugin key must be '<name>@<marketplace>'"}
	case !IsPluginName(name):
		return &InvalidError{"", "plugin key must be '<name>@<marketplace>': the name begins with a small letter or a digit, " +
			"the rest is small letters, digits, '.', '_' and '-', 128 characters at most"}
	case !utf8.ValidString(marketplace) || strings.ContainsFunc(marketplace, unprintable):
		return &InvalidError{"", "plugin key must be '<name>@<marketplace>': the marketplace is free of blanks and control characters"}
	}
	return nil
}

// checkPluginsSection refuses a document in which there is no place for plugins.
func checkPluginsSection(d *jsonedit.Doc) error {
	if d.Root().Kind() != jsonedit.Object {
		return &InvalidError{"", "the file must hold an object: mend it by hand first"}
	}
	for _, path := range []jsonedit.Path{{"plugins"}, {"plugins", "enabledPlugins"}} {
		if n := d.Find(path); n.Exists() && n.Kind() != jsonedit.Object {
			return &InvalidError{path.Pointer(), "must be an object: mend that in the file by hand first"}
		}
	}
	return nil
}
