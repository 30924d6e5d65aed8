package atomicwrite_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/atomicwrite"
)

func TestUpdateReplacesAndKeepsABackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	w := atomicwrite.Writer{Now: func() time.Time { return time.Date(2026, 9, 22, 16, 10, 0, 0, time.FixedZone("", 7200)) }}
	got := update(t, w, atomicwrite.Request{Path: path, Edit: constant("new")})
	backup := path + ".bak-2026-09-22T14-10-00-000Z"
	want := atomicwrite.Result{Real: path, Old: []byte("old"), New: []byte("new"), Existed: true, Changed: true, Backup: backup}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Result (-want +got):\n%s", diff)
	}
	if got := read(t, path); got != "new" {
		t.Errorf("file holds %q, want new", got)
	}
	if got := read(t, backup); got != "old" {
		t.Errorf("backup holds %q, want old", got)
	}
	if got := names(t, path); len(got) != 1 {
		t.Errorf("beside the file: %q, want the backup only", got)
	}
}

func TestUpdateWithoutBackup(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	res := update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: path, Edit: constant("new"), NoBackup: true})
	if got := names(t, path); len(got) != 0 || res.Backup != "" {
		t.Errorf("beside the file: %q, Backup %q, want nothing", got, res.Backup)
	}
}

func TestUpdateCreates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	res := update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: path, Edit: func(old []byte, exists bool) ([]byte, error) {
		if exists || old != nil {
			t.Errorf("Edit(%q, %v), want nil, false", old, exists)
		}
		return []byte("new"), nil
	}})
	want := atomicwrite.Result{Real: path, New: []byte("new"), Changed: true}
	if diff := cmp.Diff(want, res); diff != "" {
		t.Errorf("Result (-want +got):\n%s", diff)
	}
	if got := mode(t, path); got != 0o600 {
		t.Errorf("mode %v, want 0600", got)
	}
	if got := names(t, path); len(got) != 0 {
		t.Errorf("beside the file: %q", got)
	}
}

func TestUpdateThatChangesNothingWritesNothing(t *testing.T) {
	for name, edit := range map[string]func([]byte, bool) ([]byte, error){
		"nil":  func([]byte, bool) ([]byte, error) { return nil, nil },
		"same": func(old []byte, _ bool) ([]byte, error) { return bytes.Clone(old), nil },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.json")
			write(t, path, "old")
			past := time.Now().Add(-time.Hour).Truncate(time.Second)
			if err := os.Chtimes(path, past, past); err != nil {
				t.Fatal(err)
			}
			var ops operations
			res := update(t, atomicwrite.Writer{Fault: ops.fault}, atomicwrite.Request{Path: path, Edit: edit})
			want := atomicwrite.Result{Real: path, Old: []byte("old"), New: []byte("old"), Existed: true}
			if diff := cmp.Diff(want, res); diff != "" {
				t.Errorf("Result (-want +got):\n%s", diff)
			}
			if info, _ := os.Stat(path); !info.ModTime().Equal(past) || len(names(t, path)) != 0 {
				t.Errorf("modified %v, want %v; beside it %q", info.ModTime(), past, names(t, path))
			}
			if strings.Contains(strings.Join(ops.list, " "), "create") {
				t.Errorf("operations %q, want none that writes", ops.list)
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "config.json")
		res := update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: path, Edit: func([]byte, bool) ([]byte, error) { return nil, nil }})
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) || res.Changed {
			t.Errorf("Changed %v, stat %v, want no file", res.Changed, err)
		}
	})
}

func TestUpdateKeepsTheMode(t *testing.T) {
	for _, perm := range []fs.FileMode{0o600, 0o400, 0o644, 0o640, 0o666, 0o755} {
		t.Run(perm.String(), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.json")
			write(t, path, "old")
			if err := os.Chmod(path, perm); err != nil {
				t.Fatal(err)
			}
			created := fs.FileMode(0)
			var ops operations
			w := atomicwrite.Writer{Fault: func(op, at string) error {
				if op == "write" {
					created = mode(t, at)
				}
				return ops.fault(op, at)
			}}
			res := update(t, w, atomicwrite.Request{Path: path, Edit: constant("new")})
			if got := mode(t, path); got != perm {
				t.Errorf("file has mode %v, want %v", got, perm)
			}
			if got := mode(t, res.Backup); got != perm {
				t.Errorf("backup has mode %v, want %v", got, perm)
			}
			if created&^perm != 0 && created != 0o600 {
				t.Errorf("temporary file had mode %v while it was written, wider than %v", created, perm)
			}
		})
	}
}

func mode(t testing.TB, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestTemporaryFileIsPrivateFromBirth(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	seen := false
	w := atomicwrite.Writer{Fault: func(op, at string) error {
		if op == "chmod" {
			seen = true
			if got := mode(t, at); got != 0o600 {
				t.Errorf("born with mode %v, want 0600", got)
			}
		}
		return nil
	}}
	update(t, w, atomicwrite.Request{Path: path, Edit: constant("new")})
	if !seen {
		t.Error("the mode was never set")
	}
}

func TestUpdateWarnsOfHardLinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	if err := os.Link(path, path+".other"); err != nil {
		t.Fatal(err)
	}
	res := update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: path, Edit: constant("new")})
	if len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "hard link") {
		t.Errorf("Warnings %q, want one of the hard link", res.Warnings)
	}
	if got := read(t, path+".other"); got != "old" {
		t.Errorf("other name holds %q, want old", got)
	}
}

func TestUpdateWritesThroughLinks(t *testing.T) {
	for _, c := range []struct{ name, link, real string }{
		{"relative", "real.json", "real.json"},
		{"other folder", "sub/real.json", "sub/real.json"},
		{"chain", "second", "sub/real.json"},
		{"through a linked folder", "away/../real.json", "elsewhere/real.json"},
		{"dangling", "sub/missing.json", "sub/missing.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tree(t)
			link, real := filepath.Join(dir, "config.json"), filepath.Join(dir, filepath.FromSlash(c.real))
			if err := os.Symlink(c.link, link); err != nil {
				t.Fatal(err)
			}
			res := update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: link, Edit: constant("new")})
			if got := read(t, real); got != "new" || res.Real != real {
				t.Errorf("%s holds %q, Real %s", real, got, res.Real)
			}
			if got, err := os.Readlink(link); err != nil || got != c.link {
				t.Errorf("link leads to %q, %v; want %q", got, err, c.link)
			}
			if res.Backup != "" && filepath.Dir(res.Backup) != filepath.Dir(real) {
				t.Errorf("backup %s is not beside the real file", res.Backup)
			}
		})
	}
}

// tree makes a folder with files and links that the tests of links use.
func tree(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{"sub", "elsewhere/inner"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"real.json", "sub/real.json", "elsewhere/real.json"} {
		write(t, filepath.Join(dir, file), "old")
	}
	for link, to := range map[string]string{"second": "third", "third": filepath.Join(dir, "sub/real.json"), "away": "elsewhere/inner"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestUpdateStopsForItsCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	for _, c := range []struct {
		name string
		ctx  context.Context
		r    atomicwrite.Request
		want error
	}{
		{"edit", t.Context(), atomicwrite.Request{Edit: func([]byte, bool) ([]byte, error) { return []byte("new"), errBoom }}, errBoom},
		{"before commit", t.Context(), atomicwrite.Request{Edit: constant("new"), BeforeCommit: func() error { return errBoom }}, errBoom},
		{"context", ctx, atomicwrite.Request{Edit: constant("new"), BeforeCommit: func() error { cancel(); return nil }}, context.Canceled},
	} {
		for _, exists := range []bool{true, false} {
			path := filepath.Join(t.TempDir(), "config.json")
			if exists {
				write(t, path, "old")
			}
			c.r.Path = path
			if _, err := (atomicwrite.Writer{}).Update(c.ctx, c.r); !errors.Is(err, c.want) {
				t.Errorf("%s: error %v, want %v", c.name, err, c.want)
			}
			if _, err := os.Stat(path); exists && read(t, path) != "old" || exists == (err != nil) || len(names(t, path)) != 0 {
				t.Errorf("%s: file changed, or %q beside it", c.name, names(t, path))
			}
		}
	}
}

func TestBeforeCommitComesLast(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	var ops operations
	at := 0
	update(t, atomicwrite.Writer{Fault: ops.fault}, atomicwrite.Request{Path: path, Edit: constant("new"), BeforeCommit: func() error {
		at = len(ops.list)
		return nil
	}})
	if got, want := ops.list[at:at+2], []string{"stat", "exchange"}; !cmp.Equal(got, want) {
		t.Errorf("after BeforeCommit came %q, want %q", got, want)
	}
}

func TestLimits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "12345")
	for _, c := range []struct {
		name string
		max  int64
		edit string
		want error
	}{
		{"file at the limit", 5, "54321", nil},
		{"file above", 4, "1", atomicwrite.ErrTooLarge},
		{"content above", 5, "123456", atomicwrite.ErrTooLarge},
	} {
		_, err := atomicwrite.Writer{}.Update(t.Context(), atomicwrite.Request{Path: path, MaxSize: c.max, Edit: constant(c.edit)})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
	}
	if _, err := (atomicwrite.Writer{}).Read(t.Context(), path, nil, 4); !errors.Is(err, atomicwrite.ErrTooLarge) {
		t.Errorf("Read: error %v, want %v", err, atomicwrite.ErrTooLarge)
	}
	big := filepath.Join(t.TempDir(), "big")
	write(t, big, "")
	if err := os.Truncate(big, 64<<20+1); err != nil {
		t.Fatal(err)
	}
	var ops operations
	if _, err := (atomicwrite.Writer{Fault: ops.fault}).Read(t.Context(), big, nil, 0); !errors.Is(err, atomicwrite.ErrTooLarge) {
		t.Errorf("64 MiB + 1: error %v, want %v", err, atomicwrite.ErrTooLarge)
	}
	if strings.Contains(strings.Join(ops.list, " "), "read") {
		t.Errorf("operations %q, want no read of a file that is too large", ops.list)
	}
}

// TestSyncsWhatMatters checks the order that makes a write durable, and that it costs one sync of each kind.
func TestSyncsWhatMatters(t *testing.T) {
	for _, exists := range []bool{true, false} {
		path := filepath.Join(t.TempDir(), "config.json")
		want := "write fsync rename fsyncdir"
		if exists {
			write(t, path, "old")
			want = "write fsync exchange rename fsyncdir"
		}
		var ops operations
		update(t, atomicwrite.Writer{Fault: ops.fault}, atomicwrite.Request{Path: path, Edit: constant("new")})
		var got []string
		for _, op := range ops.list {
			if strings.Contains(" write fsync exchange rename fsyncdir ", " "+op+" ") {
				got = append(got, op)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("exists %v: %q, want %q", exists, got, want)
		}
	}
}
