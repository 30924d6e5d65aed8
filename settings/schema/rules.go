package schema

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"zcode-acp/settings/jsonedit"
)

// Any accepts every value.
func Any(jsonedit.Node, *Report) {}

// Kind accepts values of one kind.
func Kind(kind jsonedit.Kind) Rule {
	return func(n jsonedit.Node, r *Report) {
		if n.Kind() != kind {
			r.Add(n, "must be "+kind.String())
		}
	}
}

// Basic rules of one kind.
var (
	Text    = Kind(jsonedit.String)
	Boolean = Kind(jsonedit.Bool)
	Object  = Kind(jsonedit.Object)
)

// NonEmpty accepts strings of at least one character.
func NonEmpty(n jsonedit.Node, r *Report) {
	if n.Kind() != jsonedit.String || n.Text() == "" {
		r.Add(n, "must be a string that is not empty")
	}
}

// OneOf accepts the given strings.
func OneOf(values ...string) Rule {
	return func(n jsonedit.Node, r *Report) {
		if n.Kind() != jsonedit.String || !slices.Contains(values, n.Text()) {
			r.Add(n, "must be one of "+strings.Join(values, ", "))
		}
	}
}

// Positive accepts finite numbers above zero.
func Positive(n jsonedit.Node, r *Report) {
	if f, ok := number(n); !ok || f <= 0 {
		r.Add(n, "must be a number above 0")
	}
}

// PositiveInteger accepts whole numbers from 1 to 2^53-1.
func PositiveInteger(n jsonedit.Node, r *Report) {
	if f, ok := number(n); !ok || f <= 0 || f != math.Trunc(f) || f > 1<<53-1 {
		r.Add(n, "must be a whole number above 0")
	}
}

func number(n jsonedit.Node) (float64, bool) {
	if n.Kind() != jsonedit.Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n.Raw()), 64)
	return f, err == nil
}
