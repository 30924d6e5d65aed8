package history

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestCutShort has a crash that left every possible beginning of a line.
func TestCutShort(t *testing.T) {
	whole := Store{Dir: t.TempDir(), Now: clock()}
	add(t, whole, "a")
	first := content(t, whole)
	add(t, whole, "b")
	second := strings.TrimPrefix(content(t, whole), first)
	remains := []string{"\x00", strings.Repeat("\x00", 4096), second[:20] + "\x00\x00\x00\n"}
	for n := 1; n < len(second); n++ {
		remains = append(remains, second[:n])
	}
	for _, before := range []string{"", first} {
		for _, rest := range remains {
			s := Store{Dir: t.TempDir(), Now: clock()}
			put(t, s, before+rest)
			want := []string{"a", "c"}
			if before == "" {
				want = want[1:]
			}
			check(t, s, want[:len(want)-1]...)
			if got := content(t, s); got != before+rest {
				t.Fatalf("%q: reading changed the file", rest)
			}
			add(t, s, "c")
			check(t, s, want...)
			if got := content(t, s); !strings.HasPrefix(got, before+opening) || strings.Count(got, "\n") != len(want) || s.Damaged() != nil {
				t.Fatalf("%q: the file is now %q, kept aside %q", rest, got, s.Damaged())
			}
		}
	}
}

func TestDamage(t *testing.T) {
	s := Store{Dir: t.TempDir(), Now: clock()}
	add(t, s, "a", "b")
	a, b, _ := strings.Cut(content(t, s), "\n")
	a += "\n"
	flipped := strings.Replace(a, `"operation"`, `"operation`, 1) // looks whole from its ends
	tests := []struct {
		name, content string
		want          []string
	}{
		{"garbage between", a + "garbage\n" + b, []string{"a", "b"}},
		{"garbage first", "\x00\x01\n" + a + b, []string{"a", "b"}},
		{"garbage last", a + b + "garbage\n", []string{"a", "b"}},
		{"garbage without an end", a + b + "garbage", []string{"a", "b"}},
		{"an empty line", a + "\n" + b, []string{"a", "b"}},
		{"a cut line between", a[:30] + "\n" + b, []string{"b"}},
		{"a line in a line", a[:30] + b + b, []string{"b"}},
		{"a flipped byte", flipped + b, []string{"b"}},
		{"two flipped bytes and a cut line", a + flipped + b[:20], []string{"a"}},
		{"other JSON", "{\n  \"id\": \"x\"\n}\n", nil},
		{"lines of JSON", a + `{"id":"x"}` + "\n" + b, []string{"a", "b"}},
		{"an ID that is none", strings.Replace(a, `{"id":"`, `{"id":"../`, 1) + b, []string{"b"}},
		{"a text", "shopping: milk", nil},
	}
	for _, tt := range tests {
		for _, first := range []string{"List", "Get", "Append"} {
			t.Run(tt.name+"/"+first, func(t *testing.T) {
				s := Store{Dir: t.TempDir(), Now: clock()}
				put(t, s, tt.content)
				want := tt.want
				switch first {
				case "List":
					check(t, s, want...)
				case "Get":
					_, _ = s.Get(ctx, "x")
				case "Append":
					add(t, s, "new")
					want = append(want[:len(want):len(want)], "new")
				}
				check(t, s, want...)
				kept := s.Damaged()
				if len(kept) != 1 || !strings.HasPrefix(filepath.Base(kept[0]), "history.jsonl.corrupt-2026") || filepath.Dir(kept[0]) != s.Dir {
					t.Fatalf("Damaged() = %q, want one", kept)
				}
				got, err := os.ReadFile(kept[0])
				if !strings.HasPrefix(string(got), tt.content) || err != nil {
					t.Errorf("kept aside: %v (-want +got):\n%s", err, cmp.Diff(tt.content, string(got)))
				}
				if lines, _, damaged := parse([]byte(content(t, s))); damaged || len(lines) != len(want) {
					t.Errorf("the new file has damage (%v) or not %d lines: %q", damaged, len(want), content(t, s))
				}
				if n, err := s.Purge(ctx, time.Time{}); n != len(want) || err != nil || s.Damaged() != nil {
					t.Errorf("Purge: %d, %v; still there: %q", n, err, s.Damaged())
				}
			})
		}
	}
}

func TestPurgeOfDamage(t *testing.T) {
	s := Store{Dir: t.TempDir(), Now: clock()}
	add(t, s, "a")
	put(t, s, content(t, s)+"garbage\n"+content(t, s)[:40])
	if n, err := s.Purge(ctx, start); n != 0 || err != nil {
		t.Errorf("Purge: %d, %v", n, err)
	}
	check(t, s, "a")
	if got := content(t, s); strings.Contains(got, "garbage") || strings.Count(got, opening) != 1 || s.Damaged() != nil {
		t.Errorf("the file is now %q, kept aside %q", got, s.Damaged())
	}
}

func TestDamagedIsBounded(t *testing.T) {
	now := clock()
	s := Store{Dir: t.TempDir(), Now: now}
	var first []string
	for i := range 8 {
		put(t, s, fmt.Sprintf("garbage %d", i))
		check(t, s)
		if i == 3 {
			first = s.Damaged()[3:]
		}
	}
	if got := s.Damaged(); len(got) != 5 || got[0] != first[0] {
		t.Errorf("Damaged() = %q, want the newest five from %q", got, first)
	}
	late := start.Add(91 * 24 * time.Hour)
	s.Now = func() time.Time { return late }
	put(t, s, "garbage")
	check(t, s)
	if got := s.Damaged(); len(got) != 1 || !strings.Contains(got[0], stamp(late)) {
		t.Errorf("Damaged() = %q, want only the one of %s", got, stamp(late))
	}
}

// TestNewerVersion has lines with members that this version does not know, and in another order.
func TestNewerVersion(t *testing.T) {
	s := Store{Dir: t.TempDir(), Now: clock(), Max: 2}
	newer := `{"mood":{"a":[1.0]},"time":"2026-11-30T12:00:00Z","id":"n-1","operation":"newer","files":[{"path":"/p","colour":"red"}]}` + "\n"
	put(t, s, newer)
	add(t, s, "a")
	check(t, s, "newer", "a")
	if got := content(t, s); !strings.HasPrefix(got, newer) || s.Damaged() != nil {
		t.Fatalf("the file is now %q, kept aside %q", got, s.Damaged())
	}
	put(t, s, newer+"garbage\n")
	check(t, s, "newer")
	if got := content(t, s); got != newer {
		t.Errorf("after the repair %q, want %q", got, newer)
	}
	put(t, s, strings.Replace(newer, "n-1", "n-0", 1)+strings.Replace(newer, "n-1", "n-2", 1)+newer)
	if n, err := s.Purge(ctx, start.Add(-time.Hour)); n != 0 || err != nil {
		t.Errorf("Purge: %d, %v", n, err)
	}
	add(t, s, "b")
	if got := content(t, s); !strings.HasPrefix(got, newer) || strings.Count(got, "\n") != 2 {
		t.Errorf("after the bound %q, want the newer line first", got)
	}
}
