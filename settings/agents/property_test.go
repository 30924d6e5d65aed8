package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/jsonedit"
)

// drawState draws a state file that ZCode may have written, or an older version,
// or another tool.
func drawState(t *rapid.T) *jsonedit.Doc {
	var members []string
	add := func(key string, values ...string) {
		if v := rapid.SampledFrom(append(values, "")).Draw(t, key); v != "" {
			members = append(members, fmt.Sprintf("%q:%s", key, v))
		}
	}
	const selection, other = `{"providerId":"p","modelId":"m"}`, `{"modelId":"n","providerId":"q","thoughtLevel":"high"}`
	add(builtInKey, `{}`, `{"Explore":`+selection+`}`, `{"general-purpose":`+other+`}`, `{"general-purpose":`+selection+`,"Explore":`+other+`}`)
	add(pluginKey, `{}`, `{"plugin:a@b:c":`+selection+`}`)
	add("builtInModelOverrides", `{"Explore":"p/m","general-purpose":"custom:a%2Fb:c"}`)
	add("pluginAgentModelOverrides", `{"plugin:x@y:z":"p/m"}`)
	add("futureKey", `{"a":1.0,"b":["\/"]}`)
	ids := rapid.SliceOfDistinct(rapid.SampledFrom([]string{`"user:user:a"`, `"user:user:b"`, `"user:a"`, `"user:user:z"`, `"plugin:p:q"`, `""`, `7`}), rapid.ID)
	if rapid.Bool().Draw(t, "has ids") {
		members = append(members, `"disabledAgentIds":[`+strings.Join(ids.Draw(t, "ids"), ",")+`]`)
	}
	text := []byte("{" + strings.Join(rapid.Permutation(members).Draw(t, "order"), ",") + "}")
	if indent := rapid.SampledFrom([]string{"", "  ", "\t"}).Draw(t, "indent"); indent != "" {
		var b bytes.Buffer
		if err := json.Indent(&b, text, "", indent); err != nil {
			t.Fatal(err)
		}
		text = b.Bytes()
	}
	d, err := jsonedit.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Everything but what the edit is about, the three members and the order of the
// ids is as it was.
func checkRest(t *rapid.T, before, after *jsonedit.Doc, touched string) {
	for n := range before.Root().Children() {
		now := after.Root().Get(n.Key())
		switch {
		case n.Key() == touched:
		case n.Key() == disabledKey:
			ids := func(n jsonedit.Node) []string {
				var list []string
				for c := range n.Children() {
					list = append(list, string(c.Raw()))
				}
				slices.Sort(list)
				return list
			}
			if diff := cmp.Diff(ids(n), ids(now)); diff != "" {
				t.Errorf("ids (-want +got):\n%s", diff)
			}
		case !bytes.Equal(n.Raw(), now.Raw()):
			t.Errorf("%s was %s and is %s", n.Key(), n.Raw(), now.Raw())
		}
	}
	if after == before {
		return
	}
	var strs []string
	for n := range after.Root().Get(disabledKey).Children() {
		if isID(n) {
			strs = append(strs, n.Text())
		}
	}
	if !slices.IsSorted(strs) { // the ids drawn are ASCII
		t.Errorf("the ids are not sorted: %q", strs)
	}
	for _, key := range []string{builtInKey, pluginKey, disabledKey} {
		if !after.Root().Get(key).Exists() {
			t.Errorf("%s is missing", key)
		}
	}
}

func TestEnableThenDisableRestores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawState(t)
		name := rapid.SampledFrom([]string{"a", "A", "c", "zz"}).Draw(t, "name")
		was := Disabled(before, name)
		there, _, err := Enable(before, name, was)
		if err != nil {
			t.Fatal(err)
		}
		if Disabled(there, name) == was {
			t.Fatalf("%s is not switched", name)
		}
		checkRest(t, before, there, disabledKey)
		back, _, err := Enable(there, name, !was)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := Enable(back, name, was)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(there.Text(), again.Text()) {
			t.Errorf("there and back again:\n%s\nbecame\n%s", there.Text(), again.Text())
		}
		for _, id := range disabledIDs(before) {
			if id != UserID(name) && id != LegacyID(name) && !slices.Contains(disabledIDs(there), id) {
				t.Errorf("%s is lost", id)
			}
		}
	})
}

func TestOverrideSetAndCleared(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawState(t)
		agent := rapid.SampledFrom([]string{"Explore", "general-purpose", "plugin:a@b:c", "plugin:n@m:o"}).Draw(t, "agent")
		others := []string{"Explore", "general-purpose", "plugin:a@b:c", "plugin:x@y:z"}
		want := Selection{"new", "model", rapid.SampledFrom([]string{"", "low"}).Draw(t, "level")}
		set, _, err := SetOverride(before, agent, &want)
		if err != nil {
			t.Fatal(err)
		}
		cleared, _, err := SetOverride(set, agent, nil)
		if err != nil {
			t.Fatal(err)
		}
		key, _ := mapOf(agent)
		checkRest(t, before, set, key)
		checkRest(t, set, cleared, key)
		if s, warning, ok := Override(set, agent); s != want || warning != "" || !ok {
			t.Errorf("got %+v, %q, %v, want %+v", s, warning, ok, want)
		}
		if _, _, ok := Override(cleared, agent); ok {
			t.Error("it is still there")
		}
		for _, other := range others {
			if other == agent {
				continue
			}
			a, warnedA, _ := Override(before, other)
			for _, d := range []*jsonedit.Doc{set, cleared} {
				if b, warnedB, _ := Override(d, other); a != b || (warnedA == "") != (warnedB == "") {
					t.Errorf("%s was %+v and is %+v", other, a, b)
				}
			}
		}
	})
}

// blocks are lines that stand between keys of real files.
var blocks = []string{
	"# comment\n", "\n", "unknownKey: kept\n", "color: red # mine\n", "color: 'blue'\n", "tools: Read, Grep\n", "tools:\n  - Read\n  - \"*\"\n",
	"tools: [Read,  Bash]\n", "model: \"p/m\"\n", "thoughtLevel: high\n", "maxTurns: 12\n", "note: |\n  a\n  b\n",
	"mcpServers:\n  - files\n", "mcpServers:\n  - gh:\n      env:\n        A: K\n", "background: true\n", "meta:\n  a: 1\n",
}

func drawAgent(t *rapid.T) string {
	text := "---\nname: abc\ndescription: " + rapid.SampledFrom([]string{"d", `"a: b"`, `'x # y'`, "Use when: x", `C:\new`}).Draw(t, "description") + "\n"
	used := map[string]bool{}
	for _, block := range rapid.SliceOfN(rapid.SampledFrom(blocks), 0, 5).Draw(t, "blocks") {
		key, _, isKey := strings.Cut(block, ":")
		if isKey && used[key] {
			continue
		}
		used[key] = true
		text += block
	}
	text += "---\n" + rapid.SampledFrom([]string{"\nBody\n", "Body", "\n\n---\nx: y\n---\n", ""}).Draw(t, "body")
	if rapid.Bool().Draw(t, "crlf") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

var values = map[string][]string{
	"description": {`"e"`, `"f: g"`, `"two\nlines"`, `"it's #1"`},
	"color":       {`"red"`, `"pink"`, `null`},
	"model":       {`"p/m"`, `"inherit"`, `null`, `{"providerId": "a/b", "modelId": "c", "reasoningLevel": "low"}`},
	"tools":       {`[]`, `["Read", "Grep"]`, `["*", "Bash(a: *)"]`, `null`},
	"maxTurns":    {`1`, `12`, `null`},
	"background":  {`true`, `false`, `null`},
	"mcpServers":  {`["files"]`, `null`},
	"prompt":      {`"New\n---\nprompt"`, `"Body"`},
}

// An edit of one key leaves every other entry, and the body, as ZCode reads them.
func TestPatchChangesOnlyTheKey(t *testing.T) {
	edits := 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawAgent(t)
		key := rapid.SampledFrom([]string{"description", "color", "model", "tools", "maxTurns", "background", "mcpServers", "prompt"}).Draw(t, "key")
		body, err := jsonedit.Parse([]byte(`{"` + key + `": ` + rapid.SampledFrom(values[key]).Draw(t, "value") + `}`))
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := Patch([]byte(text), body.Root())
		if errors.Is(err, frontmatter.ErrRefused) {
			return // frontmatter's own tests say when; here counts what is written
		}
		if err != nil {
			t.Fatal(err)
		}
		edits++
		before, after := lines(t, text, key), lines(t, string(got), key)
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("more than %s changed (-want +got):\n%s", key, diff)
		}
		again, notes, err := Patch(got, body.Root())
		if err != nil || !bytes.Equal(got, again) || notes != nil {
			t.Errorf("the same edit again: %q became %q, %q, %v", got, again, notes, err)
		}
	})
	if edits == 0 {
		t.Error("every edit was refused: nothing was tested")
	}
}

// lines returns what is not of a key: the lines of the block, and the body.
func lines(t *rapid.T, text, key string) (rest []string) {
	doc, err := frontmatter.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	block := strings.SplitAfter(strings.TrimSuffix(text, string(doc.Body())), "\n")
	mine := false
	for _, l := range block {
		if !strings.HasPrefix(l, " ") {
			name, _, isKey := strings.Cut(l, ":")
			mine = isKey && (name == key || key == "model" && name == "thoughtLevel")
		}
		if !mine {
			rest = append(rest, l)
		}
	}
	if key == "prompt" {
		return rest
	}
	return append(rest, string(doc.Body()))
}
