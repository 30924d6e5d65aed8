package atomicwrite_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"zcode-acp/atomicwrite"
)

// The ratio of BenchmarkUpdate to BenchmarkFloor at the same size is what detection and backups cost.

func sizes(b *testing.B, run func(b *testing.B, path string, contents [2][]byte)) {
	for _, kb := range []int{1, 100} {
		b.Run(fmt.Sprintf("%dKB", kb), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "config.json")
			contents := [2][]byte{bytes.Repeat([]byte("a"), kb<<10), bytes.Repeat([]byte("b"), kb<<10)}
			if err := os.WriteFile(path, contents[1], 0o600); err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			run(b, path, contents)
		})
	}
}

func BenchmarkFloor(b *testing.B) {
	sizes(b, func(b *testing.B, path string, contents [2][]byte) {
		for i := range b.N {
			if err := durableReplace(path, contents[i%2]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// durableReplace is the least that a durable replace takes: temporary file, sync, rename, sync of the folder.
func durableReplace(path string, content []byte) error {
	temp := path + ".floor"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

func BenchmarkUpdate(b *testing.B) { benchmarkUpdate(b, false) }

func BenchmarkUpdateNoBackup(b *testing.B) { benchmarkUpdate(b, true) }

func benchmarkUpdate(b *testing.B, noBackup bool) {
	sizes(b, func(b *testing.B, path string, contents [2][]byte) {
		for i := range b.N {
			_, err := atomicwrite.Writer{}.Update(b.Context(), atomicwrite.Request{
				Path:     path,
				NoBackup: noBackup,
				Edit:     func([]byte, bool) ([]byte, error) { return contents[i%2], nil },
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	sizes(b, func(b *testing.B, path string, _ [2][]byte) {
		for range b.N {
			if _, err := (atomicwrite.Writer{}).Read(b.Context(), path, nil, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}
