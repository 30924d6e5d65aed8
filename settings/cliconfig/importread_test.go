package cliconfig

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadForeign(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // name and text
	}{
		{"mcpServers", `{"mcpServers":{"a":{"command":"x"},"b":{"url":"u"}}}`, []string{`a {"command":"x"}`, `b {"url":"u"}`}},
		{"ZCode", `{"mcp":{"servers":{"a":{"command":"x"}}},"hooks":{}}`, []string{`a {"command":"x"}`}},
		{"VS Code", `{"inputs":[],"servers":{"a":{"type":"stdio","command":"x"}}}`, []string{`a {"type":"stdio","command":"x"}`}},
		{"plain", `{"$schema":"s","a":{"serverUrl":"u"}}`, []string{`$schema "s"`, `a {"serverUrl":"u"}`}},
		{"none", `{"mcpServers":{}}`, nil},
		{"all at once", `{"servers":{"c":1},"mcp":{"servers":{"b":2}},"mcpServers":{"a":3}}`, []string{`a 3`, `b 2`, `c 1`}},
		{"servers called like holders", `{"servers":{"command":"x"},"mcpServers":{"url":"u"},"mcp":{"command":"y"}}`, []string{`servers {"command":"x"}`, `mcpServers {"url":"u"}`, `mcp {"command":"y"}`}},
		{"a server called command", `{"servers":{"command":{"command":"x"}}}`, []string{`command {"command":"x"}`}},
		{"comments", "// of my editor\n{\"mcpServers\":{/* one */\"a\":{\"command\":\"x\",},},} // end", []string{`a {"command":"x" }`}},
		{"slashes and brackets in strings", "{\"mcpServers\":{\"a\":{\"url\":\"https://h/*[[[{\\\"\"},},}", []string{`a {"url":"https://h/*[[[{\""}`}},
		{"brackets in comments", "/* " + strings.Repeat("[", 20_000) + " */{\"mcpServers\":{\"a\":1}} // " + strings.Repeat("{", 20_000), []string{`a 1`}},
		{"BOM", "\ufeff{\"mcpServers\":{\"a\":1}}", []string{`a 1`}},
		{"BOM and comment", "\ufeff/**/{\"mcpServers\":{\"a\":1}}", []string{`a 1`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list, err := ReadForeign([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range list {
				got = append(got, f.Name+" "+string(f.Server.Raw()))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadForeignRefuses(t *testing.T) {
	const forms = `"mcpServers", "mcp.servers", "servers" or "context_servers"`
	deep := strings.Repeat(`{"a":`, 10_001) + "1" + strings.Repeat("}", 10_001)
	tests := []struct{ name, text, want string }{
		{"empty", ``, "the file is empty"},
		{"only a comment", `// x`, "the text ends too early"},
		{"array", `[]`, forms},
		{"no servers", `{}`, forms},
		{"other things", `{"a":1,"b":{"c":{"command":"x"}}}`, forms},
		{"mcpServers is no object", `{"mcpServers":[]}`, "/mcpServers must be an object of servers"},
		{"mcp.servers is no object", `{"mcp":{"servers":null}}`, "/mcp/servers must be an object of servers"},
		{"name twice", `{"mcpServers":{"a":1,"a":2}}`, `the name "a" stands twice`},
		{"name twice, with comments", "{\"mcpServers\":{\"a\":1, // one\n\"\\u0061\":2}}", `the name "a" stands twice`},
		{"name in two holders", `{"mcpServers":{"a":1},"servers":{"b":2,"a":3}}`, "/servers/a has a name that another server of the text has"},
		{"no JSON", "{\n  \"mcpServers\": {a: 1}", "line 2, column 18: the text is no JSON from here on"},
		{"cut short", `{"mcpServers":{"a":{"command":"x"}`, "the text ends too early"},
		{"comment without end", `{} /* x`, "no JSON from here on"},
		{"deep", deep, "nested more than 10000 levels deep"},
		{"deep behind a comment", "//\n" + deep, "nested more than 10000 levels deep"},
		// The reader of comments would run out of stack, which ends the process.
		{"very deep behind a comment", "/* \" */" + strings.Repeat(`{"\"":[`, 4_000_000), "nested more than 10000 levels deep"},
		{"quote in a comment", "// it\"s\n" + strings.Repeat("[", 4_000_000), "nested more than 10000 levels deep"},
		{"quote in a string", "//\n[\"\\\"\"," + strings.Repeat("[", 4_000_000), "nested more than 10000 levels deep"},
		{"not UTF-8", "{\"mcpServers\":{\"a\":\"\xff\"}}", "save it as UTF-8"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "save it as UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list, err := ReadForeign([]byte(tt.text))
			if !errors.Is(err, ErrInvalid) || list != nil {
				t.Fatalf("got %v, %v, want an invalid setting", list, err)
			}
			if !strings.HasPrefix(err.Error(), "reading the servers to import: ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
		})
	}
}

// TestReadForeignHidesTheText breaks a text at its secret.
func TestReadForeignHidesTheText(t *testing.T) {
	const canary = "K93mxq"
	for _, text := range []string{
		`{"mcpServers":{"a":{"env":{"A":` + canary + `}}}}`,
		`{"mcpServers":{"a":{"env":{"A":"` + canary + `\x"}}}}`,
		"//\n" + `{"mcpServers":{"a":{"env":{"A":"` + canary + `\x"}}}}`,
		`{"mcpServers":"` + canary + `"}`,
		`"` + canary + `"`,
	} {
		_, err := ReadForeign([]byte(text))
		if err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("%s: got %v, want an error without the value", text, err)
		}
	}
}

func TestReadForeignKeepsTheText(t *testing.T) {
	text := append(make([]byte, 0, 100), "{\"mcpServers\":{\"a\":1,},} // c"...)
	before := string(text)
	if _, err := ReadForeign(text); err != nil || string(text) != before {
		t.Errorf("%v, the text became %s", err, text)
	}
}

// manyServers is a document of n servers in another tool's form.
func manyServers(n int) string {
	var b strings.Builder
	b.WriteString("{ // all of them\n\"mcpServers\": {")
	for i := range n {
		fmt.Fprintf(&b, `"server-%d": {"command": "npx", "args": ["-y", "pkg-%d"], "env": {"TOKEN": "${T}", "N": %d}, "disabled": false, "autoApprove": []},`+"\n", i, i, i)
	}
	b.WriteString("}}")
	return b.String()
}

// TestManyServers would take minutes if servers were stored one by one.
func TestManyServers(t *testing.T) {
	const n = 10_000
	text, file := manyServers(n), parse(t, `{"mcp": {"servers": {"own": {"command":  "c"}}}}`)
	start := time.Now()
	foreign, err := ReadForeign([]byte(text))
	if err != nil || len(foreign) != n {
		t.Fatalf("%d servers, %v", len(foreign), err)
	}
	_, next, err := Plan(file, foreign, false, true)
	if err != nil {
		t.Fatal(err)
	}
	const most = 2 * time.Minute
	if took := time.Since(start); took > most {
		t.Errorf("took %v, want less than %v", took, most)
	}
	if names := Names(next); len(names) != n+1 || names[0] != "own" || names[n] != foreign[n-1].Name {
		t.Errorf("%d names", len(names))
	}
	for _, p := range Check(next) {
		t.Fatal(p)
	}
}

func TestManyServersAgain(t *testing.T) {
	const n = 300
	text := manyServers(n)
	first, err := ReadForeign([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	_, next, err := Plan(New(), first, false, true)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := ReadForeign([]byte(strings.ReplaceAll(text, "pkg-", "other-")))
	if err != nil {
		t.Fatal(err)
	}
	for want, foreign := range map[ImportAction][]Foreign{ImportSame: first, ImportReplace: changed} {
		steps, again, err := Plan(next, foreign, true, true)
		if err != nil || (again == next) != (want == ImportSame) || len(Names(again)) != n {
			t.Errorf("%s: %v, %d servers", want, err, len(Names(again)))
		}
		for _, s := range steps {
			if s.Action != want {
				t.Fatalf("%+v, want %s", s, want)
			}
		}
	}
}
