package agents

import (
	"strings"
	"testing"
)

func TestPresentable(t *testing.T) {
	tests := []string{
		"",
		"# Reviews only: ask before\ncolor: red # mine\n",
		"tools: Read, Bash(git log:*)\nskills: [a, b]\nmaxTurns: 12\nbackground: true\n",
		"tools:\n  # all of them\n  - Read\n\n  - \"*\"\nmodel: p/m\n",
		"note: |\n  two: lines\n  # and more\nkeyboard: a\nmaxTokens: 5\n",
		"mcpServers:\n  - files\n  - gh:\n      command: npx\n      args: [-y, pkg]\n",
		"meta: {\"a\": [1, 1.50, null]}\n",
		"see: https://example.com/docs?page=2\n",
		"a: &x [1, 2]\nb: *x\n",
	}
	for _, lines := range tests {
		if !Presentable(agentText(lines)) {
			t.Errorf("%q: got false, want true", lines)
		}
		if text := strings.ReplaceAll("\ufeff"+string(agentText(lines)), "\n", "\r\n"); !Presentable([]byte(text)) {
			t.Errorf("%q with CRLF: got false, want true", lines)
		}
	}
	for file, want := range map[string]bool{
		"Bar.markdown": true, "block-scalar.md": true, "crlf.md": true, "colon.md": false, "duplicate-key.md": false,
		"no-frontmatter.md": false, "nested/deep.md": false, // unknownKey may be a key
	} {
		if got := Presentable([]byte(testFile(t, "agents/"+file))); got != want {
			t.Errorf("%s: got %v, want %v", file, got, want)
		}
	}
}

// Each of these hides a secret from one of the looks at the block.
func TestNotPresentable(t *testing.T) {
	const token = "sk-ant-api03-abcdef"
	tests := []string{
		// A key that stands twice: the last is what a listing shows.
		"mcpServers:\n  - gh:\n      env:\n        A: CANARY\nmcpServers:\n  - files\n",
		"apiKey: CANARY\napiKey:\n", "x: " + token + "\nx: a\n",
		// What only YAML sees, and what it cannot read.
		"\"apiKey\": CANARY\n", "'x': " + token + "\n", "? apiKey\n: CANARY\n", "x y: " + token + "\n",
		"bad: a: b\nserver:\n  env:\n    A: CANARY\n", "bad: a: b\n", "\"x\": \"sk\\x2dant-api03-abcdef\"\n", "tools:\n  - Read\n    apiKey: CANARY\n",
		"tools:\n  - Read\n  apiKey: CANARY\n", "b: \"x\nkey: a\"\n", "{x: a}\n",
		// Names of secrets with any value, in any place.
		"apiKey: CANARY\n", "apiKey: 1234567\n", "apiKey:\n  - CANARY\n", "apiKey: [CANARY]\n", "credentials:\n  gh: CANARY\n",
		"env:\n  A: CANARY\n", "x:\n  headers: {A: CANARY}\n", "x: {\"a\\u0070iKey\": \"CANARY\"}\n", "x: {\"api\\x4bey\": true}\n",
		"mcpServers:\n  - gh:\n      env:\n        A: CANARY\n", "x:\n  ? [a]\n  : b\n",
		// Comments.
		"# apiKey: CANARY\n", "#apiKey=CANARY\n", "# \"apiKey\": CANARY\n", "color: red # token: CANARY\n", "# env:\n#   A: CANARY\n",
		"# " + token + "\n", "color: red #" + token + "\n", "# curl -H 'A: CANARY'\n", "# - --token\n# - CANARY\n", "# my/token: CANARY\n", "# Bearer\n# CANARYabcdef\n",
		"# don't\n# curl -H 'A: CANARY' x\n", "# --token\n# CANARY\n",
		"tools:\n  - Read\n  # apiKey: CANARY\n", "# https://u:CANARY@host/\n", "apiKey: # CANARY\n", "apiKey:\n# CANARY\n",
		// Values, also of the keys that ZCode knows, as each reader has them.
		"tools: Bash(curl -H \"Authorization: Bearer CANARY\")\n", "skills: " + token + "\n", "skills:\n  - " + token + "\n",
		"color: " + token + "\n", "tools: --token, CANARY\n", "args: [--token, CANARY]\n", "note: |\n  " + token + "\n",
		"note: \"sk\\x2dant-api03-abcdef\"\n", "note: >-\n  --token\n  CANARY\n", "see: https://u:CANARY@host/\n", "model: p/" + token + "\n",
		"note: --token\n  CANARY\n", "a: &" + token + " b\n", token + ": a\n",
		// Lines that end for one reader only.
		"# a\u2028apiKey: CANARY\n", "# a\u0085b: CANARY\n", "# a\rapiKey: CANARY\n",
		// A mask could not be written back, and some blocks are too large to look through.
		"color: \"********\"\n", "# " + strings.Repeat("a ", mostPresented/2) + "\n",
	}
	for _, lines := range tests {
		if Presentable(agentText(lines)) {
			t.Errorf("%q: got true, want false", lines)
		}
	}
	for _, text := range []string{
		"---\nname: abc\ndescription: Use " + token + "\n---\n", "---\nname: " + token + "\ndescription: d\n---\n", "---\nname: a\xff\n---\n", "", "---\n",
	} {
		if Presentable([]byte(text)) {
			t.Errorf("%q: got true, want false", text)
		}
	}
	if !Presentable(append(agentText(""), token...)) {
		t.Error("the prompt, which every listing shows, is looked at")
	}
}
