package atomicwrite_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"zcode-acp/atomicwrite"
)

// children are programs that tests run as separate processes, by name.
var children = map[string]func(dir string) error{}

func TestMain(m *testing.M) {
	if run, ok := children[os.Getenv("ATOMICWRITE_CHILD")]; ok {
		if err := run(os.Getenv("ATOMICWRITE_DIR")); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// child prepares one of children, to be run in dir.
func child(name, dir string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(env, "ATOMICWRITE_CHILD="+name, "ATOMICWRITE_DIR="+dir)...)
	return cmd
}

// document is the JSON object that the tests keep in the file.
type document map[string]int

func (d document) bytes() []byte {
	b, err := json.Marshal(d)
	if err != nil {
		panic(err)
	}
	return b
}

func parse(content []byte) (d document, err error) {
	err = json.Unmarshal(content, &d)
	return d, err
}

func whole(content []byte) bool { return json.Valid(content) }

// count is an Edit that adds one to key.
func count(key string) func([]byte, bool) ([]byte, error) {
	return func(old []byte, exists bool) ([]byte, error) {
		d := document{}
		if exists {
			var err error
			if d, err = parse(old); err != nil {
				return nil, err
			}
		}
		d[key]++
		return d.bytes(), nil
	}
}

// constant is an Edit that ignores what was there.
func constant(content string) func([]byte, bool) ([]byte, error) {
	return func([]byte, bool) ([]byte, error) { return []byte(content), nil }
}

func update(t *testing.T, w atomicwrite.Writer, r atomicwrite.Request) atomicwrite.Result {
	t.Helper()
	res, err := w.Update(t.Context(), r)
	if err != nil {
		t.Fatalf("Update: %v", err)
	}
	return res
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func readDocument(t testing.TB, path string) document {
	t.Helper()
	d, err := parse([]byte(read(t, path)))
	if err != nil {
		t.Fatalf("%s is not whole: %v", filepath.Base(path), err)
	}
	return d
}

// names lists the folder of path without the file itself.
func names(t testing.TB, path string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			list = append(list, e.Name())
		}
	}
	return list
}

// temps lists the temporary files beside path.
func temps(t testing.TB, path string) (list []string) {
	t.Helper()
	for _, name := range names(t, path) {
		if strings.HasSuffix(name, ".tmp") {
			list = append(list, filepath.Join(filepath.Dir(path), name))
		}
	}
	return list
}

// everywhere is the union of the keys in the file and its backups.
func everywhere(t testing.TB, path string) document {
	t.Helper()
	all := readDocument(t, path)
	backups, err := atomicwrite.Backups(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range backups {
		maps.Copy(all, readDocument(t, b.Path))
	}
	return all
}

// operations records the operations of an Update.
type operations struct {
	list []string
	do   func(n int, op, path string) error // called for the n-th, from 0
}

func (o *operations) fault(op, path string) error {
	n := len(o.list)
	o.list = append(o.list, op)
	if o.do == nil {
		return nil
	}
	return o.do(n, op, path)
}

var errBoom = errors.New("boom")
