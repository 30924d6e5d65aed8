package cliconfig

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/jsonedit"
)

func setIn(t testing.TB, name, body string) change {
	return func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return SetSection(d, name, parse(t, body).Root())
	}
}

func TestSetSection(t *testing.T) {
	storage, err := findSection("storage")
	if err != nil {
		t.Fatal(err)
	}
	dir, db := storage.fields[0].warning, storage.fields[1].warning
	tests := []struct {
		name, file, section, body, want string
		notes                           []string
	}{
		{"first section", "{}\n", "ui", `{"theme":"dark"}`, "{\n  \"ui\": {\n    \"theme\": \"dark\"\n  }\n}\n", nil},
		{"first member", `{"ui": {}, "x": 1}`, "ui", `{"locale":"zh-CN"}`, `{"ui": {"locale": "zh-CN"}, "x": 1}`, nil},
		{"second member", "{\r\n\t\"ui\": {\r\n\t\t\"theme\": \"dark\"\r\n\t}\r\n}", "ui", `{"locale":"auto"}`, "{\r\n\t\"ui\": {\r\n\t\t\"theme\": \"dark\",\r\n\t\t\"locale\": \"auto\"\r\n\t}\r\n}", nil},
		{"other value", `{"ui":{"theme" :  "d\u0061rk","locale":"auto"}}`, "ui", `{"theme":"light"}`, `{"ui":{"theme" :  "light","locale":"auto"}}`, nil},
		{"same value", `{"ui":{"theme":"d\u0061rk"}}`, "ui", `{"theme":"dark"}`, `{"ui":{"theme":"d\u0061rk"}}`, nil},
		{"same number", `{"network":{"timeout":1.8e5}}`, "network", `{"timeout":180000}`, `{"network":{"timeout":1.8e5}}`, nil},
		{"same list", `{"permission":{"allowedTools":[ "Re\u0061d" ]}}`, "permission", `{"allowedTools":["Read"]}`, `{"permission":{"allowedTools":[ "Re\u0061d" ]}}`, nil},
		{"longer list", `{"permission":{"allowedTools":["Re\u0061d"]}}`, "permission", `{"allowedTools":["Edit","Read"]}`, `{"permission":{"allowedTools":["Edit","Re\u0061d"]}}`, nil},
		{"remove", `{"ui":{"theme":"dark", "locale":"auto"}}`, "ui", `{"theme":null}`, `{"ui":{"locale":"auto"}}`, nil},
		{"remove the last", `{"ui":{ "theme":"dark" }}`, "ui", `{"theme":null}`, `{"ui":{}}`, nil},
		{"remove nothing", `{"ui":{"theme":"dark"}}`, "ui", `{"locale":null,"x":null}`, `{"ui":{"theme":"dark"}}`, nil},
		{"remove from no section", `{}`, "ui", `{"theme":null}`, `{}`, nil},
		{"remove what is unknown", `{"ui":{"font":1,"theme":"dark"}}`, "ui", `{"font":null}`, `{"ui":{"theme":"dark"}}`, nil},
		{"unknown stays", `{"ui":{"font":{"a":[1.0]},"theme":"dark"}}`, "ui", `{"theme":"light"}`, `{"ui":{"font":{"a":[1.0]},"theme":"light"}}`, nil},
		{"mend", `{"ui":{"theme":7,"locale":"xx"}}`, "ui", `{"theme":"dark","locale":null}`, `{"ui":{"theme":"dark"}}`, nil},
		{"keep a masked proxy", `{"network":{"httpProxy":"http://u:p\u0040@h:1"}}`, "network", `{"httpProxy":"http://********@h:1","timeout":5}`, `{"network":{"httpProxy":"http://u:p\u0040@h:1","timeout":5}}`, nil},
		{"keep a masked rule", `{"permission":{"allowedTools":["Bash(curl --token K93 x)"]}}`, "permission", `{"allowedTools":["Read","Bash(curl --token ******** x)"]}`, `{"permission":{"allowedTools":["Read","Bash(curl --token K93 x)"]}}`, nil},
		{"file of another problem", `{"ui":7,"memory":{}}`, "memory", `{"use":false}`, `{"ui":7,"memory":{"use":false}}`, nil},
		{"storage moves", `{}`, "storage", `{"dir":"/srv/z"}`, "{\n  \"storage\": {\n    \"dir\": \"/srv/z\"\n  }\n}", []string{dir}},
		{"storage moves back", `{"storage":{"dir":"/a","sessionDbPath":"/b"}}`, "storage", `{"dir":null,"sessionDbPath":null}`, `{"storage":{}}`, []string{dir, db}},
		{"storage stays", `{"storage":{"dir":"/a"}}`, "storage", `{"dir":"/a"}`, `{"storage":{"dir":"/a"}}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := parse(t, tt.file)
			got, notes, err := setIn(t, tt.section, tt.body)(d)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got.Text())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.notes, notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
			if tt.want == tt.file && got != d {
				t.Error("nothing changes, but the document is another one")
			}
		})
	}
}

func TestStorageWarnings(t *testing.T) {
	_, notes, err := setIn(t, "storage", `{"dir":"/a","sessionDbPath":"/b"}`)(New())
	if err != nil || len(notes) != 2 || !strings.Contains(notes[0], "agents, plugins and the trust of hooks") || !strings.Contains(notes[1], "sessions and usage") {
		t.Errorf("got %v, notes %q", err, notes)
	}
}

func TestSetSectionRefuses(t *testing.T) {
	tests := []struct{ file, section, body, want string }{
		{`{}`, "ui", `[]`, "must be an object with the members to change"},
		{`{}`, "ui", `null`, "must be an object with the members to change"},
		{`{}`, "ui", `{}`, "names no member to change: send some of locale, theme"},
		{`{}`, "ui", `{"font":"mono"}`, "/font is not known to ZCode, which would drop it: send some of locale, theme"},
		{`{"ui":{"font":"mono"}}`, "ui", `{"font":"mono"}`, "/font is not known to ZCode, which would drop it: send some of locale, theme"},
		{`{}`, "ui", `{"a/b~":1}`, "/a~1b~0 is not known to ZCode, which would drop it: send some of locale, theme"},
		{`{}`, "ui", `{"theme":"Dark"}`, "/theme must be one of auto, dark, light"},
		{`{}`, "ui", `{"locale":null,"theme":true}`, "/theme must be one of auto, dark, light"},
		{`{}`, "permission", `{"mode":"guarded"}`, "/mode is a mode that ZCode knows from 3.15.1 on: 3.14 ignores this file: send one of plan, build, edit, yolo, auto"},
		{`{}`, "permission", `{"allowedTools":"Read"}`, "/allowedTools must be an array"},
		{`{}`, "permission", `{"allowedTools":["Read",null]}`, "/allowedTools/1 must be a string"},
		{`{}`, "permission", `{"autoApproveHighRisk":"true"}`, "/autoApproveHighRisk must be true or false"},
		{`{}`, "network", `{"timeout":0}`, "/timeout must be a number above 0"},
		{`{}`, "network", `{"timeout":1e400}`, "/timeout must be a number above 0"},
		{`{}`, "network", `{"httpProxy":""}`, "/httpProxy must be a string that is not empty"},
		{`{}`, "storage", `{"dir":""}`, "/dir must be a string that is not empty"},
		{`{}`, "modelAnomalyGuard", `{"maxBudgetWarningsPerTurn":-1}`, "/maxBudgetWarningsPerTurn must be a whole number, 0 or more"},
		{`{}`, "network", `{"httpProxy":"http://********@h"}`, "/httpProxy " + lostMask},
		{`{"network":{"httpProxy":"http://u:p@h"}}`, "network", `{"httpProxy":"http://********@other"}`, "/httpProxy " + lostMask},
		{`{"network":{"httpProxy":7}}`, "network", `{"httpProxy":"********"}`, "/httpProxy " + lostMask},
		{`{}`, "permission", `{"allowedTools":["Bash(x --token ********)"]}`, "/allowedTools/0 " + lostMask},
		{`{"ui":7}`, "ui", `{"theme":"dark"}`, "/ui must be an object: mend that in the file by hand first"},
		{`{"ui":null}`, "ui", `{"theme":null}`, "/ui must be an object: mend that in the file by hand first"},
		{`[]`, "ui", `{"theme":"dark"}`, "the file must hold an object: mend it by hand first"},
		{`{"ui":{"theme":7}}`, "ui", `{"locale":"auto"}`, `/theme must be one of auto, dark, light, so ZCode ignores the whole file; it was there before: send "theme" as null or corrected`},
	}
	for _, tt := range tests {
		got, notes, err := setIn(t, tt.section, tt.body)(parse(t, tt.file))
		var invalid *InvalidError
		if !errors.As(err, &invalid) || !errors.Is(err, ErrInvalid) || got != nil || notes != nil {
			t.Errorf("%s with %s: got %v, want an invalid setting", tt.file, tt.body, err)
			continue
		}
		if want := "setting a section: " + tt.want; err.Error() != want {
			t.Errorf("%s with %s:\n got %s\nwant %s", tt.file, tt.body, err, want)
		}
	}
}

func TestSectionSentBack(t *testing.T) {
	for name, file := range map[string]string{
		"network":    `{"network":{"httpProxy":"u:p@h:1","noProxy":"a,b","caCertFile":"/a/b c.pem","timeout":1.0}}`,
		"permission": `{"permission":{"mode":"yolo","allowedTools":["Bash(x --token K)","Bash(y --token K2)","Read"],"autoApproveHighRisk":true}}`,
		"storage":    `{"storage":{"dir":"~/z token=K93mxq","sessionDbPath":"/d"}}`,
	} {
		d := parse(t, file)
		if got := sendSectionBack(t, d, name); got != d {
			t.Errorf("%s became %s", file, got.Text())
		}
	}
}

// TestLargeSection would take minutes if members were removed one by one.
func TestLargeSection(t *testing.T) {
	const members = 20_000
	var file, body strings.Builder
	for i := range members {
		fmt.Fprintf(&file, `"m%d": 1, `, i)
		fmt.Fprintf(&body, `"m%d": null, `, i)
	}
	d := parse(t, `{"ui": {`+file.String()+`"theme": "dark"}}`)
	start := time.Now()
	got, _, err := setIn(t, "ui", `{`+body.String()+`"locale": "auto"}`)(d)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"ui": {"theme": "dark", "locale": "auto"}}`; string(got.Text()) != want {
		t.Errorf("got %.200s, want %s", got.Text(), want)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
}
