package settings

import (
	"context"
	"fmt"

	"zcode-acp/settings/history"
	"zcode-acp/settings/jsonedit"
)

// DoctorFix chooses among the findings that can be mended without a guess; an
// empty member chooses all.
type DoctorFix struct {
	Kind string `json:"kind"`
	File string `json:"file"`
}

// DoctorFixed is the answer of doctor/fix.
type DoctorFixed struct {
	Written
	Fixed []Fixed `json:"fixed"` // what was, or with dryRun would be, mended
}

// Fixed is one finding and what was done about it.
type Fixed struct {
	Kind string `json:"kind"`
	File string `json:"file"`
	Done string `json:"done"`
}

func (e *Engine) doctorFixOperations() []Operation {
	return []Operation{
		Write("doctor/fix", "POST /settings/doctor/fix", Immediate,
			"Mend what doctor finds and what needs no decision: wide modes, byte order marks and locks left behind.", e.fix),
	}
}

// remedy is what mends one kind of finding.
type remedy struct {
	done string // what was done, for a person
	mend func(e *Engine, ctx context.Context, call Call, f Finding) (*Written, error)
}

var remedies = map[string]remedy{
	"mode_too_wide": {"only you may read it now", (*Engine).tighten},
	"bom":           {"the byte order mark was dropped", (*Engine).dropMark},
	"lock_stale":    {"the lock was removed", (*Engine).sweepLock},
}

// Fixable reports whether doctor/fix can mend the finding.
func (f Finding) Fixable() bool {
	_, ok := remedies[f.Kind]
	return ok && (f.Kind != "bom" || documentNamed(f.Document) != nil)
}

// documentNamed returns the document that we may write, nil for any other file.
func documentNamed(name string) *document {
	for _, d := range documents {
		if d.name == name {
			return d
		}
	}
	return nil
}

func (e *Engine) fix(ctx context.Context, call Call, in DoctorFix) (*DoctorFixed, error) {
	if call.IfMatch != "" {
		return nil, invalid("/ifMatch", "means nothing here: what is mended is looked at right before")
	}
	if _, known := remedies[in.Kind]; in.Kind != "" && !known {
		return nil, invalid("/kind", "cannot be mended without a decision of yours: doctor says what to do")
	}
	found, err := e.doctor(ctx, InProject{})
	if err != nil {
		return nil, err
	}
	answer := &DoctorFixed{Written: Written{OK: true, Effect: Immediate, DryRun: call.DryRun}, Fixed: []Fixed{}}
	for _, f := range found.Findings {
		r := remedies[f.Kind]
		if !f.Fixable() || in.Kind != "" && in.Kind != f.Kind || in.File != "" && in.File != f.File {
			continue
		}
		if !call.DryRun {
			one, err := r.mend(e, ctx, call, f)
			if err != nil {
				answer.Warnings = append(answer.Warnings, fmt.Sprintf("%s was not mended: %v", f.File, advise(err)))
				continue
			}
			if one != nil {
				answer.merge(one)
			}
		}
		answer.Fixed = append(answer.Fixed, Fixed{f.Kind, f.File, r.done})
	}
	answer.Changed = len(answer.Fixed) > 0
	answer.ETag = etag("doctor", "findings", fmt.Append(nil, answer.Fixed))
	return answer, nil
}

// tighten takes every right of others away.
func (e *Engine) tighten(ctx context.Context, _ Call, f Finding) (*Written, error) {
	if err := tightenFile(f.File); err != nil {
		return nil, err
	}
	note(ctx, history.File{Document: f.Document, Path: f.File, Section: "file", Note: "had its mode tightened"})
	return nil, nil
}

// dropMark writes a document without the mark that ZCode cannot read.
func (e *Engine) dropMark(ctx context.Context, call Call, f Finding) (*Written, error) {
	d := documentNamed(f.Document)
	return e.change(ctx, call, edit{
		document: d, section: "file", effect: d.effect, dropMark: true,
		apply: func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) { return d, nil, nil },
	})
}

// sweepLock takes the lock that was left behind, as any write would, and gives it
// back.
func (e *Engine) sweepLock(ctx context.Context, _ Call, f Finding) (*Written, error) {
	lease, err := e.locker.Acquire(ctx, f.File)
	if err != nil {
		return nil, err
	}
	return nil, lease.Release()
}
