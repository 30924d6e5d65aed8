package api

import (
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

// TestSkillPaths: the path is one encoded segment, and no way out of the folders
// of the user.
func TestSkillPaths(t *testing.T) {
	encode := func(path string) func(*fixture) string {
		return func(f *fixture) string { return url.PathEscape(f.named(path)) }
	}
	raw := func(path string) func(*fixture) string {
		return func(f *fixture) string { return f.named(path) }
	}
	tests := []struct {
		name         string
		path         func(*fixture) string
		status       int
		code, says   string
		removesSkill bool
	}{
		{"one segment", encode("$HOME/skills/review/SKILL.md"), 200, "", "", true},
		{"one segment in small letters", func(f *fixture) string {
			return strings.ReplaceAll(encode("$HOME/skills/review/SKILL.md")(f), "%2F", "%2f")
		}, 200, "", "", true},
		{"every byte encoded", func(f *fixture) string {
			return strings.Replace(encode("$HOME/skills/review/SKILL.md")(f), "review", "%72%65%76%69%65%77", 1)
		}, 200, "", "", true},
		{"slashes as they are", raw("$HOME/skills/review/SKILL.md"), 200, "", "", true},
		{"decoded once only", func(f *fixture) string {
			return url.PathEscape(encode("$HOME/skills/review/SKILL.md")(f))
		}, 400, "invalid", "must be absolute", false},
		{"up and back", encode("$HOME/skills/../skills/review/SKILL.md"), 400, "invalid", `must not contain ".."`, false},
		{"up and back as it is", raw("$HOME/skills/../skills/review/SKILL.md"), 400, "invalid", `must not contain ".."`, false},
		{"up in two encodings", raw("$HOME/skills/%2E%2E%2fskills/review/SKILL.md"), 400, "invalid", `must not contain ".."`, false},
		{"out of the folder", encode("$HOME/skills/../SKILL.md"), 400, "invalid", `must not contain ".."`, false},
		{"relative", encode("skills/review/SKILL.md"), 400, "invalid", "must be absolute", false},
		{"the name of another address", raw("enable"), 400, "invalid", "must be absolute", false},
		{"the folder", encode("$HOME/skills/review"), 400, "invalid", "must point at a SKILL.md", false},
		{"another file", encode("$HOME/agents/reviewer.md"), 400, "invalid", "must point at a SKILL.md", false},
		{"the root itself", encode("$HOME/skills/SKILL.md"), 400, "invalid", "refusing", false},
		{"outside", encode("/etc/SKILL.md"), 400, "invalid", "only skills under the user skill roots", false},
		{"of a plugin", encode("$HOME/" + pluginDir + "/skills/lint/SKILL.md"), 400, "invalid", "only skills under the user skill roots", false},
		{"of the project", encode("$ROOT/project/.zcode/skills/ship/SKILL.md"), 400, "invalid", "only skills under the user skill roots", false},
		{"of the same beginning", encode("$HOME/skills-old/review/SKILL.md"), 400, "invalid", "only skills under the user skill roots", false},
		{"not there", encode("$HOME/skills/none/SKILL.md"), 400, "not_found", "list the skills", false},
		{"no UTF-8", raw("$HOME/skills/%FF/SKILL.md"), 400, "invalid", "malformed percent-encoding", false},
		{"a zero byte", raw("$HOME/skills/%00/SKILL.md"), 400, "invalid", "NUL", false},
		{"none", raw(""), 405, "method_not_allowed", "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := inhabited(t)
			before := f.tree()
			for _, mount := range []string{"/api", ""} {
				query := ""
				if mount == "/api" && test.removesSkill {
					query = "?dryRun=true"
				}
				got := f.call(http.MethodDelete, mount+"/settings/skills/"+test.path(f)+query, "")
				if got.status != test.status || got.text(t, "code") != test.code || !strings.Contains(got.text(t, "error"), test.says) {
					t.Errorf("got %d %s, want %d %s %q", got.status, got.body, test.status, test.code, test.says)
				}
			}
			var want []string
			if test.removesSkill {
				want = []string{skillFile}
			}
			f.wantChanged(t, before, want)
		})
	}
}

// TestHookPlaces: an index is a whole number, and the place must be there.
func TestHookPlaces(t *testing.T) {
	const update, move = `{"hookIndex":0,"command":"new"}`, `{"to":0}`
	tests := []struct {
		route, body   string
		status        int
		code, pointer string
	}{
		{"PUT /settings/hooks/Stop/0", update, 200, "", ""},
		{"PUT /settings/hooks/Stop/%30", update, 200, "", ""},
		{"PUT /settings/hooks/Stop/1", update, 400, "not_found", ""},
		{"PUT /settings/hooks/Stop/0", `{"hookIndex":2,"command":"new"}`, 400, "not_found", ""},
		{"PUT /settings/hooks/Stop/0", `{"hookIndex":-1,"command":"new"}`, 400, "invalid", "/hookIndex"},
		{"PUT /settings/hooks/Stop/0", `{"hookIndex":"0","command":"new"}`, 400, "invalid", "/hookIndex"},
		{"PUT /settings/hooks/Stop/0", `{"hookIndex":0.5,"command":"new"}`, 400, "invalid", "/hookIndex"},
		{"PUT /settings/hooks/Stop/-1", update, 400, "invalid", "/matcherIndex"},
		{"PUT /settings/hooks/Stop/x", update, 400, "invalid", "/matcherIndex"},
		{"PUT /settings/hooks/Stop/1e0", update, 400, "invalid", "/matcherIndex"},
		{"PUT /settings/hooks/Stop/0.0", update, 400, "invalid", "/matcherIndex"},
		{"PUT /settings/hooks/Stop/%20", update, 400, "invalid", "/matcherIndex"},
		{"PUT /settings/hooks/Stop/99999999999999999999", update, 400, "invalid", "/matcherIndex"},
		{"PUT /settings/hooks/Stop/0%2F0", update, 400, "invalid", "/matcherIndex"},
		{"PUT /settings/hooks/SessionStart/0", update, 400, "not_found", ""},
		{"PUT /settings/hooks/stop/0", update, 400, "invalid", "/event"},
		{"PUT /settings/hooks/../0", update, 400, "invalid", "/event"},
		{"POST /settings/hooks/SubagentStop", `{"type":"command","command":"x"}`, 400, "invalid", "/event"},
		{"POST /settings/hooks/a%2Fb", `{"type":"command","command":"x"}`, 400, "invalid", "/event"},
		{"POST /settings/hooks/Stop/0/1/move", move, 200, "", ""},
		{"POST /settings/hooks/Stop/0/1/move", `{"to":2}`, 400, "invalid", "/to"},
		{"POST /settings/hooks/Stop/0/2/move", move, 400, "not_found", ""},
		{"POST /settings/hooks/Stop/0/x/move", move, 400, "invalid", "/hookIndex"},
		{"POST /settings/hooks/Stop/0/0", move, 405, "method_not_allowed", ""},
		{"POST /settings/hooks/Stop/0", move, 405, "method_not_allowed", ""},
		{"GET /settings/hooks/Stop", "", 405, "method_not_allowed", ""},
		{"PUT /settings/hooks/enabled", `{"enabled":true}`, 405, "method_not_allowed", ""},
		{"DELETE /settings/hooks/Stop/0/1", "", 200, "", ""},
		{"DELETE /settings/hooks/Stop/0/2", "", 400, "not_found", ""},
		{"DELETE /settings/hooks/Stop/0/x", "", 400, "invalid", "/hookIndex"},
		{"DELETE /settings/hooks/Stop/1/0", "", 400, "not_found", ""},
		{"DELETE /settings/hooks/Stop/0", "", 405, "method_not_allowed", ""},
		{"DELETE /settings/hooks", "", 405, "method_not_allowed", ""},
	}
	for _, test := range tests {
		t.Run(test.route+test.body, func(t *testing.T) {
			f := inhabited(t)
			before := f.tree()
			method, path, _ := strings.Cut(test.route, " ")
			got := f.call(method, path, test.body)
			if got.status != test.status || got.text(t, "code") != test.code || got.text(t, "pointer") != test.pointer {
				t.Errorf("got %d %s, want %d %s %q", got.status, got.body, test.status, test.code, test.pointer)
			}
			if got.status != http.StatusOK {
				f.wantChanged(t, before, nil)
			}
		})
	}
}

// TestNamesInAddresses: a name is a name, wherever it stands.
func TestNamesInAddresses(t *testing.T) {
	const agent = `{"description":"x"}`
	tests := []struct {
		route, body string
		status      int
		code        string
	}{
		{"GET /settings/agents/reviewer", "", 200, ""},
		{"GET /settings/agents/%72eviewer", "", 200, ""},
		{"GET /settings/agents/Reviewer", "", 400, "not_found"},
		{"GET /settings/agents/plugin:tools@market:helper", "", 200, ""},
		{"GET /settings/agents/plugin%3Atools%40market%3Ahelper", "", 200, ""},
		{"GET /settings/agents/a%2Fb", "", 400, "not_found"},
		{"GET /settings/agents/reviewer/rename", "", 405, "method_not_allowed"},
		{"PUT /settings/agents/..", agent, 400, "invalid"},
		{"PUT /settings/agents/..%2F..%2Fx", agent, 400, "invalid"},
		{"PUT /settings/agents/..%5Cx", agent, 400, "invalid"},
		{"PUT /settings/agents/con", agent, 400, "invalid"},
		{"PUT /settings/agents/ab", agent, 400, "invalid"},
		{"PUT /settings/agents/Reviewer", agent, 409, "exists"},
		{"DELETE /settings/agents/Explore", "", 400, "invalid"},
		{"DELETE /settings/agents/..%2Freviewer", "", 400, "not_found"},
		{"POST /settings/agents/reviewer/rename", `{"newName":"../x"}`, 400, "invalid"},
		{"POST /settings/agents/Explore/enable", `{"enable":false}`, 400, "invalid"},
		{"POST /settings/agents/nobody/enable", `{"enable":false}`, 400, "not_found"},
		{"DELETE /settings/agents/nobody", "", 400, "not_found"},
		{"GET /settings/config/mcp", "", 400, "invalid"},
		{"GET /settings/config/ui%2F", "", 400, "invalid"},
		{"GET /settings/config/..", "", 400, "invalid"},
		{"PUT /settings/config/hooks", `{"enabled":true}`, 400, "invalid"},
		{"PUT /settings/config", `{"ui":{}}`, 405, "method_not_allowed"},
		{"GET /settings/plugins/enable", "", 405, "method_not_allowed"},
		{"GET /settings/mcp/import", "", 405, "method_not_allowed"},
		{"PUT /settings/mcp/import", `{"command":"c"}`, 200, ""}, // a server of that name
	}
	f := inhabited(t)
	before := f.tree()
	for _, test := range tests {
		t.Run(test.route, func(t *testing.T) {
			method, path, _ := strings.Cut(test.route, " ")
			got := f.call(method, path, test.body)
			if got.status != test.status || got.text(t, "code") != test.code {
				t.Errorf("got %d %s, want %d %s", got.status, got.body, test.status, test.code)
			}
		})
	}
	f.wantChanged(t, before, []string{cliFile})
}

// TestProjectFolder: cwd is an absolute folder that is there; without one only
// the user's own things are shown, and nothing of a project is ever written.
func TestProjectFolder(t *testing.T) {
	f := inhabited(t)
	before := f.tree()
	for path, own := range map[string]string{
		"/settings/skills": `"name":"ship"`, "/settings/hooks": `"command":"own"`, "/settings/agents": `"source":"project"`,
	} {
		if got := f.call(http.MethodGet, path+f.project(), ""); got.status != http.StatusOK || !strings.Contains(string(got.body), own) {
			t.Errorf("GET %s with cwd: %d %s", path, got.status, got.body)
		}
		for _, query := range []string{"", "?cwd="} {
			if got := f.call(http.MethodGet, path+query, ""); got.status != http.StatusOK || strings.Contains(string(got.body), own) {
				t.Errorf("GET %s%s: %d %s", path, query, got.status, got.body)
			}
		}
	}
	for _, path := range []string{"/settings/skills", "/settings/hooks", "/settings/plugins", "/settings/agents", "/settings/doctor"} {
		for _, cwd := range []string{"project", "../project", filepath.Join(f.dir, "none"), filepath.Join(f.dir, cliFile), "%00"} {
			got := f.call(http.MethodGet, path+"?cwd="+cwd, "")
			got.wantError(t, http.StatusBadRequest, "invalid")
			if got.text(t, "pointer") != "/cwd" {
				t.Errorf("GET %s?cwd=%s: %s", path, cwd, got.body)
			}
		}
	}
	f.call(http.MethodPost, "/settings/hooks/enabled"+f.project(), `{"enabled":true}`).wantError(t, http.StatusBadRequest, "invalid")
	f.wantChanged(t, before, nil)
}
