package acp

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

// secretive are requests whose secrets are the words that begin with CANARY:
// some are stored, some are refused, some cannot even be read.
var secretive = []string{
	`"_zcode/settings/mcp/upsert","params":{"name":"n","command":"c","args":["--token","CANARY-0000000000000001"],"env":{"A":"CANARY-0000000000000002"}}`,
	`"_zcode/settings/mcp/upsert","params":{"name":"w","url":"https://CANARY-user:CANARY-word@w.example/?key=CANARY-0000000000000003","type":"http","headers":{"X-Any":"CANARY-0000000000000004"}}`,
	`"_zcode/settings/mcp/upsert","params":{"name":"n","command":{"env":"CANARY-0000000000000005"}}`,
	`"_zcode/settings/mcp/upsert","params":{"name":"n","env":["CANARY-0000000000000006"]}`,
	`"_zcode/settings/mcp/upsert","params":{"name":"n","env":{"A":["CANARY-0000000000000007"]}}`,
	`"_zcode/settings/mcp/upsert","params":{"name":"n","url":"http://CANARY-user:CANARY-word@[bad"}`,
	`"_zcode/settings/mcp/upsert","params":["CANARY-0000000000000008"]`,
	`"_zcode/settings/mcp/enable","params":{"name":"n","enabled":"CANARY-0000000000000009"}`,
	`"_zcode/settings/mcp/remove","params":{"name":"n","ifMatch":"CANARY-0000000000000010"}`,
	`"_zcode/settings/mcp/remove","params":{"name":"n","ifMatch":"\"CANARY-0000000000000011"}`,
	`"_zcode/settings/mcp/remove","params":{"name":"n","dryRun":"CANARY-0000000000000012"}`,
	`"_zcode/settings/providers/create","params":{"providerId":"p8","apiKey":"sk-CANARY-0000000000013","baseUrl":"https://CANARY-user:CANARY-word@p.example"}`,
	`"_zcode/settings/providers/create","params":{"providerId":"p7","apiKey":["sk-CANARY-0000000000014"]}`,
	`"_zcode/settings/providers/set-key","params":{"id":"p1","apiKey":"sk-CANARY-0000000000015"}`,
	`"_zcode/settings/providers/set-key","params":{"id":"nope","apiKey":"sk-CANARY-0000000000016"}`,
	`"_zcode/settings/providers/set-key","params":{"id":"p1","apiKey":"sk-CANARY\n-00000000017"}`,
	`"_zcode/settings/providers/update","params":{"id":"p1","headers":{"A":7,"B":"CANARY-0000000000000018"}}`,
	`"_zcode/settings/providers/update","params":{"id":"p1","baseUrl":"https://CANARY-word:x@bad host"}`,
	`"_zcode/settings/models/upsert","params":{"providerId":"p1","modelId":"m1","contextWindow":"CANARY-0000000000000019"}`,
	`"_zcode/settings/backups/restore","params":{"file":"cliConfig","path":"CANARY-0000000000000020"}`,
	`"authenticate","params":{"methodId":"CANARY-0000000000000021"}`,
	`"initialize","params":{"protocolVersion":"CANARY-0000000000000022"}`,
	`"session/new","params":{"cwd":"/","mcpServers":[{"name":"m","command":"c","env":[{"name":"A","value":"CANARY-0000000000000023"}]}]}`,
	`"session/nope","params":{"token":"CANARY-0000000000000024"}`,
	`"_zcode/settings/mcp/list","params":{"a":"CANARY-0000000000000025"`, // not closed
	`"_zcode/settings/mcp/list","params":"CANARY-0000000000000026"`,
}

// conversation asks for everything, in each of the ways in which it can be asked.
func conversation() string {
	var b strings.Builder
	id := 0
	request := func(rest string) {
		id++
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":%s}`+"\n", id, rest)
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","method":%s}`+"\n", rest)
	}
	reads := func() {
		for _, read := range []string{"all", "models/list", "mcp/list", "backups/list", "where"} {
			request(`"_zcode/settings/` + read + `"`)
		}
	}
	reads()
	for _, rest := range secretive {
		request(strings.Replace(rest, `"params":{`, `"params":{"dryRun":true,`, 1))
		request(rest)
	}
	reads()
	for _, name := range []string{"skills/list", "hooks/list", "plugins/list", "agents/list", "config/list", "doctor"} {
		request(`"_zcode/settings/` + name + `","params":{}`)
	}
	request(`"_zcode/settings/hooks/remove","params":{"event":"Stop","matcherIndex":0,"hookIndex":0,"dryRun":true}`)
	request(`"_zcode/settings/config/set","params":{"section":"network","httpProxy":"http://u:CANARY-00000000000030@p.example","dryRun":true}`)
	request(`"_zcode/settings/agents/upsert","params":{"name":"reviewer","mcpServers":["a"],"apiKey":"CANARY-00000000000031"}`)
	for _, name := range []string{"local", "web", "n", "w"} {
		for _, dryRun := range []bool{true, false} {
			request(fmt.Sprintf(`"_zcode/settings/mcp/remove","params":{"name":%q,"dryRun":%t}`, name, dryRun))
		}
	}
	request(`"_zcode/settings/backups/restore","params":{"file":"cliConfig","stamp":"2026-01-02T03-04-05-678Z","dryRun":true}`)
	request(`"_zcode/settings/providers/remove","params":{"id":"p1","dryRun":true}`)
	b.WriteString(`{"CANARY-0000000000000027` + "\n")
	return b.String()
}

func TestNoSecretIsTold(t *testing.T) {
	whole := sampleWorld(t)
	broken := sampleWorld(t)
	broken.put(cliFile, `{"mcp": {"servers": {"a": {"env": {"A": CANARY-0000000000000028}}}}}`)
	broken.put("v2/provider_config.json", `{"config": {"apiKey": "CANARY-0000000000000029", "CANARY": }`)
	for name, w := range map[string]*world{"whole files": whole, "broken files": broken} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			var out bytes.Buffer
			var log logBuffer
			a := &Agent{Catalog: w.catalog(), Log: log.logger()}
			if err := a.Serve(ctx, strings.NewReader(conversation()), &out); err != nil {
				t.Fatal(err)
			}
			answered := 0
			for line := range strings.Lines(out.String() + log.String()) {
				answered++
				if strings.Contains(line, "CANARY") {
					t.Errorf("a secret is told: %s", line)
				}
			}
			if answered < 2*len(secretive) || log.String() == "" {
				t.Errorf("got %d lines and the log %q", answered, &log)
			}
		})
	}
	// The secrets were there to be told.
	if text := files(t, whole.dir)["v2/provider_config.json"]; !strings.Contains(text, "sk-CANARY-0000000000015") {
		t.Errorf("the key was not stored: %s", text)
	}
}
