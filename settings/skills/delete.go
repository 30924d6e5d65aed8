package skills

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Deleted tells what a deletion removed.
type Deleted struct {
	Path  string `json:"path"`           // the skill's folder
	Link  bool   `json:"link,omitzero"`  // only a link was removed, what it names is untouched
	Files int    `json:"files"`          // everything in the folder but folders
	Bytes int64  `json:"bytes"`          // of its regular files
	Left  string `json:"left,omitempty"` // a hidden folder that could not be removed entirely; ZCode does not look at it
}

// Delete removes the folder of a SKILL.md, which must lie in a deletable root. A
// folder that is a link is unlinked and never followed. No copy is kept.
//
// The folder first gets a hidden name, durably, so that ZCode sees the skill whole
// or not at all; then its content goes. The folder of a skill is removed with all
// that is in it, other skills too. Errors wrap [ErrInvalid], [ErrOutside] or
// [ErrUnknown], or are those of the system.
func Delete(roots []Root, file string) (Deleted, error) {
	d, err := deleteSkill(roots, file)
	if err != nil {
		return Deleted{}, fmt.Errorf("deleting a skill: %w", err)
	}
	return d, nil
}

func deleteSkill(roots []Root, file string) (Deleted, error) {
	r, err := findRemoval(roots, file)
	if err != nil {
		return Deleted{}, err
	}
	defer r.parent.Close()
	clearLeftovers(r.parent)
	if err := r.hide(); err != nil {
		return Deleted{}, err
	}
	return r.clear(), nil
}

// removal is one deletion between its steps.
type removal struct {
	parent *os.Root
	path   string // the skill's folder, absolute
	name   string // of the folder in parent
	hidden string // its name in parent once it is hidden
	seen   fs.FileInfo
}

// findRemoval checks that there is such a skill and that it may be deleted.
func findRemoval(roots []Root, file string) (*removal, error) {
	if err := checkPath(file); err != nil {
		return nil, err
	}
	p, ok := locate(roots, file)
	if !ok || !p.root.Deletable {
		return nil, outside("only skills under the user skill roots can be deleted")
	}
	if p.rel == "." {
		return nil, invalid("refusing to delete the skills root itself")
	}
	parent, name, err := p.open()
	if err != nil {
		return nil, err
	}
	r := &removal{parent: parent, path: filepath.Join(p.root.Path, p.rel), name: name}
	if err := r.look(); err != nil {
		parent.Close()
		return nil, err
	}
	r.hidden = hiddenName(name, "deleted")
	return r, nil
}

// look finds a link, which may lead to nothing, or a folder that is a skill.
func (r *removal) look() error {
	info, err := r.parent.Lstat(r.name)
	if err != nil {
		return missing(err)
	}
	if r.seen = info; isLink(info.Mode()) {
		return nil
	}
	if _, err := r.parent.Lstat(filepath.Join(r.name, skillFile)); err != nil || !info.IsDir() {
		return unknown("there is no SKILL.md in this folder: list the skills to see their paths")
	}
	return nil
}

// hide renames the folder, durably, or leaves everything as it was.
func (r *removal) hide() error {
	if err := renameNoReplace(r.parent, r.name, r.hidden); err != nil {
		return missing(err)
	}
	if err := r.verify(); err != nil {
		return r.putBack(err)
	}
	return nil
}

// verify makes the hidden name durable, unless the skill's had been given to
// something else since it was looked at.
func (r *removal) verify() error {
	now, err := r.parent.Lstat(r.hidden)
	if err != nil {
		return err
	}
	if !os.SameFile(r.seen, now) {
		return errReplaced
	}
	return syncFolder(r.parent, ".")
}

// putBack gives what was hidden its name back. Where that has been taken meanwhile
// it gets a hidden one that no later call clears away.
func (r *removal) putBack(why error) error {
	back := renameNoReplace(r.parent, r.hidden, r.name)
	if back == nil {
		return why
	}
	kept, advice := hiddenName(r.name, "kept"), "ZCode does not look at it: give it a name of its own again"
	if err := renameNoReplace(r.parent, r.hidden, kept); err != nil {
		kept, advice = r.hidden, "rename it within an hour, later deletions clear it away"
	}
	syncFolder(r.parent, ".") // its name is as good as can be either way
	return fmt.Errorf("%w; what was there is now called %s (%w): %s", why, filepath.Join(filepath.Dir(r.path), kept), back, advice)
}

// clear removes the hidden folder and tells what was in it.
func (r *removal) clear() Deleted {
	d := Deleted{Path: r.path, Link: !r.seen.IsDir()}
	remove := r.parent.Remove
	if !d.Link {
		remove = r.parent.RemoveAll
		d.count(r.parent, r.hidden)
	}
	if err := remove(r.hidden); err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.Left = filepath.Join(filepath.Dir(r.path), r.hidden)
	}
	return d
}

// count adds up what is in a folder; what cannot be read is not counted.
func (d *Deleted) count(in *os.Root, path string) {
	folder, err := in.Open(path)
	if err != nil {
		return
	}
	entries, _ := folder.ReadDir(-1)
	folder.Close()
	for _, entry := range entries {
		if entry.IsDir() {
			d.count(in, filepath.Join(path, entry.Name()))
			continue
		}
		d.Files++
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			d.Bytes += info.Size()
		}
	}
}
