package cliconfig

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plan imports one server "s" into a file whose servers are given.
func plan(t *testing.T, servers, server string, overwrite, windows bool) (ImportStep, string) {
	t.Helper()
	foreign, err := ReadForeign([]byte(`{"mcpServers":{"s":` + server + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	d := parse(t, `{"mcp":{"servers":`+servers+`}}`)
	steps, next, err := Plan(d, foreign, overwrite, windows)
	if err != nil || len(steps) != 1 {
		t.Fatalf("%v, steps %+v", err, steps)
	}
	if problems := Check(next); len(problems) > len(Check(d)) {
		t.Errorf("%s has problems: %v", next.Text(), problems)
	}
	if writes := steps[0].Action == ImportAdd || steps[0].Action == ImportReplace; writes == (next == d) {
		t.Errorf("%s, but the document changes: %v", steps[0].Action, next != d)
	}
	return steps[0], string(next.Find(serverPath("s")).Raw())
}

func TestImportConverts(t *testing.T) {
	tests := []struct {
		server, want     string
		dropped, changed []string
	}{
		{`{"command":"x"}`, `{"type":"stdio","command":"x"}`, nil, nil},
		{`{"command":"x","args":["a"],"env":{"A":"b"},"cwd":"/d","timeoutMs":5,"protocolVersion":"auto"}`, `{"type":"stdio","command":"x","args":["a"],"env":{"A":"b"},"cwd":"/d","timeoutMs":5,"protocolVersion":"auto"}`, nil, nil},
		{`{"url":"u","headers":{"A":"b"}}`, `{"type":"http","url":"u","headers":{"A":"b"}}`, nil, nil},
		{`{"type":"sse","url":"u"}`, `{"type":"sse","url":"u"}`, nil, nil},
		{`{"type":"streamable-http","url":"u"}`, `{"type":"http","url":"u"}`, nil, []string{"type: streamable-http became type: http"}},
		{`{"url":"u","type":"streamableHttp"}`, `{"type":"http","url":"u"}`, nil, []string{"type: streamableHttp became type: http"}},
		{`{"url":"u","type":"remote"}`, `{"type":"http","url":"u"}`, nil, []string{"type: remote became type: http"}},
		{`{"command":"x","type":"local"}`, `{"type":"stdio","command":"x"}`, nil, []string{"type: local became type: stdio"}},
		{`{"url":"u","transport":"sse"}`, `{"type":"sse","url":"u"}`, nil, []string{"transport became type"}},
		{`{"url":"u","transportType":"streamable_http"}`, `{"type":"http","url":"u"}`, nil, []string{"transportType: streamable_http became type: http"}},
		{`{"url":"u","type":"sse","transport":"http"}`, `{"type":"sse","url":"u"}`, []string{"transport"}, nil},
		{`{"url":"u","type":7}`, `{"type":"http","url":"u"}`, []string{"type: it is no string"}, nil},
		{`{"serverUrl":"u"}`, `{"type":"http","url":"u"}`, nil, []string{"serverUrl became url"}},
		{`{"httpUrl":"u"}`, `{"type":"http","url":"u"}`, nil, []string{"httpUrl became url"}},
		{`{"httpUrl":"u","url":"u"}`, `{"type":"http","url":"u"}`, []string{"httpUrl: url says it already"}, nil},
		{`{"httpUrl":"u","serverUrl":"u"}`, `{"type":"http","url":"u"}`, []string{"serverUrl: url says it already"}, []string{"httpUrl became url"}},
		{`{"url":"u","http_headers":{"A":"b"}}`, `{"type":"http","url":"u","headers":{"A":"b"}}`, nil, []string{"http_headers became headers"}},
		{`{"command":"x","environment":{"A":"b"}}`, `{"type":"stdio","command":"x","env":{"A":"b"}}`, nil, []string{"environment became env"}},
		{`{"command":"x","environment":{"A":"b"},"env":{"A":"c"}}`, `{"type":"stdio","command":"x","env":{"A":"c"}}`, []string{"environment: env says it already"}, nil},
		{`{"command":"x","environment":{"A":"b"},"env":null}`, `{"type":"stdio","command":"x","env":{"A":"b"}}`, nil, []string{"environment became env"}},
		// On and off.
		{`{"command":"x","disabled":true}`, `{"type":"stdio","command":"x","enabled":false}`, nil, []string{"disabled: true became enabled: false"}},
		{`{"command":"x","disabled":false}`, `{"type":"stdio","command":"x"}`, nil, nil},
		{`{"command":"x","enabled":true}`, `{"type":"stdio","command":"x"}`, nil, nil},
		{`{"command":"x","enabled":false}`, `{"type":"stdio","command":"x","enabled":false}`, nil, nil},
		{`{"command":"x","enabled":true,"disabled":true}`, `{"type":"stdio","command":"x","enabled":false}`, nil, []string{"disabled: true became enabled: false"}},
		{`{"command":"x","enable":false}`, `{"type":"stdio","command":"x","enabled":false}`, nil, []string{"enable: false became enabled: false"}},
		{`{"command":"x","isActive":false}`, `{"type":"stdio","command":"x","enabled":false}`, nil, []string{"isActive: false became enabled: false"}},
		// What ZCode has no place for.
		{`{"command":"x","autoApprove":["a"],"alwaysAllow":[],"description":"d","name":"n"}`, `{"type":"stdio","command":"x"}`, []string{"autoApprove", "alwaysAllow", "description", "name"}, nil},
		{`{"command":"x","timeout":60}`, `{"type":"stdio","command":"x"}`, []string{`timeout: seconds for some tools, milliseconds for others: set "timeoutMs"`}, nil},
		{`{"command":"x","startup_timeout_sec":6}`, `{"type":"stdio","command":"x"}`, []string{`startup_timeout_sec: set "timeoutMs" in milliseconds`}, nil},
		{`{"command":"x","envFile":".env"}`, `{"type":"stdio","command":"x"}`, []string{`envFile: ZCode reads no such file: set "env"`}, nil},
		{`{"command":"x","cwd":""}`, `{"type":"stdio","command":"x"}`, []string{"cwd: it is empty"}, nil},
		{`{"command":"x","args":null,"env":null,"foo":null}`, `{"type":"stdio","command":"x"}`, nil, nil},
		{`{"command":"x","protocolVersion":"2025"}`, `{"type":"stdio","command":"x"}`, []string{"protocolVersion: not in a form that ZCode knows"}, nil},
		{`{"url":"u","oauth":{"clientId":"i","callbackPort":1}}`, `{"type":"http","url":"u"}`, []string{"oauth: not in a form that ZCode knows"}, nil},
		{`{"url":"u","oauth":{"type":"authorization_code"}}`, `{"type":"http","url":"u","oauth":{"type":"authorization_code"}}`, nil, nil},
		{`{"type":"sse","url":"u","command":"","args":[],"env":{}}`, `{"type":"sse","url":"u"}`, []string{"command: it is empty", "args: does not belong to a server of type sse", "env: does not belong to a server of type sse"}, nil},
		{`{"url":"u","command":" "}`, `{"type":"http","url":"u"}`, []string{"command: it is empty"}, nil},
		{`{"command":"x","url":""}`, `{"type":"stdio","command":"x"}`, []string{"url: it is empty"}, nil},
		{`{"url":"","httpUrl":"u"}`, `{"type":"http","url":"u"}`, []string{"url: it is empty"}, []string{"httpUrl became url"}},
		{`{"type":"stdio","command":"x","url":"u","http_headers":{}}`, `{"type":"stdio","command":"x"}`, []string{"url: does not belong to a server of type stdio", "http_headers: does not belong to a server of type stdio"}, nil},
		// Strings that are none.
		{`{"command":"x","env":{"P":8080,"D":true,"E":1.0,"S":"s","N":null}}`, `{"type":"stdio","command":"x","env":{"P":"8080","D":"true","E":"1.0","S":"s"}}`, []string{"env.N: it is null"}, []string{"env.P became a string", "env.D became a string", "env.E became a string"}},
		{`{"command":"x","args":["-p",8080]}`, `{"type":"stdio","command":"x","args":["-p","8080"]}`, nil, []string{"args[1] became a string"}},
		{`{"url":"u","headers":{"A":1}}`, `{"type":"http","url":"u","headers":{"A":"1"}}`, nil, []string{"headers.A became a string"}},
		{`{"command":"x","env":{"A":"\u00e9\ud800"}}`, `{"type":"stdio","command":"x","env":{"A":"\u00e9\ud800"}}`, nil, nil},
	}
	for _, tt := range tests {
		step, got := plan(t, `{}`, tt.server, false, false)
		want := ImportStep{Name: "s", Action: ImportAdd, Dropped: tt.dropped, Changed: tt.changed}
		if diff := cmp.Diff(want, step); diff != "" {
			t.Errorf("%s: step (-want +got):\n%s", tt.server, diff)
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.server, got, tt.want)
		}
	}
}

func TestImportSkips(t *testing.T) {
	tests := []struct{ server, reason string }{
		{`1`, "must be an object"},
		{`{}`, `needs "command" or "url"`},
		{`{"type":"stdio"}`, `needs "command" for its type stdio`},
		{`{"type":"http","command":"x"}`, `needs "url" for its type http`},
		{`{"command":""}`, `needs "command" or "url"`},
		{`{"type":"stdio","command":""}`, `needs "command" for its type stdio`},
		{`{"type":"http","url":" "}`, `needs "url" for its type http`},
		{`{"command":["x"]}`, "/command must be a string that is not empty"},
		{`{"type":"ws","url":"u"}`, "/type must be one of stdio, http, sse"},
		{`{"command":"x","url":"u"}`, `has both "command" and a url: remove one, or say which with "type"`},
		{`{"url":"u","httpUrl":"v"}`, `has different addresses in "url" and "httpUrl": leave the one that ZCode should use`},
		{`{"command":"x","disabled":"true"}`, "/disabled must be true or false"},
		{`{"command":"x","enabled":0}`, "/enabled must be true or false"},
		{`{"command":"x","env":{"A":{}}}`, "/env/A must be a string"},
		{`{"command":"x","env":["A=b"]}`, "/env must be an object"},
		{`{"command":"x","args":"a"}`, "/args must be an array"},
		{`{"command":"x","args":["a",null]}`, "/args/1 must be a string"},
		{`{"command":"x","timeoutMs":0}`, "/timeoutMs must be a number above 0"},
		{`{"command":"x","env":{"A":"********"}}`, "/env/A " + lostMask},
	}
	for _, tt := range tests {
		step, got := plan(t, `{}`, tt.server, true, false)
		want := ImportStep{Name: "s", Action: ImportSkip, Reason: tt.reason}
		if diff := cmp.Diff(want, step); diff != "" || got != "" {
			t.Errorf("%s became %s: (-want +got):\n%s", tt.server, got, diff)
		}
	}
}

func TestImportOverServer(t *testing.T) {
	const skip = "skip " + anotherServer
	tests := []struct{ present, server, without, with, want string }{
		{`{"command":"x"}`, `{"command":"x"}`, "same", "same", `{"command":"x"}`},
		{`{ "command" : "\u0078", "timeoutMs": 1.0 }`, `{"type":"stdio","timeoutMs":1,"command":"x"}`, "same", "same", `{ "command" : "\u0078", "timeoutMs": 1.0 }`},
		{`{"command":"x","enabled":true}`, `{"command":"x","disabled":false}`, "same", "same", `{"command":"x","enabled":true}`},
		{`{"command":"x","enable":false,"environment":{"A":"b"}}`, `{"command":"x","disabled":true,"env":{"A":"b"}}`, "same", "same", `{"command":"x","enable":false,"environment":{"A":"b"}}`},
		{`{"type":"remote","url":"u","http_headers":{"A":"b"}}`, `{"httpUrl":"u","headers":{"A":"b"}}`, "same", "same", `{"type":"remote","url":"u","http_headers":{"A":"b"}}`},
		{`{"command":"x","env":{"A":"K"}}`, `{"command":"x","env":{"A":"********"}}`, "same", "same", `{"command":"x","env":{"A":"K"}}`},
		{`{"command":"x","timeout":5}`, `{"command":"x"}`, "same", "same", `{"command":"x","timeout":5}`},
		{`{"command":"x"}`, `{"command":"y"}`, skip, "replace", `{"command":"y"}`},
		{`{"command":"x","enabled":false}`, `{"command":"x"}`, skip, "replace", `{"command":"x"}`},
		{`{"command":"x"}`, `{"command":"x","disabled":true}`, skip, "replace", `{"command":"x","enabled":false}`},
		{`{"command":"x","cwd":"/d","env":{"A":"b"}}`, `{"command":"x"}`, skip, "replace", `{"command":"x"}`},
		{`{"command":"x","env":{"A":"b"}}`, `{"url":"u"}`, skip, "replace", `{"type":"http","url":"u"}`},
		{`{"type":"sse","url":"u"}`, `{"url":"u"}`, skip, "replace", `{"type":"http","url":"u"}`},
		{`{"command":"x","env":{"A":"K"}}`, `{"command":"y","env":{"A":"********"}}`, skip, "replace", `{"command":"y","env":{"A":"K"}}`},
		{`{"command":"x","autoApprove":[]}`, `{"command":"x"}`, skip, "replace", `{"command":"x"}`},
		{`{"command":"x","enabled":"yes"}`, `{"command":"x"}`, skip, "replace", `{"command":"x"}`},
		{`7`, `{"command":"x"}`, skip, "replace", `{"type":"stdio","command":"x"}`},
		{`null`, `{"command":"x"}`, skip, "replace", `{"type":"stdio","command":"x"}`},
	}
	for _, tt := range tests {
		for overwrite, want := range map[bool]string{false: tt.without, true: tt.with} {
			step, got := plan(t, `{"s":`+tt.present+`}`, tt.server, overwrite, false)
			if told := strings.TrimSpace(string(step.Action) + " " + step.Reason); told != want {
				t.Errorf("%s over %s, overwrite %v: %s, want %s", tt.server, tt.present, overwrite, told, want)
			}
			stored := tt.present
			if step.Action == ImportReplace {
				stored = tt.want
			}
			if got != stored {
				t.Errorf("%s over %s, overwrite %v:\n got %s\nwant %s", tt.server, tt.present, overwrite, got, stored)
			}
		}
	}
}

func TestImportTellsWhatAReplacementRemoves(t *testing.T) {
	step, _ := plan(t, `{"s":{"url":"u","http_headers":{"A":"b"}}}`, `{"url":"u","headers":{"A":"c"}}`, true, false)
	if want := []string{`the old spelling "http_headers" became "headers"`}; !cmp.Equal(step.Changed, want) {
		t.Errorf("changed %q, want %q", step.Changed, want)
	}
}

func TestImportHints(t *testing.T) {
	const placeholders = "ZCode does not replace placeholders like ${VAR}: put the values themselves into "
	const sse = `the url looks like one of type sse: set "type" to "sse" if ZCode cannot connect`
	npx := `on Windows ZCode cannot start the script npx by itself: set command to "cmd" and put "/c", "npx" in front of args`
	tests := []struct {
		server  string
		windows bool
		hints   []string
	}{
		{`{"command":"${HOME}/x","args":["a","--key=${env:K}","{env:B}"],"env":{"A":"$A","T":"Bearer ${input:t}"}}`, false, []string{placeholders + "command, args[1], args[2], env.T"}},
		{`{"url":"https://${H}/x","headers":{"A":"{env:T}"}}`, false, []string{placeholders + "url, headers.A"}},
		{`{"command":"x","args":["}${","{env:","{a}","${"]}`, false, nil},
		{`{"command":"npx","args":["-y"]}`, false, nil},
		{`{"command":"npx","args":["-y"]}`, true, []string{npx}},
		{`{"command":"NPX.cmd"}`, true, []string{npx}},
		{`{"command":"bunx"}`, true, []string{strings.ReplaceAll(npx, "npx", "bunx")}},
		{`{"command":"cmd","args":["/c","npx"]}`, true, nil},
		{`{"command":"node"}`, true, nil},
		{`{"url":"https://h/sse/?a=b"}`, false, []string{sse}},
		{`{"type":"http","url":"https://h/sse"}`, false, nil},
		{`{"url":"https://h/mcp?x=/sse"}`, false, nil},
	}
	for _, tt := range tests {
		step, _ := plan(t, `{}`, tt.server, false, tt.windows)
		if diff := cmp.Diff(tt.hints, step.Hints); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", tt.server, diff)
		}
	}
}

func TestImportNames(t *testing.T) {
	long := strings.Repeat("é", 200)
	list, err := ReadForeign([]byte(`{"mcpServers":{"":{"command":"x"},"a/b":{"command":"x"},"` + long + `":{"command":"x"},"ok":{"command":"x"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	steps, next, err := Plan(New(), append(list, list[3]), true, false)
	if err != nil {
		t.Fatal(err)
	}
	want := []ImportStep{
		{Name: "", Action: ImportSkip, Reason: "the name of a server must not be empty"},
		{Name: "a/b", Action: ImportSkip, Reason: "the name of a server must be free of slashes, backslashes and control characters"},
		{Name: strings.Repeat("é", 150) + "…", Action: ImportSkip, Reason: "the name of a server must have at most 255 bytes"},
		{Name: "ok", Action: ImportAdd},
		{Name: "ok", Action: ImportSkip, Reason: "another server of the import has that name: rename one"},
	}
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"ok"}, Names(next)); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestImportNeedsAPlace(t *testing.T) {
	for _, file := range []string{`[]`, `{"mcp":1}`, `{"mcp":{"servers":null}}`} {
		steps, next, err := Plan(parse(t, file), nil, true, false)
		if !errors.Is(err, ErrInvalid) || steps != nil || next != nil {
			t.Errorf("%s: got %v, want an invalid setting", file, err)
		}
	}
}

// TestImportStaysReadable imports a server of very many odd things.
func TestImportStaysReadable(t *testing.T) {
	var members, env strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&members, `,"odd-%d":1`, i)
		fmt.Fprintf(&env, `"V%d":"${X}",`, i)
	}
	step, _ := plan(t, `{}`, `{"command":"x","`+strings.Repeat("k", 5000)+`":1`+members.String()+`,"env":{`+env.String()+`"N":1}}`, false, false)
	text, err := json.Marshal(step)
	if err != nil || len(text) > 2000 || len(step.Dropped) != 11 || step.Dropped[10] != "and 4991 more" {
		t.Errorf("%d bytes: %.3000s (%v)", len(text), text, err)
	}
}

// TestImportHidesValues plants a secret wherever a server can have one.
func TestImportHidesValues(t *testing.T) {
	const canary = "K93mxq"
	servers := []string{
		`{"command":"K93mxq","args":["--token","K93mxq","${K93}K93mxq"],"env":{"A":"K93mxq${B}","B":{"K93":"K93mxq"}}}`,
		`{"command":"x","args":["K93mxq${A}"],"env":{"A":"K93mxq${B}"},"autoApprove":"K93mxq","timeout":"K93mxq","cwd":"K93mxq${A}"}`,
		`{"type":"K93mxq","url":"https://u:K93mxq@h"}`,
		`{"type":"remote","url":"https://u:K93mxq@h/sse","oauth":{"clientSecret":"K93mxq"},"headers":{"A":"K93mxq"}}`,
		`{"url":"K93mxq","httpUrl":"K93mxq2"}`,
		`{"command":"x","disabled":"K93mxq"}`,
		`{"command":"x","env":"K93mxq"}`,
		`{"url":"u","protocolVersion":"K93mxq","timeoutMs":"K93mxq"}`,
	}
	for _, server := range servers {
		for _, present := range []string{`{}`, `{"s":{"command":"K93mxq"}}`, `{"s":"K93mxq"}`} {
			step, _ := plan(t, present, server, true, true)
			if text := fmt.Sprintf("%+v", step); strings.Contains(text, canary) {
				t.Errorf("%s tells a value: %s", server, text)
			}
		}
	}
}
