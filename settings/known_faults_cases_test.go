package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func faultFutureLock(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, "{}")
	lock := w.path(cliFile) + ".lock"
	if err := os.Mkdir(lock, 0o700); err != nil {
		t.Fatal(err)
	}
	far := time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(lock, far, far); err != nil {
		t.Fatal(err)
	}
	w.write("mcp/upsert", Call{}, params{"name": "x", "command": "y"})
	w.unlocked(cliFile)
}

// An entry in the form that ZCode drops is replaced whole.
func faultThoughtLevelStored(t *testing.T) {
	w := newWorld(t)
	w.put(stateFile, `{"builtInModelSelectionOverrides":{"Explore":{"providerId":"p","modelId":"m","thoughtLevel":"high"}},"pluginAgentModelSelectionOverrides":{},"disabledAgentIds":[]}`)
	w.write("agents/upsert", Call{}, params{"name": "Explore", "providerId": "p", "modelId": "m", "reasoningLevel": "low"})
	var state struct {
		BuiltInModelSelectionOverrides json.RawMessage
	}
	if err := json.Unmarshal([]byte(w.get(stateFile)), &state); err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := json.Compact(&got, state.BuiltInModelSelectionOverrides); err != nil {
		t.Fatal(err)
	}
	same(t, "the override", got.String(), `{"Explore":{"providerId":"p","modelId":"m","options":{"reasoningLevel":"low"}}}`)
}

func faultPluginOn(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"plugins":{"enabledPlugins":{"a@b":false}}}`)
	w.write("plugins/enable", Call{}, params{"id": "a@b", "enable": true})
	same(t, "the file", w.get(cliFile), `{"plugins":{"enabledPlugins":{"a@b":true}}}`)
}

// What would make ZCode drop the whole file, or a server, is refused at each door
// of it.
func faultStrictRules(t *testing.T) {
	refused := []struct {
		op string
		in params
	}{
		{"hooks/add", params{"event": "Stop", "type": "command", "command": "x", "matcher": ""}},
		{"hooks/add", params{"event": "Stop", "type": "command", "command": "x", "more": 1}},
		{"hooks/add", params{"event": "Notification", "type": "command", "command": "x"}},
		{"hooks/set", params{"hooks": params{"events": params{"Stop": []params{{"hooks": []params{{"type": "command"}}}}}}}},
		{"hooks/set", params{"hooks": params{"more": true}}},
		{"config/set", params{"section": "ui", "theme": "pink"}},
		{"config/set", params{"section": "network", "timeout": -1}},
		{"config/set", params{"section": "skills", "x": 1}},
		{"mcp/upsert", params{"name": "s", "command": "x", "autoApprove": []string{}}},
		{"mcp/upsert", params{"name": "s"}},
		{"mcp/upsert", params{"name": "s", "command": "x", "url": "https://h.example"}},
	}
	w := newWorld(t)
	w.put(cliFile, "{}")
	for _, r := range refused {
		if got := w.refuse(r.op, Call{}, r.in); got.Code != CodeInvalid {
			t.Errorf("%s %v: got %+v, want %s", r.op, r.in, got, CodeInvalid)
		}
	}
}

func faultBackslash(t *testing.T) {
	for _, text := range []string{`C:\new`, `a literal \n`} { // which no file can make ZCode read
		w := newWorld(t)
		if got := w.refuse("agents/upsert", Call{}, params{"name": "written", "description": text}); got.Code != CodeInvalid {
			t.Errorf("%q: got %+v, want %s", text, got, CodeInvalid)
		}
	}
	for _, text := range []string{`C:\temp`, `ends with \`, `'single'`, "# no comment", "- no list", "*", "yes", "null", "1", "a: b"} {
		w := newWorld(t)
		w.write("agents/upsert", Call{}, params{"name": "written", "description": text, "prompt": text})
		w.write("agents/upsert", Call{}, params{"name": "written", "color": "red"})
		a := w.agent("written")
		var front struct{ Description string }
		if err := json.Unmarshal(a.Frontmatter, &front); err != nil {
			t.Fatal(err)
		}
		if front.Description != text || a.SystemPrompt != text {
			t.Errorf("got %q and %q, want %q; the file is %q", front.Description, a.SystemPrompt, text, w.get("agents/written.md"))
		}
	}
}

func faultLinkReplaced(t *testing.T) {
	w := newWorld(t)
	w.put("dotfiles/config.json", "{}")
	w.put("cli/other", "x")
	w.chmod("dotfiles/config.json", 0o640)
	if err := os.Symlink("../dotfiles/config.json", w.path(cliFile)); err != nil {
		t.Fatal(err)
	}
	for _, call := range []struct {
		op string
		in params
	}{{"hooks/enabled", params{"enabled": true}}, {"config/set", params{"section": "ui", "theme": "dark"}}} {
		w.write(call.op, Call{}, call.in)
	}
	if info, err := os.Lstat(w.path(cliFile)); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("got %v %v, want the link", info, err)
	}
	if text := w.get("dotfiles/config.json"); !strings.Contains(text, "dark") {
		t.Errorf("got %q, want the change", text)
	}
	w.hasMode("dotfiles/config.json", 0o640)
}

func faultBackupsPushedOut(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"precious":1}`)
	for i := range 6 {
		w.put(fmt.Sprintf("%s.bak-mine-%d", cliFile, i), "{}")
	}
	w.write("hooks/enabled", Call{}, params{"enabled": true})
	for range 7 {
		if got := w.write("hooks/enabled", Call{}, params{"enabled": true}); got.Changed || got.Backup != "" {
			t.Errorf("got %+v, want no write", got)
		}
	}
	list := answerOf[*BackupsList](w, "backups/list").Backups["cliConfig"]
	if len(list) != 1 {
		t.Fatalf("got %+v, want the one state before", list)
	}
	if kept, err := os.ReadFile(list[0].Path); err != nil || string(kept) != `{"precious":1}` {
		t.Errorf("got %q %v", kept, err)
	}
	if others, err := filepath.Glob(w.path(cliFile) + ".bak-mine-*"); err != nil || len(others) != 6 {
		t.Errorf("got %v %v, want the files of others as they were", others, err)
	}
}

func faultNewerEvent(t *testing.T) {
	for op, in := range configWrites {
		w := newWorld(t)
		w.put(cliFile, strings.Replace(writesFile, `"events": {`, `"events": {"SubagentStop": [{"hooks": [{"type": "command", "command": "c"}]}], `, 1))
		got := w.write(op, Call{}, in)
		if gone := op == "hooks/set"; gone == strings.Contains(w.get(cliFile), "SubagentStop") || gone != (len(got.Warnings) == 0) {
			t.Errorf("%s: got warnings %q and %s, want the event kept with a warning, unless it is replaced", op, got.Warnings, w.get(cliFile))
		}
	}
}

func faultPrototypeNames(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"mcp":{"servers":{"a":{"command":"a"}}}}`)
	for _, name := range []string{"toString", "constructor", "__proto__", "hasOwnProperty"} {
		for op, in := range map[string]params{
			"mcp/remove": {"name": name}, "mcp/enable": {"name": name, "enabled": true}, "agents/delete": {"name": name},
			"agents/enable": {"name": name, "enabled": false},
		} {
			if got := w.refuse(op, Call{}, in); got.Code != CodeUnknown {
				t.Errorf("%s %s: got %+v, want %s", op, name, got, CodeUnknown)
			}
		}
	}
}

func faultPluginSkills(t *testing.T) {
	w := newWorld(t)
	at := w.path("cli/plugins/cache/market/tools/1.0.0")
	w.put("cli/plugins/cache/market/tools/1.0.0/.zcode-plugin/plugin.json", `{"name":"tools"}`)
	w.put("cli/plugins/cache/market/tools/1.0.0/skills/review/SKILL.md", skillText)
	w.put("cli/plugins/installed_plugins.json", `{"version":1,"plugins":[{"id":"tools@market","name":"tools","marketplace":"market","installPath":`+key(at)+`}]}`)
	w.put(cliFile, `{"plugins":{"enabledPlugins":{"tools@market":true}}}`)
	path := filepath.Join(at, "skills", "review", "SKILL.md")
	if s := w.skill(path); !s.Enabled || s.Origin != "tools@market" {
		t.Errorf("got %+v, want the plugin's skill, on", s)
	}
	w.write("skills/copy-to-user", Call{}, params{"path": path})
	same(t, "the copy", w.get("skills/review/SKILL.md"), skillText)
	if got := w.refuse("skills/delete", Call{}, params{"path": path}); got.Code != CodeInvalid {
		t.Errorf("got %+v, want a plugin's skill to stay", got)
	}
	w.write("plugins/enable", Call{}, params{"id": "tools@market", "enable": false})
	if s := w.skill(path); s.Enabled || !strings.Contains(s.Reason, "plugin") {
		t.Errorf("got %+v, want it off with its plugin", s)
	}
}

func faultCopyOfARoot(t *testing.T) {
	w, _, shared := worldOfSkills(t)
	w.put("../.agents/skills/SKILL.md", skillText)
	root := filepath.Join(filepath.Dir(filepath.Dir(shared)), "SKILL.md")
	if got := w.refuse("skills/copy-to-user", Call{}, params{"path": root}); got.Code != CodeInvalid {
		t.Errorf("got %+v, want %s", got, CodeInvalid)
	}
}

func faultAlwaysEnabled(t *testing.T) {
	w := worldOff(t, "user:user:foo")
	answer, err := w.run("agents/upsert", Call{}, params{"name": "Foo", "color": "red"})
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.(*AgentWritten).Agent; got == nil || got.Enabled {
		t.Errorf("got %+v, want it off", got)
	}
}

func faultTwoShapes(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, writesFile)
	same(t, "the hooks", string(answerOf[*HooksList](w, "hooks/list").Hooks), string(answerOf[*All](w, "all").Hooks))
}

func faultEmptyHookChange(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, writesFile)
	at := func(more params) params {
		in := params{"event": "Stop", "matcherIndex": 0, "hookIndex": 0}
		for name, value := range more {
			in[name] = value
		}
		return in
	}
	for _, in := range []params{
		at(nil), at(params{"timeout": "5"}), at(params{"command": 5}), at(params{"command": nil}), at(params{"command": ""}), at(params{"type": "other"}),
		at(params{"more": 1}), {"event": "Stop", "matcherIndex": 0, "timeout": 5}, {"event": "Stop", "matcherIndex": -1, "hookIndex": 0, "timeout": 5},
	} {
		if got := w.refuse("hooks/update", Call{}, in); got.Code != CodeInvalid {
			t.Errorf("%v: got %+v, want %s", in, got, CodeInvalid)
		}
	}
	for _, in := range []params{at(params{"hookIndex": 9, "timeout": 5}), at(params{"matcherIndex": 9, "timeout": 5}), at(params{"event": "PreToolUse", "timeout": 5})} {
		if got := w.refuse("hooks/update", Call{}, in); got.Code != CodeUnknown && got.Code != CodeInvalid {
			t.Errorf("%v: got %+v, want it refused", in, got)
		}
	}
}
