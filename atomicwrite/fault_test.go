//go:build unix

package atomicwrite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"zcode-acp/atomicwrite"
)

// failure is an error of the system, what it is for the caller and what a person is told.
type failure struct {
	errno  syscall.Errno
	kind   error
	advice string
}

var failures = []failure{
	{syscall.ENOSPC, atomicwrite.ErrNoSpace, "free some space"},
	{syscall.EDQUOT, atomicwrite.ErrNoSpace, "free some space"},
	{syscall.EROFS, atomicwrite.ErrReadOnly, "make it writable"},
	{syscall.EACCES, atomicwrite.ErrPermission, "allow this user"},
	{syscall.EPERM, atomicwrite.ErrPermission, "allow this user"},
	{syscall.EBUSY, atomicwrite.ErrMount, "mount the folder"},
	{syscall.EXDEV, atomicwrite.ErrMount, "mount the folder"},
	{syscall.EIO, atomicwrite.ErrIO, "check the disk"},
	{syscall.EMFILE, atomicwrite.ErrIO, "check the disk"},
}

// scenario is a situation in which each operation is made to fail, or the process to die, in turn.
type scenario struct {
	name     string
	file     string // content before; "" means no file
	fallback bool   // no exchange, no rename to a free name
	noBackup bool
	foreign  bool // another program renames its file into place just before the exchange
}

var scenarios = []scenario{
	{name: "replace", file: `{"base":1}`},
	{name: "replace without backup", file: `{"base":1}`, noBackup: true},
	{name: "replace without exchange", file: `{"base":1}`, fallback: true},
	{name: "create", file: ""},
	{name: "create without exchange", file: "", fallback: true},
	{name: "beside another program", file: `{"base":1}`, foreign: true},
}

// prepare makes the file with five old backups, so that one must go, and with a leftover.
func (s scenario) prepare(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.json")
	if s.file == "" {
		return path
	}
	for i := range 5 {
		write(t, fmt.Sprintf("%s.bak-2026-09-22T11-00-00-00%dZ", path, i), fmt.Sprintf(`{"backup%d":1}`, i))
	}
	write(t, path, s.file)
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

// fault gives the Fault of the scenario; stop is asked before each operation.
func (s scenario) fault(path string, stop func(n int, op string) error) func(op, at string) error {
	acted := false
	ops := operations{do: func(n int, op, at string) error {
		if op == "exchange" && s.foreign && !acted {
			acted = true
			if err := renameOver(path, "theirs"); err != nil {
				return err
			}
		}
		if err := stop(n, op); err != nil {
			return err
		}
		if s.fallback && (op == "exchange" || op == "rename" && !strings.HasSuffix(at, ".json")) {
			return syscall.ENOSYS
		}
		return nil
	}}
	return ops.fault
}

func (s scenario) request(path, key string) atomicwrite.Request {
	return atomicwrite.Request{Path: path, Valid: whole, Edit: count(key), NoBackup: s.noBackup}
}

// TestEveryOperationFails lets each operation fail in turn, each with another of the errors.
func TestEveryOperationFails(t *testing.T) {
	for which, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			for n, reached := 0, true; reached; n++ {
				f := failures[(n+2*which)%len(failures)]
				reached = false
				path := s.prepare(t)
				failed := ""
				w := at(noon)
				w.Fault = s.fault(path, func(i int, op string) error {
					if i != n {
						return nil
					}
					reached, failed = true, op
					return f.errno
				})
				res, err := w.Update(t.Context(), s.request(path, "ours"))
				where := fmt.Sprintf("operation %d (%s) fails", n, failed)
				checkAnswer(t, s, path, where, res, err)
				if err != nil {
					checkError(t, where, path, err, f)
				}
				update(t, at(noon), s.request(path, "next"))
				if left := temps(t, path); len(left) != 0 {
					t.Errorf("%s: after the next write there is still %q", where, left)
				}
			}
		})
	}
}

// checkAnswer compares what an Update said with what is on disk.
func checkAnswer(t *testing.T, s scenario, path, where string, res atomicwrite.Result, err error) {
	t.Helper()
	got := "" // keys in the file
	if _, statErr := os.Stat(path); statErr == nil {
		for key := range readDocument(t, path) {
			got += key + " "
		}
	}
	ours := strings.Contains(got, "ours")
	said := fmt.Sprint(err, res.Warnings)
	switch {
	case err == nil && (!ours || !res.Changed):
		t.Errorf("%s: no error, but the file holds %q", where, got)
	case err != nil && ours != (strings.Contains(said, "holds the new content") || strings.Contains(said, "was created")):
		t.Errorf("%s: file holds %q, error %v", where, got, err)
	case s.file != "" && !strings.Contains(got, "base"):
		t.Errorf("%s: file holds %q", where, got)
	}
	if err != nil && ours && s.file != "" && !strings.Contains(fmt.Sprint(names(t, path)), filepath.Base(sideIn(err))) {
		t.Errorf("%s: error %v names no existing file", where, err)
	}
	for _, temp := range temps(t, path) {
		if !strings.Contains(said, temp) {
			t.Errorf("%s: left %s behind and did not say so: %s", where, temp, said)
		}
	}
	if s.file == "" {
		return
	}
	if m := mode(t, path); m != 0o640 && !s.foreign {
		t.Errorf("%s: mode %v, want 0640", where, m)
	}
	if backups := stamps(t, path); len(backups) < 5 || len(backups) > 6 {
		t.Errorf("%s: backups %q", where, backups)
	}
}

// sideIn returns the path that an error says the former content is in.
func sideIn(err error) string {
	_, side, _ := strings.Cut(err.Error(), "the content before is in ")
	side, _, _ = strings.Cut(side, ";")
	return side
}

func checkError(t *testing.T, where, path string, err error, f failure) {
	t.Helper()
	if !errors.Is(err, f.errno) || !errors.Is(err, f.kind) {
		t.Errorf("%s: error %v does not wrap %v and %v", where, err, f.errno, f.kind)
	}
	start := fmt.Sprintf("writing %s: %v: ", path, f.kind)
	if text := err.Error(); !strings.HasPrefix(text, start) || !strings.Contains(text, f.advice) {
		t.Errorf("%s: error %q, want it to begin with %q and to say %q", where, text, start, f.advice)
	}
	if strings.Contains(err.Error(), "base") {
		t.Errorf("%s: error %v holds content of the file", where, err)
	}
}

func TestErrorReadsWell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	for errno, want := range map[syscall.Errno]string{
		syscall.ENOSPC: "no space left on the disk: free some space and try again; the file is unchanged",
		syscall.EROFS:  "the file system is read-only: make it writable and try again; the file is unchanged",
		syscall.EIO:    "the system reported an error: fsync: input/output error: check the disk and the folder, and try again; the file is unchanged",
	} {
		w := atomicwrite.Writer{Fault: func(op, _ string) error {
			if op == "fsync" {
				return errno
			}
			return nil
		}}
		_, err := w.Update(t.Context(), atomicwrite.Request{Path: path, Edit: constant("new")})
		if want = "writing " + path + ": " + want; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestFailedSyncIsNotRetried(t *testing.T) {
	for _, sync := range []string{"fsync", "fsyncdir"} {
		path := filepath.Join(t.TempDir(), "config.json")
		write(t, path, "old")
		syncs := 0
		w := atomicwrite.Writer{Fault: func(op, _ string) error {
			if op == sync {
				syncs++
				return syscall.EIO
			}
			return nil
		}}
		_, err := w.Update(t.Context(), atomicwrite.Request{Path: path, Edit: constant("new")})
		if syncs != 1 || !errors.Is(err, syscall.EIO) || read(t, path) != "old" || len(names(t, path)) != 0 {
			t.Errorf("%s: %d syncs, error %v, file %q, beside it %q", sync, syncs, err, read(t, path), names(t, path))
		}
	}
}

// TestFailedCleanUpIsTold lets the write and the removal of the temporary file fail.
func TestFailedCleanUpIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	w := atomicwrite.Writer{Fault: func(op, _ string) error {
		if op == "fsync" || op == "unlink" {
			return syscall.EIO
		}
		return nil
	}}
	_, err := w.Update(t.Context(), atomicwrite.Request{Path: path, Edit: constant("new")})
	left := temps(t, path)
	if err == nil || len(left) != 1 || !strings.HasSuffix(err.Error(), "the file is unchanged; left behind: "+left[0]) {
		t.Errorf("error %v, left behind %q", err, left)
	}
}

// TestDoubleFailureIsTold lets the sync of the folder fail, and then the exchange that would undo the write.
func TestDoubleFailureIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	var seen []string
	w := atomicwrite.Writer{Fault: func(op, _ string) error {
		seen = append(seen, op)
		if op == "fsyncdir" || op == "exchange" && slices.Contains(seen, "fsyncdir") {
			return syscall.EIO
		}
		return nil
	}}
	_, err := w.Update(t.Context(), atomicwrite.Request{Path: path, Edit: constant("new")})
	if err == nil || !strings.Contains(err.Error(), "the file holds the new content; the content before is in ") {
		t.Fatalf("error %v", err)
	}
	if got := read(t, path); got != "new" {
		t.Errorf("file holds %q", got)
	}
	if got := read(t, sideIn(err)); got != "old" {
		t.Errorf("%s holds %q, want old", sideIn(err), got)
	}
}

func TestFolderThatCannotBeSynced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	w := atomicwrite.Writer{Fault: func(op, _ string) error {
		if op == "fsyncdir" {
			return syscall.EINVAL
		}
		return nil
	}}
	res := update(t, w, atomicwrite.Request{Path: path, Edit: constant("new")})
	if len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "loss of power") {
		t.Errorf("Warnings %q, want one of durability", res.Warnings)
	}
}

func TestMissingFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "config.json")
	_, err := atomicwrite.Writer{}.Update(t.Context(), atomicwrite.Request{Path: path, Edit: constant("new")})
	if !errors.Is(err, atomicwrite.ErrIO) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want %v and %v", err, atomicwrite.ErrIO, os.ErrNotExist)
	}
}
