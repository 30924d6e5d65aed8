package cliconfig

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"zcode-acp/settings/jsonedit"
)

// What an answer tells of one server stays readable, whatever the server holds.
const (
	mostTold    = 10  // entries of a list
	longestTold = 300 // bytes of a sentence or a name
)

// hints says what a person should look at before a server is used.
func hints(server jsonedit.Node, c *conversion, windows bool) []string {
	var list []string
	if places := placeholdersIn(server); len(places) > 0 {
		list = append(list, "ZCode does not replace placeholders like ${VAR}: put the values themselves into "+strings.Join(shortList(places), ", "))
	}
	if name := script(server.Get("command").Text()); windows && name != "" {
		list = append(list, fmt.Sprintf(`on Windows ZCode cannot start the script %s by itself: set command to "cmd" and put "/c", %q in front of args`, name, name))
	}
	if c.told == "" && c.kind == http && endsInSSE(server.Get("url").Text()) {
		list = append(list, `the url looks like one of type sse: set "type" to "sse" if ZCode cannot connect`)
	}
	return list
}

// placeholdersIn returns the places of strings that stand for a variable.
func placeholdersIn(server jsonedit.Node) []string {
	var places []string
	for m := range server.Children() {
		if hasPlaceholder(m.Text()) {
			places = append(places, m.Key())
		}
		i := 0
		for inner := range m.Children() {
			if hasPlaceholder(inner.Text()) {
				place := m.Key() + "." + inner.Key()
				if m.Kind() == jsonedit.Array {
					place = m.Key() + "[" + strconv.Itoa(i) + "]"
				}
				places = append(places, place)
			}
			i++
		}
	}
	return places
}

// hasPlaceholder finds ${VAR}, ${env:VAR} and {env:VAR}.
func hasPlaceholder(s string) bool {
	for _, start := range []string{"${", "{env:"} {
		if _, rest, found := strings.Cut(s, start); found && strings.Contains(rest, "}") {
			return true
		}
	}
	return false
}

// scripts are programs that are no executables on Windows.
var scripts = []string{"npx", "npm", "pnpm", "yarn", "bunx"}

// script returns the name of such a program, "" for others.
func script(command string) string {
	name := strings.TrimSuffix(strings.ToLower(command), ".cmd")
	if !slices.Contains(scripts, name) {
		return ""
	}
	return name
}

func endsInSSE(url string) bool {
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	return strings.HasSuffix(strings.TrimRight(url, "/"), "/sse")
}

// shortList cuts a list, and what stands in it, to what a person reads.
func shortList(list []string) []string {
	var short []string
	for i, s := range list {
		if i == mostTold {
			return append(short, fmt.Sprintf("and %d more", len(list)-i))
		}
		short = append(short, shorten(s))
	}
	return short
}

func shorten(s string) string {
	if len(s) <= longestTold {
		return s
	}
	cut := longestTold
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
