package history

import (
	"bytes"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// TestModel compares a Store with a plain list of entries.
func TestModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		now := start
		s := Store{Dir: dir, Max: rapid.IntRange(1, 12).Draw(r, "max"), Now: func() time.Time { return now }}
		var model []Entry // the oldest first
		r.Repeat(map[string]func(*rapid.T){
			"append": func(r *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(0, 3).Draw(r, "later")) * time.Second)
				e := Entry{Door: rapid.String().Draw(r, "door"), Files: []File{{Path: string(rapid.SliceOf(rapid.Byte()).Draw(r, "path"))}}}
				e, err := s.Append(ctx, e)
				if err != nil {
					r.Fatal(err)
				}
				if model = append(model, e); len(model) > s.Max+s.Max/10 {
					model = model[len(model)-s.Max:]
				}
			},
			"purge": func(r *rapid.T) {
				before := start.Add(time.Duration(rapid.IntRange(0, 20).Draw(r, "before")) * time.Second)
				count := len(model)
				model = slices.DeleteFunc(model, func(e Entry) bool { return e.Time.Before(before) })
				if n, err := s.Purge(ctx, before); n != count-len(model) || err != nil {
					r.Fatalf("Purge: %d, %v; want %d", n, err, count-len(model))
				}
			},
			"crash": func(r *rapid.T) {
				rest := rapid.SampledFrom([]string{"{", `{"id"`, `{"id":"x","time":"`, "\x00\x00"}).Draw(r, "rest")
				f, err := os.OpenFile(s.path(fileName), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
				if err != nil {
					r.Fatal(err)
				}
				defer f.Close()
				if data, _ := os.ReadFile(f.Name()); len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")) {
					return // one crash at a time
				}
				if _, err := f.WriteString(rest); err != nil {
					r.Fatal(err)
				}
			},
			"": func(r *rapid.T) {
				list, err := s.List(ctx)
				slices.Reverse(list)
				if diff := cmp.Diff(model, list, cmpopts.EquateEmpty()); diff != "" || err != nil {
					r.Fatalf("List: %v (-model +got):\n%s", err, diff)
				}
				if kept := s.Damaged(); kept != nil {
					r.Fatalf("kept aside: %q", kept)
				}
			},
		})
	})
}

// FuzzParse: whatever the file holds, reading it neither fails nor invents an entry, what the quick look accepts is
// accepted by the thorough one, and what is repaired is sound.
func FuzzParse(f *testing.F) {
	_, line, err := encode(Entry{ID: "1", Time: start, Files: sample})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(line)
	f.Add(append(slices.Clone(line), line[:len(line)/2]...))
	f.Add(append([]byte("garbage\n"), line...))
	f.Add([]byte("\n\x00\n{\"id\":\"\n"))
	f.Add([]byte(`{"id":"a","time":"2026-11-30T12:00:00Z","files":[{"path":{"base64":"/w=="}}]}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		records, whole, damaged := parse(data)
		if whole > len(data) || !damaged && len(lines(records)) != whole {
			t.Fatalf("%d records of %d bytes, %d of them whole, damaged %v", len(records), len(data), whole, damaged)
		}
		quick, end, doubt := glance(data)
		if !damaged && !doubt && (len(quick) != len(records) || end != whole) {
			t.Errorf("the quick look finds %d lines to %d, the thorough one %d to %d", len(quick), end, len(records), whole)
		}
		again, _, damaged := parse(lines(records))
		if damaged || len(again) != len(records) {
			t.Errorf("the repaired file has %d records of %d, damaged %v", len(again), len(records), damaged)
		}
		for _, r := range records {
			timeOf(r.line)
			stored, line, err := encode(r.Entry)
			if err != nil {
				continue // a year that only a foreign program writes
			}
			back, ok := decode(bytes.TrimSuffix(line, []byte("\n")))
			if diff := cmp.Diff(stored, back.Entry, cmpopts.EquateEmpty()); !ok || diff != "" {
				t.Errorf("written and read again: %v\n%s", ok, diff)
			}
		}
	})
}

func lines(records []record) (data []byte) {
	for _, r := range records {
		data = append(append(data, r.line...), '\n')
	}
	return data
}
