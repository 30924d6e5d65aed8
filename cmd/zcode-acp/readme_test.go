package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestREADME runs the console blocks of the README that are marked to be run,
// in one shell and one sample home, and compares what they print.
func TestREADME(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("the README's examples are for a Unix shell")
		return
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	steps := consoleSteps(string(text))
	if len(steps) < 10 {
		t.Fatalf("the README has only %d commands that are run", len(steps))
	}
	home := t.TempDir()
	if err := copySample(filepath.Join(home, ".zcode")); err != nil {
		t.Fatal(err)
	}
	got := runSteps(t, home, steps)
	for i, step := range steps {
		if diff := cmp.Diff(step.output, got[i]); diff != "" {
			t.Errorf("$ %s (-README +real):\n%s", step.command, diff)
		}
	}
}

type consoleStep struct{ command, output string }

func consoleSteps(text string) []consoleStep {
	var steps []consoleStep
	blocks := regexp.MustCompile("(?s)<!-- run -->\n```console\n(.*?)```").FindAllStringSubmatch(text, -1)
	for _, block := range blocks {
		for line := range strings.Lines(block[1]) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				steps = append(steps, consoleStep{command: strings.TrimSpace(command)})
			} else {
				steps[len(steps)-1].output += line
			}
		}
	}
	return steps
}

// readmePort is the port that the README's server listens on; the test takes one
// that is free.
const readmePort = "18377"

func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// runSteps runs all commands in one bash and returns what each printed.
func runSteps(t *testing.T, home string, steps []consoleStep) []string {
	const mark = "=== end of step ==="
	var script strings.Builder
	script.WriteString("exec 2>&1\n")
	port := freePort(t)
	for _, step := range steps {
		fmt.Fprintf(&script, "%s\n__status=$?; echo; echo '%s'; (exit $__status)\n", strings.ReplaceAll(step.command, readmePort, port), mark)
	}
	cmd := exec.Command("bash", "-c", script.String())
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "HOME="+home, "ZCODE_HOME=", "XDG_STATE_HOME="+filepath.Join(home, "state"))
	out, err := cmd.Output()
	if err != nil {
		t.Logf("the last command ended with %v", err)
	}
	real, err := filepath.EvalSymlinks(home)
	if err != nil {
		t.Fatal(err)
	}
	out = []byte(strings.NewReplacer(real, "/home/me", home, "/home/me").Replace(string(out)))
	etag := regexp.MustCompile(`(\w+\.\w+)\.[0-9a-f]{24}`)
	parts := strings.Split(etag.ReplaceAllString(string(out), "$1.ETAG"), "\n"+mark+"\n")
	if len(parts) != len(steps)+1 {
		t.Fatalf("%d of %d commands ran:\n%s", len(parts)-1, len(steps), out)
	}
	for i, part := range parts {
		if part = strings.TrimRight(part, "\n"); part != "" {
			part += "\n"
		}
		parts[i] = part
	}
	return parts[:len(steps)]
}
