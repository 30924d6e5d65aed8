package skills

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	maxCopyEntries = 10_000
	maxCopyBytes   = 100 << 20
	maxCopyDepth   = 100
)

var errTooLarge = invalid("the skill's folder is too large, the limit is 100 MiB and 10,000 entries: copy it by hand")

// copier copies a tree; every path is relative to source.
type copier struct {
	ctx            context.Context
	source, target *os.Root
	base           string // the copy's folder in target
	entries        int
	bytes          int64
}

// whole copies everything, durably.
func (c *copier) whole() error {
	if err := c.target.Mkdir(c.base, 0o700); err != nil {
		return err
	}
	return c.folder(".", 0)
}

// publish gives the copy its name, durably; after an error it has not got it.
func (c *copier) publish(name string) error {
	if err := renameNoReplace(c.target, c.base, name); err != nil {
		return err
	}
	err := syncFolder(c.target, ".")
	if err != nil {
		return errors.Join(err, renameNoReplace(c.target, name, c.base))
	}
	return nil
}

// folder fills a folder that exists and is still closed to others.
func (c *copier) folder(path string, depth int) error {
	if depth > maxCopyDepth {
		return invalid("the skill's folder has more than 100 levels: copy it by hand")
	}
	from, err := c.source.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	if root, err := c.target.Stat("."); err != nil || os.SameFile(info, root) {
		return errors.Join(err, invalid("the skill's folder holds the user skills root: it cannot be copied into itself"))
	}
	list, err := readFolder(from, maxCopyEntries-c.entries+1)
	if err != nil {
		return err
	}
	if c.entries += len(list); c.entries > maxCopyEntries {
		return errTooLarge
	}
	for _, entry := range list {
		if err := c.entry(filepath.Join(path, entry.Name()), entry.Type(), depth); err != nil {
			return err
		}
	}
	return c.close(path, info.Mode())
}

// close gives a filled folder its permissions and makes its names durable. The
// owner's stay, or nobody could change or delete the copy.
func (c *copier) close(path string, mode fs.FileMode) error {
	to := filepath.Join(c.base, path)
	folder, err := c.target.Open(to)
	if err != nil {
		return err
	}
	err = permit(folder, mode.Perm()|0o700)
	folder.Close()
	if err != nil {
		return err
	}
	return syncFolder(c.target, to)
}

func (c *copier) entry(path string, kind fs.FileMode, depth int) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	switch {
	case kind.IsDir():
		if err := c.target.Mkdir(filepath.Join(c.base, path), 0o700); err != nil {
			return err
		}
		return c.folder(path, depth+1)
	case kind.IsRegular():
		return c.file(path)
	case isLink(kind):
		return c.link(path)
	}
	return invalid(fmt.Sprintf("the skill's folder holds something that is no file, folder or link: %q; remove it first", filepath.ToSlash(path)))
}

func (c *copier) file(path string) error {
	from, err := c.source.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return unknown("the folder was changed by another program meanwhile: try again")
	}
	if c.bytes+info.Size() > maxCopyBytes {
		return errTooLarge
	}
	to, err := c.target.OpenFile(filepath.Join(c.base, path), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(c.fill(to, from, info.Mode().Perm()), to.Close())
}

// fill writes a new file, which may be read by others once it is whole.
func (c *copier) fill(to, from *os.File, perm fs.FileMode) error {
	n, err := io.Copy(to, &reader{c.ctx, io.LimitReader(from, maxCopyBytes-c.bytes+1)})
	if err != nil {
		return err
	}
	if c.bytes += n; c.bytes > maxCopyBytes {
		return errTooLarge
	}
	if err := permit(to, perm); err != nil {
		return err
	}
	return to.Sync()
}

// reader fails once the context is done.
type reader struct {
	ctx  context.Context
	from io.Reader
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// link copies a link that names something inside the folder, or nothing at all.
func (c *copier) link(path string) error {
	target, err := c.source.Readlink(path)
	if err != nil {
		return err
	}
	stays := !filepath.IsAbs(target) && filepath.IsLocal(filepath.Join(filepath.Dir(path), target))
	if _, err := c.source.Stat(path); !stays || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return invalid(fmt.Sprintf("the skill's folder holds a link that leads out of it: %q; replace it by what it names first", filepath.ToSlash(path)))
	}
	return c.target.Symlink(target, filepath.Join(c.base, path))
}
