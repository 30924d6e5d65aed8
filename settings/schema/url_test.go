package schema

import (
	"testing"

	"zcode-acp/settings/jsonedit"
)

// TestAbsoluteURL: the answers are those of new URL(text) in Node.js.
func TestAbsoluteURL(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"https://a.example/mcp", true},
		{"HTTPS://A.example", true},
		{"http://", false},
		{"https:///x", true},
		{"https:\\\\a\\b", true},
		{"foo:bar", true},
		{"http:a", true},
		{"c:\\x", true},
		{" https://a \n", true},
		{"ht\ntps://a", true},
		{"https://h:99999", false},
		{"https://h:65535", true},
		{"https://h:", true},
		{"https://h:port", false},
		{"https://h:+1", false},
		{"https://a b/", false},
		{"https://a/b c", true},
		{"https://a/%zz", true},
		{"https://a%zz/", false},
		{"https://[::1", false},
		{"https://[::1]:80/", true},
		{"https://[::1%25eth0]/", false},
		{"https://[1.2.3.4]/", false},
		{"https://[::1]x/", false},
		{"http://${HOST}/mcp", true},
		{"https://a/${X}", true},
		{"//a/b", false},
		{"/x", false},
		{"", false},
		{"a", false},
		{"file:///x", true},
		{"file://a b/", false},
		{"1http://a", false},
		{"https://a:80:80/", false},
		{"https://u:p@h/", true},
		{"https://u@x:p@h/", true},
		{"https://u:p@/", false},
		{"https://@h/", true},
		{"https://é.example", true},
		{"http://a^b/", false},
		{"ws:///", false},
		{"wss://h", true},
		{"ftp://h/x", true},
		{"urn:", true},
		{"postgres://u:p@h:5432/d", true},
		{"postgres://", true},
		{"postgres:///d", true},
		{"postgres://u@/d", false},
		{"postgres://h:port/", false},
		{"postgres://a b/", false},
		{"postgres://a%zz/", true},
		{"https://a%41/", true},
		{"https://a%20/", false},
		{"https://a<b", false},
		{"https://a|b", false},
		{"https://a/?q=%zz#%zz", true},
		{"about:blank", true},
		{"data:,x", true},
		{"mailto:a@b", true},
		{"https:?x", false},
		{"https://?x", false},
		{"https://#", false},
	} {
		d, err := jsonedit.Parse(jsonedit.Quote(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(Check(d.Root(), AbsoluteURL)) == 0; got != tt.want {
			t.Errorf("AbsoluteURL accepts %q: %v, want %v", tt.text, got, tt.want)
		}
	}
}
