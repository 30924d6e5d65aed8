// Package home says where ZCode keeps each of its files, and why, and where we keep ours.
//
// ZCode has no single root: each of its parts finds its files in its own way. Resolve follows those ways exactly, so that
// what we edit is what ZCode reads; with --home or ZCODE_HOME one folder stands for ~/.zcode everywhere. Every path it
// answers is absolute, none is ever below a folder called "~", and Resolve itself creates and changes nothing.
package home

import (
	"errors"
	"slices"
)

// ErrNoHome means that nothing tells where the home folder is; the error around it says what to set.
var ErrNoHome = errors.New("no home folder is known")

// Options is what Resolve depends on; the zero value takes everything from the running process.
type Options struct {
	Dir    string                 // the value of --home; when blank, ZCODE_HOME is asked
	Env    func(string) string    // nil means os.Getenv
	OSHome func() (string, error) // home folder in the system's account database; nil asks the system
	GOOS   string                 // "" means runtime.GOOS
}

// Layout is the answer of Resolve: all paths of one ZCode home. It does not change afterwards.
type Layout struct {
	root        string
	overridden  bool
	locations   []Location
	notes       []string
	builtinDir  string
	builtinFile string
	stateRoot   string
}

// Resolve works out every path. It reads at most setting.json and cli/config.json, under --home and ZCODE_HOME too, where
// it only notes what is ignored; what they hold in a form that ZCode could not read counts as unset. Errors: one that
// wraps ErrNoHome, or that of a current folder that is gone while a relative path needs it.
func Resolve(o Options) (Layout, error) {
	r := newResolver(o)
	if dir := r.override(); dir.path != "" {
		r.resolveOverride(dir)
	} else {
		r.resolveZCode()
	}
	if r.err == nil {
		r.resolveOwn()
	}
	if r.err != nil {
		return Layout{}, r.err
	}
	return r.layout, nil
}

// Root is the ~/.zcode that this layout stands for.
func (l Layout) Root() string { return l.root }

// Overridden tells whether --home or ZCODE_HOME decided, rather than ZCode's own rules.
func (l Layout) Overridden() bool { return l.overridden }

// Path is where p is, or "" for a place that this layout does not have.
func (l Layout) Path(p Place) string {
	for _, at := range l.locations {
		if at.Place == p {
			return at.Path
		}
	}
	return ""
}

// Locations lists every place in a stable order.
func (l Layout) Locations() []Location { return slices.Clone(l.locations) }

// Notes says, a sentence each, what was set but ignored and where ZCode's parts disagree about a place.
func (l Layout) Notes() []string { return slices.Clone(l.notes) }

// StateRoot is the folder of all that we keep ourselves, for every ZCode home.
func (l Layout) StateRoot() string { return l.stateRoot }

// StateDir is the folder below StateRoot for this ZCode home. Two spellings of one home share it.
func (l Layout) StateDir() string { return l.Path(StateDir) }

// OwnConfig is our own configuration file, or "" when no home folder is known.
func (l Layout) OwnConfig() string { return l.Path(OwnConfig) }
