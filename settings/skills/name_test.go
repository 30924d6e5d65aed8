package skills

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckName(t *testing.T) {
	for _, name := range []string{"a", "my-skill", "a.b", "ünï", "con-fig", "com", "com10", "nullable", "a b", strings.Repeat("x", 255), ".system"} {
		if err := checkName(name); err != nil {
			t.Errorf("checkName(%q) = %v, want nil", name, err)
		}
	}
	tests := []struct{ name, want string }{
		{"", "must have a name"},
		{".", `"." or ".."`},
		{"..", `"." or ".."`},
		{"../x", "slash"},
		{"a/b", "slash"},
		{`a\b`, "slash"},
		{"C:", "drive letter"},
		{"c:x", "drive letter"},
		{"a\x00b", "NUL"},
		{"a\xffb", "UTF-8"},
		{"a\nb", "control"},
		{"a\x7fb", "control"},
		{"a*b", "control characters or any of"},
		{"ab:c", "control characters or any of"},
		{"a.", "dot or a space"},
		{"a ", "dot or a space"},
		{"...", "dot or a space"},
		{".a", "begin with a dot"},
		{"..a", "begin with a dot"},
		{strings.Repeat("x", 256), "255"},
		{strings.Repeat("é", 128), "255"},
		{"con", "Windows"},
		{"NUL", "Windows"},
		{"Com1.txt", "Windows"},
		{"lpt9.a.b", "Windows"},
		{"com² .x", "Windows"},
		{"node_modules", "ZCode does not look into"},
		{"build", "ZCode does not look into"},
	}
	for _, tt := range tests {
		if err := checkName(tt.name); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("checkName(%q) = %v, want an invalid name: %s", tt.name, err, tt.want)
		}
	}
}

func TestCheckPath(t *testing.T) {
	root := filepath.VolumeName(t.TempDir()) + "/"
	tests := []struct{ path, want string }{
		{root + "a/SKILL.md", ""},
		{root + "a/./b..c/SKILL.md", ""},
		{"", "skill path must be absolute"},
		{"a/SKILL.md", "skill path must be absolute"},
		{"./SKILL.md", "skill path must be absolute"},
		{root + "a/../b/SKILL.md", `skill path must not contain ".."`},
		{root + "../SKILL.md", `skill path must not contain ".."`},
		{root + "a/skill.md", "skill path must point at a SKILL.md file"},
		{root + "a", "skill path must point at a SKILL.md file"},
		{root + "a\x00/SKILL.md", "skill path must not hold a NUL character"},
	}
	for _, tt := range tests {
		err := checkPath(tt.path)
		if got := errors.Is(err, ErrInvalid); got != (tt.want != "") || got && err.Error() != tt.want {
			t.Errorf("checkPath(%q) = %v, want %q", tt.path, err, tt.want)
		}
	}
}
