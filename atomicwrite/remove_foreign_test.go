//go:build unix

package atomicwrite_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"zcode-acp/atomicwrite"
)

// removeModes are the ways to take a file away: with a rename that replaces nothing, and as on a file system that has none.
var removeModes = []struct {
	name  string
	fault func(op, at string) error
}{
	{"rename", func(_, _ string) error { return nil }},
	{"link", func(op, at string) error {
		if op == "rename" && !strings.HasSuffix(at, ".tmp") {
			return syscall.EINVAL
		}
		return nil
	}},
}

// judge is an Expect that keeps what it was asked, and refuses what the other program wrote if it shall.
type judge struct {
	asked   []string
	refuses bool
}

var errRefused = errors.New("somebody else changed it")

func (j *judge) expect(content []byte) error {
	j.asked = append(j.asked, string(content))
	if j.refuses && strings.Contains(string(content), "theirs") {
		return errRefused
	}
	return nil
}

// removal is one Remove beside another program.
type removal struct {
	path  string
	ops   []string
	n     int // the operation before which the other program acts
	judge judge
	res   atomicwrite.Result
	err   error
}

// removeBeside runs one Remove for each place at which act can come in, with an Expect that accepts and with one that
// refuses what the other program wrote.
func removeBeside(t *testing.T, act func(path string, n, since int) error, check func(t *testing.T, r removal)) {
	for _, mode := range removeModes {
		for _, refuses := range []bool{false, true} {
			for n, reached := 0, true; reached; n++ {
				t.Run(fmt.Sprintf("%s/refuses %v/%d", mode.name, refuses, n), func(t *testing.T) {
					r := removal{path: filepath.Join(t.TempDir(), "reviewer.md"), n: n, judge: judge{refuses: refuses}}
					write(t, r.path, `{"base":1}`)
					ops := operations{do: func(i int, op, at string) error {
						if err := act(r.path, i, i-n); err != nil {
							t.Fatalf("the other program: %v", err)
						}
						return mode.fault(op, at)
					}}
					r.res, r.err = atomicwrite.Writer{Fault: ops.fault}.Remove(t.Context(), atomicwrite.RemoveRequest{
						Path: r.path, Valid: whole, Expect: r.judge.expect,
					})
					r.ops = ops.list
					if reached = n < len(ops.list); reached {
						check(t, r)
					}
					if left := temps(t, r.path); len(left) != 0 {
						t.Errorf("left behind: %q", left)
					}
				})
			}
		}
	}
}

// checkKept wants what the other program wrote at the path, or judged and in the backup.
func checkKept(t *testing.T, r removal) {
	t.Helper()
	there := ""
	if !gone(t, r.path) {
		there = read(t, r.path)
	}
	where := fmt.Sprintf("another program at %d (%s), Remove says %v, Warnings %q", r.n, r.ops[r.n], r.err, r.res.Warnings)
	switch {
	case r.err != nil && !errors.Is(r.err, errRefused):
		t.Errorf("%s: want success or %v", where, errRefused)
	case r.err != nil && !strings.Contains(there, "theirs"):
		t.Errorf("%s: file holds %q, want what the other program wrote", where, there)
	case r.err != nil && len(stamps(t, r.path)) != 0:
		t.Errorf("%s: there is a backup: %q", where, names(t, r.path))
	case r.err != nil:
		return
	case !r.res.Changed || !strings.Contains(read(t, r.res.Backup), "base"):
		t.Errorf("%s: Changed %v, backup %q, want the content before", where, r.res.Changed, r.res.Backup)
	case string(r.res.Old) != read(t, r.res.Backup) || r.judge.asked[len(r.judge.asked)-1] != string(r.res.Old):
		t.Errorf("%s: Old %s, judged %q, backup %s; want all the same", where, r.res.Old, r.judge.asked, read(t, r.res.Backup))
	case strings.Contains(there, "theirs"):
		if !slicesContainText(r.res.Warnings, "another program has created "+r.path+" again") {
			t.Errorf("%s: the file is there again, and nobody says so", where)
		}
	case there != "" || !strings.Contains(string(r.res.Old), "theirs"):
		t.Errorf("%s: file holds %q, backup %s; what the other program wrote is lost", where, there, r.res.Old)
	case r.judge.refuses:
		t.Errorf("%s: what was refused is gone", where)
	}
}

func slicesContainText(list []string, text string) bool {
	return strings.Contains(strings.Join(list, "\n"), text)
}

func TestRemoveWhileAnotherProgramRenames(t *testing.T) {
	t.Parallel()
	removeBeside(t, func(path string, _, since int) error {
		if since == 0 {
			return renameOver(path, "theirs")
		}
		return nil
	}, checkKept)
}

func TestRemoveWhileAnotherProgramWritesInPlace(t *testing.T) {
	t.Parallel()
	removeBeside(t, func(path string, _, since int) error {
		if since == 0 {
			return writeInPlace(path, "theirs")
		}
		return nil
	}, checkKept)
}

// TestRemoveWhileAnotherProgramHoldsTheFileOpen truncates the file through a descriptor from before, and writes it two
// operations later: for a while what was taken away is half a file.
func TestRemoveWhileAnotherProgramHoldsTheFileOpen(t *testing.T) {
	t.Parallel()
	var f *os.File
	const theirs = `{"base":1,"theirs":1}`
	removeBeside(t, func(path string, n, since int) (err error) {
		if n == 0 {
			if f, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
				return err
			}
		}
		switch since {
		case 0:
			return f.Truncate(0)
		case 2:
			_, err = f.WriteAt([]byte(theirs), 0)
			return errors.Join(err, f.Close())
		}
		return nil
	}, func(t *testing.T, r removal) {
		if len(r.ops) > r.n+2 {
			checkKept(t, r)
			return
		}
		// The Remove was over before: what is written so late is in the backup.
		if _, err := f.WriteAt([]byte(theirs), 0); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if r.err != nil || read(t, r.res.Backup) != theirs {
			t.Errorf("error %v, backup %q", r.err, r.res.Backup)
		}
	})
}

func TestRemoveWhileAnotherProgramDeletes(t *testing.T) {
	t.Parallel()
	removeBeside(t, func(path string, _, since int) error {
		if since == 0 {
			if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return nil
	}, func(t *testing.T, r removal) {
		if r.err != nil || !gone(t, r.path) || r.res.Changed != (r.res.Backup != "") || r.res.Changed != (len(stamps(t, r.path)) == 1) {
			t.Errorf("at %d (%s): %+v, error %v, beside it %q", r.n, r.ops[r.n], r.res, r.err, names(t, r.path))
		}
	})
}

// TestRemoveMeetsAFileThatIsBack has another program write just before the file is taken away, which is refused, and
// create the file once more before it could be put back: both stay.
func TestRemoveMeetsAFileThatIsBack(t *testing.T) {
	for _, mode := range removeModes {
		path := filepath.Join(t.TempDir(), "reviewer.md")
		write(t, path, `{"base":1}`)
		renames := 0
		w := at(noon)
		w.Fault = func(op, at string) error {
			switch {
			case op == "rename" && renames == 0:
				renames++
				return errors.Join(renameOver(path, "theirs"), mode.fault(op, at))
			case op == "rename" && at == path:
				write(t, path, `{"new":1}`)
			}
			return mode.fault(op, at)
		}
		j := judge{refuses: true}
		_, err := w.Remove(t.Context(), atomicwrite.RemoveRequest{Path: path, Valid: whole, Expect: j.expect})
		backup := path + ".bak-2026-09-22T12-00-00-000Z"
		want := "somebody else changed it; another program has created the file again, and it stays; the content before is in " + backup
		if !errors.Is(err, errRefused) || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", mode.name, err, want)
		}
		if got := read(t, path); got != `{"new":1}` {
			t.Errorf("%s: file holds %s", mode.name, got)
		}
		if got := read(t, backup); !strings.Contains(got, "theirs") {
			t.Errorf("%s: backup holds %s", mode.name, got)
		}
	}
}

// TestRemoveMeetsSomethingElse has a link or a folder take the place of the file just before it is taken away.
func TestRemoveMeetsSomethingElse(t *testing.T) {
	for name, create := range map[string]func(path string) error{
		"link":   func(path string) error { return os.Symlink("elsewhere", path) },
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		path := filepath.Join(t.TempDir(), "reviewer.md")
		write(t, path, "old")
		done := false
		w := atomicwrite.Writer{Fault: func(op, _ string) error {
			if op != "rename" || done {
				return nil
			}
			done = true
			return errors.Join(os.Remove(path), create(path))
		}}
		_, err := w.Remove(t.Context(), atomicwrite.RemoveRequest{Path: path})
		info, statErr := os.Lstat(path)
		if !errors.Is(err, atomicwrite.ErrIrregular) || statErr != nil || info.Mode().IsRegular() || len(names(t, path)) != 0 {
			t.Errorf("%s: error %v; %v, %v, beside it %q", name, err, info, statErr, names(t, path))
		}
	}
}

// TestRemoveGivesUp writes the displaced file whenever it was looked at.
func TestRemoveGivesUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reviewer.md")
	write(t, path, "0")
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	writes := 0
	w := atomicwrite.Writer{Fault: func(op, _ string) error {
		if op != "fsyncdir" {
			return nil
		}
		writes++
		_, err := f.WriteAt([]byte(strings.Repeat("x", writes+1)), 0)
		return err
	}}
	res, err := w.Remove(t.Context(), atomicwrite.RemoveRequest{Path: path})
	if !errors.Is(err, atomicwrite.ErrUnstable) || res.Changed || gone(t, path) || len(names(t, path)) != 0 {
		t.Errorf("Changed %v, error %v, gone %v, beside it %q", res.Changed, err, gone(t, path), names(t, path))
	}
}

// TestRemoveRaces removes the file again and again beside a program that writes it with growing numbers. A number that is
// finished must be at the path or in a backup, or a later one; an odd one is never removed when each write is one step.
func TestRemoveRaces(t *testing.T) {
	errOdd := errors.New("odd")
	for _, c := range []struct {
		name    string
		oneStep bool
		write   func(path string, content []byte) error
	}{
		{"temporary file and rename", true, func(path string, content []byte) error {
			if err := os.WriteFile(path+".theirs", content, 0o600); err != nil {
				return err
			}
			return os.Rename(path+".theirs", path)
		}},
		{"truncate in place", false, func(path string, content []byte) error { return os.WriteFile(path, content, 0o600) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "reviewer.md")
			var finished atomic.Int64
			var group sync.WaitGroup
			stop := make(chan struct{})
			group.Go(func() {
				for n := 1; ; n++ {
					select {
					case <-stop:
						return
					case <-time.After(rand.N(2 * time.Millisecond)):
					}
					if err := c.write(path, document{"theirs": n}.bytes()); err != nil {
						t.Error(err)
						return
					}
					finished.Store(int64(n))
				}
			})
			removed, refused := 0, 0
			for range races {
				res, err := atomicwrite.Writer{}.Remove(t.Context(), atomicwrite.RemoveRequest{Path: path, Valid: whole, Expect: func(old []byte) error {
					if d, err := parse(old); err != nil || d["theirs"]%2 == 1 {
						return errOdd
					}
					return nil
				}})
				done := int(finished.Load())
				switch {
				case err == nil && res.Changed:
					removed++
					if got := readDocument(t, res.Backup)["theirs"]; c.oneStep && got%2 == 1 {
						t.Errorf("%d was removed against the will of Expect", got)
					}
				case errors.Is(err, errOdd):
					refused++
				case err != nil:
					t.Errorf("Remove: %v", err)
				}
				if newest := newestOf(t, path); newest < done {
					t.Errorf("%d was finished, and the newest that is left is %d", done, newest)
				}
			}
			close(stop)
			group.Wait()
			t.Logf("%d removed, %d refused of %d writes", removed, refused, finished.Load())
			if removed == 0 || refused == 0 {
				t.Errorf("%d removed, %d refused: no race", removed, refused)
			}
			if left := temps(t, path); len(left) != 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// newestOf is the largest number in the file and its backups.
func newestOf(t *testing.T, path string) (newest int) {
	t.Helper()
	for torn := true; torn; { // the other program may be in the middle of a write, however slow the machine is
		snapshot, err := atomicwrite.Writer{}.Read(t.Context(), path, whole, 0)
		if err != nil {
			t.Fatal(err)
		}
		d, err := parse(snapshot.Content)
		torn, newest = snapshot.Exists && err != nil, d["theirs"]
	}
	backups, err := atomicwrite.Backups(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range backups {
		newest = max(newest, readDocument(t, b.Path)["theirs"])
	}
	return newest
}
