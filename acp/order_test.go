package acp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"zcode-acp/settings"
)

// diary records what operations did, in order.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) note(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, line)
}

func (d *diary) want(t *testing.T, want ...string) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Equal(d.lines, want) {
		t.Errorf("what happened: got %q, want %q", d.lines, want)
	}
}

type taskParams struct {
	Name string `json:"name"`
}

type taskAnswer struct {
	OK bool `json:"ok"`
}

// workshop has one operation, task, which lasts until it is released or its
// context ends.
type workshop struct {
	diary
	release map[string]chan struct{}
}

func newWorkshop(tasks ...string) *workshop {
	w := &workshop{release: map[string]chan struct{}{}}
	for _, name := range tasks {
		w.release[name] = make(chan struct{})
	}
	return w
}

func (w *workshop) catalog() *settings.Catalog {
	return settings.NewCatalog([]settings.Operation{
		settings.Write("task", "POST /settings/task", settings.Immediate, "Work.", w.task),
	})
}

func (w *workshop) task(ctx context.Context, _ settings.Call, in taskParams) (taskAnswer, error) {
	w.note("begin " + in.Name)
	select {
	case <-w.release[in.Name]:
		w.note("end " + in.Name)
		return taskAnswer{true}, nil
	case <-ctx.Done():
		w.note("stop " + in.Name)
		return taskAnswer{}, fmt.Errorf("working: %w", ctx.Err())
	}
}

// ask is the line of a request for a task, whose id is its name.
func ask(task string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"_zcode/settings/task","params":{"name":%q}}`, task, task)
}

func cancelling(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":%q}}`, id)
}

func done(task string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"ok":true}}`, task)
}

func stopped(task, sentence string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"error":{"code":-32800,"message":%q,"data":{"ok":false,"error":%q,"code":"cancelled"}}}`,
		task, sentence, sentence)
}

const (
	stoppedWaiting = "waiting for the operations before: context canceled"
	stoppedWorking = "working: context canceled"
)

func (c *client) want(lines ...string) {
	c.t.Helper()
	for _, want := range lines {
		if got := c.receive(); got != want {
			c.t.Errorf("the agent answers\n %s\nwant\n %s", got, want)
		}
	}
}

// bubble serves tasks to a client in a world where synctest.Wait tells that
// nothing more happens by itself.
func bubble(t *testing.T, w *workshop, f func(t *testing.T, c *client, stop context.CancelFunc)) {
	synctest.Test(t, func(t *testing.T) {
		for name := range w.release {
			w.release[name] = make(chan struct{})
		}
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		f(t, connect(t, ctx, &Agent{Catalog: w.catalog()}), stop)
	})
}

func TestOperationsWaitForTheOneBefore(t *testing.T) {
	w := newWorkshop("a", "b", "c")
	bubble(t, w, func(t *testing.T, c *client, _ context.CancelFunc) {
		c.send(ask("a"), ask("b"), ask("c"))
		close(w.release["b"])
		close(w.release["c"])
		synctest.Wait()
		w.want(t, "begin a")
		// The protocol's own methods do not wait.
		c.send(`{"jsonrpc":"2.0","id":1,"method":"authenticate"}`)
		c.want(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		close(w.release["a"])
		c.want(done("a"), done("b"), done("c"))
		w.want(t, "begin a", "end a", "begin b", "end b", "begin c", "end c")
		c.leave()
	})
}

func TestCancelledOperationLetsNoneOvertake(t *testing.T) {
	w := newWorkshop("a", "b", "c", "d")
	bubble(t, w, func(t *testing.T, c *client, _ context.CancelFunc) {
		c.send(ask("a"), ask("b"), ask("c"), ask("d"), cancelling("c"), cancelling("b"))
		synctest.Wait()
		answers := []string{c.receive(), c.receive()}
		slices.Sort(answers)
		if want := []string{stopped("b", stoppedWaiting), stopped("c", stoppedWaiting)}; !slices.Equal(answers, want) {
			t.Errorf("got %q, want %q", answers, want)
		}
		synctest.Wait()
		w.want(t, "begin a")
		close(w.release["a"])
		c.want(done("a"))
		close(w.release["d"])
		c.want(done("d"))
		w.want(t, "begin a", "end a", "begin d", "end d")
		c.leave()
	})
}

func TestRunningOperationIsCancelled(t *testing.T) {
	w := newWorkshop("a", "b")
	bubble(t, w, func(t *testing.T, c *client, _ context.CancelFunc) {
		c.send(ask("a"), ask("b"))
		synctest.Wait()
		c.send(cancelling("a"))
		c.want(stopped("a", stoppedWorking))
		close(w.release["b"])
		c.want(done("b"))
		w.want(t, "begin a", "stop a", "begin b", "end b")
		c.leave()
	})
}

// TestCancelBehindTheRequest: the cancellation comes right behind, and the
// request has not begun yet, or has; never does it run to the end.
func TestCancelBehindTheRequest(t *testing.T) {
	for range 50 {
		w := newWorkshop("a")
		bubble(t, w, func(t *testing.T, c *client, _ context.CancelFunc) {
			c.send(ask("a"), cancelling("a"))
			if got := c.receive(); got != stopped("a", stoppedWorking) {
				t.Errorf("got %s, want it cancelled", got)
			}
			c.leave()
		})
	}
}

// TestPanickingOperationLetsTheNextBegin: one that fails badly holds up nothing.
func TestPanickingOperationLetsTheNextBegin(t *testing.T) {
	catalog := settings.NewCatalog([]settings.Operation{
		settings.Write("task", "POST /settings/task", settings.Immediate, "Work.",
			func(_ context.Context, _ settings.Call, in taskParams) (taskAnswer, error) {
				if in.Name == "a" {
					panic("CANARY")
				}
				return taskAnswer{true}, nil
			}),
	})
	var log logBuffer
	answers := converse(t, &Agent{Catalog: catalog, Log: log.logger()}, ask("a"), ask("b"))
	if got := answers[`"a"`]; got.Error == nil || got.Error.Code != -32603 || got.Error.Message != "internal error" {
		t.Errorf("got %+v, want an internal error", got)
	}
	if got := answers[`"b"`]; string(got.Result) != `{"ok":true}` {
		t.Errorf("got %+v, want it done", got)
	}
	if text := log.String(); !strings.Contains(text, "panicked") || strings.Contains(text, "CANARY") {
		t.Errorf("the log is %s, want the panic without its value", text)
	}
}
