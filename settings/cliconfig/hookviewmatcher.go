package cliconfig

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// checkPattern looks at a matcher, which is a regular expression of JavaScript.
// The fault is what JavaScript refuses for sure, whatever its flags; the doubt is
// what only some versions accept. Package regexp cannot tell: it refuses
// lookarounds, which are legal there, and accepts (?i), which is not.
func checkPattern(pattern string) (fault, doubt string) {
	p := pattern
	s := patternScan{}
	for p != "" && s.fault == "" {
		p = p[s.step(p):]
	}
	if s.fault == "" && len(s.groups) > 0 {
		s.fault = "a parenthesis is not closed"
	}
	return s.fault, s.doubt
}

// badPattern is the sentence about a matcher with a fault.
func badPattern(fault string) string {
	return "is no regular expression of JavaScript (" + fault + `), so ZCode cannot match with it: correct it, or leave it out to match everything`
}

// patternScan reads a regular expression token by token.
type patternScan struct {
	groups []bool // open groups; whether a quantifier may follow each
	atom   bool   // a quantifier may follow
	fault  string
	doubt  string
}

// step reads the next token and returns its length.
func (s *patternScan) step(p string) int {
	switch p[0] {
	case '\\':
		return s.escape(p)
	case '[':
		return s.class(p)
	case '(':
		return s.open(p)
	case ')':
		if len(s.groups) == 0 {
			s.fault = "a parenthesis is closed that was not opened"
			return 1
		}
		s.atom = s.groups[len(s.groups)-1]
		s.groups = s.groups[:len(s.groups)-1]
	case '*', '+', '?':
		return s.quantifier(p, 1)
	case '{':
		if m := braces().FindStringSubmatch(p); m != nil {
			low, lowErr := strconv.Atoi(m[1])
			high, highErr := strconv.Atoi(m[2])
			if lowErr == nil && highErr == nil && low > high {
				s.fault = "the numbers of a repetition are out of order"
			}
			return s.quantifier(p, len(m[0]))
		}
		s.atom = true
	case '^', '$', '|':
		s.atom = false
	default:
		s.atom = true
	}
	return 1
}

// braces is a repetition by numbers.
var braces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\{(\d+)(?:,(\d*))?\}`) })

// quantifier reads one of a length and the question mark that makes it lazy.
func (s *patternScan) quantifier(p string, length int) int {
	if !s.atom && s.fault == "" {
		s.fault = "nothing to repeat"
	}
	s.atom = false
	if strings.HasPrefix(p[length:], "?") {
		length++
	}
	return length
}

func (s *patternScan) escape(p string) int {
	if len(p) == 1 {
		s.fault = "it ends in a backslash"
		return 1
	}
	s.atom = p[1] != 'b' && p[1] != 'B'
	// In some modes braces behind these belong to them.
	if end := strings.IndexByte(p, '}'); strings.IndexByte("upP", p[1]) >= 0 && strings.HasPrefix(p[2:], "{") && end > 0 {
		return end + 1
	}
	return 2
}

// class reads a bracket expression; an empty one is legal. Ranges are looked at
// only where every byte is a character.
func (s *patternScan) class(p string) int {
	s.atom = true
	plain := true
	for i := 1; i < len(p); i++ {
		switch {
		case p[i] == '\\':
			plain = false
			i++
		case p[i] == ']':
			return i + 1
		case p[i] >= utf8.RuneSelf:
			plain = false
		case plain && i+2 < len(p) && p[i+1] == '-' && p[i+2] != ']' && p[i+2] != '\\':
			if letterOrDigit(p[i]) && letterOrDigit(p[i+2]) && p[i] > p[i+2] {
				s.fault = "a range of characters is out of order"
			}
			i += 2
		}
	}
	s.fault = "a bracket is not closed"
	return len(p)
}

func letterOrDigit(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// Beginnings of groups behind which no name or flag is read.
var (
	groupName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\(\?<[A-Za-z_$][\w$]*>`) })
	groupFlags = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\(\?[ims]*(?:-[ims]*)?:`) })
)

// open reads the beginning of a group.
func (s *patternScan) open(p string) int {
	length, quantifiable := 1, true
	switch {
	case !strings.HasPrefix(p, "(?"):
	case strings.HasPrefix(p, "(?:"), strings.HasPrefix(p, "(?="), strings.HasPrefix(p, "(?!"):
		length = len("(?:")
	case strings.HasPrefix(p, "(?<="), strings.HasPrefix(p, "(?<!"):
		length, quantifiable = len("(?<="), false
	case groupName().MatchString(p):
		length = len(groupName().FindString(p))
	case strings.HasPrefix(p, "(?<"):
		length, s.doubt = len("(?<"), "has a group whose name JavaScript may refuse: leave the name out"
	case groupFlags().MatchString(p):
		length = len(groupFlags().FindString(p))
		s.doubt = "sets flags inside a group, which older versions of JavaScript refuse: write both cases, as in [Bb]ash"
	default:
		s.fault = "what follows (? is unknown there; flags like (?i) do not exist"
	}
	s.groups = append(s.groups, quantifiable)
	s.atom = false
	return length
}
