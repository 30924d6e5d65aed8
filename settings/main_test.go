package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"zcode-acp/settings/home"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerHome); dir != "" {
		os.Exit(writeAsProcess(dir))
	}
	goleak.VerifyTestMain(m)
}

// Files of a world, from its ZCode home.
const (
	cliFile      = "cli/config.json"
	providerFile = "v2/provider_config.json"
	agentsFile   = "../.agents/mcp.json"
	stateFile    = "v2/agents-state.json"
)

// params are the parameters of an operation.
type params map[string]any

// world is a ZCode home on disk and the operations on it.
type world struct {
	t       testing.TB
	dir     string // stands for ~/.zcode
	engine  *Engine
	catalog *Catalog
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, dir: filepath.Join(t.TempDir(), "zcode")}
	w.engine = newEngine(t, w.dir)
	w.catalog = NewCatalog(w.engine.Operations())
	return w
}

func newEngine(t testing.TB, dir string) *Engine {
	t.Helper()
	layout, err := layoutOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	return NewEngine(layout, nil)
}

// layoutOf keeps our own files beside the home, so that nothing of the machine counts.
func layoutOf(dir string) (home.Layout, error) {
	root := filepath.Dir(dir)
	return home.Resolve(home.Options{Dir: dir, Env: func(name string) string {
		return map[string]string{"HOME": root, "ZCODE_ACP_STATE_DIR": filepath.Join(root, "state")}[name]
	}})
}

func (w *world) path(file string) string { return filepath.Join(w.dir, filepath.FromSlash(file)) }

// put writes a file that nobody has touched for an hour.
func (w *world) put(file, content string) {
	w.t.Helper()
	path := w.path(file)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.age(file)
}

func (w *world) age(file string) {
	w.t.Helper()
	hourAgo := time.Now().Add(-time.Hour)
	if err := os.Chtimes(w.path(file), hourAgo, hourAgo); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) get(file string) string {
	w.t.Helper()
	content, err := os.ReadFile(w.path(file))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(content)
}

func sample(t testing.TB, file string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// run calls an operation as a door does.
func (w *world) run(name string, call Call, in params) (any, error) {
	w.t.Helper()
	operation, ok := w.catalog.Lookup(name)
	if !ok {
		w.t.Fatalf("no operation %s", name)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(in); err != nil {
		w.t.Fatal(err)
	}
	return operation.Run(w.t.Context(), call, text.Bytes())
}

func (w *world) write(name string, call Call, in params) *Written {
	w.t.Helper()
	answer, err := w.run(name, call, in)
	if err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	return answer.(interface{ Outcome() *Written }).Outcome()
}

// refuse runs an operation that must fail and change nothing.
func (w *world) refuse(name string, call Call, in params) ErrorBody {
	w.t.Helper()
	before := w.files()
	answer, err := w.run(name, call, in)
	if err == nil {
		w.t.Fatalf("%s: got %+v, want an error", name, answer)
	}
	w.unchanged(before)
	return Describe(err)
}

func answerOf[T any](w *world, name string) T {
	w.t.Helper()
	answer, err := w.run(name, Call{}, nil)
	if err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	return answer.(T)
}

// entry is what must not change about a file that nobody writes.
type entry struct {
	Content string
	Mode    fs.FileMode
	ModTime time.Time
}

// files lists all files of ZCode's folders.
func (w *world) files() map[string]entry { return w.below(w.dir, filepath.Dir(w.path(agentsFile))) }

func (w *world) below(folders ...string) map[string]entry {
	w.t.Helper()
	found := map[string]entry{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			content, err := os.ReadFile(path)
			found[path] = entry{string(content), info.Mode(), info.ModTime()}
			return err
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return found
}

func (w *world) unchanged(before map[string]entry) {
	w.t.Helper()
	if diff := cmp.Diff(before, w.files()); diff != "" {
		w.t.Errorf("files changed (-before +after):\n%s", diff)
	}
}

func same(t testing.TB, what, got, want string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// hasOnly checks a list of sentences: each must hold the words at its place.
func hasOnly(t testing.TB, what string, got []string, words ...string) {
	t.Helper()
	if len(got) != len(words) {
		t.Errorf("%s: got %q, want %d with %q", what, got, len(words), words)
		return
	}
	for i := range got {
		if !strings.Contains(got[i], words[i]) {
			t.Errorf("%s: got %q, want one that tells %q", what, got[i], words[i])
		}
	}
}
