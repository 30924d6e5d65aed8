package atomicwrite

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	keepBackups   = 5
	keepFor       = 90 * 24 * time.Hour
	maxCollisions = 1000 // a second of stamps
	backupMark    = ".bak-"
	stampLayout   = "2006-01-02T15-04-05.000Z" // the dot becomes a dash
)

// Backup is a former version of a file, kept beside it as <file>.bak-<stamp>.
type Backup struct {
	Path    string
	Stamp   string    // UTC time with milliseconds, such as 2026-09-22T14-10-00-000Z
	Created time.Time // the time that Stamp names
	Size    int64     // bytes
}

// Backups lists the backups of the file at path, newest first. Files whose name does not end in an exact stamp are
// not ours and are left out.
func Backups(path string) ([]Backup, error) {
	real, err := resolve(path)
	if err != nil {
		return nil, describe("listing the backups of", path, "", err)
	}
	entries, err := os.ReadDir(filepath.Dir(real))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, describe("listing the backups of", path, "", err)
	}
	var found []Backup
	for _, entry := range entries {
		b, ok := parseBackup(real, entry.Name())
		if !ok || !entry.Type().IsRegular() {
			continue
		}
		info, err := entry.Info()
		if err != nil {
			continue // deleted meanwhile
		}
		b.Size = info.Size()
		found = append(found, b)
	}
	newestFirst(found)
	return found, nil
}

// parseBackup reads the name of a file in the folder of real; Size stays unknown.
func parseBackup(real, name string) (Backup, bool) {
	stamp, ok := strings.CutPrefix(name, filepath.Base(real)+backupMark)
	if !ok {
		return Backup{}, false
	}
	created, ok := parseStamp(stamp)
	return Backup{Path: filepath.Join(filepath.Dir(real), name), Stamp: stamp, Created: created}, ok
}

func newestFirst(list []Backup) {
	slices.SortFunc(list, func(a, b Backup) int { return strings.Compare(b.Stamp, a.Stamp) })
}

func formatStamp(t time.Time) string {
	return strings.Replace(t.UTC().Format(stampLayout), ".", "-", 1)
}

func parseStamp(s string) (time.Time, bool) {
	const dot = len("2006-01-02T15-04-05")
	if len(s) != len(stampLayout) {
		return time.Time{}, false
	}
	t, err := time.Parse(stampLayout, s[:dot]+"."+s[dot+1:])
	if err != nil || formatStamp(t) != s {
		return time.Time{}, false
	}
	return t, true
}

// archive renames a displaced file to a backup name of its own; it is never copied, since readers may have it open.
func (u *update) archive(side string) (made Backup, err error) {
	t := u.w.now()
	for range maxCollisions {
		b := Backup{Path: u.target + backupMark + formatStamp(t), Stamp: formatStamp(t), Created: t}
		err = u.place(side, b.Path)
		if err == nil {
			u.saved = append(u.saved, b)
			return b, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return Backup{}, err
		}
		t = t.Add(time.Millisecond)
	}
	return Backup{}, err
}

// prune drops backups beyond the newest ones and those past their age, never the one just made.
func (u *update) prune(made Backup) {
	newestFirst(u.saved)
	limit := u.w.now().Add(-keepFor)
	kept := 1 // the one just made, wherever its stamp sorts
	for _, b := range u.saved {
		if b.Path == made.Path {
			continue
		}
		if kept < keepBackups && !b.Created.Before(limit) {
			kept++
			continue
		}
		if err := u.unlink(b.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			u.warn("an old backup could not be removed: delete %s", b.Path)
		}
	}
}

// newestBackupIs reports whether the newest backup already holds content.
func (u *update) newestBackupIs(content []byte) bool {
	if len(u.saved) == 0 {
		return false
	}
	newestFirst(u.saved)
	f, err := u.w.load(u.saved[0].Path, u.max)
	return err == nil && bytes.Equal(f.content, content)
}
