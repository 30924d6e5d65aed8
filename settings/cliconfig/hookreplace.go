package cliconfig

import (
	"fmt"
	"strconv"
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
	"zcode-acp/settings/schema"
)

// ReplaceHooks gives the section `hooks` another content; what is the same keeps
// its bytes. A masked text at the place where it was read keeps its value, and is
// refused anywhere else. A section because of which ZCode would ignore the file
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
	text, err := unmasked(nil, wanted, present, shown, "")
	if err != nil {
		return nil, err
	}
	restored, err := jsonedit.Parse(text)
	if err != nil {
		return nil, err
	}
	e := edit{doc: d, path: jsonedit.Path{"hooks"}}
	e.become(present, restored.Root())
	if e.err != nil {
		return nil, e.err
	}
	return e.doc, stillMasked(e.doc.Root().Get("hooks"), wanted)
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

// unmasked writes a wanted value in which every mask has become the present
// value that it stands for.
func unmasked(b []byte, wanted, present, shown jsonedit.Node, pointer string) ([]byte, error) {
	var err error
	switch wanted.Kind() {
	case jsonedit.Object:
		b = append(b, '{')
		for c := range wanted.Children() {
			if b[len(b)-1] != '{' {
				b = append(b, ',')
			}
			b = append(append(b, jsonedit.Quote(c.Key())...), ':')
			step := pointer + jsonedit.Path{c.Key()}.Pointer()
			if c.Key() == "args" && c.Kind() == jsonedit.Array {
				// Which value an argument's mask stands for, its flag tells.
				var args []byte
				args, err = resolveArgs(step, c, present.Get("args"))
				b = append(b, args...)
			} else {
				b, err = unmasked(b, c, present.Get(c.Key()), shown.Get(c.Key()), step)
			}
			if err != nil {
				return nil, err
			}
		}
		return append(b, '}'), nil
	case jsonedit.Array:
		b = append(b, '[')
		for i := range wanted.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			step := pointer + "/" + strconv.Itoa(i)
			if b, err = unmasked(b, wanted.Index(i), present.Index(i), shown.Index(i), step); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case jsonedit.String:
		switch hasMask := strings.Contains(wanted.Text(), redact.Mask); {
		case hasMask && shown.Kind() == jsonedit.String && shown.Text() == wanted.Text():
			return append(b, present.Raw()...), nil
		case hasMask:
			return nil, &InvalidError{pointer, lostMask}
		}
	}
	return append(b, wanted.Raw()...), nil
}

// become changes the present value into the wanted one, member by member and
// element by element, so that what is the same keeps its bytes.
func (e *edit) become(present, wanted jsonedit.Node, steps ...string) {
	switch {
	case jsonedit.Equal(present, wanted):
	case present.Kind() == jsonedit.Object && wanted.Kind() == jsonedit.Object && wanted.Len() > 0:
		for c := range present.Children() {
			if !wanted.Get(c.Key()).Exists() {
				e.delete(append(steps[:len(steps):len(steps)], c.Key())...)
			}
		}
		for c := range wanted.Children() {
			e.become(present.Get(c.Key()), c, append(steps[:len(steps):len(steps)], c.Key())...)
		}
	case present.Kind() == jsonedit.Array && wanted.Kind() == jsonedit.Array && present.Len() == wanted.Len():
		for i := range wanted.Len() {
			e.become(present.Index(i), wanted.Index(i), append(steps[:len(steps):len(steps)], strconv.Itoa(i))...)
		}
	default:
		e.set(wanted.Raw(), steps...)
	}
}
