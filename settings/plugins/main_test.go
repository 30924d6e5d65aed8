package plugins

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// files are contents by path, with slashes.
type files map[string]string

// write makes the files below a folder.
func write(t testing.TB, dir string, list files) {
	t.Helper()
	for name, text := range list {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.WriteFile(path, []byte(text), 0o600)
		if errors.Is(err, fs.ErrNotExist) {
			if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
				err = os.WriteFile(path, []byte(text), 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// record is the install record of a plugin.
func record(id, path, more string) string {
	name, marketplace, _ := strings.Cut(id, "@")
	text := fmt.Sprintf(`{"id": %q, "name": %q, "marketplace": %q, "installPath": %s`, id, name, marketplace, quote(path))
	if more != "" {
		text += ", " + more
	}
	return text + "}"
}

func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// install writes the list of installed plugins.
func install(t testing.TB, storage string, records ...string) {
	t.Helper()
	write(t, storage, files{recordsFile: `{"version": 1, "plugins": [` + strings.Join(records, ",\n") + "]}\n"})
}

// readOne reads the only plugin of a storage folder whose plugin folder holds
// the given files, with a manifest unless they have one.
func readOne(t testing.TB, list files) (p Plugin, dir string, problems []Problem) {
	t.Helper()
	storage := t.TempDir()
	dir = filepath.Join(storage, "cache", "m", "a", "1.0.0")
	write(t, dir, files{".zcode-plugin/plugin.json": `{"name": "a"}`})
	write(t, dir, list)
	install(t, storage, record("a@m", dir, ""))
	plugins, problems := Read(storage, "")
	if len(plugins) != 1 {
		t.Fatalf("got %d plugins and the problems %v, want one", len(plugins), problems)
	}
	return plugins[0], dir, problems
}

// told shortens problems to pointer, or file below a folder, and reason.
func told(dir string, problems []Problem) []string {
	var list []string
	for _, p := range problems {
		place := p.File
		if rel, err := filepath.Rel(dir, p.File); err == nil {
			place = filepath.ToSlash(rel)
		}
		list = append(list, place+p.Pointer+" "+p.Reason)
	}
	return list
}

func checkTold(t testing.TB, dir string, problems []Problem, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, told(dir, problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// items are names with paths below a folder, for what lies in it.
func items(dir string, paths ...string) []Item {
	var list []Item
	for _, p := range paths {
		name, path, _ := strings.Cut(p, "=")
		if path != "" {
			path = filepath.Join(dir, filepath.FromSlash(path))
		}
		list = append(list, Item{name, path})
	}
	return list
}
