package plugins

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/jsonedit"
)

// manifests are the places of the manifest; the first that is there counts.
var manifests = []string{".zcode-plugin/plugin.json", ".claude-plugin/plugin.json", ".codex-plugin/plugin.json"}

// load completes a plugin from its folder.
func load(p *Plugin, r *report) {
	f, err := openFolder(p, r)
	if err != nil {
		problem := problemOf(err, p.ID, p.InstallPath)
		if missing(err) {
			problem.Reason = "is missing: install the plugin again or uninstall it"
		}
		p.Ignored = "ZCode does not load this plugin: its folder " + problem.Reason
		r.add(problem)
		p.identify("")
		return
	}
	defer f.root.Close()
	manifest, ok := f.manifest()
	if ok && p.Ignored == "" {
		f.describe(manifest)
	}
	if p.identify(manifest.Get("version").Text()); p.Ignored == "" {
		f.readContents(manifest)
	}
}

// manifest finds the manifest; ok is false where there is none to read. Without
// a good one ZCode does not load the plugin.
func (f *folder) manifest() (root jsonedit.Node, ok bool) {
	for _, name := range manifests {
		d, err := f.doc(name)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular) {
			continue
		}
		f.plugin.Manifest = f.abs(name)
		switch {
		case err != nil && brokenForZCode(err):
			f.plugin.Ignored = "ZCode does not load this plugin: its manifest is not valid JSON"
		case err != nil:
			return root, false
		case d.Root().Kind() != jsonedit.Object:
			f.refuse(name, "", "must hold an object")
		case !cliconfig.IsPluginName(trimmed(d.Root().Get("name"))):
			f.refuse(name, "/name", "must be a name of small letters, digits, '.', '_' and '-'")
		default:
			return d.Root(), true
		}
		return root, false
	}
	f.refuse("", "", "has no manifest ("+manifests[0]+")")
	return root, false
}

// refuse tells why ZCode does not load the plugin.
func (f *folder) refuse(name, pointer, reason string) {
	place := filepath.Base(f.abs(name))
	if pointer != "" {
		place += " " + pointer
	}
	f.plugin.Ignored = "ZCode does not load this plugin: " + place + " " + reason
	f.problem(name, pointer, reason+": ZCode does not load this plugin")
}

// describe takes over what a good manifest says. ZCode knows a plugin by the
// name there, whatever the install record says.
func (f *folder) describe(manifest jsonedit.Node) {
	p := f.plugin
	recorded := p.ID
	p.Name = trimmed(manifest.Get("name"))
	p.ID = p.Name + "@" + p.Marketplace
	p.Description = manifest.Get("description").Text()
	if recorded != "" && recorded != p.ID {
		f.report.add(Problem{
			Plugin: p.ID, File: p.Manifest, Pointer: "/name",
			Reason: fmt.Sprintf("decides: the plugin is installed as %q, but its switch is %q", recorded, p.ID),
		})
	}
}

// identify fills in the id and the version where no better source has.
func (p *Plugin) identify(manifestVersion string) {
	if p.ID == "" {
		p.ID = p.Name + "@" + p.Marketplace
	}
	folder := filepath.Base(p.InstallPath)
	switch {
	case p.Version != "":
	case p.Marketplace != inline && looksLikeVersion(folder):
		p.Version = folder
	default:
		p.Version = manifestVersion
	}
}
