//go:build unix

package atomicwrite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"zcode-acp/atomicwrite"
)

func setTime(t *testing.T, path string, when time.Time) {
	t.Helper()
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
}

// fiveBackups makes a file with five backups and returns their stamps, newest first.
func fiveBackups(t *testing.T) (path string, kept []string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "config.json")
	write(t, path, `{"base":0}`)
	for i := range 5 {
		update(t, at(noon.Add(time.Duration(i)*time.Minute)), atomicwrite.Request{Path: path, Valid: whole, Edit: constant(fmt.Sprintf(`{"base":%d}`, i+1))})
	}
	return path, stamps(t, path)
}

func without(list, gone []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(gone, s) })
}

// TestRecoveredBackupsPushNothingOut has five leftovers, displaced at the same moment: they become backups beside the
// five that there are, also for every later write, and are no reason to drop one of these.
func TestRecoveredBackupsPushNothingOut(t *testing.T) {
	path, before := fiveBackups(t)
	dead := deadProcess(t)
	for i := range 5 {
		left := leftover(path, dead, fmt.Sprintf("000000000000000%d", i))
		write(t, left, fmt.Sprintf(`{"theirs":%d}`, i))
		setTime(t, left, noon.Add(time.Hour))
	}
	var wantRecovered []string
	for i := range 5 {
		wantRecovered = append(wantRecovered, fmt.Sprintf("2026-09-22T13-00-00-00%dZ", 4-i))
	}
	for i := 1; i <= 7; i++ {
		update(t, at(noon.Add(time.Duration(i)*24*time.Hour)), atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
		got := stamps(t, path)
		if recovered := without(got, without(got, wantRecovered)); !slices.Equal(recovered, wantRecovered) {
			t.Errorf("write %d: recovered backups %q, want %q", i, recovered, wantRecovered)
		}
		own := without(got, wantRecovered)
		if len(own) != 5 || i < 5 && !slices.Equal(own[i:], before[:5-i]) {
			t.Errorf("write %d: other backups %q, want the newest five", i, own)
		}
	}
	// Their age counts from the recovery, which was now.
	update(t, at(time.Now().Add(91*24*time.Hour)), atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
	if got := stamps(t, path); slices.ContainsFunc(wantRecovered, func(s string) bool { return slices.Contains(got, s) }) {
		t.Errorf("after 90 days there is still a recovered one: %q", got)
	}
}

// TestRecoveredFromLongAgo has a leftover of a file that nobody had changed for a year: it was displaced only now.
func TestRecoveredFromLongAgo(t *testing.T) {
	path, _ := fiveBackups(t)
	left := leftover(path, deadProcess(t), "0123456789abcdef")
	write(t, left, `{"theirs":1}`)
	setTime(t, left, noon.Add(-365*24*time.Hour))
	update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
	if got := stamps(t, path); !slices.Contains(got, "2025-09-22T12-00-00-000Z") {
		t.Errorf("backups %q, want the recovered one among them", got)
	}
}

// TestCrashesBeforeTheExchange stage content that never went live: nobody needs it.
func TestCrashesBeforeTheExchange(t *testing.T) {
	path, before := fiveBackups(t)
	for range 5 {
		cmd := child("crash before the exchange", filepath.Dir(path))
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != crash {
			t.Fatalf("child: %v", err)
		}
	}
	if got := temps(t, path); len(got) != 1 {
		t.Fatalf("left behind: %q, want that of the last", got)
	}
	update(t, at(noon.Add(time.Hour)), atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
	got := stamps(t, path)
	if want := append([]string{"2026-09-22T13-00-00-000Z"}, before[:4]...); !slices.Equal(got, want) || len(temps(t, path)) != 0 {
		t.Errorf("backups %q, want %q; temporary files %q", got, want, temps(t, path))
	}
}

func init() {
	children["crash before the exchange"] = func(dir string) error {
		w := atomicwrite.Writer{Fault: func(op, _ string) error {
			if op == "exchange" {
				os.Exit(crash)
			}
			return nil
		}}
		content := strconv.Itoa(os.Getpid()) // each its own
		_, err := w.Update(context.Background(), atomicwrite.Request{Path: filepath.Join(dir, "config.json"), Edit: constant(content)})
		return err
	}
}

// TestNoChangeNoSweep has an edit that has nothing to do, or fails: the folder stays as it is, leftover included.
func TestNoChangeNoSweep(t *testing.T) {
	for name, edit := range map[string]func([]byte, bool) ([]byte, error){
		"nil":   func([]byte, bool) ([]byte, error) { return nil, nil },
		"same":  constant(`{"base":5}`),
		"error": func([]byte, bool) ([]byte, error) { return nil, errBoom },
	} {
		path, _ := fiveBackups(t)
		dead := deadProcess(t)
		write(t, leftover(path, dead, "0000000000000001"), `{"theirs":1}`)
		write(t, leftover(path, dead, "0000000000000002"), "half")
		want := names(t, path)
		_, err := atomicwrite.Writer{}.Update(t.Context(), atomicwrite.Request{Path: path, Valid: whole, Edit: edit})
		if err != nil && !errors.Is(err, errBoom) {
			t.Errorf("%s: %v", name, err)
		}
		if got := names(t, path); !slices.Equal(got, want) {
			t.Errorf("%s: beside the file %q, want %q", name, got, want)
		}
	}
}

// TestClockJumps has a clock that is wrong by a year: the backups that there are must not go for their age.
func TestClockJumps(t *testing.T) {
	const year = 365 * 24 * time.Hour
	path, before := fiveBackups(t)
	update(t, at(noon.Add(year)), atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
	got := stamps(t, path)
	if want := []string{"2027-09-22T12-00-00-000Z", before[0]}; !slices.Equal(got, want) {
		t.Errorf("clock ahead: backups %q, want %q", got, want)
	}
	// Set right again, it finds one backup from the future: that says that no age can be trusted.
	old := path + ".bak-2026-01-01T00-00-00-000Z"
	write(t, old, "{}")
	update(t, at(noon.Add(time.Hour)), atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
	if got := stamps(t, path); len(got) != 4 || got[3] != "2026-01-01T00-00-00-000Z" {
		t.Errorf("clock set back: backups %q, want the oldest among four", got)
	}
}

func TestKeepIsSpared(t *testing.T) {
	for name, later := range map[string]time.Duration{"by number": time.Hour, "by age": 100 * 24 * time.Hour} {
		path, before := fiveBackups(t)
		keep := path + ".bak-" + before[4]
		for i := range 3 {
			update(t, at(noon.Add(later+time.Duration(i)*time.Minute)), atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours"), Keep: keep})
		}
		if got := stamps(t, path); !slices.Contains(got, before[4]) || len(got) > 5 {
			t.Errorf("%s: backups %q, want at most five with %s", name, got, before[4])
		}
		update(t, at(noon.Add(later+time.Hour)), atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
		update(t, at(noon.Add(later+2*time.Hour)), atomicwrite.Request{Path: path, Valid: whole, Edit: count("ours")})
		if got := stamps(t, path); slices.Contains(got, before[4]) {
			t.Errorf("%s: without Keep it is still there: %q", name, got)
		}
	}
}

// TestQuickWritesRotate changes the file faster than clocks tick: a backup of a young file is not taken for a recovered one.
func TestQuickWritesRotate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "0")
	now := noon
	w := atomicwrite.Writer{Now: func() time.Time { return now }}
	for i := range 20 {
		setTime(t, path, now)
		update(t, w, atomicwrite.Request{Path: path, Edit: constant(strconv.Itoa(i + 1))})
		now = now.Add(time.Millisecond)
	}
	if got := stamps(t, path); len(got) != 5 {
		t.Errorf("%d backups, want 5: %q", len(got), got)
	}
}

// TestSweepFollowsALink has another program write the file, and lead the link that we write through elsewhere, after
// the folder of the first target was looked through.
func TestSweepFollowsALink(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "config.json"), filepath.Join(t.TempDir(), "config.json")
	write(t, first, `{"base":1}`)
	write(t, second, `{"base":2}`)
	write(t, leftover(second, deadProcess(t), "0123456789abcdef"), "half")
	alias := filepath.Join(t.TempDir(), "alias.json")
	if err := os.Symlink(first, alias); err != nil {
		t.Fatal(err)
	}
	led := false
	before := func() error {
		if led {
			return nil
		}
		led = true
		write(t, first, `{"theirs":100}`)
		return errors.Join(os.Remove(alias), os.Symlink(second, alias))
	}
	update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: alias, Valid: whole, Edit: count("ours"), BeforeCommit: before})
	if got := readDocument(t, second); got["ours"] != 1 || got["base"] != 2 {
		t.Errorf("the new target holds %v", got)
	}
	if got := temps(t, second); len(got) != 0 {
		t.Errorf("beside the new target: %q, want no leftover", got)
	}
}
