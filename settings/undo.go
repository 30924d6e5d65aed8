package settings

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"zcode-acp/settings/agents"
	"zcode-acp/settings/history"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
)

var maskedString = jsonedit.Quote(redact.Mask)

// undo takes one entry of the history back: each path that it changed gets the
// value that it had, if it still has the value that the entry gave it. Nothing is
// changed when any path of any file is in the way.
func (e *Engine) undo(ctx context.Context, call Call, in HistoryUndo) (*Written, error) {
	if call.IfMatch != "" {
		return nil, invalid("/ifMatch", "means nothing here: a change is taken back only where its values still stand")
	}
	entry, err := e.undoable(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	dry := call
	dry.DryRun = true
	answer, err := e.takeBack(ctx, dry, entry)
	if err != nil || call.DryRun {
		return answer, err
	}
	return e.takeBack(ctx, call, entry)
}

// undoable finds the entry and refuses what the history cannot take back.
func (e *Engine) undoable(ctx context.Context, id string) (history.Entry, error) {
	entries, err := e.history().List(ctx)
	if err != nil {
		return history.Entry{}, advise(err)
	}
	undone := undoneBy(entries)
	i := slices.IndexFunc(entries, func(entry history.Entry) bool {
		if id != "" {
			return entry.ID == id
		}
		return undone[entry.ID] == "" && entry.Undoes == "" && lasting(entry) == ""
	})
	switch {
	case i < 0 && id != "":
		return history.Entry{}, unknownEntry(id)
	case i < 0:
		return history.Entry{}, invalid("", "there is nothing left that can be taken back: list the history to see why")
	case undone[entries[i].ID] != "":
		return history.Entry{}, invalid("/id", "was taken back already, by "+undone[entries[i].ID])
	case lasting(entries[i]) != "":
		return history.Entry{}, invalid("/id", "cannot be taken back: "+lasting(entries[i]))
	}
	return entries[i], nil
}

// lasting says why an entry cannot be taken back, "" when it can.
func lasting(entry history.Entry) string {
	for _, f := range entry.Files {
		if f.Note != "" {
			return f.Path + " " + f.Note
		}
	}
	return ""
}

// takeBack undoes the files of an entry, the last one first.
func (e *Engine) takeBack(ctx context.Context, call Call, entry history.Entry) (*Written, error) {
	answer := &Written{OK: true, Effect: Immediate, DryRun: call.DryRun, undoes: entry.ID}
	for _, f := range slices.Backward(entry.Files) {
		var one *Written
		var err error
		if f.Before != nil || f.After != nil {
			one, err = e.takeBackText(ctx, call, f)
		} else {
			one, err = e.takeBackDocument(ctx, call, f)
		}
		if err != nil {
			return nil, err
		}
		answer.merge(one)
	}
	return answer, nil
}

// merge adds what one file says to the answer for several.
func (w *Written) merge(one *Written) {
	if one.Effect == NeedsRestart {
		w.Effect = NeedsRestart
	}
	w.Changed = w.Changed || one.Changed
	w.ETag = one.ETag
	if w.Backup == "" {
		w.Backup = one.Backup
	}
	w.Also = append(w.Also, one.Also...)
	w.Warnings = append(w.Warnings, one.Warnings...)
	w.Changes = append(w.Changes, one.Changes...)
}

func (e *Engine) takeBackDocument(ctx context.Context, call Call, f history.File) (*Written, error) {
	i := slices.IndexFunc(documents, func(d *document) bool { return d.name == f.Document })
	if i < 0 || f.Path != e.Layout.Path(documents[i].place) {
		return nil, invalid("/id", fmt.Sprintf("changed %s, which ZCode does not read any more", f.Path))
	}
	d := documents[i]
	section, effect := f.Section, d.effect
	if section == "skills" {
		effect = Immediate
	}
	if _, known := d.sections[section]; !known {
		section = "file"
	}
	return e.change(ctx, call, edit{
		document: d, section: section, effect: effect,
		apply: func(doc *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
			next, err := revert(doc, f.Changes)
			return next, nil, err
		},
	})
}

// revert puts the values before each change back, where the values after it still
// stand.
func revert(doc *jsonedit.Doc, changes []history.Change) (*jsonedit.Doc, error) {
	var inTheWay []Change
	for _, c := range changes {
		present := doc.Find(pathOf(c.Path))
		if !sameValue(present, c.After) {
			inTheWay = append(inTheWay, Change{Path: c.Path, Before: maskedAt(c.Path, present.Raw()), After: maskedAt(c.Path, c.Before)})
		}
	}
	if len(inTheWay) > 0 {
		return nil, &OverwriteError{Changes: inTheWay}
	}
	var err error
	// What came goes from the last to the first, and what went comes from the first
	// to the last, so that the elements of an array find their places.
	for _, c := range slices.Backward(changes) {
		if err == nil && len(c.Before) == 0 {
			doc, err = doc.Delete(pathOf(c.Path))
		}
	}
	for _, c := range changes {
		if err == nil && len(c.Before) > 0 {
			doc, err = comeBack(doc, pathOf(c.Path), c.Before)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("taking a change back: %w", err)
	}
	return doc, nil
}

func comeBack(doc *jsonedit.Doc, path jsonedit.Path, value []byte) (*jsonedit.Doc, error) {
	if last := len(path) - 1; last >= 0 && !doc.Find(path).Exists() && doc.Find(path[:last]).Kind() == jsonedit.Array {
		return doc.Insert(path[:last], doc.Find(path[:last]).Len(), value)
	}
	return doc.Set(path, value)
}

func sameValue(present jsonedit.Node, recorded []byte) bool {
	if len(recorded) == 0 || !present.Exists() {
		return len(recorded) == 0 && !present.Exists()
	}
	d, err := jsonedit.Parse(recorded)
	return err == nil && jsonedit.Equal(present, d.Root())
}

// OverwriteError tells that what is to be taken back was changed again since.
type OverwriteError struct {
	File    string   // of a text file, "" for a JSON document
	Changes []Change // what stands there now, and what would have come back; masked
}

func (e *OverwriteError) Error() string {
	if e.File != "" {
		return fmt.Sprintf("%s was changed since: take that change back first, or edit it by hand", e.File)
	}
	var paths []string
	for _, c := range e.Changes {
		paths = append(paths, c.Path)
	}
	return fmt.Sprintf("%s changed again since: take that change back first, or set the value by hand", strings.Join(paths, ", "))
}

func (e *OverwriteError) Unwrap() error { return ErrConflict }

// takeBackText gives the file of an agent the text that it had.
func (e *Engine) takeBackText(ctx context.Context, call Call, f history.File) (*Written, error) {
	seen, err := e.seeAgents(ctx)
	if err != nil {
		return nil, err
	}
	expect := func(old []byte, exists bool) error {
		if exists != (f.After != nil) || exists && string(old) != *f.After {
			return &OverwriteError{File: f.Path, Changes: agentChanges(old, textOf(f.Before))}
		}
		return nil
	}
	if f.Before == nil {
		i := slices.IndexFunc(seen.files, func(a agents.File) bool { return a.Path == f.Path })
		if i < 0 || expect(seen.files[i].Text, true) != nil {
			return nil, &OverwriteError{File: f.Path}
		}
		return e.removeAgentFile(ctx, call, seen, seen.files[i])
	}
	written, err := e.changeAgentFile(ctx, call, agentEdit{
		seen: seen, path: f.Path, put: true,
		expect: expect,
		apply:  func([]byte) ([]byte, []string, error) { return []byte(*f.Before), nil, nil },
	})
	if err != nil {
		return nil, err
	}
	return &written.Written, nil
}
