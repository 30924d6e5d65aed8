package agents

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckNameAccepts(t *testing.T) {
	for _, name := range []string{"abc", "A-9", "---", "reviewer", "Console", "com10", "lpt", "nullable", "explore", strings.Repeat("a", 50)} {
		if err := CheckName(name); err != nil {
			t.Errorf("CheckName(%q): got %v, want none", name, err)
		}
	}
}

func TestCheckNameRefuses(t *testing.T) {
	tests := []struct{ name, part string }{
		{"", "empty"},
		{"../x", "not a path"},
		{"a/b", "slash"},
		{`a\b`, "backslash"},
		{"..", "dots"},
		{".", "dots"},
		{"C:", "colon"},
		{"abc:stream", "colon"},
		{"ab\x00c", "NUL"},
		{strings.Repeat("a", 253), "file name"},
		{strings.Repeat("ä", 130), "file name"},
		{"abc.", "Windows drops"},
		{"abc ", "Windows drops"},
		{"con", "device"},
		{"NUL", "device"},
		{"aux.txt", "device"},
		{"com1", "device"},
		{"LPT9", "device"},
		{"com¹", "device"},
		{"general-purpose", "built-in"},
		{"Explore", "built-in"},
		{"ab", "3 to 50"},
		{strings.Repeat("a", 51), "3 to 50"},
		{"a b", "3 to 50"},
		{"a_b", "3 to 50"},
		{"äbc", "3 to 50"},
		{"abc\n", "3 to 50"},
		{"a٣c", "3 to 50"},
		{"ab.c", "3 to 50"},
	}
	for _, tt := range tests {
		err := CheckName(tt.name)
		var invalid *InvalidError
		if !errors.As(err, &invalid) || invalid.Pointer != "/name" || !strings.Contains(invalid.Reason, tt.part) {
			t.Errorf("CheckName(%q): got %v, want /name with %q", tt.name, err, tt.part)
		}
	}
}

func TestFileName(t *testing.T) {
	for name, want := range map[string]string{"Reviewer": "reviewer.md", "a-B-3": "a-b-3.md"} {
		if got := FileName(name); got != want {
			t.Errorf("FileName(%q) = %q, want %q", name, got, want)
		}
	}
}
