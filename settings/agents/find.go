package agents

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrAmbiguous is wrapped by [*AmbiguousError].
var ErrAmbiguous = errors.New("several files define the agent")

// AmbiguousError tells that one name stands in several files.
type AmbiguousError struct {
	Name  string
	Paths []string // absolute, in the order of the listing
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q is defined by %s: change the name in all of these files but one by hand", e.Name, strings.Join(e.Paths, " and "))
}

// Unwrap returns [ErrAmbiguous].
func (e *AmbiguousError) Unwrap() error { return ErrAmbiguous }

// Find returns the file whose front matter has exactly that name, wherever the
// file is and whatever it is called. Without one the error wraps [ErrUnknown],
// with several it is an [*AmbiguousError].
func Find(files []File, name string) (File, error) {
	var found []File
	for _, f := range files {
		if f.Err == nil && f.Profile.Name == trim(name) {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 0:
		return File{}, fmt.Errorf("finding an agent: %w", unknownAgent(name))
	case 1:
		return found[0], nil
	}
	err := &AmbiguousError{Name: found[0].Profile.Name}
	for _, f := range found {
		err.Paths = append(err.Paths, f.Path)
	}
	return File{}, fmt.Errorf("finding an agent: %w", err)
}

// Free refuses a name, with an error that wraps [ErrExists], that a new agent
// cannot have beside the files: an agent has it, or one that shares its switch in
// the state file, or a file stands where the new one would.
func Free(files []File, name string) error {
	for _, f := range files {
		switch {
		case f.Err == nil && UserID(f.Profile.Name) == UserID(name):
			return fmt.Errorf("%w: %q is defined by %s, choose another name", ErrExists, f.Profile.Name, f.Path)
		case lower(f.Rel) == FileName(name):
			return fmt.Errorf("%w: %s stands where the new file would, choose another name", ErrExists, f.Path)
		}
	}
	return nil
}

// warnOfNames tells about agents that are not told apart: by ZCode, which takes
// one of those with the same name, or by its state file, which has one switch for
// names that differ only in case.
func warnOfNames(files []File) {
	byID := make(map[string][]int)
	for i, f := range files {
		if f.Err == nil {
			id := UserID(f.Profile.Name)
			byID[id] = append(byID[id], i)
		}
	}
	for _, same := range byID {
		for n, i := range same {
			if len(same) > 1 {
				files[i].warnOf(files[same[(n+1)%len(same)]])
			}
		}
	}
}

func (f *File) warnOf(other File) {
	reason := "differs only in case from that in " + other.Rel + ": ZCode switches both on and off together; rename one"
	if f.Profile.Name == other.Profile.Name {
		reason = "is that of the agent in " + other.Rel + " too: ZCode takes one of them; rename one"
	}
	line := 0
	if doc, err := parse(f.Text); err == nil {
		for _, e := range doc.Entries() {
			if e.Key == "name" {
				line = e.Line
			}
		}
	}
	f.Profile.Warnings = slices.Insert(f.Profile.Warnings, 0, Warning{line, "name", reason})
}
