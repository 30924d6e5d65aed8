package settings

import (
	"testing"

	"zcode-acp/settings/jsonedit"
)

// TestProxiesAreMaskedAlike looks at one address in every listing and difference
// that shows it.
func TestProxiesAreMaskedAlike(t *testing.T) {
	for address, want := range map[string]string{
		"http://bob:CANARY-p@proxy.example:8080": `"http://********@proxy.example:8080"`,
		"bob:CANARY-p@proxy.example:8080":        `"********@proxy.example:8080"`,
		"CANARY-token:@proxy.example:8080":       `"********@proxy.example:8080"`,
		"CANARY-token@proxy.example:8080":        `"********@proxy.example:8080"`,
		"proxy.example:8080":                     `"proxy.example:8080"`,
	} {
		t.Run(want+" for "+address[:4], func(t *testing.T) {
			w := newWorld(t)
			w.put("v2/setting.json", `{"httpProxy":"`+address+`"}`)
			w.put(cliFile, `{"network":{"httpProxy":"`+address+`"}}`)
			for _, section := range []string{"network", appSection} {
				answer, err := w.run("config/get", Call{}, params{"section": section})
				if err != nil {
					t.Fatal(err)
				}
				got := answer.(*ConfigSection).Section
				same(t, section+" as a whole", string(got.Set), `{"httpProxy":`+want+`}`)
				for _, f := range got.Fields {
					if f.Name == "httpProxy" {
						same(t, section+" by its member", string(f.Value), want)
					}
				}
			}
			removal := w.write("config/set", Call{DryRun: true}, params{"section": "network", "httpProxy": nil}).Changes
			if len(removal) != 1 {
				t.Fatalf("got %+v, want the removal", removal)
			}
			same(t, "the removal", string(removal[0].Before), want)
			w.put(cliFile, `{"network":{}}`)
			addition := w.write("config/set", Call{DryRun: true}, params{"section": "network", "httpProxy": address}).Changes
			if len(addition) != 1 {
				t.Fatalf("got %+v, want the addition", addition)
			}
			same(t, "the addition", string(addition[0].After), want)
			t.Setenv("ZCODE_HTTP_PROXY", address)
			same(t, "the effective value", string(w.effective("").find(t, "network.httpProxy").Value), want)
		})
	}
}

// TestNeighboursAreMaskedInAnyArray: a flag tells that the next element is a
// secret, whatever the array is called and whatever else stands in it.
func TestNeighboursAreMaskedInAnyArray(t *testing.T) {
	for array, want := range map[string]string{
		`["--token","CANARY",5]`:        `["--token","********",5]`,
		`["--token",424242]`:            `["--token","********"]`,
		`["--token","CANARY",{"a":[]}]`: `["--token","********",{"a":[]}]`,
		`["a",null,true,7]`:             `["a",null,true,7]`,
		`[424242,{"a":"b"}]`:            `[424242,{"a":"b"}]`,
	} {
		t.Run(array, func(t *testing.T) {
			w := newWorld(t)
			w.put(cliFile, `{"memory":{"other":`+array+`},"hooks":{"events":{"Stop":[{"hooks":[{"type":"command","command":"x","other":`+array+`}]}]}}}`)
			answer, err := w.run("config/get", Call{}, params{"section": "memory"})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "the section", string(answer.(*ConfigSection).Section.Set), `{"other":`+want+`}`)
			answer, err = w.run("hooks/list", Call{}, params{})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "the hook", string(answer.(*HooksList).Hooks), `{"events":{"Stop":[{"hooks":[{"type":"command","command":"x","other":`+want+`}]}]}}`)
			whole, err := jsonedit.Parse([]byte(`{"memory":{"other":` + array + `}}`))
			if err != nil {
				t.Fatal(err)
			}
			none, err := jsonedit.Parse([]byte(`{"memory":{}}`))
			if err != nil {
				t.Fatal(err)
			}
			same(t, "the difference", string(maskedChanges(none, whole)[0].After), want)
		})
	}
}
