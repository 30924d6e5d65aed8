package cliconfig

import (
	"strings"
	"testing"
	"time"
)

// TestManyHooks would take minutes if every hook were looked for from the start;
// an edit runs under the lock of ZCode's settings.
func TestManyHooks(t *testing.T) {
	const count = 20_000
	hooks := strings.Repeat(`{"type": "process", "command": "c", "args": ["--token", "K"]}, `, count)
	d := parse(t, hooksFile(hooks+`{"type": "process", "command": ""}`))
	start := time.Now()
	if got := len(Entries(d)); got != count+1 {
		t.Errorf("%d entries, want %d", got, count+1)
	}
	if got := strings.Count(string(HooksOf(d).Tree), "********"); got != count {
		t.Errorf("%d masks, want %d", got, count)
	}
	for name, do := range map[string]change{
		"update": updateHookWith(t, "Stop", 0, count-1, `{"args": ["--token", "********"], "enabled": false}`),
		"add":    addHookWith(t, "Stop", `{"type": "command", "command": "c", "position": 0}`),
		"remove": removeHookAt("Stop", 0, count-1),
		"move":   moveHookTo("Stop", 0, 0, count-1),
	} {
		if _, _, err := do(d); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	const most = 30 * time.Second
	if took := time.Since(start); took > most {
		t.Errorf("took %v, want less than %v", took, most)
	}
}
