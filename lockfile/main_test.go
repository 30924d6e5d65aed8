package lockfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// helperEnv makes the test binary play another process that uses the lock.
const helperEnv = "LOCKFILE_TEST_HELPER"

// deadPID is a pid that no system gives out.
const deadPID = 0x7ffffffe

func TestMain(m *testing.M) {
	switch os.Getenv(helperEnv) {
	case "":
		goleak.VerifyTestMain(m)
	case "hold":
		exitOn(hold(os.Args[1], os.Args[2]))
	case "count":
		exitOn(count(os.Args[1], os.Args[2], os.Args[3]))
	}
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// hold takes the lock of path, says so, and obeys the lines on its input.
func hold(path, queueDir string) error {
	lease, err := Locker{QueueDir: queueDir}.Acquire(context.Background(), path)
	if err != nil {
		return err
	}
	fmt.Println("held")
	commands := bufio.NewScanner(os.Stdin)
	for commands.Scan() && commands.Text() == "check" {
		switch err := lease.Check(); {
		case err == nil:
			fmt.Println("ours")
		case errors.Is(err, ErrLost):
			fmt.Println("lost")
		default:
			return err
		}
	}
	return lease.Release()
}

// count adds one to the number in the file at path, times times.
func count(path, queueDir, times string) error {
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	l := Locker{QueueDir: queueDir, MaxWait: time.Minute}
	for range n {
		if err := increment(l, path); err != nil {
			return err
		}
	}
	return nil
}

func increment(l Locker, path string) error {
	lease, err := l.Acquire(context.Background(), path)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(string(text))
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(strconv.Itoa(n+1)), 0o600); err != nil {
		return err
	}
	if err := lease.Check(); err != nil {
		return err
	}
	return lease.Release()
}

// helper is a process that plays hold.
type helper struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
}

// startHolder returns once the other process holds the lock.
func startHolder(t *testing.T, path, queueDir string) *helper {
	t.Helper()
	cmd := helperCommand("hold", path, queueDir)
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
	h := &helper{t, cmd, stdin, bufio.NewScanner(stdout)}
	t.Cleanup(func() { h.kill() })
	if got := h.line(); got != "held" {
		t.Fatalf("holder said %q, want held", got)
	}
	return h
}

func helperCommand(mode string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), helperEnv+"="+mode)
	cmd.Stderr = os.Stderr
	return cmd
}

func (h *helper) line() string {
	h.lines.Scan()
	return h.lines.Text()
}

func (h *helper) say(command string) string {
	h.t.Helper()
	if _, err := fmt.Fprintln(h.stdin, command); err != nil {
		h.t.Fatal(err)
	}
	return h.line()
}

// release waits until the other process has given the lock up and ended.
func (h *helper) release() {
	h.t.Helper()
	h.stdin.Close()
	if err := h.cmd.Wait(); err != nil {
		h.t.Fatalf("holder: %v", err)
	}
}

// kill ends the other process without giving it time to clean up.
func (h *helper) kill() {
	h.cmd.Process.Kill()
	h.cmd.Wait() // until then the pid still exists
}

// newTarget returns the path of a file in a fresh folder, and of its lock.
func newTarget(t *testing.T) (path, lock string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "config.json")
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, path + ".lock"
}

// putLock makes a lock folder with the given entries, all of them changed age ago.
func putLock(t *testing.T, lock string, age time.Duration, entries map[string]string) {
	t.Helper()
	if err := os.Mkdir(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range entries {
		putFile(t, filepath.Join(lock, name), age, content)
	}
	setAge(t, lock, age)
}

func putFile(t *testing.T, path string, age time.Duration, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	setAge(t, path, age)
}

func setAge(t *testing.T, path string, age time.Duration) {
	t.Helper()
	then := time.Now().Add(-age)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

// ownerOf is the content of an owner file that was written age ago.
func ownerOf(pid any, age time.Duration) string {
	return fmt.Sprintf(`{"pid":%v,"createdAt":%d,"token":"t"}`+"\n", pid, time.Now().Add(-age).UnixMilli())
}

// tree lists every file below dir with its content.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			fmt.Fprintln(&b, path, err)
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintln(&b, path, string(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// mustTake acquires and releases, checks that the lock is gone then, and
// returns how long Acquire took.
func mustTake(t *testing.T, l Locker, path string) time.Duration {
	t.Helper()
	start := time.Now()
	lease, err := l.Acquire(context.Background(), path)
	took := time.Since(start)
	if err != nil {
		t.Fatal(err)
	}
	if err := lease.Check(); err != nil {
		t.Error(err)
	}
	if err := lease.Release(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path + ".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after Release the lock is still there: %v", err)
	}
	return took
}

// mustTimeOut checks that the lock cannot be had and is left as it was.
func mustTimeOut(t *testing.T, l Locker, path string, wantPID int) *TimeoutError {
	t.Helper()
	before := tree(t, filepath.Dir(path))
	_, err := l.Acquire(context.Background(), path)
	var timeout *TimeoutError
	if !errors.As(err, &timeout) || !errors.Is(err, ErrTimeout) {
		t.Fatalf("Acquire: %v, want a TimeoutError", err)
	}
	if timeout.Holder.PID != wantPID {
		t.Errorf("holder %d, want %d", timeout.Holder.PID, wantPID)
	}
	if timeout.Path != path || timeout.Waited < l.MaxWait {
		t.Errorf("error says %s after %s, want %s after %s", timeout.Path, timeout.Waited, path, l.MaxWait)
	}
	if after := tree(t, filepath.Dir(path)); after != before {
		t.Errorf("the lock was touched:\n%s\nwas\n%s", after, before)
	}
	return timeout
}
