package settings

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
)

var (
	userinfo = regexp.MustCompile(`CANARY-[a-z]+:CANARY-[a-z]+@`)
	canary   = regexp.MustCompile(`CANARY-[a-z]+`)
)

// maskedByHand is what a value must look like in an answer.
func maskedByHand(t *testing.T, n jsonedit.Node) string {
	if !n.Exists() {
		return ""
	}
	text := userinfo.ReplaceAll(n.Raw(), []byte("********@"))
	var compact bytes.Buffer
	if err := json.Compact(&compact, canary.ReplaceAll(text, []byte("********"))); err != nil {
		t.Fatal(err)
	}
	return compact.String()
}

// TestDryRun: what is answered is what a write would change, without the
// secrets, and nothing happens on disk.
func TestDryRun(t *testing.T) {
	for _, c := range changeCases {
		t.Run(strings.ReplaceAll(c.op, "/", " ")+" "+c.name, func(t *testing.T) {
			w := worldWithSecrets(t, &c)
			before, text := w.below(filepath.Dir(w.dir)), w.get(c.file)
			got := w.write(c.op, Call{DryRun: true}, c.in)
			if diff := cmp.Diff(before, w.below(filepath.Dir(w.dir))); diff != "" {
				t.Errorf("files changed (-before +after):\n%s", diff)
			}
			if _, err := w.run(c.op, Call{}, c.in); err != nil {
				t.Fatal(err)
			}
			var want []Change
			for _, change := range difference(t, text, w.get(c.file)) {
				want = append(want, Change{change.Path.Pointer(), []byte(maskedByHand(t, change.Before)), []byte(maskedByHand(t, change.After))})
			}
			asText := cmp.Transformer("text", func(c Change) []string { return []string{c.Path, string(c.Before), string(c.After)} })
			if diff := cmp.Diff(want, got.Changes, asText); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if !got.OK || !got.DryRun || !got.Changed || got.Backup != "" || got.Effect != c.effect || got.Tag() != "" {
				t.Errorf("got %+v, want a dry run", got)
			}
			if c.op != "backups/restore" && got.ETag != w.tag(c.op) {
				t.Errorf("got etag %s, the write then gave %s", got.ETag, w.tag(c.op))
			}
			if answer, err := Encode(got); err != nil || canary.Match(answer) {
				t.Errorf("%v: secret in %s", err, answer)
			}
		})
	}
}

// TestDryRunOfNoChange, and of a write to a home that does not exist.
func TestDryRunOfNoChange(t *testing.T) {
	w := newWorld(t)
	got := w.write("mcp/upsert", Call{DryRun: true}, params{"name": "x", "command": "y"})
	if len(got.Changes) != 1 || got.Changes[0].Path != "/mcp" || string(got.Changes[0].After) != `{"servers":{"x":{"type":"stdio","command":"y"}}}` {
		t.Errorf("got %+v, want the section", got.Changes)
	}
	if files := w.below(filepath.Dir(w.dir)); len(files) != 0 {
		t.Errorf("got files %v, want none", files)
	}
	w.write("mcp/upsert", Call{}, params{"name": "x", "command": "y"})
	got = w.write("mcp/upsert", Call{DryRun: true}, params{"name": "x", "command": "y"})
	if got.Changed || got.Changes != nil || got.ETag != w.tag("mcp/list") {
		t.Errorf("got %+v, want no change", got)
	}
}

const agentWithSecrets = `---
name: holder
description: Has a server of its own
mcpServers:
  - own:
      command: run
      args: ["--token", "CANARY-agentarg"]
      env:
        TOKEN: CANARY-agentenv
---

Prompt
`

// TestReadsHideSecrets looks at every answer of every read.
func TestReadsHideSecrets(t *testing.T) {
	w := worldWithSecrets(t, &changeCase{})
	w.put(agentsFile, sharedOne)
	w.put("agents/holder.md", agentWithSecrets)
	before := w.below(filepath.Dir(w.dir))
	for operation := range w.catalog.All() {
		if operation.Writes() {
			continue
		}
		if operation.Name == "history/show" {
			continue // history_test.go has what there is to show
		}
		in := map[string]params{"config/get": {"section": "network"}, "agents/show": {"name": "holder"}}[operation.Name]
		answer, err := w.run(operation.Name, Call{}, in)
		if err != nil {
			t.Fatalf("%s: %v", operation.Name, err)
		}
		if text, err := Encode(answer); err != nil || canary.Match(text) {
			t.Errorf("%s: %v: secret in %s", operation.Name, err, text)
		}
	}
	if diff := cmp.Diff(before, w.below(filepath.Dir(w.dir))); diff != "" {
		t.Errorf("reads changed files (-before +after):\n%s", diff)
	}
}

// TestMaskedPlaces tries values that ZCode would not accept but that a file may
// hold when they are removed or replaced.
func TestMaskedPlaces(t *testing.T) {
	tests := []struct{ member, want string }{
		{`"env": {"PIN": 1234, "ON": true}`, `{"env":{"PIN":"********","ON":true}}`},
		{`"env": ["CANARY-a"]`, `{"env":["********"]}`},
		{`"headers": {"A": {"B": "CANARY-a"}}`, `{"headers":{"A":{"B":"********"}}}`},
		{`"environment": {"A": "CANARY-a"}`, `{"environment":{"A":"********"}}`},
		{`"http_headers": {"A": "CANARY-a"}`, `{"http_headers":{"A":"********"}}`},
		{`"args": ["--token", "CANARY-a", 5, "--key", 1234, {"env": {"A": "CANARY-b"}}]`,
			`{"args":["--token","********",5,"--key","********",{"env":{"A":"********"}}]}`},
		{`"apiKey": "CANARY-a", "name": "n"`, `{"apiKey":"********","name":"n"}`},
		{`"auth": {"user": "CANARY-a", "n": 7}`, `{"auth":{"user":"********","n":"********"}}`},
		{`"command": "run TOKEN=CANARY-a now"`, `{"command":"run TOKEN=******** now"}`},
		{`"url": "https://h.example/?token=CANARY-a'b&x=1"`, `{"url":"https://h.example/?token=********&x=1"}`},
		{`"timeoutMs": 5, "cwd": ""`, `{"timeoutMs":5,"cwd":""}`},
	}
	for _, tt := range tests {
		w := newWorld(t)
		w.put(cliFile, `{"mcp":{"servers":{"token":{`+tt.member+`}}}}`)
		got := w.write("mcp/remove", Call{DryRun: true}, params{"name": "token"}).Changes
		if len(got) != 1 || got[0].Path != "/mcp/servers/token" || got[0].After != nil {
			t.Fatalf("got %+v, want the removal", got)
		}
		same(t, tt.member, string(got[0].Before), tt.want)
	}
}

// TestEmptyValuesAreShown: a value that says nothing is still one.
func TestEmptyValuesAreShown(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"mcp":{"servers":{"a":{"command":"a","args":["x",""],"env":{"A":"B"}}}}}`)
	got := w.write("mcp/upsert", Call{DryRun: true}, params{"name": "a", "args": []string{"", "x"}, "env": map[string]string{"A": ""}})
	text, err := Encode(got.Changes)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "changes", string(text),
		`[{"path":"/mcp/servers/a/args/0","before":"x","after":""},`+
			`{"path":"/mcp/servers/a/args/1","before":"","after":"x"},{"path":"/mcp/servers/a/env/A","before":"********","after":""}]`)
}
