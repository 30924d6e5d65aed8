package history

import (
	"os"
	"slices"
	"strings"
	"time"
)

const asidePrefix = fileName + ".corrupt-"

// Damaged returns the paths of the files that were kept aside because they could not be read whole, the oldest first.
// They hold values as they are, like the history itself.
func (s Store) Damaged() (paths []string) {
	for _, name := range s.aside() {
		paths = append(paths, s.path(name))
	}
	return paths
}

// mend keeps the damaged file aside and begins a new one with the records that could be read.
func (s Store) mend(records []record) error {
	name := asidePrefix + newID(s.now())
	// With a second name the damaged file stays at its place until the new one takes it.
	back := func() error { return s.remove(name) }
	if err := s.link(fileName, name); err != nil {
		if err := s.rename(fileName, name); err != nil {
			return err
		}
		back = func() error { return s.rename(name, fileName) }
	}
	if err := s.replace(records); err != nil {
		_ = back()
		return err
	}
	// Old ones that stay for now are no reason to keep the next entry out.
	_ = s.dropAside(maxAside, s.now().Add(-s.maxAge()))
	return nil
}

func (s Store) link(from, to string) error {
	if err := s.try("link"); err != nil {
		return err
	}
	return os.Link(s.path(from), s.path(to))
}

// dropAside removes the files kept aside but for the newest ones, and of these, too, what is from before a time.
func (s Store) dropAside(newest int, since time.Time) error {
	names := s.aside()
	oldest := asidePrefix + stamp(since)
	for i, name := range names {
		if i < len(names)-newest || name < oldest {
			if err := s.remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// aside lists the names of the files kept aside, the oldest first.
func (s Store) aside() (names []string) {
	entries, _ := os.ReadDir(s.Dir) // without a folder there are none
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), asidePrefix) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}
