//go:build linux || darwin

package acp

import (
	"errors"
	"os/exec"
	"syscall"
	"testing"
)

// TestInitializeSpawnsNothing asks the system: a child that runs or has not been
// waited for is one that can be waited for, and one that was has left its use of
// memory.
func TestInitializeSpawnsNothing(t *testing.T) {
	t.Run("B007 initialize and reads spawn no process", func(t *testing.T) {
		before := useOfChildren(t)
		succeeds(t, converse(t, &Agent{Catalog: newWorld(t).catalog()}, readsOnly...))
		if _, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); !errors.Is(err, syscall.ECHILD) {
			t.Errorf("waiting for a child: got %v, want that there is none", err)
		}
		if after := useOfChildren(t); after != before {
			t.Errorf("children have faulted %d pages, before %d", after, before)
		}
	})
	t.Run("the measure sees a process", func(t *testing.T) {
		before := useOfChildren(t)
		if err := exec.Command("true").Run(); err != nil {
			t.Fatal(err)
		}
		if after := useOfChildren(t); after == before {
			t.Error("a child left no trace")
		}
	})
}

func useOfChildren(t *testing.T) int64 {
	t.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &use); err != nil {
		t.Fatal(err)
	}
	return int64(use.Minflt) + int64(use.Majflt)
}
