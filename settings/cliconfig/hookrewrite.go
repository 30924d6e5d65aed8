package cliconfig

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"zcode-acp/settings/jsonedit"
)

// mostRead bounds what is read for one change of the section, in bytes: each
// small edit reads the whole document again.
const mostRead = 64 << 20

// errManyEdits tells that small edits would take too long.
var errManyEdits = errors.New("too many edits")

// rewritten returns the document with the wanted section, edited piece by piece.
// After very many changes, the section gets one layout; its texts stay.
func rewritten(d *jsonedit.Doc, wanted jsonedit.Node, matches eventMatches) (*jsonedit.Doc, error) {
	path := jsonedit.Path{"hooks"}
	r := rewrite{edit: edit{doc: d, path: path}, left: mostRead}
	r.section(d.Root().Get("hooks"), wanted, matches)
	if errors.Is(r.err, errManyEdits) {
		return d.Set(path, wanted.Raw())
	}
	return r.doc, r.err
}

// rewrite turns one value into another, so that what is the same keeps its bytes.
type rewrite struct {
	edit
	left int // bytes that may still be read
}

// spend reports whether there may be one more edit.
func (r *rewrite) spend() bool {
	if r.left -= len(r.doc.Text()); r.left < 0 && r.err == nil {
		r.err = errManyEdits
	}
	return r.err == nil
}

func (r *rewrite) set(value []byte, steps ...string) {
	if r.spend() {
		r.edit.set(value, steps...)
	}
}

func (r *rewrite) delete(steps ...string) {
	if r.spend() {
		r.edit.delete(steps...)
	}
}

func (r *rewrite) insert(at int, value []byte, steps ...string) {
	if !r.spend() {
		return
	}
	if doc, err := r.doc.Insert(r.at(steps...), at, value); err != nil {
		r.err = err
	} else {
		r.doc = doc
	}
}

func step(steps []string, next string) []string { return append(steps[:len(steps):len(steps)], next) }

func (r *rewrite) section(present, wanted jsonedit.Node, matches eventMatches) {
	r.members(present, wanted, nil, func(old, c jsonedit.Node, steps []string) {
		if c.Key() != "events" {
			r.become(old, c, steps)
			return
		}
		r.members(old, c, steps, func(old, event jsonedit.Node, steps []string) {
			r.event(old, event, matches[event.Key()], steps)
		})
	})
}

// members removes the members that are not wanted and gives the others to become.
func (r *rewrite) members(present, wanted jsonedit.Node, steps []string, become func(old, c jsonedit.Node, steps []string)) {
	switch {
	case jsonedit.Equal(present, wanted):
		return
	case present.Kind() != jsonedit.Object || wanted.Len() == 0:
		r.set(wanted.Raw(), steps...)
		return
	}
	then, now := membersOf(wanted), membersOf(present)
	for c := range present.Children() {
		if !then[c.Key()].Exists() {
			r.delete(step(steps, c.Key())...)
		}
	}
	for c := range wanted.Children() {
		become(now[c.Key()], c, step(steps, c.Key()))
	}
}

func (r *rewrite) event(present, wanted jsonedit.Node, matches []groupMatch, steps []string) {
	if jsonedit.Equal(present, wanted) {
		return
	}
	olds, news, from := slices.Collect(present.Children()), slices.Collect(wanted.Children()), []int{}
	for i, match := range matches {
		from = append(from, match.at)
		if match.at >= 0 {
			r.group(olds[match.at], news[i], match.hooks, step(steps, strconv.Itoa(match.at)))
		}
	}
	r.arrange(wanted, from, steps)
}

func (r *rewrite) group(present, wanted jsonedit.Node, matches []hookMatch, steps []string) {
	r.members(present, wanted, steps, func(old, c jsonedit.Node, steps []string) {
		if c.Key() != "hooks" {
			r.become(old, c, steps)
			return
		}
		olds, news, from := slices.Collect(old.Children()), slices.Collect(c.Children()), []int{}
		for i, match := range matches {
			from = append(from, match.at)
			if match.at >= 0 {
				r.become(olds[match.at], news[i], step(steps, strconv.Itoa(match.at)))
			}
		}
		r.arrange(c, from, steps)
	})
}

// become changes a value whose elements are told by their indexes.
func (r *rewrite) become(present, wanted jsonedit.Node, steps []string) {
	switch {
	case jsonedit.Equal(present, wanted):
	case present.Kind() == jsonedit.Object && wanted.Kind() == jsonedit.Object:
		r.members(present, wanted, steps, r.become)
	case present.Kind() == jsonedit.Array && wanted.Kind() == jsonedit.Array:
		r.list(present, wanted, steps)
	default:
		r.set(wanted.Raw(), steps...)
	}
}

// list changes an array: what its beginning and its end have in common stays.
func (r *rewrite) list(present, wanted jsonedit.Node, steps []string) {
	olds, news := slices.Collect(present.Children()), slices.Collect(wanted.Children())
	if len(olds) == len(news) {
		for i := range news {
			r.become(olds[i], news[i], step(steps, strconv.Itoa(i)))
		}
		return
	}
	from, shorter := slices.Repeat([]int{-1}, len(news)), min(len(olds), len(news))
	first := 0
	for first < shorter && jsonedit.Equal(olds[first], news[first]) {
		from[first] = first
		first++
	}
	more := len(news) - len(olds)
	for i := len(news) - 1; i >= first && i-more >= first && jsonedit.Equal(olds[i-more], news[i]); i-- {
		from[i] = i - more
	}
	r.arrange(wanted, from, steps)
}

// arrange gives an array the wanted elements; from tells which present one each
// was, -1 for a new one. Present ones that are not named go.
func (r *rewrite) arrange(wanted jsonedit.Node, from []int, steps []string) {
	if r.err != nil {
		return
	}
	kept := slices.DeleteFunc(slices.Clone(from), func(at int) bool { return at < 0 })
	if len(kept) == 0 {
		r.set(wanted.Raw(), steps...)
		return
	}
	list := slices.Collect(r.doc.Find(r.at(steps...)).Children())
	if (len(kept) < len(list) || !slices.IsSorted(kept)) && r.spend() {
		doc, err := jsonedit.Parse(arranged(r.doc.Text(), list, kept))
		if err != nil {
			r.err = err
			return
		}
		r.doc = doc
	}
	i := 0
	for c := range wanted.Children() {
		if from[i] < 0 {
			r.insert(i, c.Raw(), steps...)
		}
		i++
	}
}

// arranged returns the text in which a list has the elements of an order, which
// is not empty: each element that stays has what stood before it.
func arranged(text []byte, list []jsonedit.Node, order []int) []byte {
	var b bytes.Buffer
	b.Grow(len(text))
	start, _ := list[0].Span()
	b.Write(text[:start])
	for i, slot := range slices.Sorted(slices.Values(order)) {
		if i > 0 {
			_, before := list[slot-1].Span()
			start, _ := list[slot].Span()
			b.Write(text[before:start])
		}
		b.Write(list[order[i]].Raw())
	}
	_, end := list[len(list)-1].Span()
	b.Write(text[end:])
	return b.Bytes()
}
