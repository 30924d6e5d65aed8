package settings

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

const (
	oldStamp = "2026-09-22T14-10-00-000Z"
	newStamp = "2026-09-23T14-10-00-000Z"
)

func (w *world) putBackup(file, stamp, content string) string {
	w.put(file+".bak-"+stamp, content)
	return w.path(file + ".bak-" + stamp)
}

func TestBackupsList(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, "{}")
	w.putBackup(cliFile, oldStamp, "{ }")
	w.putBackup(cliFile, newStamp, "{  }")
	w.put(cliFile+".bak-mine", "{}")
	w.put(cliFile+".bak-"+oldStamp+".txt", "{}")
	got := answerOf[*BackupsList](w, "backups/list").Backups
	for _, file := range []string{"providerConfig", "agentsState", "agents"} {
		if list, listed := got[file]; !listed || list == nil || len(list) != 0 {
			t.Errorf("%s: got %+v, want an empty list", file, list)
		}
	}
	if len(got) != 4 || len(got["cliConfig"]) != 2 {
		t.Fatalf("got %+v, want two of cliConfig", got)
	}
	want := Backup{w.path(cliFile + ".bak-" + newStamp), time.Date(2026, 9, 23, 14, 10, 0, 0, time.UTC), newStamp, 4}
	if newest := got["cliConfig"][0]; newest != want {
		t.Errorf("got %+v, want %+v", newest, want)
	}
}

func TestRestore(t *testing.T) {
	kept := sample(t, "cli-config/crlf-tabs.json")
	for _, tt := range []struct{ name, now string }{
		{"over a good file", "{}\n"},
		{"over a truncated file", sample(t, "cli-config/truncated.json")},
		{"over an empty file", ""},
		{"over an array", "[]"},
		{"over the same text with a byte order mark", "\ufeff" + kept},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, by := range []string{"path", "stamp"} {
				w := newWorld(t)
				w.put(cliFile, tt.now)
				backup := w.putBackup(cliFile, oldStamp, kept)
				in := params{"file": "cliConfig", "path": backup}
				if by == "stamp" {
					in = params{"file": "cliConfig", "stamp": oldStamp}
				}
				got := w.write("backups/restore", Call{}, in)
				same(t, "the file", w.get(cliFile), kept)
				w.keeps(got.Backup, tt.now)
				w.keeps(backup, kept)
				if got.Restored != backup || got.Effect != NeedsRestart || !got.Changed || len(got.Also) != 0 {
					t.Errorf("got %+v, want the backup restored", got)
				}
			}
		})
	}
}

// TestRestoreOverAnotherForm: the backup comes back as it is, whatever order the
// present file has.
func TestRestoreOverAnotherForm(t *testing.T) {
	canonical := sample(t, "provider/canonical.json")
	w := newWorld(t)
	w.put(providerFile, sample(t, "provider/other-order.json"))
	w.putBackup(providerFile, oldStamp, canonical)
	got := w.write("backups/restore", Call{}, params{"file": "providerConfig", "stamp": oldStamp})
	same(t, "the file", w.get(providerFile), canonical)
	hasOnly(t, "also", got.Also)
}

func TestRestoreMissingFile(t *testing.T) {
	w := newWorld(t)
	w.putBackup(cliFile, oldStamp, "{ }")
	if got := w.write("backups/restore", Call{}, params{"file": "cliConfig", "stamp": oldStamp}); got.Backup != "" || !got.Changed {
		t.Errorf("got %+v, want a file without a backup", got)
	}
	same(t, "the file", w.get(cliFile), "{ }")
}

// TestRestoreChangesForm: what a backup holds is stored as any write stores it,
// and the answer tells the difference.
func TestRestoreChangesForm(t *testing.T) {
	canonical := sample(t, "provider/canonical.json")
	tests := []struct{ name, file, kept, want, also string }{
		{"a byte order mark", cliFile, "\ufeff{ }", "{ }", "byte order mark"},
		{"a final newline", providerFile, canonical + "\n", canonical, "order and spacing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			document := map[string]string{cliFile: "cliConfig", providerFile: "providerConfig"}[tt.file]
			w.put(tt.file, "[]")
			w.putBackup(tt.file, oldStamp, tt.kept)
			got := w.write("backups/restore", Call{}, params{"file": document, "stamp": oldStamp})
			same(t, "the file", w.get(tt.file), tt.want)
			hasOnly(t, "also", got.Also, tt.also)
			if want := map[string]Effect{cliFile: NeedsRestart, providerFile: Immediate}[tt.file]; got.Effect != want {
				t.Errorf("got effect %s, want %s", got.Effect, want)
			}
		})
	}
}

func TestRestoreRefused(t *testing.T) {
	canonical := sample(t, "provider/canonical.json")
	tests := []struct {
		name    string
		in      func(w *world) params
		code    Code
		pointer string
	}{
		{"a path that begins like a backup", func(w *world) params {
			w.put("cli/config.json.bak-"+oldStamp+"-more", "{ }")
			return params{"file": "cliConfig", "path": w.path(cliFile) + ".bak-" + oldStamp + "-more"}
		}, CodeInvalid, "/path"},
		{"a path that leaves the folder", func(w *world) params {
			return params{"file": "cliConfig", "path": w.path(cliFile) + ".bak-x/../config.json.bak-" + oldStamp}
		}, CodeInvalid, "/path"},
		{"a path with .. that leads to a backup", func(w *world) params {
			return params{"file": "cliConfig", "path": w.path("cli") + "/../cli/config.json.bak-" + oldStamp}
		}, CodeInvalid, "/path"},
		{"a backup of the other file", func(w *world) params {
			return params{"file": "cliConfig", "path": w.putBackup(providerFile, oldStamp, canonical)}
		}, CodeInvalid, "/path"},
		{"a link instead of a backup", func(w *world) params {
			link := w.path(cliFile) + ".bak-" + newStamp
			if err := os.Symlink(w.path(cliFile), link); err != nil {
				w.t.Fatal(err)
			}
			return params{"file": "cliConfig", "path": link}
		}, CodeInvalid, "/path"},
		{"a stamp with more", func(w *world) params { return params{"file": "cliConfig", "stamp": oldStamp + "/x"} }, CodeInvalid, "/path"},
		{"the file itself", func(w *world) params { return params{"file": "cliConfig", "path": w.path(cliFile)} }, CodeInvalid, "/path"},
		{"nothing", func(w *world) params { return params{"file": "cliConfig"} }, CodeInvalid, "/path"},
		{"no file", func(w *world) params { return params{"stamp": oldStamp} }, CodeInvalid, "/file"},
		{"another document", func(w *world) params { return params{"file": "setting", "stamp": oldStamp} }, CodeInvalid, "/file"},
		{"a broken backup", func(w *world) params {
			w.putBackup(cliFile, newStamp, "{")
			return params{"file": "cliConfig", "stamp": newStamp}
		}, CodeBroken, ""},
		{"a backup with a violation", func(w *world) params {
			w.putBackup(providerFile, newStamp, sample(w.t, "provider/unknown-subkey.json"))
			return params{"file": "providerConfig", "stamp": newStamp}
		}, CodeBroken, "/config/providerConfigRules/providerRules/0/config/timeout"},
		{"a backup of a newer version", func(w *world) params {
			w.putBackup(providerFile, newStamp, sample(w.t, "provider/future-version.json"))
			return params{"file": "providerConfig", "stamp": newStamp}
		}, CodeNewer, ""},
		{"over a file of a newer version", func(w *world) params {
			w.put(providerFile, sample(w.t, "provider/future-version.json"))
			w.putBackup(providerFile, newStamp, canonical)
			return params{"file": "providerConfig", "stamp": newStamp}
		}, CodeNewer, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.put(cliFile, `{"kept": 1}`)
			w.put(providerFile, canonical)
			w.putBackup(cliFile, oldStamp, "{ }")
			in := tt.in(w)
			for _, call := range []Call{{}, {DryRun: true}, {Repair: true}} {
				if got := w.refuse("backups/restore", call, in); got.Code != tt.code || got.Pointer != tt.pointer {
					t.Errorf("%+v: got %s at %q (%s), want %s at %q", call, got.Code, got.Pointer, got.Error, tt.code, tt.pointer)
				}
			}
		})
	}
}

// TestRestoreAWrite undoes a write with the backup that its answer names.
func TestRestoreAWrite(t *testing.T) {
	w := worldWithSecrets(t, &changeCase{})
	written := w.write("mcp/remove", Call{}, params{"name": "web"})
	w.write("backups/restore", Call{}, params{"file": "cliConfig", "path": written.Backup})
	same(t, "the file", w.get(cliFile), cliWithSecrets)
	if list := answerOf[*BackupsList](w, "backups/list").Backups["cliConfig"]; len(list) != 2 || strings.Contains(list[0].Path, oldStamp) {
		t.Errorf("got %+v, want two backups", list)
	}
}

// The oldest of five backups outlives its own restore.
func TestRestoreKeepsWhatItRestored(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"mcp":{"servers":{"a":{"type":"stdio","command":"c0"}}}}`)
	for i := range 5 {
		w.write("mcp/upsert", Call{}, params{"name": "a", "command": fmt.Sprintf("c%d", i+1)})
	}
	answer, err := w.run("backups/list", Call{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list := answer.(*BackupsList).Backups["cliConfig"]
	if len(list) != 5 {
		t.Fatalf("got %d backups, want 5", len(list))
	}
	got := w.write("backups/restore", Call{}, params{"file": "cliConfig", "path": list[4].Path})
	if _, err := os.Stat(got.Restored); err != nil {
		t.Errorf("the restored backup: %v", err)
	}
}
