package history

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTogether has processes and goroutines append at the same time, while others read.
func TestTogether(t *testing.T) {
	const processes, goroutines, each = 3, 4, 15
	s := Store{Dir: t.TempDir(), wait: time.Minute}
	var writers, readers sync.WaitGroup
	for p := range processes {
		cmd := appender(t, s.Dir, fmt.Sprint("p", p), each/3)
		writers.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("process %d: %v: %s", p, err, out)
			}
		})
	}
	for g := range goroutines {
		writers.Go(func() {
			for i := range each / 3 {
				if _, err := s.Append(ctx, Entry{Client: fmt.Sprint("g", g), Operation: strconv.Itoa(i), Files: sample}); err != nil {
					t.Errorf("goroutine %d: %v", g, err)
				}
			}
		})
	}
	done := make(chan struct{})
	readers.Go(func() {
		for seen := 0; ; {
			list, err := s.List(ctx)
			if err != nil || len(list) < seen {
				t.Errorf("a reader saw %d entries after %d: %v", len(list), seen, err)
			}
			seen = len(list)
			select {
			case <-done:
				return
			default:
			}
		}
	})
	writers.Wait()
	close(done)
	readers.Wait()

	list, err := s.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	next, ids := map[string]int{}, map[string]bool{}
	for i := len(list) - 1; i >= 0; i-- {
		e := list[i]
		if e.Operation != strconv.Itoa(next[e.Client]) || !cmp.Equal(e.Files, sample) || ids[e.ID] {
			t.Errorf("entry %s of %s, want %d, whole and once", e.Operation, e.Client, next[e.Client])
		}
		if i < len(list)-1 && e.ID < list[i+1].ID {
			t.Errorf("%s comes after %s", e.ID, list[i+1].ID)
		}
		next[e.Client]++
		ids[e.ID] = true
	}
	if want := (processes + goroutines) * (each / 3); len(list) != want || s.Damaged() != nil {
		t.Errorf("%d entries, want %d; kept aside %q", len(list), want, s.Damaged())
	}
}

// TestReadersOfAShrinkingFile read while entries are added and purged: they see whole entries, and set nothing aside.
func TestReadersOfAShrinkingFile(t *testing.T) {
	s := Store{Dir: t.TempDir(), Max: 3, wait: time.Minute}
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for {
				list, err := s.List(ctx)
				if err != nil {
					t.Errorf("List: %v", err)
				}
				for _, e := range list {
					if e.ID == "" || !cmp.Equal(e.Files, sample) {
						t.Errorf("a torn entry: %v", e)
					}
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range 60 {
		if _, err := s.Append(ctx, Entry{Files: sample}); err != nil {
			t.Error(err)
		}
		if i%7 == 0 {
			if _, err := s.Purge(ctx, time.Time{}); err != nil {
				t.Error(err)
			}
		}
	}
	close(done)
	readers.Wait()
	if kept := s.Damaged(); kept != nil {
		t.Errorf("kept aside: %q", kept)
	}
}
