package plugins

import (
	"cmp"
	"testing"

	"pgregory.net/rapid"
)

func TestCompareVersions(t *testing.T) {
	rising := []string{
		"", "0.0.1", "0.9", "0.10", "1.0.0-alpha", "1.0.0-alpha.2", "1.0.0-alpha.10", "1.0.0-alpha.beta", "1.0.0-rc", "1.0.0",
		"v1.2", "1.2.1", "9.0.0", "10.0.0", "99999999999999999999999.0", "unknown",
	}
	for i, a := range rising {
		for j, b := range rising {
			if got, want := compareVersions(a, b), cmp.Compare(i, j); got != want {
				t.Errorf("compareVersions(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
	for _, pair := range [][2]string{{"1.2", "1.2.0"}, {"v1", "1"}, {"01.2", "1.02"}, {"1.0+build", "1.0"}, {" 1 ", "1"}} {
		if got := compareVersions(pair[0], pair[1]); got != 0 {
			t.Errorf("compareVersions(%q, %q) = %d, want 0", pair[0], pair[1], got)
		}
	}
}

// TestVersionsHaveAnOrder wants what sorting relies on.
func TestVersionsHaveAnOrder(t *testing.T) {
	version := rapid.StringMatching(`v?[0-9a-z]{0,3}(\.[0-9a]{0,3}){0,3}(-[0-9a.]{0,4})?(\+x)?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := version.Draw(t, "a"), version.Draw(t, "b"), version.Draw(t, "c")
		ab, ba, bc, ac := compareVersions(a, b), compareVersions(b, a), compareVersions(b, c), compareVersions(a, c)
		if ab != -ba || compareVersions(a, a) != 0 {
			t.Errorf("%q and %q: %d and %d", a, b, ab, ba)
		}
		if ab <= 0 && bc <= 0 && ac > 0 {
			t.Errorf("%q <= %q <= %q, but the first is above the last", a, b, c)
		}
	})
}
