package skills

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzPaths gives both operations any path: what lies outside the user's root
// stays as it is, and a refusal changes nothing at all.
func FuzzPaths(f *testing.F) {
	for _, seed := range []string{"user/a/SKILL.md", "user/../outside/SKILL.md", "user/linked/SKILL.md", "user/system/etc/SKILL.md", "plugin/p/SKILL.md", "user//pack/./one/SKILL.md"} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, path string, remove bool) {
		dir := world(t)
		before := listing(t, dir)
		path = dir + string(filepath.Separator) + path
		var err error
		if remove {
			_, err = Delete(worldRoots(dir), path)
		} else {
			_, err = CopyToUser(t.Context(), worldRoots(dir), path, filepath.Join(dir, "user"))
		}
		after := listing(t, dir)
		if err == nil {
			inUser := func(line string) bool { return strings.HasPrefix(line, "user/") }
			before, after = slices.DeleteFunc(before, inUser), slices.DeleteFunc(after, inUser)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%q: %v, files (-want +got):\n%s", path, err, diff)
		}
	})
}
