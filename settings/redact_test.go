package settings

import "testing"

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
