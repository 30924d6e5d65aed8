package settings

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"zcode-acp/atomicwrite"
	"zcode-acp/lockfile"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
)

// Engine opens ZCode's files and runs one change at a time on each. It is safe
// for concurrent use, also by several processes.
type Engine struct {
	Layout home.Layout
	Log    *slog.Logger // nil discards

	writer atomicwrite.Writer
	locker lockfile.Locker
}

// NewEngine returns the engine for the files of one ZCode home.
func NewEngine(layout home.Layout, log *slog.Logger) *Engine {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Engine{
		Layout: layout,
		Log:    log,
		locker: lockfile.Locker{QueueDir: filepath.Join(layout.StateDir(), "queue")},
	}
}

// Written is the answer of every write.
type Written struct {
	OK       bool     `json:"ok"`
	Effect   Effect   `json:"effect"`
	ETag     string   `json:"etag"`
	Changed  bool     `json:"changed"`
	Backup   string   `json:"backup,omitempty"`   // where the file as it was before is kept
	Also     []string `json:"also,omitempty"`     // what changed beside the named paths, and why
	Warnings []string `json:"warnings,omitempty"` // what a person should know
	DryRun   bool     `json:"dryRun,omitzero"`
	Changes  []Change `json:"changes,omitempty"` // with dryRun
	Restored string   `json:"restored,omitempty"`
	History  string   `json:"history,omitempty"` // the entry by which the change can be taken back

	undoes string // the entry that was taken back
}

// Outcome is what every write answers, whatever else its answer holds.
func (w *Written) Outcome() *Written { return w }

// Tag returns the etag of the section as it is now; there is none of a dry run,
// whose ETag is that of what would be.
func (w *Written) Tag() string {
	if w.DryRun {
		return ""
	}
	return w.ETag
}

// edit is one change of one document.
type edit struct {
	document *document
	section  string
	effect   Effect
	beside   []byte // what the section's answer shows of another file, for its etag
	// apply returns the document with the change, the very same document when
	// there is nothing to change, and what else it had to change.
	apply func(*jsonedit.Doc) (*jsonedit.Doc, []string, error)
	// dropMark says that a byte order mark is reason enough to write.
	dropMark bool
	// replaces says that the present content does not matter, so it may be broken.
	replaces bool
	keep     string // a backup that must outlive this write; "" for none
	// warn looks at the document before and after for what a person should know.
	warn func(before, after *jsonedit.Doc) []string
}

// loaded is a document as it stands on disk.
type loaded struct {
	doc *jsonedit.Doc
	// problem is what a reader has to know of a file that ZCode makes nothing of:
	// a newer ZCode wrote it, it is empty, or it breaks a rule somewhere.
	problem error
}

func (l loaded) warnings() []string { return sentences(l.problem) }

// load reads a document. A missing file and one without content are read as
// empty settings; a file that ZCode cannot use is a [BrokenError].
func (e *Engine) load(ctx context.Context, d *document) (loaded, error) {
	path := e.Layout.Path(d.place)
	var parsed parseOnce
	snapshot, err := e.writer.Read(ctx, path, parsed.valid, jsonedit.MaxSize)
	if err != nil {
		return loaded{}, err
	}
	if !snapshot.Exists {
		return loaded{doc: d.fresh()}, nil
	}
	doc, err := d.open(&parsed, path, snapshot.Content, true)
	switch {
	case errors.Is(err, provider.ErrNewer):
		return loaded{doc: parsed.doc, problem: err}, nil
	case errors.Is(err, jsonedit.ErrEmpty):
		return loaded{doc: d.fresh(), problem: err}, nil
	case err == nil && !d.whole:
		if problems := d.problems(doc); len(problems) > 0 {
			return loaded{doc: doc, problem: d.violation(path, problems[0])}, nil
		}
	}
	return loaded{doc: doc}, err
}

// change runs one edit: durable when it returns, or an error and nothing changed.
func (e *Engine) change(ctx context.Context, call Call, ed edit) (*Written, error) {
	const tries = 5
	for try := 1; ; try++ {
		answer, err := e.tryChange(ctx, call, ed)
		if _, writing := errors.AsType[beingWritten](err); !writing || try == tries {
			return answer, err
		}
		select {
		case <-time.After(settleDelay):
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for the program that writes the file: %w", ctx.Err())
		}
	}
}

func (e *Engine) tryChange(ctx context.Context, call Call, ed edit) (*Written, error) {
	attempt := attempt{engine: e, call: call, edit: ed, path: e.Layout.Path(ed.document.place)}
	if call.DryRun {
		return attempt.preview(ctx)
	}
	return e.holding(ctx, attempt.path, func(lease *lockfile.Lease) (*Written, error) { return attempt.commit(ctx, lease) })
}

// holding runs do while this process holds the lock of a file, the way ZCode's
// own programs take it.
func (e *Engine) holding(ctx context.Context, path string, do func(*lockfile.Lease) (*Written, error)) (*Written, error) {
	// Before anything is made for a file that cannot be written anyway.
	if _, err := atomicwrite.Resolve(path); err != nil {
		return nil, err
	}
	if err := home.EnsureStateDir(e.Layout); err != nil {
		return nil, advise(err)
	}
	lease, err := e.locker.Acquire(ctx, path)
	if err != nil {
		return nil, advise(err)
	}
	answer, err := do(lease)
	if releaseErr := lease.Release(); releaseErr != nil {
		e.Log.Warn("releasing a lock", "path", path, "error", releaseErr)
		if answer != nil {
			answer.Warnings = append(answer.Warnings, fmt.Sprintf("the lock of the file could not be released, other programs may wait for it: %v", releaseErr))
		}
	}
	return answer, err
}

// attempt is one run of an edit; what it learned last is what counts, since the
// edit is repeated when another program writes in between.
type attempt struct {
	engine *Engine
	call   Call
	edit   edit
	path   string

	parsed  parseOnce
	changes bool // an earlier run found something to change
	mended  bool // the file could not be used as it was
	before  *jsonedit.Doc
	after   *jsonedit.Doc
	also    []string
	warning []string
}

func (a *attempt) preview(ctx context.Context) (*Written, error) {
	snapshot, err := a.engine.writer.Read(ctx, a.path, a.parsed.valid, jsonedit.MaxSize)
	if err != nil {
		return nil, err
	}
	next, err := a.next(snapshot.Content, snapshot.Exists)
	if err != nil {
		return nil, err
	}
	answer := a.answer(next != nil)
	answer.DryRun = true
	answer.Changes = maskedChanges(a.before, a.after)
	return answer, nil
}

func (a *attempt) commit(ctx context.Context, lease *lockfile.Lease) (*Written, error) {
	result, err := a.engine.writer.Update(ctx, atomicwrite.Request{
		Path:         a.path,
		Valid:        a.parsed.valid,
		MaxSize:      jsonedit.MaxSize,
		Keep:         a.edit.keep,
		BeforeCommit: lease.Check,
		Edit: func(old []byte, exists bool) ([]byte, error) {
			return a.next(old, exists)
		},
	})
	if err != nil {
		return nil, err
	}
	// Another program can have taken our change over from the moment in which it
	// stood there: then nothing is left to write, but the change is new all the same.
	answer := a.answer(result.Changed || a.changes)
	answer.Backup = result.Backup
	if answer.Changed {
		noteDocument(ctx, a, result.Backup)
	}
	answer.Warnings = append(answer.Warnings, result.Warnings...)
	return answer, nil
}

func (a *attempt) answer(changed bool) *Written {
	return &Written{
		OK: true, Effect: a.edit.effect, Changed: changed, Also: a.also, Warnings: a.warning,
		ETag: a.tag(a.after),
	}
}

const bomDropped = "the byte order mark was dropped: ZCode cannot read a file that begins with one"

// next is the heart of every write: old bytes to new bytes, nil when there is
// nothing to change. It touches no file.
func (a *attempt) next(old []byte, exists bool) ([]byte, error) {
	d := a.edit.document
	a.also, a.warning, a.mended = nil, nil, false
	mended := false
	doc, err := d.open(&a.parsed, a.path, old, exists)
	switch broken := errors.Is(err, ErrBroken) && !errors.Is(err, provider.ErrNewer); {
	case broken && a.parsed.doc == nil && isFresh(a.path):
		err = beingWritten{a.path}
	case broken && a.edit.replaces:
		doc, err, a.mended = d.fresh(), nil, true
	case broken && a.call.Repair:
		doc, err = a.repair(old, err)
		mended = err == nil
		a.mended = mended
	}
	if err != nil {
		return nil, err
	}
	if err := a.precondition(doc); err != nil {
		return nil, err
	}
	edited, also, err := a.edit.apply(doc)
	if err != nil {
		return nil, err
	}
	a.before, a.after = doc, edited
	if mended && a.parsed.doc != nil {
		a.before = a.parsed.doc // what repair removed is a change too
	}
	a.also = append(a.also, also...)
	if edited == doc && !mended && !(a.edit.dropMark && doc.BOM()) {
		return nil, nil
	}
	if doc.BOM() {
		// It goes with the write, whatever the edit is.
		if edited, err = jsonedit.Parse(edited.Text()); err != nil {
			return nil, d.broken(a.path, err)
		}
	}
	a.warning, err = d.verify(a.path, doc, edited)
	if err != nil {
		return nil, err
	}
	if a.edit.warn != nil {
		a.warning = append(a.warning, a.edit.warn(doc, edited)...)
	}
	if doc.BOM() && !a.edit.replaces {
		a.also = append(a.also, bomDropped)
	}
	finished, note, err := d.finish(doc, edited)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", a.path, err)
	}
	if note != "" && !a.edit.replaces {
		a.also = append(a.also, note)
	}
	a.after, a.changes = finished, true
	return finished.Text(), nil
}

func (a *attempt) tag(doc *jsonedit.Doc) string {
	return a.edit.document.etag(a.edit.section, doc, a.edit.beside)
}

// precondition compares the section with the tag that the caller has seen.
func (a *attempt) precondition(doc *jsonedit.Doc) error {
	if a.call.IfMatch == "" {
		return nil
	}
	tag := a.tag(doc)
	ok, err := MatchTag(a.call.IfMatch, tag, false)
	if err == nil && !ok {
		err = &ConflictError{Section: a.edit.section, ETag: tag}
	}
	return err
}

// A text that does not parse in a file that was written just now may be the
// first half of another program's write. It is never taken for broken: what is
// replaced or begun anew must have stood still for settleTime.
const (
	settleTime  = time.Second
	settleDelay = 250 * time.Millisecond
)

func isFresh(path string) bool {
	info, err := os.Stat(path)
	return err == nil && time.Since(info.ModTime()).Abs() < settleTime
}

// beingWritten is a file that another program is in the middle of writing.
type beingWritten struct{ path string }

func (e beingWritten) Error() string {
	return "another program is writing " + e.path + " right now: try again in a moment"
}

func (e beingWritten) Unwrap() error { return atomicwrite.ErrUnstable }

// parseOnce remembers the last text that was parsed, since a reading is first
// judged and then edited.
type parseOnce struct {
	text []byte
	doc  *jsonedit.Doc
	err  error
}

func (p *parseOnce) parse(text []byte) (*jsonedit.Doc, error) {
	same := p.doc != nil && len(text) == len(p.text) && (len(text) == 0 || &text[0] == &p.text[0])
	if !same {
		p.text = text
		p.doc, p.err = jsonedit.Parse(text)
	}
	return p.doc, p.err
}

func (p *parseOnce) valid(text []byte) bool {
	_, err := p.parse(text)
	return err == nil
}
