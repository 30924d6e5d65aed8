package frontmatter

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// TestMain makes the properties look at more documents than rapid would; the
// flag on the command line still decides.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "300"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func readCase(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "cases", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func mustParse(t fataler, text string) *Doc {
	t.Helper()
	d, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("parsing %q: %v", text, err)
	}
	return d
}

// fenced makes a text of a block.
func fenced(block string) string { return "---\n" + block + "---\n\nBody\n" }
