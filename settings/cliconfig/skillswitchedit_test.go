package cliconfig

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
)

func skillChange(file string, on bool, goos string, links ...string) change {
	return func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return EnableSkill(d, file, on, goos, links...)
	}
}

func TestCaseSkills(t *testing.T) {
	const (
		lone      = "{\n  \"note\": \"\\u00e9 \\/ <&> \\ud83d\\ude00 é \\u2028\",\n  \"lone\": \"\\ud800\",\n  \"skills\": {"
		integers  = "{\n  \"10\": \"ten\",\n  \"9\": \"nine\",\n  \"b\": 1,\n  \"skills\": {"
		disabled  = "\n    \"/s/a/SKILL.md\": {\n      \"enable\": false\n    }\n  }\n}\n"
		skillsTop = "{\n  \"skills\": {\n    \"enabled\": true,\n    \"metadataBudget\": 20000"
		a         = ",\n    \"/home/user/.zcode/skills/a/SKILL.md\": {\"enable\": false}"
		b         = ",\n    \"C:\\\\Users\\\\user\\\\.zcode\\\\skills\\\\b\\\\SKILL.md\": {\"enable\": false}"
		c         = "\n  },\n  \"skill\": {\"/home/user/.zcode/skills/c/SKILL.md\": {\"enable\": false}}\n}\n"
		noteB     = `another spelling of this path was removed from "skills": "C:\\Users\\user\\.zcode\\skills\\b\\SKILL.md"`
		noteC     = `another spelling of this path was removed from "skill": "/home/user/.zcode/skills/c/SKILL.md"`
	)
	tests := []struct {
		name, file string
		do         change
		want       string
		notes      []string
	}{
		{"escapes stay", "escapes.json", skillChange("/s/a/SKILL.md", false, "linux"), lone + disabled, nil},
		{"integer keys stay", "integer-keys.json", skillChange("/s/a/SKILL.md", false, "linux"), integers + disabled, nil},
		{"on with slashes", "skills-keys.json", skillChange("C:/Users/user/.zcode/skills/b/SKILL.md", true, "linux"), skillsTop + a + c, []string{noteB}},
		{"on with backslashes", "skills-keys.json", skillChange(`C:\Users\user\.zcode\skills\b\SKILL.md`, true, "windows"), skillsTop + a + c, []string{noteB}},
		{"on by its own key", "skills-keys.json", skillChange("/home/user/.zcode/skills/a/SKILL.md", true, "linux"), skillsTop + b + c, nil},
		{"singular cleared", "skills-keys.json", skillChange("/home/user/.zcode/skills/c/SKILL.md", true, "linux"),
			skillsTop + a + b + "\n  },\n  \"skill\": {}\n}\n", []string{noteC}},
		{"off replaces the backslash key", "skills-keys.json", skillChange(`C:\Users\user\.zcode\skills\b\SKILL.md`, false, "windows"),
			skillsTop + a + ",\n    \"C:/Users/user/.zcode/skills/b/SKILL.md\": {\n      \"enable\": false\n    }" + c, []string{noteB}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, notes, err := tt.do(load(t, tt.file))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(d.Text())); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.notes, notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEnableSkill(t *testing.T) {
	tests := []struct {
		text  string
		do    change
		want  string
		notes int
	}{
		// Off.
		{`{"ui":{}}`, skillChange("/s/a/SKILL.md", false, "linux"), `{"ui":{},"skills":{"/s/a/SKILL.md":{"enable":false}}}`, 0},
		{`{"skills": {}}`, skillChange("/s//./a/SKILL.md", false, "linux"), `{"skills": {"/s/a/SKILL.md": {"enable": false}}}`, 0},
		{`{"skills": {"/s/a/SKILL.md": {"enable": true, "x": 1}}}`, skillChange("/s/a/SKILL.md", false, "linux"), `{"skills": {"/s/a/SKILL.md": {"enable": false, "x": 1}}}`, 0},
		{`{"skills": {"/s/a/SKILL.md": {"x": 1}}}`, skillChange("/s/a/SKILL.md", false, "linux"), `{"skills": {"/s/a/SKILL.md": {"x": 1, "enable": false}}}`, 0},
		{`{"skills": {"/s/a/SKILL.md": false}}`, skillChange("/s/a/SKILL.md", false, "linux"), `{"skills": {"/s/a/SKILL.md": {"enable": false}}}`, 0},
		{`{"skills": {"/s/a/SKILL.md": {"enable": false}, "\\s\\a\\SKILL.md": {"enable": true}}}`, skillChange("/s/a/SKILL.md", false, "linux"), `{"skills": {"/s/a/SKILL.md": {"enable": false}}}`, 1},
		{`{"skills": {"\\s\\a\\SKILL.md": {}}}`, skillChange("/s/a/SKILL.md", false, "linux"), `{"skills": {"\\s\\a\\SKILL.md": {}, "/s/a/SKILL.md": {"enable": false}}}`, 0},
		{`{"skill": {"/s/a/SKILL.md": {"enable": false, "x": 1}}}`, skillChange("/s/a/SKILL.md", false, "linux"), `{"skill": {"/s/a/SKILL.md": {"x": 1}}, "skills": {"/s/a/SKILL.md": {"enable": false}}}`, 1},
		{`{"skills": {"/l/a/SKILL.md": {"enable": true}}}`, skillChange("/s/a/SKILL.md", false, "linux", "/l/a/SKILL.md"), `{"skills": {"/s/a/SKILL.md": {"enable": false}}}`, 1},
		{`{"ui":{}}`, skillChange(`c:\s\a\SKILL.md`, false, "windows"), `{"ui":{},"skills":{"c:/s/a/SKILL.md":{"enable":false}}}`, 0},
		{`{"ui":{}}`, skillChange(`\\h\s\a\SKILL.md`, false, "windows"), `{"ui":{},"skills":{"//h/s/a/SKILL.md":{"enable":false}}}`, 0},
		{`{"skill": {}}`, skillChange("/s/é \"/SKILL.md", false, "darwin"), `{"skill": {}, "skills": {"/s/é \"/SKILL.md": {"enable": false}}}`, 0},
		// On.
		{`{"skills": {"/s/a/SKILL.md": {"enable": false}}}`, skillChange("/s/a/SKILL.md", true, "linux"), `{"skills": {}}`, 0},
		{`{"skills": {"enabled": false, "/s/a/SKILL.md": {"enable": false}, "/s/b/SKILL.md": {"enable": false}}}`, skillChange("/s/a/SKILL.md", true, "linux"), `{"skills": {"enabled": false, "/s/b/SKILL.md": {"enable": false}}}`, 0},
		{`{"skills": {"/s/a/SKILL.md": {"enable": false, "x": 1}}}`, skillChange("/s/a/SKILL.md", true, "linux"), `{"skills": {"/s/a/SKILL.md": {"x": 1}}}`, 0},
		{`{"skills": {"/s/a/SKILL.md": {"enable": null}}}`, skillChange("/s/a/SKILL.md", true, "linux"), `{"skills": {}}`, 0},
		{`{"skills": {"/s/a/SKILL.md": 1, "\\s\\a\\SKILL.md": 1}}`, skillChange("/s/a/SKILL.md", true, "linux"), `{"skills": {"\\s\\a\\SKILL.md": 1}}`, 0},
		{`{"skills": {"//s/x/../a/SKILL.md": {"enable": false}, "/s\\a/SKILL.md": {"enable": false}}, "skill": {"\\s\\a\\SKILL.md": {"enable": false}}}`, skillChange("/s/a/SKILL.md", true, "linux"), `{"skills": {}, "skill": {}}`, 3},
		{`{"skills": {"/l/a/SKILL.md": {"enable": false}}}`, skillChange("/s/a/SKILL.md", true, "linux", "/l/a/SKILL.md"), `{"skills": {}}`, 1},
		{`{"skill": {"enabled": {"enable": false}, "/s/a/SKILL.md": {"enable": false}}}`, skillChange("/s/a/SKILL.md", true, "linux"), `{"skill": {"enabled": {"enable": false}}}`, 1},
	}
	for _, tt := range tests {
		d, notes, err := tt.do(parse(t, tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if diff := cmp.Diff(tt.want, string(d.Text())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.text, diff)
		}
		if len(notes) != tt.notes {
			t.Errorf("%s: notes %q, want %d", tt.text, notes, tt.notes)
		}
	}
}

func TestEnableSkillThatIsSoAlready(t *testing.T) {
	tests := []struct {
		text string
		on   bool
	}{
		{`{}`, true},
		{`{"skills": {}}`, true},
		{`{"skills": {"/s/a/SKILL.md": {"enable": true}}}`, true},
		{`{"skills": {"/s/A/SKILL.md": {"enable": false}}}`, true},
		{`{"skills": {"/s/a/SKILL.md": {"enable": false}, "/s/b/SKILL.md": {"enable": false}}}`, false},
	}
	for _, tt := range tests {
		d := parse(t, tt.text)
		got, notes, err := EnableSkill(d, "/s/a/SKILL.md", tt.on, "linux")
		if got != d || notes != nil || err != nil {
			t.Errorf("EnableSkill(%s, %v) = %p, %v, %v, want the same document %p", tt.text, tt.on, got, notes, err, d)
		}
	}
}

func TestEnableSkillRefuses(t *testing.T) {
	const (
		absolute  = "switching a skill: skill path must be absolute"
		skillFile = "switching a skill: skill path must point at a SKILL.md file"
		dots      = `switching a skill: skill path must not contain ".."`
		nul       = "switching a skill: skill path must not hold a NUL character"
		text      = "switching a skill: skill path must be UTF-8 text: rename the folder, ZCode cannot store its name"
		backslash = "switching a skill: skill path holds a backslash, which ZCode takes for a slash: rename the folder"
	)
	tests := []struct {
		file, goos string
		on         bool
		want       string
	}{
		{"", "linux", true, absolute},
		{"s/a/SKILL.md", "linux", true, absolute},
		{"./SKILL.md", "linux", false, absolute},
		{"~/a/SKILL.md", "darwin", false, absolute},
		{"C:SKILL.md", "windows", false, absolute},
		{"1:/a/SKILL.md", "windows", true, absolute},
		{`C:\a\SKILL.md`, "linux", false, absolute},
		{"/a/SKILL.md", "windows", false, absolute},
		{"/a/skill.md", "linux", true, skillFile},
		{"/a/SKILL.md.bak", "linux", false, skillFile},
		{"/a/xSKILL.md", "linux", false, skillFile},
		{"/", "linux", true, skillFile},
		{"/a/../b/SKILL.md", "linux", true, dots},
		{`C:\a\..\SKILL.md`, "windows", false, dots},
		{"/a\x00/SKILL.md", "linux", true, nul},
		{"/a\xff/SKILL.md", "linux", false, text},
		{`/a\b/SKILL.md`, "linux", false, backslash},
	}
	for _, tt := range tests {
		d, notes, err := EnableSkill(New(), tt.file, tt.on, tt.goos)
		if !errors.Is(err, ErrInvalid) || err.Error() != tt.want || d != nil || notes != nil {
			t.Errorf("EnableSkill(%q, %v, %s): got %v, want %s", tt.file, tt.on, tt.goos, err, tt.want)
		}
	}
}

func TestEnableSkillInABrokenFile(t *testing.T) {
	tests := []struct{ text, pointer string }{
		{`[]`, ""},
		{`{"skills": []}`, "/skills"},
		{`{"skills": null}`, "/skills"},
		{`{"skills": {}, "skill": "x"}`, "/skill"},
	}
	for _, tt := range tests {
		for _, on := range []bool{true, false} {
			d, _, err := EnableSkill(parse(t, tt.text), "/s/a/SKILL.md", on, "linux")
			var invalid *InvalidError
			if d != nil || !errors.As(err, &invalid) || invalid.Pointer != tt.pointer {
				t.Errorf("EnableSkill(%s, %v): got %v, want an invalid setting at %q", tt.text, on, err, tt.pointer)
			}
		}
	}
}
