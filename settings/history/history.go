// Package history keeps what every write changed, so that a person can see it and take it back.
//
// An Append without an error means: the entry is on disk, survives a crash and a loss of power, and is seen by every
// later List of any process; with an error, nothing was recorded. The file is history.jsonl in the Store's folder, one
// JSON object a line, readable by its owner alone from the moment it exists. It holds values as they are, secrets
// included, since a masked value could not be put back; no error of this package holds any of them.
//
// Processes take turns with a kernel lock; readers take none and see whole lines only. A last line that a crash has cut
// short is dropped. A file with other damage is kept aside as history.jsonl.corrupt-<stamp>, and a new one begins with
// every line that can still be read. Members that a newer version has put into a line stay in it.
//
// The file is bounded by count, age and size: when it has outgrown one of them by a tenth, the oldest entries go.
// What goes, and what is purged, is not marked but gone from the file.
package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	// ErrUnknown is matched by the error of a Get for which there is no entry, or none any more.
	ErrUnknown = errors.New("no such entry in the history")

	// ErrBusy is matched when other processes kept the history locked for two seconds.
	ErrBusy = errors.New("the history is in use by another process: try again")

	// ErrIrregular is matched when a link, a folder or a device stands where the history belongs.
	ErrIrregular = errors.New("not a regular file")
)

var (
	errFolder = errors.New("the history has no folder")
	errID     = errors.New("an ID may hold only digits, letters and hyphens")
)

// Entry is one write: when, through which door and by whom, and what it changed.
type Entry struct {
	ID        string    `json:"id"`   // sorts by time and is unique across processes; only 0-9, A-Z, a-z and "-"
	Time      time.Time `json:"time"` // UTC
	Door      string    `json:"door,omitzero"`
	Client    string    `json:"client,omitzero"`
	Operation string    `json:"operation,omitzero"`
	Undoes    string    `json:"undoes,omitzero"` // the ID of the entry that it takes back
	Files     []File    `json:"files,omitzero"`
}

// File is what an entry changed in one file: Changes for a JSON document, Before and After for a text.
type File struct {
	Document string   `json:"document,omitzero"`
	Path     string   `json:"path,omitzero"` // absolute
	Section  string   `json:"section,omitzero"`
	Backup   string   `json:"backup,omitzero"` // path of the content before
	Changes  []Change `json:"changes,omitzero"`
	Before   *string  `json:"before,omitzero"` // the whole text; nil where there was no file
	After    *string  `json:"after,omitzero"`
	Note     string   `json:"note,omitzero"` // why it cannot be taken back
}

// Change is one value that differs. The side on which there is none is empty. The spaces between the parts of a value
// are not kept; its numbers and strings are, to the letter.
type Change struct {
	Path   string         `json:"path"` // JSON pointer
	Before jsontext.Value `json:"before,omitzero"`
	After  jsontext.Value `json:"after,omitzero"`
}

// Store is the history in one folder, which must exist and should be its owner's alone. Any number of Stores, in any
// number of processes, may use one folder at a time.
type Store struct {
	Dir      string
	Max      int              // entries; 0 means 500
	MaxAge   time.Duration    // 0 means 90 days
	MaxBytes int64            // of the whole file; 0 means 16 MiB
	Now      func() time.Time // nil means time.Now

	wait  time.Duration         // for the lock; 0 means two seconds
	fault func(op string) error // when set, called before each step that changes something; its error is the step's
}

// Append records an entry and returns it as it was stored: with a time and an ID where it had none, and, when its line
// would be longer than 4 MiB, without its values and with a Note instead. It waits at most two seconds for other
// processes. A ctx that ends while it waits stops it; one that ends later does not.
func (s Store) Append(ctx context.Context, e Entry) (Entry, error) {
	if !validID(e.ID) && e.ID != "" {
		return Entry{}, fmt.Errorf("recording a change: %w", errID)
	}
	var stored Entry
	err := s.locked(ctx, func() (err error) {
		stored, err = s.add(e)
		return err
	})
	if err != nil {
		return Entry{}, fmt.Errorf("recording a change: %w", err)
	}
	return stored, nil
}

// List returns all entries, the last recorded first.
func (s Store) List(ctx context.Context) ([]Entry, error) {
	records, err := s.load(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the history: %w", err)
	}
	list := make([]Entry, 0, len(records))
	for _, r := range slices.Backward(records) {
		list = append(list, r.Entry)
	}
	return list, nil
}

// Get returns one entry. Its error matches ErrUnknown when there is none with this ID.
func (s Store) Get(ctx context.Context, id string) (Entry, error) {
	records, err := s.load(ctx)
	if err != nil {
		return Entry{}, fmt.Errorf("reading the history: %w", err)
	}
	for _, r := range slices.Backward(records) {
		if r.ID == id {
			return r.Entry, nil
		}
	}
	return Entry{}, fmt.Errorf("%w: list the history to see what there is", ErrUnknown)
}

// Purge removes the entries from before a time, all of them for the zero time, and tells how many. Files that were kept
// aside go too, whatever the time: what they hold cannot be told apart.
func (s Store) Purge(ctx context.Context, before time.Time) (int, error) {
	removed := 0
	err := s.locked(ctx, func() error {
		data, err := s.read()
		if err != nil {
			return err
		}
		records, whole, damaged := parse(data)
		kept := slices.DeleteFunc(slices.Clone(records), func(r record) bool {
			return before.IsZero() || r.Time.Before(before)
		})
		if len(kept) < len(records) || damaged || whole < len(data) {
			if err := s.replace(kept); err != nil {
				return err
			}
		}
		removed = len(records) - len(kept)
		return s.dropAside(0, time.Time{})
	})
	if err != nil {
		return removed, fmt.Errorf("purging the history: %w", err)
	}
	return removed, nil
}

// add is Append under the lock.
func (s Store) add(e Entry) (Entry, error) {
	now := s.now()
	if e.Time.IsZero() {
		e.Time = now
	}
	e.Time = e.Time.UTC().Round(0)
	if e.ID == "" {
		e.ID = newID(e.Time)
	}
	e, line, err := encode(e)
	if err != nil {
		return Entry{}, err
	}
	lines, size, err := s.settle()
	if err != nil {
		return Entry{}, err
	}
	if err := s.write(line, size); err != nil {
		return Entry{}, err
	}
	if s.outgrown(append(lines, line), size+int64(len(line)), now) {
		// The entry is recorded: whatever keeps the old ones from going, the next Append tries again.
		_ = s.trim(now)
	}
	return e, nil
}

func (s Store) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}
