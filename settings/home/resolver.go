package home

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// resolver gathers one Layout.
type resolver struct {
	flag    string              // the value of --home, trimmed
	env     func(string) string // trimmed, so that a blank variable is an unset one
	account func() string       // "" when the system does not know
	goos    string
	pause   func() // between two looks at a file that is being written
	layout  Layout
	err     error // the first failure
}

func newResolver(o Options) *resolver {
	getenv, osHome, goos := o.Env, o.OSHome, o.GOOS
	if getenv == nil {
		getenv = os.Getenv
	}
	if osHome == nil {
		osHome = accountHome
	}
	if goos == "" {
		goos = runtime.GOOS
	}
	return &resolver{
		flag: strings.TrimSpace(o.Dir),
		env:  func(name string) string { return strings.TrimSpace(getenv(name)) },
		account: sync.OnceValue(func() string {
			dir, err := osHome()
			if dir = strings.TrimSpace(dir); err != nil || startsAtHome(dir) {
				return ""
			}
			return dir
		}),
		goos:  goos,
		pause: func() { time.Sleep(tornPause) },
	}
}

// accountHome asks the system's account database, which needs no variable.
func accountHome() (string, error) {
	u, err := user.Current()
	if err != nil {
		return "", err
	}
	return u.HomeDir, nil
}

func (r *resolver) add(p Place, path, by string) {
	r.layout.locations = append(r.layout.locations, Location{Place: p, Path: path, DecidedBy: by})
}

func (r *resolver) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.layout.notes, text) {
		r.layout.notes = append(r.layout.notes, text)
	}
}

func (r *resolver) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// desktopHome is the home folder as the desktop app finds it.
func (r *resolver) desktopHome() folder {
	return r.firstHome("HOME", "USERPROFILE")
}

// nodeHome is the home folder as os.homedir() of Node.js answers it: the CLI's.
func (r *resolver) nodeHome() folder {
	if r.goos == "windows" {
		return r.firstHome("USERPROFILE")
	}
	return r.firstHome("HOME")
}

// firstHome is the first of the variables that is set, else the account's home folder.
func (r *resolver) firstHome(names ...string) folder {
	for _, name := range names {
		value := r.env(name)
		if startsAtHome(value) {
			r.note("%s is ignored: it begins with ~, which only a shell can replace", name)
			continue
		}
		if value != "" {
			return folder{path: r.absolute(value), by: name}
		}
	}
	if dir := r.account(); dir != "" {
		return folder{path: r.absolute(dir), by: byAccount}
	}
	return folder{}
}

// anyHome is the home folder for our own files and for a leading ~.
func (r *resolver) anyHome() folder {
	return or(r.nodeHome(), r.desktopHome())
}

// variable is the path that an environment variable holds, taken from the current folder when relative.
func (r *resolver) variable(name string) folder {
	value := r.env(name)
	if value == "" {
		return folder{}
	}
	return folder{path: r.absolute(r.expand(value, name)), by: name}
}

// setting is the path that a file of ZCode holds, read by a program whose home folder is home. ZCode takes a relative one
// from wherever that program was started, which nobody can know here, so home stands in for it and a note says so.
func (r *resolver) setting(value, by string, home folder) folder {
	switch {
	case value == "":
		return folder{}
	case startsAtHome(value):
		value = join(home, value[1:])
	case !filepath.IsAbs(value):
		r.note("%s is relative: it is taken from %s here, and by ZCode from the folder that it was started in; give an absolute path", by, home.path)
		value = join(home, value)
	}
	return folder{path: filepath.Clean(value), by: by}
}

// expand replaces a leading ~ by the home folder, so that no folder of that name is ever made.
func (r *resolver) expand(path, by string) string {
	if !startsAtHome(path) {
		return path
	}
	home := r.anyHome()
	if home.path == "" {
		r.fail(fmt.Errorf("finding the home folder for the ~ in %s: %w: set HOME, or give an absolute path", by, ErrNoHome))
	}
	return join(home, path[1:])
}

func startsAtHome(path string) bool {
	return path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "~"+string(filepath.Separator))
}

// absolute also cleans, so that paths of different origin can be compared.
func (r *resolver) absolute(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		r.fail(fmt.Errorf("making a path absolute: %w: go to another folder, or give absolute paths", err))
	}
	return abs
}
