package redact

import "testing"

// TestMember: one text, which is a URL by some names only. In want, _ is the mask.
func TestMember(t *testing.T) {
	tests := []struct{ name, value, want string }{
		{"url", "u:K@h:80", "_@h:80"},
		{"baseURL", "u:K@h:80", "_@h:80"},
		{"httpProxy", "u:K@h:80", "_@h:80"},
		{"httpsProxy", "TOKEN:@h:80", "_@h:80"},
		{"proxy", "http://u:K@h:80", "http://_@h:80"},
		{"HTTP_PROXY", ":K@h:80", "_@h:80"},
		{"noProxy", "localhost,10.0.0.0/8", "localhost,10.0.0.0/8"},
		{"httpProxyNoProxy", "u:K@h:80", "u:_@h:80"},
		{"command", "u:K@h:80", "u:_@h:80"},
		{"", "run --token K", "run --token _"},
		{"httpProxy", "", ""},
		{"httpProxy", Mask + "@h:80", "_@h:80"},
	}
	for _, tt := range tests {
		if got, want := Member(tt.name, tt.value), masked(tt.want); got != want {
			t.Errorf("Member(%q, %q) = %q, want %q", tt.name, tt.value, got, want)
		}
	}
}
