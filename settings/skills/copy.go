package skills

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CopyToUser copies the folder of a SKILL.md into the user's own skills folder,
// which is created when it is missing, and returns the path of the new SKILL.md.
// A linked folder is copied as what it names, except in a plugin, and in a project
// only when it names something inside the project.
//
// Files keep their permissions but for set-user-id and the like; folders stay
// open to their owner. A link inside the folder is copied as a link when it stays
// inside; other links, devices and the like are refused, as is what exceeds 10,000
// entries or 100 MiB.
// The copy appears under its name when it is whole and durable; a cancelled one
// leaves nothing. Errors wrap [ErrInvalid], [ErrOutside], [ErrUnknown] or
// [ErrExists], or are those of ctx and of the system.
func CopyToUser(ctx context.Context, roots []Root, file, userRoot string) (string, error) {
	path, err := copyToUser(ctx, roots, file, userRoot)
	if err != nil {
		return "", fmt.Errorf("copying a skill: %w", err)
	}
	return path, nil
}

func copyToUser(ctx context.Context, roots []Root, file, userRoot string) (string, error) {
	source, name, err := openSource(roots, file, userRoot)
	if err != nil {
		return "", err
	}
	defer source.Close()
	target, made, err := openTarget(userRoot)
	if err != nil {
		return "", err
	}
	defer target.Close()
	clearLeftovers(target)
	if err := copyInto(ctx, source, target, name); err != nil {
		if made {
			os.Remove(userRoot) // it fails when another program has put something there
		}
		return "", err
	}
	return filepath.Join(userRoot, name, skillFile), nil
}

// openSource opens the folder of the skill to be copied.
func openSource(roots []Root, file, userRoot string) (source *os.Root, name string, err error) {
	p, err := locateSource(roots, file, userRoot)
	if err != nil {
		return nil, "", err
	}
	parent, name, err := p.open()
	if err != nil {
		return nil, "", err
	}
	defer parent.Close()
	if source, err = p.openFolder(parent, name); err != nil {
		return nil, "", err
	}
	if info, err := source.Stat(skillFile); err != nil || !info.Mode().IsRegular() {
		source.Close()
		return nil, "", unknown("there is no SKILL.md in this folder that could be copied: list the skills to see their paths")
	}
	return source, name, nil
}

func locateSource(roots []Root, file, userRoot string) (place, error) {
	if err := checkPath(file); err != nil {
		return place{}, err
	}
	if !filepath.IsAbs(userRoot) {
		return place{}, invalid("the user skills root must be given by an absolute path")
	}
	if _, ok := locate([]Root{{Path: userRoot}}, file); ok {
		return place{}, invalid("this skill already lives in the user skills root")
	}
	p, ok := locate(roots, file)
	if !ok {
		return place{}, outside("only skills under a skills folder that ZCode looks into can be copied")
	}
	if p.rel == "." && p.root.Reach != Single {
		return place{}, invalid("this SKILL.md lies in a skills root itself: move it into a folder of its own first")
	}
	return p, checkName(filepath.Base(filepath.Join(p.root.Path, p.rel)))
}

// openFolder opens the skill's folder; a link only where the user may have made it,
// or where it stays inside the project.
func (p place) openFolder(parent *os.Root, name string) (*os.Root, error) {
	info, err := parent.Lstat(name)
	if err != nil {
		return nil, missing(err)
	}
	if !isLink(info.Mode()) || p.root.Scope == Plugin {
		return into(parent, name)
	}
	if source, err := parent.OpenRoot(name); err == nil {
		return source, nil // it leads to a neighbour
	}
	l, err := p.follow(parent)
	if err != nil {
		return nil, err
	}
	return p.openLinked(l)
}

// linked is the folder that a link in the place of a skill's folder leads to.
type linked struct {
	path string // without links
	seen fs.FileInfo
}

// follow looks where the skill's folder, a link in parent, leads to.
func (p place) follow(parent *os.Root) (linked, error) {
	path := filepath.Join(p.root.Path, p.rel)
	around, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return linked{}, missing(err)
	}
	if err := same(parent, around); err != nil {
		return linked{}, err
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return linked{}, missing(err)
	}
	seen, err := os.Stat(real)
	return linked{real, seen}, missing(err)
}

// openLinked opens what was looked at, and nothing that took its place.
func (p place) openLinked(l linked) (*os.Root, error) {
	open := os.OpenRoot
	if p.root.Scope == Project {
		open = p.root.openInside
	}
	source, err := open(l.path)
	if err != nil {
		return nil, missing(err)
	}
	if err := same(source, l.seen); err != nil {
		source.Close()
		return nil, err
	}
	return source, nil
}

// openTarget opens the user's skills folder; made tells that it was missing.
func openTarget(userRoot string) (target *os.Root, made bool, err error) {
	target, err = os.OpenRoot(userRoot)
	if !errors.Is(err, fs.ErrNotExist) {
		return target, false, err
	}
	if err := os.MkdirAll(userRoot, 0o700); err != nil {
		return nil, false, err
	}
	parent, err := os.OpenRoot(filepath.Dir(userRoot))
	if err == nil {
		err = syncFolder(parent, ".")
		parent.Close()
	}
	if err == nil {
		target, err = os.OpenRoot(userRoot)
	}
	return target, true, err
}

// copyInto copies a folder under a hidden name and then gives it its own.
func copyInto(ctx context.Context, source, target *os.Root, name string) error {
	taken := exists(fmt.Sprintf("a skill named '%s' already exists in the user skills root", name))
	if _, err := target.Lstat(name); err == nil {
		return taken
	}
	c := copier{ctx: ctx, source: source, target: target, base: hiddenName(name, "new")}
	err := c.whole()
	if err == nil {
		err = c.publish(name)
	}
	if err == nil {
		return nil
	}
	target.RemoveAll(c.base)
	if errors.Is(err, fs.ErrExist) {
		return taken
	}
	return err
}
