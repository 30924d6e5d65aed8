package skills

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDeleteLeavesWhatWasSwappedIn lets another program replace the folder between
// the check and the act.
func TestDeleteLeavesWhatWasSwappedIn(t *testing.T) {
	swaps := map[string]func(t *testing.T, dir, at string){
		"link out":        func(t *testing.T, dir, at string) { link(t, filepath.Join(dir, "outside"), dir, at) },
		"link to /":       func(t *testing.T, dir, at string) { link(t, "/", dir, at) },
		"other folder":    func(t *testing.T, dir, at string) { write(t, dir, at+"/precious", "x") },
		"file":            func(t *testing.T, dir, at string) { write(t, dir, at, "precious") },
		"nothing":         func(*testing.T, string, string) {},
		"same made again": func(t *testing.T, dir, at string) { write(t, dir, at+"/SKILL.md", "new") },
	}
	for name, swap := range swaps {
		for _, skill := range []string{"user/a", "user/within"} {
			t.Run(name+" for "+skill, func(t *testing.T) {
				dir := world(t)
				path := filepath.Join(dir, filepath.FromSlash(skill))
				r, err := findRemoval(worldRoots(dir), filepath.Join(path, "SKILL.md"))
				if err != nil {
					t.Fatal(err)
				}
				defer r.parent.Close()
				if err := os.Rename(path, filepath.Join(dir, "taken")); err != nil {
					t.Fatal(err)
				}
				swap(t, dir, skill)
				before := listing(t, dir)
				if err := r.hide(); !errors.Is(err, ErrUnknown) {
					t.Errorf("hide: got %v, want ErrUnknown", err)
				}
				if diff := cmp.Diff(before, listing(t, dir)); diff != "" {
					t.Errorf("files (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestDeleteFollowsNothingOnceHidden swaps the hidden folder, and what is in it.
func TestDeleteFollowsNothingOnceHidden(t *testing.T) {
	dir := world(t)
	path := filepath.Join(dir, "user", "a", "SKILL.md")
	link(t, filepath.Join(dir, "outside"), dir, "user/a/deep/link")
	r, err := findRemoval(worldRoots(dir), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.parent.Close()
	if err := r.hide(); err != nil {
		t.Fatal(err)
	}
	hidden := filepath.Join(dir, "user", r.hidden)
	if err := os.Rename(hidden, filepath.Join(dir, "taken")); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join(dir, "taken"), dir, "user/"+r.hidden)
	r.clear()
	for _, stays := range []string{"taken/SKILL.md", "taken/deep/link", "outside/SKILL.md"} {
		if _, err := os.Lstat(filepath.Join(dir, stays)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(hidden); err == nil {
		t.Error("the link is still there")
	}
}

// TestDeleteWhenAParentIsSwapped replaces a folder on the way by a link.
func TestDeleteWhenAParentIsSwapped(t *testing.T) {
	dir := world(t)
	write(t, dir, "outside/one/SKILL.md", "canary")
	r, err := findRemoval(worldRoots(dir), filepath.Join(dir, "user", "pack", "one", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.parent.Close()
	if err := os.Rename(filepath.Join(dir, "user", "pack"), filepath.Join(dir, "taken")); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join(dir, "outside"), dir, "user/pack")
	if err := r.hide(); err != nil {
		t.Fatal(err)
	}
	r.clear()
	if _, err := os.Lstat(filepath.Join(dir, "outside", "one", "SKILL.md")); err != nil {
		t.Errorf("the folder behind the link was touched: %v", err)
	}
}

// TestDeleteInARace swaps the folder and a link as fast as it can while it is
// being deleted; whoever wins, what the link names stays.
func TestDeleteInARace(t *testing.T) {
	dir := folder(t)
	canary := write(t, dir, "outside/SKILL.md", "canary")
	root := filepath.Join(dir, "user")
	skill, taken := filepath.Join(root, "a"), filepath.Join(dir, "taken")
	write(t, root, "a/SKILL.md", "x")
	stop, done := make(chan struct{}), make(chan struct{})
	defer func() { close(stop); <-done }()
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(skill, taken)
			os.Symlink(filepath.Join(dir, "outside"), skill)
			os.Remove(skill)
			os.MkdirAll(taken, 0o755)
			os.WriteFile(filepath.Join(taken, "SKILL.md"), nil, 0o644)
			os.Rename(taken, skill) // never a write below skill, which may be the link
		}
	}()
	for range 300 {
		if _, err := Delete([]Root{user(root)}, filepath.Join(skill, "SKILL.md")); err != nil && !errors.Is(err, ErrUnknown) && !errors.Is(err, ErrOutside) && !errors.Is(err, os.ErrExist) {
			t.Errorf("Delete: %v", err)
		}
		if text, err := os.ReadFile(canary); err != nil || string(text) != "canary" {
			t.Fatalf("the file outside: %q, %v", text, err)
		}
	}
}
