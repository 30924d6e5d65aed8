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
	recoveredSpan = 20 * time.Millisecond
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

// archive renames the file displaced now to a backup name.
func (u *update) archive(side string) (Backup, error) {
	return u.archiveAt(side, u.stampFor(side), u.place)
}

// stampFor returns the time that names the backup of the file at path, displaced now. It stays out of the span after
// the file's last change, which marks a recovered backup.
func (u *update) stampFor(path string) time.Time {
	t := u.w.now()
	if m, err := lstat(path); err == nil && marksRecovered(t, m.mtime) {
		return m.mtime.Add(recoveredSpan)
	}
	return t
}

// archiveAt renames a file to a backup name of its own, with place, which must not replace anything; the file is never
// copied, since readers may have it open.
func (u *update) archiveAt(side string, t time.Time, place func(from, to string) error) (made Backup, err error) {
	for range maxCollisions {
		stamp := formatStamp(t)
		created, _ := parseStamp(stamp)
		b := Backup{Path: u.target + backupMark + stamp, Stamp: stamp, Created: created}
		err = place(side, b.Path)
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

// stampOf returns mtime where a stamp can name it, else instead.
func stampOf(mtime, instead time.Time) time.Time {
	if _, ok := parseStamp(formatStamp(mtime)); !ok {
		return instead
	}
	return mtime
}

// marksRecovered reports whether a backup with this stamp, of a file last changed at mtime, was recovered.
func marksRecovered(stamp, mtime time.Time) bool {
	age := stamp.Sub(mtime.Truncate(time.Millisecond))
	return age >= 0 && age < recoveredSpan
}

// recovered tells whether b was left by an interrupted write, and since when it has its name.
func recovered(b Backup) (since time.Time, ok bool) {
	m, err := lstat(b.Path)
	return m.ctime, err == nil && marksRecovered(b.Created, m.mtime)
}

// prune drops backups beyond the newest ones and those past their age, never the one just made nor the one to keep.
// Recovered backups are not counted and go by age alone. A wrong clock must not cost all of them: age never drops the
// newest of the others, and none at all when that one is from the future.
func (u *update) prune(made Backup) {
	newestFirst(u.saved)
	others := slices.DeleteFunc(slices.Clone(u.saved), func(b Backup) bool { return b.Path == made.Path })
	if len(others) == 0 {
		return
	}
	limit := u.w.now().Add(-keepFor)
	if others[0].Created.After(u.w.now()) {
		limit = time.Time{}
	}
	start := 1 // the one just made, wherever its stamp sorts
	if slices.ContainsFunc(others, u.spares) {
		start++
	}
	kept := start
	for i, b := range others {
		if u.spares(b) {
			continue
		}
		if since, ok := recovered(b); ok {
			if i == 0 || !since.Before(limit) {
				continue
			}
		} else if kept < keepBackups && (kept == start || !b.Created.Before(limit)) {
			kept++
			continue
		}
		if err := u.unlink(b.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			u.warn("an old backup could not be removed: delete %s", b.Path)
		}
	}
}

// spares reports whether b is the one that the caller wants kept, however its folder is spelled.
func (u *update) spares(b Backup) bool {
	return u.r.Keep != "" && filepath.Base(u.r.Keep) == filepath.Base(b.Path)
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
