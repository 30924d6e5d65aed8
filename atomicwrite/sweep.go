package atomicwrite

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// longestWrite is longer than any write takes: a leftover that is older belongs to nobody, even when its process
// number is in use again.
const longestWrite = 10 * time.Minute

// sweep lists the folder and clears the temporary files of writes that never ended.
func (u *update) sweep() error {
	dir := filepath.Dir(u.target)
	if err := u.w.try("readdir", dir); err != nil {
		return err
	}
	entries, err := u.folder.ReadDir(-1)
	if err != nil {
		return err
	}
	var leftovers []string
	for _, entry := range entries {
		name := entry.Name()
		if !entry.Type().IsRegular() {
			continue
		}
		if b, ok := parseBackup(u.target, name); ok {
			u.saved = append(u.saved, b)
		} else if pid, ok := tempOwner(filepath.Base(u.target), name); ok {
			if path := filepath.Join(dir, name); abandoned(path, pid) {
				leftovers = append(leftovers, path)
			}
		}
	}
	for _, path := range leftovers {
		if err := u.recover(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			u.warn("the leftover of an interrupted write stays at %s: %s", path, reason(err))
		}
	}
	return nil
}

// abandoned reports whether nobody works with a temporary file any more.
func abandoned(path string, pid int) bool {
	if pid == os.Getpid() {
		_, busy := inUse.Load(path)
		return !busy
	}
	m, err := lstat(path)
	return err == nil && (!alive(pid) || time.Since(m.ctime) > longestWrite)
}

// recover removes a leftover whose bytes are worthless or kept elsewhere: what was staged but never went live is told
// by its name. Any other may have been displaced just before the crash: it becomes a backup, stamped with the time of
// its last change. Nothing is pruned for it, and prune does not count it among the newest ones.
func (u *update) recover(path string) error {
	f, err := u.w.load(path, u.max)
	if err != nil && !errors.Is(err, ErrTooLarge) {
		return err
	}
	if err == nil && (len(f.content) == 0 || neverLive(filepath.Base(path), f.content) ||
		u.r.Valid != nil && !u.r.Valid(f.content) || u.holds(f.content)) {
		return u.unlink(path)
	}
	m, err := u.w.lstat(path)
	if err != nil {
		return err
	}
	_, err = u.archiveAt(path, stampOf(m.mtime, u.w.now()), u.place)
	return err
}

// holds reports whether content is kept in the file itself or in its newest backup.
func (u *update) holds(content []byte) bool {
	f, err := u.w.load(u.target, u.max)
	return err == nil && bytes.Equal(f.content, content) || u.newestBackupIs(content)
}
