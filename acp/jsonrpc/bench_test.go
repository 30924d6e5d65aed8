package jsonrpc

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// pipeTo connects two connections by kernel pipes, as with a child process.
func pipeTo(b *testing.B, left, right Options) (*Conn, *Conn) {
	b.Helper()
	lr, rw, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	rr, lw, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	l, r := New(Lines(lr, lw, 0), left), New(Lines(rr, rw, 0), right)
	for _, c := range []*Conn{l, r} {
		go c.Serve(context.Background())
		b.Cleanup(func() { c.Close(); <-c.Done() })
	}
	return l, r
}

// BenchmarkRelay measures one update on its way from a backend through a
// bridge to an editor: two pipes, four goroutines, one decode and encode each.
func BenchmarkRelay(b *testing.B) {
	arrived := make(chan struct{}, 1)
	editor := func(context.Context, *Request) (any, error) { arrived <- struct{}{}; return nil, nil }
	_, toEditor := pipeTo(b, Options{Handler: editor}, Options{})
	relay := func(ctx context.Context, req *Request) (any, error) {
		return nil, toEditor.Notify(ctx, "session/update", req.Params)
	}
	_, backend := pipeTo(b, Options{Handler: relay, OmitVersion: true}, Options{OmitVersion: true})
	params := jsontext.Value(`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` +
		strings.Repeat("word ", 40) + `"}}}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := backend.Notify(b.Context(), "session/event", params); err != nil {
			b.Fatal(err)
		}
		<-arrived
	}
}

// BenchmarkCall measures one request and its answer.
func BenchmarkCall(b *testing.B) {
	c, _ := pipeTo(b, Options{}, Options{Handler: echo})
	params := jsontext.Value(`{"a":1}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Call(b.Context(), "echo", params); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse measures the decoding of an envelope with large params.
func BenchmarkParse(b *testing.B) {
	text := []byte(`{"jsonrpc":"2.0","id":1,"method":"m","params":["` + strings.Repeat("text ", 200_000) + `"]}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, problem := parse(text, true); problem != nil {
			b.Fatal(problem)
		}
	}
}
