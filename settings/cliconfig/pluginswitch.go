package cliconfig

import (
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// Marketplaces that ZCode treats in a way of its own.
const (
	officialMarketplace = "zcode-plugins-official"
	inlineMarketplace   = "inline" // the folders in `plugins.dirs`
)

// defaultOn are the official plugins of ZCode 3.14.0 that are on without an
// entry in `enabledPlugins`.
var defaultOn = []string{
	"browser-use", "image-search", "documents", "pdf", "presentations", "spreadsheets",
	"node-repl-host", "skill-creator", "plugin-creator", "zcode-guide",
}

// ZCode renames the one to the other wherever it reads or writes a plugin's id.
const (
	legacyComputerUse = "zcode-cua@" + officialMarketplace
	computerUse       = "computer-use@" + officialMarketplace
)

// PluginSwitch tells whether ZCode loads a plugin, and what decides it.
type PluginSwitch struct {
	Enabled bool   `json:"enabled"`
	Reason  string `json:"reason"`
}

// PluginState applies ZCode's rule to the plugin with that id: `plugins.enabled`,
// `suppressedBuiltins`, `enabledPlugins`, then ZCode's default. Without an entry,
// installed decides only what the reason says.
func PluginState(d *jsonedit.Doc, id string, installed bool) PluginSwitch {
	id = currentPluginID(id)
	section := d.Root().Get("plugins")
	name, marketplace := splitPluginID(id)
	official := marketplace == officialMarketplace
	on, listed := listedPlugin(section.Get("enabledPlugins"), id)
	switch {
	case allPluginsOff(section):
		return PluginSwitch{false, "plugins.enabled is false"}
	case official && slices.Contains(SuppressedBuiltins(d), id):
		return PluginSwitch{false, "suppressed"}
	case listed:
		return PluginSwitch{on, "set in enabledPlugins"}
	case marketplace == inlineMarketplace:
		return PluginSwitch{true, "inline plugins are on by default"}
	case official && slices.Contains(defaultOn, name):
		return PluginSwitch{true, "on by default (official)"}
	case installed:
		return PluginSwitch{false, "off by default: installed marketplace plugins need true"}
	}
	return PluginSwitch{false, "off by default: not installed"}
}

// EnabledPlugins returns the ids of the plugins that the file switches on or off,
// in the order of the file, under the names that ZCode uses now; it is never nil.
func EnabledPlugins(d *jsonedit.Doc) []string {
	ids := []string{}
	list := d.Root().Get("plugins").Get("enabledPlugins")
	if list.Kind() != jsonedit.Object {
		return ids
	}
	renamed := list.Get(legacyComputerUse).Exists() && list.Get(computerUse).Exists()
	for c := range list.Children() {
		if id := c.Key(); id != legacyComputerUse || !renamed {
			ids = append(ids, currentPluginID(id))
		}
	}
	return ids
}

// SuppressedBuiltins returns the ids of the official plugins that were removed in
// the app, under the names that ZCode uses now; it is never nil.
func SuppressedBuiltins(d *jsonedit.Doc) []string {
	ids := stringElements(d.Root().Get("plugins").Get("suppressedBuiltins"))
	for i, id := range ids {
		ids[i] = currentPluginID(id)
	}
	return ids
}

// PluginDirs returns the folders of the inline plugins, as the file spells them;
// it is never nil.
func PluginDirs(d *jsonedit.Doc) []string {
	return stringElements(d.Root().Get("plugins").Get("dirs"))
}

// stringElements returns the elements of an array that are strings.
func stringElements(n jsonedit.Node) []string {
	list := []string{}
	if n.Kind() != jsonedit.Array {
		return list
	}
	for c := range n.Children() {
		if c.Kind() == jsonedit.String {
			list = append(list, c.Text())
		}
	}
	return list
}

// listedPlugin returns what `enabledPlugins` says about a plugin; an entry under
// the present id decides over one under the old id.
func listedPlugin(list jsonedit.Node, id string) (on, listed bool) {
	on, listed = list.Get(id).Bool()
	if !listed && id == computerUse {
		return list.Get(legacyComputerUse).Bool()
	}
	return on, listed
}

func allPluginsOff(section jsonedit.Node) bool {
	on, set := section.Get("enabled").Bool()
	return set && !on
}

// currentPluginID returns the id that ZCode uses now for the plugin.
func currentPluginID(id string) string {
	if id == legacyComputerUse {
		return computerUse
	}
	return id
}

// splitPluginID cuts an id at its last @, as ZCode does.
func splitPluginID(id string) (name, marketplace string) {
	if i := strings.LastIndexByte(id, '@'); i >= 0 {
		return id[:i], id[i+1:]
	}
	return id, ""
}

// IsOfficial reports whether a plugin comes from ZCode's own marketplace, of which
// the app brings some along.
func IsOfficial(id string) bool {
	_, marketplace := splitPluginID(id)
	return marketplace == officialMarketplace
}
