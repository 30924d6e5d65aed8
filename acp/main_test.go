package acp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"zcode-acp/settings"
	"zcode-acp/settings/home"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is when a test gives up; it says nothing about speed.
const patience = 60 * time.Second

const cliFile = "cli/config.json" // below the ZCode home

// world is a ZCode home on disk, with our own files beside it.
type world struct {
	t    testing.TB
	root string // the home folder of the user
	dir  string // stands for ~/.zcode
}

func newWorld(t testing.TB) *world {
	t.Helper()
	root := t.TempDir()
	return &world{t: t, root: root, dir: filepath.Join(root, ".zcode")}
}

// catalog returns the operations on the files of the world.
func (w *world) catalog() *settings.Catalog {
	w.t.Helper()
	layout, err := home.Resolve(home.Options{
		Env:    func(name string) string { return map[string]string{"HOME": w.root, "USERPROFILE": w.root}[name] },
		OSHome: func() (string, error) { return w.root, nil },
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return settings.NewCatalog(settings.NewEngine(layout, nil).Operations())
}

func (w *world) path(file string) string { return filepath.Join(w.dir, filepath.FromSlash(file)) }

func (w *world) put(file, content string) {
	w.t.Helper()
	path := w.path(file)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
	// Nobody is writing it any more.
	hourAgo := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, hourAgo, hourAgo); err != nil {
		w.t.Fatal(err)
	}
}

// files returns the files below folder by their slashed names, without backups.
func files(t testing.TB, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() || strings.Contains(d.Name(), ".bak-") {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		found[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// client is an editor that writes and reads lines.
type client struct {
	t      testing.TB
	in     *io.PipeWriter
	out    *bufio.Reader
	served chan error
}

// connect serves an agent on in-memory pipes until the test ends.
func connect(t testing.TB, ctx context.Context, a *Agent) *client {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: bufio.NewReader(outR), served: make(chan error, 1)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.served <- a.Serve(ctx, inR, outW)
		outW.Close()
	}()
	t.Cleanup(func() {
		inW.Close()
		outR.Close()
		<-done
	})
	return c
}

func (c *client) send(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(c.in, line+"\n"); err != nil {
			c.t.Fatalf("sending a line: %v", err)
		}
	}
}

func (c *client) receive() string {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("receiving a line: %v", err)
	}
	return strings.TrimSuffix(line, "\n")
}

// leave ends the client's side and wants Serve to return without another line.
func (c *client) leave() {
	c.t.Helper()
	c.in.Close()
	if rest, err := io.ReadAll(c.out); err != nil || len(rest) > 0 {
		c.t.Errorf("behind the last answer: got %q, %v", rest, err)
	}
	if err := <-c.served; err != nil {
		c.t.Errorf("Serve: %v", err)
	}
}

// reply is an answer of the agent.
type reply struct {
	ID     jsontext.Value `json:"id"`
	Result jsontext.Value `json:"result"`
	Error  *failure       `json:"error"`
}

type failure struct {
	Code    int                `json:"code"`
	Message string             `json:"message"`
	Data    settings.ErrorBody `json:"data"`
}

func parseReply(t testing.TB, line string) reply {
	t.Helper()
	var r reply
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatalf("the answer %.200q: %v", line, err)
	}
	return r
}

// converse pipes lines into an agent, closes its input, and returns its answers
// by id. That is how a script uses the agent.
func converse(t testing.TB, a *Agent, lines ...string) map[string]reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var out bytes.Buffer
	if err := a.Serve(ctx, strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatalf("Serve: %v", err)
	}
	answers := map[string]reply{}
	for line := range strings.Lines(out.String()) {
		r := parseReply(t, line)
		if _, twice := answers[string(r.ID)]; twice {
			t.Errorf("two answers with the id %s", r.ID)
		}
		answers[string(r.ID)] = r
	}
	return answers
}

// logBuffer takes log lines from several goroutines.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *logBuffer) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug}))
}
