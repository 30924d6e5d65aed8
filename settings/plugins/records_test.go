package plugins

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestWrongRecord wants a wrong record to cost only itself, and its place named.
func TestWrongRecord(t *testing.T) {
	path := t.TempDir()
	with := func(members string) string { return `{"id": "a@m", "marketplace": "m", ` + members + "}" }
	at := `"installPath": ` + quote(path)
	const out = ": the record is left out"
	tests := []struct{ record, want string }{
		{`1`, "/plugins/1 must be an object" + out},
		{`null`, "/plugins/1 must be an object" + out},
		{`[]`, "/plugins/1 must be an object" + out},
		{`{}`, "/plugins/1/id must be a string" + out},
		{`{"id": 1, "marketplace": "m", ` + at + `}`, "/plugins/1/id must be a string" + out},
		{`{"id": "a@m", ` + at + `}`, "/plugins/1/marketplace must be a string" + out},
		{`{"id": "a@m", "marketplace": " ", ` + at + `}`, "/plugins/1/marketplace must not be empty" + out},
		{with(`"x": 1`), "/plugins/1/installPath must be a string" + out},
		{with(`"installPath": ""`), "/plugins/1/installPath must not be empty" + out},
		{with(`"installPath": "cache/m/a"`), "/plugins/1/installPath must be absolute" + out},
		{with(`"installPath": "../a"`), "/plugins/1/installPath must be absolute" + out},
		{with(`"installPath": ["/a"]`), "/plugins/1/installPath must be a string" + out},
		{with(at + `, "name": null`), "/plugins/1/name must be a string" + out},
		{with(at + `, "version": 2`), "/plugins/1/version must be a string" + out},
		{with(at + `, "scope": "project"`), "/plugins/1/scope must be user or workspace" + out},
		{with(at + `, "scope": true`), "/plugins/1/scope must be a string" + out},
		{with(at + `, "scope": "workspace", "projectPath": {}`), "/plugins/1/projectPath must be a string" + out},
	}
	for _, tt := range tests {
		storage := t.TempDir()
		for _, name := range []string{"first", "last"} {
			write(t, storage, files{name + "/.zcode-plugin/plugin.json": `{"name": "` + name + `"}`})
		}
		install(t, storage, record("first@m", filepath.Join(storage, "first"), ""), tt.record, record("last@m", filepath.Join(storage, "last"), ""))
		list, problems := Read(storage, "")
		if len(list) != 2 || list[0].ID != "first@m" || list[1].ID != "last@m" {
			t.Errorf("%s: got %v, want the first and the last plugin", tt.record, list)
		}
		checkTold(t, storage, problems, recordsFile+tt.want)
	}
}

func TestWrongRecordHasAPosition(t *testing.T) {
	storage := t.TempDir()
	install(t, storage, "1", record("a@m", "relative", ""))
	_, problems := Read(storage, "")
	var got []string
	for _, p := range problems {
		got = append(got, strings.TrimPrefix(p.Error(), filepath.Join(storage, recordsFile)))
	}
	want := []string{
		": /plugins/0 (line 1, column 28) must be an object: the record is left out",
		": /plugins/1/installPath (line 2, column 48) must be absolute: the record is left out",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestWrongRecordsFile(t *testing.T) {
	const none = "/plugins must be an array: ZCode sees no installed plugin"
	tests := []struct{ text, want string }{
		{``, " the file is empty"},
		{`{"plugins": [`, " the file ends too early: it may be cut short"},
		{`[]`, none},
		{`{}`, none},
		{`{"plugins": {"a@m": {"installPath": "/a"}}}`, none},
		{"\ufeff" + `{"plugins": []}`, " begins with a byte order mark, which ZCode cannot read: remove it"},
		{`{"plugins": []}` + strings.Repeat(" ", maxRecords), " is larger than 16384 KiB: it is not read"},
	}
	for _, tt := range tests {
		storage := t.TempDir()
		write(t, storage, files{recordsFile: tt.text})
		list, problems := Read(storage, "")
		if len(list) > 0 || len(problems) != 1 || !strings.HasPrefix(told(storage, problems)[0], recordsFile+tt.want) {
			t.Errorf("%.40s: got %v and %q, want %q", tt.text, list, told(storage, problems), tt.want)
		}
	}
	storage := t.TempDir()
	write(t, storage, files{recordsFile + "/x": ""})
	_, problems := Read(storage, "")
	checkTold(t, storage, problems, recordsFile+" is not a regular file")
}

func TestVersionOfAPlugin(t *testing.T) {
	tests := []struct{ folder, more, manifest, want string }{
		{"1.2.3", `"version": "4.5"`, `"6"`, "4.5"},
		{"1.2.3", ``, `"6"`, "1.2.3"},
		{"v2.0", ``, `"6"`, "v2.0"},
		{"tools", ``, `"6"`, "6"},
		{"v", ``, `"6"`, "6"},
		{"tools", `"version": ""`, `7`, ""},
	}
	for _, tt := range tests {
		storage := t.TempDir()
		dir := filepath.Join(storage, tt.folder)
		write(t, dir, files{".zcode-plugin/plugin.json": `{"name": "a", "version": ` + tt.manifest + "}"})
		install(t, storage, record("a@m", dir, tt.more))
		if list, _ := Read(storage, ""); len(list) != 1 || list[0].Version != tt.want {
			t.Errorf("folder %s, record %s, manifest %s: got %+v, want version %q", tt.folder, tt.more, tt.manifest, list, tt.want)
		}
	}
}

// TestManyRecords would take minutes if the work grew with the square of their
// number.
func TestManyRecords(t *testing.T) {
	const count, present = 10_000, 500
	storage := t.TempDir()
	records := make([]string, count)
	for i := range records {
		dir := filepath.Join(storage, fmt.Sprintf("p%d", i))
		records[i] = record(fmt.Sprintf("p%d@m", i), dir, `"version": "1.0.0"`)
		if i < present {
			write(t, dir, files{".zcode-plugin/plugin.json": fmt.Sprintf(`{"name": "p%d"}`, i), "skills/s/SKILL.md": ""})
		}
		if i >= count/2 {
			records[i] = `{"id": false}`
		}
	}
	install(t, storage, records...)
	start := time.Now()
	list, problems := Read(storage, "")
	const most = 20 * time.Second
	if took := time.Since(start); took > most {
		t.Errorf("took %v, want less than %v", took, most)
	}
	if len(list) != count/2 || list[0].Contents.Skills == nil || list[present].Ignored == "" {
		t.Errorf("got %d plugins, want %d, the first %d good", len(list), count/2, present)
	}
	if got, want := len(problems), maxProblems+1; got != want {
		t.Fatalf("told %d problems, want %d", got, want)
	}
	want := fmt.Sprintf("%d more problems are not listed: solve these first", count-present-maxProblems)
	if got := problems[maxProblems].Error(); got != want {
		t.Errorf("last problem %q, want %q", got, want)
	}
}
