package jsonrpc

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestLinesRead(t *testing.T) {
	tests := []struct {
		name, input string
		limit       int
		want        []step
	}{
		{"blank lines", "\n\r\n \t\na\n\n\nb\n\n", 0, []step{{msg: "a"}, {msg: "b"}, {err: io.EOF}}},
		{"only blank lines", "\n\n \n", 0, []step{{err: io.EOF}}},
		{"CRLF", "a\r\nb\r\n", 0, []step{{msg: "a"}, {msg: "b"}, {err: io.EOF}}},
		{"CRLF at the limit", "abc\r\nd\n", 3, []step{{msg: "abc"}, {msg: "d"}, {err: io.EOF}}},
		{"CR inside stays", "a\rb\n", 0, []step{{msg: "a\rb"}, {err: io.EOF}}},
		{"no last line end", "a\nb", 0, []step{{msg: "a"}, {msg: "b"}, {err: io.EOF}}},
		{"over-long last line", "a\n12345", 4, []step{{msg: "a"}, {err: ErrTooLong}, {err: io.EOF}}},
		{"CRLF at the limit across buffers", strings.Repeat("x", readBuffer) + "\r\nb\n", readBuffer, []step{{msg: strings.Repeat("x", readBuffer)}, {msg: "b"}, {err: io.EOF}}},
		{"over by one across buffers", strings.Repeat("x", readBuffer+1) + "\r\nb\n", readBuffer, []step{{err: ErrTooLong}, {msg: "b"}, {err: io.EOF}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkReads(t, Lines, tt.input, tt.limit, tt.want) })
	}
}

func TestLinesWriteOneLine(t *testing.T) {
	tests := []struct{ name, msg, want string }{
		{"untouched", `{ "a" : 1.50e+1, "b":"\u0041" }`, `{ "a" : 1.50e+1, "b":"\u0041" }`},
		{"line feeds", "{\n  \"a\": 1.50,\n  \"b\": \"\\u0041\\n\"\n}", `{"a":1.50,"b":"\u0041\n"}`},
		{"lone CR", "{\"a\":\r1}", `{"a":1}`},
		{"lone surrogate and duplicate", "{\"a\":\"\\ud83d\",\n\"a\":1}", `{"a":"\ud83d","a":1}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			msg := []byte(tt.msg)
			if err := Lines(nil, &out, 0).Write(msg); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); got != tt.want+"\n" {
				t.Errorf("wrote %q, want %q and a line end", got, tt.want)
			}
			if string(msg) != tt.msg {
				t.Errorf("the caller's memory became %q", msg)
			}
		})
	}
}

func TestLinesRefuseWhatWouldBecomeTwoLines(t *testing.T) {
	var out bytes.Buffer
	if err := Lines(nil, &out, 0).Write([]byte("{\n")); err == nil || out.Len() > 0 {
		t.Errorf("error %v, wrote %q, want an error and nothing", err, out.String())
	}
}
