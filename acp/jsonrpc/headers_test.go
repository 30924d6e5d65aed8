package jsonrpc

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestHeadersRead(t *testing.T) {
	filler := strings.Repeat("x", maxHeaderBlock)
	tests := []struct {
		name, input string
		want        []step
	}{
		{"case of the name", "content-LENGTH: 2\r\n\r\n{}", []step{{msg: "{}"}, {err: io.EOF}}},
		{"bare LF", "Content-Length: 2\n\n{}", []step{{msg: "{}"}, {err: io.EOF}}},
		{"space around the value", "Content-Length: \t 2 \t\r\n\r\n{}", []step{{msg: "{}"}, {err: io.EOF}}},
		{"no space", "Content-Length:2\r\n\r\n{}", []step{{msg: "{}"}, {err: io.EOF}}},
		{"other headers", "Content-Type: application/vscode-jsonrpc; charset=latin1\r\nX-A:\r\nContent-Length: 2\r\nB: c\r\n\r\n{}", []step{{msg: "{}"}, {err: io.EOF}}},
		{"empty body", "Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\na", []step{{msg: ""}, {msg: "a"}, {err: io.EOF}}},
		{"line ends in the body", "Content-Length: 4\r\n\r\n\r\n\r\nContent-Length: 1\r\n\r\na", []step{{msg: "\r\n\r\n"}, {msg: "a"}, {err: io.EOF}}},
		{"block at its bound", "A: " + filler[:maxHeaderBlock-26] + "\r\nContent-Length: 2\r\n\r\n{}", []step{{msg: "{}"}, {err: io.EOF}}},
		{"over the limit", "Content-Length: 200\r\n\r\n" + filler[:200] + "Content-Length: 1\r\n\r\na", []step{{err: ErrTooLong}, {msg: "a"}, {err: io.EOF}}},

		{"missing", "Content-Type: x\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"no headers", "\r\n{}", []step{{err: ErrFraming}}},
		{"negative", "Content-Length: -2\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"plus", "Content-Length: +2\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"hexadecimal", "Content-Length: 0x2\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"underscore", "Content-Length: 1_0\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"no value", "Content-Length: \r\n\r\n{}", []step{{err: ErrFraming}}},
		{"list", "Content-Length: 2, 2\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"twice", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"93 GiB", "Content-Length: 99999999999\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"just over what is skipped", "Content-Length: 1073741825\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"beyond 64 bits", "Content-Length: 99999999999999999999999\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"no colon", "Content-Length 2\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"space before the colon", "Content-Length : 2\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"folded line", "A: b\r\n c: d\r\nContent-Length: 2\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"a message without headers", `{"jsonrpc":"2.0"}` + "\n", []step{{err: ErrFraming}}},
		{"block over its bound", "A: " + filler[:maxHeaderBlock-25] + "\r\nContent-Length: 2\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"endless line", strings.Repeat("x", 2*readBuffer), []step{{err: ErrFraming}}},

		{"end inside a header line", "Content-Len", []step{{err: ErrFraming}}},
		{"end inside the headers", "Content-Length: 2\r\n", []step{{err: ErrFraming}}},
		{"end inside the body", "Content-Length: 20\r\n\r\n{}", []step{{err: ErrFraming}}},
		{"end before the body", "Content-Length: 20\r\n\r\n", []step{{err: ErrFraming}}},
		{"end inside a skipped body", "Content-Length: 200\r\n\r\n{}", []step{{err: ErrFraming}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkReads(t, Headers, tt.input, 100, tt.want) })
	}
}

func TestHeadersNameAnUnexpectedEnd(t *testing.T) {
	for _, input := range []string{"Content-Length: 20\r\n\r\n{}", "Content-Length: 2\r\n", "Con"} {
		if _, err := Headers(strings.NewReader(input), io.Discard, 0).Read(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q: got %v, want io.ErrUnexpectedEOF", input, err)
		}
	}
}

func TestHeadersAllocateWhatArrives(t *testing.T) {
	input := "Content-Length: 60000000\r\n\r\n" + strings.Repeat("x", 1000)
	var err error
	used := allocated(func() { _, err = Headers(strings.NewReader(input), io.Discard, 0).Read() })
	if !errors.Is(err, ErrFraming) {
		t.Errorf("got %v, want ErrFraming", err)
	}
	if used > 1<<20 {
		t.Errorf("a claim of 60 MB and 1 KB of data allocated %d bytes", used)
	}
}
