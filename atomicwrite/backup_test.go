package atomicwrite_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/atomicwrite"
)

var noon = time.Date(2026, 9, 22, 12, 0, 0, 0, time.UTC)

func at(now time.Time) atomicwrite.Writer {
	return atomicwrite.Writer{Now: func() time.Time { return now }}
}

func stamps(t *testing.T, path string) (list []string) {
	t.Helper()
	backups, err := atomicwrite.Backups(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range backups {
		list = append(list, b.Stamp)
	}
	return list
}

func TestBackupsRotate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "0")
	for i := 1; i <= 8; i++ {
		update(t, at(noon.Add(time.Duration(i)*time.Second)), atomicwrite.Request{Path: path, Edit: constant(strconv.Itoa(i))})
	}
	got, err := atomicwrite.Backups(path)
	if err != nil {
		t.Fatal(err)
	}
	var want []atomicwrite.Backup
	for i := 8; i >= 4; i-- {
		stamp := "2026-09-22T12-00-0" + strconv.Itoa(i) + "-000Z"
		want = append(want, atomicwrite.Backup{Path: path + ".bak-" + stamp, Stamp: stamp, Created: noon.Add(time.Duration(i) * time.Second), Size: 1})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Backups (-want +got):\n%s", diff)
	}
	for i, b := range got {
		if held := read(t, b.Path); held != strconv.Itoa(7-i) {
			t.Errorf("%s holds %q, want %d", b.Stamp, held, 7-i)
		}
	}
}

func TestBackupsWithinOneMillisecond(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "0")
	for i := 1; i <= 3; i++ {
		update(t, at(noon), atomicwrite.Request{Path: path, Edit: constant(strconv.Itoa(i))})
	}
	want := []string{"2026-09-22T12-00-00-002Z", "2026-09-22T12-00-00-001Z", "2026-09-22T12-00-00-000Z"}
	if got := stamps(t, path); !slices.Equal(got, want) {
		t.Errorf("stamps %q, want %q", got, want)
	}
	if got := read(t, path+".bak-"+want[2]); got != "0" {
		t.Errorf("the first backup holds %q: it was written over", got)
	}
}

func TestOldBackupsGoButNeverTheNewOne(t *testing.T) {
	for _, c := range []struct {
		name string
		age  time.Duration
		kept bool
	}{
		{"90 days", 90 * 24 * time.Hour, true},
		{"older", 90*24*time.Hour + time.Millisecond, false},
		{"from the future", -time.Hour, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.json")
			write(t, path, "0")
			first := update(t, at(noon.Add(-c.age)), atomicwrite.Request{Path: path, Edit: constant("1")}).Backup
			update(t, at(noon.Add(-2*time.Hour)), atomicwrite.Request{Path: path, Edit: constant("between")})
			last := update(t, at(noon), atomicwrite.Request{Path: path, Edit: constant("2")}).Backup
			if _, err := os.Stat(first); (err == nil) != c.kept {
				t.Errorf("old backup: %v, want kept %v", err, c.kept)
			}
			if _, err := os.Stat(last); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("clock set back", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "config.json")
		write(t, path, "0")
		for i := range 6 {
			update(t, at(noon.Add(time.Duration(i)*time.Second)), atomicwrite.Request{Path: path, Edit: constant(strconv.Itoa(i + 1))})
		}
		made := update(t, at(noon.Add(-time.Hour)), atomicwrite.Request{Path: path, Edit: constant("7")}).Backup
		if got := read(t, made); got != "6" {
			t.Errorf("the backup just made holds %q", got)
		}
		if got := stamps(t, path); len(got) != 5 {
			t.Errorf("%d backups, want 5: %q", len(got), got)
		}
	})
}

func TestForeignNamesAreNoBackups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "0")
	foreign := []string{
		"config.json.bak-",
		"config.json.bak-mine",
		"config.json.bak-2020-01-01",
		"config.json.bak-2020-01-01T00-00-00-000Z.old",
		"config.json.bak-2020-01-01T00-00-00.000Z",
		"config.json.bak-2020-01-01T00-00-00,000Z",
		"config.json.bak-2020-13-01T00-00-00-000Z",
		"config.json.bak-2020-02-30T00-00-00-000Z",
		"config.json.bak-2020-01-01T24-00-00-000Z",
		"config.json.bak-2020-01-01T00-00-00-00xZ",
		"config.json.bak-2020-01-01t00-00-00-000z",
		"Xconfig.json.bak-2020-01-01T00-00-00-000Z",
		"config.json.corrupt-0123456789abcdef01234567.bak",
		"other.json.bak-2020-01-01T00-00-00-000Z",
	}
	for _, name := range foreign {
		write(t, filepath.Join(filepath.Dir(path), name), "theirs")
	}
	folder := path + ".bak-2030-01-02T00-00-00-000Z" // would count as the newest
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	link := path + ".bak-2020-01-03T00-00-00-000Z" // would be too old
	if err := os.Symlink("other", link); err != nil {
		t.Fatal(err)
	}
	for i := range 7 {
		update(t, at(noon.Add(time.Duration(i)*time.Second)), atomicwrite.Request{Path: path, Edit: constant(strconv.Itoa(i + 1))})
	}
	if got := stamps(t, path); len(got) != 5 {
		t.Errorf("backups %q, want 5 of ours", got)
	}
	for _, name := range foreign {
		if got := read(t, filepath.Join(filepath.Dir(path), name)); got != "theirs" {
			t.Errorf("%s holds %q", name, got)
		}
	}
	for _, name := range []string{folder, link} {
		if _, err := os.Lstat(name); err != nil {
			t.Errorf("not ours to delete: %v", err)
		}
	}
}

func TestBackupsOfNothing(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "config.json"), filepath.Join(t.TempDir(), "none", "config.json")} {
		if got, err := atomicwrite.Backups(path); err != nil || len(got) != 0 {
			t.Errorf("Backups = %v, %v; want none", got, err)
		}
	}
}

func TestBackupIsTheDisplacedFileItself(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write(t, path, "old")
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	res := update(t, atomicwrite.Writer{}, atomicwrite.Request{Path: path, Edit: constant("new")})
	after, err := os.Stat(res.Backup)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("backup is a copy (%v), want the displaced file", err)
	}
}
