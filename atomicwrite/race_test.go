package atomicwrite_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zcode-acp/atomicwrite"
)

const races = 200

// rival is a program that takes no lock. It counts its own writes in its memory, takes over what else the file holds,
// and writes at any time.
type rival struct {
	path  string
	write func(path string, content []byte) error
	done  atomic.Int64 // writes that are finished
}

func (r *rival) run(stop <-chan struct{}) error {
	for n := 1; ; n++ {
		select {
		case <-stop:
			return nil
		case <-time.After(time.Duration(rand.N(int64(4 * time.Millisecond)))):
		}
		content, err := os.ReadFile(r.path)
		if err != nil {
			return err
		}
		d, err := parse(content)
		if err != nil {
			return err // no reader may ever see half a file of ours
		}
		d["theirs"] = n
		if err := r.write(r.path, d.bytes()); err != nil {
			return err
		}
		r.done.Store(int64(n))
	}
}

// TestRaceWithAProgramThatTakesNoLock checks after each Update that no finished write of the other program is missing,
// and that ours is there unless the other program has written after it.
func TestRaceWithAProgramThatTakesNoLock(t *testing.T) {
	for _, c := range []struct {
		name  string
		write func(path string, content []byte) error
	}{
		{"temporary file and rename", func(path string, content []byte) error {
			if err := os.WriteFile(path+".theirs", content, 0o600); err != nil {
				return err
			}
			return os.Rename(path+".theirs", path)
		}},
		{"truncate in place", func(path string, content []byte) error {
			return os.WriteFile(path, content, 0o600)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.json")
			write(t, path, `{"ours":0,"theirs":0}`)
			r := &rival{path: path, write: c.write}
			stop := make(chan struct{})
			var group sync.WaitGroup
			var failed error
			group.Go(func() { failed = r.run(stop) })
			rebased, gaveUp := raceUpdates(t, r)
			close(stop)
			group.Wait()
			if failed != nil {
				t.Errorf("the other program: %v", failed)
			}
			t.Logf("%d updates beside %d writes: %d rebases, %d given up", races, r.done.Load(), rebased, gaveUp)
			if left := temps(t, path); len(left) != 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

func raceUpdates(t *testing.T, r *rival) (rebased, gaveUp int) {
	lostTheirs, lostOurs := 0, 0
	for range races {
		res, err := atomicwrite.Writer{}.Update(t.Context(), atomicwrite.Request{Path: r.path, Valid: whole, Edit: count("ours")})
		rebased += res.Rebased
		var torn *json.SyntaxError
		if errors.Is(err, atomicwrite.ErrUnstable) || errors.As(err, &torn) { // a very slow machine: nothing changed
			gaveUp++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		finished := int(r.done.Load())
		now := readWhole(t, r.path)
		written, err := parse(res.New)
		if err != nil {
			t.Fatal(err)
		}
		if now["theirs"] < finished {
			lostTheirs++
		}
		if now["theirs"] == written["theirs"] && now["ours"] != written["ours"] {
			lostOurs++
		}
	}
	if lostTheirs != 0 || lostOurs != 0 {
		t.Errorf("lost %d writes of the other program and %d of ours, want none", lostTheirs, lostOurs)
	}
	return rebased, gaveUp
}

// readWhole waits for the other program to finish a write in place, however slow the machine is.
func readWhole(t *testing.T, path string) document {
	t.Helper()
	for {
		snapshot, err := atomicwrite.Writer{}.Read(t.Context(), path, whole, 0)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := parse(snapshot.Content); err == nil {
			return d
		}
	}
}
