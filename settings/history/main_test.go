package history

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
)

// appenderDir makes the test binary a process that appends to the history there.
const appenderDir = "HISTORY_TEST_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(appenderDir); dir != "" {
		os.Exit(appendAsProcess(dir))
	}
	goleak.VerifyTestMain(m)
}

// appendAsProcess appends the number of entries that it is told, each with the name that it is told, and prints the
// ID of each that was answered.
func appendAsProcess(dir string) int {
	s := Store{Dir: dir, Max: 50, wait: time.Minute}
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	for i := range n {
		e, err := s.Append(context.Background(), Entry{Client: os.Args[1], Operation: strconv.Itoa(i), Files: sample})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(e.ID)
	}
	return 0
}

func appender(t *testing.T, dir, client string, n int) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, client, strconv.Itoa(n))
	cmd.Env = append(os.Environ(), appenderDir+"="+dir)
	return cmd
}

func text(s string) *string { return &s }

var sample = []File{
	{Document: "cli-config", Path: "/home/u/.zcode/cli/config.json", Section: "mcp", Backup: "/home/u/.zcode/cli/config.json.bak-1",
		Changes: []Change{
			{Path: "/mcp/servers/a/env/KEY", Before: jsontext.Value(`"secret-1"`), After: jsontext.Value(`"secret-2"`)},
			{Path: "/mcp/servers/b", After: jsontext.Value(`{"command":"c"}`)},
			{Path: "/mcp/servers/c", Before: jsontext.Value(`null`)},
		}},
	{Document: "agent", Path: "/home/u/.zcode/agents/a.md", After: text("---\nname: a\n---\n"), Note: "n"},
}

var (
	ctx   = context.Background()
	start = time.Date(2026, 11, 30, 12, 0, 0, 5, time.UTC)
)

// clock gives each call a time one minute after the last.
func clock() func() time.Time {
	now := start
	return func() time.Time {
		now = now.Add(time.Minute)
		return now
	}
}

func add(t *testing.T, s Store, operations ...string) (list []Entry) {
	t.Helper()
	for _, op := range operations {
		e, err := s.Append(ctx, Entry{Operation: op})
		if err != nil {
			t.Fatalf("Append(%s): %v", op, err)
		}
		list = append(list, e)
	}
	return list
}

// operations lists what the history holds, the oldest first.
func operations(t *testing.T, s Store) (names []string) {
	t.Helper()
	list, err := s.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(list) - 1; i >= 0; i-- {
		names = append(names, list[i].Operation)
	}
	return names
}

func check(t *testing.T, s Store, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, operations(t, s), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
}

func content(t *testing.T, s Store) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.Dir, "history.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func put(t *testing.T, s Store, data string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.Dir, "history.jsonl"), []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

// names lists the folder.
func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}
