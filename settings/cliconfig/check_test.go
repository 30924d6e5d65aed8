package cliconfig

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/schema"
)

// TestCheckAccepts holds what ZCode accepts: every known member at its edge.
func TestCheckAccepts(t *testing.T) {
	tests := []string{
		`{}`,
		`{"$schema": "x", "unknown": {"a": null}, "provider": 1, "schemaVersion": 1}`,
		`{"modelStream": {"idleTimeoutMs": 0.5, "extra": null}}`,
		`{"permission": {"mode": "plan", "allowedTools": [""], "disallowedTools": [], "autoApproveHighRisk": true, "allowMediumRiskInAuto": false, "extra": 1}}`,
		`{"permission": {"mode": "build"}}`,
		`{"permission": {"mode": "edit"}}`,
		`{"permission": {"mode": "yolo"}}`,
		`{"permission": {"mode": "auto"}}`,
		`{"storage": {"dir": "d", "sessionDbPath": "s", "extra": 1}}`,
		`{"network": {"httpProxy": "p", "noProxy": "n", "caCertFile": "c", "timeout": 1, "extra": 1}}`,
		`{"features": {"compact": true, "rewind": true, "subagent": true, "memory": true, "skill": true, "mcp": false, "extra": 1}}`,
		`{"memory": {"use": true, "extra": 1}}`,
		`{"mcp": {}}`,
		`{"mcp": {"servers": {}, "extra": 1}}`,
		`{"plugins": {"enabled": false, "dirs": ["d"], "enabledPlugins": {"a@b": true}, "suppressedBuiltins": ["x"], "extra": 1}}`,
		`{"plugins": {"options": {"a@b": {"s": "", "n": -1.5, "b": false}}}}`,
		`{"plugins": {"extraKnownMarketplaces": {"m": {"source": {"source": "url", "url": "u", "headers": {"A": ""}}}}}}`,
		`{"plugins": {"extraKnownMarketplaces": {"m": {"source": {"source": "github", "repo": "r", "ref": "r", "path": "p", "sparsePaths": ["s"]}}}}}`,
		`{"plugins": {"extraKnownMarketplaces": {"m": {"source": {"source": "git", "url": "u", "ref": "r", "path": "p", "sparsePaths": []}}}}}`,
		`{"plugins": {"extraKnownMarketplaces": {"m": {"source": {"source": "npm", "package": "p"}}}}}`,
		`{"plugins": {"extraKnownMarketplaces": {"m": {"source": {"source": "file", "path": "p"}}}}}`,
		`{"plugins": {"extraKnownMarketplaces": {"m": {"source": {"source": "directory", "path": "p"}}}}}`,
		`{"skills": {"enabled": true, "includeInstructions": false, "metadataBudget": 1, "roots": [""], "/s/SKILL.md": {}, "anything": {"enable": true, "extra": 1}}}`,
		`{"skill": {"/s/SKILL.md": {"enable": false, "extra": 1}}, "command": {"/c.md": {}}}`,
		`{"logging": {"level": "debug", "format": "text", "extra": 1}}`,
		`{"logging": {"level": "info", "format": "json"}}`,
		`{"logging": {"level": "warn"}}`,
		`{"logging": {"level": "error"}}`,
		`{"ui": {"locale": "auto", "theme": "auto", "extra": 1}}`,
		`{"ui": {"locale": "en-US", "theme": "dark"}}`,
		`{"ui": {"locale": "zh-CN", "theme": "light"}}`,
		`{"toolConcurrency": {"maxConcurrency": 0.5, "extra": 1}}`,
		`{"modelAnomalyGuard": {"toolCallWarningThreshold": 1, "repeatedToolCallWarningThreshold": 1, "maxBudgetWarningsPerTurn": 0, "extra": 1}}`,
		`{"hooks": {}}`,
		`{"hooks": {"enabled": true, "timeoutMs": 0.1, "maxOutputBytes": 1, "events": {"SessionStart": [], "UserPromptSubmit": [], "PreToolUse": [], "PermissionRequest": [], "PostToolUse": [], "PostToolUseFailure": [], "Stop": []}}}`,
		`{"hooks": {"events": {"Stop": [{"matcher": "x", "hooks": [{"type": "process", "command": "c", "enabled": true, "args": [""], "timeoutMs": 1, "statusMessage": "s", "shell": 0}]}]}}}`,
		`{"hooks": {"events": {"Stop": [{"hooks": [{"type": "command", "command": "c", "enabled": false, "async": true, "shell": true, "timeout": 1, "timeoutMs": 1, "statusMessage": "s", "args": 0}, {"type": "command", "command": "c", "shell": "zsh"}]}]}}}`,
	}
	for _, text := range tests {
		if got := Check(parse(t, text)); len(got) > 0 {
			t.Errorf("Check(%s) = %v, want no problem", text, got)
		}
	}
}

func TestCheckRefusesTheFile(t *testing.T) {
	tests := []struct {
		text string
		want []string // pointers
	}{
		{`null`, []string{""}},
		{`"x"`, []string{""}},
		{`{"$schema": 1}`, []string{"/$schema"}},
		{`{"modelStream": null}`, []string{"/modelStream"}},
		{`{"modelStream": {"idleTimeoutMs": 0}}`, []string{"/modelStream/idleTimeoutMs"}},
		{`{"modelStream": {"idleTimeoutMs": "1"}}`, []string{"/modelStream/idleTimeoutMs"}},
		{`{"modelStream": {"idleTimeoutMs": 1e400}}`, []string{"/modelStream/idleTimeoutMs"}},
		{`{"permission": []}`, []string{"/permission"}},
		{`{"permission": {"mode": "guarded"}}`, []string{"/permission/mode"}},
		{`{"permission": {"mode": "ask"}}`, []string{"/permission/mode"}},
		{`{"permission": {"mode": null}}`, []string{"/permission/mode"}},
		{`{"permission": {"allowedTools": "x", "disallowedTools": [1]}}`, []string{"/permission/allowedTools", "/permission/disallowedTools/0"}},
		{`{"permission": {"autoApproveHighRisk": 1, "allowMediumRiskInAuto": "true"}}`, []string{"/permission/autoApproveHighRisk", "/permission/allowMediumRiskInAuto"}},
		{`{"storage": 1}`, []string{"/storage"}},
		{`{"storage": {"dir": "", "sessionDbPath": ""}}`, []string{"/storage/dir", "/storage/sessionDbPath"}},
		{`{"network": 1}`, []string{"/network"}},
		{`{"network": {"httpProxy": "", "noProxy": [], "caCertFile": "", "timeout": -1}}`, []string{"/network/httpProxy", "/network/noProxy", "/network/caCertFile", "/network/timeout"}},
		{`{"features": 1}`, []string{"/features"}},
		{`{"features": {"compact": 1, "rewind": 1, "subagent": 1, "memory": 1, "skill": 1, "mcp": 1}}`, []string{
			"/features/compact", "/features/rewind", "/features/subagent", "/features/memory", "/features/skill", "/features/mcp"}},
		{`{"memory": 1}`, []string{"/memory"}},
		{`{"memory": {"use": "yes"}}`, []string{"/memory/use"}},
		{`{"mcp": null}`, []string{"/mcp"}},
		{`{"mcp": []}`, []string{"/mcp"}},
		{`{"plugins": 1}`, []string{"/plugins"}},
		{`{"plugins": {"enabled": 1, "dirs": [""], "enabledPlugins": {"a@b": "on"}, "suppressedBuiltins": [""]}}`, []string{
			"/plugins/enabled", "/plugins/dirs/0", "/plugins/enabledPlugins/a@b", "/plugins/suppressedBuiltins/0"}},
		{`{"plugins": {"dirs": "d", "enabledPlugins": [], "suppressedBuiltins": {}, "options": [], "extraKnownMarketplaces": []}}`, []string{
			"/plugins/dirs", "/plugins/enabledPlugins", "/plugins/suppressedBuiltins", "/plugins/options", "/plugins/extraKnownMarketplaces"}},
		{`{"plugins": {"options": {"a": 1, "b": {"n": null, "o": {}, "l": [], "i": 1e400}}}}`, []string{
			"/plugins/options/a", "/plugins/options/b/n", "/plugins/options/b/o", "/plugins/options/b/l", "/plugins/options/b/i"}},
		{`{"plugins": {"extraKnownMarketplaces": {"": {"source": {"source": "npm", "package": "p"}}}}}`, []string{"/plugins/extraKnownMarketplaces/"}},
		{`{"plugins": {"extraKnownMarketplaces": {"a": {}, "b": 1, "c": {"source": {"source": "npm", "package": "p"}, "x": 1}}}}`, []string{
			"/plugins/extraKnownMarketplaces/a", "/plugins/extraKnownMarketplaces/b", "/plugins/extraKnownMarketplaces/c/x"}},
		{sourceFile("{}"), []string{at("")}},
		{sourceFile(`"npm"`), []string{at("")}},
		{sourceFile(`{"source": "svn"}`), []string{at("/source")}},
		{sourceFile(`{"source": "url"}`), []string{at("")}},
		{sourceFile(`{"source": "url", "url": "", "headers": {"A": 1}, "ref": "r"}`), []string{at("/url"), at("/headers/A"), at("/ref")}},
		{sourceFile(`{"source": "github"}`), []string{at("")}},
		{sourceFile(`{"source": "github", "repo": "", "ref": "", "path": "", "sparsePaths": [""], "url": "u"}`), []string{
			at("/repo"), at("/ref"), at("/path"), at("/sparsePaths/0"), at("/url")}},
		{sourceFile(`{"source": "git"}`), []string{at("")}},
		{sourceFile(`{"source": "git", "url": "", "ref": "", "path": "", "sparsePaths": "s", "repo": "r"}`), []string{
			at("/url"), at("/ref"), at("/path"), at("/sparsePaths"), at("/repo")}},
		{sourceFile(`{"source": "npm"}`), []string{at("")}},
		{sourceFile(`{"source": "npm", "package": "", "version": "1"}`), []string{at("/package"), at("/version")}},
		{sourceFile(`{"source": "file"}`), []string{at("")}},
		{sourceFile(`{"source": "file", "path": "", "ref": "r"}`), []string{at("/path"), at("/ref")}},
		{sourceFile(`{"source": "directory"}`), []string{at("")}},
		{sourceFile(`{"source": "directory", "path": "", "ref": "r"}`), []string{at("/path"), at("/ref")}},
		{`{"skills": []}`, []string{"/skills"}},
		{`{"skills": {"enabled": 1, "includeInstructions": 1, "metadataBudget": 0, "roots": [1]}}`, []string{
			"/skills/enabled", "/skills/includeInstructions", "/skills/metadataBudget", "/skills/roots/0"}},
		{`{"skills": {"/s/SKILL.md": false, "future": 1, "x": {"enable": "no"}}}`, []string{"/skills/~1s~1SKILL.md", "/skills/future", "/skills/x/enable"}},
		{`{"skill": [], "command": {"a": 1, "b": {"enable": 0}}}`, []string{"/skill", "/command/a", "/command/b/enable"}},
		{`{"logging": {"level": "trace", "format": "xml"}}`, []string{"/logging/level", "/logging/format"}},
		{`{"logging": 1, "ui": 1}`, []string{"/logging", "/ui"}},
		{`{"ui": {"locale": "de-DE", "theme": "Dark"}}`, []string{"/ui/locale", "/ui/theme"}},
		{`{"toolConcurrency": 1}`, []string{"/toolConcurrency"}},
		{`{"toolConcurrency": {"maxConcurrency": 0}}`, []string{"/toolConcurrency/maxConcurrency"}},
		{`{"modelAnomalyGuard": 1}`, []string{"/modelAnomalyGuard"}},
		{`{"modelAnomalyGuard": {"toolCallWarningThreshold": 0, "repeatedToolCallWarningThreshold": 1.5, "maxBudgetWarningsPerTurn": -1}}`, []string{
			"/modelAnomalyGuard/toolCallWarningThreshold", "/modelAnomalyGuard/repeatedToolCallWarningThreshold", "/modelAnomalyGuard/maxBudgetWarningsPerTurn"}},
		{`{"modelAnomalyGuard": {"maxBudgetWarningsPerTurn": 0.5}}`, []string{"/modelAnomalyGuard/maxBudgetWarningsPerTurn"}},
		{`{"hooks": []}`, []string{"/hooks"}},
		{`{"hooks": {"enabled": 1, "timeoutMs": 0, "maxOutputBytes": 0, "events": [], "extra": 1}}`, []string{
			"/hooks/enabled", "/hooks/timeoutMs", "/hooks/maxOutputBytes", "/hooks/events", "/hooks/extra"}},
		{`{"hooks": {"events": {"PreCompact": [], "Notification": [], "SessionEnd": [], "stop": []}}}`, []string{
			"/hooks/events/PreCompact", "/hooks/events/Notification", "/hooks/events/SessionEnd", "/hooks/events/stop"}},
		{`{"hooks": {"events": {"Stop": {}}}}`, []string{"/hooks/events/Stop"}},
		{`{"hooks": {"events": {"Stop": [1, {}, {"hooks": []}, {"matcher": null, "hooks": [{"type": "command", "command": "c"}], "extra": 1}]}}}`, []string{
			"/hooks/events/Stop/0", "/hooks/events/Stop/1", "/hooks/events/Stop/2/hooks", "/hooks/events/Stop/3/matcher", "/hooks/events/Stop/3/extra"}},
		{hooksFile(`1, {}, {"type": "prompt", "command": "c"}, {"type": "process"}, {"type": "command"}`), []string{
			hookAt("0"), hookAt("1"), hookAt("2/type"), hookAt("3"), hookAt("4")}},
		{hooksFile(`{"type": "process", "command": "", "enabled": 1, "args": [1], "timeoutMs": 0, "statusMessage": ""}`), []string{
			hookAt("0/command"), hookAt("0/enabled"), hookAt("0/args/0"), hookAt("0/timeoutMs"), hookAt("0/statusMessage")}},
		{hooksFile(`{"type": "command", "command": "", "enabled": 1, "async": 1, "shell": false, "timeout": 0, "timeoutMs": 0, "statusMessage": ""}`), []string{
			hookAt("0/command"), hookAt("0/enabled"), hookAt("0/async"), hookAt("0/shell"), hookAt("0/timeout"), hookAt("0/timeoutMs"), hookAt("0/statusMessage")}},
		{hooksFile(`{"type": "command", "command": "c", "shell": ""}, {"type": "command", "command": "c", "shell": 1}`), []string{hookAt("0/shell"), hookAt("1/shell")}},
	}
	for _, tt := range tests {
		problems := Check(parse(t, tt.text))
		var got []string
		for _, p := range problems {
			got = append(got, p.Pointer)
			if p.Effect != FileIgnored || p.Server != "" {
				t.Errorf("Check(%s): %+v, want %s", tt.text, p, FileIgnored)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Check(%s) (-want +got):\n%s", tt.text, diff)
		}
	}
}

// sourceFile is a file with one marketplace of that source, at a pointer into it.
func sourceFile(source string) string {
	return `{"plugins": {"extraKnownMarketplaces": {"m": {"source": ` + source + `}}}}`
}

func at(rest string) string { return "/plugins/extraKnownMarketplaces/m/source" + rest }

// hooksFile is a file with these hooks, hookAt a pointer into one of them.
func hooksFile(hooks string) string {
	return `{"hooks": {"events": {"Stop": [{"hooks": [` + hooks + `]}]}}}`
}

func hookAt(rest string) string { return "/hooks/events/Stop/0/hooks/" + rest }

func TestCheckServersIgnored(t *testing.T) {
	for _, servers := range []string{`null`, `[]`, `"x"`, `1`} {
		want := []Problem{{
			Problem: schema.Problem{Pointer: "/mcp/servers", Line: 1, Column: 10, Rule: "must be an object"},
			Effect:  ServersIgnored, Section: "mcp",
		}}
		if diff := cmp.Diff(want, Check(parse(t, `{"mcp": {"servers": `+servers+`}}`))); diff != "" {
			t.Errorf("servers %s (-want +got):\n%s", servers, diff)
		}
	}
}

func TestCheckOrder(t *testing.T) {
	d := parse(t, "\ufeff"+`{"mcp": {"servers": {"a": 1}}, "ui": 2, "memory": 3}`)
	var got []string
	for _, p := range Check(d) {
		got = append(got, string(p.Effect)+" "+p.Section+" "+p.Pointer)
	}
	want := []string{
		"file-ignored  ",
		"file-ignored ui /ui",
		"file-ignored memory /memory",
		"server-ignored mcp /mcp/servers/a",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

func TestGuardedModeTellsTheVersion(t *testing.T) {
	got := Check(parse(t, `{"permission": {"mode": "guarded"}}`))
	want := "is a mode that ZCode knows from 3.15.1 on: 3.14 ignores this file"
	if len(got) != 1 || got[0].Rule != want {
		t.Errorf("Check = %v, want the rule %q", got, want)
	}
}

func TestProblemIsAnError(t *testing.T) {
	var err error = Check(parse(t, `{"ui": 1}`))[0]
	want := "/ui (line 1, column 2) must be an object"
	if err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if errors.Is(err, ErrInvalid) {
		t.Error("a problem of the file is no invalid edit")
	}
}
