//go:build unix

package atomicwrite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"zcode-acp/atomicwrite"
)

func TestResolve(t *testing.T) {
	dir := tree(t)
	link := func(name, to string) string {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	long := "real.json"
	for i := range 60 {
		name := "long" + strings.Repeat("x", i)
		link(name, long)
		long = name
	}
	for _, c := range []struct {
		name, path, want string
		err              error
	}{
		{"file", filepath.Join(dir, "real.json"), "real.json", nil},
		{"missing", filepath.Join(dir, "none.json"), "none.json", nil},
		{"missing folder", filepath.Join(dir, "none/none.json"), "none/none.json", nil},
		{"absolute link", filepath.Join(dir, "third"), "sub/real.json", nil},
		{"chain", filepath.Join(dir, "second"), "sub/real.json", nil},
		{"linked folder", filepath.Join(dir, "away/new.json"), "elsewhere/inner/new.json", nil},
		{"dots behind a linked folder", dir + "/away/../real.json", "elsewhere/real.json", nil},
		{"dangling", link("d1", "sub/new.json"), "sub/new.json", nil},
		{"dangling chain", link("d2", "d1"), "sub/new.json", nil},
		{"itself", link("l1", "l1"), "", atomicwrite.ErrLoop},
		{"circle", link("l2", link("l3", "l2")), "", atomicwrite.ErrLoop},
		{"circle of folders", filepath.Join(link("l4", "l4"), "x"), "", atomicwrite.ErrLoop},
		{"too many links", filepath.Join(dir, long), "", atomicwrite.ErrLoop},
		{"folder", filepath.Join(dir, "sub"), "", atomicwrite.ErrIrregular},
		{"folder with slash", filepath.Join(dir, "sub") + "/", "", atomicwrite.ErrIrregular},
		{"link to a folder", filepath.Join(dir, "away"), "", atomicwrite.ErrIrregular},
		{"FIFO", fifo, "", atomicwrite.ErrIrregular},
		{"link to a FIFO", link("f", "fifo"), "", atomicwrite.ErrIrregular},
		{"device", "/dev/null", "", atomicwrite.ErrIrregular},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := ""
			if c.err == nil {
				want = filepath.Join(dir, c.want)
			}
			got, err := atomicwrite.Resolve(c.path)
			if got != want || !errors.Is(err, c.err) {
				t.Errorf("Resolve = %q, %v; want %q, %v", got, err, want, c.err)
			}
			if c.err == nil {
				return
			}
			if errors.Is(c.err, atomicwrite.ErrLoop) && !errors.Is(err, syscall.ELOOP) {
				t.Errorf("error %v does not wrap ELOOP", err)
			}
			if _, err := (atomicwrite.Writer{}).Read(t.Context(), c.path, nil, 0); !errors.Is(err, c.err) {
				t.Errorf("Read: error %v, want %v", err, c.err)
			}
			_, err = atomicwrite.Writer{}.Update(t.Context(), atomicwrite.Request{Path: c.path, Edit: constant("new")})
			if !errors.Is(err, c.err) || !strings.HasPrefix(err.Error(), "writing "+c.path+": ") {
				t.Errorf("Update: error %v, want %v", err, c.err)
			}
		})
	}
}

func TestResolveRelative(t *testing.T) {
	dir := tree(t)
	t.Chdir(dir)
	for path, want := range map[string]string{"real.json": "real.json", "third": "sub/real.json", "./sub/../real.json": "real.json"} {
		got, err := atomicwrite.Resolve(path)
		if err != nil || got != filepath.Join(dir, want) {
			t.Errorf("Resolve(%q) = %q, %v; want %q", path, got, err, filepath.Join(dir, want))
		}
	}
}
