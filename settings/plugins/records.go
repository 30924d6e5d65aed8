package plugins

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// recordsFile is where ZCode writes what is installed, from the plugin folder.
const recordsFile = "installed_plugins.json"

// maxRecords is the most that is read of it, in bytes.
const maxRecords = 16 << 20

// readRecords lists the records of `installed_plugins.json`; none when there is
// no such file.
func readRecords(storageDir string, r *report) List {
	path := filepath.Join(storageDir, recordsFile)
	d, err := readDoc(path, maxRecords)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		r.add(problemOf(err, "", path))
		return nil
	}
	records := d.Root().Get("plugins")
	if records.Kind() != jsonedit.Array {
		r.add(Problem{File: path, Pointer: "/plugins", Reason: "must be an array: ZCode sees no installed plugin"})
		return nil
	}
	list := make(List, 0, 16)
	var at jsonedit.Positions
	index := 0
	for n := range records.Children() {
		p, wrong := readRecord(n)
		if wrong == nil {
			list = append(list, p)
		} else {
			place := n
			if c := n.Get(strings.TrimPrefix(wrong.Pointer, "/")); c.Exists() {
				place = c
			}
			wrong.File = path
			wrong.Pointer = fmt.Sprintf("/plugins/%d%s", index, wrong.Pointer)
			wrong.Line, wrong.Column = at.Of(place)
			r.add(*wrong)
		}
		index++
	}
	return list
}

// readRecord reads one record; wrong tells why it counts for nothing.
func readRecord(n jsonedit.Node) (p Plugin, wrong *Problem) {
	if n.Kind() != jsonedit.Object {
		return p, &Problem{Reason: "must be an object: the record is left out"}
	}
	var scope string
	for _, member := range []struct {
		name     string
		into     *string
		required bool
	}{
		{"id", &p.ID, true},
		{"name", &p.Name, false},
		{"marketplace", &p.Marketplace, true},
		{"installPath", &p.InstallPath, true},
		{"version", &p.Version, false},
		{"scope", &scope, false},
		{"projectPath", &p.ProjectPath, false},
	} {
		c := n.Get(member.name)
		*member.into = strings.TrimSpace(c.Text())
		switch {
		case !c.Exists() && !member.required:
		case c.Kind() != jsonedit.String:
			return p, &Problem{Pointer: "/" + member.name, Reason: "must be a string: the record is left out"}
		case *member.into == "" && member.required:
			return p, &Problem{Pointer: "/" + member.name, Reason: "must not be empty: the record is left out"}
		}
	}
	switch p.Scope = Scope(scope); p.Scope {
	case "":
		p.Scope = User
	case User, Workspace:
	default:
		return p, &Problem{Pointer: "/scope", Reason: "must be user or workspace: the record is left out"}
	}
	if !filepath.IsAbs(p.InstallPath) {
		return p, &Problem{Pointer: "/installPath", Reason: "must be absolute: the record is left out"}
	}
	if p.Name == "" {
		p.Name, _ = splitID(p.ID)
	}
	p.InstallPath = filepath.Clean(p.InstallPath)
	return p, nil
}
