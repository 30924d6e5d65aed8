package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// configWrites are the writes of cli/config.json that have something to change in
// [writesFile].
var configWrites = map[string]params{
	"hooks/enabled":  {"enabled": false},
	"hooks/set":      {"hooks": params{"enabled": true, "events": params{}}},
	"hooks/add":      {"event": "Stop", "type": "command", "command": "new"},
	"hooks/update":   {"event": "Stop", "matcherIndex": 0, "hookIndex": 0, "timeout": 5},
	"hooks/move":     {"event": "Stop", "matcherIndex": 0, "hookIndex": 0, "to": 1},
	"hooks/remove":   {"event": "Stop", "matcherIndex": 0, "hookIndex": 0},
	"plugins/enable": {"id": "a@b", "enable": false},
	"config/set":     {"section": "ui", "theme": "dark"},
	"mcp/import":     {"servers": params{"mcpServers": params{"one": params{"command": "x"}}}},
}

const writesFile = `{
  "future": 1.0,
  "hooks": {"enabled": true, "events": {"Stop": [{"hooks": [{"type": "command", "command": "a"}, {"type": "command", "command": "b"}]}]}},
  "plugins": {"enabledPlugins": {"a@b": true}},
  "ui": {"theme": "light"}
}
`

// section is the noun whose listing has the etag of an operation.
func section(op string) string {
	noun, _, _ := strings.Cut(op, "/")
	return noun + "/"
}

// A dry run leaves nothing, a precondition holds, a broken file is refused and,
// with repair, kept and mended; no lock is left.
func TestEveryConfigWrite(t *testing.T) {
	for op, in := range configWrites {
		t.Run(op, func(t *testing.T) {
			w := newWorld(t)
			w.put(cliFile, writesFile)
			stale := w.tag(section(op))
			before := w.below(filepath.Dir(w.dir))
			preview := w.write(op, Call{DryRun: true}, in)
			if after := w.below(filepath.Dir(w.dir)); len(after) != len(before) {
				t.Errorf("the dry run left files: %d before, %d after", len(before), len(after))
			}
			w.unchanged(before)
			got := w.write(op, Call{IfMatch: stale}, in)
			if got.ETag != w.tag(section(op)) || preview.ETag != got.ETag || got.ETag == stale || !got.Changed {
				t.Errorf("got %+v, dry run %+v, want the etag %s", got, preview, w.tag(section(op)))
			}
			if !strings.Contains(w.get(cliFile), `"future": 1.0`) {
				t.Errorf("got %s, want what was not edited as it was", w.get(cliFile))
			}
			if refused := w.refuse(op, Call{IfMatch: stale}, in); refused.Code != CodeConflict {
				t.Errorf("again: got %+v, want %s", refused, CodeConflict)
			}
			w.unlocked(cliFile)
		})
		t.Run(op+" of a broken file", func(t *testing.T) {
			w := newWorld(t)
			broken := strings.Replace(writesFile, "1.0,", "1.0, // mine", 1)
			w.put(cliFile, broken)
			if got := w.refuse(op, Call{}, in); got.Code != CodeBroken {
				t.Errorf("got %+v, want %s", got, CodeBroken)
			}
			got := w.write(op, Call{Repair: true}, in)
			if kept, err := os.ReadFile(got.Backup); err != nil || string(kept) != broken {
				t.Errorf("got %q %v, want the broken file kept", kept, err)
			}
			if got.ETag != w.tag(section(op)) {
				t.Errorf("got etag %s, want %s", got.ETag, w.tag(section(op)))
			}
		})
	}
}

// Another program rewrites cli/config.json in place all the while: each of our
// changes is there at the end, or was refused as busy.
func TestConfigWritesWithARivalInPlace(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, writesFile)
	end := beside(t, func(stop <-chan struct{}) error {
		for {
			select {
			case <-stop:
				return nil
			case <-time.After(3 * time.Millisecond):
			}
			text, err := os.ReadFile(w.path(cliFile))
			if err != nil {
				return err
			}
			if !json.Valid(text) {
				return fmt.Errorf("a reader saw half a file: %q", text)
			}
			if err := os.WriteFile(w.path(cliFile), text, 0o600); err != nil {
				return err
			}
		}
	})
	for op, in := range configWrites {
		if op == "hooks/set" || op == "hooks/remove" {
			continue // they take away what others need
		}
		if _, err := w.run(op, Call{}, in); err != nil && CodeOf(err) != CodeBusy {
			t.Errorf("%s: %v", op, err)
		}
	}
	end()
	if !json.Valid([]byte(w.get(cliFile))) {
		t.Errorf("got %s", w.get(cliFile))
	}
	w.unlocked(cliFile)
}

// What stands in place of a folder or a file is told with its path, by every
// operation, and stays.
func TestWritesWhereSomethingElseStands(t *testing.T) {
	t.Run("a folder in place of cli/config.json", func(t *testing.T) {
		for op, in := range configWrites {
			w := newWorld(t)
			w.put(cliFile+"/keep.txt", "x")
			for _, call := range []Call{{}, {DryRun: true}, {Repair: true}} {
				if got := w.refuse(op, call, in); got.Code != CodeIrregular || !strings.Contains(got.Error, w.path(cliFile)) {
					t.Errorf("%s: got %+v, want %s with the path", op, got, CodeIrregular)
				}
			}
		}
	})
	t.Run("files in place of the folders", func(t *testing.T) {
		w := newWorld(t)
		for _, folder := range []string{"cli", "v2", "agents", "skills"} {
			w.put(folder, "x")
		}
		for op, in := range configWrites {
			if got := w.refuse(op, Call{}, in); !strings.Contains(got.Error, w.path(cliFile)) || got.Code == CodeInternal {
				t.Errorf("%s: got %+v, want the path", op, got)
			}
		}
		for _, op := range []string{"all", "doctor", "where"} {
			if _, err := w.run(op, Call{}, nil); err != nil {
				t.Errorf("%s: %v", op, err)
			}
		}
	})
}

func TestImportOfManyServers(t *testing.T) {
	const many = 10_000
	servers := params{}
	for i := range many {
		servers[fmt.Sprintf("s%05d", i)] = params{"command": "x", "args": []string{"a"}}
	}
	w := newWorld(t)
	start := time.Now()
	answer, err := w.run("mcp/import", Call{}, params{"servers": params{"mcpServers": servers}})
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.(*MCPImported); len(got.Servers) != many || !got.Changed {
		t.Errorf("got %d servers, changed %t", len(got.Servers), got.Changed)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
	if list := answerOf[*MCPList](w, "mcp/list").MCP.Servers; len(list) != many {
		t.Errorf("got %d servers, want %d", len(list), many)
	}
}

// Backups of agents are found whatever the folders and files above are called.
func TestBackupsOfAgentsWithOddNames(t *testing.T) {
	const text = "---\nname: abc\ndescription: x\n---\nold\n"
	const stamp = ".bak-2026-09-22T14-10-00-000Z"
	t.Run("a home that is called like a backup", func(t *testing.T) {
		w := &world{t: t, dir: filepath.Join(t.TempDir(), "zcode.bak-old")}
		w.engine = newEngine(t, w.dir)
		w.catalog = NewCatalog(w.engine.Operations())
		w.put("agents/abc.md"+stamp, text)
		w.put("agents/x.bak-y.md"+stamp, strings.Replace(text, "abc", "xyz", 1))
		list := answerOf[*BackupsList](w, "backups/list").Backups["agents"]
		if len(list) != 2 {
			t.Fatalf("got %+v, want two", list)
		}
		w.write("backups/restore", Call{}, params{"file": "agents", "path": w.path("agents/abc.md") + stamp})
		same(t, "the file", w.get("agents/abc.md"), text)
	})
	t.Run("a name that two files have already", func(t *testing.T) {
		w := newWorld(t)
		w.put("agents/abc.md"+stamp, text)
		w.put("agents/one.md", text)
		w.put("agents/two.md", text)
		if got := w.refuse("backups/restore", Call{}, params{"file": "agents", "path": w.path("agents/abc.md") + stamp}); got.Code != CodeAmbiguous {
			t.Errorf("got %+v, want %s", got, CodeAmbiguous)
		}
	})
	t.Run("a backup that is a link, or no agent, or outside", func(t *testing.T) {
		w := newWorld(t)
		w.put("secret.md", text)
		w.put("agents/bad.md"+stamp, "{}")
		if err := os.Symlink("../secret.md", w.path("agents/abc.md"+stamp)); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{
			w.path("agents/abc.md") + stamp, w.path("agents/bad.md") + stamp, w.path("secret.md"),
			w.path("agents/bad.md") + ".bak-x/../bad.md" + stamp, "agents/bad.md" + stamp, w.path("agents"),
		} {
			if got := w.refuse("backups/restore", Call{}, params{"file": "agents", "path": path}); got.Code != CodeInvalid {
				t.Errorf("%s: got %+v, want %s", path, got, CodeInvalid)
			}
		}
	})
}

// A plugin's record of a wrong shape is told and stops nothing.
func TestPluginRecordsOfAWrongShape(t *testing.T) {
	for _, text := range []string{"", "[]", "{", `{"plugins":5}`, `{"plugins":{"a@b":5}}`, `{"plugins":[{"id":5,"installPath":"../../etc"}]}`, "\ufeff{}"} {
		w := newWorld(t)
		w.put("cli/plugins/installed_plugins.json", text)
		w.put(cliFile, writesFile)
		if list := answerOf[*PluginsList](w, "plugins/list"); len(list.Plugins) == 0 {
			t.Errorf("%q: got %+v, want what the settings name", text, list)
		}
		w.write("plugins/enable", Call{}, params{"id": "a@b", "enable": false})
		same(t, "the record", w.get("cli/plugins/installed_plugins.json"), text)
		if _, err := os.Stat(w.path("cli/plugins/installed_plugins.json.lock")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v, want no lock", err)
		}
	}
}
