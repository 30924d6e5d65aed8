package cliconfig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"zcode-acp/settings/jsonedit"
)

// drawPluginFile draws a file whose plugins may be missing in part, in one of
// the layouts that people use.
func drawPluginFile(t *rapid.T) string {
	parts := []string{`"first":1e400`}
	if rapid.Bool().Draw(t, "plugins") {
		members := []string{`"dirs":["\/x"]`}
		if rapid.Bool().Draw(t, "enabled") {
			members = append(members, `"enabled":`+rapid.SampledFrom([]string{"true", "false"}).Draw(t, "all"))
		}
		if rapid.Bool().Draw(t, "enabledPlugins") {
			var entries []string
			for _, id := range rapid.Permutation([]string{"a@m", "b@m", legacyComputerUse, computerUse, `odd\ud800`}).Draw(t, "order") {
				if rapid.Bool().Draw(t, "has "+id) {
					entries = append(entries, fmt.Sprintf(`"%s":%s`, id, rapid.SampledFrom([]string{"true", "false", `"x"`, "{}"}).Draw(t, id)))
				}
			}
			members = append(members, `"enabledPlugins":{`+strings.Join(entries, ",")+`}`)
		}
		parts = append(parts, `"plugins":{`+strings.Join(members, ",")+`}`)
	}
	text := "{" + strings.Join(append(parts, `"last":["\ud800"]`), ",") + "}"
	indent := rapid.SampledFrom([]string{"", "  ", "\t"}).Draw(t, "indent")
	if indent == "" {
		return text
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", indent); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(b.String()+"\n", "\n", rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end"))
}

func TestEnablePluginChangesOnlyThePlugin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, err := jsonedit.Parse([]byte(drawPluginFile(t)))
		if err != nil {
			t.Fatal(err)
		}
		id := rapid.SampledFrom([]string{"a@m", "b@m", "new@m", computerUse, legacyComputerUse}).Draw(t, "id")
		on := rapid.Bool().Draw(t, "on")
		after, _, err := EnablePlugin(before, id, on)
		if err != nil {
			t.Fatal(err)
		}
		path := jsonedit.Path{"plugins", "enabledPlugins", currentPluginID(id)}
		if got, set := after.Find(path).Bool(); got != on || !set {
			t.Fatalf("%s is %s, want %v", id, after.Find(path).Raw(), on)
		}
		if again, notes, err := EnablePlugin(after, id, on); again != after || err != nil {
			t.Errorf("the second time gave %s, %q, %v", again.Text(), notes, err)
		}
		if path[2] == computerUse {
			before = without(t, before, path[0], path[1], legacyComputerUse)
		}
		checkAroundValue(t, before, after, path)
	})
}

// checkAroundValue wants the bytes around a boolean as they were, or, where it is
// new, the old bytes back when what was added is taken away.
func checkAroundValue(t *rapid.T, before, after *jsonedit.Doc, path jsonedit.Path) {
	if before.Find(path).Exists() {
		a, b := before.Find(path).Span()
		c, d := after.Find(path).Span()
		if !bytes.Equal(before.Text()[:a], after.Text()[:c]) || !bytes.Equal(before.Text()[b:], after.Text()[d:]) {
			t.Errorf("more than %s changed:\n%s\nbecame\n%s", path, before.Text(), after.Text())
		}
		return
	}
	added := len(path)
	for added > 1 && !before.Find(path[:added-1]).Exists() {
		added--
	}
	if got := without(t, after, path[:added]...); !bytes.Equal(before.Text(), got.Text()) {
		t.Errorf("more than %s was added:\n%s\nbecame\n%s", path, before.Text(), after.Text())
	}
}

func without(t *rapid.T, d *jsonedit.Doc, path ...string) *jsonedit.Doc {
	next, err := d.Delete(path)
	if err != nil {
		t.Fatal(err)
	}
	return next
}
