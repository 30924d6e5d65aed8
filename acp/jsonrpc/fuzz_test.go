package jsonrpc

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// FuzzLines compares the line framer with a split of the whole text.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{"", "a\nb\r\n\n", "\r", "12345\n1234\r\n", "123456", " \t\n{}\n"} {
		f.Add(seed, 5)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if limit < 1 || limit > 1<<20 {
			return
		}
		var want []step
		for line := range strings.SplitSeq(text, "\n") {
			line = strings.TrimSuffix(line, "\r")
			switch {
			case len(line) > limit:
				want = append(want, step{err: ErrTooLong})
			case strings.Trim(line, " \t\r") != "":
				want = append(want, step{msg: line})
			}
		}
		framer := Lines(iotest.HalfReader(strings.NewReader(text)), io.Discard, limit)
		for i, w := range want {
			msg, err := framer.Read()
			if string(msg) != w.msg || !errors.Is(err, w.err) {
				t.Fatalf("read %d: got %q, %v, want %q, %v", i, msg, err, w.msg, w.err)
			}
		}
		if msg, err := framer.Read(); err != io.EOF {
			t.Fatalf("behind the last line: %q, %v", msg, err)
		}
	})
}

// FuzzHeaders checks that any input ends in messages within the limit and one
// final error, and that what was read can be written and read again.
func FuzzHeaders(f *testing.F) {
	for _, seed := range []string{
		"", "Content-Length: 2\r\n\r\n{}", "content-length:2\n\n{}Content-Length: 0\r\n\r\n",
		"Content-Length: 99999999999\r\n\r\n", "A: b\r\nContent-Length: 9\r\n\r\n123456789Content-Length: 1\r\n\r\na",
	} {
		f.Add([]byte(seed), 8)
	}
	f.Fuzz(func(t *testing.T, text []byte, limit int) {
		if limit < 1 || limit > 1<<20 {
			return
		}
		framer := Headers(bytes.NewReader(text), io.Discard, limit)
		var msgs [][]byte
		for {
			msg, err := framer.Read()
			if errors.Is(err, ErrTooLong) {
				continue
			}
			if err != nil {
				if err != io.EOF && !errors.Is(err, ErrFraming) {
					t.Fatalf("an error of no kind: %v", err)
				}
				break
			}
			if len(msg) > limit || !bytes.Contains(text, msg) {
				t.Fatalf("read %q with limit %d", msg, limit)
			}
			msgs = append(msgs, msg)
		}
		var stream bytes.Buffer
		again := Headers(&stream, &stream, limit)
		for _, msg := range msgs {
			if err := again.Write(msg); err != nil {
				t.Fatal(err)
			}
		}
		for i, want := range msgs {
			if got, err := again.Read(); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("message %d came back as %q, %v, want %q", i, got, err, want)
			}
		}
	})
}

// FuzzEnvelope compares parse with the standard library: what it accepts is
// the same there, what it calls no JSON is none there, and what it accepts can
// be encoded and parsed again.
func FuzzEnvelope(f *testing.F) {
	for _, tt := range malformed {
		f.Add([]byte(tt.text))
	}
	f.Add([]byte(`{"jsonrpc":"2.0","id":1.50,"method":"\u0061","params":["\ud83d",{"a":1,"a":2}],"x":1}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":"a","result":{ "b" : 1e400 }}`))
	f.Add([]byte(`{"id":null,"error":{"code":1,"message":"m","data":null},"result":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, problem := parse(text, true)
		if problem != nil {
			if problem.Code == ParseError && utf8.Valid(text) && stdjson.Valid(text) {
				t.Fatalf("valid JSON was refused: %v", problem)
			}
			if answer := (writer{}).failure(nullID, problem); !stdjson.Valid(answer) {
				t.Fatalf("the answer is no JSON: %s", answer)
			}
			return
		}
		var members map[string]stdjson.RawMessage
		if err := stdjson.Unmarshal(text, &members); err != nil {
			t.Fatalf("invalid JSON was accepted: %v", err)
		}
		if string(m.id) != string(members["id"]) {
			t.Fatalf("id %s, want %s", m.id, members["id"])
		}
		if m.params != nil && string(m.params) != string(members["params"]) {
			t.Fatalf("params %s, want %s", m.params, members["params"])
		}
		if string(m.result) != string(members["result"]) {
			t.Fatalf("result %s, want %s", m.result, members["result"])
		}
		if !m.hasMethod {
			return
		}
		again, err := writer{}.request(m.id, m.method, m.params)
		if err != nil {
			t.Fatalf("encoding: %v", err)
		}
		m2, problem := parse(again, true)
		if problem != nil || m2.method != m.method || string(m2.params) != string(m.params) || m2.id != m.id {
			t.Fatalf("came back as %+v, %v, want %+v", m2, problem, m)
		}
	})
}
