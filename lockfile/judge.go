package lockfile

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// judge decides by ZCode's rules whether a lock was left behind.
type judge struct {
	now   time.Time
	grace time.Duration // how long a lock without a usable pid is left alone
	seen  sightings
}

// verdict is what one look at a lock showed.
type verdict struct {
	stale   bool
	holder  Holder
	entries []string // the entries that have to go before the folder can
	legacy  []byte   // the content of a lock that is a plain file; nil for a folder
}

// checkKind refuses what can be no lock: to follow a link or to open a pipe in
// its place would let others lead us elsewhere.
func checkKind(lock string, info fs.FileInfo) error {
	if info.IsDir() || info.Mode().IsRegular() {
		return nil
	}
	kind := "a special file"
	if info.Mode()&fs.ModeSymlink != 0 {
		kind = "a symbolic link"
	}
	return fmt.Errorf("%w: %s is %s: remove it by hand", ErrInvalid, lock, kind)
}

// look judges the lock that info describes. It changes nothing.
func (j judge) look(lock string, info fs.FileInfo) (verdict, error) {
	if !info.IsDir() {
		return j.lookAtFile(lock)
	}
	entries, err := os.ReadDir(lock)
	if err != nil {
		return verdict{}, err
	}
	var v verdict
	var owners []string
	for _, e := range entries {
		v.entries = append(v.entries, e.Name())
		if isOwnerName(e.Name()) {
			owners = append(owners, e.Name())
		}
	}
	if len(owners) == 1 {
		v.entries = owners
		v.stale = true
	} else {
		v.stale = j.age(lock, info, time.Time{}) >= j.grace
	}
	for _, name := range owners {
		path := filepath.Join(lock, name)
		content, info, err := readOwner(path)
		if err != nil {
			return verdict{holder: v.holder}, err
		}
		o := parseOwner(content)
		if !j.abandoned(o, path, info) {
			v.stale = false
		}
		if v.holder.PID == 0 || !alive(int64(v.holder.PID)) {
			v.holder = j.holder(o, info)
		}
	}
	return v, nil
}

// lookAtFile judges a lock of the old form, a plain file with an owner's content.
func (j judge) lookAtFile(lock string) (verdict, error) {
	content, info, err := readOwner(lock)
	if err != nil {
		return verdict{}, err
	}
	o := parseOwner(content)
	return verdict{
		stale:  j.abandoned(o, lock, info),
		holder: j.holder(o, info),
		legacy: append([]byte{}, content...),
	}, nil
}

// abandoned reports whether the owner that the file at path names is gone. A
// pid decides alone where there is one: a live process may hold a lock for as
// long as it likes.
func (j judge) abandoned(o owner, path string, info fs.FileInfo) bool {
	if o.pid > 0 {
		return !alive(o.pid)
	}
	return j.age(path, info, o.created) >= j.grace
}

// age is the time since created, else since the last change of the file, else,
// when both cannot be, since this wait first saw it.
func (j judge) age(path string, info fs.FileInfo, created time.Time) time.Duration {
	for _, t := range []time.Time{created, info.ModTime()} {
		if j.usable(t) {
			return j.now.Sub(t)
		}
	}
	return j.now.Sub(j.seen.first(path, info, j.now))
}

func (j judge) usable(t time.Time) bool {
	return t.UnixMilli() >= 0 && !t.After(j.now.Add(clockSkew))
}

func (j judge) holder(o owner, info fs.FileInfo) Holder {
	h := Holder{PID: int(o.pid)}
	switch {
	case j.usable(o.created):
		h.Since = o.created
	case j.usable(info.ModTime()):
		h.Since = info.ModTime()
	}
	return h
}

// reclaim removes the lock if it was left behind. False without an error means
// that it has to stay or that others were faster.
func (j judge) reclaim(lock string, info fs.FileInfo) (bool, error) {
	v, err := j.look(lock, info)
	if err == nil && !v.stale {
		return false, nil
	}
	if err == nil {
		err = v.clear(lock)
	}
	if outrun(err) {
		return false, nil
	}
	return err == nil, err
}

// clear removes exactly what was judged. The owner's name is unique, so a new
// owner's file is never hit, and keeps its folder from being removed.
func (v verdict) clear(lock string) error {
	if v.legacy != nil {
		content, _, err := readOwner(lock)
		if err != nil {
			return err
		}
		if !bytes.Equal(content, v.legacy) {
			return fs.ErrExist // another owner has come
		}
		return unlink(lock)
	}
	for _, name := range v.entries {
		if err := unlink(filepath.Join(lock, name)); err != nil {
			return err
		}
	}
	return rmdir(lock)
}

// sightings remembers, for one wait, when each lock was first seen as it is now.
type sightings map[string]sighting

type sighting struct {
	info  fs.FileInfo
	since time.Time
}

func (s sightings) first(path string, info fs.FileInfo, now time.Time) time.Time {
	old, ok := s[path]
	if ok && os.SameFile(old.info, info) && old.info.ModTime().Equal(info.ModTime()) {
		return old.since
	}
	s[path] = sighting{info, now}
	return now
}
