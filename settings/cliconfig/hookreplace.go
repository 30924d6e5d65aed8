package cliconfig

import (
	"fmt"
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
	"zcode-acp/settings/schema"
)

// ReplaceHooks gives the section `hooks` another content; what is the same keeps
// its bytes, also where hooks were added, removed or moved around it. A mask keeps
// the value of the hook that it was read from: one that is as it was, or that
// still runs the same and is like no other. Everywhere else, and in another group
// or event, it is refused. A section because of which ZCode would ignore the file
// is refused with an [InvalidError].
func ReplaceHooks(d *jsonedit.Doc, wanted jsonedit.Node) (*jsonedit.Doc, error) {
	doc, err := replaceHooks(d, wanted)
	if err != nil {
		return nil, fmt.Errorf("setting the hooks: %w", err)
	}
	return doc, nil
}

func replaceHooks(d *jsonedit.Doc, wanted jsonedit.Node) (*jsonedit.Doc, error) {
	if problems := schema.Check(wanted, hooks); len(problems) > 0 {
		return nil, &InvalidError{below(problems[0].Pointer, wanted), problems[0].Rule}
	}
	if d.Root().Kind() != jsonedit.Object {
		return nil, &InvalidError{"", "the file must hold an object: mend it by hand first"}
	}
	present := d.Root().Get("hooks")
	shown := jsonedit.Node{}
	if present.Kind() == jsonedit.Object {
		masked, err := jsonedit.Parse(maskedHooks(present))
		if err != nil {
			return nil, err
		}
		shown = masked.Root()
	}
	text, matches, err := unmasked(wanted, present, shown)
	if err != nil {
		return nil, err
	}
	restored, err := jsonedit.Parse(text)
	if err != nil {
		return nil, err
	}
	doc, err := rewritten(d, restored.Root(), matches)
	if err != nil {
		return nil, err
	}
	return doc, stillMasked(doc.Root().Get("hooks"), wanted)
}

// stillMasked refuses a section in which a value that was sent as a mask would
// be shown: a secret is hidden because of what stands around it too.
func stillMasked(section, wanted jsonedit.Node) error {
	shown, err := jsonedit.Parse(maskedHooks(section))
	if err != nil {
		return err
	}
	for _, change := range jsonedit.Diff(wanted, shown.Root()) {
		if strings.Contains(change.Before.Text(), redact.Mask) {
			return &InvalidError{change.Path.Pointer(), lostMask}
		}
	}
	return nil
}
