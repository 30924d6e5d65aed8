package jsonedit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// config returns a document like a large cli/config.json.
func config(servers int) []byte {
	var b strings.Builder
	b.WriteString("{\n  \"mcp\": {\n    \"servers\": {\n")
	for i := range servers {
		fmt.Fprintf(&b, `      "server-%d": {
        "type": "stdio",
        "command": "npx",
        "args": [
          "-y",
          "@example/server-%d",
          "/home/user/projects/with a long name/%d"
        ],
        "env": {
          "ROOT": "/srv/data",
          "TOKEN": "0123456789abcdef"
        },
        "timeoutMs": 60000,
        "enabled": true
      }`, i, i, i)
		if i < servers-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("    }\n  },\n  \"skills\": {}\n}\n")
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	text := config(280)
	read := map[string]func() bool{
		"this":     func() bool { return Valid(text) },
		"encoding": func() bool { return json.Valid(text) },
		"jsontext": func() bool { return jsontext.Value(text).IsValid(jsontext.AllowInvalidUTF8(true)) },
	}
	for _, name := range []string{"this", "encoding", "jsontext"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if !read[name]() {
					b.Fatal("refused")
				}
			}
		})
	}
}

func BenchmarkSet(b *testing.B) {
	text := config(280)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		d, err := Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := d.Set(Path{"mcp", "servers", "server-140", "enabled"}, []byte("false")); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDiff(b *testing.B) {
	before, err := Parse(config(280))
	if err != nil {
		b.Fatal(err)
	}
	after, err := before.Set(Path{"mcp", "servers", "server-140", "enabled"}, []byte("false"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(Diff(before.Root(), after.Root())) != 1 {
			b.Fatal("not one change")
		}
	}
}
