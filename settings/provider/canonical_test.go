package provider_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
)

func canonical(t interface{ Fatal(...any) }, d *jsonedit.Doc) *jsonedit.Doc {
	d, err := provider.Canonical(d)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// backwards writes the members of every object in reverse order, and all on
// one line.
func backwards(n jsonedit.Node) string {
	var parts []string
	for c := range n.Children() {
		text := backwards(c)
		if n.Kind() == jsonedit.Object {
			text = string(jsonedit.Quote(c.Key())) + ":" + text
		}
		parts = append(parts, text)
	}
	switch n.Kind() {
	case jsonedit.Object:
		slices.Reverse(parts)
		return "{" + strings.Join(parts, ",") + "}"
	case jsonedit.Array:
		return "[" + strings.Join(parts, ",") + "]"
	}
	return string(n.Raw())
}

// The test files are in ZCode's order, so reversing them and bringing them
// into that order again gives them back.
func TestCanonicalOrder(t *testing.T) {
	for _, name := range []string{"whole.json", "canonical.json", "manual-rule.json", "account-rule.json"} {
		d := load(t, name)
		want := string(d.Text())
		if got := string(canonical(t, d).Text()); got != want {
			t.Errorf("%s: a canonical text changed:\n%s", name, cmp.Diff(want, got))
		}
		reversed := parse(t, backwards(d.Root()))
		if got := string(canonical(t, reversed).Text()); got != want {
			t.Errorf("%s: want-, got+:\n%s", name, cmp.Diff(want, got))
		}
	}
}

func TestCanonicalKeepsTexts(t *testing.T) {
	d := parse(t, "\ufeff"+`{ "later": 1, "config" : {"providerConfigRules":{"providerRules":[
		{"note":{"b":1,"a":[]},"config":{"api":{"headers":{"b":"1","a":"\u0041\/","10":""}}},"providerId":"p\u00e9"}]}},
		"schemaVersion":1.0}`+"\r\n")
	const want = `{
  "schemaVersion": 1.0,
  "config": {
    "providerConfigRules": {
      "providerRules": [
        {
          "providerId": "p\u00e9",
          "config": {
            "api": {
              "headers": {
                "b": "1",
                "a": "\u0041\/",
                "10": ""
              }
            }
          },
          "note": {
            "b": 1,
            "a": []
          }
        }
      ]
    }
  },
  "later": 1
}`
	got := canonical(t, d)
	if diff := cmp.Diff(want, string(got.Text())); diff != "" {
		t.Errorf("want-, got+:\n%s", diff)
	}
	if got.BOM() {
		t.Error("the byte order mark stayed")
	}
}

func decode(t *rapid.T, d *jsonedit.Doc) any {
	decoder := json.NewDecoder(bytes.NewReader(d.Text()))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCanonicalProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDocument.Draw(t, "document")
		once := canonical(t, d)
		if !reflect.DeepEqual(decode(t, d), decode(t, once)) {
			t.Fatalf("the value changed:\n%s\n%s", d.Text(), once.Text())
		}
		if twice := canonical(t, once); string(twice.Text()) != string(once.Text()) {
			t.Fatalf("not stable:\n%s\n%s", once.Text(), twice.Text())
		}
		if got := canonical(t, parseRapid(t, backwards(d.Root()))); validDocument(d) && sameHeaders(d) && string(got.Text()) != string(once.Text()) {
			t.Fatalf("depends on the order of members:\n%s\n%s", once.Text(), got.Text())
		}
	})
}

func validDocument(d *jsonedit.Doc) bool { return len(provider.Check(d)) == 0 }

// sameHeaders reports whether no rule has several headers, whose order is kept.
func sameHeaders(d *jsonedit.Doc) bool {
	for rule := range d.Find(rules).Children() {
		if rule.Get("config").Get("api").Get("headers").Len() > 1 {
			return false
		}
	}
	return true
}
