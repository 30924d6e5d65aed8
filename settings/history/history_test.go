package history

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"
)

func TestAppendListGet(t *testing.T) {
	s := Store{Dir: t.TempDir(), Now: clock()}
	first, err := s.Append(ctx, Entry{Door: "rest", Client: "panel", Operation: "mcp/upsert", Files: sample})
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.Append(ctx, Entry{Door: "cli", Operation: "history/undo", Undoes: first.ID})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []Entry{first, second} {
		if !regexp.MustCompile(`^[0-9A-Za-z-]+$`).MatchString(e.ID) {
			t.Errorf("ID %q", e.ID)
		}
	}
	if first.ID >= second.ID {
		t.Errorf("IDs %q and %q do not sort by time", first.ID, second.ID)
	}
	want := []Entry{
		{ID: second.ID, Time: start.Add(2 * time.Minute), Door: "cli", Operation: "history/undo", Undoes: first.ID},
		{ID: first.ID, Time: start.Add(time.Minute), Door: "rest", Client: "panel", Operation: "mcp/upsert", Files: sample},
	}
	list, err := s.List(ctx)
	if diff := cmp.Diff(want, list); diff != "" || err != nil {
		t.Errorf("List: %v (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff([]Entry{second, first}, list); diff != "" {
		t.Errorf("Append answered otherwise (-Append +List):\n%s", diff)
	}
	got, err := s.Get(ctx, first.ID)
	if diff := cmp.Diff(want[1], got); diff != "" || err != nil {
		t.Errorf("Get: %v (-want +got):\n%s", err, diff)
	}
	for _, id := range []string{"", "x", first.ID + "0"} {
		if _, err := s.Get(ctx, id); !errors.Is(err, ErrUnknown) {
			t.Errorf("Get(%q): %v, want ErrUnknown", id, err)
		}
	}
}

// TestValuesToTheLetter: what an undo puts back is what was there.
func TestValuesToTheLetter(t *testing.T) {
	tests := []struct{ name, give, want string }{
		{"number", `1.0e+05`, `1.0e+05`},
		{"long number", `123456789012345678901234567890`, `123456789012345678901234567890`},
		{"escapes", `"\u0026\/\u00e9<\u2028"`, `"\u0026\/\u00e9<\u2028"`},
		{"lone surrogate", `"\ud800"`, `"\ud800"`},
		{"not UTF-8", "\"a\xffb\"", "\"a\xffb\""},
		{"order and a name twice", `{"b":1,"a":2,"b":3}`, `{"b":1,"a":2,"b":3}`},
		{"over lines", "{\n  \"a\": [\r\n1 , 2]\n}", `{"a":[1,2]}`},
		{"null", `null`, `null`},
		{"deep", strings.Repeat("[", 9000) + strings.Repeat("]", 9000), strings.Repeat("[", 9000) + strings.Repeat("]", 9000)},
	}
	s := Store{Dir: t.TempDir()}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			give := Change{Path: "/a", Before: jsontext.Value(tt.give), After: jsontext.Value{}}
			e, err := s.Append(ctx, Entry{Files: []File{{Changes: []Change{give}}}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Get(ctx, e.ID)
			if err != nil {
				t.Fatal(err)
			}
			if c := got.Files[0].Changes[0]; string(c.Before) != tt.want || len(c.After) != 0 || got.Files[0].Note != "" {
				t.Errorf("got %q and %q, note %q; want %q", c.Before, c.After, got.Files[0].Note, tt.want)
			}
		})
	}
}

func TestTextsToTheByte(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	for _, give := range []string{"", "a\r\nb\n", "\ufeffBOM", "\xff\xfe\x00", "caf\xe9", `{"base64":"YQ=="}`, "\x00\u2028"} {
		want := []File{{Path: "/" + give, Backup: give, Before: &give}}
		e, err := s.Append(ctx, Entry{Files: want})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Get(ctx, e.ID)
		if diff := cmp.Diff(want, got.Files); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", give, err, diff)
		}
	}
}

func TestTooLargeOrTooDeep(t *testing.T) {
	large := strings.Repeat("x", 4<<20)
	deep := jsontext.Value(strings.Repeat("[", 9999) + strings.Repeat("]", 9999))
	many := make([]Change, 1000)
	for i := range many {
		many[i].Path = large[:5000]
	}
	tests := []struct {
		name       string
		give, want File
	}{
		{"a value", File{Path: "/p", Changes: []Change{{Path: "/a", Before: jsontext.Value(`"` + large + `"`)}}},
			File{Path: "/p", Changes: []Change{{Path: "/a"}}, Note: tooMuch}},
		{"a text", File{Path: "/p", Before: text("a"), After: &large}, File{Path: "/p", Note: tooMuch}},
		{"a text that grows", File{Path: "/p", After: text(large[:3<<20] + strings.Repeat("\x01", 1<<18))}, File{Path: "/p", Note: tooMuch}},
		{"a note of its own", File{Path: "/p", After: &large, Note: "n"}, File{Path: "/p", Note: "n"}},
		{"paths", File{Path: "/p", Changes: many}, File{Path: "/p", Note: tooMuch}},
		{"depth", File{Path: "/p", Changes: []Change{{Path: "/a", Before: deep}}}, File{Path: "/p", Changes: []Change{{Path: "/a"}}, Note: tooMuch}},
		{"no JSON", File{Path: "/p", Changes: []Change{{Path: "/a", Before: jsontext.Value(`{`)}}}, File{Path: "/p", Changes: []Change{{Path: "/a"}}, Note: tooMuch}},
	}
	s := Store{Dir: t.TempDir()}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := bulk(Entry{Files: []File{tt.give}})
			e, err := s.Append(ctx, Entry{Files: []File{tt.give}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Get(ctx, e.ID)
			if diff := cmp.Diff(tt.want, got.Files[0]); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%.2000s", err, diff)
			}
			if diff := cmp.Diff(e, got); diff != "" {
				t.Errorf("Append answered otherwise (-Append +Get):\n%.2000s", diff)
			}
			if got := bulk(Entry{Files: []File{tt.give}}); got != before {
				t.Errorf("the entry of the caller has %d bytes left of %d", got, before)
			}
		})
	}
	large = strings.Repeat("secret", 1<<20)
	if _, err := s.Append(ctx, Entry{Client: large}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a name of 6 MiB: %v, want a short error", err)
	}
}

func TestRefused(t *testing.T) {
	s := Store{Dir: t.TempDir(), wait: time.Millisecond}
	for _, id := range []string{"../x", "a b", "a\n", "é", "a_b"} {
		if _, err := s.Append(ctx, Entry{ID: id}); err == nil {
			t.Errorf("Append with the ID %q succeeded", id)
		}
	}
	if e, err := s.Append(ctx, Entry{ID: "my-ID-1"}); err != nil || e.ID != "my-ID-1" {
		t.Errorf("Append with an ID: %q, %v", e.ID, err)
	}
	t.Chdir(t.TempDir())
	if _, err := (Store{}).Append(ctx, Entry{}); err == nil || len(names(t, ".")) != 0 {
		t.Errorf("Append without a folder: %v, and %q in the current one", err, names(t, "."))
	}
	if _, err := (Store{}).List(ctx); err == nil {
		t.Error("List without a folder succeeded")
	}
	if _, err := (Store{Dir: "missing"}).Append(ctx, Entry{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Append in a missing folder: %v", err)
	}
	if list, err := (Store{Dir: "missing"}).List(ctx); len(list) != 0 || err != nil {
		t.Errorf("List in a missing folder: %v, %v", list, err)
	}
}

func TestLockIsHeld(t *testing.T) {
	s := Store{Dir: t.TempDir(), wait: 20 * time.Millisecond}
	add(t, s, "a")
	held := flock.New(filepath.Join(s.Dir, "history.lock"))
	if err := held.Lock(); err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	if _, err := s.Append(ctx, Entry{}); !errors.Is(err, ErrBusy) {
		t.Errorf("Append: %v, want ErrBusy", err)
	}
	if _, err := s.Purge(ctx, time.Time{}); !errors.Is(err, ErrBusy) {
		t.Errorf("Purge: %v, want ErrBusy", err)
	}
	s.wait = time.Minute
	ended, cancel := context.WithCancel(ctx)
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := s.Append(ended, Entry{}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrBusy) {
		t.Errorf("Append whose ctx ends: %v, want Canceled", err)
	}
	late, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if _, err := s.Append(late, Entry{}); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrBusy) {
		t.Errorf("Append whose ctx runs out: %v, want DeadlineExceeded", err)
	}
	check(t, s, "a") // reading takes no lock
	if _, err := s.List(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("List whose ctx has ended: %v, want Canceled", err)
	}
}

// TestNoLocks: a file system that knows no kernel locks keeps a history all the same; another failure is told.
func TestNoLocks(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want bool
	}{{errors.ErrUnsupported, true}, {syscall.ENOLCK, true}, {syscall.EIO, false}} {
		s := Store{Dir: t.TempDir(), fault: func(op string) error {
			if op == "lock" {
				return tt.err
			}
			return nil
		}}
		if err := appendNew(s); (err == nil) != tt.want {
			t.Errorf("without locks, for %v: %v", tt.err, err)
		}
	}
}

func TestPurge(t *testing.T) {
	secret := func(s string) Entry {
		return Entry{Operation: s, Files: []File{{Before: text("secret-" + s)}}}
	}
	tests := []struct {
		name   string
		before time.Time
		want   []string
	}{
		{"all", time.Time{}, nil},
		{"none", start, []string{"a", "b", "c"}},
		{"some", start.Add(2 * time.Minute), []string{"b", "c"}}, // b is from that very time
		{"up to now", start.Add(time.Hour), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := Store{Dir: t.TempDir(), Now: clock()}
			for _, name := range []string{"a", "b", "c"} {
				if _, err := s.Append(ctx, secret(name)); err != nil {
					t.Fatal(err)
				}
			}
			for _, left := range []string{"history.jsonl.new", "history.jsonl.corrupt-20990101T000000-000000000-00000000"} {
				if err := os.WriteFile(filepath.Join(s.Dir, left), []byte("secret-a"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			n, err := s.Purge(ctx, tt.before)
			if want := 3 - len(tt.want); n != want || err != nil {
				t.Errorf("Purge: %d, %v; want %d", n, err, want)
			}
			check(t, s, tt.want...)
			for _, name := range []string{"a", "b", "c"} {
				kept := strings.Contains(strings.Join(tt.want, ""), name)
				if strings.Contains(content(t, s), "secret-"+name) != kept {
					t.Errorf("the value of %s is in the file: %v, want %v", name, !kept, kept)
				}
			}
			if diff := cmp.Diff([]string{"history.jsonl", "history.lock"}, names(t, s.Dir)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
	s := Store{Dir: t.TempDir()}
	if n, err := s.Purge(ctx, time.Time{}); n != 0 || err != nil {
		t.Errorf("Purge of nothing: %d, %v", n, err)
	}
}
