package home

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestStateRoot(t *testing.T) {
	for _, tt := range []struct {
		name string
		goos string
		env  map[string]string
		want string
	}{
		{"own variable first", "linux", map[string]string{"ZCODE_ACP_STATE_DIR": "/s", "XDG_STATE_HOME": "/x"}, "s"},
		{"XDG", "linux", map[string]string{"XDG_STATE_HOME": "/x"}, "x/zcode-acp"},
		{"blank variables", "linux", map[string]string{"ZCODE_ACP_STATE_DIR": " ", "XDG_STATE_HOME": ""}, "u/.local/state/zcode-acp"},
		{"relative XDG", "linux", map[string]string{"XDG_STATE_HOME": "x"}, "u/.local/state/zcode-acp"},
		{"FreeBSD", "freebsd", nil, "u/.local/state/zcode-acp"},
		{"macOS", "darwin", map[string]string{"XDG_STATE_HOME": "/x"}, "u/Library/Application Support/zcode-acp"},
		{"macOS, own variable", "darwin", map[string]string{"ZCODE_ACP_STATE_DIR": "/s"}, "s"},
		{"Windows", "windows", map[string]string{"LOCALAPPDATA": "/l", "USERPROFILE": "/p", "XDG_STATE_HOME": "/x"}, "l/zcode-acp"},
		{"Windows without LOCALAPPDATA", "windows", map[string]string{"USERPROFILE": "/p"}, "p/AppData/Local/zcode-acp"},
		{"Windows with HOME alone", "windows", nil, "u/AppData/Local/zcode-acp"},
		{"Windows, own variable", "windows", map[string]string{"ZCODE_ACP_STATE_DIR": "/s", "LOCALAPPDATA": "/l"}, "s"},
		{"in the home folder", "linux", map[string]string{"ZCODE_ACP_STATE_DIR": "~/s"}, "u/s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.goos = tt.goos
			w.env["HOME"] = w.path("u")
			for name, value := range tt.env {
				w.env[name] = w.onDisk(value)
			}
			l := w.resolve()
			if got, want := l.StateRoot(), w.path(tt.want); got != want {
				t.Errorf("StateRoot = %s, want %s", got, want)
			}
			if got := filepath.Dir(l.StateDir()); got != l.StateRoot() {
				t.Errorf("StateDir is in %s, want %s", got, l.StateRoot())
			}
			w.flag = w.path("other/.zcode")
			if got := w.resolve(); got.StateRoot() != l.StateRoot() || got.StateDir() == l.StateDir() {
				t.Errorf("with --home: StateRoot %s, StateDir %s; want the same root and another folder", got.StateRoot(), got.StateDir())
			}
		})
	}
}

func TestStateWithoutAHomeFolder(t *testing.T) {
	for _, name := range []string{"ZCODE_ACP_STATE_DIR", "XDG_STATE_HOME"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.flag = w.path("z")
			w.env[name] = w.path("s")
			l := w.resolve()
			if got := l.OwnConfig(); got != "" || !noted(l, "no configuration file of our own") {
				t.Errorf("OwnConfig = %q, notes %q", got, l.Notes())
			}
			for _, at := range l.Locations() {
				if !filepath.IsAbs(at.Path) {
					t.Errorf("%s is %q, want an absolute path", at.Place, at.Path)
				}
			}
		})
	}
	w := newWorld(t)
	w.flag, w.account = w.path("z"), w.path("a")
	if got, want := w.resolve().StateRoot(), w.path("a/.local/state/zcode-acp"); got != want {
		t.Errorf("StateRoot = %s, want %s", got, want)
	}
}

func TestOwnConfig(t *testing.T) {
	for _, tt := range []struct{ goos, xdg, want string }{
		{"linux", "", "u/.config/zcode-acp/config.json < HOME"},
		{"linux", "/x", "x/zcode-acp/config.json < XDG_CONFIG_HOME"},
		{"linux", "x", "u/.config/zcode-acp/config.json < HOME"},
		{"darwin", "", "u/.config/zcode-acp/config.json < HOME"},
		{"windows", "/x", "x/zcode-acp/config.json < XDG_CONFIG_HOME"},
	} {
		w := newWorld(t)
		w.goos = tt.goos
		w.env["HOME"] = w.path("u")
		w.env["XDG_CONFIG_HOME"] = w.onDisk(tt.xdg)
		w.check(w.resolve(), map[Place]string{OwnConfig: tt.want})
	}
}

func TestStateDirNamesTheRealHome(t *testing.T) {
	w := newWorld(t)
	w.env["HOME"] = w.path("u")
	sum := sha256.Sum256([]byte(w.path("u/.zcode")))
	want := filepath.Join(w.path("u/.local/state/zcode-acp"), fmt.Sprintf("%x", sum)[:16])
	if got := w.resolve().StateDir(); got != want {
		t.Errorf("StateDir = %s, want %s", got, want)
	}
	if err := os.MkdirAll(w.path("u/.zcode"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := w.resolve().StateDir(); got != want {
		t.Errorf("StateDir = %s once the home exists, want %s", got, want)
	}
}

// Every row is another spelling of real/.zcode.
func TestStateDirOfALinkedHome(t *testing.T) {
	for _, tt := range []struct {
		name   string
		exists bool // whether real/.zcode does
		links  map[string]string
		flag   string
	}{
		{"the home is a link", true, map[string]string{"l": "%D/real/.zcode"}, "l"},
		{"its parent is a link", true, map[string]string{"l": "%D/real"}, "l/.zcode"},
		{"relative link", true, map[string]string{"a/l": "../real/.zcode"}, "a/l"},
		{"link to a home that does not exist yet", false, map[string]string{"l": "%D/real/.zcode"}, "l"},
		{"relative link in a linked folder, to nothing yet", false, map[string]string{"b/c/l": "../../real/.zcode", "a": "%D/b/c"}, "a/l"},
		{"a link in a link's target, left again by ..", false, map[string]string{"l": "m/../../real/.zcode", "m": "%D/b/c", "b/c/x": "y"}, "l"},
		{"a chain of links to nothing yet", false, map[string]string{"l": "%D/m", "m": "%D/n/.zcode", "n": "%D/real"}, "l"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.env["HOME"] = w.path("u")
			if tt.exists {
				w.write("real/.zcode/v2/x", "")
			}
			for name, target := range tt.links {
				if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o700); err != nil {
					t.Fatal(err)
				}
				if target[0] == '%' {
					target = w.path(target[2:])
				}
				if err := os.Symlink(target, w.path(name)); err != nil {
					t.Fatal(err)
				}
			}
			w.flag = w.path(tt.flag)
			got := w.resolve()
			if got.Root() != w.path(tt.flag) {
				t.Errorf("Root = %s, want it as spelled: %s", got.Root(), w.path(tt.flag))
			}
			w.flag = w.path("real/.zcode")
			if want := w.resolve(); got.StateDir() != want.StateDir() {
				t.Errorf("StateDir = %s, that of the real home is %s", got.StateDir(), want.StateDir())
			}
		})
	}
}

// Links that name each other several times must not multiply the work.
func TestLinksInACircle(t *testing.T) {
	w := newWorld(t)
	w.env["HOME"] = w.path("u")
	for name, target := range map[string]string{"a": "b/b/b", "b": "a/a/a"} {
		if err := os.Symlink(w.path(target), w.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	w.flag = w.path("a/.zcode")
	if a, b := w.resolve().StateDir(), w.resolve().StateDir(); a != b {
		t.Errorf("StateDir changes from %s to %s", a, b)
	}
}

func TestWindowsHomesIgnoreCase(t *testing.T) {
	w := newWorld(t)
	w.goos = "windows"
	w.env["USERPROFILE"] = w.path("u")
	w.flag = w.path("Users/Me/.zcode")
	first := w.resolve().StateDir()
	w.flag = w.path("users/me/.ZCode")
	if got := w.resolve().StateDir(); got != first {
		t.Errorf("StateDir = %s and %s for two spellings", first, got)
	}
}
