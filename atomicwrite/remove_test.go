//go:build unix

package atomicwrite_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/atomicwrite"
)

func remove(t *testing.T, w atomicwrite.Writer, r atomicwrite.RemoveRequest) atomicwrite.Result {
	t.Helper()
	res, err := w.Remove(t.Context(), r)
	if err != nil {
		t.Fatalf("Remove: %v", err)
	}
	return res
}

func gone(t testing.TB, path string) bool {
	t.Helper()
	_, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err != nil
}

func TestRemoveKeepsTheFileAsItsBackup(t *testing.T) {
	for _, perm := range []fs.FileMode{0o600, 0o400, 0o640, 0o644, 0o666} {
		t.Run(perm.String(), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "reviewer.md")
			write(t, path, "old")
			if err := os.Chmod(path, perm); err != nil {
				t.Fatal(err)
			}
			before, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			got := remove(t, at(noon), atomicwrite.RemoveRequest{Path: path})
			backup := path + ".bak-2026-09-22T12-00-00-000Z"
			want := atomicwrite.Result{Real: path, Old: []byte("old"), Existed: true, Changed: true, Backup: backup}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Result (-want +got):\n%s", diff)
			}
			if list := names(t, path); !gone(t, path) || len(list) != 1 {
				t.Errorf("gone %v, beside it %q; want the backup only", gone(t, path), list)
			}
			after, err := os.Stat(backup)
			if err != nil || !os.SameFile(before, after) || after.Mode() != before.Mode() || !after.ModTime().Equal(before.ModTime()) {
				t.Errorf("the backup is not the file itself as it was: %v, error %v", after, err)
			}
		})
	}
}

// TestRemoveIsDurable wants the content and then the new name synced.
func TestRemoveIsDurable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reviewer.md")
	write(t, path, "old")
	var got []string
	w := at(noon)
	w.Fault = func(op, at string) error {
		if op == "rename" || op == "fsync" || op == "fsyncdir" {
			got = append(got, op+" "+at)
		}
		return nil
	}
	backup := remove(t, w, atomicwrite.RemoveRequest{Path: path}).Backup
	if want := []string{"rename " + backup, "fsync " + backup, "fsyncdir " + filepath.Dir(path)}; !slices.Equal(got, want) {
		t.Errorf("operations %q, want %q", got, want)
	}
}

// TestRemoveOfNothing is no error; that there is nothing is made durable, for the sake of a removal that died.
func TestRemoveOfNothing(t *testing.T) {
	for _, c := range []struct {
		name, path string
		synced     bool
	}{
		{"no file", "reviewer.md", true},
		{"no folder", "none/reviewer.md", false},
	} {
		path := filepath.Join(t.TempDir(), c.path)
		var ops operations
		got := remove(t, atomicwrite.Writer{Fault: ops.fault}, atomicwrite.RemoveRequest{Path: path, Expect: func([]byte) error {
			return errBoom
		}})
		if diff := cmp.Diff(atomicwrite.Result{Real: path}, got); diff != "" {
			t.Errorf("%s: Result (-want +got):\n%s", c.name, diff)
		}
		if synced := slices.Contains(ops.list, "fsyncdir"); synced != c.synced {
			t.Errorf("%s: folder synced %v, want %v", c.name, synced, c.synced)
		}
	}
}

func TestRemoveRefused(t *testing.T) {
	var cancel context.CancelFunc
	for _, c := range []struct {
		name string
		do   func(*atomicwrite.RemoveRequest)
		want error
		text string
	}{
		{"by Expect", func(r *atomicwrite.RemoveRequest) { r.Expect = func([]byte) error { return errBoom } }, errBoom, "boom"},
		{"by BeforeCommit", func(r *atomicwrite.RemoveRequest) { r.BeforeCommit = func() error { return errBoom } }, errBoom, "boom"},
		{"too large", func(r *atomicwrite.RemoveRequest) { r.MaxSize = 2 }, atomicwrite.ErrTooLarge, "3 bytes"},
		{"ended before", func(*atomicwrite.RemoveRequest) { cancel() }, context.Canceled, "removing "},
		{"ended late", func(r *atomicwrite.RemoveRequest) { r.BeforeCommit = func() error { cancel(); return nil } }, context.Canceled, "removing "},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "reviewer.md")
			write(t, path, "old")
			var ctx context.Context
			ctx, cancel = context.WithCancel(t.Context())
			defer cancel()
			r := atomicwrite.RemoveRequest{Path: path}
			c.do(&r)
			res, err := atomicwrite.Writer{}.Remove(ctx, r)
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) || res.Changed {
				t.Errorf("Changed %v, error %v; want %v and %q", res.Changed, err, c.want, c.text)
			}
			if got := read(t, path); got != "old" || len(names(t, path)) != 0 {
				t.Errorf("file holds %q, beside it %q", got, names(t, path))
			}
		})
	}
}

// TestRemoveWaitsForAWriter has another program write the file in place, so that first half of it is there: before it is
// read, and before it is taken away, when no end of a context may stop the Remove any more.
func TestRemoveWaitsForAWriter(t *testing.T) {
	const theirs = `{"base":1,"theirs":1}`
	for _, c := range []struct {
		when string
		want []string // what Expect is asked about
	}{
		{"open", []string{theirs}},
		{"rename", []string{`{"base":1}`, theirs}},
	} {
		path := filepath.Join(t.TempDir(), "reviewer.md")
		write(t, path, `{"base":1}`)
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		begun := false
		w := atomicwrite.Writer{Fault: func(op, _ string) error {
			if op == "rename" {
				cancel()
			}
			if op != c.when || begun {
				return nil
			}
			begun = true
			return f.Truncate(5)
		}}
		valid := func(content []byte) bool {
			if whole(content) {
				return true
			}
			if _, err := f.WriteAt([]byte(theirs), 0); err != nil {
				t.Fatal(err)
			}
			return false
		}
		var j judge
		res, err := w.Remove(ctx, atomicwrite.RemoveRequest{Path: path, Valid: valid, Expect: j.expect})
		if err != nil || !res.Changed || ctx.Err() == nil {
			t.Errorf("%s: Changed %v, error %v, context %v", c.when, res.Changed, err, ctx.Err())
		}
		if !slices.Equal(j.asked, c.want) {
			t.Errorf("%s: Expect was asked about %q, want %q", c.when, j.asked, c.want)
		}
	}
}

func TestRemoveThroughLinks(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real.md")
	write(t, real, "old")
	fifo := filepath.Join(dir, "fifo.md")
	err := errors.Join(os.Symlink("real.md", filepath.Join(dir, "link.md")), os.Symlink("none", filepath.Join(dir, "dangling.md")),
		os.Symlink("link.md", filepath.Join(dir, "chain.md")), os.Mkdir(filepath.Join(dir, "folder.md"), 0o700), syscall.Mkfifo(fifo, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	const link, irregular = "it is a symbolic link: remove the link by hand, or name the file that it leads to", "move it away or give another path"
	for name, advice := range map[string]string{
		"link.md": link, "dangling.md": link, "chain.md": link, "folder.md": irregular, "fifo.md": irregular, "folder.md/": irregular,
	} {
		path := dir + "/" + name
		want := "removing " + path + ": not a regular file: " + advice + "; the file is unchanged"
		_, err := atomicwrite.Writer{}.Remove(t.Context(), atomicwrite.RemoveRequest{Path: path})
		if !errors.Is(err, atomicwrite.ErrIrregular) || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	if got := len(names(t, real)); got != 5 || read(t, real) != "old" {
		t.Errorf("beside the file %q, want all five", names(t, real))
	}
	away := filepath.Join(t.TempDir(), "away")
	if err := os.Symlink(dir, away); err != nil {
		t.Fatal(err)
	}
	res := remove(t, atomicwrite.Writer{}, atomicwrite.RemoveRequest{Path: filepath.Join(away, "real.md")})
	if res.Real != real || !gone(t, real) || read(t, res.Backup) != "old" {
		t.Errorf("through a linked folder: %+v", res)
	}
}

func TestRemoveOfAHardLinkedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reviewer.md")
	write(t, path, "old")
	other := filepath.Join(t.TempDir(), "other.md")
	if err := os.Link(path, other); err != nil {
		t.Fatal(err)
	}
	res := remove(t, atomicwrite.Writer{}, atomicwrite.RemoveRequest{Path: path})
	if len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "hard link") || read(t, other) != "old" {
		t.Errorf("Warnings %q, the other name holds %q", res.Warnings, read(t, other))
	}
}

// TestRemovedFileComesBack removes and restores a file again and again: the newest five backups stay, are listed while
// there is no file, and serve for restoring it.
func TestRemovedFileComesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reviewer.md")
	write(t, path, "0")
	write(t, path+".bak-mine", "not ours")
	var want []string
	for i := range 8 {
		now := noon.Add(time.Duration(i) * time.Minute)
		backup := remove(t, at(now), atomicwrite.RemoveRequest{Path: path}).Backup
		want = append([]string{now.Format("2006-01-02T15-04-05") + "-000Z"}, want[:min(i, 4)]...)
		if got := stamps(t, path); !gone(t, path) || !slices.Equal(got, want) {
			t.Fatalf("removal %d: gone %v, backups %q, want %q", i, gone(t, path), got, want)
		}
		if got := read(t, backup); got != fmt.Sprint(i) {
			t.Fatalf("removal %d: backup holds %q", i, got)
		}
		update(t, at(now), atomicwrite.Request{Path: path, Edit: func(_ []byte, exists bool) ([]byte, error) {
			if exists {
				t.Error("restoring: there is a file already")
			}
			return []byte(fmt.Sprint(i + 1)), nil
		}})
		if got := stamps(t, path); !slices.Equal(got, want) {
			t.Fatalf("after restoring: backups %q, want %q", got, want)
		}
	}
	if got := read(t, path+".bak-mine"); got != "not ours" {
		t.Errorf("a name of somebody else holds %q", got)
	}
}

// TestRemoveWithinOneMillisecond must not replace the backup that has the name already.
func TestRemoveWithinOneMillisecond(t *testing.T) {
	for _, mode := range removeModes {
		path := filepath.Join(t.TempDir(), "reviewer.md")
		w := at(noon)
		w.Fault = mode.fault
		for i := range 3 {
			write(t, path, fmt.Sprint(i))
			remove(t, w, atomicwrite.RemoveRequest{Path: path})
		}
		for i := range 3 {
			if got := read(t, fmt.Sprintf("%s.bak-2026-09-22T12-00-00-00%dZ", path, i)); got != fmt.Sprint(i) {
				t.Errorf("%s: backup %d holds %q", mode.name, i, got)
			}
		}
		if left := temps(t, path); len(left) != 0 {
			t.Errorf("%s: left behind %q", mode.name, left)
		}
	}
}
