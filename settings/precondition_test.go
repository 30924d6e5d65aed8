package settings

import (
	"errors"
	"strings"
	"testing"
)

func TestPreconditionCompares(t *testing.T) {
	off := params{"name": "local", "enabled": false}
	w := worldWithSecrets(t, &changeCase{})
	seen := w.tag(cliFile)

	// Another section of the same file may change.
	w.put(cliFile, strings.Replace(cliWithSecrets, `"future": 1.0`, `"future": 2.0`, 1))
	if now := w.tag(cliFile); now != seen {
		t.Errorf("a change elsewhere: got etag %s, want %s still", now, seen)
	}
	for _, match := range []string{seen, `"` + seen + `"`, `"other", "` + seen + `"`, "*"} {
		w.write("mcp/enable", Call{IfMatch: match, DryRun: true}, off)
	}
	written := w.write("mcp/enable", Call{IfMatch: seen}, off)

	// The section itself may not.
	for _, call := range []Call{{IfMatch: seen}, {IfMatch: seen, DryRun: true}, {IfMatch: `W/"` + written.ETag + `"`}, {IfMatch: "other"}} {
		before := w.files()
		_, err := w.run("mcp/remove", call, params{"name": "web"})
		conflict, ok := errors.AsType[*ConflictError](err)
		if !ok || !errors.Is(err, ErrConflict) || conflict.ETag != written.ETag || conflict.Section != "mcp" {
			t.Errorf("%+v: got %v, want a conflict with etag %s", call, err, written.ETag)
		}
		if got := Describe(err); got.Code != CodeConflict || got.ETag != written.ETag {
			t.Errorf("got %+v, want %s with etag %s", got, CodeConflict, written.ETag)
		}
		w.unchanged(before)
	}
	w.write("mcp/remove", Call{IfMatch: written.ETag}, params{"name": "web"})
}

// TestPreconditionOfSharedServers: the listing shows them, so its tag covers them.
func TestPreconditionOfSharedServers(t *testing.T) {
	w := newWorld(t)
	seen := w.tag(cliFile)
	w.put(agentsFile, sharedOne)
	if got := w.refuse("mcp/upsert", Call{IfMatch: seen}, params{"name": "x", "command": "y"}); got.Code != CodeConflict {
		t.Errorf("got %+v, want %s", got, CodeConflict)
	}
}

func TestPreconditionOfProviders(t *testing.T) {
	w := worldWithSecrets(t, &changeCase{})
	seen := w.tag(providerFile)
	next := w.write("models/default", Call{IfMatch: seen}, params{"providerId": nil, "modelId": nil})
	for op, in := range writesOfProviders {
		got := w.refuse(op, Call{IfMatch: seen}, in)
		if got.Code != CodeConflict || got.ETag != next.ETag {
			t.Errorf("%s: got %+v, want %s with etag %s", op, got, CodeConflict, next.ETag)
		}
	}
}

func TestPreconditionOfOtherDocument(t *testing.T) {
	w := worldWithSecrets(t, &changeCase{})
	got := w.refuse("mcp/remove", Call{IfMatch: w.tag(providerFile)}, params{"name": "web"})
	if got.Code != CodeConflict || got.ETag != w.tag(cliFile) {
		t.Errorf("got %+v, want %s", got, CodeConflict)
	}
}

func TestPreconditionMalformed(t *testing.T) {
	w := worldWithSecrets(t, &changeCase{})
	for _, match := range []string{`"open`, `a"b`, `""`, " ", ",", "*,", `"a" "b"`, "W/", "a b"} {
		for _, dry := range []bool{false, true} {
			got := w.refuse("mcp/remove", Call{IfMatch: match, DryRun: dry}, params{"name": "web"})
			if got.Code != CodeInvalid || got.Pointer != "/ifMatch" {
				t.Errorf("%q: got %+v, want %s at /ifMatch", match, got, CodeInvalid)
			}
		}
	}
}

func TestMatchTag(t *testing.T) {
	tests := []struct {
		list string
		weak bool
		want bool
	}{
		{"tag", false, true},
		{`"tag"`, false, true},
		{" \"tag\" ", false, true},
		{`"a","tag"`, false, true},
		{"*", false, true},
		{`"*"`, false, false},
		{"Tag", false, false},
		{"tags", false, false},
		{`W/"tag"`, false, false},
		{`W/"tag"`, true, true},
		{`W/tag`, true, true},
	}
	for _, tt := range tests {
		if got, err := MatchTag(tt.list, "tag", tt.weak); got != tt.want || err != nil {
			t.Errorf("MatchTag(%q, weak %v) = %v, %v, want %v", tt.list, tt.weak, got, err, tt.want)
		}
	}
}

// TestDryRunHasNoTagOfTheFile: its etag is that of what would be, so a door must
// not send it as that of the resource.
func TestDryRunHasNoTagOfTheFile(t *testing.T) {
	if got := (&Written{ETag: "a", DryRun: true}).Tag(); got != "" {
		t.Errorf("got %q, want none", got)
	}
	if got := (&Written{ETag: "a"}).Tag(); got != "a" {
		t.Errorf("got %q, want a", got)
	}
}
