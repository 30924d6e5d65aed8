package settings

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/history"
	"zcode-acp/settings/jsonedit"
)

// HistoryList is the answer of history/list.
type HistoryList struct {
	OK      bool           `json:"ok"`
	Entries []HistoryEntry `json:"entries"` // newest first
}

// HistoryEntry is one operation that changed something.
type HistoryEntry struct {
	ID        string        `json:"id"`
	Time      time.Time     `json:"time"`
	Door      Door          `json:"door"`
	Client    string        `json:"client,omitempty"`
	Operation string        `json:"operation"`
	Undoes    string        `json:"undoes,omitempty"`   // the entry that it takes back
	UndoneBy  string        `json:"undoneBy,omitempty"` // the entry that takes it back
	Files     []HistoryFile `json:"files"`
}

// HistoryFile is what changed of one file, its secrets masked.
type HistoryFile struct {
	Document string   `json:"document"`
	Path     string   `json:"path"`
	Section  string   `json:"section"`
	Backup   string   `json:"backup,omitempty"`
	Paths    []string `json:"paths"`             // JSON pointers that changed
	Changes  []Change `json:"changes,omitempty"` // of history/show
	Note     string   `json:"note,omitempty"`    // why it cannot be taken back
}

// HistoryShown is the answer of history/show.
type HistoryShown struct {
	OK    bool         `json:"ok"`
	Entry HistoryEntry `json:"entry"`
}

// HistoryID names an entry.
type HistoryID struct {
	ID string `json:"id"`
}

// HistoryUndo names the entry to take back; without an id the newest that was
// not taken back yet.
type HistoryUndo struct {
	ID string `json:"id"`
}

// HistoryPurge says which entries to forget: those before a time, all without one.
type HistoryPurge struct {
	Before *time.Time `json:"before"`
}

// HistoryPurged is the answer of history/purge.
type HistoryPurged struct {
	Written
	Removed int `json:"removed"`
}

func (e *Engine) historyOperations() []Operation {
	return []Operation{
		Read("history/list", "/settings/history", "List what was changed, when and by whom.", e.listHistory),
		Read("history/show", "/settings/history/{id}", "Show one change with its values, secrets masked.", e.showHistory),
		Write("history/undo", "POST /settings/history/undo", NeedsRestart,
			"Take a change back; what changed since stays, and is a conflict where it is the same.", e.undo),
		Write("history/purge", "DELETE /settings/history", Immediate, "Forget changes; they cannot be taken back any more.", e.purgeHistory),
	}
}

func (e *Engine) listHistory(ctx context.Context, _ None) (*HistoryList, error) {
	entries, err := e.history().List(ctx)
	if err != nil {
		return nil, advise(err)
	}
	list := &HistoryList{OK: true, Entries: []HistoryEntry{}}
	undone := undoneBy(entries)
	for _, entry := range entries {
		list.Entries = append(list.Entries, shownEntry(entry, undone, false))
	}
	return list, nil
}

// undoneBy tells which entry takes which back; entries are the newest first. An
// undo that was itself taken back counts no more.
func undoneBy(entries []history.Entry) map[string]string {
	undone := map[string]string{}
	for _, entry := range entries {
		if entry.Undoes != "" && undone[entry.ID] == "" {
			undone[entry.Undoes] = entry.ID
		}
	}
	return undone
}

func shownEntry(entry history.Entry, undone map[string]string, values bool) HistoryEntry {
	shown := HistoryEntry{
		ID: entry.ID, Time: entry.Time, Door: Door(entry.Door), Client: entry.Client, Operation: entry.Operation,
		Undoes: entry.Undoes, UndoneBy: undone[entry.ID], Files: []HistoryFile{},
	}
	for _, f := range entry.Files {
		file := HistoryFile{Document: f.Document, Path: f.Path, Section: f.Section, Backup: f.Backup, Note: f.Note, Paths: []string{}}
		changes := shownChanges(f)
		for _, c := range changes {
			file.Paths = append(file.Paths, c.Path)
		}
		if values {
			file.Changes = changes
		}
		shown.Files = append(shown.Files, file)
	}
	return shown
}

// shownChanges masks the values of a file's changes.
func shownChanges(f history.File) []Change {
	if f.Before != nil || f.After != nil {
		return agentChanges(textOf(f.Before), textOf(f.After))
	}
	var list []Change
	for _, c := range f.Changes {
		list = append(list, Change{Path: c.Path, Before: maskedAt(c.Path, c.Before), After: maskedAt(c.Path, c.After)})
	}
	return list
}

func textOf(s *string) []byte {
	if s == nil {
		return nil
	}
	return []byte(*s)
}

// maskedAt masks a value that stands, or stood, at a path. The arguments of a
// command are masked one by one there, so what stood around one is not known:
// every argument is hidden.
func maskedAt(pointer string, value jsontext.Value) jsontext.Value {
	if len(value) == 0 {
		return nil
	}
	path := pathOf(pointer)
	if last := len(path) - 1; last > 0 && path[last-1] == "args" {
		return maskedString
	}
	d, err := jsonedit.Parse(value)
	if err != nil {
		return maskedString
	}
	return appendMasked(nil, path, d.Root())
}

func (e *Engine) showHistory(ctx context.Context, in HistoryID) (*HistoryShown, error) {
	if err := required("/id", in.ID); err != nil {
		return nil, err
	}
	entries, err := e.history().List(ctx)
	if err != nil {
		return nil, advise(err)
	}
	for _, entry := range entries {
		if entry.ID == in.ID {
			return &HistoryShown{OK: true, Entry: shownEntry(entry, undoneBy(entries), true)}, nil
		}
	}
	return nil, unknownEntry(in.ID)
}

func unknownEntry(id string) error {
	return fmt.Errorf("%w: there is no change %q in the history any more: list the history to see the ids", ErrUnknown, id)
}

func (e *Engine) purgeHistory(ctx context.Context, call Call, in HistoryPurge) (*HistoryPurged, error) {
	var before time.Time
	if in.Before != nil {
		before = *in.Before
	}
	entries, err := e.history().List(ctx)
	if err != nil {
		return nil, advise(err)
	}
	if err := holds(call, "history", historyTag(entries)); err != nil {
		return nil, err
	}
	forgotten := func(entry history.Entry) bool { return before.IsZero() || entry.Time.Before(before) }
	answer := &HistoryPurged{Written: Written{OK: true, Effect: Immediate, DryRun: call.DryRun}}
	for _, entry := range entries {
		if forgotten(entry) {
			answer.Removed++
		}
	}
	// What was damaged and set aside goes with any purge: nobody can tell its time.
	aside := len(e.history().Damaged())
	if !call.DryRun && len(entries)+aside > 0 {
		if answer.Removed, err = e.history().Purge(ctx, before); err != nil {
			return nil, advise(err)
		}
	}
	answer.Removed += aside
	answer.Changed = answer.Removed > 0
	answer.ETag = historyTag(slices.DeleteFunc(entries, forgotten))
	return answer, nil
}

// historyTag is the etag of the history, which changes only by what is added and
// forgotten.
func historyTag(entries []history.Entry) string {
	var ids []byte
	for _, entry := range entries {
		ids = append(append(ids, entry.ID...), '\n')
	}
	return etag("history", "history", ids)
}
