package jsonrpc

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, text string
		want       message
	}{
		{"request", `{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":1.50}}`,
			message{id: "1", method: "a", params: []byte(`{"b":1.50}`), hasVersion: true, hasMethod: true}},
		{"any order, white space", " \t{ \"params\" : [ 1 ] , \"method\" : \"a\" , \"id\" : \"x\" , \"jsonrpc\" : \"2.0\" } \r",
			message{id: `"x"`, method: "a", params: []byte(`[ 1 ]`), hasVersion: true, hasMethod: true}},
		{"notification", `{"jsonrpc":"2.0","method":"a"}`, message{method: "a", hasVersion: true, hasMethod: true}},
		{"null id", `{"jsonrpc":"2.0","method":"a","id":null}`, message{id: "null", method: "a", hasVersion: true, hasMethod: true}},
		{"null params", `{"jsonrpc":"2.0","method":"a","params":null}`, message{method: "a", hasVersion: true, hasMethod: true}},
		{"escaped names", `{"jsonrpc":"2.0","\u006dethod":"\u0061\/b","\u0069d":2}`, message{id: "2", method: "a/b", hasVersion: true, hasMethod: true}},
		{"unknown members", `{"jsonrpc":"2.0","method":"a","trace":{"x":1},"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,"8":8,"9":9}`,
			message{method: "a", hasVersion: true, hasMethod: true}},
		{"id text", `{"jsonrpc":"2.0","method":"a","id":-1.50E+400}`, message{id: "-1.50E+400", method: "a", hasVersion: true, hasMethod: true}},
		{"result", `{"jsonrpc":"2.0","id":7,"result":null}`, message{id: "7", result: []byte("null"), hasVersion: true}},
		{"result without version", `{"id":7,"result":[]}`, message{id: "7", result: []byte("[]")}},
		{"error", `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}}`, message{id: "7", failure: []byte(`{"code":1,"message":"m"}`), hasVersion: true}},
		{"result with null error", `{"jsonrpc":"2.0","id":7,"result":1,"error":null}`, message{id: "7", result: []byte("1"), hasVersion: true}},
		{"lone surrogate", `{"jsonrpc":"2.0","method":"a","params":["\ud83d"]}`, message{method: "a", params: []byte(`["\ud83d"]`), hasVersion: true, hasMethod: true}},
		{"duplicates deep in params", `{"jsonrpc":"2.0","method":"a","params":{"x":1,"x":2}}`, message{method: "a", params: []byte(`{"x":1,"x":2}`), hasVersion: true, hasMethod: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problem := parse([]byte(tt.text), true)
			if problem != nil {
				t.Fatalf("refused: %v", problem)
			}
			if !sameMessage(got, tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func sameMessage(a, b message) bool {
	same := func(x, y []byte) bool { return string(x) == string(y) && (x == nil) == (y == nil) }
	return a.id == b.id && a.method == b.method && a.hasMethod == b.hasMethod && a.hasVersion == b.hasVersion &&
		same(a.params, b.params) && same(a.result, b.result) && same(a.failure, b.failure)
}

func TestValuesCannotGrowIntoEachOther(t *testing.T) {
	text := `{"jsonrpc":"2.0","params":{"a":1},"method":"m","id":1}`
	m, problem := parse([]byte(text), true)
	if problem != nil {
		t.Fatal(problem)
	}
	_ = append(m.params, "overwritten!"...)
	if again, problem := parse([]byte(text), true); problem != nil || again.method != "m" || cap(m.params) != len(m.params) {
		t.Errorf("params of %d bytes have room for %d", len(m.params), cap(m.params))
	}
}

// TestRecordedSession checks what a real client and agent sent against a
// reading of the same bytes by the standard library.
func TestRecordedSession(t *testing.T) {
	file, err := os.Open("testdata/acpx-session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	n := 0
	for lines := bufio.NewScanner(file); lines.Scan(); n++ {
		var record struct{ Frame json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatal(err)
		}
		var want struct {
			ID                    json.RawMessage
			Method                *string
			Params, Result, Error json.RawMessage
		}
		if err := json.Unmarshal(record.Frame, &want); err != nil {
			t.Fatal(err)
		}
		got, problem := parse(record.Frame, true)
		if problem != nil {
			t.Errorf("frame %d: refused: %v", n, problem)
			continue
		}
		expected := message{id: ID(want.ID), params: []byte(want.Params), result: []byte(want.Result), failure: []byte(want.Error), hasVersion: true}
		if want.Method != nil {
			expected.method, expected.hasMethod = *want.Method, true
		}
		if !sameMessage(got, expected) {
			t.Errorf("frame %d: got %+v, want %+v", n, got, expected)
		}
	}
	if n != 61 {
		t.Errorf("read %d frames, want 61", n)
	}
}

// malformed messages and their answers, which both framers must give alike.
var malformed = []struct {
	name, text string
	code       int64
	id         string
	says       string
}{
	{"empty object", `{}`, InvalidRequest, "null", `jsonrpc must be "2.0"`},
	{"cut", `{"jsonrpc":`, ParseError, "null", "byte 11 of 11"},
	{"cut behind the id", `{"jsonrpc":"2.0","id":5,"method":"x","pa`, ParseError, "null", "not valid JSON"},
	{"no JSON", `hello`, ParseError, "null", "not valid JSON"},
	{"trailing text", `{"jsonrpc":"2.0","id":5,"method":"x"} x`, ParseError, "null", "behind its end at byte 37"},
	{"two messages", `{"jsonrpc":"2.0","id":5,"method":"x"}{"jsonrpc":"2.0","id":6,"method":"x"}`, ParseError, "null", "behind its end"},
	{"comment", `{"jsonrpc":"2.0",/**/"id":5,"method":"x"}`, ParseError, "null", "not valid JSON"},
	{"trailing comma", `{"jsonrpc":"2.0","id":5,"method":"x",}`, ParseError, "null", "not valid JSON"},
	{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"\xff\"}", ParseError, "null", "UTF-8"},
	{"too deep", `{"jsonrpc":"2.0","id":5,"method":"x","params":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, ParseError, "null", "not valid JSON"},
	{"batch", `[{"jsonrpc":"2.0","id":5,"method":"x"}]`, InvalidRequest, "null", "batches are not supported"},
	{"empty batch", `[]`, InvalidRequest, "null", "batches are not supported"},
	{"broken batch", `[{"jsonrpc":`, ParseError, "null", "not valid JSON"},
	{"string", `"x"`, InvalidRequest, "null", "must be an object"},
	{"null", `null`, InvalidRequest, "null", "must be an object"},
	{"no version", `{"id":5,"method":"x"}`, InvalidRequest, "5", `jsonrpc must be "2.0"`},
	{"wrong version", `{"jsonrpc":"1.0","id":5,"method":"x"}`, InvalidRequest, "5", `jsonrpc must be "2.0"`},
	{"number as version", `{"jsonrpc":2.0,"id":5,"method":"x"}`, InvalidRequest, "5", `jsonrpc must be "2.0"`},
	{"method is a number", `{"jsonrpc":"2.0","method":1,"id":"q"}`, InvalidRequest, `"q"`, "method must be a string"},
	{"method is null", `{"jsonrpc":"2.0","method":null,"id":1.50}`, InvalidRequest, "1.50", "method must be a string"},
	{"method is a number, no id", `{"jsonrpc":"2.0","method":1}`, InvalidRequest, "null", "method must be a string"},
	{"no method", `{"jsonrpc":"2.0","id":5}`, InvalidRequest, "5", "method is missing"},
	{"params is a string", `{"jsonrpc":"2.0","id":5,"method":"x","params":"y"}`, InvalidRequest, "5", "params must be"},
	{"params before id", `{"jsonrpc":"2.0","params":5,"method":"x","id":6}`, InvalidRequest, "6", "params must be"},
	{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"x"}`, InvalidRequest, "null", "id must be"},
	{"id is true", `{"jsonrpc":"2.0","id":true,"method":"x"}`, InvalidRequest, "null", "id must be"},
	{"method twice", `{"jsonrpc":"2.0","id":5,"method":"x","method":"x"}`, InvalidRequest, "5", "given twice"},
	{"method twice, once escaped", `{"jsonrpc":"2.0","id":5,"method":"x","m\u0065thod":"x"}`, InvalidRequest, "5", "given twice"},
	{"id twice", `{"jsonrpc":"2.0","id":5,"id":6,"method":"x"}`, InvalidRequest, "null", "given twice"},
	{"unknown name twice", `{"jsonrpc":"2.0","id":5,"method":"x","y":1,"y":1}`, InvalidRequest, "5", "given twice"},
	{"tenth name twice", `{"jsonrpc":"2.0","id":5,"method":"x","1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"7":1}`, InvalidRequest, "5", "given twice"},
}

func TestMalformedMessagesAreAnswered(t *testing.T) {
	eachFraming(t, func(t *testing.T, fr framing) {
		p := connect(t, fr, Options{Handler: echo})
		for _, tt := range malformed {
			t.Run(tt.name, func(t *testing.T) {
				p.send(tt.text)
				checkError(t, p.receive(), tt.id, tt.code, tt.says)
			})
		}
		p.send(`{"jsonrpc":"2.0","id":9,"method":"x","params":[9]}`)
		p.want(`{"jsonrpc":"2.0","id":9,"result":[9]}`)
	})
}

// checkError checks an error answer by its bytes, then its message.
func checkError(t *testing.T, got, id string, code int64, says string) {
	t.Helper()
	var parts struct {
		Error struct {
			Code    int64
			Message string
		}
	}
	if err := json.Unmarshal([]byte(got), &parts); err != nil {
		t.Fatalf("answer %q: %v", got, err)
	}
	head := `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":`
	if !strings.HasPrefix(got, head) || parts.Error.Code != code || !strings.Contains(parts.Error.Message, says) {
		t.Errorf("got %s\nwant id %s, code %d, a message with %q", got, id, code, says)
	}
}

func TestVersionMayBeMissingOnlyWhereAllowed(t *testing.T) {
	tests := []struct {
		opts Options
		want string
	}{
		{Options{Handler: echo, VersionOptional: true}, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{Options{Handler: echo, OmitVersion: true}, `{"id":1,"result":{}}`},
	}
	for _, tt := range tests {
		p := connect(t, lineFraming, tt.opts)
		p.send(`{"id":1,"method":"x","params":{}}`)
		p.want(tt.want)
		p.send(`{"jsonrpc":"2.0","id":1,"method":"x","params":{}}`)
		p.want(tt.want)
		p.send(`{"jsonrpc":"3.0","id":1,"method":"x","params":{}}`)
		if got := p.receive(); !strings.Contains(got, "-32600") {
			t.Errorf("a wrong version was answered with %s", got)
		}
	}
}

func TestOverLongMessageIsAnswered(t *testing.T) {
	eachFraming(t, func(t *testing.T, fr framing) {
		p := connectLimit(t, fr, Options{Handler: echo}, 100)
		p.send(`{"jsonrpc":"2.0","id":1,"method":"x","params":["` + strings.Repeat("x", 200000) + `"]}`)
		p.want(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"message is too long: the limit is 100 bytes"}}`)
		p.send(`{"jsonrpc":"2.0","id":2,"method":"x","params":[2]}`)
		p.want(`{"jsonrpc":"2.0","id":2,"result":[2]}`)
	})
}

func TestBrokenHeadersAreAnsweredThenTheConnectionEnds(t *testing.T) {
	p := connect(t, headerFraming, Options{Handler: echo})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}`)
	p.want(`{"jsonrpc":"2.0","id":1,"result":[1]}`)
	p.sendRaw("Content-Length: 99999999999\r\n\r\n")
	checkError(t, p.receive(), "null", InvalidRequest, "larger than anything that could be skipped")
	if err := p.ended(); err == nil || !strings.Contains(err.Error(), "Content-Length") {
		t.Errorf("Serve returned %v, want the reason", err)
	}
}
