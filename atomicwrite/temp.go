package atomicwrite

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

const (
	tempMark    = ".zcode-acp-"
	tempEnd     = ".tmp"
	randomBytes = 8
)

// inUse holds the temporary files of Updates that run in this process, so that another one does not sweep them up.
var inUse sync.Map

// fresh returns a new temporary name beside the target. It begins with a dot: ZCode deletes <file>.*.tmp.
func (u *update) fresh() string { return u.reserve(newRandom()) }

// freshFor is fresh for a file that is to hold content, which the name then tells: after the exchange the name stands
// for the displaced file, and a sweep can tell the two apart.
func (u *update) freshFor(content []byte) string {
	random := newRandom()
	return u.reserve(random + "-" + digest(random, content))
}

func (u *update) reserve(tag string) string {
	name := fmt.Sprintf(".%s%s%d-%s%s", filepath.Base(u.target), tempMark, os.Getpid(), tag, tempEnd)
	path := filepath.Join(filepath.Dir(u.target), name)
	inUse.Store(path, nil)
	u.temps = append(u.temps, path)
	return path
}

func newRandom() string {
	var random [randomBytes]byte
	rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

// digest is salted, so that names do not show that two contents are equal.
func digest(salt string, content []byte) string {
	h := sha256.New()
	io.WriteString(h, salt)
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil)[:randomBytes])
}

// tempOwner returns the process that made the temporary file called name for the file called base.
func tempOwner(base, name string) (pid int, ok bool) {
	rest, ok := strings.CutPrefix(name, "."+base+tempMark)
	if !ok {
		return 0, false
	}
	rest, ok = strings.CutSuffix(rest, tempEnd)
	if !ok {
		return 0, false
	}
	digits, tag, _ := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(digits)
	if err != nil || pid <= 0 || strconv.Itoa(pid) != digits {
		return 0, false
	}
	random, sum, staged := strings.Cut(tag, "-")
	return pid, isHex(random) && (!staged || isHex(sum))
}

func isHex(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == randomBytes && hex.EncodeToString(raw) == s
}

// neverLive reports whether the temporary file called name holds the content that it was made for, rather than what
// was displaced by it.
func neverLive(name string, content []byte) bool {
	parts := strings.Split(strings.TrimSuffix(name, tempEnd), "-")
	last := len(parts) - 1
	return last > 0 && parts[last] == digest(parts[last-1], content)
}

// stage writes next to a synced temporary file with the permissions of base. The folder is opened here already: a
// replace that could not be synced afterwards must not begin.
func (u *update) stage(base file, next []byte) (string, error) {
	if err := u.openFolder(); err != nil {
		return "", err
	}
	temp := u.freshFor(next)
	if err := u.w.try("create", temp); err != nil {
		return "", err
	}
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL|openFlags, 0o600)
	if err != nil {
		return "", err
	}
	err = u.fill(f, base, next)
	if closed := u.close(f); err == nil {
		err = closed
	}
	if err != nil {
		u.discard(temp)
		return "", err
	}
	return temp, nil
}

func (u *update) fill(f *os.File, base file, next []byte) error {
	if err := u.admit(f, base); err != nil {
		return err
	}
	if err := u.w.try("write", f.Name()); err != nil {
		return err
	}
	n, err := f.Write(next)
	if err == nil && n < len(next) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return err
	}
	if err := u.w.try("fsync", f.Name()); err != nil {
		return err
	}
	return f.Sync()
}

// admit sets who may use the file.
func (u *update) admit(f *os.File, base file) error {
	if base.exists {
		return u.adopt(f, base.meta)
	}
	if err := u.w.try("chmod", f.Name()); err != nil {
		return err
	}
	return f.Chmod(0o600) // the umask may have taken our own rights
}

func (u *update) close(f *os.File) error {
	return errors.Join(u.w.try("close", f.Name()), f.Close())
}

// discard removes a file that holds only bytes of ours.
func (u *update) discard(path string) {
	if err := u.unlink(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		u.litter = append(u.litter, path)
	}
}

func (u *update) unlink(path string) error {
	if err := u.w.try("unlink", path); err != nil {
		return err
	}
	return os.Remove(path)
}

func (u *update) rename(from, to string) error {
	if err := u.w.try("rename", to); err != nil {
		return err
	}
	return os.Rename(from, to)
}
