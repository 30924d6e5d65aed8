// Command zcode-acp reads and changes the settings of the ZCode coding agent,
// safely while ZCode runs, and connects editors that speak the Agent Client
// Protocol.
//
// What goes where: answers to stdout, everything else to stderr as
// "zcode-acp: a sentence", lower case, without a final period. With --json the
// answer, and the error too, is exactly the body of the REST door. Exit codes:
// 0 done, 1 failed, 2 wrong usage, 3 conflict, 4 locked, 5 ZCode's file is broken.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// version is set when a release is built.
var version = "dev"

func main() {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup wants it ignored
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	code := run(ctx, os.Args)
	stop()
	os.Exit(code)
}

// run does what the arguments say and returns the exit code.
func run(ctx context.Context, args []string) int {
	out := &output{to: os.Stdout}
	a := newApp(os.Stdin, out, os.Stderr, os.Getenv)
	defer a.close()
	root := newRootCmd(a)
	root.SetArgs(args[1:])
	name := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	if name == "zcode-acp-server" && len(args) == 1 {
		root.SetArgs([]string{"acp"})
	}
	err := root.ExecuteContext(ctx)
	if err == nil && out.err != nil {
		err = fmt.Errorf("writing the answer: %w", out.err)
	}
	return a.exit(err)
}

// output remembers the first error of writing, so that an answer that nobody got
// does not end as done.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}
