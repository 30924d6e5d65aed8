package jsonedit

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestEqual(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"1", "1", true},
		{"1", "1.0", false},
		{"1", "1e0", false},
		{"0", "-0", false},
		{"true", "false", false},
		{"null", "false", false},
		{"null", " null ", true},
		{`"1"`, "1", false},
		{`"A\/"`, `"\u0041/"`, true},
		{`"\ud83d\ude00"`, `"😀"`, true},
		{`"\uD83D\uDE00"`, `"\ud83d\ude00"`, true},
		{`"\ud800"`, `"\ud800"`, true},
		{`"\ud800"`, `"\uD800"`, true},
		{`"\ud800"`, `"\ud801"`, false},
		{`"\ud800"`, `"\ufffd"`, false},
		{`"\ud800"`, `"` + "\ufffd" + `"`, false},
		{`"é"`, `"e` + "\u0301" + `"`, false},
		{"{}", "[]", false},
		{"{}", "{ }", true},
		{"[1,2]", "[1, 2]", true},
		{"[1,2]", "[2,1]", false},
		{"[1]", "[1,1]", false},
		{"[1,1]", "[1]", false},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, true},
		{`{"a":1,"b":2}`, `{"a":1}`, false},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`{"a":1,"b":2}`, `{"a":1,"c":2}`, false},
		{`{"a":1}`, `{"\u0061":1}`, true},
		{`{"\ud800":1}`, `{"\ud801":1}`, false},
		{`{"a":null}`, `{"b":null}`, false},
		{`{"10":1,"9":2}`, `{"9":2,"10":1}`, true},
	}
	for _, tt := range tests {
		a, b := mustParse(t, tt.a).Root(), mustParse(t, tt.b).Root()
		if Equal(a, b) != tt.want || Equal(b, a) != tt.want {
			t.Errorf("Equal(%s, %s) = %v, the other way %v, want %v", tt.a, tt.b, Equal(a, b), Equal(b, a), tt.want)
		}
		if got := len(Diff(a, b)) == 0; got != tt.want {
			t.Errorf("Diff(%s, %s) is empty: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
	one := mustParse(t, "1").Root()
	if !Equal(Node{}, Node{}) || Equal(one, Node{}) || Equal(Node{}, one) {
		t.Error("a value that does not exist equals only another such")
	}
}

func TestDiff(t *testing.T) {
	tests := []struct {
		a, b string
		want []string // pointer, before, after
	}{
		{"1", "2", []string{": 1 > 2"}},
		{`{"a":1}`, `[1]`, []string{`: {"a":1} > [1]`}},
		{`{"a":1,"b":{"c":[1,2],"d":3}}`, `{"b":{"d":3,"c":[1,9]},"e":0}`,
			[]string{"/a: 1 > ", "/b/c/1: 2 > 9", "/e:  > 0"}},
		{"[1,2,3]", "[1]", []string{"/1: 2 > ", "/2: 3 > "}},
		{"[]", "[[],{}]", []string{"/0:  > []", "/1:  > {}"}},
		{`{"a/b":{"~":1}}`, `{"a/b":{"~":"1"}}`, []string{`/a~1b/~0: 1 > "1"`}},
		{`{"\u0061":1}`, `{"a":2}`, []string{"/a: 1 > 2"}},
		{`{"a":1,"b":2,"c":3}`, `{"c":3,"b":9,"a":1}`, []string{"/b: 2 > 9"}},
	}
	for _, tt := range tests {
		var got []string
		for _, c := range Diff(mustParse(t, tt.a).Root(), mustParse(t, tt.b).Root()) {
			got = append(got, fmt.Sprintf("%s: %s > %s", c.Path.Pointer(), c.Before.Raw(), c.After.Raw()))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Diff(%s, %s) (-want +got):\n%s", tt.a, tt.b, diff)
		}
	}
}

func TestDiffPathsAreTheirOwn(t *testing.T) {
	before, after := mustParse(t, `{"a":{"b":{"c":{"d":1,"e":2}}}}`), mustParse(t, `{"a":{"b":{"c":{"d":3,"e":4}}}}`)
	changes := Diff(before.Root(), after.Root())
	first := append(changes[0].Path, "x")
	_ = append(changes[0].Path, "y")
	if first.Pointer() != "/a/b/c/d/x" || changes[1].Path.Pointer() != "/a/b/c/e" {
		t.Errorf("got %q and %q", first.Pointer(), changes[1].Path.Pointer())
	}
}

// many returns an object of n members in rising or falling order, with one more
// text behind the last member.
func many(n int, falling bool, more string) string {
	var b strings.Builder
	for i := range n {
		if falling {
			i = n - 1 - i
		}
		fmt.Fprintf(&b, `"name-%d": [%d], `, i, i)
	}
	return "{" + b.String() + `"end": 0` + more + "}"
}

// TestManyMembers is about objects that are too large to compare all pairs: that
// would take minutes, where a second is usual.
func TestManyMembers(t *testing.T) {
	const n, limit = 100_000, time.Minute
	defer func(start time.Time) {
		if took := time.Since(start); took > limit {
			t.Errorf("took %v, want less than %v", took, limit)
		}
	}(time.Now())
	up, down := mustParse(t, many(n, false, "")), mustParse(t, many(n, true, ""))
	if !Equal(up.Root(), down.Root()) {
		t.Error("another order of the members is another value")
	}
	if changes := Diff(up.Root(), down.Root()); len(changes) != 0 {
		t.Errorf("%d differences, want none", len(changes))
	}
	other := mustParse(t, many(n-1, true, `, "new": 1`))
	var got []string
	for _, c := range Diff(up.Root(), other.Root()) {
		got = append(got, c.Path.Pointer())
	}
	if diff := cmp.Diff([]string{fmt.Sprintf("/name-%d", n-1), "/new"}, got); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	var list strings.Builder
	list.WriteString("[0" + strings.Repeat(", 0", n) + "]")
	if !Equal(mustParse(t, list.String()).Root(), mustParse(t, list.String()+" ").Root()) {
		t.Error("a long array differs from itself")
	}
}

func TestDuplicateAmongMany(t *testing.T) {
	for _, tt := range []struct {
		n    int
		more string
		name string
	}{
		{1, `, "end": 1`, `"end"`},
		{few - 2, `, "name-0": 1`, `"name-0"`},
		{few - 1, `, "name-0": 1`, `"name-0"`},
		{few, `, "name-7": 1`, `"name-7"`},
		{few + 1, `, "name-12": 1`, `"name-12"`},
		{1000, `, "name-999": 1`, `"name-999"`},
		{1000, `, "name-0": 1, "name-1": 1`, `"name-0"`},
		{1000, `, "\u006eame-0": 1`, `"name-0"`},
		{1000, `, "é": 1, "\u00e9": 1`, `"é"`},
		{1000, ", \"\xff\": 1, \"\xfe\": 1", `"` + "\ufffd" + `"`},
	} {
		_, err := Parse([]byte(many(tt.n, false, tt.more)))
		if !errors.Is(err, ErrDuplicate) || !strings.Contains(err.Error(), tt.name) {
			t.Errorf("%d members and %s: %v, want a duplicate name %s", tt.n, tt.more, err, tt.name)
		}
		if fine := many(tt.n, false, `, "NAME-0": 1, "name-": 2, "name-00": 3`); !Valid([]byte(fine)) {
			t.Errorf("%d members with different names are refused", tt.n)
		}
	}
}
