package settings

import (
	"strings"
	"testing"
)

const serverX = "{\n  \"mcp\": {\n    \"servers\": {\n      \"x\": {\n        \"type\": \"stdio\",\n        \"command\": \"y\"\n      }\n    }\n  }\n}\n"

func TestRepairOfCLIConfig(t *testing.T) {
	tests := []struct {
		name, text, want string
		also             []string
	}{
		{
			"comments and trailing commas", `{
  // my servers
  "mcp": {"servers": {"a": {"command": "a",},}},
  /* kept: */ "n": 1.0,
}
`,
			"{\n               \n  \"mcp\": {\"servers\": {\"a\": {\"command\": \"a\" }, \"x\": {\"type\": \"stdio\", \"command\": \"y\"} }},\n              \"n\": 1.0 \n}\n",
			[]string{"comments, trailing commas and duplicate names were removed"},
		},
		{
			"duplicates: the last stays, as for ZCode",
			`{"skills": {}, "n": {"a": 1, "\u0061": 2}, "skills": {"enabled": true}, "l": [{"b": 1, "b": 2}]}`,
			`{"n": {"\u0061": 2}, "skills": {"enabled": true}, "l": [{"b": 2}], "mcp": {"servers": {"x": {"type": "stdio", "command": "y"}}}}`,
			[]string{"comments, trailing commas and duplicate names were removed"},
		},
		{"a byte order mark and a comment", "\ufeff{\"n\": 1} // one", "", []string{"byte order mark was dropped"}},
		{"truncated", sample(t, "cli-config/truncated.json"), serverX, []string{"begun anew"}},
		{"an array", "[]\n", serverX, []string{"held no object and was begun anew"}},
		{"a commented array", "[] // none\n", serverX, []string{"held no object and was begun anew"}},
		{"text", "servers: none\n", serverX, []string{"begun anew"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.put(cliFile, tt.text)
			in := params{"name": "x", "command": "y"}
			w.refuse("mcp/upsert", Call{}, in)
			before := w.files()
			preview := w.write("mcp/upsert", Call{Repair: true, DryRun: true}, in)
			hasOnly(t, "also of the dry run", preview.Also, tt.also...)
			w.unchanged(before)

			got := w.write("mcp/upsert", Call{Repair: true}, in)
			hasOnly(t, "also", got.Also, tt.also...)
			if !strings.Contains(got.Also[0], "kept as the backup") {
				t.Errorf("got %q, want it to tell of the backup", got.Also)
			}
			w.keeps(got.Backup, tt.text)
			if tt.want != "" {
				same(t, "the file", w.get(cliFile), tt.want)
			}
			if names := answerOf[*MCPList](w, "mcp/list").MCP.Servers; names[len(names)-1].Name != "x" {
				t.Errorf("got %+v, want the server", names)
			}
		})
	}
}

func TestRepairKeepsWhatFollowsAByteOrderMark(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, "\ufeff{\"n\": 1,}")
	w.write("mcp/upsert", Call{Repair: true}, params{"name": "x", "command": "y"})
	same(t, "the file", w.get(cliFile), `{"n": 1, "mcp": {"servers": {"x": {"type": "stdio", "command": "y"}}} }`)
}

func TestRepairOfProviderConfig(t *testing.T) {
	const timeout = "/config/providerConfigRules/providerRules/0/config/timeout"
	w := newWorld(t)
	broken := sample(t, "provider/unknown-subkey.json")
	w.put(providerFile, broken)
	in := params{"id": "p1", "enabled": false}
	preview := w.write("providers/update", Call{Repair: true, DryRun: true}, in)
	var paths []string
	for _, c := range preview.Changes {
		paths = append(paths, c.Path)
	}
	same(t, "changes", strings.Join(paths, " "), "/config/providerConfigRules/providerRules/0/enabled "+timeout)
	got := w.write("providers/update", Call{Repair: true}, in)
	same(t, "the file", w.get(providerFile), edited(t, broken, ",\n            \"timeout\": 30", "", `"enabled": true`, `"enabled": false`))
	hasOnly(t, "also", got.Also, timeout)
	w.keeps(got.Backup, broken)
	if got.ETag != preview.ETag || got.ETag != w.tag(providerFile) {
		t.Errorf("got etag %s, the dry run %s, the listing %s", got.ETag, preview.ETag, w.tag(providerFile))
	}
}

// TestRepairAlone: an edit that changes nothing still mends the file.
func TestRepairAlone(t *testing.T) {
	w := newWorld(t)
	broken := sample(t, "provider/unknown-subkey.json")
	w.put(providerFile, broken)
	got := w.write("providers/update", Call{Repair: true}, params{"id": "p1", "enabled": true})
	same(t, "the file", w.get(providerFile), edited(t, broken, ",\n            \"timeout\": 30", ""))
	w.keeps(got.Backup, broken)
}

func TestRepairOfManyMembers(t *testing.T) {
	w := newWorld(t)
	canonical := sample(t, "provider/canonical.json")
	w.put(providerFile, edited(t, canonical, `"schemaVersion": 1,`, `"schemaVersion": 1, "a": {"b": 1},`,
		`"group": "standard-personal",`, `"group": "standard-personal", "c/d": 1, "e": 2,`,
		`"contextWindow": 400000`, `"contextWindow": 400000, "f": 3`))
	got := w.write("providers/update", Call{Repair: true}, params{"id": "p1", "enabled": false})
	same(t, "the file", w.get(providerFile), edited(t, canonical, `"enabled": true`, `"enabled": false`))
	rule := "/config/providerConfigRules/providerRules/0/config/"
	hasOnly(t, "also", got.Also, "(/a, "+rule+"c~1d, "+rule+"e, /config/modelConfigRules/providerModelRules/0/config/properties/f)")
}

// TestRepairRefused: what a person has to decide stays for a person.
func TestRepairRefused(t *testing.T) {
	canonical := sample(t, "provider/canonical.json")
	tests := []struct {
		name, text string
		want       place
		say        string
	}{
		{"a value", edited(t, canonical, `"Router"`, `""`), place{CodeBroken, "/config/providerConfigRules/providerRules/0/providerName", 11, 11}, "by hand"},
		{"a member and a value", edited(t, canonical, `"Router"`, `"", "new": 1`), place{CodeBroken, "/config/providerConfigRules/providerRules/0/providerName", 11, 11}, "by hand"},
		{"a comment and a value", edited(t, canonical, `"Router",`, `"", // mine`), place{CodeBroken, "/config/providerConfigRules/providerRules/0/providerName", 11, 11}, "by hand"},
		{"no version", edited(t, canonical, "  \"schemaVersion\": 1,\n", ""), place{CodeBroken, "", 1, 1}, "by hand"},
		{"a newer version", sample(t, "provider/future-version.json"), place{CodeNewer, "", 0, 0}, "newer ZCode"},
		{"a newer version with a comment", "// new\n" + sample(t, "provider/future-version.json"), place{CodeNewer, "", 0, 0}, "newer ZCode"},
		{"nested too deeply", strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), place{CodeTooLarge, "", 1, 10_001}, "deep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.put(providerFile, tt.text)
			for _, dry := range []bool{false, true} {
				got := w.refuse("providers/update", Call{Repair: true, DryRun: dry}, params{"id": "p1", "enabled": false})
				w.pointsAt(got, tt.want, w.path(providerFile))
				if !strings.Contains(got.Error, tt.say) || strings.Contains(got.Error, "--repair") {
					t.Errorf("got %q, want it to tell %q and not to offer what was asked for", got.Error, tt.say)
				}
			}
		})
	}
}

// TestRepairOfAGoodFile means nothing.
func TestRepairOfAGoodFile(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, sample(t, "cli-config/empty-matcher.json"))
	got := w.write("mcp/enable", Call{Repair: true}, params{"name": "a", "enabled": true})
	if got.Changed || len(got.Also) != 0 {
		t.Errorf("got %+v, want nothing done", got)
	}
	same(t, "the file", w.get(cliFile), sample(t, "cli-config/empty-matcher.json"))
}

// A file that nobody can have meant is refused before it can end the program.
func TestRepairRefusesDepth(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, "// a comment\n"+strings.Repeat("[", 1_000_000))
	got := w.refuse("mcp/upsert", Call{Repair: true}, params{"name": "x", "command": "y"})
	if got.Code != CodeTooLarge {
		t.Errorf("got %+v, want %s", got, CodeTooLarge)
	}
}
