package settings

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"zcode-acp/settings/jsonedit"
)

const (
	writers = 8
	rounds  = 12
)

var theirs = jsonedit.Path{"theirs"}

// rival is a program that takes no lock: it counts its writes in its memory,
// takes over what else the file holds, and replaces the file at any time. It
// writes in bursts, so that between them our writes can be held to the promise:
// a program that reads before our write and writes after it brings back its own
// older view, which nobody can prevent.
type rival struct {
	path        string
	begun, done atomic.Int64 // writes that it began to prepare, and finished
	answers     atomic.Int64 // writes of ours, by which its rests are measured
}

const burst = 16

func (r *rival) run(stop <-chan struct{}) error {
	for rested := int64(0); ; {
		pause := rand.N(3 * time.Millisecond)
		select {
		case <-stop:
			return nil
		case <-time.After(pause):
		}
		if n := r.done.Load(); n > 0 && n%burst == 0 && r.answers.Load() < rested+3*writers {
			continue
		}
		rested = r.answers.Load()
		if err := r.write(r.begun.Add(1)); err != nil {
			return err
		}
	}
}

func (r *rival) write(n int64) error {
	d, err := readNow(r.path)
	if err != nil {
		return err
	}
	if d, err = d.Set(theirs, strconv.AppendInt(nil, n, 10)); err != nil {
		return err
	}
	if err := os.WriteFile(r.path+".theirs", d.Text(), 0o600); err != nil {
		return err
	}
	if err := os.Rename(r.path+".theirs", r.path); err != nil {
		return err
	}
	r.done.Store(n)
	return nil
}

func (r *rival) state() (writes int64, idle bool) {
	begun := r.begun.Load()
	return begun, r.done.Load() == begun
}

// readNow reads the file once; it must be there, and whole.
func readNow(path string) (*jsonedit.Doc, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d, err := jsonedit.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("a reader saw half a file: %w", err)
	}
	return d, nil
}

// reader reads all the time; no reader may ever see half a file, or none.
func reader(path string, stop <-chan struct{}) error {
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		if _, err := readNow(path); err != nil {
			return err
		}
		time.Sleep(time.Millisecond) // leave the machine to the writers
	}
}

// beside runs what goes on beside a test until the returned function is called.
func beside(t *testing.T, others ...func(stop <-chan struct{}) error) (end func()) {
	stop := make(chan struct{})
	var group sync.WaitGroup
	for _, other := range others {
		group.Go(func() {
			if err := other(stop); err != nil {
				t.Error(err)
			}
		})
	}
	return sync.OnceFunc(func() {
		close(stop)
		group.Wait()
	})
}

// writeFromAll adds rounds servers from each of the goroutines, half of them
// through another engine of the same home.
func writeFromAll(t *testing.T, w *world, write func(upsert Operation, name string)) (names []string) {
	catalogs := []*Catalog{w.catalog, NewCatalog(newEngine(t, w.dir).Operations())}
	var group sync.WaitGroup
	for i := range writers {
		for n := range rounds {
			names = append(names, fmt.Sprintf("w%d-%d", i, n))
		}
		group.Go(func() {
			upsert, _ := catalogs[i%2].Lookup("mcp/upsert")
			for n := range rounds {
				write(upsert, fmt.Sprintf("w%d-%d", i, n))
			}
		})
	}
	group.Wait()
	return names
}

// add returns what adds one server and wants an answer.
func add(t *testing.T) func(upsert Operation, name string) {
	return func(upsert Operation, name string) {
		answer, err := upsert.Run(t.Context(), Call{}, []byte(`{"name":"`+name+`","command":"c"}`))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !answer.(*Written).Changed {
			t.Errorf("%s: got no change", name)
		}
	}
}

func wantServers(t *testing.T, w *world, names []string) {
	t.Helper()
	servers := parse(t, w.get(cliFile)).Find([]string{"mcp", "servers"})
	lost := 0
	for _, name := range names {
		if !servers.Get(name).Exists() {
			lost++
		}
	}
	if lost != 0 || servers.Len() != len(names) {
		t.Errorf("%d of %d servers are lost, and the file has %d", lost, len(names), servers.Len())
	}
}

func TestConcurrentWrites(t *testing.T) {
	t.Run("B045 two engines, many goroutines", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, `{"theirs": 0, "kept": 1.0}`)
		end := beside(t, func(stop <-chan struct{}) error { return reader(w.path(cliFile), stop) })
		names := writeFromAll(t, w, add(t))
		end()
		wantServers(t, w, names)
	})
	t.Run("B045 two processes", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, `{"theirs": 0, "kept": 1.0}`)
		end := beside(t, func(stop <-chan struct{}) error { return reader(w.path(cliFile), stop) })
		p := startProcess(t, w.dir)
		names := writeFromAll(t, w, add(t))
		p.stop()
		end()
		wantServers(t, w, append(names, p.names...))
	})
}

// TestConcurrentRival writes beside a program that takes no lock. None of its
// finished writes may go; ours must be there unless it had read the file before.
func TestConcurrentRival(t *testing.T) {
	t.Run("B045 a writer that takes no lock", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, `{"theirs": 0, "kept": 1.0}`)
		r := &rival{path: w.path(cliFile)}
		end := beside(t, r.run, func(stop <-chan struct{}) error { return reader(w.path(cliFile), stop) })
		undisturbed := 0
		var counting sync.Mutex
		writeFromAll(t, w, func(upsert Operation, name string) {
			before, idle := r.state()
			add(t)(upsert, name)
			r.answers.Add(1)
			finished := r.done.Load()
			d, err := readNow(r.path)
			if err != nil {
				t.Error(err)
				return
			}
			if n, err := strconv.ParseInt(string(d.Find(theirs).Raw()), 10, 64); err != nil || n < finished {
				t.Errorf("the rival finished write %d, the file has %s", finished, d.Find(theirs).Raw())
			}
			if !idle || r.begun.Load() != before {
				return
			}
			counting.Lock()
			undisturbed++
			counting.Unlock()
			if !d.Find(jsonedit.Path{"mcp", "servers", name}).Exists() {
				t.Errorf("%s was answered and is lost", name)
			}
		})
		end()
		t.Logf("%d writes of ours beside %d of the rival, %d undisturbed", writers*rounds, r.done.Load(), undisturbed)
		if undisturbed == 0 {
			t.Error("no write of ours was undisturbed, so none was looked for")
		}
		if r.done.Load() == 0 {
			t.Error("the rival wrote nothing")
		}
		if kept := parse(t, w.get(cliFile)).Root().Get("kept").Raw(); !bytes.Equal(kept, []byte("1.0")) {
			t.Errorf("the unknown member: got %s, want 1.0", kept)
		}
	})
}

// TestRivalInBetween makes another program write after the edit was computed:
// the edit starts again from what that program wrote.
func TestRivalInBetween(t *testing.T) {
	t.Run("B045 a foreign write between read and replace stays", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, `{"theirs": 0}`)
		calls := 0
		got, err := w.engine.change(t.Context(), Call{}, edit{
			document: cliConfig, section: "mcp", effect: NeedsRestart,
			apply: func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
				if calls++; calls <= 3 {
					if err := os.WriteFile(w.path(cliFile), fmt.Appendf(nil, `{"theirs": %d, "more": %d}`, calls, calls), 0o600); err != nil {
						return nil, nil, err
					}
				}
				next, err := d.Set(jsonedit.Path{"mcp"}, []byte("{}"))
				return next, []string{fmt.Sprint("note of call ", calls)}, err
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "the file", w.get(cliFile), `{"theirs": 3, "more": 3, "mcp": {}}`)
		w.keeps(got.Backup, `{"theirs": 3, "more": 3}`)
		hasOnly(t, "also", got.Also, "note of call 4")
	})
	t.Run("B045 a foreign write that fails the precondition", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, `{"mcp": {}}`)
		const foreign = `{"mcp": {"servers": {"theirs": {"command": "c"}}}}`
		calls := 0
		_, err := w.engine.change(t.Context(), Call{IfMatch: w.tag(cliFile)}, edit{
			document: cliConfig, section: "mcp", effect: NeedsRestart,
			apply: func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
				if calls++; calls == 1 {
					if err := os.WriteFile(w.path(cliFile), []byte(foreign), 0o600); err != nil {
						return nil, nil, err
					}
				}
				next, err := d.Set(jsonedit.Path{"mcp", "servers"}, []byte("{}"))
				return next, nil, err
			},
		})
		if got := Describe(err); got.Code != CodeConflict || got.ETag != w.tag(cliFile) {
			t.Errorf("got %+v, want %s with the etag of now", got, CodeConflict)
		}
		same(t, "the file", w.get(cliFile), foreign)
	})
}
