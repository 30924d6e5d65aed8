package redact

import (
	"regexp"
	"strings"
	"sync"
)

// lazy compiles an expression at its first use: most commands never need one,
// and their start should not pay for it.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// tokenForms are secrets that are known by how they begin.
var tokenForms = lazy(`^(?:` + strings.Join([]string{
	`(?:sk|pk|rk)[-_][\w-]{6,}`,                                         // OpenAI, Anthropic, Stripe; sk-SK is a language
	`gh[pousr]_[A-Za-z0-9]{8,}`, `github_pat_\w{8,}`, `glpat-[\w-]{8,}`, // GitHub, GitLab
	`xox[abeprs]-[\w-]{8,}`, `xapp-[\w-]{8,}`, // Slack
	`(?:AKIA|ASIA)[A-Z0-9]{12,}`, `AIza[\w-]{16,}`, `ya29\.[\w-]{8,}`, // AWS, Google
	`eyJ[\w-]{8,}\.[\w.-]+`, // JSON web tokens
	`(?:hf|gsk|npm|ntn|secret|figd|sbp|r8|whsec|dckr_pat|lin_api)_[\w-]{16,}`, // Hugging Face, Groq, …
	`shp(?:at|ca|pa|ss)_[\w-]{8,}`, `dop_v1_\w{8,}`, `pypi-[\w-]{16,}`,        // Shopify, DigitalOcean, PyPI
	`(?:tvly|fc|pplx|xai)-[\w-]{12,}`, `SG\.[\w-]{12,}\.[\w-]+`, `ATATT[\w=-]{8,}`, // Tavily, …, SendGrid, Atlassian
	`AGE-SECRET-KEY-\w+`, `(?:bot)?\d{6,}:[\w-]{30,}`, // age, Telegram
}, "|") + `)$`)

// opaque matches what may be a random value.
var opaque = lazy(`^[\w+=-]{20,}$`)

// looksSecret reports whether a word is a secret by its own look.
func looksSecret(word string) bool {
	const shortest = len("sk-") + 6
	if len(word) < shortest {
		return false
	}
	return tokenForms().MatchString(word) || opaque().MatchString(word) && random(word)
}

// random reports whether capitals, small letters and digits all occur and change
// often, as in no name that a person gave.
func random(word string) bool {
	var seen [3]bool
	changes, before := 0, -1
	for i := range len(word) {
		class := -1
		switch c := word[i]; {
		case c >= 'A' && c <= 'Z':
			class = 0
		case c >= 'a' && c <= 'z':
			class = 1
		case c >= '0' && c <= '9':
			class = 2
		default:
			continue
		}
		seen[class] = true
		if class != before {
			changes++
		}
		before = class
	}
	return seen[0] && seen[1] && seen[2] && changes*3 >= len(word)
}

// placeholders match a value that only names variables, with an
// authentication scheme or without: ${TOKEN}, Bearer ${env:TOKEN}.
var placeholders = lazy(`^(?:(?i:bearer|basic|token)\s+)?(?:\$\{(?:(?:env|input|config|secrets?):)?[A-Za-z_][\w.-]*\}:?)+$`)

// hide masks a value that is in the place of a secret.
func hide(value string) string {
	if value == "" || strings.HasSuffix(strings.TrimSuffix(value, ":"), "}") && placeholders().MatchString(value) {
		return value
	}
	return Mask
}
