package plugins

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/jsonedit"
)

// hooksFile is where a plugin's hooks lie besides those in its manifest.
const hooksFile = "hooks/hooks.json"

// hooks counts the hooks of the usual file, then those of the manifest: objects
// of events and paths of files.
func (f *folder) hooks(declared jsonedit.Node) {
	if d, err := f.doc(hooksFile); err == nil {
		f.count(f.abs(hooksFile), "/hooks", d.Root().Get("hooks"))
	}
	read := []string{hooksFile}
	for i, n := range oneOrMore(declared) {
		if n.Kind() != jsonedit.String {
			f.count(f.plugin.Manifest, pointerOf(declared, i), n)
			continue
		}
		name, ok := inside(n.Text())
		if !ok {
			f.outside(pointerOf(declared, i))
			continue
		}
		if slices.Contains(read, name) {
			continue // ZCode reads a file once
		}
		read = append(read, name)
		if d, err := f.declaredDoc(name, pointerOf(declared, i)); err == nil {
			f.count(f.abs(name), "/hooks", d.Root().Get("hooks"))
		}
	}
}

// declaredDoc reads a JSON file that the manifest names at pointer.
func (f *folder) declaredDoc(name, pointer string) (*jsonedit.Doc, error) {
	d, err := f.doc(name)
	if errors.Is(err, fs.ErrNotExist) {
		f.report.add(Problem{Plugin: f.plugin.ID, File: f.plugin.Manifest, Pointer: pointer, Reason: "names a file that is missing"})
	}
	return d, err
}

// count adds the hooks of an object of events that ZCode takes. It judges them
// as the hooks of cli/config.json; here a bad group costs only itself.
func (f *folder) count(file, pointer string, events jsonedit.Node) {
	wrapped, err := jsonedit.Parse(slices.Concat([]byte(`{"hooks":{"events":`), events.Raw(), []byte(`}}`)))
	if events.Kind() != jsonedit.Object || err != nil {
		f.report.add(Problem{Plugin: f.plugin.ID, File: file, Pointer: pointer, Reason: "must be an object of events"})
		return
	}
	const place = "/hooks/events"
	skipped := map[string]bool{} // pointers of events and groups
	for _, p := range cliconfig.CheckFile(wrapped) {
		rest := strings.TrimPrefix(p.Pointer, place)
		f.report.add(Problem{Plugin: f.plugin.ID, File: file, Pointer: pointer + rest, Reason: p.Rule + ": ZCode skips it"})
		if steps := strings.SplitN(rest, "/", 4); len(steps) > 3 {
			rest = strings.Join(steps[:3], "/")
		}
		skipped[rest] = true
	}
	for event := range events.Children() {
		at := jsonedit.Path{event.Key()}.Pointer()
		if skipped[at] {
			continue
		}
		count, i := 0, 0
		for group := range event.Children() {
			if !skipped[at+"/"+strconv.Itoa(i)] {
				count += group.Get("hooks").Len()
			}
			i++
		}
		f.plugin.Contents.addHooks(event.Key(), count)
	}
}

func (c *Contents) addHooks(event string, count int) {
	i := slices.IndexFunc(c.Hooks, func(h Hooks) bool { return h.Event == event })
	switch {
	case i >= 0:
		c.Hooks[i].Count += count
	case count > 0:
		c.Hooks = append(c.Hooks, Hooks{event, count})
	}
}
