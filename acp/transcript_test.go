package acp

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"zcode-acp/settings"
)

// A transcript is one connection. A line with ">" is what the client sends, one
// with "<" the line that the agent must answer, where "…" stands for any text
// inside a string; "#" begins a part with a name. Behind them stand files: the
// ZCode home below "home", and below "after" what the conversation leaves
// different there.

// TestProtocol speaks with an agent of two operations, so that what it tells of
// itself can be written out.
func TestProtocol(t *testing.T) {
	eachTranscript(t, "protocol", func(w *world) *settings.Catalog { return smallCatalog() })
}

// TestSettings speaks with an agent on real files.
func TestSettings(t *testing.T) {
	eachTranscript(t, "settings", (*world).catalog)
}

func eachTranscript(t *testing.T, folder string, catalog func(*world) *settings.Catalog) {
	names, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			play(t, txtar.Parse(text), catalog)
		})
	}
}

func play(t *testing.T, transcript *txtar.Archive, catalog func(*world) *settings.Catalog) {
	w := newWorld(t)
	want := map[string]string{}
	after := map[string]string{}
	for _, f := range transcript.Files {
		switch folder, name, _ := strings.Cut(f.Name, "/"); folder {
		case "home":
			w.put(name, string(f.Data))
			want[name] = string(f.Data)
		case "after":
			after[name] = string(f.Data)
		default:
			t.Fatalf("the file %s is neither below home nor after", f.Name)
		}
	}
	maps.Copy(want, after)

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c := connect(t, ctx, &Agent{Catalog: catalog(w), Version: "1.2.3"})
	for _, part := range parts(t, string(transcript.Comment)) {
		ok := t.Run(part.name, func(t *testing.T) {
			for _, line := range part.lines {
				follow(t, c, line)
			}
		})
		if !ok {
			t.FailNow()
		}
	}
	c.leave()
	if diff := cmp.Diff(want, files(t, w.dir)); diff != "" {
		t.Errorf("the files (-want +got):\n%s", diff)
	}
}

// follow does one line of a transcript.
func follow(t *testing.T, c *client, line string) {
	t.Helper()
	said, _ := strings.CutPrefix(line, "> ")
	if said != line {
		c.send(said)
		return
	}
	want := strings.TrimPrefix(line, "< ")
	if got := c.receive(); !matches(want, got) {
		t.Fatalf("the agent answers\n %s\nwant\n %s", got, want)
	}
}

func matches(want, got string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", `[^"]*`)
	return regexp.MustCompile("^" + pattern + "$").MatchString(got)
}

type part struct {
	name  string
	lines []string
}

func parts(t *testing.T, text string) []part {
	var list []part
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "":
		case strings.HasPrefix(line, "# "):
			list = append(list, part{name: line[2:]})
		case len(list) > 0 && (strings.HasPrefix(line, "> ") || strings.HasPrefix(line, "< ")):
			last := &list[len(list)-1]
			last.lines = append(last.lines, line)
		default:
			t.Fatalf("not a line of a transcript: %s", line)
		}
	}
	return list
}

type greeting struct {
	OK   bool   `json:"ok"`
	Hail string `json:"hail"`
}

// smallCatalog has an operation for every door and one that is not for this one.
func smallCatalog() *settings.Catalog {
	greet := func(context.Context, settings.None) (greeting, error) {
		return greeting{true, "<hello> & welcome"}, nil
	}
	hidden := settings.Read("hidden", "/settings/hidden", "Not for editors.", greet)
	hidden.Doors = []settings.Door{settings.REST, settings.CommandLine}
	return settings.NewCatalog([]settings.Operation{
		settings.Read("all", "/settings/all", "Greet.", greet), hidden,
		settings.Read("greet/again", "/settings/greet", "Greet again.", greet),
	})
}
