package acp

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings"
)

// examples are parameters with which each operation does something on the
// sample files.
var examples = map[string]string{
	"all":               `{}`,
	"models/list":       `{}`,
	"models/upsert":     `{"providerId":"p1","modelId":"m9","contextWindow":1000}`,
	"models/default":    `{"providerId":"p1","modelId":"m2"}`,
	"models/remove":     `{"providerId":"p1","modelId":"m2"}`,
	"providers/order":   `{"order":["account:zai-start-plan","p1"]}`,
	"providers/create":  `{"providerId":"p9","providerName":"Nine"}`,
	"providers/update":  `{"id":"p1","enabled":false}`,
	"providers/set-key": `{"id":"p1","apiKey":"sk-test-1111111111111111"}`,
	"providers/remove":  `{"id":"p1"}`,
	"mcp/list":          `{}`,
	"mcp/upsert":        `{"name":"n","command":"c","args":["-x"],"env":{"A":"b"}}`,
	"mcp/enable":        `{"name":"local","enabled":false}`,
	"mcp/remove":        `{"name":"local"}`,
	"backups/list":      `{}`,
	"backups/restore":   `{"file":"cliConfig","stamp":"2026-01-02T03-04-05-678Z"}`,
	"where":             `{}`,
	"doctor":            `{}`,
	"doctor/fix":        `{"kind":"lock_stale"}`,
	"effective":         `{"cwd":"ROOT"}`,

	"mcp/import":          `{"servers":{"mcpServers":{"n":{"command":"c","env":{"A":"CANARY-import-0000000"}}}}}`,
	"skills/list":         `{}`,
	"skills/enable":       `{"path":"DIR/skills/own/SKILL.md","enable":false}`,
	"skills/copy-to-user": `{"path":"ROOT/.agents/skills/shared/SKILL.md"}`,
	"skills/delete":       `{"path":"DIR/skills/own/SKILL.md"}`,
	"hooks/list":          `{}`,
	"hooks/enabled":       `{"enabled":false}`,
	"hooks/set":           `{"hooks":{"enabled":true}}`,
	"hooks/add":           `{"event":"Stop","type":"command","command":"x"}`,
	"hooks/update":        `{"event":"Stop","matcherIndex":0,"hookIndex":0,"enabled":false}`,
	"hooks/move":          `{"event":"Stop","matcherIndex":0,"hookIndex":0,"to":1}`,
	"hooks/remove":        `{"event":"Stop","matcherIndex":0,"hookIndex":0}`,
	"plugins/list":        `{}`,
	"plugins/enable":      `{"id":"pdf@zcode-plugins-official","enabled":false}`,
	"agents/list":         `{}`,
	"agents/show":         `{"name":"reviewer"}`,
	"agents/upsert":       `{"name":"reviewer","color":"pink"}`,
	"agents/rename":       `{"name":"reviewer","newName":"critic"}`,
	"agents/enable":       `{"name":"reviewer","enable":false}`,
	"agents/delete":       `{"name":"reviewer"}`,
	"history/list":        `{}`,
	"history/show":        `{"id":"ENTRY"}`,
	"history/undo":        `{"id":"ENTRY"}`,
	"history/purge":       `{}`,
	"config/list":         `{}`,
	"config/get":          `{"section":"network"}`,
	"config/set":          `{"section":"ui","theme":"light"}`,
}

// at names the files of a world in parameters that have DIR and ROOT for them, and
// a change of it in those that have ENTRY.
func at(w *world, example string) string {
	if strings.Contains(example, "ENTRY") {
		o, _ := w.catalog().Lookup("config/set")
		answer, err := o.Run(w.t.Context(), settings.Call{}, []byte(`{"section":"ui","theme":"dark"}`))
		if err != nil {
			w.t.Fatal(err)
		}
		example = strings.ReplaceAll(example, "ENTRY", answer.(*settings.Written).History)
	}
	return strings.NewReplacer("DIR", filepath.ToSlash(w.dir), "ROOT", filepath.ToSlash(w.root)).Replace(example)
}

const backupFile = cliFile + ".bak-2026-01-02T03-04-05-678Z"

func sampleWorld(t testing.TB) *world {
	t.Helper()
	w := newWorld(t)
	for file, sample := range map[string]string{
		cliFile: "cli-config.json", backupFile: "cli-config.backup.json", "v2/provider_config.json": "provider_config.json",
	} {
		text, err := os.ReadFile(filepath.Join("testdata", sample))
		if err != nil {
			t.Fatal(err)
		}
		w.put(file, string(text))
	}
	w.put("agents/reviewer.md", "---\nname: reviewer\ndescription: Reviews\n---\nReview.\n")
	w.put("v2/provider_config.json.lock/owner-1.json", `{"pid":2147483646,"createdAt":1,"token":"1"}`)
	w.put("skills/own/SKILL.md", "---\nname: own\ndescription: Mine\n---\n")
	w.put("../.agents/skills/shared/SKILL.md", "---\nname: shared\ndescription: Of all tools\n---\n")
	return w
}

// TestEveryOperationIsReachable compares what the door does with what the
// operation does when it is called without one.
func TestEveryOperationIsReachable(t *testing.T) {
	known := 0
	for o := range newWorld(t).catalog().All() {
		if !o.Has(settings.ACP) {
			continue
		}
		known++
		t.Run("B071 "+o.Name+" does and answers the same as without a door", func(t *testing.T) {
			example, ok := examples[o.Name]
			if !ok {
				t.Fatal("there is no example of this operation")
			}
			direct, door := sampleWorld(t), sampleWorld(t)
			forDirect, forDoor := at(direct, example), at(door, example)
			before := files(t, direct.dir)

			operation, _ := direct.catalog().Lookup(o.Name)
			answer, err := operation.Run(t.Context(), settings.Call{}, []byte(forDirect))
			if err != nil {
				t.Fatal(err)
			}
			text, err := settings.Encode(answer)
			if err != nil {
				t.Fatal(err)
			}
			got := converse(t, &Agent{Catalog: door.catalog()},
				fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"_zcode/settings/%s","params":%s}`, o.Name, forDoor))["1"]
			if got.Error != nil {
				t.Fatalf("the door answers the error %+v", got.Error)
			}
			if diff := cmp.Diff(portable(direct, text), portable(door, got.Result)); diff != "" {
				t.Errorf("the answers (-without +with the door):\n%s", diff)
			}
			after := files(t, direct.dir)
			if diff := cmp.Diff(anywhere(direct, after), anywhere(door, files(t, door.dir))); diff != "" {
				t.Errorf("the files (-without +with the door):\n%s", diff)
			}
			ofZCode := o.Writes() && o.Name != "history/purge" // which is about our own file
			if changed := !cmp.Equal(before, after); changed != ofZCode {
				t.Errorf("files changed: %t, the operation writes: %t", changed, o.Writes())
			}
		})
	}
	if known != len(examples) {
		t.Errorf("%d operations, %d examples", known, len(examples))
	}
}

var stamp = regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d[-.\d]*Z`)

// portable takes the place and the time out of an answer.
func portable(w *world, answer []byte) string {
	quoted, err := json.Marshal(w.root)
	if err != nil {
		w.t.Fatal(err)
	}
	text := strings.ReplaceAll(string(answer), strings.Trim(string(quoted), `"`), "ROOT")
	text = entryID.ReplaceAllString(text, "ENTRY")
	return stateFolder.ReplaceAllString(stamp.ReplaceAllString(text, "STAMP"), "HASH")
}

// anywhere takes the place out of the files.
func anywhere(w *world, files map[string]string) map[string]string {
	moved := map[string]string{}
	for name, text := range files {
		moved[name] = strings.ReplaceAll(text, filepath.ToSlash(w.root), "ROOT")
	}
	return moved
}

// entryID is that of a change in the history.
var entryID = regexp.MustCompile(`20\d{6}T\d{6}-\d{9}-[0-9a-f]{8}`)

// stateFolder is the hash of the path of the home.
var stateFolder = regexp.MustCompile(`[0-9a-f]{16,}`)

// TestBareMethodIsAll also while a file is broken.
func TestBareMethodIsAll(t *testing.T) {
	for name, text := range map[string]string{"whole": "{}", "broken": "{"} {
		t.Run("B071 the bare method answers everything with a "+name+" file", func(t *testing.T) {
			w := sampleWorld(t)
			w.put(cliFile, text)
			answers := converse(t, &Agent{Catalog: w.catalog()},
				`{"jsonrpc":"2.0","id":1,"method":"_zcode/settings"}`,
				`{"jsonrpc":"2.0","id":2,"method":"_zcode/settings/all"}`)
			bare, all := string(answers["1"].Result), string(answers["2"].Result)
			if bare != all || !strings.Contains(bare, `"providerName":"Router"`) {
				t.Errorf("the bare method answers\n%s\nall answers\n%s", bare, all)
			}
			if broken := strings.Contains(bare, `"problems":[{"section":"mcp","code":"broken"`); broken != (name == "broken") {
				t.Errorf("got %s", bare)
			}
		})
	}
}

// TestInitializeListsEveryOperation: what a client is told of is what there is.
func TestInitializeListsEveryOperation(t *testing.T) {
	w := newWorld(t)
	a := &Agent{Catalog: w.catalog()}
	got := converse(t, a, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`)["1"]
	var answer struct {
		AgentCapabilities struct {
			Meta struct {
				ZCode struct {
					Settings struct {
						Methods []string `json:"methods"`
					} `json:"settings"`
				} `json:"zcode"`
			} `json:"_meta"`
		} `json:"agentCapabilities"`
	}
	if err := json.Unmarshal(got.Result, &answer); err != nil {
		t.Fatal(err)
	}
	methods := answer.AgentCapabilities.Meta.ZCode.Settings.Methods
	if len(methods) != len(examples)+1 || methods[0] != "_zcode/settings" {
		t.Errorf("got %q, want %d methods", methods, len(examples)+1)
	}
	for _, method := range methods[1:] {
		if _, ok := examples[strings.TrimPrefix(method, "_zcode/settings/")]; !ok {
			t.Errorf("%s is not a method that was tried", method)
		}
	}
}
