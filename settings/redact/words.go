package redact

import "strings"

// flagWord finds what may be a flag among the words of a text.
var flagWord = lazy("(?:^|[\\s\"'`(;|&=,\\[])(-{1,2}[A-Za-z][\\w.-]*)")

// maskWords masks what stands behind or beside the flags inside a text, as Args
// does among arguments: a script, or a whole command in one argument.
func maskWords(s string, depth int) string {
	if !strings.Contains(s, "-") {
		return s
	}
	var out strings.Builder
	done := 0
	var quotes quoting
	for _, at := range flagWord().FindAllStringSubmatchIndex(s, -1) {
		start, end := at[2], at[3]
		if start < done {
			continue
		}
		quotes.read(s[:start])
		open := quotes.open
		if end += closing(s[end:], open); end > at[3] {
			open = 0
		}
		takes, value := takenBy(s, start, end, at[3]-start, open)
		if takes == nothing {
			continue
		}
		stop := value + wordLength(s[value:], open, takes == header)
		out.WriteString(s[done:value])
		out.WriteString(maskQuoted(s[value:stop], takes, depth))
		done = stop
	}
	return out.String() + s[done:]
}

// closing returns how long the quote is that closes a flag of its own: "--token"
// or \"--token\"; a comma may follow, as in a list.
func closing(s string, open byte) int {
	rest := strings.TrimLeft(s, `\`)
	if rest == "" || rest[0] != '"' && rest[0] != '\'' || rest[0] != open && len(rest) == len(s) {
		return 0
	}
	return len(s) - len(strings.TrimLeft(rest[1:], ","))
}

// takenBy tells what a flag takes whose name has a length and begins at start,
// and where the value begins; end is behind the quote that closes the flag.
func takenBy(s string, start, end, length int, open byte) (takes argument, value int) {
	if takes := gluedTo(firstWord(s[start:], open)); takes != nothing {
		return takes, start + 2
	}
	takes = valueOf(s[start : start+length])
	if takes == nothing || end == len(s) {
		return nothing, 0
	}
	switch c := s[end]; {
	case c == '=':
		return takes, end + 1
	case c == '"' || c == '\'':
		return takes, end // -H'Name: value'
	}
	value = end + len(s[end:]) - len(strings.TrimLeft(s[end:], spaces))
	if value == len(s) || value == start+length || isFlag(firstWord(s[value:], open)) {
		return nothing, 0
	}
	return takes, value
}

// longestName bounds the look for a name in front of a value, in bytes, so that a
// text of many flags does not take the square of its length.
const longestName = 256

func firstWord(s string, open byte) string {
	s = s[:min(len(s), longestName)]
	return s[:wordLength(s, open, false)]
}

const spaces = " \t\r\n\v\f"

// quoting follows the quotes of a text.
type quoting struct {
	open byte // the quote that is open, 0 for none
	done int
}

// read goes on to the end of s, which only grows from call to call.
func (q *quoting) read(s string) {
	for ; q.done < len(s); q.done++ {
		switch c := s[q.done]; {
		case c == '\\':
			q.done++
		case c == q.open:
			q.open = 0
		case q.open == 0 && (c == '"' || c == '\''):
			q.open = c
		}
	}
}

// wordLength returns how long the first word of s is, in bytes. Spaces in quotes
// belong to it, and those behind the colon of a header; open is the quote that
// the word stands in.
func wordLength(s string, open byte, header bool) int {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case open != 0 && c == open && ends(s[i+1:]):
			return i
		case c == '"' || c == '\'' && c != open:
			i += quoted(s[i:])
		case c == '\\' && i+1 < len(s) && s[i+1] == '"':
			i += escapedQuoted(s[i:])
		case strings.IndexByte(spaces, c) >= 0:
			if !header || !strings.HasSuffix(s[:i], ":") && !authScheme().MatchString(s[:i]) {
				return i
			}
		}
	}
	return len(s)
}

// authScheme is a header up to the scheme of its value.
var authScheme = lazy(`(?i)[:=]\s*(?:bearer|basic|token|digest)\s*$`)

// ends reports whether a word ends before s.
func ends(s string) bool {
	return s == "" || strings.IndexByte(spaces+"\"'`;|&),]}", s[0]) >= 0
}

// quoted returns the offset of the quote that closes the one at the start, of
// the last byte without any.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] == '"':
			i++
		case s[i] == s[0]:
			return i
		}
	}
	return len(s) - 1
}

// escapedQuoted does the same for \" in front of s.
func escapedQuoted(s string) int {
	if i := strings.Index(s[2:], `\"`); i >= 0 {
		return i + 3
	}
	return len(s) - 1
}

// maskQuoted masks a word and keeps the quotes around it, and brackets and
// commas behind them.
func maskQuoted(word string, takes argument, depth int) string {
	for _, quote := range []string{`"`, `'`, `\"`} {
		inner, ok := strings.CutPrefix(word, quote)
		end := strings.Index(inner, quote)
		if !ok || end < 0 || strings.Trim(inner[end+len(quote):], ";)]},`") != "" {
			continue
		}
		return quote + takes.mask(inner[:end], depth-1) + inner[end:]
	}
	return takes.mask(word, depth-1)
}
