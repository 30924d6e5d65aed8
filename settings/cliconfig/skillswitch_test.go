package cliconfig

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSkillSwitches(t *testing.T) {
	tests := []struct {
		text string
		want []SkillSwitch
	}{
		{`{}`, nil},
		{`[]`, nil},
		{`{"skills": {}, "skill": {}}`, nil},
		{`{"skills": [{"enable": false}], "skill": null}`, nil},
		{`{"skills": {"enabled": true, "includeInstructions": false, "metadataBudget": 1, "roots": ["/r"]}}`, nil},
		{`{"skills": {"enabled": {"enable": false}, "roots": {"enable": true}}}`, nil},
		{`{"skills": {"/a/SKILL.md": {}, "/b/SKILL.md": {"enable": "no"}, "/c/SKILL.md": false, "/d/SKILL.md": {"enabled": false}}}`, nil},
		{`{"skill": {"/b/SKILL.md": {"enable": true}}, "skills": {"/z/SKILL.md": {"x": 1, "enable": false}, "/a/SKILL.md": {"enable": true}}}`, []SkillSwitch{
			{Key: "/z/SKILL.md", Path: "/z/SKILL.md", Spelling: "skills"},
			{Key: "/a/SKILL.md", Path: "/a/SKILL.md", Spelling: "skills", Enabled: true},
			{Key: "/b/SKILL.md", Path: "/b/SKILL.md", Spelling: "skill", Enabled: true},
		}},
		{`{"skill": {"roots": {"enable": false}}}`, []SkillSwitch{{Key: "roots", Path: "roots", Spelling: "skill"}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, SkillSwitches(parse(t, tt.text))); diff != "" {
			t.Errorf("SkillSwitches(%s) (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestCaseSkillSwitches(t *testing.T) {
	want := []SkillSwitch{
		{Key: "/home/user/.zcode/skills/a/SKILL.md", Path: "/home/user/.zcode/skills/a/SKILL.md", Spelling: "skills"},
		{Key: `C:\Users\user\.zcode\skills\b\SKILL.md`, Path: "C:/Users/user/.zcode/skills/b/SKILL.md", Spelling: "skills"},
		{Key: "/home/user/.zcode/skills/c/SKILL.md", Path: "/home/user/.zcode/skills/c/SKILL.md", Spelling: "skill"},
	}
	if diff := cmp.Diff(want, SkillSwitches(load(t, "skills-keys.json"))); diff != "" {
		t.Errorf("SkillSwitches (-want +got):\n%s", diff)
	}
}

// TestSkillEnabled holds how the desktop app and the CLI read the same file.
func TestSkillEnabled(t *testing.T) {
	const (
		singular  = `the switch stands in "skill", which only the CLI reads`
		twice     = "the file names this path twice: the desktop app takes the last entry, the CLI any that says off"
		otherName = "the key is another name of this file, which only the CLI resolves"
		backslash = "the key has backslashes, which the CLI reads as slashes on Windows only"
	)
	tests := []struct {
		name, text, file, goos string
		links                  []string
		desktop, cli           bool
		reason                 string
	}{
		{name: "not named", text: `{}`, desktop: true, cli: true},
		{name: "other path", text: `{"skills": {"/s/b/SKILL.md": {"enable": false}}}`, desktop: true, cli: true},
		{name: "off", text: `{"skills": {"/s/a/SKILL.md": {"enable": false}}}`},
		{name: "on", text: `{"skills": {"/s/a/SKILL.md": {"enable": true}}}`, desktop: true, cli: true},
		{name: "no switch", text: `{"skills": {"/s/a/SKILL.md": {}}}`, desktop: true, cli: true},
		{name: "other case", text: `{"skills": {"/S/a/SKILL.md": {"enable": false}}}`, desktop: true, cli: true},
		{name: "singular", text: `{"skill": {"/s/a/SKILL.md": {"enable": false}}}`, desktop: true, reason: singular},
		{name: "singular replaced by an empty entry", text: `{"skill": {"/s/a/SKILL.md": {"enable": false}}, "skills": {"/s/a/SKILL.md": {}}}`, desktop: true, cli: true},
		{name: "singular of another spelling is not replaced", text: `{"skill": {"/s//a/SKILL.md": {"enable": false}}, "skills": {"/s/a/SKILL.md": {}}}`, desktop: true, reason: singular},
		{name: "unclean key", text: `{"skills": {"/s/./x/../a//SKILL.md": {"enable": false}}}`, desktop: true, reason: otherName},
		{name: "link", text: `{"skills": {"/l/a/SKILL.md": {"enable": false}}}`, links: []string{"/l/a/SKILL.md"}, desktop: true, reason: otherName},
		{name: "two spellings, last on", text: `{"skills": {"\\s\\a\\SKILL.md": {"enable": false}, "/s/a/SKILL.md": {"enable": true}}}`, desktop: true, cli: true},
		{name: "two spellings, last off", text: `{"skills": {"/s/a/SKILL.md": {"enable": true}, "\\s\\a\\SKILL.md": {"enable": false}}}`, cli: true, reason: backslash},
		{name: "relative key", text: `{"skills": {"s/a/SKILL.md": {"enable": false}}}`, desktop: true, cli: true},
		{name: "backslash key on Linux", text: `{"skills": {"C:\\s\\a\\SKILL.md": {"enable": false}}}`, file: "C:/s/a/SKILL.md", cli: true, reason: backslash},
		{name: "backslash key on Windows", text: `{"skills": {"C:\\s\\a\\SKILL.md": {"enable": false}}}`, file: "C:/s/a/SKILL.md", goos: "windows"},
		{name: "path with backslashes", text: `{"skills": {"C:/s/a/SKILL.md": {"enable": false}}}`, file: `C:\s\a\SKILL.md`, goos: "windows"},
		{name: "network path", text: `{"skills": {"\\\\h\\s\\a\\SKILL.md": {"enable": false}}}`, file: `\\h\s\a\SKILL.md`, goos: "windows"},
		{name: "twice on Windows, last on", text: `{"skills": {"C:\\s\\a\\SKILL.md": {"enable": false}, "C:/s/a/SKILL.md": {"enable": true}}}`, file: "C:/s/a/SKILL.md", goos: "windows", desktop: true, reason: twice},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := tt.file
			if file == "" {
				file = "/s/a/SKILL.md"
			}
			want := SkillState{Desktop: tt.desktop, CLI: tt.cli, Reason: tt.reason}
			if diff := cmp.Diff(want, SkillEnabled(parse(t, tt.text), file, tt.goos, tt.links...)); diff != "" {
				t.Errorf("SkillEnabled(%s, %s) (-want +got):\n%s", tt.text, file, diff)
			}
		})
	}
}
