package history

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	maxLine = 4 << 20 // bytes
	tooMuch = "its values are too large, or nested too deeply, for the history"
	opening = `{"id":"` // of every line that this version writes
)

// lineOptions keep numbers and strings of values to the letter, also those that strict JSON would refuse but ZCode's
// files may hold.
var lineOptions = json.JoinOptions(
	jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true),
	json.WithMarshalers(json.MarshalToFunc(marshalString)),
	json.WithUnmarshalers(json.UnmarshalFromFunc(unmarshalString)),
)

// bits stands for a string that is not UTF-8, which a JSON string cannot hold: a path, or the text of a file.
type bits struct {
	Base64 []byte `json:"base64"`
}

func marshalString(enc *jsontext.Encoder, s string) error {
	if utf8.ValidString(s) {
		return errors.ErrUnsupported
	}
	return json.MarshalEncode(enc, bits{[]byte(s)})
}

func unmarshalString(dec *jsontext.Decoder, s *string) error {
	if dec.PeekKind() != '{' {
		return errors.ErrUnsupported
	}
	var b bits
	err := json.UnmarshalDecode(dec, &b)
	*s = string(b.Base64)
	return err
}

// encode returns the line of an entry and the entry as the line has it. The errors of the encoder could quote a value:
// they are not passed on.
func encode(e Entry) (Entry, []byte, error) {
	for _, form := range []func(Entry) Entry{whole, withoutValues, withoutChanges} {
		stored := form(e)
		if bulk(stored) > maxLine {
			continue
		}
		line, err := json.Marshal(stored, lineOptions)
		if err == nil && len(line) < maxLine {
			return stored, append(line, '\n'), nil
		}
	}
	return Entry{}, nil, errors.New("the entry has too many files, or a time or name that cannot be written")
}

// whole is e with every absent value nil, since an empty one is no JSON.
func whole(e Entry) Entry {
	return perFile(e, func(f *File) {
		f.Changes = slices.Clone(f.Changes)
		for i, c := range f.Changes {
			f.Changes[i] = Change{c.Path, absent(c.Before), absent(c.After)}
		}
	})
}

func absent(v jsontext.Value) jsontext.Value {
	if len(v) == 0 {
		return nil
	}
	return v
}

func withoutValues(e Entry) Entry {
	return perFile(e, func(f *File) {
		f.Changes = slices.Clone(f.Changes)
		for i, c := range f.Changes {
			f.Changes[i] = Change{Path: c.Path}
		}
		dropText(f)
	})
}

func withoutChanges(e Entry) Entry {
	return perFile(e, func(f *File) {
		f.Changes = nil
		dropText(f)
	})
}

func dropText(f *File) {
	f.Before, f.After = nil, nil
	if f.Note == "" {
		f.Note = tooMuch
	}
}

// perFile returns e with change applied to a copy of each of its files.
func perFile(e Entry, change func(*File)) Entry {
	e.Files = slices.Clone(e.Files)
	for i := range e.Files {
		change(&e.Files[i])
	}
	return e
}

// bulk is how many bytes the values have: what is far too large is not even encoded.
func bulk(e Entry) (n int) {
	for _, f := range e.Files {
		for _, c := range f.Changes {
			n += len(c.Path) + len(c.Before) + len(c.After)
		}
		for _, text := range []*string{f.Before, f.After} {
			if text != nil {
				n += len(*text)
			}
		}
	}
	return n
}

// record is an entry and the line that it was read from, without its newline.
type record struct {
	Entry
	line []byte
}

func decode(line []byte) (record, bool) {
	r := record{line: line}
	err := json.Unmarshal(line, &r.Entry, lineOptions)
	return r, err == nil && validID(r.ID) && !r.Time.IsZero()
}

// parse decodes every line. whole is the length of data without a last line that was cut short.
func parse(data []byte) (records []record, whole int, damaged bool) {
	_, whole, damaged = cut(data, func(line []byte) bool {
		r, ok := decode(line)
		if ok {
			records = append(records, r)
		}
		return ok
	})
	return records, whole, damaged
}

// glance is parse for the common case, at a fraction of the cost: all lines but the last are judged by their ends.
func glance(data []byte) (lines [][]byte, whole int, damaged bool) {
	lines, whole, damaged = cut(data, func(line []byte) bool {
		return bytes.HasPrefix(line, []byte(opening)) && bytes.HasSuffix(line, []byte("}"))
	})
	last := len(lines) - 1
	if damaged || last < 0 {
		return lines, whole, damaged
	}
	if _, ok := decode(lines[last]); ok {
		return lines, whole, false
	}
	return lines[:last], whole - len(lines[last]) - 1, whole < len(data)
}

// cut returns the lines that are good. Of the others only the last may be what a crash has left; the rest is damage.
func cut(data []byte, good func(line []byte) bool) (lines [][]byte, whole int, damaged bool) {
	for at := 0; at < len(data); {
		line, rest, ended := bytes.Cut(data[at:], []byte("\n"))
		switch {
		case ended && good(line):
			lines = append(lines, line)
		case len(rest) == 0 && cutShort(line):
			return lines, at, damaged
		default:
			damaged = true
		}
		at = len(data) - len(rest)
	}
	return lines, len(data), damaged
}

// cutShort reports whether a line may be the remains of one of ours: its beginning, or a block that was never filled.
func cutShort(line []byte) bool {
	own := []byte(opening)
	return bytes.HasPrefix(line, own) || bytes.HasPrefix(own, line) || line[0] == 0
}

// timeOf reads the time of a line of ours, which stands at its beginning, without looking at the rest.
func timeOf(line []byte) (t time.Time) {
	dec := jsontext.NewDecoder(bytes.NewReader(line))
	for range 4 { // the brace, "id", its value, "time"
		if _, err := dec.ReadToken(); err != nil {
			return time.Time{}
		}
	}
	if json.UnmarshalDecode(dec, &t) != nil {
		return time.Time{}
	}
	return t
}

// stamp writes times such that they sort as text.
func stamp(t time.Time) string {
	return strings.ReplaceAll(t.UTC().Format("20060102T150405.000000000"), ".", "-")
}

func newID(t time.Time) string { return fmt.Sprintf("%s-%08x", stamp(t), rand.Uint32()) }

func validID(id string) bool {
	return id != "" && !strings.ContainsFunc(id, func(r rune) bool {
		return !('0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || r == '-')
	})
}
