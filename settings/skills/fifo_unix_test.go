//go:build unix

package skills

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func makeFIFO(t *testing.T, path string) {
	t.Helper()
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestFIFOsAreNotWaitedFor has no writer at the other end.
func TestFIFOsAreNotWaitedFor(t *testing.T) {
	root := folder(t)
	write(t, root, "a/SKILL.md", "x")
	mkdir(t, root+"/b")
	makeFIFO(t, root+"/b/SKILL.md")
	if _, err := readStart(openRoot(t, root+"/b"), skillFile); err == nil {
		t.Error("a FIFO was read")
	}
	list, problems := Scan([]Root{user(root)})
	if len(list) != 1 || problems != nil {
		t.Errorf("got %v and %v, want the one skill", list, problems)
	}
}

func TestCopyRefusesWhatIsNoFile(t *testing.T) {
	dir := folder(t)
	path := write(t, dir, "agents/a/SKILL.md", "x")
	mkdir(t, filepath.Join(dir, "user"))
	makeFIFO(t, filepath.Join(dir, "agents/a/x"))
	_, err := CopyToUser(t.Context(), copyRoots(dir), path, filepath.Join(dir, "user"))
	want := `copying a skill: the skill's folder holds something that is no file, folder or link: "x"; remove it first`
	if !errors.Is(err, ErrInvalid) || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if diff := cmp.Diff([]string{}, listing(t, filepath.Join(dir, "user"))); diff != "" {
		t.Errorf("user root (-want +got):\n%s", diff)
	}
}
