//go:build unix

package atomicwrite_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"zcode-acp/atomicwrite"
)

// A program that takes no lock acts between two operations of an Update, once, for every place between them. It reads
// the file and writes it back with a key of its own.

// withKey is what the other program makes of content.
func withKey(content []byte, key string) ([]byte, error) {
	d := document{}
	if len(content) > 0 {
		var err error
		if d, err = parse(content); err != nil {
			return nil, err
		}
	}
	d[key] = 1
	return d.bytes(), nil
}

func readIfAny(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}

// renameOver is how ZCode's command line writes.
func renameOver(path, key string) error {
	content, err := readIfAny(path)
	if err != nil {
		return err
	}
	if content, err = withKey(content, key); err != nil {
		return err
	}
	temp := path + ".4711.theirs.tmp"
	if err := os.WriteFile(temp, content, 0o600); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

// writeInPlace is how ZCode's skills page writes.
func writeInPlace(path, key string) error {
	content, err := readIfAny(path)
	if err != nil {
		return err
	}
	if content, err = withKey(content, key); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o600)
}

// modes are the ways to replace a file: with an exchange, and as on a file system that has none.
var modes = []struct {
	name  string
	fault func(op string) error
}{
	{"exchange", func(string) error { return nil }},
	{"link", func(op string) error {
		if op == "exchange" {
			return syscall.EINVAL
		}
		return nil
	}},
}

// interleave runs one Update for each place at which act can come in.
func interleave(t *testing.T, content string, act func(path string, n, since int) error, check func(t *testing.T, path, mode string, ops []string, n int, res atomicwrite.Result)) {
	for _, mode := range modes {
		for n, reached := 0, true; reached; n++ {
			t.Run(fmt.Sprintf("%s/%d", mode.name, n), func(t *testing.T) {
				reached = false
				path := filepath.Join(t.TempDir(), "config.json")
				if content != "" {
					write(t, path, content)
				}
				var ops operations
				ops.do = func(i int, op, _ string) error {
					if err := act(path, i, i-n); err != nil {
						t.Fatalf("the other program: %v", err)
					}
					return mode.fault(op)
				}
				res := update(t, atomicwrite.Writer{Fault: ops.fault}, atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
				if reached = n < len(ops.list); reached {
					check(t, path, mode.name, ops.list, n, res)
				}
				if left := temps(t, path); len(left) != 0 {
					t.Errorf("left behind: %q", left)
				}
			})
		}
	}
}

// bothKept checks that the file holds both writes.
func bothKept(t *testing.T, path, mode string, ops []string, n int, _ atomicwrite.Result) {
	if got := readDocument(t, path); got["ours"] != 1 || got["theirs"] != 1 {
		t.Errorf("another program at %d (%s): file holds %v, want both writes; operations %q", n, ops[n], got, ops)
	}
}

func TestOtherProgramRenames(t *testing.T) {
	t.Parallel()
	interleave(t, `{"base":1}`, func(path string, _, since int) error {
		if since == 0 {
			return renameOver(path, "theirs")
		}
		return nil
	}, func(t *testing.T, path, mode string, ops []string, n int, res atomicwrite.Result) {
		if mode == "link" && ops[n] == "rename" && ops[n-1] == "stat" {
			return // directly before the rename: the window that only an exchange closes
		}
		bothKept(t, path, mode, ops, n, res)
	})
}

func TestOtherProgramWritesInPlace(t *testing.T) {
	t.Parallel()
	interleave(t, `{"base":1}`, func(path string, _, since int) error {
		if since == 0 {
			return writeInPlace(path, "theirs")
		}
		return nil
	}, bothKept)
}

func TestOtherProgramCreates(t *testing.T) {
	t.Parallel()
	interleave(t, "", func(path string, _, since int) error {
		if since == 0 {
			return renameOver(path, "theirs")
		}
		return nil
	}, bothKept)
}

// TestOtherProgramWritesSlowly truncates the file, and writes it in two halves a few operations later, through the
// descriptor that it opened.
func TestOtherProgramWritesSlowly(t *testing.T) {
	t.Parallel()
	var f *os.File
	var content []byte
	interleave(t, `{"base":1}`, func(path string, _, since int) (err error) {
		switch since {
		case 0:
			if content, err = os.ReadFile(path); err != nil {
				return err
			}
			if content, err = withKey(content, "theirs"); err != nil {
				return err
			}
			f, err = os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
			return err
		case 3:
			_, err = f.Write(content[:5])
			return err
		case 6:
			_, err = f.Write(content[5:])
			return errors.Join(err, f.Close())
		}
		return nil
	}, func(t *testing.T, path, mode string, ops []string, n int, res atomicwrite.Result) {
		if len(ops) > n+6 {
			bothKept(t, path, mode, ops, n, res)
			return
		}
		// The Update was over before: the other program has the last word.
		if len(ops) <= n+3 {
			_, _ = f.Write(content[:5])
		}
		if _, err := f.Write(content[5:]); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if got := readDocument(t, path); got["theirs"] != 1 || got["ours"] != 1 {
			t.Errorf("file holds %v, want both writes; operations %q", got, ops)
		}
	})
}

// TestOtherProgramHoldsTheFileOpen opens the file before the Update reads it and writes through that descriptor: after
// the exchange it writes into the displaced file.
func TestOtherProgramHoldsTheFileOpen(t *testing.T) {
	t.Parallel()
	var f *os.File
	interleave(t, `{"base":1}`, func(path string, n, since int) (err error) {
		if n == 0 {
			if f, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
				return err
			}
		}
		if since != 0 {
			return nil
		}
		defer f.Close()
		content, err := io.ReadAll(f)
		if err != nil {
			return err
		}
		if content, err = withKey(content, "theirs"); err != nil {
			return err
		}
		if err := f.Truncate(0); err != nil {
			return err
		}
		_, err = f.WriteAt(content, 0)
		return err
	}, bothKept)
}

func TestOtherProgramDeletes(t *testing.T) {
	t.Parallel()
	interleave(t, `{"base":1}`, func(path string, _, since int) error {
		if since == 0 {
			if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return nil
	}, func(t *testing.T, path, mode string, ops []string, n int, res atomicwrite.Result) {
		_, err := os.Stat(path)
		committed := strings.Contains(strings.Join(ops[:n], " "), "exchange")
		if err != nil && !committed {
			t.Errorf("deleted at %d (%s): the write is lost; operations %q", n, ops[n], ops)
		}
		if err == nil && readDocument(t, path)["ours"] != 1 {
			t.Errorf("deleted at %d (%s): file holds %s", n, ops[n], read(t, path))
		}
	})
}

// TestOtherProgramWritesAgainDuringTheRepair writes before the exchange, and before the one that puts its file back.
func TestOtherProgramWritesAgainDuringTheRepair(t *testing.T) {
	for _, c := range []struct {
		name string
		act  func(path, key string) error
	}{{"rename", renameOver}, {"in place", writeInPlace}} {
		for times := 1; times <= 4; times++ {
			path := filepath.Join(t.TempDir(), "config.json")
			write(t, path, `{"base":1}`)
			exchanges := 0
			ops := operations{do: func(_ int, op, _ string) error {
				if op != "exchange" {
					return nil
				}
				if exchanges++; exchanges > times {
					return nil
				}
				return c.act(path, fmt.Sprint("theirs", exchanges))
			}}
			res := update(t, atomicwrite.Writer{Fault: ops.fault}, atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
			now, all := readDocument(t, path), everywhere(t, path)
			if now[fmt.Sprint("theirs", times)] != 1 || now["ours"] == 0 || res.Rebased == 0 {
				t.Errorf("%s, %d times: file holds %v after %d rebases", c.name, times, now, res.Rebased)
			}
			for i := 1; i <= times; i++ {
				if all[fmt.Sprint("theirs", i)] != 1 {
					t.Errorf("%s, %d times: write %d is nowhere: %v", c.name, times, i, all)
				}
			}
			if left := temps(t, path); len(left) != 0 {
				t.Errorf("%s, %d times: left behind %q", c.name, times, left)
			}
		}
	}
}

// TestCoarseClock lets another program write the displaced file with the same size, on a file system whose clock has
// not moved on since the write before.
func TestCoarseClock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, `{"base":1}`)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var tick time.Time
	last := ""
	ops := operations{do: func(_ int, op, at string) error {
		previous := last
		last = op
		switch {
		case op == "open" && previous == "exchange" && tick.IsZero():
			tick = time.Now()
			return os.Chtimes(at, tick, tick)
		case op == "fsyncdir" && !tick.IsZero():
			if _, err := f.WriteAt([]byte(`{"base":2}`), 0); err != nil {
				return err
			}
			backups, err := atomicwrite.Backups(path)
			if err != nil || len(backups) != 1 {
				return errors.Join(errBoom, err)
			}
			return os.Chtimes(backups[0].Path, tick, tick)
		}
		return nil
	}}
	update(t, atomicwrite.Writer{Fault: ops.fault}, atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
	if got := readDocument(t, path); got["base"] != 2 || got["ours"] != 1 {
		t.Errorf("file holds %v, want both writes", got)
	}
}
