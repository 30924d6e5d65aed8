package jsonedit

import (
	"flag"
	"os"
	"testing"
)

// TestMain makes the properties look at more documents than rapid would; the
// flag on the command line still decides.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "1000"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
