//go:build unix

package agents

import (
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A FIFO that takes the place of a file or folder after it was seen is not waited
// for.
func TestOpenDoesNotWaitForAFIFO(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.md")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := openRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for what, open := range map[string]func() error{
		"file":   func() error { _, err := readText(r, "a.md", MaxFileSize); return err },
		"folder": func() error { _, err := openFolder(r, "a.md"); return err },
	} {
		done := make(chan error, 1)
		go func() { done <- open() }()
		select {
		case err := <-done:
			if err == nil {
				t.Errorf("%s: want an error", what)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%s: opening waits for a writer", what)
			if fd, err := unix.Open(path, unix.O_WRONLY|unix.O_NONBLOCK, 0); err == nil { // let it end
				unix.Close(fd)
			}
			<-done
		}
	}
	if files := scan(t, dir); len(files) != 0 {
		t.Errorf("got %v, want no file", rels(files))
	}
}
