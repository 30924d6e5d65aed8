package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPage(t *testing.T) {
	folder := t.TempDir()
	source := "package p\n\nimport \"testing\"\n\nfunc TestLock(t *testing.T) {\n" +
		"\tt.Run(\"B044+B045 both\", nil)\n\tt.Run(\"other B046\", nil)\n}\n"
	if err := os.MkdirAll(filepath.Join(folder, "lock"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "lock", "x_test.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	shown, err := tests(folder)
	if err != nil {
		t.Fatal(err)
	}
	got, err := page("## B. Part\nLocks\n- B044 The lock.\n- B045 No loss.\n- B046 Keys.\n", shown)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## B. Part", "### Locks",
		"- **B044** The lock.\n  — shown by lock `TestLock`\n",
		"- **B045** No loss.\n  — shown by lock `TestLock`\n",
		"- **B046** Keys.\n\n",
		"2 of 3 statements",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page misses %q:\n%s", want, got)
		}
	}
	if _, err := page("- B044 The lock.\n", shown); err == nil {
		t.Error("a number that is no statement passed")
	}
}
