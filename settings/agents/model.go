package agents

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

const customPrefix = "custom:"

// inheritWords are the values of `model` with which an agent takes the model of
// its session; the empty string is one too.
var inheritWords = []string{"inherit", "main", "sonnet", "opus", "haiku"}

// ParseModel reads the values of `model` and `thoughtLevel` the way ZCode does:
// "provider/model", "provider/model$level" or, with both parts percent-encoded,
// "custom:provider:model". ok is false where the agent takes the model of its
// session, or the text names none. A thoughtLevel counts before a level in model.
func ParseModel(model, thoughtLevel string) (s Selection, ok bool) {
	if parts, custom := strings.CutPrefix(trim(model), customPrefix); custom {
		provider, name, _ := strings.Cut(parts, ":")
		name, s.ReasoningLevel = cutLevel(name)
		s.ProviderID, s.ModelID = decoded(provider), decoded(name)
	} else {
		provider, name, _ := strings.Cut(trim(model), "/")
		name, s.ReasoningLevel = cutLevel(name)
		s.ProviderID, s.ModelID = trim(provider), trim(name)
	}
	if s.ProviderID == "" || s.ModelID == "" {
		return Selection{}, false
	}
	if level := trim(thoughtLevel); level != "" {
		s.ReasoningLevel = level
	}
	return s, true
}

// cutLevel cuts "$level" off the name of a model.
func cutLevel(model string) (name, level string) {
	i := strings.LastIndexByte(model, '$')
	if i < 0 || trim(model[i+1:]) == "" {
		return model, ""
	}
	return model[:i], trim(model[i+1:])
}

// decoded returns a percent-encoded part, "" when it is none.
func decoded(part string) string {
	text, err := url.PathUnescape(part)
	if err != nil {
		return ""
	}
	return trim(text)
}

// inherits reports whether a value of `model` means the model of the session.
func inherits(model string) bool {
	return trim(model) == "" || slices.Contains(inheritWords, trim(model))
}

// modelText writes provider and model the way ZCode does; the level has a key of
// its own.
func (s Selection) modelText() string {
	if strings.Contains(s.ProviderID, "/") || strings.HasPrefix(s.ProviderID, customPrefix) || strings.Contains(s.ModelID, "$") {
		return customPrefix + encodePart(s.ProviderID) + ":" + encodePart(s.ModelID)
	}
	return s.ProviderID + "/" + s.ModelID
}

// encodePart returns what encodeURIComponent returns.
func encodePart(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c < 0x80 && (unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)) || strings.IndexByte("-_.!~*'()", c) >= 0) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func hasControl(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }
