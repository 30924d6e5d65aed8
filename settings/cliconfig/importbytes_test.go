package cliconfig

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"zcode-acp/settings/jsonedit"
)

func TestImportKeepsBytes(t *testing.T) {
	const foreign = `{"mcpServers":{"b":{"command":"new"},"c":{"url":"u"},"a":{"command":"x"}}}`
	tests := []struct{ name, file, want string }{
		{
			"nothing there", "{}\n",
			"{\n  \"mcp\": {\n    \"servers\": {\n      \"b\": {\n        \"type\": \"stdio\",\n        \"command\": \"new\"\n      },\n      \"c\": {\n        \"type\": \"http\",\n        \"url\": \"u\"\n      },\n" +
				"      \"a\": {\n        \"type\": \"stdio\",\n        \"command\": \"x\"\n      }\n    }\n  }\n}\n",
		},
		{
			"one line", `{"x":1.0,"mcp":{"servers":{"b" :{"command":"old",  "autoApprove":1},"z":[ 1, 2 ]}},"y":"\u0041"}`,
			`{"x":1.0,"mcp":{"servers":{"b" :{"command":"new"},"z":[ 1, 2 ],"c":{"type":"http","url":"u"},"a":{"type":"stdio","command":"x"}}},"y":"\u0041"}`,
		},
		{
			"tabs and CRLF", "{\r\n\t\"mcp\": {\r\n\t\t\"servers\": {\r\n\t\t\t\"z\":   {\"command\":\"c\"}\r\n\t\t}\r\n\t}\r\n}\r\n",
			"{\r\n\t\"mcp\": {\r\n\t\t\"servers\": {\r\n\t\t\t\"z\":   {\"command\":\"c\"},\r\n\t\t\t\"b\":   {\r\n\t\t\t\t\"type\":   \"stdio\",\r\n\t\t\t\t\"command\":   \"new\"\r\n\t\t\t},\r\n" +
				"\t\t\t\"c\":   {\r\n\t\t\t\t\"type\":   \"http\",\r\n\t\t\t\t\"url\":   \"u\"\r\n\t\t\t},\r\n\t\t\t\"a\":   {\r\n\t\t\t\t\"type\":   \"stdio\",\r\n\t\t\t\t\"command\":   \"x\"\r\n\t\t\t}\r\n\t\t}\r\n\t}\r\n}\r\n",
		},
		{
			"byte order mark", "\ufeff{\"mcp\":{\"servers\":{\"b\":{\"command\":\"new\"},\"c\":{\"url\":\"u\"}}}}",
			`{"mcp":{"servers":{"b":{"command":"new"},"c":{"url":"u"},"a":{"type":"stdio","command":"x"}}}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list, err := ReadForeign([]byte(foreign))
			if err != nil {
				t.Fatal(err)
			}
			_, next, err := Plan(parse(t, tt.file), list, true, false)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(next.Text())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// drawForeign draws servers that ZCode accepts, under other tools' names too.
func drawForeign(t *rapid.T, names []string) []Foreign {
	var parts []string
	for _, name := range names {
		parts = append(parts, fmt.Sprintf("%q:%s", name, drawServer(t)))
	}
	text := `{"mcpServers":{` + strings.Join(parts, ",") + `}}`
	if rapid.Bool().Draw(t, "old names") {
		text = strings.NewReplacer(`"url"`, `"serverUrl"`, `"env"`, `"environment"`, `"enabled":false`, `"disabled":true`).Replace(text)
	}
	list, err := ReadForeign([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestImportListsTheSameNames imports into an empty file.
func TestImportListsTheSameNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zé"10]{1,8}`), 0, 8, rapid.ID[string]).Draw(t, "names")
		var parts []string
		for _, name := range names {
			parts = append(parts, string(jsonedit.Quote(name))+":"+drawServer(t))
		}
		list, err := ReadForeign([]byte(`{"mcpServers":{` + strings.Join(parts, ",") + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		_, next, err := Plan(New(), list, false, false)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range Servers(next) {
			got = append(got, s.Name)
			if s.Ignored != "" {
				t.Errorf("%s: %s", s.Name, s.Ignored)
			}
		}
		if !slices.Equal(got, names) {
			t.Errorf("got %q, want %q", got, names)
		}
	})
}

// TestImportIsUpsert wants of one new server the very bytes that setting it gives.
func TestImportIsUpsert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, err := jsonedit.Parse([]byte(drawFile(t)))
		if err != nil {
			t.Fatal(err)
		}
		server := drawServer(t)
		if !strings.Contains(server, `"type"`) { // an import writes it in front, as setting does
			server = strings.Replace(server, "{", `{"type":"`+string(kindOf(t, server))+`",`, 1)
		}
		body, err := jsonedit.Parse([]byte(server))
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := UpsertServer(d, "new", body.Root())
		if err != nil {
			t.Fatal(err)
		}
		_, got, err := Plan(d, []Foreign{{"new", body.Root()}}, false, false)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := inOrder(t, want), inOrder(t, got); a != b {
			t.Errorf("got\n%s\nwant\n%s", b, a)
		}
		checkAdded(t, d, got, "new")
	})
}

func kindOf(t *rapid.T, server string) transport {
	d, err := jsonedit.Parse([]byte(server))
	if err != nil {
		t.Fatal(err)
	}
	return transportOf(d.Root().Get)
}

// inOrder returns a document without its new server and the sorted lines of that:
// an import puts the type in front and a switch last, setting keeps the order.
func inOrder(t *rapid.T, d *jsonedit.Doc) string {
	server := d.Find(serverPath("new"))
	start, end := server.Span()
	var members []string
	for m := range server.Children() {
		members = append(members, m.Key()+string(m.Raw()))
	}
	slices.Sort(members)
	text := d.Text()
	return string(text[:start]) + strings.Join(members, "\n") + string(text[end:])
}

// TestImportLeavesTheOthers wants the bytes of every server that the import does
// not name, and of all around the servers.
func TestImportLeavesTheOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, err := jsonedit.Parse([]byte(drawFile(t)))
		if err != nil {
			t.Fatal(err)
		}
		steps, next, err := Plan(d, drawForeign(t, []string{"s1", "n1", "s0", "n2"}), rapid.Bool().Draw(t, "overwrite"), false)
		if err != nil {
			t.Fatal(err)
		}
		replaced := map[string]bool{}
		for _, s := range steps {
			replaced[s.Name] = s.Action == ImportReplace
			if s.Action == ImportSkip && s.Reason != anotherServer {
				t.Errorf("%s skipped: %s", s.Name, s.Reason)
			}
		}
		path := jsonedit.Path{"mcp", "servers"}
		before, after := d.Text(), next.Text()
		i, j := 0, 0
		same := func(to, until int, what string) {
			if a, b := string(before[i:to]), string(after[j:until]); a != b {
				t.Errorf("%s: %q became %q", what, a, b)
			}
		}
		for old := range d.Find(path).Children() {
			start, end := old.Span()
			from, to := next.Find(path).Get(old.Key()).Span()
			same(start, from, "before "+old.Key())
			i, j = start, from
			if !replaced[old.Key()] {
				same(end, to, old.Key())
			}
			i, j = end, to
		}
		_, end := d.Find(path).Span()
		_, to := next.Find(path).Span()
		i, j = end, to
		same(len(before), len(after), "behind the servers")
	})
}
