//go:build unix

package atomicwrite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"zcode-acp/atomicwrite"
)

// TestEditFailsOnTheNewerContent checks that the other program's bytes stand when they cannot be edited.
func TestEditFailsOnTheNewerContent(t *testing.T) {
	for _, mode := range modes {
		path := filepath.Join(t.TempDir(), "config.json")
		write(t, path, `{"base":1}`)
		done := false
		ops := operations{do: func(_ int, op, _ string) error {
			if op == "exchange" && !done {
				done = true
				write(t, path, "// no JSON")
			}
			return mode.fault(op)
		}}
		res, err := atomicwrite.Writer{Fault: ops.fault}.Update(t.Context(), atomicwrite.Request{Path: path, Edit: count("ours")})
		if err == nil || res.Changed {
			t.Errorf("%s: Changed %v, error %v", mode.name, res.Changed, err)
		}
		if got := read(t, path); got != "// no JSON" {
			t.Errorf("%s: file holds %q, want what the other program wrote", mode.name, got)
		}
		if got := names(t, path); len(got) != 0 {
			t.Errorf("%s: left behind %q", mode.name, got)
		}
	}
}

func TestUpdateGivesUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, `{"base":1}`)
	writes := 0
	ops := operations{do: func(_ int, op, _ string) error {
		if op == "fsync" {
			writes++
			return renameOver(path, fmt.Sprint("theirs", writes))
		}
		return nil
	}}
	res, err := atomicwrite.Writer{Fault: ops.fault}.Update(t.Context(), atomicwrite.Request{Path: path, Edit: count("ours")})
	if !errors.Is(err, atomicwrite.ErrUnstable) || res.Rebased != 16 {
		t.Errorf("Rebased %d, error %v; want 16, %v", res.Rebased, err, atomicwrite.ErrUnstable)
	}
	if got := readDocument(t, path); got["ours"] != 0 || len(got) != 1+writes {
		t.Errorf("file holds %v, want only the other program's %d writes", got, writes)
	}
	if got := names(t, path); len(got) != 0 {
		t.Errorf("left behind %q", got)
	}
}

func TestRebasedCountsOtherWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, `{"base":1}`)
	left := []string{"fsync", "exchange", "fsyncdir"}
	ops := operations{do: func(_ int, op, _ string) error {
		if len(left) > 0 && op == left[0] {
			left = left[1:]
			if op == "fsyncdir" { // too late to be the base of the edit: it comes on top
				return nil
			}
			return renameOver(path, "during "+op)
		}
		return nil
	}}
	res := update(t, atomicwrite.Writer{Fault: ops.fault}, atomicwrite.Request{Path: path, Edit: count("ours")})
	want := document{"base": 1, "during fsync": 1, "during exchange": 1}
	if res.Rebased != 2 || string(res.Old) != string(want.bytes()) {
		t.Errorf("Rebased %d, Old %s; want 2, %s", res.Rebased, res.Old, want.bytes())
	}
}

// TestNothingIsLostWhateverHappens lets another program act at random places of two Updates, several times. A write of
// it that itself read the file in the short time between an exchange and its repair can miss an earlier one, so a write
// may end in a backup, but it must be somewhere, and the last one must be in the file. It can also take over our edit in
// that time, which is then made twice.
func TestNothingIsLostWhateverHappens(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	runs := 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
		path := filepath.Join(dir, fmt.Sprint(runs), "config.json")
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, path, `{"base":1}`)
		places := rapid.SliceOfN(rapid.IntRange(0, 70), 0, 3).Draw(rt, "places")
		rename := rapid.SliceOfN(rapid.Bool(), 3, 3).Draw(rt, "rename")
		acts := 0
		ops := operations{do: func(n int, _, _ string) error {
			for i, place := range places {
				if place != n {
					continue
				}
				acts++
				act := writeInPlace
				if rename[i] {
					act = renameOver
				}
				if err := act(path, fmt.Sprint("theirs", acts)); err != nil {
					t.Fatal(err)
				}
			}
			return nil
		}}
		for range 2 {
			update(t, atomicwrite.Writer{Fault: ops.fault}, atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
		}
		all, now := everywhere(t, path), readDocument(t, path)
		for i := 1; i <= acts; i++ {
			if all[fmt.Sprint("theirs", i)] == 0 {
				rt.Fatalf("write %d of the other program is nowhere: %v; operations %q", i, all, ops.list)
			}
		}
		if acts > 0 && now[fmt.Sprint("theirs", acts)] == 0 || now["ours"] < 2 {
			rt.Fatalf("file holds %v after %d writes of the other program and 2 of ours; operations %q", now, acts, ops.list)
		}
		if left := temps(t, path); len(left) != 0 {
			rt.Fatalf("left behind: %q", left)
		}
	})
}
