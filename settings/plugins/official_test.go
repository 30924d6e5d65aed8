package plugins

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const bundledFile = "marketplaces/zcode-plugins-official/bundled-marketplace.json"

// official makes a storage folder whose cache has versions of official plugins.
func officialCache(t testing.TB, versions ...string) (storage, cache string) {
	t.Helper()
	storage = t.TempDir()
	cache = filepath.Join(storage, "cache", "zcode-plugins-official")
	for _, version := range versions {
		name, _, _ := strings.Cut(version, "/")
		write(t, cache, files{version + "/.zcode-plugin/plugin.json": fmt.Sprintf(`{"name": %q}`, name)})
	}
	return storage, cache
}

// found lists ids and versions.
func found(list List) (ids []string) {
	for _, p := range list {
		ids = append(ids, p.ID+" "+p.Version)
	}
	return ids
}

func TestBundledVersionIsTheCurrentOne(t *testing.T) {
	storage, cache := officialCache(t, "pdf/9.0.0", "pdf/10.0.0", "documents/1.0.0", "old/1.0.0", "x/y/1.0.0")
	entry := func(name, path string) string {
		return fmt.Sprintf(`{"name": %q, "cachePath": %s}`, name, quote(path))
	}
	entries := []string{
		entry("pdf", filepath.Join(cache, "pdf", "9.0.0")),
		entry("documents", filepath.Join(cache, "documents", "1.0.0")),
		entry("old", filepath.Join(cache, "pdf", "9.0.0")), // below another plugin
		entry("old", filepath.Join(cache, "old")),          // the folder of all versions
		entry("old", cache+"/old/../../../../p"),           // outside
		entry("..", filepath.Join(storage, "cache", "p")),  // outside
		entry("", filepath.Join(cache, "old", "1.0.0")),    // no name
		`{"name": "old"}`, `{"name": "old", "cachePath": "1.0.0"}`, // no path, a relative one
		`7`,
	}
	write(t, storage, files{bundledFile: `{"version": 1, "manifest": {"plugins": [` + strings.Join(entries, ",") + `]}}`})
	list, problems := Read(storage, "/anywhere")
	want := []string{"pdf@zcode-plugins-official 9.0.0", "documents@zcode-plugins-official 1.0.0"}
	if diff := cmp.Diff(want, found(list)); diff != "" {
		t.Errorf("plugins (-want +got):\n%s", diff)
	}
	checkTold(t, storage, problems)
}

func TestNewestOfficialVersion(t *testing.T) {
	want := []string{"documents@zcode-plugins-official 1.0.0", "pdf@zcode-plugins-official 10.0.0"}
	tests := []struct{ bundled, problem string }{
		{"", ""},
		{`{"version": 2, "manifest": {"plugins": []}}`, ""},
		{`{"version": 1, "manifest": []}`, ""},
		{`[]`, ""},
		{`{`, bundledFile + " the file ends too early: it may be cut short"},
	}
	for _, tt := range tests {
		storage, _ := officialCache(t, "pdf/9.0.0", "pdf/10.0.0", "pdf/.tmp-11.0.0", "documents/1.0.0")
		write(t, storage, files{"cache/zcode-plugins-official/pdf/11.0.0": "a file", "cache/zcode-plugins-official/empty/x": ""})
		if tt.bundled != "" {
			write(t, storage, files{bundledFile: tt.bundled})
		}
		list, problems := Read(storage, "")
		if diff := cmp.Diff(want, found(list)); diff != "" {
			t.Errorf("%s: plugins (-want +got):\n%s", tt.bundled, diff)
		}
		if got := strings.Join(told(storage, problems), "\n"); got != tt.problem {
			t.Errorf("%s: told %q, want %q", tt.bundled, got, tt.problem)
		}
	}
}

func TestOfficialGoesBeforeInstalled(t *testing.T) {
	storage, cache := officialCache(t, "pdf/1.0.0")
	other := filepath.Join(storage, "other")
	write(t, other, files{".zcode-plugin/plugin.json": `{"name": "pdf"}`})
	install(t, storage, record("pdf@zcode-plugins-official", other, `"version": "2.0.0"`))
	list, problems := Read(storage, "")
	if diff := cmp.Diff([]string{"pdf@zcode-plugins-official 1.0.0"}, found(list)); diff != "" {
		t.Errorf("plugins (-want +got):\n%s", diff)
	}
	checkTold(t, storage, problems, "other holds the same plugin as "+filepath.Join(cache, "pdf", "1.0.0")+", which ZCode takes although it is older (1.0.0, not 2.0.0)")
}
