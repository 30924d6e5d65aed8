package agents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"zcode-acp/settings/jsonedit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func parseJSON(t testing.TB, text string) *jsonedit.Doc {
	t.Helper()
	d, err := jsonedit.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

// testFile returns a file of testdata.
func testFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// hasOnly wants one sentence for each part, in order, which holds it.
func hasOnly(t testing.TB, what string, got []string, parts ...string) {
	t.Helper()
	if len(got) != len(parts) {
		t.Errorf("%s: got %q, want %d that hold %q", what, got, len(parts), parts)
		return
	}
	for i, part := range parts {
		if !strings.Contains(got[i], part) {
			t.Errorf("%s: got %q, want one that holds %q", what, got[i], part)
		}
	}
}
