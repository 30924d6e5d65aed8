package lockfile

import (
	"context"
	"os"
	"strconv"
	"sync"
	"testing"
)

// TestProcessesExclude increments a counter file from several processes. One
// moment with two holders loses a number.
func TestProcessesExclude(t *testing.T) {
	tests := []struct {
		name  string
		queue bool
	}{
		{"with the kernel queue", true},
		{"with ZCode's lock alone", false},
	}
	const processes, times = 8, 25
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path, _ := newTarget(t)
			queueDir := ""
			if test.queue {
				queueDir = t.TempDir()
			}
			if err := os.WriteFile(path, []byte("0"), 0o600); err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			for range processes {
				all.Go(func() {
					if err := helperCommand("count", path, queueDir, strconv.Itoa(times)).Run(); err != nil {
						t.Errorf("counting process: %v", err)
					}
				})
			}
			all.Wait()
			got, err := os.ReadFile(path)
			if err != nil || string(got) != strconv.Itoa(processes*times) {
				t.Errorf("counted %s, %v; want %d", got, err, processes*times)
			}
		})
	}
}

// TestGoroutinesExclude counts in plain memory: the race detector reports two
// holders, or an order that only the files know.
func TestGoroutinesExclude(t *testing.T) {
	path, _ := newTarget(t)
	l := Locker{QueueDir: t.TempDir()}
	const goroutines, times = 8, 25
	counter := 0
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for range times {
				lease, err := l.Acquire(context.Background(), path)
				if err != nil {
					t.Error(err)
					return
				}
				counter++
				if err := lease.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if counter != goroutines*times {
		t.Errorf("counted %d, want %d", counter, goroutines*times)
	}
}
