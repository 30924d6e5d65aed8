//go:build unix

package atomicwrite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"zcode-acp/atomicwrite"
)

// removeScenario is a situation in which each operation of a Remove is made to fail, or the process to die, in turn.
type removeScenario struct {
	name    string
	mode    int  // of removeModes
	missing bool // no file
	foreign bool // another program renames its file into place just before the file is taken away
	refuses bool // that is refused
}

var removeScenarios = []removeScenario{
	{name: "remove"},
	{name: "remove by links", mode: 1},
	{name: "missing", missing: true},
	{name: "beside another program", foreign: true},
	{name: "beside another program by links", mode: 1, foreign: true},
	{name: "refused at the last moment", foreign: true, refuses: true},
	{name: "refused at the last moment by links", mode: 1, foreign: true, refuses: true},
}

// prepare makes the file with five old backups, so that one must go.
func (s removeScenario) prepare(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.json")
	for i := range 5 {
		write(t, fmt.Sprintf("%s.bak-2026-09-22T11-00-00-00%dZ", path, i), fmt.Sprintf(`{"backup%d":1}`, i))
	}
	if !s.missing {
		write(t, path, `{"base":1}`)
	}
	return path
}

// fault gives the Fault of the scenario; stop is asked before each operation.
func (s removeScenario) fault(path string, stop func(n int, op string) error) func(op, at string) error {
	acted := false
	ops := operations{do: func(n int, op, at string) error {
		if op == "rename" && s.foreign && !acted {
			acted = true
			if err := renameOver(path, "theirs"); err != nil {
				return err
			}
		}
		if err := stop(n, op); err != nil {
			return err
		}
		return removeModes[s.mode].fault(op, at)
	}}
	return ops.fault
}

func (s removeScenario) request(path string) atomicwrite.RemoveRequest {
	j := judge{refuses: s.refuses}
	return atomicwrite.RemoveRequest{Path: path, Valid: whole, Expect: j.expect}
}

// TestEveryOperationOfARemoveFails lets each operation fail in turn, each with another of the errors.
func TestEveryOperationOfARemoveFails(t *testing.T) {
	for which, s := range removeScenarios {
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
				res, err := w.Remove(t.Context(), s.request(path))
				where := fmt.Sprintf("operation %d (%s) fails with %v", n, failed, f.errno)
				checkRemoveAnswer(t, s, path, where, res, err)
				if err != nil && !errors.Is(err, errRefused) {
					checkRemoveError(t, where, path, err, f)
				}
				checkGoesOn(t, s, path, where)
			}
		})
	}
}

// checkRemoveAnswer compares what a Remove said with what is on disk.
func checkRemoveAnswer(t *testing.T, s removeScenario, path, where string, res atomicwrite.Result, err error) {
	t.Helper()
	said := fmt.Sprint(err, res.Warnings)
	switch {
	case err == nil && (!gone(t, path) || res.Changed == s.missing || s.refuses):
		t.Errorf("%s: no error, Changed %v, gone %v", where, res.Changed, gone(t, path))
	case err == nil && res.Changed && readDocument(t, res.Backup)["base"] != 1:
		t.Errorf("%s: backup holds %s", where, read(t, res.Backup))
	case err == nil && s.foreign && readDocument(t, res.Backup)["theirs"] != 1:
		t.Errorf("%s: backup holds %s, want what the other program wrote", where, read(t, res.Backup))
	case err != nil && res.Changed:
		t.Errorf("%s: Changed beside error %v", where, err)
	case err != nil && !s.missing && gone(t, path):
		_, side, _ := strings.Cut(err.Error(), "the file is missing; its content is in ")
		side, _, _ = strings.Cut(side, ";")
		if side == "" || readDocument(t, side)["base"] != 1 {
			t.Errorf("%s: the file is gone, and error %v does not say where its content is", where, err)
		}
	case err != nil && !s.missing && readDocument(t, path)["base"] != 1:
		t.Errorf("%s: file holds %s", where, read(t, path))
	}
	for _, temp := range temps(t, path) {
		if !strings.Contains(said, temp) {
			t.Errorf("%s: left %s behind and did not say so: %s", where, temp, said)
		}
	}
	if backups := stamps(t, path); len(backups) < 5 || len(backups) > 6 {
		t.Errorf("%s: backups %q", where, backups)
	}
}

func checkRemoveError(t *testing.T, where, path string, err error, f failure) {
	t.Helper()
	if !errors.Is(err, f.errno) || !errors.Is(err, f.kind) {
		t.Errorf("%s: error %v does not wrap %v and %v", where, err, f.errno, f.kind)
	}
	start := fmt.Sprintf("removing %s: %v: ", path, f.kind)
	if text := err.Error(); !strings.HasPrefix(text, start) || !strings.Contains(text, f.advice) || strings.Contains(text, "base") {
		t.Errorf("%s: error %q, want it to begin with %q and to say %q", where, text, start, f.advice)
	}
}

// checkGoesOn removes the file once more, writes a new one and wants nothing lost and nothing temporary left.
func checkGoesOn(t *testing.T, s removeScenario, path, where string) {
	t.Helper()
	theirs := false
	for _, name := range append(names(t, path), filepath.Base(path)) {
		content, _ := os.ReadFile(filepath.Join(filepath.Dir(path), name))
		theirs = theirs || strings.Contains(string(content), "theirs")
	}
	if _, err := at(noon.Add(time.Minute)).Remove(t.Context(), atomicwrite.RemoveRequest{Path: path, Valid: whole}); err != nil {
		t.Errorf("%s: the next Remove: %v", where, err)
	}
	if !gone(t, path) {
		t.Errorf("%s: after the next Remove the file is still there", where)
	}
	if left := temps(t, path); len(left) != 0 {
		t.Errorf("%s: after the next Remove there is still %q", where, left)
	}
	update(t, at(noon.Add(time.Hour)), atomicwrite.Request{Path: path, Valid: whole, Edit: count("next")})
	all := everywhere(t, path)
	if !s.missing && all["base"] != 1 || theirs && all["theirs"] != 1 || readDocument(t, path)["next"] != 1 {
		t.Errorf("%s: after the next write there is %v", where, all)
	}
	if kept := stamps(t, path); len(kept) < 5 || len(kept) > 7 {
		t.Errorf("%s: %d backups", where, len(kept))
	}
}

func init() {
	children["crash while removing"] = func(dir string) error {
		var at, which int
		if _, err := fmt.Sscan(os.Getenv("CRASH_AT"), &at, &which); err != nil {
			return err
		}
		s := removeScenarios[which]
		path := filepath.Join(dir, "config.json")
		w := atomicwrite.Writer{Fault: s.fault(path, func(n int, _ string) error {
			if n == at {
				os.Exit(crash)
			}
			return nil
		})}
		if _, err := w.Remove(context.Background(), s.request(path)); !errors.Is(err, errRefused) {
			return err
		}
		return nil
	}
}

// TestCrashAtEveryOperationOfARemove lets a process die before each operation in turn: the file is there, or gone with
// its content in a backup, or where there is no rename that replaces nothing in what the next Remove makes a backup.
func TestCrashAtEveryOperationOfARemove(t *testing.T) {
	for which, s := range removeScenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			for n, crashed := 0, true; crashed; n++ {
				path := s.prepare(t)
				cmd := child("crash while removing", filepath.Dir(path), fmt.Sprint("CRASH_AT=", n, " ", which))
				out, err := cmd.CombinedOutput()
				if crashed = cmd.ProcessState.ExitCode() == crash; !crashed && err != nil {
					t.Fatalf("child: %v\n%s", err, out)
				}
				where := fmt.Sprintf("crash at %d", n)
				if removeModes[s.mode].name == "rename" && !s.missing {
					checkThereOrBackup(t, path, where)
				}
				checkGoesOn(t, s, path, where)
			}
		})
	}
}

func checkThereOrBackup(t *testing.T, path, where string) {
	t.Helper()
	if !gone(t, path) {
		if readDocument(t, path)["base"] != 1 {
			t.Errorf("%s: file holds %s", where, read(t, path))
		}
		return
	}
	backups, err := atomicwrite.Backups(path)
	if err != nil || len(backups) == 0 || readDocument(t, backups[0].Path)["base"] != 1 {
		t.Errorf("%s: the file is gone, and its newest backup does not hold its content: %v, %v", where, backups, err)
	}
}

// TestRemoveWithoutRenameNorLinks cannot be done without the danger of replacing something: nothing changes.
func TestRemoveWithoutRenameNorLinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reviewer.md")
	write(t, path, "old")
	w := atomicwrite.Writer{Fault: func(op, at string) error {
		if op == "link" {
			return syscall.EPERM
		}
		return removeModes[1].fault(op, at)
	}}
	_, err := w.Remove(t.Context(), atomicwrite.RemoveRequest{Path: path})
	if !errors.Is(err, atomicwrite.ErrPermission) || read(t, path) != "old" || len(names(t, path)) != 0 {
		t.Fatalf("error %v, gone %v, beside it %q", err, gone(t, path), names(t, path))
	}
	want := "removing " + path + ": permission denied: allow this user to read the file and to write in " + filepath.Dir(path) + "; the file is unchanged"
	if err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestRemoveIsTakenBack lets a sync fail after the file was taken away; it is done once, and what it means is told.
func TestRemoveIsTakenBack(t *testing.T) {
	for sync, want := range map[string]string{
		"fsync":    "; the file is unchanged",
		"fsyncdir": "; the file is in its place, but may be found at %s after a loss of power",
	} {
		path := filepath.Join(t.TempDir(), "reviewer.md")
		write(t, path, "old")
		syncs := 0
		w := at(noon)
		w.Fault = func(op, _ string) error {
			if op == sync {
				syncs++
				return syscall.EIO
			}
			return nil
		}
		_, err := w.Remove(t.Context(), atomicwrite.RemoveRequest{Path: path})
		if strings.Contains(want, "%s") {
			want = fmt.Sprintf(want, path+".bak-2026-09-22T12-00-00-000Z")
		}
		want = "removing " + path + ": the system reported an error: " + sync + ": input/output error: check the disk and the folder, and try again" + want
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if syncs != 1 || read(t, path) != "old" || len(names(t, path)) != 0 {
			t.Errorf("%s: %d syncs, file holds %q, beside it %q", sync, syncs, read(t, path), names(t, path))
		}
	}
}

// TestRemoveFinishesAnInterruptedOne finds no file, but the temporary name that a dead process gave it.
func TestRemoveFinishesAnInterruptedOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, leftover(path, deadProcess(t), "0123456789abcdef"), `{"base":1}`)
	res := remove(t, at(noon), atomicwrite.RemoveRequest{Path: path, Valid: whole})
	backups, err := atomicwrite.Backups(path)
	if err != nil || len(backups) != 1 || read(t, backups[0].Path) != `{"base":1}` || len(temps(t, path)) != 0 || res.Changed {
		t.Errorf("Changed %v, backups %v, error %v, beside it %q", res.Changed, backups, err, names(t, path))
	}
}

// TestRemoveIsTakenBackDurably refuses what another program wrote at the last moment: the name that the file gets back is
// synced, since the system may have made durable already that it was gone.
func TestRemoveIsTakenBackDurably(t *testing.T) {
	for mode := range removeModes {
		s := removeScenario{mode: mode, foreign: true, refuses: true}
		path := s.prepare(t)
		last, synced := "", false
		fault := s.fault(path, func(int, string) error { return nil })
		w := atomicwrite.Writer{Fault: func(op, at string) error {
			synced = op == "fsyncdir" && !gone(t, path)
			last = op
			return fault(op, at)
		}}
		if _, err := w.Remove(t.Context(), s.request(path)); !errors.Is(err, errRefused) || !synced {
			t.Errorf("error %v, last operation %s; want %v and fsyncdir", err, last, errRefused)
		}
	}
}

// TestRemovedBackupIsTakenAway has another program delete the backup before it was looked at.
func TestRemovedBackupIsTakenAway(t *testing.T) {
	for _, when := range []string{"stat", "open", "fsync"} {
		path := filepath.Join(t.TempDir(), "reviewer.md")
		write(t, path, "old")
		backup := path + ".bak-2026-09-22T12-00-00-000Z"
		w := at(noon)
		w.Fault = func(op, at string) error {
			if op == when && at == backup && !gone(t, backup) {
				return os.Remove(backup)
			}
			return nil
		}
		var j judge
		res, err := w.Remove(t.Context(), atomicwrite.RemoveRequest{Path: path, Expect: j.expect})
		if len(j.asked) != 1 {
			t.Errorf("%s: Expect was asked about %q", when, j.asked)
		}
		if when == "fsync" { // its content was looked at, and the file is gone
			if err != nil || !res.Changed {
				t.Errorf("%s: Changed %v, error %v", when, res.Changed, err)
			}
			continue
		}
		if err == nil || !strings.HasSuffix(err.Error(), "the file is gone: another program has taken it away from "+backup) {
			t.Errorf("%s: Changed %v, error %v", when, res.Changed, err)
		}
	}
}
