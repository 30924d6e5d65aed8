package skills

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestChecksAgreeWithTheActs asks first and then acts, each in a world of its own.
func TestChecksAgreeWithTheActs(t *testing.T) {
	paths := []string{
		"user/a/SKILL.md", "user/linked/SKILL.md", "user/SKILL.md", "user/x/SKILL.md", "user/empty/SKILL.md", "user/linked/x/SKILL.md",
		"plugin/p/SKILL.md", "plugin/x/SKILL.md", "plugin/SKILL.md", "outside/SKILL.md", "user/a/README.md", "plugin/a/SKILL.md",
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			dir := world(t)
			write(t, dir, "plugin/a/SKILL.md", "a name that is taken")
			before := listing(t, dir)
			file, userRoot := filepath.Join(dir, path), filepath.Join(dir, "user")
			found, checkErr := CheckDelete(worldRoots(dir), file)
			where, copyErr := CheckCopy(worldRoots(dir), file, userRoot)
			if diff := cmp.Diff(before, listing(t, dir)); diff != "" {
				t.Errorf("the checks changed files (-want +got):\n%s", diff)
			}
			copied, err := CopyToUser(t.Context(), worldRoots(dir), file, userRoot)
			if copied != where || fmt.Sprint(err) != fmt.Sprint(copyErr) {
				t.Errorf("CheckCopy = %q, %v; CopyToUser = %q, %v", where, copyErr, copied, err)
			}
			deleted, err := Delete(worldRoots(dir), file)
			if deleted != found || fmt.Sprint(err) != fmt.Sprint(checkErr) {
				t.Errorf("CheckDelete = %+v, %v; Delete = %+v, %v", found, checkErr, deleted, err)
			}
		})
	}
	if _, err := CheckCopy(nil, "/a/SKILL.md", "relative"); !errors.Is(err, ErrInvalid) {
		t.Errorf("relative user root: got %v, want ErrInvalid", err)
	}
}
