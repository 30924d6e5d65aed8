package agents

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// encoded returns the front matter as an answer holds it.
func encoded(t testing.TB, p Profile) string {
	t.Helper()
	text, err := json.Marshal(p.Frontmatter)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCaseProfiles(t *testing.T) {
	tests := []struct {
		file                            string
		name, description, front, promp string
		warnings                        []Warning // without reasons
	}{
		{"Bar.markdown", "Foo", "file name and name differ", `{"name":"Foo","description":"file name and name differ"}`, "Body", nil},
		{"block-scalar.md", "reviewer", "|",
			`{"name":"reviewer","description":"|","color":"blue","model":"inherit","mcpServers":["files"],"tools":["Read","*"]}`,
			"You review code.\n\n---\n\nA rule in the body is not a fence.", []Warning{{3, "description", ""}}},
		{"colon.md", "colon-user", "Use when: the user asks for a plan", `{"name":"colon-user","description":"Use when: the user asks for a plan"}`, "Body", nil},
		{"crlf.md", "windows-writer", "Writes C:\new files", `{"name":"windows-writer","description":"Writes C:\new files","tools":["Read","Grep"]}`, "Body.", nil},
		{"duplicate-key.md", "twice", "first", `{"name":"twice","description":"first","model":"c/d"}`, "Body", []Warning{{5, "model", ""}}},
		{"nested/deep.md", "nested-one", "lives in a sub-folder",
			`{"name":"nested-one","description":"lives in a sub-folder","permissionMode":"plan","maxTurns":12,"unknownKey":"********"}`, "Body without a blank line", nil},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			p, err := ParseProfile([]byte(testFile(t, "agents/"+tt.file)))
			if err != nil {
				t.Fatal(err)
			}
			if p.Name != tt.name || p.Description != tt.description || p.Prompt != tt.promp {
				t.Errorf("got %q, %q, %q, want %q, %q, %q", p.Name, p.Description, p.Prompt, tt.name, tt.description, tt.promp)
			}
			if got := encoded(t, p); got != strings.ReplaceAll(tt.front, "\n", `\n`) {
				t.Errorf("front matter: got %s, want %s", got, tt.front)
			}
			for i, w := range p.Warnings {
				if w.Reason == "" {
					t.Errorf("%+v has no reason", w)
				}
				p.Warnings[i].Reason = ""
			}
			if diff := cmp.Diff(tt.warnings, p.Warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDuplicateKeyTakesTheLastModel(t *testing.T) {
	p, err := ParseProfile([]byte(testFile(t, "agents/duplicate-key.md")))
	if err != nil {
		t.Fatal(err)
	}
	if p.Model == nil || *p.Model != (Selection{"c", "d", ""}) {
		t.Errorf("got model %+v, want c/d", p.Model)
	}
}

func TestNotAgent(t *testing.T) {
	tests := []struct{ text, key string }{
		{testFile(t, "agents/no-frontmatter.md"), ""},
		{"", ""},
		{"---\nname: a\ndescription: b\n", ""},
		{"\n---\nname: a\ndescription: b\n---\n", ""},
		{"---\ndescription: b\n---\n", "name"},
		{"---\nname:\ndescription: b\n---\n", "name"},
		{"---\nname: \"  \"\ndescription: b\n---\n", "name"},
		{"---\nname: [a]\ndescription: b\n---\n", "name"},
		{"---\nname: abc\n---\n", "description"},
		{"---\nname: abc\n description: indented\n---\n", "description"},
		{"---\nname: abc\ndescription: \"\"\n---\n", "description"},
	}
	for _, tt := range tests {
		_, err := ParseProfile([]byte(tt.text))
		var not *NotAgentError
		if !errors.As(err, &not) || !errors.Is(err, ErrNotAgent) || not.Key != tt.key || not.Reason == "" {
			t.Errorf("ParseProfile(%q): got %v, want no agent because of %q", tt.text, err, tt.key)
		}
	}
	if _, err := ParseProfile([]byte("---\nname: a\xff\n---\n")); err == nil || errors.Is(err, ErrNotAgent) {
		t.Errorf("not UTF-8: got %v, want an error that is no missing front matter", err)
	}
}

// agentText is an agent with these lines behind name and description.
func agentText(lines string) []byte {
	return []byte("---\nname: abc\ndescription: d\n" + lines + "---\n\nBody\n")
}

func TestFrontmatterTypes(t *testing.T) {
	tests := []struct{ lines, want string }{
		{"maxTurns: 12\nbackground: true\ninjectAgentsMd: false\n", `"maxTurns":12,"background":true,"injectAgentsMd":false`},
		{"tools: [Read, \"*\"]\n", `"tools":["Read","*"]`},
		{"tools:\n  - Read\n  - '*'\n", `"tools":["Read","*"]`},
		{"tools: Read, Bash(a, b),\n", `"tools":["Read","Bash(a, b)"]`},
		{"tools:\n", `"tools":null`},
		{"tools: []\n", `"tools":[]`},
		{"color: 'red' # comment\n", `"color":"red"`},
		{"b: 1\na: 2\n", `"b":1,"a":2`},
		{"x: one\ny: two\nx: three\n", `"x":"three","y":"two"`},
		{"hooks:\n  Stop:\n    - run\n", `"hooks":{"Stop":["run"]}`},
		{"note: |\n  two\n  lines\n", `"note":"two\nlines\n"`},
		{"meta: {\"b\": 1.50, \"a\": null}\n", `"meta":{"a":null,"b":1.50}`},
	}
	for _, tt := range tests {
		p, err := ParseProfile(agentText(tt.lines))
		if err != nil {
			t.Errorf("%q: %v", tt.lines, err)
			continue
		}
		if want := `{"name":"abc","description":"d",` + tt.want + `}`; encoded(t, p) != want {
			t.Errorf("%q: got %s, want %s", tt.lines, encoded(t, p), want)
		}
	}
}

func TestDescriptionTurnsNewlinesBack(t *testing.T) {
	p, err := ParseProfile([]byte("\ufeff---\r\nname: \" abc \"\r\ndescription: one\\ntwo\r\nmodel: p/m\r\nthoughtLevel: high\r\n---\r\n\r\n  a\r\n\r\nb  \r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "abc" || p.Description != "one\ntwo" || p.Prompt != "a\n\nb" {
		t.Errorf("got %q, %q, %q", p.Name, p.Description, p.Prompt)
	}
	if p.Model == nil || *p.Model != (Selection{"p", "m", "high"}) {
		t.Errorf("got model %+v, want p, m, high", p.Model)
	}
}
