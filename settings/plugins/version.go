package plugins

import (
	"cmp"
	"strings"
)

// compareVersions orders versions by their numbers, so that 10.0.0 is above
// 9.0.0; a pre-release is below its release, and what follows a plus counts for
// nothing.
func compareVersions(a, b string) int {
	aCore, aPre := splitVersion(a)
	bCore, bPre := splitVersion(b)
	if c := comparePieces(aCore, bCore); c != 0 {
		return c
	}
	switch {
	case aPre == bPre:
		return 0
	case aPre == "":
		return 1
	case bPre == "":
		return -1
	}
	return comparePieces(aPre, bPre)
}

func splitVersion(v string) (core, pre string) {
	v, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(v), "v"), "+")
	core, pre, _ = strings.Cut(v, "-")
	return core, pre
}

// comparePieces compares piece by piece between the dots; numbers are below
// words, and a missing piece is below every other one but zero.
func comparePieces(a, b string) int {
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if c := comparePiece(x, y); c != 0 {
			return c
		}
	}
	return 0
}

func comparePiece(x, y string) int {
	xNumber, yNumber := isNumber(x), isNumber(y)
	switch {
	case xNumber && yNumber:
		x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
	case xNumber:
		return -1
	case yNumber:
		return 1
	}
	return strings.Compare(x, y)
}

// isNumber holds for the empty piece too: 1.2 equals 1.2.0.
func isNumber(piece string) bool {
	return !strings.ContainsFunc(piece, func(r rune) bool { return r < '0' || r > '9' })
}

// looksLikeVersion tells a folder named after a version from one that is named
// after a plugin.
func looksLikeVersion(name string) bool {
	name = strings.TrimPrefix(name, "v")
	return name != "" && name[0] >= '0' && name[0] <= '9'
}
