package redact

import (
	"slices"
	"strings"
	"unicode"
)

// secretWords make a name the name of a secret, alone or among other words.
var secretWords = set("apikey accesskey secretkey privatekey authkey token secret password passwd passphrase passcode " +
	"pwd pw auth authorization bearer credential cred cookie signature jwt dsn otp connectionstring psk mnemonic " +
	"pincode seedphrase recoveryphrase")

// lastWords do so only at the end of a name, or before words of endings: a
// keyPress or a sessionManager is no secret.
var lastWords = set("key pass session sig pat pin seed")

// endings may follow a word of lastWords.
var endings = set("id value base64 b64 hex pem data")

// glued are the ends of words that people write together: GITHUBTOKEN, PGPASSWORD.
var glued = []string{"apikey", "authkey", "token", "secret", "password", "passwd", "passphrase"}

// gluedLast are such ends that many other words have too: only the last word of
// a name counts.
var gluedLast = []string{"pass", "key", "auth"}

// ordinary are words that only end like secrets.
var ordinary = set("compass encompass bypass trespass surpass overpass underpass multipass " +
	"monkey donkey turkey hockey jockey whiskey lackey malarkey mickey hotkey shortkey " +
	"publickey pubkey primarykey foreignkey sortkey partitionkey cachekey mapkey groupkey indexkey lookupkey " +
	"oauth noauth unauth reauth preauth skipauth disableauth requireauth enableauth")

// about are last words that turn a secret's name into that of something around
// it: a token file, an auth method.
var about = set("file path dir directory folder url uri endpoint host port server type mode method scheme flow provider " +
	"format version issuer audience scope domain realm alg algorithm enabled required optional supported " +
	"prefix location env var variable helper command label field description length size")

// amounts are words of names that count tokens or time, at the end of any name.
var amounts = set("max min num count limit budget usage rate total per window ttl timeout expiry expire lifetime age interval")

// tokenKinds make the plural tokens a number of tokens.
var tokenKinds = set("input output prompt completion context reasoning thinking cached new")

// bounds make a single token a number of tokens.
var bounds = set("max min num")

// switches are first words of names of flags that take no secret; in front of
// auth there are more.
var (
	switches     = set("no without disable skip")
	authSwitches = set("enable require")
)

// keyKinds are words that make a key a harmless one.
var keyKinds = set("public primary foreign sort partition hot shortcut cache map group index lookup")

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// KeyLike reports whether a name looks like that of a secret: apiKey, X-Token,
// --auth-token, GITHUB_TOKEN, dbpass, sig; but not keyboard, --max-tokens,
// token-file.
func KeyLike(name string) bool {
	words := split(name)
	if len(words) == 0 || isSwitch(words) {
		return false
	}
	last := words[len(words)-1]
	if about[singular(last)] || amounts[singular(last)] || countsTokens(words) {
		return false
	}
	for i, w := range words {
		if secretWord(singular(w)) || i > 0 && secretWords[words[i-1]+singular(w)] {
			return true
		}
	}
	return endsInSecret(words)
}

func isSwitch(words []string) bool {
	last := words[len(words)-1]
	return switches[words[0]] || authSwitches[words[0]] && (last == "auth" || last == "authorization")
}

// countsTokens reports whether a name is that of a number of tokens: nothing else
// in it is secret, and a word tells what is counted.
func countsTokens(words []string) bool {
	counts := false
	for _, w := range words {
		if secretWord(singular(w)) && singular(w) != "token" {
			return false
		}
		counts = counts || amounts[w] || tokenKinds[w] && words[len(words)-1] == "tokens"
	}
	last := words[len(words)-1]
	return counts && !endsInSecret(words) && (last != "token" || bounds[words[0]])
}

func secretWord(w string) bool {
	return secretWords[w] || slices.ContainsFunc(glued, func(end string) bool { return strings.HasSuffix(w, end) })
}

func endsInSecret(words []string) bool {
	i := len(words) - 1
	for i > 0 && endings[words[i]] {
		i--
	}
	last := words[i]
	if !lastWords[last] {
		last = singular(last)
	}
	if !ordinary[last] && slices.ContainsFunc(gluedLast, func(end string) bool { return strings.HasSuffix(last, end) && last != end }) {
		return true
	}
	return lastWords[last] && (last != "key" || i == 0 || !keyKinds[words[i-1]])
}

// singular drops a plural s.
func singular(w string) string {
	if strings.HasSuffix(w, "ss") {
		return w
	}
	return strings.TrimSuffix(w, "s")
}

// split returns the words of a name in lower case, without numbers: apiKey2,
// API_KEY, X-API-Key are all api, key.
func split(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if w := strings.TrimRight(strings.ToLower(string(word)), "0123456789"); w != "" {
			words = append(words, w)
		}
		word = word[:0]
	}
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		if i > 0 && unicode.IsUpper(r) {
			afterLower := !unicode.IsUpper(runes[i-1])
			beforeLower := i+1 < len(runes) && unicode.IsLower(runes[i+1]) && (i+2 == len(runes) || runes[i+1] != 's' || unicode.IsLower(runes[i+2]))
			if afterLower || beforeLower {
				end()
			}
		}
		word = append(word, r)
	}
	end()
	return words
}
