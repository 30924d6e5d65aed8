package cliconfig

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"zcode-acp/settings/jsonedit"
)

// fieldValues are values that ZCode accepts, by type.
var fieldValues = map[FieldType][]string{
	BooleanField: {`true`, `false`},
	NumberField:  {`1`, `3`, `60000`},
	StringField:  {`"a"`, `"\u0062"`, `"http://u:K@h"`},
	StringsField: {`[]`, `["a"]`, `["--token","K1"]`, `["b","\u00e9"]`},
}

func drawField(t *rapid.T, f generalField) string {
	if len(f.values) > 0 {
		return fmt.Sprintf("%q", rapid.SampledFrom(f.values).Draw(t, f.name))
	}
	return rapid.SampledFrom(fieldValues[f.kind]).Draw(t, f.name)
}

// drawSection draws members of a section, with what else body may hold.
func drawSection(t *rapid.T, s generalSection, others ...string) string {
	var parts []string
	for _, f := range s.fields {
		if rapid.Bool().Draw(t, "has "+f.name) {
			parts = append(parts, fmt.Sprintf("%q:%s", f.name, drawField(t, f)))
		}
	}
	for _, other := range others {
		if rapid.Bool().Draw(t, "has "+other) {
			parts = append(parts, other)
		}
	}
	if len(parts) > 1 {
		parts = rapid.Permutation(parts).Draw(t, "order")
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// TestSetSectionChangesOnlyTheSection wants the members of the body in the
// section, its others as they were, and every byte around it.
func TestSetSectionChangesOnlyTheSection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		general := rapid.SampledFrom(generalSections).Draw(t, "section")
		text := `{"first":1e400,"` + general.name + `":` + drawSection(t, general, `"odd":[1.0,"\ud800"]`) + `,"last":["\/"]}`
		var b bytes.Buffer
		if indent := rapid.SampledFrom([]string{"", "  ", "\t"}).Draw(t, "indent"); indent == "" {
			b.WriteString(text)
		} else if err := json.Indent(&b, []byte(text), "", indent); err != nil {
			t.Fatal(err)
		}
		before, err := jsonedit.Parse(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		f := rapid.SampledFrom(general.fields).Draw(t, "member")
		value := rapid.SampledFrom([]string{drawField(t, f), "null"}).Draw(t, "value")
		body, err := jsonedit.Parse(fmt.Appendf(nil, `{%q:%s,"gone":null}`, f.name, value))
		if err != nil {
			t.Fatal(err)
		}
		after, _, err := SetSection(before, general.name, body.Root())
		if err != nil {
			t.Fatal(err)
		}
		old, now := before.Root().Get(general.name), after.Root().Get(general.name)
		a, z := old.Span()
		c, y := now.Span()
		if !bytes.Equal(before.Text()[:a], after.Text()[:c]) || !bytes.Equal(before.Text()[z:], after.Text()[y:]) {
			t.Errorf("more than %s changed:\n%s\nbecame\n%s", general.name, before.Text(), after.Text())
		}
		want := map[string]string{}
		for m := range old.Children() {
			want[m.Key()] = string(m.Raw())
		}
		sent := body.Root().Get(f.name)
		if value == "null" {
			delete(want, f.name)
		} else if !jsonedit.Equal(old.Get(f.name), sent) {
			want[f.name] = string(sent.Raw())
		}
		got := map[string]string{}
		for m := range now.Children() {
			got[m.Key()] = string(m.Raw())
		}
		if f.kind == StringsField && value != "null" {
			if !jsonedit.Equal(now.Get(f.name), sent) {
				t.Errorf("%s is %s, want %s", f.name, got[f.name], value)
			}
			delete(want, f.name)
			delete(got, f.name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("members (-want +got):\n%s", diff)
		}
		if again, _, err := SetSection(after, general.name, body.Root()); err != nil || again != after {
			t.Errorf("the second time: %v, another document", err)
		}
	})
}
