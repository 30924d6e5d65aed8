package redact

import "testing"

func TestURL(t *testing.T) {
	tests := []struct{ raw, want string }{
		{"https://h", ""},
		{"https://h:8080/a/b?x=1&y=%20#frag", ""},
		{"HTTPS://H/%zz?q=%zz", ""},
		{"https://user:pass@h/p", "https://_@h/p"},
		{"https://token@h/p", "https://_@h/p"},
		{"https://user:@h", "https://_@h"},
		{"https://:pass@h", "https://_@h"},
		{"https://u%40x:p%2Fw@h:1/p?a=1", "https://_@h:1/p?a=1"},
		{"https://a@b:c@h", "https://_@h"},
		{"https://user:p/w@h/x", "https://_@h/x"},
		{"https://user:p?w#x@h/x", "https://_@h/x"},
		{"https://@h/p", ""},
		{"https://h/@scope/pkg@1.0", ""},
		{"https://h:443/@scope", ""},
		{"https://[::1]:80/@x", ""},
		{"https://${HOST}/x", ""},
		{"https://${USER}:${PASS}@h/x", ""},
		{"https://${USER}:pass@h/x", "https://_@h/x"},
		{"postgres://u:1/2@h/d", "postgres://_@h/d"},
		{"mongodb+srv://u:p@h1:1,h2:2/d?retryWrites=true", "mongodb+srv://_@h1:1,h2:2/d?retryWrites=true"},
		{"redis://:p@h:6379/0", "redis://_@h:6379/0"},
		{"s3://bucket/@x", ""},
		{"https://h/?key=K", "https://h/?key=_"},
		{"https://h?api_key=K&x=1&Token=K", "https://h?api_key=_&x=1&Token=_"},
		{"https://h/?exaApiKey=K;tavilyApiKey=K", "https://h/?exaApiKey=_;tavilyApiKey=_"},
		{"https://h/?%6bey=K", "https://h/?%6bey=_"},
		{"https://h/?sig=a=b%3D&se=2", "https://h/?sig=_&se=2"},
		{"https://h/?X-Amz-Signature=K&X-Amz-Date=1&X-Amz-Credential=K", "https://h/?X-Amz-Signature=_&X-Amz-Date=1&X-Amz-Credential=_"},
		{"https://h/?code=K&keyboard=us&monkey=1&max_tokens=5&token=", "https://h/?code=_&keyboard=us&monkey=1&max_tokens=5&token="},
		{"https://h/?key=${KEY}", ""},
		{"https://h/?x=sk-KKKKKKKK", "https://h/?x=_"},
		{"https://h/?sk-KKKKKKKK", "https://h/?_"},
		{"https://h/?to=https%3A%2F%2Fu:p@h", "https://h/?to=_"},
		{"https://h/?to=https%3A%2F%2Fh%2F", ""},
		{"https://h/#access_token=K&state=1", "https://h/#access_token=_&state=1"},
		{"https://h/?a=1#/x?token=K", "https://h/?a=1#/x?token=_"},
		{"https://h/mcp/s/xR7bQ2nLw9ZsK4pT1vM8xR7bQ2/sse", "https://h/mcp/s/_/sse"},
		{"https://api.telegram.org/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawK/x", "https://api.telegram.org/_/x"},
		{"https://h/da39a3ee5e6b4b0d3255bfef95601890afd80709/123e4567-e89b-12d3-a456-426614174000", ""},
		{"http://[::1", ""},
		{"http://u:p@[::1", "http://_@[::1"},
		{"https://h:port/?token=K", "https://h:port/?token=_"},
		{"not a url", ""},
		{"", ""},
		{"h/p?token=K", "h/p?token=_"},
		{"u:p@h/p", "_@h/p"},
		{"TOKEN:@proxy.example:8080", "_@proxy.example:8080"},
		{":p@h:8080", "_@h:8080"},
		{"u:p@p:p@h:8080", "_@h:8080"},
		{"TOKEN@h:8080", "_@h:8080"},
		{"TOKEN@[::1]:8080/x", "_@[::1]:8080/x"},
		{"h:443/@scope", ""},
		{"me@h/x", ""},
		{"https:/u:p@h/x", "https:/_@h/x"},
		{"https:u:p@h/x", "_@h/x"},
		{"https:///u:p@h/x", "https:///_@h/x"},
		{`https:\\u:p@h/x`, `https:\\_@h/x`},
		{"//u:p@h/x?key=K", "//_@h/x?key=_"},
		{"//u:p/w@h/x", "//_@h/x"},
		{"//h/@scope/x", ""},
		{"/a/b@1:c@d", ""},
		{"C:/Users/me@x", ""},
		{"https://hooks.slack.com/services/T0/B0/K", "https://hooks.slack.com/services/_"},
		{"https://HOOKS.slack.com:443/services/T0/B0/K?x=1", "https://HOOKS.slack.com:443/services/_?x=1"},
		{"https://discord.com/api/webhooks/1/K", "https://discord.com/api/webhooks/_"},
		{"https://ptb.discordapp.com/api/v10/webhooks/1/K", "https://ptb.discordapp.com/api/v10/webhooks/_"},
		{"hooks.slack.com/services/T0/B0/K", "hooks.slack.com/services/_"},
		{"https://slack.com/services/T0", ""},
		{"https://discord.com/channels/1/2", ""},
		{"git@github.com:me/x", ""},
		{"://", ""},
	}
	for _, tt := range tests {
		want := tt.raw
		if tt.want != "" {
			want = masked(tt.want)
		}
		got := URL(tt.raw)
		if got != want {
			t.Errorf("URL(%q) = %q, want %q", tt.raw, got, want)
		}
		if again := URL(got); again != got {
			t.Errorf("URL(%q) = %q: masked twice it differs", got, again)
		}
	}
}
