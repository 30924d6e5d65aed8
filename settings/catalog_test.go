package settings

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The operations of this version, in the order of the catalog.
var catalogue = []string{
	"all GET /settings/all",
	"models/list GET /settings/models",
	"models/upsert POST /settings/models immediate",
	"models/default PUT /settings/models/default immediate",
	"models/remove DELETE /settings/models/{providerId}/{modelId...} immediate",
	"providers/order PUT /settings/providers/order immediate",
	"providers/create POST /settings/providers immediate",
	"providers/update PUT /settings/providers/{id} immediate",
	"providers/set-key PUT /settings/providers/{id}/key immediate",
	"providers/remove DELETE /settings/providers/{id} immediate",
	"mcp/list GET /settings/mcp",
	"mcp/upsert PUT /settings/mcp/{name} needs-restart",
	"mcp/enable POST /settings/mcp/enable needs-restart",
	"mcp/remove DELETE /settings/mcp/{name} needs-restart",
	"mcp/import POST /settings/mcp/import needs-restart",
	"skills/list GET /settings/skills",
	"skills/enable POST /settings/skills/enable immediate",
	"skills/copy-to-user POST /settings/skills/copy-to-user immediate",
	"skills/delete DELETE /settings/skills/{path...} immediate",
	"hooks/list GET /settings/hooks",
	"hooks/enabled POST /settings/hooks/enabled needs-restart",
	"hooks/set PUT /settings/hooks needs-restart",
	"hooks/add POST /settings/hooks/{event} needs-restart",
	"hooks/update PUT /settings/hooks/{event}/{matcherIndex} needs-restart",
	"hooks/move POST /settings/hooks/{event}/{matcherIndex}/{hookIndex}/move needs-restart",
	"hooks/remove DELETE /settings/hooks/{event}/{matcherIndex}/{hookIndex} needs-restart",
	"plugins/list GET /settings/plugins",
	"plugins/enable POST /settings/plugins/enable needs-restart",
	"agents/list GET /settings/agents",
	"agents/show GET /settings/agents/{name}",
	"agents/upsert PUT /settings/agents/{name} needs-restart",
	"agents/rename POST /settings/agents/{name}/rename needs-restart",
	"agents/enable POST,PUT /settings/agents/{name}/enable needs-restart",
	"agents/delete DELETE /settings/agents/{name} needs-restart",
	"config/list GET /settings/config",
	"config/get GET /settings/config/{section}",
	"config/set PUT /settings/config/{section} needs-restart",
	"backups/list GET /settings/backups",
	"backups/restore POST /settings/backups/restore needs-restart",
	"history/list GET /settings/history",
	"history/show GET /settings/history/{id}",
	"history/undo POST /settings/history/undo needs-restart",
	"history/purge DELETE /settings/history immediate",
	"where GET /settings/where",
	"doctor GET /settings/doctor",
	"doctor/fix POST /settings/doctor/fix immediate",
	"effective GET /settings/effective",
}

func TestCatalog(t *testing.T) {
	w := newWorld(t)
	var got []string
	routes := map[string]string{}
	for o := range w.catalog.All() {
		line := o.Name + " " + strings.Join(o.Methods, ",") + " " + o.Path
		if o.Writes() {
			line += " " + string(o.Effect)
		}
		got = append(got, line)
		for _, method := range o.Methods {
			route := method + " " + o.Path
			if other, twice := routes[route]; twice {
				t.Errorf("%s and %s share %s", o.Name, other, route)
			}
			routes[route] = o.Name
		}
		if reads := o.Methods[0] == "GET"; reads == o.Writes() {
			t.Errorf("%s: %s has effect %q", o.Name, o.Methods[0], o.Effect)
		}
		if o.Writes() && !o.Output().Implements(reflect.TypeFor[interface{ Outcome() *Written }]()) {
			t.Errorf("%s answers %v, want what every write answers", o.Name, o.Output())
		}
		if !strings.HasSuffix(o.Summary, ".") || o.Input() == nil {
			t.Errorf("%s: summary %q, input %v", o.Name, o.Summary, o.Input())
		}
		for _, door := range []Door{REST, ACP, CommandLine} {
			if !o.Has(door) {
				t.Errorf("%s is not reachable through %s", o.Name, door)
			}
		}
	}
	if diff := cmp.Diff(catalogue, got); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
	if _, ok := w.catalog.Lookup("mcp"); ok {
		t.Error("found an operation that there is not")
	}
}

func TestCatalogRefusesTwoOfOneName(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("got no panic")
		}
	}()
	operations := newWorld(t).engine.Operations()
	NewCatalog(operations, operations[:1])
}

func TestParametersRefused(t *testing.T) {
	tests := []struct{ op, text, pointer, reason string }{
		{"all", `{"x":1}`, "/x", "is not known here"},
		{"mcp/remove", `{"name":"a","Name":"b"}`, "/Name", "is not known here"},
		{"models/upsert", `{"providerId":"p","modelId":"m","a/b":1}`, "/a~1b", "is not known here"},
		{"mcp/remove", `{"name":"a","name":"b"}`, "/name", "stands there twice"},
		{"mcp/upsert", `{"name":"a","env":{"A":"1","A":"2"}}`, "/env/A", "stands there twice"},
		{"mcp/remove", `{"name":5}`, "/name", "must be a string"},
		{"mcp/enable", `{"name":"a","enabled":"yes"}`, "/enabled", "must be true or false"},
		{"mcp/enable", `{"name":"a"}`, "/enabled", "is required: true or false"},
		{"mcp/enable", `{"name":"a","enabled":null}`, "/enabled", "is required: true or false"},
		{"providers/order", `{"order":"p1"}`, "/order", "must be an array"},
		{"providers/order", `{"order":["p1",5]}`, "/order/1", "must be a string"},
		{"providers/order", `{"order":null}`, "/order", "is required: an array of provider ids"},
		{"providers/create", `{"providerId":"p","headers":[]}`, "/headers", "must be an object"},
		{"providers/set-key", `{"id":"p1"}`, "/apiKey", "is required; null removes the key"},
		{"providers/set-key", `{"id":"p1","apiKey":5}`, "/apiKey", "must be a string"},
		{"providers/update", `{"id":"p1","enabled":"no"}`, "/enabled", "must be true or false"},
		{"providers/update", `{"id":"p1","enabled":null}`, "/enabled", "must be true or false"},
		{"providers/update", `{"id":"p1","headers":{"A":1}}`, "/headers", "must be an object of strings"},
		{"models/upsert", `{"providerId":"p1","modelId":"m","contextWindow":"1"}`, "/contextWindow", "must be a whole number"},
		{"models/upsert", `{"providerId":"p1","modelId":"m","reasoningLevels":"low"}`, "/reasoningLevels", "must be an array of strings"},
		{"models/default", `{}`, "", "providerId and modelId are needed both; send both as null to clear the default"},
		{"models/default", `{"providerId":"p1","modelId":null}`, "", "providerId and modelId are needed both; send both as null to clear the default"},
		{"models/default", `{"providerId":"p1"}`, "", "providerId and modelId are needed both; send both as null to clear the default"},
		{"mcp/list", `[]`, "", "the parameters must be one JSON object"},
		{"mcp/list", `5`, "", "the parameters must be one JSON object"},
		{"mcp/list", `{`, "", "the parameters are not valid JSON"},
		{"mcp/list", `{} {}`, "", "the parameters are not valid JSON"},
		{"mcp/list", "{} // none", "", "the parameters are not valid JSON"},
		{"mcp/remove", "{\"name\":\"\xff\"}", "", "the parameters are not valid JSON"},
	}
	for _, tt := range tests {
		w := worldWithSecrets(t, &changeCase{})
		before := w.files()
		operation, _ := w.catalog.Lookup(tt.op)
		_, err := operation.Run(t.Context(), Call{}, []byte(tt.text))
		got, ok := Describe(err), CodeOf(err) == CodeInvalid
		if want := strings.TrimSpace(tt.pointer + " " + tt.reason); !ok || got.Pointer != tt.pointer || !strings.HasSuffix(got.Error, want) {
			t.Errorf("%s %s: got %s at %q: %q, want %q", tt.op, tt.text, got.Code, got.Pointer, got.Error, want)
		}
		w.unchanged(before)
	}
}

func TestParametersAccepted(t *testing.T) {
	for _, text := range []string{"", "{}", " {} ", "null"} {
		operation, _ := newWorld(t).catalog.Lookup("mcp/list")
		if _, err := operation.Run(t.Context(), Call{}, []byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestDryRunOfAReadIsRefused(t *testing.T) {
	for o := range newWorld(t).catalog.All() {
		if o.Writes() {
			continue
		}
		_, err := o.Run(t.Context(), Call{DryRun: true}, nil)
		if got := Describe(err); err == nil || got.Code != CodeInvalid || got.Pointer != "/dryRun" {
			t.Errorf("%s: got %v, want it refused", o.Name, err)
		}
	}
}

// TestCancelled: no operation answers as if all were well when its caller has gone.
func TestCancelled(t *testing.T) {
	w := worldWithSecrets(t, &changeCase{})
	w.put(providerFile, providersWithSecrets)
	before := w.files()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for op, in := range map[string]string{
		"mcp/remove": `{"name":"web"}`, "models/remove": `{"providerId":"p1","modelId":"m1"}`, "all": "{}",
	} {
		operation, _ := w.catalog.Lookup(op)
		if _, err := operation.Run(ctx, Call{}, []byte(in)); CodeOf(err) != CodeCancelled || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want %s", op, err, CodeCancelled)
		}
	}
	w.unchanged(before)
}

func TestEncodeEscapesNoMoreThanJSONNeeds(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, `{"mcp":{"servers":{"<&>":{"command":"a\u2028<&>\ud800"}}}}`)
	text, err := Encode(answerOf[*MCPList](w, "mcp/list").MCP)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the answer", string(text), `{"servers":[{"name":"<&>","type":"stdio","command":"a`+"\u2028"+`<&>`+"\ufffd"+`","enabled":true,"source":"user"}]}`)
}

func TestEncodeError(t *testing.T) {
	if _, err := Encode(func() {}); err == nil || !strings.HasPrefix(err.Error(), "encoding the answer: ") {
		t.Errorf("got %v, want an error that says what was being done", err)
	}
}

// TestEmptyShapes: clients that expect arrays and objects get them.
func TestEmptyShapes(t *testing.T) {
	text, err := Encode(answerOf[*All](newWorld(t), "all"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "all", string(text), `{"ok":true,"models":{"available":[],"providers":[],"modelRules":[],"order":[]},"skills":[],"mcp":{"servers":[]},`+
		`"hooks":{},"agents":[`+
		`{"name":"general-purpose","fileName":"","path":"","frontmatter":{"name":"general-purpose","description":"","color":"blue",`+
		`"tools":["*"],"injectAgentsMd":true},"systemPrompt":"","enabled":true,"readOnly":true,"source":"built-in"},`+
		`{"name":"Explore","fileName":"","path":"","frontmatter":{"name":"Explore","description":"","color":"cyan",`+
		`"tools":["Bash","Glob","Grep","Read","WebFetch","WebSearch","TodoWrite"],"injectAgentsMd":false},`+
		`"systemPrompt":"","enabled":true,"readOnly":true,"source":"built-in"}],"usage":{"available":false,"reason":"not part of this version","range":"7d",`+
		`"summary":{"totalTokens":0,"requestCount":0,"models":0},"models":[],"daily":[]},`+
		`"resetCards":{"providers":["account:bigmodel-individual-coding-plan","account:bigmodel-team-coding-plan",`+
		`"account:zai-individual-coding-plan","account:zai-team-coding-plan"],"credentials":false,"reason":"not part of this version"},`+
		`"workflow":{"available":false},"unavailable":["usage","resetCards"],"problems":[]}`)
}

func TestWhere(t *testing.T) {
	w := newWorld(t)
	w.put(cliFile, "{}")
	got := answerOf[*Where](w, "where")
	exists := map[string]bool{}
	for _, p := range got.Places {
		if p.Path == "" || p.DecidedBy == "" {
			t.Errorf("got %+v, want where and why", p)
		}
		exists[string(p.Place)] = p.Exists
	}
	if got.Home != w.dir || !exists["cliConfig"] || exists["providerConfig"] {
		t.Errorf("got %+v, want %s with cli/config.json alone", got, w.dir)
	}
}

// TestSurface is a part of B055 and does not show it: usage, reset cards and app
// updates are still missing.
func TestSurface(t *testing.T) {
	t.Run("models, skills, MCP servers, hooks and subagents can be read and changed", func(t *testing.T) {
		w := newWorld(t)
		for _, noun := range []string{"models", "skills", "mcp", "hooks", "agents"} {
			reads, writes := 0, 0
			for o := range w.catalog.All() {
				switch {
				case !strings.HasPrefix(o.Name, noun+"/"):
				case o.Writes():
					writes++
				default:
					reads++
				}
			}
			if reads == 0 || writes < 3 {
				t.Errorf("%s: %d operations read and %d write", noun, reads, writes)
			}
		}
	})
	t.Run("what this version does not have is named", func(t *testing.T) {
		all := answerOf[*All](newWorld(t), "all")
		if diff := cmp.Diff([]string{"usage", "resetCards"}, all.Unavailable); diff != "" {
			t.Errorf("unavailable (-want +got):\n%s", diff)
		}
	})
}
