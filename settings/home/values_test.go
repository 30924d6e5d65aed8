package home

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// aged makes a file look as if nobody were writing it any more.
func (w *world) aged(name, content string) string {
	w.t.Helper()
	path := w.write(name, content)
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func TestUnusableFilesCountAsUnset(t *testing.T) {
	const secret = "sk-not-for-notes"
	for _, tt := range []struct{ name, setting, cli, note string }{
		{"byte order mark", "\xef\xbb\xbf" + `{"dataBaseDir":"/b"}`, "\xef\xbb\xbf" + `{"storage":{"dir":"/b"}}`, "byte order mark"},
		{"truncated", `{"dataBaseDir":"/b","k":"` + secret, `{"storage":{"dir":"/b"},"k":"` + secret, "does not hold a JSON object"},
		{"trailing text", `{"dataBaseDir":"/b"} ` + secret, `{"storage":{"dir":"/b"}} ` + secret, "does not hold a JSON object"},
		{"comment", `{"dataBaseDir":"/b"} // x`, `{"storage":{"dir":"/b"}} // x`, "does not hold a JSON object"},
		{"empty", ``, ``, "does not hold a JSON object"},
		{"array", `["` + secret + `"]`, `["` + secret + `"]`, "does not hold a JSON object"},
		{"null", `null`, `null`, "does not hold a JSON object"},
		{"no string", `{"dataBaseDir":["` + secret + `"]}`, `{"storage":{"dir":7}}`, "is not a string"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.env["HOME"] = w.path("u")
			setting := w.aged("u/.zcode/v2/setting.json", tt.setting)
			cli := w.aged("u/.zcode/cli/config.json", tt.cli)
			l := w.resolve()
			w.check(l, map[Place]string{V2Dir: "u/.zcode/v2 < HOME", AgentsDir: "u/.zcode/agents < HOME"})
			if !noted(l, setting, tt.note) || !noted(l, cli, tt.note) {
				t.Errorf("notes %q, want one for each file with %q", l.Notes(), tt.note)
			}
			if strings.Contains(strings.Join(l.Notes(), "\n"), secret) {
				t.Errorf("a note holds the file's content: %q", l.Notes())
			}
		})
	}
}

func TestNotAFile(t *testing.T) {
	w := newWorld(t)
	w.env["HOME"] = w.path("u")
	if err := os.MkdirAll(w.path("u/.zcode/v2/setting.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if l := w.resolve(); !noted(l, "setting.json", "not a regular file") {
		t.Errorf("notes %q", l.Notes())
	}
}

func TestFileTooLarge(t *testing.T) {
	w := newWorld(t)
	w.env["HOME"] = w.path("u")
	if err := os.Truncate(w.write("u/.zcode/v2/setting.json", ""), maxFile+1); err != nil {
		t.Fatal(err)
	}
	if l := w.resolve(); !noted(l, "setting.json", "larger than 64 MiB") {
		t.Errorf("notes %q", l.Notes())
	}
}

// Names and duplicates count as in ZCode: exact case, the last one.
func TestMembersAsZCodeReadsThem(t *testing.T) {
	for _, tt := range []struct{ name, cli, want string }{
		{"other case", `{"Storage":{"dir":"%D/s"},"storage":{"DIR":"%D/s"}}`, "u/.zcode/agents < HOME"},
		{"last section", `{"storage":{"dir":"%D/s"},"storage":{}}`, "u/.zcode/agents < HOME"},
		{"last value", `{"storage":{"dir":"%D/s","dir":"%D/t"}}`, "t/agents < storage.dir in cli/config.json"},
		{"null section", `{"storage":null}`, "u/.zcode/agents < HOME"},
		{"null value", `{"storage":{"dir":null}}`, "u/.zcode/agents < HOME"},
		{"trimmed", `{"storage":{"dir":" %D/s "}}`, "s/agents < storage.dir in cli/config.json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.env["HOME"] = w.path("u")
			w.write("u/.zcode/cli/config.json", strings.ReplaceAll(tt.cli, "%D", filepath.ToSlash(w.dir)))
			l := w.resolve()
			w.check(l, map[Place]string{AgentsDir: tt.want})
			if len(l.Notes()) != 0 {
				t.Errorf("notes %q, want none", l.Notes())
			}
		})
	}
	w := newWorld(t)
	w.env["HOME"] = w.path("u")
	w.write("u/.zcode/cli/config.json", `{"storage":"/b"}`)
	if l := w.resolve(); !noted(l, "storage in", "not an object") {
		t.Errorf("notes %q", l.Notes())
	}
}

func TestHalfWrittenFileIsReadAgain(t *testing.T) {
	w := newWorld(t)
	path := w.write("cli/config.json", `{"storage":{"dir":"/b`)
	looks := 0
	r := newResolver(w.options())
	r.pause = func() {
		if looks++; looks == 3 {
			w.write("cli/config.json", `{"storage":{"dir":"/b"}}`)
		} else {
			now := time.Now() // the writer is still at it
			if err := os.Chtimes(path, now, now); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := r.readCLIConfig(path).storageDir; got != "/b" || looks != 3 {
		t.Errorf("storage.dir = %q after %d pauses, want /b after 3", got, looks)
	}
	if len(r.layout.notes) != 0 {
		t.Errorf("notes %q, want none", r.layout.notes)
	}
}

func TestBrokenFileDoesNotHoldUpForLong(t *testing.T) {
	w := newWorld(t)
	pauses := 0
	r := newResolver(w.options())

	path := w.write("fresh.json", `{`)
	r.pause = func() {
		pauses++
		now := time.Now()
		if err := os.Chtimes(path, now, now); err != nil {
			t.Fatal(err)
		}
	}
	r.readObject(path)
	if got := time.Duration(pauses) * tornPause; got > 500*time.Millisecond || pauses == 0 {
		t.Errorf("waited %v for a file that stays broken, want at most 500ms", got)
	}

	pauses = 0
	r.readObject(w.aged("old.json", `{`))
	if pauses != 0 {
		t.Errorf("waited %d times for a file that nobody is writing", pauses)
	}
}
