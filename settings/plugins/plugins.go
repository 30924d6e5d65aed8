// Package plugins reads which plugins are installed for ZCode and what each of
// them brings: skills, agents, commands, hooks and MCP servers.
//
// It only reads. What a plugin's folder holds is never trusted: reading is
// confined to that folder, links are not followed out of it, sizes and counts
// are limited, and secrets of MCP servers are masked. A piece that is broken is
// a [Problem] and costs nothing but itself.
//
// Whether a plugin is on is not told here: see cliconfig.PluginState.
package plugins

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"zcode-acp/settings/cliconfig"
)

// Scope tells for which projects a plugin is installed.
type Scope string

// The scopes of an install record.
const (
	User      Scope = "user"      // every project
	Workspace Scope = "workspace" // the project in ProjectPath
)

// Marketplaces that are none: official plugins come with the app, inline ones
// from the folders in `plugins.dirs`.
const (
	official = "zcode-plugins-official"
	inline   = "inline"
)

// Plugin is one plugin and what it brings.
type Plugin struct {
	ID          string   `json:"id"` // <name>@<marketplace>, the key in enabledPlugins
	Name        string   `json:"name"`
	Marketplace string   `json:"marketplace"`
	Version     string   `json:"version,omitempty"`
	InstallPath string   `json:"installPath,omitempty"` // absolute
	Scope       Scope    `json:"scope,omitempty"`       // of install records only
	ProjectPath string   `json:"projectPath,omitempty"`
	Description string   `json:"description,omitempty"`
	Manifest    string   `json:"manifest,omitempty"` // absolute path
	Ignored     string   `json:"ignored,omitempty"`  // why ZCode does not load the plugin
	Contents    Contents `json:"contents"`
}

// Contents is what a plugin brings, whether it is on or off.
type Contents struct {
	Skills     []Item             `json:"skills,omitempty"`
	Agents     []Item             `json:"agents,omitempty"`
	Commands   []Item             `json:"commands,omitempty"`
	Hooks      []Hooks            `json:"hooks,omitempty"`
	MCPServers []cliconfig.Server `json:"mcpServers,omitempty"` // masked, with the source "plugin"
}

// Item is a skill, an agent or a command, named by its folder or file.
type Item struct {
	Name string `json:"name"`
	Path string `json:"path,omitempty"` // absolute; "" for one that the manifest defines itself
}

// Hooks counts the hooks of one event that ZCode takes.
type Hooks struct {
	Event string `json:"event"`
	Count int    `json:"count"`
}

// List is a list of plugins in the order in which ZCode looks for them.
type List []Plugin

// Named returns the plugin of an id of which nothing else is known.
func Named(id string) Plugin {
	name, marketplace := splitID(id)
	return Plugin{ID: id, Name: name, Marketplace: marketplace}
}

// Read lists the plugins under ZCode's plugin folder: those that came with the
// app, then those of `installed_plugins.json`. With a cwd, plugins of other
// workspaces are left out. Of plugins with one id ZCode takes the first; the
// others are problems.
func Read(storageDir, cwd string) (List, []Problem) {
	var r report
	list := append(readOfficial(storageDir, &r), readRecords(storageDir, &r)...)
	if cwd != "" {
		list = list.InstalledFor(cwd)
	}
	for i := range list {
		load(&list[i], &r)
	}
	return distinct(list, &r), r.problems()
}

// ReadDirs lists the inline plugins: those in the folders of `plugins.dirs`. A
// relative folder is looked for below cwd.
func ReadDirs(dirs []string, cwd string) (List, []Problem) {
	var r report
	var list List
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			if !filepath.IsAbs(cwd) {
				r.add(Problem{File: dir, Reason: "is relative: name a project to see the plugin"})
				continue
			}
			dir = filepath.Join(cwd, dir)
		}
		list = append(list, Plugin{Name: filepath.Base(dir), Marketplace: inline, InstallPath: filepath.Clean(dir)})
	}
	for i := range list {
		load(&list[i], &r)
	}
	return distinct(list, &r), r.problems()
}

// InstalledFor returns the plugins that count in a project: workspace plugins do
// in their own project only, or, where the record names none, in every one.
func (l List) InstalledFor(cwd string) List {
	var list List
	for _, p := range l {
		if p.Scope != Workspace || p.ProjectPath == "" || samePath(p.ProjectPath, cwd) {
			list = append(list, p)
		}
	}
	return list
}

// distinct drops the plugins that ZCode overlooks for an earlier one.
func distinct(list List, r *report) List {
	type key struct{ id, project string }
	first := make(map[key]Plugin, len(list))
	kept := list[:0]
	for _, p := range list {
		k := key{id: p.ID}
		if p.Scope == Workspace {
			k.project = filepath.Clean(p.ProjectPath)
		}
		earlier, again := first[k]
		if !again {
			first[k] = p
			kept = append(kept, p)
			continue
		}
		reason := fmt.Sprintf("holds the same plugin as %s, which ZCode takes", earlier.InstallPath)
		if compareVersions(p.Version, earlier.Version) > 0 {
			reason += fmt.Sprintf(" although it is older (%s, not %s)", earlier.Version, p.Version)
		}
		r.add(Problem{Plugin: p.ID, File: p.InstallPath, Reason: reason})
	}
	return kept
}

func samePath(a, b string) bool {
	a, b = filepath.Clean(a), filepath.Clean(b)
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// splitID cuts an id at its last @, as ZCode does.
func splitID(id string) (name, marketplace string) {
	if i := strings.LastIndexByte(id, '@'); i >= 0 {
		return id[:i], id[i+1:]
	}
	return id, ""
}
