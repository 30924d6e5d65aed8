package home

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const tables = "u/.zcode/v2/runtime/provider/"

func TestBuiltinProviderTables(t *testing.T) {
	w := newWorld(t)
	w.env["HOME"] = w.path("u")
	l := w.resolve()
	if got := l.BuiltinProviderTables(); len(got) != 0 {
		t.Errorf("before there is any: %q", got)
	}

	day := time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
	for name, written := range map[string]time.Time{
		"linux-x86_64/3.9.0/endpoint-a/zcode-builtin.json":          day.Add(9 * time.Hour),
		"linux-x86_64/3.14.0/endpoint-a/zcode-builtin.json":         day,
		"linux-x86_64/3.14.0/endpoint-b/zcode-builtin.json":         day.Add(time.Hour),
		"linux-x86_64/3.15.0-beta.2/endpoint-a/zcode-builtin.json":  day,
		"linux-x86_64/3.14.0/endpoint-a/zcode-builtin-refresh.json": day,
		"linux-x86_64/3.14.0/zcode-builtin.json":                    day,
		"linux-x86_64/3.14.0/endpoint-a/deep/zcode-builtin.json":    day,
	} {
		if err := os.Chtimes(w.write(tables+name, "{}"), written, written); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		w.path(tables + "linux-x86_64/3.15.0-beta.2/endpoint-a/zcode-builtin.json"),
		w.path(tables + "linux-x86_64/3.14.0/endpoint-b/zcode-builtin.json"),
		w.path(tables + "linux-x86_64/3.14.0/endpoint-a/zcode-builtin.json"),
		w.path(tables + "linux-x86_64/3.9.0/endpoint-a/zcode-builtin.json"),
	}
	if diff := cmp.Diff(want, l.BuiltinProviderTables()); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}

	w.env["ZCODE_BUILTIN_PROVIDER_CONFIG_FILE"] = want[2]
	want[0], want[1], want[2] = want[2], want[0], want[1]
	if diff := cmp.Diff(want, w.resolve().BuiltinProviderTables()); diff != "" {
		t.Errorf("tables with one named by its variable (-want +got):\n%s", diff)
	}
}

func TestBuiltinProviderTablesStayInside(t *testing.T) {
	w := newWorld(t)
	w.env["HOME"] = w.path("u")
	inside := w.write(tables+"p/1.0.0/e/zcode-builtin.json", "{}")
	outside := w.write("outside/2.0.0/e/zcode-builtin.json", "{}")
	if err := os.MkdirAll(w.path(tables+"p/3.0.0/e/zcode-builtin.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(w.path(tables+"p/4.0.0/e"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		tables + "q":                            w.path("outside"),
		tables + "p/4.0.0/e/zcode-builtin.json": outside,
	} {
		if err := os.Symlink(target, w.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{inside}, w.resolve().BuiltinProviderTables()); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
}

func TestBuiltinProviderTablesFollowTheDataBase(t *testing.T) {
	w := newWorld(t)
	w.env["HOME"], w.env["ZCODE_DATA_BASE_DIR"] = w.path("u"), w.path("b")
	w.write(tables+"p/1.0.0/e/zcode-builtin.json", "{}")
	want := w.write("b/.zcode/v2/runtime/provider/p/1.0.0/e/zcode-builtin.json", "{}")
	if diff := cmp.Diff([]string{want}, w.resolve().BuiltinProviderTables()); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
}

func TestCompareVersions(t *testing.T) {
	ascending := []string{"1.0.0", "3.9.0", "3.009.1", "3.10.0-alpha", "3.10.0-beta.2", "3.10.0-beta.10", "3.10.0", "3.10.0.1", "3.14.0", "18446744073709551617.0.0"}
	for i, a := range ascending {
		for j, b := range ascending {
			if got, want := compareVersions(a, b), compareInts(i, j); got != want {
				t.Errorf("compareVersions(%s, %s) = %d, want %d", a, b, got, want)
			}
		}
	}
}

func compareInts(i, j int) int {
	switch {
	case i < j:
		return -1
	case i > j:
		return 1
	}
	return 0
}

// Sorting needs an order, whatever the folders are called.
func TestVersionsAreOrdered(t *testing.T) {
	version := rapid.StringMatching(`[0-9a-c]{0,2}(\.[0-9a]{0,2}){0,2}(-[0-9a.]{0,3})?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := version.Draw(t, "a"), version.Draw(t, "b"), version.Draw(t, "c")
		if ab, ba := compareVersions(a, b), compareVersions(b, a); ab != -ba {
			t.Errorf("%q against %q is %d, the reverse %d", a, b, ab, ba)
		}
		if compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0 && compareVersions(a, c) > 0 {
			t.Errorf("%q, %q, %q are in no order", a, b, c)
		}
	})
}
