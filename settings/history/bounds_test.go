package history

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestBoundOfCount(t *testing.T) {
	tests := []struct{ max, highest, after int }{
		{1, 1, 1},
		{9, 9, 9},
		{20, 22, 20}, // the 23rd entry is more than a tenth too many
	}
	for _, tt := range tests {
		s := Store{Dir: t.TempDir(), Max: tt.max}
		for i := range 3 * tt.max {
			add(t, s, fmt.Sprint(i))
			got := operations(t, s)
			if len(got) > tt.highest || got[len(got)-1] != fmt.Sprint(i) {
				t.Fatalf("Max %d: %q after %d", tt.max, got, i)
			}
			if i == tt.highest && (len(got) != tt.after || got[0] != fmt.Sprint(i+1-tt.after)) {
				t.Errorf("Max %d: %q after %d, want the newest %d", tt.max, got, i, tt.after)
			}
			if i == tt.highest-1 && len(got) != tt.highest {
				t.Errorf("Max %d: %d entries, want %d still", tt.max, len(got), tt.highest)
			}
		}
	}
}

func TestBoundOfAge(t *testing.T) {
	const day = 24 * time.Hour
	tests := []struct {
		maxAge, later time.Duration
		want          []string
	}{
		{0, 98 * day, []string{"a", "b", "c"}},
		{0, 100 * day, []string{"b", "c"}}, // b is 89 days old
		{0, 400 * day, []string{"c"}},
		{10 * day, 10 * day, []string{"a", "b", "c"}},
		{10 * day, 12 * day, []string{"b", "c"}},
	}
	for _, tt := range tests {
		now := start
		s := Store{Dir: t.TempDir(), MaxAge: tt.maxAge, Now: func() time.Time { return now }}
		add(t, s, "a")
		now = start.Add(11 * day)
		if tt.maxAge != 0 {
			now = start.Add(9 * day)
		}
		add(t, s, "b")
		now = start.Add(tt.later)
		add(t, s, "c")
		t.Logf("MaxAge %v, %v later", tt.maxAge, tt.later)
		check(t, s, tt.want...)
	}
}

func TestBoundOfSize(t *testing.T) {
	s := Store{Dir: t.TempDir(), MaxBytes: 10_000}
	big := strings.Repeat("x", 900)
	for i := range 30 {
		if _, err := s.Append(ctx, Entry{Operation: fmt.Sprint(i), Files: []File{{After: &big}}}); err != nil {
			t.Fatal(err)
		}
		got := operations(t, s)
		if n := len(content(t, s)); n > 11_000 || i >= 12 && n < 8_000 || got[len(got)-1] != fmt.Sprint(i) {
			t.Fatalf("%d bytes, %q after %d", n, got, i)
		}
	}
	big = strings.Repeat("y", 20_000)
	if _, err := s.Append(ctx, Entry{Operation: "big", Files: []File{{After: &big}}}); err != nil {
		t.Fatal(err)
	}
	check(t, s, "big") // the last one stays, however large
	add(t, s, "next")
	check(t, s, "next")
}

// TestBoundThatCannotBeKept: the entry is recorded all the same, and the next Append tries again.
func TestBoundThatCannotBeKept(t *testing.T) {
	s := Store{Dir: t.TempDir(), Max: 2}
	add(t, s, "a", "b")
	s.fault = func(op string) error {
		if op == "rename" {
			return errInjected
		}
		return nil
	}
	add(t, s, "c")
	check(t, s, "a", "b", "c")
	s.fault = nil
	add(t, s, "d")
	check(t, s, "c", "d")
}
