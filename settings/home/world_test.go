package home

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// world is a private disk and an environment that holds nothing but what a test sets.
type world struct {
	t       *testing.T
	dir     string // real path of the disk's top
	env     map[string]string
	account string // "" means that the account database knows nothing
	goos    string
	flag    string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, dir: dir, env: map[string]string{}, goos: "linux"}
}

// path is a path on the disk, from one with slashes.
func (w *world) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w *world) write(name, content string) string {
	w.t.Helper()
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func (w *world) options() Options {
	return Options{
		Dir: w.flag,
		Env: func(name string) string { return w.env[name] },
		OSHome: func() (string, error) {
			if w.account == "" {
				return "", errors.New("no such user")
			}
			return w.account, nil
		},
		GOOS: w.goos,
	}
}

func (w *world) resolve() Layout {
	w.t.Helper()
	l, err := Resolve(w.options())
	if err != nil {
		w.t.Fatalf("Resolve: %v", err)
	}
	return l
}

// check compares where the places are and what decided, given as "path < decided by".
func (w *world) check(l Layout, want map[Place]string) {
	w.t.Helper()
	for place, text := range want {
		name, by, _ := strings.Cut(text, " < ")
		var got Location
		for _, at := range l.Locations() {
			if at.Place == place {
				got = at
			}
		}
		if got.Path != w.path(name) || got.DecidedBy != by {
			w.t.Errorf("%s:\n got %s < %s\nwant %s < %s", place, got.Path, got.DecidedBy, w.path(name), by)
		}
	}
}

// noted tells whether a note holds all of the words.
func noted(l Layout, words ...string) bool {
	for _, note := range l.Notes() {
		all := true
		for _, word := range words {
			all = all && strings.Contains(note, word)
		}
		if all {
			return true
		}
	}
	return false
}

// world sets up what a rule starts from.
func (tt ruleTest) world(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	for name, value := range tt.env {
		w.env[name] = w.onDisk(value)
	}
	w.account = w.onDisk(tt.account)
	for name, content := range tt.files {
		w.write(name, strings.ReplaceAll(content, "%D", filepath.ToSlash(w.dir)))
	}
	if tt.goos != "" {
		w.goos = tt.goos
	}
	return w
}

// onDisk turns a value that begins with / into a path on the disk and keeps blanks around it.
func (w *world) onDisk(value string) string {
	path := strings.TrimSpace(value)
	if !strings.HasPrefix(path, "/") {
		return value
	}
	return strings.Replace(value, path, w.path(path), 1)
}
