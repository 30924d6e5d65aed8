package history

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var errInjected = errors.New("injected")

// steps counts what a Store does and fails at the given step: only there, or from there on, as after a crash.
type steps struct {
	fail    int
	forever bool
	ops     []string
}

func (s *steps) fault(op string) error {
	s.ops = append(s.ops, op)
	if n := len(s.ops); n == s.fail || s.forever && n > s.fail {
		return errInjected
	}
	return nil
}

// stepCase is something that changes the history.
type stepCase struct {
	name          string
	prepare       func(t *testing.T, s Store)
	do            func(s Store) error
	before, after []string
	between       []string // when it takes two steps that are each durable
	noLinks       bool     // on a file system without hard links
}

var stepCases = []stepCase{
	{name: "first", prepare: func(*testing.T, Store) {}, do: appendNew, after: []string{"new"}},
	{name: "append", prepare: with("a", "b"), do: appendNew, before: []string{"a", "b"}, after: []string{"a", "b", "new"}},
	{name: "cut short", prepare: cutLine, do: appendNew, before: []string{"a"}, after: []string{"a", "new"}},
	{name: "trim", prepare: with("a", "b", "c", "d"), do: appendNew,
		before: []string{"a", "b", "c", "d"}, between: []string{"a", "b", "c", "d", "new"}, after: []string{"b", "c", "d", "new"}},
	{name: "damage", prepare: damaged, do: appendNew, before: []string{"a"}, after: []string{"a", "new"}},
	{name: "damage without links", prepare: damaged, do: appendNew, before: []string{"a"}, after: []string{"a", "new"}, noLinks: true},
	{name: "purge", prepare: with("a", "b"), do: purgeAll, before: []string{"a", "b"}},
}

// TestEveryStep fails, and crashes, at every step of everything that changes the history.
func TestEveryStep(t *testing.T) {
	for _, c := range stepCases {
		for _, crash := range []bool{false, true} {
			for n, total := 0, 1; n <= total; n++ { // at first nowhere, which tells how many steps there are
				s := Store{Dir: t.TempDir(), Now: clock(), Max: 4}
				c.prepare(t, s)
				st := &steps{fail: n, forever: crash && n > 0}
				s.fault = st.fault
				if c.noLinks {
					s.fault = func(op string) error { return errors.Join(withoutLinks(op), st.fault(op)) }
				}
				err := c.do(s)
				s.fault = nil
				where := fmt.Sprintf("%s, step %d of %q, crash %v: %v", c.name, n, st.ops, crash, err)
				if n == 0 {
					if total = len(st.ops); err != nil || !slices.Equal(operations(t, s), c.after) {
						t.Fatalf("%s: got %q", where, operations(t, s))
					}
				}
				c.judge(t, s, where, err, crash)
			}
		}
	}
}

// judge looks at what a failed or successful step has left.
func (c stepCase) judge(t *testing.T, s Store, where string, err error, crash bool) {
	t.Helper()
	got := operations(t, s)
	is := func(want []string) bool { return slices.Equal(got, want) }
	done := is(c.after) || c.between != nil && is(c.between)
	switch {
	case err == nil:
		if !done {
			t.Errorf("%s: got %q, want %q", where, got, c.after)
		}
	case is(c.before):
	case crash && done, c.name == "purge" && done: // done, but not answered
	case crash && c.noLinks && len(got) == 0 && len(s.Damaged()) == 1: // between the two renames all is kept aside
	default:
		t.Errorf("%s: got %q, want %q", where, got, c.before)
	}
	if _, left := os.Lstat(s.path(tempName)); left == nil && !crash {
		t.Errorf("%s: a temporary file is left", where)
	}
	add(t, s, "next")
	want := append(got, "next")
	if len(want) > s.Max {
		want = want[len(want)-s.Max:]
	}
	check(t, s, want...)
	for _, name := range names(t, s.Dir) {
		if name != fileName && name != lockName && !strings.HasPrefix(name, asidePrefix) {
			t.Errorf("%s: left behind: %s", where, name)
		}
	}
	if count := len(s.Damaged()); count > 2 || !strings.HasPrefix(c.name, "damage") && count > 0 {
		t.Errorf("%s: kept aside: %q", where, s.Damaged())
	}
}

func with(names ...string) func(*testing.T, Store) {
	return func(t *testing.T, s Store) { add(t, s, names...) }
}

func cutLine(t *testing.T, s Store) {
	add(t, s, "a")
	put(t, s, content(t, s)+opening)
}

func appendNew(s Store) error {
	_, err := s.Append(ctx, Entry{Operation: "new"})
	return err
}

func purgeAll(s Store) error {
	_, err := s.Purge(ctx, time.Time{})
	return err
}

func damaged(t *testing.T, s Store) {
	add(t, s, "a")
	put(t, s, "garbage\n"+content(t, s))
}

func withoutLinks(op string) error {
	if op == "link" {
		return errors.ErrUnsupported
	}
	return nil
}

// TestErrorRecordsNothing: an Append that fails leaves the file as it was, byte by byte.
func TestErrorRecordsNothing(t *testing.T) {
	for _, op := range []string{"open", "write", "fsync", "fsyncdir"} {
		s := Store{Dir: t.TempDir(), Now: clock()}
		before := ""
		if op != "fsyncdir" { // only a new file needs that
			add(t, s, "a")
			before = content(t, s)
		}
		first := true
		s.fault = func(o string) error {
			if o == op && first {
				first = false
				return errInjected
			}
			return nil
		}
		if err := appendNew(s); !errors.Is(err, errInjected) {
			t.Errorf("%s: %v, want the injected error", op, err)
		}
		if got := content(t, s); got != before {
			t.Errorf("%s: the file is %q, want %q", op, got, before)
		}
	}
}

// TestSynced: an answer comes after the sync of what it tells.
func TestSynced(t *testing.T) {
	s := Store{Dir: t.TempDir(), Max: 2}
	for _, want := range []string{"open write fsync fsyncdir", "open write fsync", "open write fsync open write fsync rename fsyncdir"} {
		st := &steps{}
		s.fault = st.fault
		add(t, s, "a")
		if got := strings.Join(st.ops, " "); got != "lock unlink "+want {
			t.Errorf("steps %q, want %q", got, "lock unlink "+want)
		}
	}
	st := &steps{}
	s.fault = st.fault
	if err := purgeAll(s); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(st.ops, " "), "lock unlink open write fsync rename fsyncdir"; got != want {
		t.Errorf("steps of Purge %q, want %q", got, want)
	}
}

// TestKill kills a process that appends, and that copies the file every few entries, again and again.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	s := Store{Dir: dir, Max: 50, wait: time.Minute}
	for round := range 12 {
		cmd := appender(t, dir, fmt.Sprint(round), 1_000_000)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var ids []string
		stop := 5 + rand.IntN(40)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			ids = append(ids, lines.Text())
			if len(ids) == stop {
				time.Sleep(rand.N(3 * time.Millisecond)) // anywhere within an Append
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = cmd.Wait() // it was killed
		if len(ids) < stop {
			t.Fatalf("round %d: only %d entries", round, len(ids))
		}
		list, err := s.List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		checkAnswered(t, list, ids)
		add(t, s, "after")
		if kept := s.Damaged(); kept != nil {
			t.Fatalf("round %d: kept aside %q", round, kept)
		}
		if _, err := os.Lstat(filepath.Join(dir, tempName)); err == nil {
			t.Errorf("round %d: a temporary file was left", round)
		}
	}
}

// checkAnswered: the newest entries are those that were answered, and at most one that was not.
func checkAnswered(t *testing.T, list []Entry, ids []string) {
	t.Helper()
	if len(list) > 55+1 {
		t.Errorf("%d entries, want at most 55", len(list))
	}
	at := slices.IndexFunc(list, func(e Entry) bool { return e.ID == ids[len(ids)-1] })
	if at != 0 && at != 1 {
		t.Fatalf("the last answered entry is at %d of %d", at, len(list))
	}
	for i := 0; i < min(len(ids), 49); i++ {
		if got, want := list[at+i].ID, ids[len(ids)-1-i]; got != want {
			t.Fatalf("entry %d is %s, want %s", at+i, got, want)
		}
	}
}
