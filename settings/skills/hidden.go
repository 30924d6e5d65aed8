package skills

import (
	"crypto/rand"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

const (
	stampLayout = "20060102T150405Z"
	leftoverAge = time.Hour // younger ones may belong to a call that still runs
	maxShown    = 180       // bytes of a skill's name in a hidden one, so that it fits into 255
)

// hiddenPattern matches the names of hiddenName that may be cleared away, so none
// that says "kept"; the submatch is the time.
// It is compiled at its first use, which a start that lists servers has none of.
var hiddenPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\..+\.zcode-acp-(?:new|deleted)-([0-9]{8}T[0-9]{6}Z)-[A-Z2-7]{26}$`)
})

// hiddenName returns a fresh name that ZCode does not look at and that tells a
// person what it is. What is "new", "deleted" or "kept".
func hiddenName(name, what string) string {
	if len(name) > maxShown {
		name = strings.ToValidUTF8(name[:maxShown], "")
	}
	return "." + name + ".zcode-acp-" + what + "-" + time.Now().UTC().Format(stampLayout) + "-" + rand.Text()
}

// clearLeftovers removes what killed calls have left in a folder. It is a
// courtesy: what cannot be removed stays, and nobody is told.
func clearLeftovers(in *os.Root) {
	folder, err := in.Open(".")
	if err != nil {
		return
	}
	names, _ := folder.Readdirnames(-1)
	folder.Close()
	for _, name := range names {
		match := hiddenPattern().FindStringSubmatch(name)
		if match == nil {
			continue
		}
		if made, err := time.Parse(stampLayout, match[1]); err == nil && time.Since(made) > leftoverAge {
			in.RemoveAll(name)
		}
	}
}
