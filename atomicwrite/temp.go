package atomicwrite

import (
	"crypto/rand"
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
func (u *update) fresh() string {
	var random [randomBytes]byte
	rand.Read(random[:]) // never fails
	name := fmt.Sprintf(".%s%s%d-%s%s", filepath.Base(u.target), tempMark, os.Getpid(), hex.EncodeToString(random[:]), tempEnd)
	path := filepath.Join(filepath.Dir(u.target), name)
	inUse.Store(path, nil)
	u.temps = append(u.temps, path)
	return path
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
	digits, random, _ := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(digits)
	if err != nil || pid <= 0 || strconv.Itoa(pid) != digits {
		return 0, false
	}
	raw, err := hex.DecodeString(random)
	return pid, err == nil && len(raw) == randomBytes && hex.EncodeToString(raw) == random
}

// stage writes next to a synced temporary file with the permissions of base. The folder is opened here already: a
// replace that could not be synced afterwards must not begin.
func (u *update) stage(base file, next []byte) (string, error) {
	if err := u.openFolder(); err != nil {
		return "", err
	}
	temp := u.fresh()
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
	if base.exists {
		if err := u.adopt(f, base.meta); err != nil {
			return err
		}
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
