package cliconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
)

// side members, with values that ZCode accepts.
var (
	localValues = map[string][]string{
		"command": {`"run"`, `"npx"`},
		"args":    {`[]`, `["-y","--token","K1"]`, `["a"]`},
		"cwd":     {`"/d"`},
		"env":     {`{}`, `{"A":"K1"}`, `{"A":"K2","B":"\u00e9"}`},
	}
	remoteValues = map[string][]string{
		"url":     {`"https://h/mcp"`, `"https://u:K@h/?key=K"`},
		"headers": {`{}`, `{"X":"K1"}`, `{"X":"K2","Y":"K3"}`},
		"oauth":   {`{"type":"authorization_code"}`, `{"type":"client_credentials","clientId":"i","clientSecret":"K"}`},
	}
	commonValues = map[string][]string{
		"protocolVersion": {`"auto"`, `"legacy"`},
		"timeoutMs":       {`1`, `2.5`, `60000`},
		"enabled":         {`true`, `false`},
	}
)

// drawObject draws an object of members in any order; each stands with the
// odds of one half, the required one always.
func drawObject(t *rapid.T, values map[string][]string, required string) string {
	names := rapid.Permutation(slices.Sorted(maps.Keys(values))).Draw(t, "order")
	var parts []string
	for _, name := range names {
		if name == required || rapid.Bool().Draw(t, "has "+name) {
			parts = append(parts, fmt.Sprintf("%q:%s", name, rapid.SampledFrom(values[name]).Draw(t, name)))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func drawServer(t *rapid.T) string {
	values := maps.Clone(commonValues)
	switch rapid.SampledFrom([]transport{stdio, http, sse}).Draw(t, "transport") {
	case stdio:
		maps.Copy(values, localValues)
		values["type"] = []string{`"stdio"`}
		return drawObject(t, values, "command")
	case http:
		maps.Copy(values, remoteValues)
		values["type"] = []string{`"http"`}
		return drawObject(t, values, "url")
	default:
		maps.Copy(values, remoteValues)
		values["type"] = []string{`"sse"`}
		text := drawObject(t, values, "url")
		if !strings.Contains(text, `"type":"sse"`) {
			text = `{"type":"sse",` + text[1:]
		}
		return text
	}
}

func drawBody(t *rapid.T) string {
	values := maps.Clone(commonValues)
	if rapid.Bool().Draw(t, "local") {
		maps.Copy(values, localValues)
		values["type"] = []string{`"stdio"`, `null`}
	} else {
		maps.Copy(values, remoteValues)
		values["type"] = []string{`"http"`, `"sse"`, `null`}
	}
	for name, list := range values {
		values[name] = append(list[:len(list):len(list)], "null")
	}
	return drawObject(t, values, "")
}

func drawFile(t *rapid.T) string {
	var servers []string
	for i := range rapid.IntRange(0, 3).Draw(t, "servers") {
		servers = append(servers, fmt.Sprintf(`"s%d":%s`, i, drawServer(t)))
	}
	if rapid.Bool().Draw(t, "odd server") {
		servers = append(servers, `"odd":{"command":1,"x":[1.0,"\ud800"]}`)
	}
	text := `{"first":1e400,"mcp":{"servers":{` + strings.Join(servers, ",") + `},"x":null},"last":["\/"]}`
	var b bytes.Buffer
	switch indent := rapid.SampledFrom([]string{"", "  ", "    ", "\t"}).Draw(t, "indent"); {
	case indent == "":
		return text
	default:
		if err := json.Indent(&b, []byte(text), "", indent); err != nil {
			t.Fatal(err)
		}
	}
	b.WriteString(rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end"))
	if rapid.Bool().Draw(t, "crlf") {
		return strings.ReplaceAll(b.String(), "\n", "\r\n")
	}
	return b.String()
}

// model is an entry as a plain value.
type model map[string]any

func decode(t *rapid.T, text []byte) model {
	var m model
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m model) transport() string {
	switch t, ok := m["type"].(string); {
	case ok:
		return t
	case m["command"] != nil:
		return "stdio"
	case m["url"] != nil:
		return "http"
	}
	return ""
}

// merged says what an edit has to leave; present is nil for a new server.
func (present model) merged(body model) model {
	out := maps.Clone(present)
	if present == nil {
		out = model{}
	}
	for name, value := range body {
		if out[name] = value; value == nil {
			delete(out, name)
		}
	}
	if on, ok := body["enabled"].(bool); ok && on && present["enabled"] != true {
		delete(out, "enabled")
	}
	switch before, after := present.transport(), out.transport(); {
	case present == nil:
		out["type"] = after
	case before == after && present["type"] == nil && body["type"] != nil:
		delete(out, "type") // what is inferred already is not written
	case (before == "stdio") != (after == "stdio"):
		drop := localValues
		if after == "stdio" {
			drop = remoteValues
		}
		for name := range drop {
			if body[name] == nil {
				delete(out, name)
			}
		}
	}
	return out
}

// lost are the members that an edit dropped without naming them.
func (present model) lost(body, after model) []string {
	var names []string
	for name := range present {
		_, named := body[name]
		if _, stays := after[name]; !named && !stays {
			names = append(names, name)
		}
	}
	return names
}

// span returns the offsets of a value in its document: both slices end at the
// same place of one array.
func span(d *jsonedit.Doc, n jsonedit.Node) (start, end int) {
	start = cap(d.Text()) - cap(n.Raw())
	return start, start + len(n.Raw())
}

func TestUpsertChangesOnlyTheServer(t *testing.T) {
	edits := 0
	rapid.Check(t, func(t *rapid.T) {
		before, err := jsonedit.Parse([]byte(drawFile(t)))
		if err != nil {
			t.Fatal(err)
		}
		body, err := jsonedit.Parse([]byte(drawBody(t)))
		if err != nil {
			t.Fatal(err)
		}
		name := rapid.SampledFrom([]string{"s0", "s1", "new"}).Draw(t, "name")
		entry := before.Find(serverPath(name))
		after, notes, err := UpsertServer(before, name, body.Root())
		if err != nil {
			if !errors.Is(err, ErrInvalid) {
				t.Fatalf("got %v, want a server or an invalid setting", err)
			}
			return
		}
		edits++
		var present model
		if entry.Exists() {
			present = decode(t, entry.Raw())
			checkAround(t, before, after, name)
		} else {
			checkAdded(t, before, after, name)
		}
		sent := decode(t, body.Text())
		want := present.merged(sent)
		if lost := present.lost(sent, want); len(lost) > 0 != (len(notes) > 0) {
			t.Errorf("notes = %q, lost %q", notes, lost)
		}
		got := after.Find(serverPath(name))
		if diff := cmp.Diff(want, decode(t, got.Raw())); diff != "" {
			t.Errorf("entry (-want +got):\n%s", diff)
		}
		checkListed(t, after, name, want)
	})
	if edits == 0 {
		t.Error("every server was refused: nothing was tested")
	}
}

// checkAround wants the bytes before and behind an edited server as they were.
func checkAround(t *rapid.T, before, after *jsonedit.Doc, name string) {
	a, b := span(before, before.Find(serverPath(name)))
	c, d := span(after, after.Find(serverPath(name)))
	if !bytes.Equal(before.Text()[:a], after.Text()[:c]) || !bytes.Equal(before.Text()[b:], after.Text()[d:]) {
		t.Errorf("more than %s changed:\n%s\nbecame\n%s", name, before.Text(), after.Text())
	}
}

// checkAdded wants the old bytes back when the new server is taken away.
func checkAdded(t *rapid.T, before, after *jsonedit.Doc, name string) {
	removed, err := RemoveServer(after, name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before.Text(), removed.Text()) {
		t.Errorf("more than %s was added:\n%s\nbecame\n%s", name, before.Text(), after.Text())
	}
}

func checkListed(t *rapid.T, d *jsonedit.Doc, name string, want model) {
	for _, s := range Servers(d) {
		if s.Name != name {
			continue
		}
		on := want["enabled"] != false
		if s.Type != want.transport() || s.Enabled != on || s.Ignored != "" || s.Legacy != nil {
			t.Errorf("listed as %+v, want %v", s, want)
		}
		url, _ := want["url"].(string)
		command, _ := want["command"].(string)
		timeout, _ := want["timeoutMs"].(float64)
		if s.URL != redact.URL(url) || s.Command != command || s.TimeoutMs != timeout {
			t.Errorf("listed as %+v, want %v", s, want)
		}
		for member, values := range map[string]map[string]string{"env": s.Env, "headers": s.Headers} {
			stored, _ := want[member].(map[string]any)
			if len(values) != len(stored) {
				t.Errorf("%s listed as %v, want the names of %v", member, values, stored)
			}
			for key, value := range values {
				if stored[key] == nil || value != redact.Mask {
					t.Errorf("%s listed as %v, want the names of %v, masked", member, values, stored)
				}
			}
		}
		return
	}
	t.Errorf("%s is not listed", name)
}
