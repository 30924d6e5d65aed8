//go:build unix

package atomicwrite_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"zcode-acp/atomicwrite"
)

// deadProcess returns the number of a process that has ended.
func deadProcess(t *testing.T) int {
	t.Helper()
	cmd := child("nothing", "")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

func init() { children["nothing"] = func(string) error { return nil } }

func leftover(path string, pid int, random string) string {
	return filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.zcode-acp-%d-%s.tmp", filepath.Base(path), pid, random))
}

func TestLeftovers(t *testing.T) {
	dead := deadProcess(t)
	for _, c := range []struct {
		name, content string
		pid           int
		keep          string // "backup", "there" or "" (gone)
	}{
		{"another program's bytes", `{"theirs":1}`, dead, "backup"},
		{"current content", `{"base":1}`, dead, ""},
		{"newest backup", `{"backup":2}`, dead, ""},
		{"an older backup", `{"backup":1}`, dead, "backup"},
		{"half a file", `{"theirs"`, dead, ""},
		{"empty", ``, dead, ""},
		{"of an earlier process with our number", `{"theirs":1}`, os.Getpid(), "backup"},
		{"of a running process", `{"theirs":1}`, os.Getppid(), "there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.json")
			write(t, path, `{"base":1}`)
			write(t, path+".bak-2026-09-22T11-00-00-000Z", `{"backup":1}`)
			write(t, path+".bak-2026-09-22T11-30-00-000Z", `{"backup":2}`)
			left := leftover(path, c.pid, "0123456789abcdef")
			write(t, left, c.content)
			setTime(t, left, noon)
			res := update(t, at(noon.Add(time.Hour)), atomicwrite.Request{Path: path, Valid: whole, Edit: constant(`{"base":2}`)})
			if len(res.Warnings) != 0 {
				t.Errorf("Warnings %q", res.Warnings)
			}
			got := ""
			if _, err := os.Stat(left); err == nil {
				got = "there"
			}
			if now, err := os.ReadFile(path + ".bak-2026-09-22T12-00-00-000Z"); err == nil {
				got += "backup"
				if string(now) != c.content {
					t.Errorf("backup holds %s, want %s", now, c.content)
				}
			}
			if got != c.keep {
				t.Errorf("leftover became %q, want %q; beside the file: %q", got, c.keep, names(t, path))
			}
			if got := read(t, path); got != `{"base":2}` {
				t.Errorf("file holds %s", got)
			}
		})
	}
}

func TestLeftoversOfOthersStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, `{"base":1}`)
	dead := deadProcess(t)
	write(t, filepath.Join(filepath.Dir(path), ".config.json.4711.1760000000000.abc.tmp"), "ZCode's")
	write(t, leftover(filepath.Join(filepath.Dir(path), "other.json"), dead, "0123456789abcdef"), "of another file")
	target := filepath.Join(t.TempDir(), "target")
	write(t, target, "half")
	if err := os.Symlink(target, leftover(path, dead, "0000000000000001")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(leftover(path, dead, "0000000000000002"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(leftover(path, dead, "0000000000000003"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := names(t, path)
	update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: path, Valid: whole, NoBackup: true, Edit: count("ours")})
	if got := names(t, path); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("beside the file: %q, want %q", got, want)
	}
	if got := read(t, target); got != "half" {
		t.Errorf("target of a link holds %q", got)
	}
}

// TestLeftoverTooLargeToRead is kept unread.
func TestLeftoverTooLargeToRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, `{}`)
	write(t, leftover(path, deadProcess(t), "0123456789abcdef"), strings.Repeat(" ", 100))
	update(t, at(noon), atomicwrite.Request{Path: path, Valid: whole, MaxSize: 50, Edit: count("ours")})
	if got := stamps(t, path); len(got) != 2 {
		t.Errorf("backups %q, want the leftover and the file before", got)
	}
}

// TestEmptyLeftover goes even when everything is valid: it must not push a good backup out.
func TestEmptyLeftover(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	write(t, leftover(path, deadProcess(t), "0123456789abcdef"), "")
	update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: path, Edit: constant("new"), NoBackup: true})
	if got := names(t, path); len(got) != 0 {
		t.Errorf("beside the file: %q, want nothing", got)
	}
}

// TestSweepSparesARunningUpdate looks at the same file with a second Update in the middle of the first.
func TestSweepSparesARunningUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, `{"base":1}`)
	inside := false
	w := atomicwrite.Writer{Fault: func(op, _ string) error {
		if op == "fsync" && !inside {
			inside = true
			_, err := atomicwrite.Writer{}.Update(t.Context(), atomicwrite.Request{Path: path, Valid: whole, Edit: func([]byte, bool) ([]byte, error) { return nil, nil }})
			return err
		}
		return nil
	}}
	res := update(t, w, atomicwrite.Request{Path: path, Valid: whole, Edit: count("outer")})
	if got := readDocument(t, path); got["outer"] != 1 || res.Rebased != 0 || len(stamps(t, path)) != 1 {
		t.Errorf("file holds %v after %d rebases, beside it %q", got, res.Rebased, names(t, path))
	}
}

// crash is the exit code of a process that dies in the middle of a write.
const crash = 86

func init() {
	children["crash"] = func(dir string) error {
		var at, which int
		if _, err := fmt.Sscan(os.Getenv("CRASH_AT"), &at, &which); err != nil {
			return err
		}
		s := scenarios[which]
		path := filepath.Join(dir, "config.json")
		w := atomicwrite.Writer{Fault: s.fault(path, func(n int, _ string) error {
			if n == at {
				os.Exit(crash)
			}
			return nil
		})}
		_, err := w.Update(context.Background(), s.request(path, "ours"))
		return err
	}
}

// TestCrashAtEveryOperation lets a process die before each operation of a write in turn: the file is whole, the next
// write works, nothing temporary stays, and what another program wrote is not lost.
func TestCrashAtEveryOperation(t *testing.T) {
	for which, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			for n, crashed := 0, true; crashed; n++ {
				path := s.prepare(t)
				cmd := child("crash", filepath.Dir(path), fmt.Sprint("CRASH_AT=", n, " ", which))
				out, err := cmd.CombinedOutput()
				if crashed = cmd.ProcessState.ExitCode() == crash; !crashed && err != nil {
					t.Fatalf("child: %v\n%s", err, out)
				}
				checkAfterCrash(t, s, path, n)
			}
		})
	}
}

func checkAfterCrash(t *testing.T, s scenario, path string, n int) {
	t.Helper()
	_, err := os.Stat(path)
	if err != nil && s.file != "" {
		t.Errorf("crash at %d: %v", n, err)
	}
	if err == nil {
		readDocument(t, path) // fails when it is not whole
	}
	wrote := false
	for _, name := range append(names(t, path), "config.json") {
		content, _ := os.ReadFile(filepath.Join(filepath.Dir(path), name))
		wrote = wrote || strings.Contains(string(content), "theirs")
	}
	update(t, at(noon.Add(time.Hour)), s.request(path, "next"))
	now := readDocument(t, path)
	if now["next"] != 1 || s.file != "" && now["base"] != 1 {
		t.Errorf("crash at %d: after the next write the file holds %v", n, now)
	}
	if wrote && everywhere(t, path)["theirs"] != 1 {
		t.Errorf("crash at %d: what the other program wrote is lost", n)
	}
	if left := temps(t, path); len(left) != 0 {
		t.Errorf("crash at %d: after the next write there is still %q", n, left)
	}
	if s.file != "" {
		// What was displaced just before the crash is kept beside the five.
		if kept := stamps(t, path); (len(kept) < 5 || len(kept) > 6) && !s.noBackup {
			t.Errorf("crash at %d: %d backups, want 5 or 6", n, len(kept))
		}
	}
}

// TestKilled kills a process that writes all the time.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, `{"base":1}`)
	for range 10 {
		cmd := child("writer", filepath.Dir(path))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitForChange(t, path, cmd)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // killed: always an error
		before := readDocument(t, path)["ours"]
		update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
		if got := readDocument(t, path); got["ours"] != before+1 || got["base"] != 1 {
			t.Errorf("file holds %v after %d", got, before)
		}
		if left := temps(t, path); len(left) != 0 {
			t.Errorf("still there: %q", left)
		}
	}
}

func waitForChange(t *testing.T, path string, cmd *exec.Cmd) {
	t.Helper()
	start := readDocument(t, path)["ours"]
	for end := time.Now().Add(time.Minute); readDocument(t, path)["ours"] < start+3; {
		if time.Now().After(end) {
			_ = cmd.Process.Kill()
			t.Fatal("the child writes nothing")
		}
		time.Sleep(time.Millisecond)
	}
}

func init() {
	children["writer"] = func(dir string) error {
		for {
			_, err := atomicwrite.Writer{}.Update(context.Background(), atomicwrite.Request{
				Path: filepath.Join(dir, "config.json"), Valid: whole, Edit: count("ours"),
			})
			if err != nil {
				return err
			}
		}
	}
}
