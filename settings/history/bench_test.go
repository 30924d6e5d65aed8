package history

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkAppend stands beside its floor: one write and one sync of as many bytes.
func BenchmarkAppend(b *testing.B) {
	b.Run("floor", func(b *testing.B) {
		_, line, err := encode(Entry{ID: "1", Time: start, Files: sample})
		if err != nil {
			b.Fatal(err)
		}
		f, err := os.OpenFile(filepath.Join(b.TempDir(), "f"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		for b.Loop() {
			if _, err := f.Write(line); err != nil {
				b.Fatal(err)
			}
			if err := f.Sync(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("history", func(b *testing.B) {
		s := Store{Dir: b.TempDir()}
		for b.Loop() {
			if _, err := s.Append(ctx, Entry{Files: sample}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkList reads a history that is as long as it gets.
func BenchmarkList(b *testing.B) {
	s := Store{Dir: b.TempDir()}
	for range 550 {
		if _, err := s.Append(ctx, Entry{Files: sample}); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if list, err := s.List(ctx); len(list) != 550 || err != nil {
			b.Fatal(len(list), err)
		}
	}
}
