package agents

import (
	"fmt"
	"strings"
	"testing"
)

// Aliases multiply a few lines to any size: all that is shown of a file has one
// bound, and the rest is masked, which a warning tells.
func TestAliasesHaveOneBound(t *testing.T) {
	const keys = 100
	text := "a: &a [" + strings.Repeat("xxxx,", 1000) + "x]\n"
	for i := range keys {
		text += fmt.Sprintf("k%d: *a\n", i)
	}
	p, err := ParseProfile(agentText(text + "mcpServers: *a\nlast: 7\ncolor: odd\n"))
	if err != nil {
		t.Fatal(err)
	}
	all := encoded(t, p)
	if most := 2 * mostNested; len(all) > most {
		t.Errorf("got %d bytes, want at most %d", len(all), most)
	}
	if !strings.Contains(all, `"k0":["xxxx",`) || !strings.Contains(all, `"k99":"********","mcpServers":"********","last":7,"color":"odd"}`) {
		t.Errorf("got %.200s … %s, want the first shown and the last masked", all, all[max(0, len(all)-100):])
	}
	var keysWarned []string
	for i, w := range p.Warnings {
		if strings.Contains(w.Reason, "not shown") {
			keysWarned = append(keysWarned, w.Key)
		}
		if i > 0 && w.Line < p.Warnings[i-1].Line {
			t.Errorf("line %d is told of behind line %d", w.Line, p.Warnings[i-1].Line)
		}
	}
	if len(keysWarned) < keys/2 || len(keysWarned) > mostAlike || keysWarned[len(keysWarned)-1] != "mcpServers" && len(keysWarned) < mostAlike {
		t.Errorf("got warnings about %q, want the keys that are not shown", keysWarned)
	}
}

// A text that stands once and is named often counts as often as it is shown.
func TestLargeTextsHaveOneBound(t *testing.T) {
	text := "a: &a " + strings.Repeat("long ", 4000) + "\nb: [" + strings.Repeat("*a, ", 1000) + "*a]\nc: |\n  small\n"
	p, err := ParseProfile(agentText(text))
	if err != nil {
		t.Fatal(err)
	}
	if all := encoded(t, p); len(all) > 4*mostNested || !strings.HasSuffix(all, `"b":"********","c":"********"}`) {
		t.Errorf("got %d bytes that end with %s", len(all), all[max(0, len(all)-100):])
	}
}
