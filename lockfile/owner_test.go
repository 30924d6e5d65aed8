package lockfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestOnDisk pins what other programs read.
func TestOnDisk(t *testing.T) {
	path, lock := newTarget(t)
	before := time.Now()
	lease, err := Locker{}.Acquire(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Release()
	entries, err := os.ReadDir(lock)
	if err != nil || len(entries) != 1 {
		t.Fatalf("in the lock: %v, %v; want one entry", entries, err)
	}
	name := regexp.MustCompile(`^owner-((\d+)-(\d+)-([0-9a-z]+))\.json$`).FindStringSubmatch(entries[0].Name())
	if name == nil {
		t.Fatalf("owner file is called %s", entries[0].Name())
	}
	if want := fmt.Sprint(os.Getpid()); name[2] != want {
		t.Errorf("pid %s, want %s", name[2], want)
	}
	var ms int64
	fmt.Sscan(name[3], &ms)
	if ms < before.UnixMilli() || ms > time.Now().UnixMilli() {
		t.Errorf("time %d, want the present in milliseconds", ms)
	}
	got, err := os.ReadFile(filepath.Join(lock, entries[0].Name()))
	want := fmt.Sprintf(`{"pid":%s,"createdAt":%s,"token":"%s"}`+"\n", name[2], name[3], name[1])
	if err != nil || string(got) != want {
		t.Errorf("owner file %q, %v; want %q", got, err, want)
	}
}

func TestParseOwner(t *testing.T) {
	at := time.UnixMilli(1796032800000)
	tests := []struct {
		content string
		want    owner
	}{
		{`{"pid":4711,"createdAt":1796032800000,"token":"4711-1796032800000-x"}` + "\n", owner{4711, at}},
		{`{"token":"t","createdAt":1796032800000,"more":{},"pid":4711}`, owner{4711, at}},
		{`{"pid":4711.0,"createdAt":1.7960328e12}`, owner{4711, at}},
		{`{"pid":1,"pid":2}`, owner{pid: 2}},
		{`{"PID":1,"Pid":2,"createdat":5}`, owner{}},
		{`{"pid":9007199254740991}`, owner{pid: 9007199254740991}},
		{`{"pid":9007199254740992}`, owner{}},
		{`{"pid":1e400,"createdAt":1e400}`, owner{}},
		{`{"pid":0}`, owner{}},
		{`{"pid":-1,"createdAt":-1}`, owner{}},
		{`{"pid":1.5,"createdAt":0}`, owner{created: time.UnixMilli(0)}},
		{`{"pid":"12","createdAt":"12"}`, owner{}},
		{`{"pid":null,"createdAt":null}`, owner{}},
		{`{"pid":[1],"createdAt":true}`, owner{}},
		{"\ufeff" + `{"pid":1}`, owner{}},
		{`{"pid":1} x`, owner{}},
		{`{"pid":1`, owner{}},
		{`[1]`, owner{}},
		{`null`, owner{}},
		{``, owner{}},
	}
	for _, test := range tests {
		if got := parseOwner([]byte(test.content)); got != test.want {
			t.Errorf("parseOwner(%s) = %v, want %v", test.content, got, test.want)
		}
	}
}

func TestOwnerRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pid := rapid.IntRange(1, math.MaxInt32).Draw(t, "pid")
		at := time.UnixMilli(rapid.Int64Range(0, 4102444800000).Draw(t, "ms"))
		token := newToken(pid, at)
		line := ownerLine(pid, at, token)
		if got, want := parseOwner(line), (owner{int64(pid), at}); got != want {
			t.Errorf("parseOwner(%s) = %v, want %v", line, got, want)
		}
		if bytes.IndexByte(line, '\n') != len(line)-1 || !isOwnerName(ownerName(token)) {
			t.Errorf("line %q, name %q", line, ownerName(token))
		}
	})
}

func TestIsOwnerName(t *testing.T) {
	for name, want := range map[string]bool{
		"owner-1-2-x.json": true, "owner-.json": true, "owner-any thing.json": true,
		"owner.json": false, "Owner-1.json": false, "owner-1.json.tmp": false, "xowner-1.json": false,
	} {
		if got := isOwnerName(name); got != want {
			t.Errorf("isOwnerName(%q) = %v, want %v", name, got, want)
		}
	}
}

// FuzzOwner compares parseOwner with the rules told in exact arithmetic.
func FuzzOwner(f *testing.F) {
	f.Add(`{"pid":4711,"createdAt":1796032800000,"token":"t"}`)
	f.Add(`{"pid":1.5e3,"createdAt":1e400}`)
	f.Add(`{"pid":-0,"createdAt":-0.0}`)
	f.Add(`{"pid":9007199254740992.5,"pid":"1"}`)
	f.Add("\ufeff{}")
	f.Fuzz(func(t *testing.T, content string) {
		got := parseOwner([]byte(content))
		if got.pid < 0 || got.pid > maxSafeInteger || !got.created.IsZero() && got.created.UnixMilli() < 0 {
			t.Fatalf("parseOwner(%q) = %v is out of range", content, got)
		}
		pid, ok := exactMember(content, "pid")
		if !ok {
			if got.pid != 0 {
				t.Errorf("pid %d of %q, want none", got.pid, content)
			}
			return
		}
		nearest, _ := pid.Float64()
		exact := new(big.Float).SetFloat64(nearest)
		want := int64(0)
		if exact.IsInt() && exact.Sign() > 0 && exact.Cmp(big.NewFloat(maxSafeInteger)) <= 0 {
			want, _ = exact.Int64()
		}
		if got.pid != want {
			t.Errorf("pid %d of %q, want %d", got.pid, content, want)
		}
	})
}

// exactMember returns a member of a JSON object that is a number of sane size.
func exactMember(content, name string) (*big.Float, bool) {
	d := json.NewDecoder(strings.NewReader(content))
	d.UseNumber()
	var object map[string]any
	if d.Decode(&object) != nil || d.More() || !json.Valid([]byte(content)) {
		return nil, false
	}
	n, ok := object[name].(json.Number)
	if !ok {
		return nil, false
	}
	v, _, err := big.ParseFloat(n.String(), 10, 2048, big.ToNearestEven)
	if err != nil || v.IsInf() {
		return nil, false
	}
	if nearest, _ := v.Float64(); math.IsInf(nearest, 0) {
		return nil, false
	}
	return v, true
}
