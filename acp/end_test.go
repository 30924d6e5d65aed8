package acp

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/lockfile"
	"zcode-acp/settings"
)

// TestEndOfInputLetsRequestsFinish: a script pipes its requests and closes the pipe.
func TestEndOfInputLetsRequestsFinish(t *testing.T) {
	w := newWorkshop("a", "b")
	bubble(t, w, func(t *testing.T, c *client, _ context.CancelFunc) {
		c.send(ask("a"), ask("b"))
		c.in.Close()
		synctest.Wait()
		w.want(t, "begin a")
		close(w.release["a"])
		c.want(done("a"))
		close(w.release["b"])
		c.want(done("b"))
		c.leave()
	})
}

// TestEndOfInputOnRealFiles has no line end behind the last request.
func TestEndOfInputOnRealFiles(t *testing.T) {
	w := newWorld(t)
	answers := converse(t, &Agent{Catalog: w.catalog()},
		`{"jsonrpc":"2.0","id":1,"method":"_zcode/settings/mcp/upsert","params":{"name":"a","command":"one"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"_zcode/settings/mcp/upsert","params":{"name":"a","command":"two"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"_zcode/settings/mcp/list"}`)
	for _, id := range []string{"1", "2", "3"} {
		if got := answers[id]; got.Result == nil {
			t.Errorf("request %s: got %+v, want a result", id, got)
		}
	}
	if got := string(answers["3"].Result); !strings.Contains(got, `"command":"two"`) {
		t.Errorf("got %s, want what the request before wrote", got)
	}
}

// TestContextEndStopsOperations: SIGTERM ends the context of Serve.
func TestContextEndStopsOperations(t *testing.T) {
	for _, tt := range []struct {
		name string
		eof  bool
	}{{"while the client is there", false}, {"when the client has left already", true}} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorkshop("a", "b", "c")
			bubble(t, w, func(t *testing.T, c *client, stop context.CancelFunc) {
				c.send(ask("a"), ask("b"), ask("c"))
				if tt.eof {
					c.in.Close()
				}
				synctest.Wait()
				w.want(t, "begin a")
				stop()
				got := map[string]bool{c.receive(): true, c.receive(): true, c.receive(): true}
				for _, want := range []string{stopped("a", stoppedWorking), stopped("b", stoppedWaiting), stopped("c", stoppedWaiting)} {
					if !got[want] {
						t.Errorf("got %v, want %s", got, want)
					}
				}
				err := <-c.served
				if wantErr := !tt.eof; wantErr != errors.Is(err, context.Canceled) {
					t.Errorf("Serve: got %v", err)
				}
				w.want(t, "begin a", "stop a")
			})
		})
	}
}

// TestServeReturnsBehindTheRunningOperation: a write that is under way takes
// longer than the connection waits, and ZCode's lock must not stay behind.
func TestServeReturnsBehindTheRunningOperation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(context.Background())
		var over bool
		slow := func(context.Context, settings.Call, taskParams) (taskAnswer, error) {
			time.Sleep(2 * time.Second)
			over = true
			return taskAnswer{true}, nil
		}
		c := connect(t, ctx, &Agent{Catalog: settings.NewCatalog([]settings.Operation{
			settings.Write("task", "POST /settings/task", settings.Immediate, "Be slow.", slow),
		})})
		c.send(ask("a"))
		synctest.Wait()
		stop()
		<-c.served
		if !over {
			t.Error("Serve returned before the operation")
		}
	})
}

// TestContextEndStopsWaitingForALock: another program holds ZCode's lock.
func TestContextEndStopsWaitingForALock(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, "{}\n")
	lease, err := new(lockfile.Locker).Acquire(t.Context(), w.path(cliFile))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	a := &Agent{Catalog: w.catalog()}
	c := connect(t, ctx, a)
	c.send(
		`{"jsonrpc":"2.0","id":1,"method":"_zcode/settings/mcp/upsert","params":{"name":"a","command":"a"}}`,
		`{"jsonrpc":"2.0","id":2,"method":"_zcode/settings/mcp/upsert","params":{"name":"b","command":"b"}}`,
		`{"jsonrpc":"2.0","id":3,"method":"authenticate"}`)
	c.want(`{"jsonrpc":"2.0","id":3,"result":{}}`)
	stop()
	// On a busy machine the connection may end before the answers are written.
	rest, err := io.ReadAll(c.out)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(rest)) {
		if got := parseReply(t, line); got.Error == nil || got.Error.Code != -32800 || got.Error.Data.Code != "cancelled" {
			t.Errorf("got %s, want it cancelled", line)
		}
	}
	if err := <-c.served; !errors.Is(err, context.Canceled) {
		t.Errorf("Serve: got %v", err)
	}
	select {
	case <-a.last:
	default:
		t.Error("an operation still runs")
	}
	if err := lease.Release(); err != nil {
		t.Errorf("the lock of the other program: %v", err)
	}
	if diff := cmp.Diff(map[string]string{cliFile: "{}\n"}, files(t, w.dir)); diff != "" {
		t.Errorf("the files (-want +got):\n%s", diff)
	}
}
