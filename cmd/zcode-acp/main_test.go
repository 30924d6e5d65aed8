package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"zcode-acp": main})
}

// TestScripts runs testdata/script: each file is one subject, with the files it
// needs and the output it expects. $SAMPLE is a copy of the sample home.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  filepath.Join("testdata", "script"),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "empty": empty, "restore": restore},
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			sample := filepath.Join(home, ".zcode")
			env.Setenv("HOME", home)
			env.Setenv("USERPROFILE", home)
			env.Setenv("SAMPLE", sample)
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			for _, name := range []string{"ZCODE_HOME", "ZCODE_ACP_REMOTE_TOKEN", "ZCODE_DATA_BASE_DIR", "ZCODE_STORAGE_DIR"} {
				env.Setenv(name, "")
			}
			if err := os.MkdirAll(filepath.Join(env.WorkDir, "empty"), 0o700); err != nil {
				return err
			}
			return copySample(sample)
		},
	})
}

// status runs a command that must end with an exit code: status CODE COMMAND…
func status(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	if neg || err != nil {
		ts.Fatalf("usage: status CODE COMMAND…")
	}
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("running %v: %v", args[1:], err)
	}
	if got != want {
		ts.Fatalf("%v: exit %d, want %d", args[1:], got, want)
	}
}

// empty checks that a folder holds nothing.
func empty(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(entries) > 0 {
		ts.Fatalf("%s holds %v", args[0], entries)
	}
}

// restore puts back the newest backup of a list of stamps.
func restore(ts *testscript.TestScript, _ bool, args []string) {
	stamp, _, _ := strings.Cut(ts.ReadFile(args[0]), "\n")
	ts.Check(ts.Exec("zcode-acp", "settings", "backups", "restore", "cliConfig", stamp))
}
