package atomicwrite

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestStampsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// From 1970 to 9999, in milliseconds.
		want := time.UnixMilli(rapid.Int64Range(0, 253402300799999).Draw(t, "time")).UTC()
		stamp := formatStamp(want)
		got, ok := parseStamp(stamp)
		if !ok || !got.Equal(want) {
			t.Fatalf("parseStamp(%q) = %v, %v; want %v", stamp, got, ok, want)
		}
		if next := formatStamp(want.Add(time.Millisecond)); len(next) == len(stamp) && next <= stamp {
			t.Fatalf("%q does not sort before %q", stamp, next)
		}
	})
}

func FuzzParseStamp(f *testing.F) {
	for _, s := range []string{"2026-09-22T14-10-00-000Z", "2026-09-22T14-10-00.000Z", "2024-02-29T23-59-59-999Z", "", "../../etc/passwd", "2026-09-22T14-10-00-000Z/../../x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if at, ok := parseStamp(s); ok && (formatStamp(at) != s || strings.ContainsAny(s, `/\.:`)) {
			t.Errorf("parseStamp(%q) accepted a stamp that stands for %q", s, formatStamp(at))
		}
	})
}

func TestTempNames(t *testing.T) {
	u := &update{target: filepath.Join(t.TempDir(), "config.json")}
	defer u.release()
	name := filepath.Base(u.fresh())
	if pid, ok := tempOwner("config.json", name); !ok || !alive(pid) {
		t.Errorf("tempOwner(%q) = %d, %v", name, pid, ok)
	}
	if matched, _ := filepath.Match("config.json.*.tmp", name); matched {
		t.Errorf("%q matches what ZCode deletes", name)
	}
	for _, name := range []string{
		"config.json.zcode-acp-1-0123456789abcdef.tmp",
		".other.json.zcode-acp-1-0123456789abcdef.tmp",
		".config.json.zcode-acp-0-0123456789abcdef.tmp",
		".config.json.zcode-acp--1-0123456789abcdef.tmp",
		".config.json.zcode-acp-01-0123456789abcdef.tmp",
		".config.json.zcode-acp-+1-0123456789abcdef.tmp",
		".config.json.zcode-acp-1-0123456789ABCDEF.tmp",
		".config.json.zcode-acp-1-0123456789abcde.tmp",
		".config.json.zcode-acp-1-0123456789abcdef00.tmp",
		".config.json.zcode-acp-1-0123456789abcdef.tmp2",
		".config.json.zcode-acp-1-.tmp",
		".config.json.4711.1760000000000.abcdef.tmp",
	} {
		if _, ok := tempOwner("config.json", name); ok {
			t.Errorf("tempOwner takes %q for ours", name)
		}
	}
}

func FuzzTempOwner(f *testing.F) {
	f.Add("config.json", ".config.json.zcode-acp-1-0123456789abcdef.tmp")
	f.Add("a", ".a.zcode-acp-99999999999999999999-0123456789abcdef.tmp")
	f.Fuzz(func(t *testing.T, base, name string) {
		pid, ok := tempOwner(base, name)
		if ok && (pid <= 0 || !strings.HasPrefix(name, "."+base+tempMark) || strings.HasPrefix(name, base+".") && base != "") {
			t.Errorf("tempOwner(%q, %q) = %d", base, name, pid)
		}
	})
}
