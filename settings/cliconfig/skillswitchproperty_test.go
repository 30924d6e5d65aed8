package cliconfig

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"zcode-acp/settings/jsonedit"
)

// skillNames are the paths that the properties look at.
var skillNames = []string{"/s/a/SKILL.md", "/s/b/SKILL.md", "/s/é/SKILL.md"}

// spelled draws one of the spellings that some reader takes for the same path.
func spelled(t *rapid.T, file string) string {
	return rapid.SampledFrom([]string{
		file, strings.ReplaceAll(file, "/", `\`), "/" + file, "/x/.." + file, path.Dir(file) + `\SKILL.md`,
	}).Draw(t, "spelling")
}

func drawEntries(t *rapid.T, names []string) string {
	entries := map[string]json.RawMessage{}
	for range rapid.IntRange(0, 4).Draw(t, "entries") {
		value := rapid.SampledFrom([]string{`{"enable":false}`, `{"enable":true}`, `{}`, `{"enable":false,"x":1.0}`}).Draw(t, "value")
		entries[spelled(t, rapid.SampledFrom(names).Draw(t, "path"))] = json.RawMessage(value)
	}
	text, err := json.Marshal(entries)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// drawSwitches draws a file with switches of the named paths.
func drawSwitches(t *rapid.T, names []string) *jsonedit.Doc {
	text := `{"first":1e400,"skills":` + drawEntries(t, names) + `,"skill":` + drawEntries(t, names) + `,"last":["\/","\ud800"]}`
	if indent := rapid.SampledFrom([]string{"", "  ", "\t"}).Draw(t, "indent"); indent != "" {
		var b bytes.Buffer
		if err := json.Indent(&b, []byte(text), "", indent); err != nil {
			t.Fatal(err)
		}
		text = b.String() + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
	}
	if rapid.Bool().Draw(t, "crlf") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	d, err := jsonedit.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func switched(t *rapid.T, d *jsonedit.Doc, file string, on bool, goos string) *jsonedit.Doc {
	after, _, err := EnableSkill(d, file, on, goos)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

// TestSwitchingASkillIsTrueForBothReaders switches a path that the file may name
// in any spelling, and wants the other paths to be as they were.
func TestSwitchingASkillIsTrueForBothReaders(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawSwitches(t, skillNames)
		file := rapid.SampledFrom(skillNames).Draw(t, "file")
		on := rapid.Bool().Draw(t, "on")
		goos := rapid.SampledFrom([]string{"linux", "darwin"}).Draw(t, "goos")
		after := switched(t, before, file, on, goos)
		if got, want := SkillEnabled(after, file, goos), (SkillState{Desktop: on, CLI: on}); got != want {
			t.Errorf("%s is %+v, want %+v, in %s", file, got, want, after.Text())
		}
		if again := switched(t, after, file, on, goos); again != after {
			t.Errorf("switching again changed the file:\n%s\nbecame\n%s", after.Text(), again.Text())
		}
		for _, other := range skillNames {
			if got, want := SkillEnabled(after, other, goos), SkillEnabled(before, other, goos); other != file && got != want {
				t.Errorf("%s became %+v, was %+v", other, got, want)
			}
		}
		checkOthersStay(t, before, after, file)
	})
}

// checkOthersStay wants every entry of another path with its bytes.
func checkOthersStay(t *rapid.T, before, after *jsonedit.Doc, file string) {
	for _, section := range []string{"skills", "skill"} {
		for c := range before.Root().Get(section).Children() {
			if path.Clean(strings.ReplaceAll(c.Key(), `\`, "/")) == file {
				continue
			}
			if got := after.Find(c.Path()).Raw(); !bytes.Equal(got, c.Raw()) {
				t.Errorf("%s became %s", c.Raw(), got)
			}
		}
	}
	for _, name := range []string{"first", "last"} {
		if got, want := after.Root().Get(name).Raw(), before.Root().Get(name).Raw(); !bytes.Equal(got, want) {
			t.Errorf("%s became %s", want, got)
		}
	}
}

// TestDisableThenEnableRestoresTheFile wants the old bytes back, but for the
// `skills` object when there was none.
func TestDisableThenEnableRestoresTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawSwitches(t, skillNames[1:])
		added := rapid.Bool().Draw(t, "no skills object")
		if added {
			doc, err := before.Delete(jsonedit.Path{"skills"})
			if err != nil {
				t.Fatal(err)
			}
			before = doc
		}
		goos := rapid.SampledFrom([]string{"linux", "windows"}).Draw(t, "goos")
		file := map[string]string{"linux": skillNames[0], "windows": `C:\s\a\SKILL.md`}[goos]
		after := switched(t, switched(t, before, file, false, goos), file, true, goos)
		if added {
			skills := after.Root().Get("skills")
			if string(skills.Raw()) != "{}" {
				t.Fatalf("skills = %s, want an empty object", skills.Raw())
			}
			doc, err := after.Delete(jsonedit.Path{"skills"})
			if err != nil {
				t.Fatal(err)
			}
			after = doc
		}
		if !bytes.Equal(before.Text(), after.Text()) {
			t.Errorf("%s\nbecame\n%s", before.Text(), after.Text())
		}
	})
}

func FuzzEnableSkill(f *testing.F) {
	f.Add([]byte(`{"skills":{"C:\\a\\SKILL.md":{"enable":false}},"skill":{"/a/SKILL.md":{"enable":false}}}`), "/a/SKILL.md", true)
	f.Add([]byte(`{"skills":{"/a/SKILL.md":1}}`), `C:\a\SKILL.md`, false)
	f.Fuzz(func(t *testing.T, text []byte, file string, on bool) {
		d, err := jsonedit.Parse(text)
		if err != nil {
			return
		}
		before := len(CheckFile(d))
		for _, goos := range []string{"linux", "windows"} {
			after, _, err := EnableSkill(d, file, on, goos)
			if err != nil {
				continue
			}
			if got := SkillEnabled(after, file, goos); strings.HasPrefix(file, "/") && goos == "linux" && path.Clean(file) == file && (got.Desktop != on || got.CLI != on) {
				t.Errorf("%q is %+v, want %v, in %s", file, got, on, after.Text())
			}
			if len(CheckFile(after)) > before {
				t.Errorf("the edit broke the file: %s", after.Text())
			}
		}
	})
}
