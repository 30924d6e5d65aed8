package jsonrpc

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// step is what one Read is expected to give.
type step struct {
	msg string
	err error
}

func readAll(t *testing.T, f Framer) []step {
	t.Helper()
	var got []step
	for range 100 {
		msg, err := f.Read()
		if err == nil {
			got = append(got, step{msg: string(msg)})
			continue
		}
		for _, known := range []error{ErrTooLong, ErrFraming} {
			if errors.Is(err, known) {
				err = known
			}
		}
		got = append(got, step{err: err})
		if err != ErrTooLong {
			return got
		}
	}
	t.Fatal("the framer does not come to an end")
	return nil
}

func checkReads(t *testing.T, open func(io.Reader, io.Writer, int) Framer, input string, limit int, want []step) {
	t.Helper()
	readers := map[string]io.Reader{
		"at once":      strings.NewReader(input),
		"byte by byte": iotest.OneByteReader(strings.NewReader(input)),
		"data and EOF": iotest.DataErrReader(strings.NewReader(input)),
	}
	for name, r := range readers {
		got := readAll(t, open(r, io.Discard, limit))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(step{}), cmp.Comparer(func(a, b error) bool { return a == b })); diff != "" {
			t.Errorf("%s: reads differ (-want +got):\n%s", name, diff)
		}
	}
}

func TestFramersShareOneContract(t *testing.T) {
	big := strings.Repeat("x", 3*readBuffer+7)
	tests := []struct {
		name  string
		msgs  []string
		limit int
		want  []step
	}{
		{"nothing", nil, 0, []step{{err: io.EOF}}},
		{"two", []string{`{"a":1}`, `[]`}, 0, []step{{msg: `{"a":1}`}, {msg: `[]`}, {err: io.EOF}}},
		{"larger than the buffer", []string{big, "b"}, 0, []step{{msg: big}, {msg: "b"}, {err: io.EOF}}},
		{"exactly the limit", []string{"12345678", "b"}, 8, []step{{msg: "12345678"}, {msg: "b"}, {err: io.EOF}}},
		{"one byte over", []string{"123456789", "b"}, 8, []step{{err: ErrTooLong}, {msg: "b"}, {err: io.EOF}}},
		{"big, exactly the limit", []string{big, "b"}, len(big), []step{{msg: big}, {msg: "b"}, {err: io.EOF}}},
		{"big, one byte over", []string{big, "b"}, len(big) - 1, []step{{err: ErrTooLong}, {msg: "b"}, {err: io.EOF}}},
		{"big, far over", []string{"a", big, big, "b"}, 10, []step{{msg: "a"}, {err: ErrTooLong}, {err: ErrTooLong}, {msg: "b"}, {err: io.EOF}}},
		{"bytes, not characters", []string{`{"ä":"😀"}`}, 12, []step{{err: ErrTooLong}, {err: io.EOF}}},
	}
	eachFraming(t, func(t *testing.T, fr framing) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				var input strings.Builder
				for _, msg := range tt.msgs {
					input.WriteString(fr.frame(msg))
				}
				checkReads(t, fr.open, input.String(), tt.limit, tt.want)
			})
		}
	})
}

func TestFramersWriteWhatTheyRead(t *testing.T) {
	eachFraming(t, func(t *testing.T, fr framing) {
		msgs := []string{`{"a":"<&>ä"}`, "{}", `"` + strings.Repeat("y", 2*readBuffer) + `"`}
		var stream bytes.Buffer
		w := fr.open(nil, &stream, 0)
		want := ""
		for _, msg := range msgs {
			if err := w.Write([]byte(msg)); err != nil {
				t.Fatal(err)
			}
			want += fr.frame(msg)
		}
		if got := stream.String(); got != want {
			t.Fatalf("wrote %d bytes that differ from the %d wanted: %.80q", len(got), len(want), got)
		}
	})
}

func TestReadersKeepNoMemoryOfTheCaller(t *testing.T) {
	eachFraming(t, func(t *testing.T, fr framing) {
		f := fr.open(strings.NewReader(fr.frame("first")+fr.frame("other")), io.Discard, 0)
		first, err := f.Read()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Read(); err != nil {
			t.Fatal(err)
		}
		if got := string(first); got != "first" {
			t.Errorf("the first message became %q", got)
		}
	})
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// endless is n bytes of the letter x.
func endless(n int64) io.Reader {
	return io.LimitReader(readerFunc(func(p []byte) (int, error) {
		for i := range p {
			p[i] = 'x'
		}
		return len(p), nil
	}), n)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestLongMessageIsSkippedWithoutBeingKept(t *testing.T) {
	const size = 64 << 20
	tests := []struct {
		framing
		head string
	}{
		{lineFraming, ""},
		{headerFraming, "Content-Length: 67108864\r\n\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tail := tt.frame("next")
			if tt.name == "lines" {
				tail = "\n" + tail
			}
			input := io.MultiReader(strings.NewReader(tt.head), endless(size), strings.NewReader(tail))
			var err error
			var next []byte
			used := allocated(func() {
				f := tt.open(input, io.Discard, 1000)
				_, err = f.Read()
				next, _ = f.Read()
			})
			if !errors.Is(err, ErrTooLong) || string(next) != "next" {
				t.Errorf("got %v, then %q, want ErrTooLong, then next", err, next)
			}
			if used > 1<<20 {
				t.Errorf("skipping allocated %d bytes", used)
			}
		})
	}
}

func TestReadErrorIsPassedOn(t *testing.T) {
	broken := errors.New("cable cut")
	tests := []struct{ name, input string }{
		{"between messages", ""},
		{"inside a line or header", "Content-Le"},
		{"inside a body", "Content-Length: 10\r\n\r\nabc"},
		{"inside a skipped message", "Content-Length: 100000\r\n\r\n" + strings.Repeat("x", 90000)},
	}
	eachFraming(t, func(t *testing.T, fr framing) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				f := fr.open(io.MultiReader(strings.NewReader(tt.input), iotest.ErrReader(broken)), io.Discard, 30)
				var err error
				for range 3 {
					if _, err = f.Read(); err != nil && !errors.Is(err, ErrTooLong) {
						break
					}
				}
				if !errors.Is(err, broken) {
					t.Errorf("got %v, want %v", err, broken)
				}
			})
		}
	})
}

type closeRecorder struct {
	io.Reader
	io.Writer
	name   string
	closed *[]string
}

func (c closeRecorder) Close() error {
	*c.closed = append(*c.closed, c.name)
	return errors.New(c.name + " failed")
}

func TestCloseEndsBothHalvesWritingFirst(t *testing.T) {
	eachFraming(t, func(t *testing.T, fr framing) {
		var closed []string
		f := fr.open(closeRecorder{name: "in", closed: &closed}, closeRecorder{name: "out", closed: &closed}, 0)
		err := f.Close()
		if want := []string{"out", "in"}; !cmp.Equal(closed, want) {
			t.Errorf("closed %v, want %v", closed, want)
		}
		if err == nil || err.Error() != "out failed\nin failed" {
			t.Errorf("error %v, want both", err)
		}
		if err := fr.open(strings.NewReader(""), io.Discard, 0).Close(); err != nil {
			t.Errorf("closing what cannot be closed: %v", err)
		}
	})
}
