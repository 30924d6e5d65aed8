package plugins

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// readContents lists what the plugin brings: what lies in the usual places, then
// what the manifest names.
func (f *folder) readContents(manifest jsonedit.Node) {
	c := &f.plugin.Contents
	for _, dir := range f.folders(manifest, "skills") {
		c.Skills = append(c.Skills, f.skills(dir)...)
	}
	for _, dir := range f.folders(manifest, "agents") {
		c.Agents = append(c.Agents, f.markdown(dir, maxDepth)...)
	}
	for _, dir := range f.folders(manifest, "commands") {
		c.Commands = append(c.Commands, f.markdown(dir, 0)...)
	}
	c.Skills = once(c.Skills)
	c.Agents = once(append(defined(manifest.Get("agents")), c.Agents...))
	c.Commands = once(append(defined(manifest.Get("commands")), c.Commands...))
	f.hooks(manifest.Get("hooks"))
	f.servers(manifest.Get("mcpServers"))
}

// folders returns the usual folder of a kind and those that the manifest names.
func (f *folder) folders(manifest jsonedit.Node, kind string) []string {
	dirs := []string{kind}
	declared := manifest.Get(kind)
	for i, n := range oneOrMore(declared) {
		if n.Kind() != jsonedit.String {
			continue
		}
		dir, ok := inside(n.Text())
		switch {
		case !ok:
			f.outside(pointerOf(declared, i))
		case !slices.Contains(dirs, dir):
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// outside tells of a path in the manifest that is not followed.
func (f *folder) outside(pointer string) {
	f.report.add(Problem{
		Plugin: f.plugin.ID, File: f.plugin.Manifest, Pointer: pointer,
		Reason: "leads out of the plugin's folder: ZCode skips it",
	})
}

// oneOrMore returns the elements of an array, or the value itself.
func oneOrMore(n jsonedit.Node) []jsonedit.Node {
	switch n.Kind() {
	case 0:
		return nil
	case jsonedit.Array:
		return slices.Collect(n.Children())
	}
	return []jsonedit.Node{n}
}

// pointerOf points at the i-th value of [oneOrMore] of a member of the manifest.
func pointerOf(member jsonedit.Node, i int) string {
	pointer := jsonedit.Path{member.Key()}.Pointer()
	if member.Kind() == jsonedit.Array {
		pointer += "/" + strconv.Itoa(i)
	}
	return pointer
}

// defined returns the agents or commands that the manifest itself defines.
func defined(n jsonedit.Node) []Item {
	if n.Kind() != jsonedit.Object {
		return nil
	}
	var items []Item
	for c := range n.Children() {
		if name := strings.TrimSpace(c.Key()); name != "" {
			items = append(items, Item{Name: name})
		}
	}
	return items
}

// unskilled are folders in which ZCode looks for no skill.
var unskilled = []string{
	"node_modules", "dist", "build", "out", "target", "vendor", "coverage",
	".cache", ".next", ".turbo", ".venv", "__pycache__",
}

// skills lists the skill that a folder is, then those one level below.
func (f *folder) skills(dir string) []Item {
	const file = "SKILL.md"
	var items []Item
	entries := f.entries(dir)
	for _, e := range entries {
		if e.Name() == file && e.Type().IsRegular() {
			items = append(items, Item{filepath.Base(f.abs(dir)), f.abs(path.Join(dir, file))})
		}
	}
	for _, e := range entries {
		below := path.Join(dir, e.Name())
		switch hidden := strings.HasPrefix(e.Name(), ".") && e.Name() != ".system"; {
		case hidden || slices.Contains(unskilled, e.Name()):
		case e.Type()&fs.ModeSymlink != 0:
			f.linkedSkill(below)
		case e.IsDir() && f.isFile(path.Join(below, file)):
			items = append(items, Item{e.Name(), f.abs(path.Join(below, file))})
		}
	}
	return items
}

// linkedSkill tells of a link in the place of a skill.
func (f *folder) linkedSkill(name string) {
	if info, err := f.root.Stat(name); err != nil || info.IsDir() {
		f.problem(name, "", isLink)
	}
}

// markdown lists the markdown files of a folder and, as deep as depth allows, of
// the folders in it.
func (f *folder) markdown(dir string, depth int) []Item {
	var items []Item
	for _, e := range f.entries(dir) {
		name := path.Join(dir, e.Name())
		base, isMarkdown := strings.CutSuffix(e.Name(), ".md")
		switch {
		case e.Type().IsRegular() && isMarkdown && base != "":
			items = append(items, Item{base, f.abs(name)})
		case e.IsDir() && depth > 0:
			items = append(items, f.markdown(name, depth-1)...)
		}
	}
	return items
}

// once keeps the first of the items of one path, or of one name without a path.
func once(items []Item) []Item {
	seen := make(map[Item]bool, len(items))
	return slices.DeleteFunc(items, func(item Item) bool {
		key := item
		if item.Path != "" {
			key.Name = ""
		}
		again := seen[key]
		seen[key] = true
		return again
	})
}

// trimmed returns a string without the blanks around it.
func trimmed(n jsonedit.Node) string { return strings.TrimSpace(n.Text()) }
