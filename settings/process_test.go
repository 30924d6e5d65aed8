package settings

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// writerHome names the home that a second process of the tests writes to.
const writerHome = "ZCODE_ACP_TEST_WRITER_HOME"

// writeAsProcess is that process: it adds one server after the other until its
// standard input ends, and tells each that was answered.
func writeAsProcess(dir string) int {
	layout, err := layoutOf(dir)
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	catalog := NewCatalog(NewEngine(layout, nil).Operations())
	upsert, _ := catalog.Lookup("mcp/upsert")
	stop := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(stop)
	}()
	for n := 0; ; n++ {
		select {
		case <-stop:
			return 0
		default:
		}
		name := fmt.Sprintf("process-%d", n)
		if _, err := upsert.Run(context.Background(), Call{}, []byte(`{"name":"`+name+`","command":"c"}`)); err != nil {
			fmt.Println("error:", err)
			return 1
		}
		fmt.Println(name)
	}
}

// process is the second process, seen from the first.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.Closer
	out   *bufio.Scanner
	names []string // servers that it was told are written
}

func startProcess(t *testing.T, dir string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), writerHome+"="+dir)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: cmd, stdin: stdin, out: bufio.NewScanner(stdout)}
	p.read(1) // it is at work
	return p
}

// read takes in that many names, or all that are left when n is negative.
func (p *process) read(n int) {
	p.t.Helper()
	for ; n != 0 && p.out.Scan(); n-- {
		if name := p.out.Text(); strings.HasPrefix(name, "process-") {
			p.names = append(p.names, name)
		} else {
			p.t.Errorf("the other process: %s", name)
		}
	}
}

func (p *process) stop() {
	p.t.Helper()
	_ = p.stdin.Close()
	p.read(-1)
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("the other process: %v", err)
	}
}

// TestCrash kills a process while it writes, many times: the file is whole, the
// next write takes the lock over and nothing stays behind.
func TestCrash(t *testing.T) {
	t.Run("B045 a process is killed while it writes", func(t *testing.T) {
		w := newWorld(t)
		w.put(cliFile, `{"kept": 1.0}`)
		for round := range 8 {
			if err := os.Remove(w.path(cliFile)); err != nil {
				t.Fatal(err)
			}
			w.put(cliFile, `{"kept": 1.0}`)
			p := startProcess(t, w.dir)
			p.read(round)
			if err := p.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			p.read(-1)
			_ = p.cmd.Wait()
			d := parse(t, w.get(cliFile))
			for _, name := range p.names {
				if !d.Find([]string{"mcp", "servers", name}).Exists() {
					t.Errorf("%s was answered and is lost", name)
				}
			}
			w.write("mcp/upsert", Call{}, addServer)
			if got := string(parse(t, w.get(cliFile)).Root().Get("kept").Raw()); got != "1.0" {
				t.Errorf("the unknown member: got %s, want 1.0", got)
			}
			left, err := filepath.Glob(w.path("cli/.*"))
			if err != nil || len(left) != 0 {
				t.Errorf("left behind: %q, %v", left, err)
			}
			if _, err := os.Lstat(w.path(cliFile) + ".lock"); err == nil {
				t.Error("the lock was left behind")
			}
		}
	})
}
