package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (w *world) fixed(call Call, in params) *DoctorFixed {
	w.t.Helper()
	answer, err := w.run("doctor/fix", call, in)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer.(*DoctorFixed)
}

// A mode of 0644 stays when a file is written, and doctor tightens it.
func TestCaseWideMode(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, cliWithSecrets)
	w.put(providerFile, providersWithSecrets)
	w.chmod(cliFile, 0o644)
	w.write("mcp/enable", Call{}, params{"name": "local", "enabled": false})
	mode := func() os.FileMode {
		info, err := os.Stat(w.path(cliFile))
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if mode() != 0o644 {
		t.Errorf("got mode %o after a write, want the one that it had", mode())
	}
	if got := w.finding("mode_too_wide"); got.File != w.path(cliFile) {
		t.Errorf("got %+v", got)
	}
	text := w.get(cliFile)
	if got := w.fixed(Call{DryRun: true}, nil); len(got.Fixed) != 1 || mode() != 0o644 {
		t.Errorf("got %+v and mode %o, want one and no change", got, mode())
	}
	if got := w.fixed(Call{}, params{"kind": "mode_too_wide", "file": w.path(cliFile)}); len(got.Fixed) != 1 || mode() != 0o600 {
		t.Errorf("got %+v and mode %o, want 0600", got, mode())
	}
	same(t, "the file", w.get(cliFile), text)
	if got := w.fixed(Call{}, nil); len(got.Fixed) != 0 || got.Changed {
		t.Errorf("again: got %+v, want nothing", got)
	}
}

func TestDoctorFixes(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, "\ufeff{\n  \"ui\": {\"theme\": \"dark\"}\n}\n")
	w.put(providerFile, sampleProviders)
	w.put(providerFile+".lock/owner-1.json", `{"pid":2147483646,"createdAt":1,"token":"1"}`)
	w.put("cli/.config.json.1.2.ab.tmp", "{")
	w.put("cli/config.json.copy.tmp", "precious")
	w.put("v2/setting.json", "\ufeff{}") // which the app alone writes
	w.put("v2/setting.json.corrupt-2026-01-01T00-00-00-000Z", "{")
	var kinds []string
	for _, f := range w.fixed(Call{}, nil).Fixed {
		kinds = append(kinds, f.Kind)
	}
	same(t, "mended", strings.Join(kinds, " "), "bom lock_stale")
	same(t, "the file", w.get(cliFile), "{\n  \"ui\": {\"theme\": \"dark\"}\n}\n")
	if _, err := os.Lstat(w.path(providerFile + ".lock")); !os.IsNotExist(err) {
		t.Errorf("the lock: got %v, want it gone", err)
	}
	for _, theirs := range []string{"v2/setting.json.corrupt-2026-01-01T00-00-00-000Z", "cli/.config.json.1.2.ab.tmp", "cli/config.json.copy.tmp"} {
		if _, err := os.Stat(w.path(theirs)); err != nil {
			t.Errorf("%s is a person's to delete: %v", theirs, err)
		}
	}
	for _, f := range w.findings("") {
		if f.Fixable() {
			t.Errorf("got %+v after it was mended", f)
		}
	}
}

// A link is told about and followed by nobody; what can be mended besides is.
func TestDoctorFixFollowsNoLink(t *testing.T) {
	w := newWorld(t)
	w.put("elsewhere/c.json", cliWithSecrets)
	w.chmod("elsewhere/c.json", 0o644)
	w.put(providerFile, providersWithSecrets)
	w.chmod(providerFile, 0o644)
	if err := os.MkdirAll(w.path("cli"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(w.path("elsewhere/c.json"), w.path(cliFile)); err != nil {
		t.Fatal(err)
	}
	got := w.fixed(Call{}, nil)
	if len(got.Fixed) != 1 || got.Fixed[0].File != w.path(providerFile) {
		t.Errorf("got %+v, want the file that is none of a link", got.Fixed)
	}
	hasOnly(t, "warnings", got.Warnings, "is a link")
	if info, err := os.Stat(w.path("elsewhere/c.json")); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("got %v %v, want its mode as it was", info, err)
	}
}

func TestDoctorFixRefused(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, "{")
	for _, in := range []params{{"kind": "not_json"}, {"kind": "x"}} {
		if got := w.refuse("doctor/fix", Call{}, in); got.Code != CodeInvalid {
			t.Errorf("%v: got %+v, want %s", in, got, CodeInvalid)
		}
	}
	if got := w.refuse("doctor/fix", Call{IfMatch: "*"}, nil); got.Code != CodeInvalid {
		t.Errorf("got %+v, want %s", got, CodeInvalid)
	}
	if got := w.fixed(Call{}, params{"file": filepath.Join(w.dir, "..", "x")}); len(got.Fixed) != 0 {
		t.Errorf("got %+v, want nothing for a file that was not found", got)
	}
}
