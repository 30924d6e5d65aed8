package home

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var allVariables = append([]string{
	"HOME", "USERPROFILE", "LOCALAPPDATA", "ZCODE_HOME", "ZCODE_ACP_STATE_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
}, ignoredByOverride...)

// Whatever is set, and however oddly: every path is absolute, none has a folder called "~", the places come in one order,
// no note comes twice, and two calls agree.
func TestAnyEnvironment(t *testing.T) {
	w := newWorld(t)
	t.Chdir(w.dir)
	w.env["HOME"] = w.dir
	var places []Place
	for _, at := range w.resolve().Locations() {
		places = append(places, at.Place)
	}
	value := rapid.SampledFrom([]string{"", " ", "~", "~/", "~/x", "rel", "./a/../b", "..", "/abs/x", "/abs//y/", " /abs/z "})
	rapid.Check(t, func(t *rapid.T) {
		env := map[string]string{}
		for _, name := range allVariables {
			env[name] = value.Draw(t, name)
		}
		account := value.Draw(t, "account")
		o := Options{
			Dir:    value.Draw(t, "--home"),
			Env:    func(name string) string { return env[name] },
			OSHome: func() (string, error) { return account, nil },
			GOOS:   rapid.SampledFrom([]string{"linux", "darwin", "windows"}).Draw(t, "GOOS"),
		}

		l, err := Resolve(o)
		if err != nil {
			if len(l.Locations()) != 0 {
				t.Errorf("places come with the error %v", err)
			}
			return
		}
		var order []Place
		for _, at := range l.Locations() {
			if order = append(order, at.Place); !filepath.IsAbs(at.Path) || filepath.Clean(at.Path) != at.Path {
				t.Errorf("%s is %q, want a clean absolute path", at.Place, at.Path)
			}
			if slices.Contains(strings.Split(at.Path, "/"), "~") {
				t.Errorf("%s is below a folder called ~: %s", at.Place, at.Path)
			}
			if at.DecidedBy == "" || l.Path(at.Place) != at.Path {
				t.Errorf("%s: decided by %q, Path says %s", at.Place, at.DecidedBy, l.Path(at.Place))
			}
		}
		if l.OwnConfig() == "" {
			order = append(order, OwnConfig) // the one place that can be unknown
		}
		if !slices.Equal(order, places) {
			t.Errorf("places %v, want %v", order, places)
		}
		notes := l.Notes()
		if slices.Sort(notes); len(slices.Compact(notes)) != len(l.Notes()) {
			t.Errorf("a note comes twice: %q", l.Notes())
		}
		again, err := Resolve(o)
		if err != nil || !slices.Equal(l.Locations(), again.Locations()) || !slices.Equal(l.Notes(), again.Notes()) {
			t.Errorf("a second look differs: %v", err)
		}
	})
}
