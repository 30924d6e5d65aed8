package plugins

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// readOfficial lists the plugins that came with the app. The app writes which of
// their versions in the cache is the current one; without that the newest is.
func readOfficial(storageDir string, r *report) List {
	path := filepath.Join(storageDir, "marketplaces", official, "bundled-marketplace.json")
	cache := filepath.Join(storageDir, "cache", official)
	d, err := readDoc(path, maxRecords)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.add(problemOf(err, "", path))
	}
	var list List
	if d == nil || string(d.Root().Get("version").Raw()) != "1" || d.Root().Get("manifest").Kind() != jsonedit.Object {
		list = newestOfficial(cache, r)
	} else {
		list = bundled(d.Root().Get("manifest").Get("plugins"), cache)
	}
	for i := range list {
		list[i].Marketplace = official
	}
	return list
}

// bundled lists the plugins that the app names. Like ZCode it overlooks those
// that are not below their own folder in the cache.
func bundled(named jsonedit.Node, cache string) List {
	if named.Kind() != jsonedit.Array {
		return nil
	}
	var list List
	for n := range named.Children() {
		name, dir := n.Get("name").Text(), filepath.Clean(n.Get("cachePath").Text())
		if name != "" && filepath.IsAbs(dir) && below(cache, filepath.Join(cache, name)) && below(filepath.Join(cache, name), dir) {
			list = append(list, Plugin{Name: name, InstallPath: dir})
		}
	}
	return list
}

// below reports whether a path leads into a folder, both clean.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

// newestOfficial lists the newest version of each plugin in the cache.
func newestOfficial(cache string, r *report) List {
	names, err := subfolders(cache)
	if err != nil {
		r.add(problemOf(err, "", cache))
	}
	var list List
	for _, name := range names {
		dir := filepath.Join(cache, name)
		versions, err := subfolders(dir)
		if err != nil {
			r.add(problemOf(err, "", dir))
		}
		if len(versions) > 0 {
			newest := slices.MaxFunc(versions, compareVersions)
			list = append(list, Plugin{Name: name, Version: newest, InstallPath: filepath.Join(dir, newest)})
		}
	}
	return list
}

// subfolders returns the names of the folders in a folder; none when it is
// missing.
func subfolders(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names, err
}
