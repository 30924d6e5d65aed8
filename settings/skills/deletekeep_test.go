package skills

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDeleteKeepsWhatItCannotPutBack catches the new folder of another program,
// whose name is then taken again.
func TestDeleteKeepsWhatItCannotPutBack(t *testing.T) {
	dir := world(t)
	root := filepath.Join(dir, "user")
	r, err := findRemoval(worldRoots(dir), filepath.Join(root, "a", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.parent.Close()
	if err := os.Rename(filepath.Join(root, "a"), filepath.Join(dir, "taken")); err != nil {
		t.Fatal(err)
	}
	write(t, root, r.hidden+"/precious", "x")
	write(t, root, "a/SKILL.md", "another one")
	why := r.verify()
	if !errors.Is(why, ErrUnknown) {
		t.Fatalf("verify: got %v, want ErrUnknown", why)
	}
	err = r.putBack(why)
	i := slices.IndexFunc(listing(t, root), func(line string) bool { return strings.HasSuffix(line, "/precious: x") })
	if i < 0 {
		t.Fatalf("the folder is gone: %q", listing(t, root))
	}
	kept, _, _ := strings.Cut(listing(t, root)[i], "/")
	if !errors.Is(err, ErrUnknown) || !errors.Is(err, os.ErrExist) || !strings.Contains(err.Error(), filepath.Join(root, kept)) {
		t.Errorf("got %v, want it to name %s", err, kept)
	}
	if hiddenPattern().MatchString(kept) || !ignored(kept) || !strings.HasPrefix(kept, ".a.") {
		t.Errorf("the folder is now called %s, which a later call clears away or ZCode looks at", kept)
	}
	r.parent.Close()
	if err := r.putBack(why); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), filepath.Join(root, r.hidden)+" ") || !strings.Contains(err.Error(), "within an hour") {
		t.Errorf("without any rename: got %v, want the hidden name and how long it lasts", err)
	}
}

// TestClearLeftoversSparesWhatIsKept however old it is.
func TestClearLeftoversSparesWhatIsKept(t *testing.T) {
	dir := folder(t)
	for _, what := range []string{"new", "deleted", "kept"} {
		write(t, dir, ".a.zcode-acp-"+what+"-20200101T000000Z-"+rand.Text()+"/file", what)
	}
	in, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	clearLeftovers(in)
	left := listing(t, dir)
	if len(left) != 2 || !strings.HasSuffix(left[1], "/file: kept") {
		t.Errorf("left %q, want what is kept alone", left)
	}
}
