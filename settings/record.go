package settings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/history"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
)

// record gathers what one operation changes, for the history.
type record struct{ files []history.File }

type recordKey struct{}

// note adds a change to the record of the operation that runs, if there is one.
// Two changes of one file become one, from what was there before the first.
func note(ctx context.Context, f history.File) {
	r, ok := ctx.Value(recordKey{}).(*record)
	if !ok {
		return
	}
	i := slices.IndexFunc(r.files, func(had history.File) bool { return had.Path == f.Path && had.Note == "" && f.Note == "" })
	switch {
	case i < 0:
		r.files = append(r.files, f)
	case f.Before != nil || f.After != nil:
		r.files[i].After = f.After
	default:
		r.files[i].Changes = joinChanges(r.files[i].Changes, f.Changes)
	}
}

// joinChanges are what two runs of changes come to, in the order of their paths.
func joinChanges(first, then []history.Change) []history.Change {
	joined := slices.Clone(first)
	for _, c := range then {
		i := slices.IndexFunc(joined, func(had history.Change) bool { return had.Path == c.Path })
		if i < 0 {
			joined = append(joined, c)
			continue
		}
		joined[i].After = c.After
	}
	joined = slices.DeleteFunc(joined, func(c history.Change) bool { return string(c.Before) == string(c.After) })
	slices.SortFunc(joined, func(a, b history.Change) int { return slices.CompareFunc(pathOf(a.Path), pathOf(b.Path), compareSteps) })
	return joined
}

// compareSteps orders indexes by their numbers.
func compareSteps(a, b string) int {
	m, errM := strconv.Atoi(a)
	n, errN := strconv.Atoi(b)
	if errM == nil && errN == nil {
		return cmp.Compare(m, n)
	}
	return strings.Compare(a, b)
}

// recorded returns the operation with what it changes written into the history
// before it answers. What changed although the operation failed is written too.
func (e *Engine) recorded(o Operation) Operation {
	if !o.Writes() {
		return o
	}
	run := o.run
	o.run = func(ctx context.Context, call Call, params jsontext.Value) (any, error) {
		if call.DryRun {
			return run(ctx, call, params)
		}
		var made record
		answer, err := run(context.WithValue(ctx, recordKey{}, &made), call, params)
		if len(made.files) == 0 {
			return answer, err
		}
		entry := history.Entry{Door: string(call.Door), Client: call.Client, Operation: o.Name, Files: made.files}
		outcome, written := answer.(interface{ Outcome() *Written })
		if written && err == nil {
			entry.Undoes = outcome.Outcome().undoes
		}
		entry, storeErr := e.append(context.WithoutCancel(ctx), entry)
		switch {
		case storeErr != nil:
			e.Log.Warn("writing the history", "error", storeErr)
			if written && err == nil {
				w := outcome.Outcome()
				w.Warnings = append(w.Warnings, fmt.Sprintf("the change is not in the history, so it cannot be undone from there: %v", storeErr))
			}
		case written && err == nil:
			outcome.Outcome().History = entry.ID
		}
		return answer, err
	}
	return o
}

func (e *Engine) append(ctx context.Context, entry history.Entry) (history.Entry, error) {
	if err := home.EnsureStateDir(e.Layout); err != nil {
		return entry, err
	}
	if err := os.Mkdir(e.history().Dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return entry, fmt.Errorf("making the folder of the history: %w", err)
	}
	return e.history().Append(ctx, entry)
}

func (e *Engine) history() history.Store {
	return history.Store{Dir: filepath.Join(e.Layout.StateDir(), "history")}
}

// noteDocument records what differs between two states of a JSON document.
func noteDocument(ctx context.Context, a *attempt, backup string) {
	f := history.File{Document: a.edit.document.name, Path: a.path, Section: a.edit.section, Backup: backup}
	f.Changes = units(a.before, a.after)
	switch {
	case a.mended:
		f.Changes, f.Note = nil, "was mended: restore its backup to have it as it was"
	case len(f.Changes) == 0:
		f.Note = "changed in its form only"
	}
	note(ctx, f)
}

// units lists what differs, each as the smallest thing that means something by
// itself: an array whole, since an index names another element when the array has
// changed; a server, a model selection whole, since their members belong together.
// So a change is taken back only where all of it still stands.
func units(before, after *jsonedit.Doc) []history.Change {
	var list []history.Change
	for _, c := range jsonedit.Diff(before.Root(), after.Root()) {
		path := unitOf(c.Path, before, after)
		pointer := path.Pointer()
		if slices.ContainsFunc(list, func(had history.Change) bool { return had.Path == pointer }) {
			continue
		}
		list = append(list, history.Change{Path: pointer, Before: raw(before.Find(path)), After: raw(after.Find(path))})
	}
	return list
}

// unitOf returns the beginning of a path that names what belongs together.
func unitOf(path jsonedit.Path, before, after *jsonedit.Doc) jsonedit.Path {
	for i := 1; i < len(path); i++ {
		unit := path[:i]
		if isUnit(unit) || before.Find(unit).Kind() == jsonedit.Array || after.Find(unit).Kind() == jsonedit.Array {
			return unit
		}
	}
	return path
}

func isUnit(path jsonedit.Path) bool {
	switch {
	case path[0] == "mcp":
		return len(path) == 3
	case path[len(path)-1] == "defaultModelSelection":
		return true
	}
	return len(path) == 2 && strings.HasSuffix(path[0], "ModelSelectionOverrides")
}

func raw(n jsonedit.Node) jsontext.Value {
	if !n.Exists() {
		return nil
	}
	return jsontext.Value(n.Raw()).Clone()
}

// noteText records what became of a text file; nil is no file.
func noteText(ctx context.Context, path, backup string, before, after *string) {
	note(ctx, history.File{Document: agentFiles, Path: path, Section: agentFiles, Backup: backup, Before: before, After: after})
}

// noteFolder records a change that the history cannot take back.
func noteFolder(ctx context.Context, path, why string) {
	note(ctx, history.File{Document: "skills", Path: path, Section: "skills", Note: why})
}
