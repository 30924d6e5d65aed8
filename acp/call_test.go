package acp

import (
	"context"
	"testing"

	"zcode-acp/settings"
)

// TestCallCarriesWhatConcernsIt: beside the parameters an operation learns who
// calls, and how.
func TestCallCarriesWhatConcernsIt(t *testing.T) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientInfo":`
	const call = `{"jsonrpc":"2.0","id":"a","method":"_zcode/settings/task","params":`
	tests := []struct {
		name, client, params string
		want                 settings.Call
	}{
		{"nothing", `null`, `{"name":"n"}`, settings.Call{Door: settings.ACP}},
		{
			"all of it", `{"name":"zed","version":"1.2"}`, `{"dryRun":true,"ifMatch":"e","name":"n","repair":true,"_meta":{}}`,
			settings.Call{Door: settings.ACP, Client: "zed 1.2", DryRun: true, IfMatch: "e", Repair: true},
		},
		{"a client without version", `{"name":"zed"}`, `{"name":"n"}`, settings.Call{Door: settings.ACP, Client: "zed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got settings.Call
			var name string
			record := func(_ context.Context, call settings.Call, in taskParams) (taskAnswer, error) {
				got, name = call, in.Name
				return taskAnswer{true}, nil
			}
			a := &Agent{Catalog: settings.NewCatalog([]settings.Operation{
				settings.Write("task", "POST /settings/task", settings.Immediate, "Record.", record),
			})}
			answers := converse(t, a, hello+tt.client+`}}`, call+tt.params+`}`)
			if answers[`"a"`].Error != nil || got != tt.want || name != "n" {
				t.Errorf("got %+v of %q, %+v; want %+v", got, name, answers[`"a"`].Error, tt.want)
			}
		})
	}
}
