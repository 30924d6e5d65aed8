package skills

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// described is a SKILL.md that both of ZCode's readers take.
func described(name string) string {
	return "---\nname: " + name + "\ndescription: What it does.\n---\n\nText.\n"
}

// write puts a file below a folder, with the folders on the way.
func write(t testing.TB, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// link puts a symbolic link below a folder.
func link(t testing.TB, target, folder, name string) string {
	t.Helper()
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// folder returns a new folder whose path has no link in it.
func folder(t testing.TB) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return real
}

// listing is everything below a folder, with slashes: folders end in one, links
// show where they lead, files what they hold.
func listing(t testing.TB, root string) []string {
	t.Helper()
	list := []string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		line := filepath.ToSlash(rel)
		switch {
		case d.IsDir():
			line += "/"
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			line += " -> " + target
		case d.Type().IsRegular():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += ": " + strings.TrimSpace(string(text))
		}
		list = append(list, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func user(path string) Root   { return Root{Path: path, Scope: User, Deletable: true} }
func agents(path string) Root { return Root{Path: path, Scope: Agents, Deletable: true} }
func plugin(path string) Root { return Root{Path: path, Scope: Plugin, Origin: "tools@market"} }
