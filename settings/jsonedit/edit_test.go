package jsonedit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// edit is one change of a table.
type edit func(*Doc) (*Doc, error)

func set(value string, path ...string) edit {
	return func(d *Doc) (*Doc, error) { return d.Set(path, []byte(value)) }
}

func del(path ...string) edit {
	return func(d *Doc) (*Doc, error) { return d.Delete(path) }
}

func insert(at int, value string, path ...string) edit {
	return func(d *Doc) (*Doc, error) { return d.Insert(path, at, []byte(value)) }
}

func mustParse(t testing.TB, text string) *Doc {
	t.Helper()
	d, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("parsing %q: %v", text, err)
	}
	return d
}

func edited(t *testing.T, before string, edits ...edit) string {
	t.Helper()
	d := mustParse(t, before)
	for _, e := range edits {
		var err error
		if d, err = e(d); err != nil {
			t.Fatalf("editing %q: %v", before, err)
		}
	}
	return string(d.Text())
}

// TestFiles edits files of the kinds that people really have; every byte that
// is not the edited value's own stays.
func TestFiles(t *testing.T) {
	tests := []struct {
		file string
		edit edit
		want string
	}{
		{"unknown-keys", set("false", "mcp", "servers", "files", "enabled"), `{
  "$schema": "https://example.invalid/zcode.json",
  "futureSection": {"keep": [1, 2,   3], "nested": {"deep": null}},
  "mcp": {
    "servers": {
      "files": {"type": "stdio", "command": "npx", "args": ["-y", "server-files"], "env": {"ROOT": "/srv"}, "enabled": false}
    }
  },
  "zeta": 1,
  "alpha": 2
}
`},
		{"crlf-tabs", set("false", "mcp", "servers", "a", "enabled"), "{\r\n" +
			"\t\"mcp\": {\r\n" +
			"\t\t\"servers\": {\r\n" +
			"\t\t\t\"a\": {\r\n" +
			"\t\t\t\t\"type\": \"http\",\r\n" +
			"\t\t\t\t\"url\": \"https://a.example/mcp\",\r\n" +
			"\t\t\t\t\"enabled\": false\r\n" +
			"\t\t\t}\r\n\t\t}\r\n\t}\r\n}\r\n"},
		{"crlf-tabs", set(`{"command":"b","args":["x"]}`, "mcp", "servers", "b"), "{\r\n" +
			"\t\"mcp\": {\r\n" +
			"\t\t\"servers\": {\r\n" +
			"\t\t\t\"a\": {\r\n" +
			"\t\t\t\t\"type\": \"http\",\r\n" +
			"\t\t\t\t\"url\": \"https://a.example/mcp\"\r\n" +
			"\t\t\t},\r\n" +
			"\t\t\t\"b\": {\r\n" +
			"\t\t\t\t\"command\": \"b\",\r\n" +
			"\t\t\t\t\"args\": [\r\n" +
			"\t\t\t\t\t\"x\"\r\n" +
			"\t\t\t\t]\r\n" +
			"\t\t\t}\r\n\t\t}\r\n\t}\r\n}\r\n"},
		{"numbers", set(`{"command":"y"}`, "mcp", "servers", "x"), `{
  "x": 12345678901234567890,
  "y": 1e400,
  "z": 1.0,
  "w": -0,
  "v": 0.10e-7,
  "mcp": { "servers": { "x": { "command": "y" } } }
}
`},
		{"escapes", set(`{"enable": false}`, "skills", `C:\skills\b`), `{
  "note": "\u00e9 \/ <&> \ud83d\ude00 é \u2028",
  "lone": "\ud800",
  "skills": {
    "C:\\skills\\b": {
      "enable": false
    }
  }
}
`},
		{"integer-keys", set(`{"enable": false}`, "skills", "/a/SKILL.md"), `{
  "10": "ten",
  "9": "nine",
  "b": 1,
  "skills": {
    "/a/SKILL.md": {
      "enable": false
    }
  }
}
`},
		{"minified", set("false", "mcp", "servers", "b", "enabled"),
			`{"mcp":{"servers":{"a":{"type":"stdio","command":"a"},"b":{"type":"stdio","command":"b","enabled":false}}},"hooks":{"enabled":true}}`},
		{"no-final-newline-4-spaces", set("false", "mcp", "servers", "a", "enabled"), `{
    "mcp": {
        "servers": {
            "a": {
                "command": "a",
                "enabled": false
            }
        }
    }
}`},
		{"bom", set(`{"command":"y"}`, "mcp", "servers", "x"), `{
  "ui": {"locale": "auto"},
  "mcp": {
    "servers": {
      "x": {
        "command": "y"
      }
    }
  }
}
`},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			got := edited(t, readCase(t, tt.file), tt.edit)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func readCase(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "cases", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSet covers the shapes of objects that a member is added to or replaced in.
func TestSet(t *testing.T) {
	tests := []struct {
		name, before string
		edit         edit
		want         string
	}{
		{"fresh object", "{}", set("1", "a"), "{\n  \"a\": 1\n}"},
		{"fresh object with final newline", "{}\n", set("1", "a"), "{\n  \"a\": 1\n}\n"},
		{"fresh object with a space", "{ }\n", set(`[{}]`, "a"), "{\n  \"a\": [\n    {}\n  ]\n}\n"},
		{"fresh object on two lines", "{\n}", set("1", "a"), "{\n  \"a\": 1\n}"},
		{"fresh object on two lines with final newline", "{\n}\n", set("1", "a"), "{\n  \"a\": 1\n}\n"},
		{"fresh object with CRLF", "{}\r\n", set(`{"b":1}`, "a"), "{\r\n  \"a\": {\r\n    \"b\": 1\r\n  }\r\n}\r\n"},
		{"fresh object on two lines with CRLF", "{\r\n}", set("1", "a"), "{\r\n  \"a\": 1\r\n}"},
		{"root scalar", " 1 \n", set(`{"a":1}`), " {\n   \"a\": 1\n } \n"},
		{"root scalar by a scalar", "1\n", set(`"x"`), "\"x\"\n"},
		{"root by another kind", "{\n\t\"a\": 1\n}\n", set(`[1,2]`), "[\n\t1,\n\t2\n]\n"},
		{"CR only", "{\r\t\"a\": 1\r}\r", set("2", "b"), "{\r\t\"a\": 1,\r\t\"b\": 2\r}\r"},
		{"CR only, inner object", "{\r\t\"a\": {}\r}\r", set("2", "a", "b"), "{\r\t\"a\": {\r\t\t\"b\": 2\r\t}\r}\r"},
		{"8 spaces", "{\n        \"a\": {}\n}", set("2", "a", "b"), "{\n        \"a\": {\n                \"b\": 2\n        }\n}"},
		{"sole member on one line", `{"a": 1}`, set("2", "b"), `{"a": 1, "b": 2}`},
		{"sole member minified", `{"a":1}`, set(`{"c":[1,2]}`, "b"), `{"a":1,"b":{"c":[1,2]}}`},
		{"sole member in padded brackets", `{ "a": 1 }`, set(`{"c":[1,2]}`, "b"), `{ "a": 1, "b": { "c": [1, 2] } }`},
		{"space before the comma", `{"a": 1 , "b": 2}`, set("3", "c"), `{"a": 1 , "b": 2 , "c": 3}`},
		{"comma first", "{ \"a\": 1\n, \"b\": 2\n}", set("3", "c"), "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}"},
		{"space before the colon", `{"a" : 1}`, set(`{"c":1}`, "b"), `{"a" : 1, "b" : {"c" : 1}}`},
		{"first member on the opening line", "{\"a\": 1,\n \"b\": 2}", set("3", "c"), "{\"a\": 1,\n \"b\": 2,\n \"c\": 3}"},
		{"object behind a first member on the opening line", "{\"a\": 1,\n \"b\": 2}", set(`{"x":1}`, "c"), "{\"a\": 1,\n \"b\": 2,\n \"c\": {\n  \"x\": 1\n }}"},
		{"two members on the last line", "{\n  \"a\": 1,\n  \"b\": 2, \"c\": 3\n}", set("4", "d"), "{\n  \"a\": 1,\n  \"b\": 2, \"c\": 3, \"d\": 4\n}"},
		{"blank line between members", "{\n  \"a\": 1,\n\n  \"b\": 2\n}", set("3", "c"), "{\n  \"a\": 1,\n\n  \"b\": 2,\n\n  \"c\": 3\n}"},
		{"value on its own line", "{\n  \"a\":\n  {\n    \"x\": 1\n  }\n}", set("2", "b"), "{\n  \"a\":\n  {\n    \"x\": 1\n  },\n  \"b\": 2\n}"},
		{"brackets that share lines", "{\"m\": {\"s\": {\n  \"a\": 1\n}}}", set(`{"x":1}`, "m", "s", "b"), "{\"m\": {\"s\": {\n  \"a\": 1,\n  \"b\": {\n    \"x\": 1\n  }\n}}}"},
		{"missing objects on the way", "{\n  \"a\": 1\n}\n", set("true", "b", "c/d", "e"), "{\n  \"a\": 1,\n  \"b\": {\n    \"c/d\": {\n      \"e\": true\n    }\n  }\n}\n"},
		{"replace an inline array by another", "{\n  \"a\": [\"-y\", \"x\"]\n}", set(`["-y","z",{"b":1}]`, "a"), "{\n  \"a\": [\"-y\", \"z\", {\"b\": 1}]\n}"},
		{"replace a padded array", "{\n  \"a\": [ 1 ]\n}", set(`[2,3]`, "a"), "{\n  \"a\": [ 2, 3 ]\n}"},
		{"replace a scalar by an object", "{\n  \"a\": 1\n}", set(`{"b":{}}`, "a"), "{\n  \"a\": {\n    \"b\": {}\n  }\n}"},
		{"replace an array by an object", "{\n  \"a\": [1]\n}", set(`{"b":1}`, "a"), "{\n  \"a\": {\n    \"b\": 1\n  }\n}"},
		{"replace by an empty object", "{\n  \"a\": {\n    \"b\": 1\n  }\n}", set("{ }", "a"), "{\n  \"a\": {}\n}"},
		{"replace keeps what stands around", "{\"a\" :  1  ,\"b\":2}", set("9", "a"), "{\"a\" :  9  ,\"b\":2}"},
		{"an element", "[1, {\"a\": 2}]", set("3", "1", "a"), "[1, {\"a\": 3}]"},
		{"text of numbers and strings is the caller's", `{"a":1}`, set(` "\u0041\/" `, "a"), `{"a":"\u0041\/"}`},
		{"names are written as JSON.stringify does", "{}", set("1", "é\"\\\u2028\x01\t</>"), "{\n  \"é\\\"\\\\\u2028\\u0001\\t</>\": 1\n}"},
		{"escaped name is found", `{"\u0061\/b":1}`, set("2", "a/b"), `{"\u0061\/b":2}`},
		{"name that looks like an escape", `{"\u0061":1}`, set("2", `\u0061`), `{"\u0061":1,"\\u0061":2}`},
		{"empty name, dots and __proto__", `{"":1}`, func(d *Doc) (*Doc, error) {
			d, err := d.Set(Path{"__proto__"}, []byte("{}"))
			if err == nil {
				d, err = d.Set(Path{"a.b"}, []byte("2"))
			}
			if err == nil {
				d, err = d.Set(Path{""}, []byte("3"))
			}
			return d, err
		}, `{"":3,"__proto__":{},"a.b":2}`},
		{"same value in other words", "{\"a\": {\"x\": \"\\u0041\", \"y\": [1]}}", set(`{"y":[1],"x":"A"}`, "a"), "{\"a\": {\"x\": \"\\u0041\", \"y\": [1]}}"},
		{"another number text is another value", `{"a":1.0}`, set("1", "a"), `{"a":1}`},
		{"another lone surrogate is another value", `{"a":"\ud800"}`, set(`"\ud801"`, "a"), `{"a":"\ud801"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, edited(t, tt.before, tt.edit)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSetSameValueReturnsSameDoc(t *testing.T) {
	d := mustParse(t, "\ufeff{\"a\": [1, {\"b\": null}]}")
	same, err := d.Set(Path{"a"}, []byte(`[1,{"b":null}]`))
	if err != nil || same != d {
		t.Errorf("Set of an equal value = %p, %v, want the document itself %p", same, err, d)
	}
}

func TestDelete(t *testing.T) {
	tests := []struct {
		name, before string
		edit         edit
		want         string
	}{
		{"sole member", "{\n  \"s\": {\n    \"a\": 1\n  }\n}\n", del("s", "a"), "{\n  \"s\": {}\n}\n"},
		{"first of several", "{\n  \"a\": 1,\n  \"b\": 2\n}", del("a"), "{\n  \"b\": 2\n}"},
		{"last of several", "{\n  \"a\": 1,\n  \"b\": 2\n}", del("b"), "{\n  \"a\": 1\n}"},
		{"middle", `{"a":1, "b":2 , "c":3}`, del("b"), `{"a":1 , "c":3}`},
		{"middle of lines", "{\r\n\t\"a\": 1,\r\n\t\"b\": {\"x\": [1]},\r\n\t\"c\": 3\r\n}", del("b"), "{\r\n\t\"a\": 1,\r\n\t\"c\": 3\r\n}"},
		{"first member on the opening line", "{\"a\": 1,\n \"b\": 2}", del("a"), "{\"b\": 2}"},
		{"comma first", "{ \"a\": 1\n, \"b\": 2\n}", del("b"), "{ \"a\": 1\n}"},
		{"element", "[1, 2, 3]", del("1"), "[1, 3]"},
		{"element of several a line", "[\n  1, 2,\n  3\n]", del("2"), "[\n  1, 2\n]"},
		{"sole element", "{\"a\": [ 1 ]}", del("a", "0"), "{\"a\": []}"},
		{"absent", `{"a" : 1}`, del("b", "c"), `{"a" : 1}`},
		{"absent index", `[1]`, del("01"), `[1]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, edited(t, tt.before, tt.edit)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestInsert(t *testing.T) {
	tests := []struct {
		name, before string
		edit         edit
		want         string
	}{
		{"fresh array", "[]\n", insert(0, "1"), "[\n  1\n]\n"},
		{"empty inline array among lines", "{\n  \"args\": []\n}\n", insert(0, `"x"`, "args"), "{\n  \"args\": [\n    \"x\"\n  ]\n}\n"},
		{"empty array on two lines", "{\n  \"args\": [\n  ]\n}\n", insert(0, `"x"`, "args"), "{\n  \"args\": [\n    \"x\"\n  ]\n}\n"},
		{"empty array minified", `{"a":[]}`, insert(0, `{"b":1,"c":2}`, "a"), `{"a":[{"b":1,"c":2}]}`},
		{"empty array inside a minified array", `[[]]`, insert(0, "1", "0"), `[[1]]`},
		{"empty array among the lines of an array", "{\"a\":[\n  [],\n  1\n]}", insert(0, "9", "a", "0"), "{\"a\":[\n  [\n    9\n  ],\n  1\n]}"},
		{"empty array in a padded object", `{ "a": [] }`, insert(0, "1", "a"), `{ "a": [1] }`},
		{"append inline", `{"a": ["-y", "x"]}`, insert(2, `{"b":1}`, "a"), `{"a": ["-y", "x", {"b": 1}]}`},
		{"append to a sole element", `{"a": ["-y"]}`, insert(1, `"x"`, "a"), `{"a": ["-y", "x"]}`},
		{"append to a sole element minified", `{"a":["-y"]}`, insert(1, `"x"`, "a"), `{"a":["-y","x"]}`},
		{"append to padded objects", `[ { "a": 1 } ]`, insert(1, `{"b":2}`), `[ { "a": 1 }, { "b": 2 } ]`},
		{"append several a line", "[\n  1, 2, 3,\n  4, 5\n]", insert(5, "6"), "[\n  1, 2, 3,\n  4, 5, 6\n]"},
		{"between lines of several", "[\n  1, 2,\n  3, 4\n]", insert(2, "9"), "[\n  1, 2,\n  9,\n  3, 4\n]"},
		{"within a line of several", "[\n  1, 2,\n  3, 4\n]", insert(1, "9"), "[\n  1, 9, 2,\n  3, 4\n]"},
		{"before the first", "[\n  1,\n  2\n]", insert(0, `{"a":1}`), "[\n  {\n    \"a\": 1\n  },\n  1,\n  2\n]"},
		{"before a sole one", "[\n\t1\n]", insert(0, "0"), "[\n\t0,\n\t1\n]"},
		{"space before the comma", "[1 , 2]", insert(1, "9"), "[1 , 9 , 2]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, edited(t, tt.before, tt.edit)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEditErrors(t *testing.T) {
	deep := bytesOf(MaxDepth, "[", "]")
	tests := []struct {
		name, before string
		edit         edit
		want         error
		text         string
	}{
		{"through a string", `{"a":"SECRET"}`, set("1", "a", "b"), ErrPath, `setting "/a/b": there is a string at "/a": no such place`},
		{"past the end of an array", `[1]`, set("1", "1"), ErrPath, `setting "/1": there is an array at "": no such place`},
		{"below the end of an array", `{"a":[1]}`, set("1", "a", "1", "x"), ErrPath, `setting "/a/1/x": there is an array at "/a": no such place`},
		{"delete the root", `{}`, del(), ErrPath, "deleting the whole document: no such place"},
		{"insert into an object", `{}`, insert(0, "1"), ErrPath, `inserting into "": there is an object at "": no such place`},
		{"insert into nothing", `{}`, insert(0, "1", "a"), ErrPath, `inserting into "/a": there is nothing at "/a": no such place`},
		{"insert behind the end", `[1]`, insert(2, "1"), ErrPath, `inserting into "/2": there is an array at "": no such place`},
		{"insert before the start", `[1]`, insert(-1, "1"), ErrPath, `inserting into "/-1": there is an array at "": no such place`},
		{"a value that is no JSON", `{}`, set("{", "a"), ErrSyntax, `setting "/a": line 1, column 2: the file ends too early: it may be cut short`},
		{"an element that is no JSON", `[]`, insert(0, ""), ErrEmpty, `inserting into "": line 1, column 1: the file is empty`},
		{"a value that nests too deeply once inside", `{"a":1}`, set(string(deep), "a"), ErrTooDeep, ""},
		{"a value whose indentation is too large", "{\n" + strings.Repeat(" ", 1<<20) + "\"a\": 1}", set(string(deep[1:len(deep)-1]), "a"), ErrTooLarge, ""},
		{"a value that nests too deeply in new objects", `{}`, set(string(deep), "a", "b"), ErrTooDeep, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := mustParse(t, tt.before)
			got, err := tt.edit(d)
			if got != nil || !errors.Is(err, tt.want) {
				t.Fatalf("got %v, error %v, want an error that is %v", got, err, tt.want)
			}
			if tt.text != "" && err.Error() != tt.text {
				t.Errorf("error %q, want %q", err, tt.text)
			}
			if string(d.Text()) != tt.before {
				t.Errorf("the document changed")
			}
		})
	}
	if _, err := new(Doc).Set(nil, []byte("1")); !errors.Is(err, ErrPath) {
		t.Errorf("Set on the zero Doc: %v, want %v", err, ErrPath)
	}
}
