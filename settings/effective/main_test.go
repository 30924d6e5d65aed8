package effective

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
)

const (
	userFile = "/home/me/.zcode/cli/config.json"
	outer    = "/w/.zcode/config.json"
	inner    = "/w/app/zcode.json"
)

// raw shows a value as it stands.
func raw(_ *jsonedit.Doc, _ jsonedit.Path, n jsonedit.Node) jsontext.Value { return n.Raw() }

// layer is one with that content; a file that nobody gave does not count.
func layer(t testing.TB, name Name, file, text string) Layer {
	t.Helper()
	l := Layer{Name: name, File: file}
	if text == "" {
		l.Ignored = "is not there"
		return l
	}
	d, err := jsonedit.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	l.Doc = d
	return l
}

// sources are the layers of a case, from the lowest to the highest.
type sources struct{ system, user, outer, inner, env string }

func (s sources) layers(t testing.TB) []Layer {
	t.Helper()
	return []Layer{
		layer(t, Default, "", s.system), layer(t, User, userFile, s.user), layer(t, Project, outer, s.outer),
		layer(t, Project, inner, s.inner), layer(t, Environment, "", s.env),
	}
}

// lines writes settings for comparison: the value and its layer, then what it
// hides with the beginning of the reason.
func lines(settings []Setting) []string {
	list := []string{}
	for _, s := range settings {
		line := s.Path + " = " + string(s.Value) + " " + from(s.Layer, s.File)
		for _, o := range s.Overrides {
			line += "; " + string(o.Value) + " " + from(o.Layer, o.File) + ": " + about(o.Reason)
		}
		list = append(list, line)
	}
	return list
}

func from(name Name, file string) string {
	switch file {
	case outer:
		return "outer"
	case inner:
		return "inner"
	}
	return string(name)
}

// about tells reasons apart.
func about(reason string) string {
	for _, word := range []struct{ part, word string }{
		{"replaces this one whole, as ZCode's source is understood; ZCode may use its default here", "replaced"},
		{"outranks it; whether ZCode joins the two is not known", "outranked?"},
		{"outranks it", "outranked"},
		{"only once the workspace is trusted", "candidate"},
		{"ZCode skips this server: ", "skipped"},
		{"hooks.enabled is false in this layer", "off"},
		{"these are part of the value", "joined"},
		{"turns hooks on, and one layer is enough", "on"},
		{"ignores the marketplaces of a project", "project"},
	} {
		if strings.Contains(reason, word.part) {
			return word.word
		}
	}
	return "no reason: " + reason
}

func check(t *testing.T, s sources, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), lines(Merge(s.layers(t), raw))); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}
