package redact

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestArgs: arguments as they stand in people's MCP servers. In want, _ is the
// mask; without want nothing is masked.
func TestArgs(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"nothing", nil, nil},
		{"flag and value", []string{"--api-key", "K", "x"}, []string{"--api-key", "_", "x"}},
		{"flag=value", []string{"--access-token=K=K", "-token=K"}, []string{"--access-token=_", "-token=_"}},
		{"flag without value", []string{"--token=", "--key", ""}, nil},
		{"flag before another flag", []string{"--key", "--verbose", "x", "--key", "-v", "y"}, nil},
		{"flag before a token that begins with a hyphen", []string{"--token", "-xR7bQ2nLw9ZsK4pT1vM8"}, []string{"--token", "_"}},
		{"flag at the end", []string{"x", "--token"}, nil},
		{"flag before an argument that is a flag only by its mask", []string{"--token", Mask, "x"}, nil},
		{"variable", []string{"GITHUB_TOKEN=K", "PORT=8080"}, []string{"GITHUB_TOKEN=_", "PORT=8080"}},
		{"property", []string{"-DdbPassword=K", "--set", "auth.token=K"}, []string{"-DdbPassword=_", "--set", "auth.token=_"}},
		{"header", []string{"Authorization: Bearer K K", "X-Api-Key:K"}, []string{"Authorization: _", "X-Api-Key:_"}},
		{"header flag", []string{"--header", "X-Any: K K", "-H", "Cookie:K", "--header=A: K", "-HA: K"},
			[]string{"--header", "X-Any: _", "-H", "Cookie:_", "--header=A: _", "-HA: _"}},
		{"header flag with another form", []string{"--header", "A=K", "--header", "K"}, []string{"--header", "A=_", "--header", "_"}},
		{"variables in headers", []string{"--header", "Authorization: Bearer ${TOKEN}", "--header", "Authorization:${AUTH_HEADER}",
			"--token", "${input:api-key}", "--token=${env:T}", "-e", "A=${A}"}, nil},
		{"a default is a secret", []string{"--token", "${T:-K}", "--token=${T}K"}, []string{"--token", "_", "--token=_"}},
		{"docker", []string{"run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "-e", "A=K", "--env", "B=K", "--env=C=K", "-eD=K", "mcp/auth:latest"},
			[]string{"run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "-e", "A=_", "--env", "B=_", "--env=C=_", "-eD=_", "mcp/auth:latest"}},
		{"docker without secrets", []string{"run", "-v", "/a:/b:ro", "-p", "80:80", "--user", "1000:1000", "--mount", "type=bind,src=/a,dst=/b", "ghcr.io/a/b@sha256:0123456789abcdef"}, nil},
		{"-e of others", []string{"-e", "console.log(1)", "-e", ".", "-e", "const x=1"}, nil},
		{"login", []string{"-u", "me:K", "--user", "me", "--proxy-user=a:K"}, []string{"-u", "me:_", "--user", "me", "--proxy-user=a:_"}},
		{"URL", []string{"https://u:K@h/sse?api_key=K&x=1", "--url", "https://h/?token=K", "--url=https://h/?sig=K"},
			[]string{"https://_@h/sse?api_key=_&x=1", "--url", "https://h/?token=_", "--url=https://h/?sig=_"}},
		{"connection string", []string{"postgres://me:K@db.example:5432/x", "--dsn=postgresql://me@h/x", "mysql://a:K/K@h/db"},
			[]string{"postgres://_@db.example:5432/x", "--dsn=_", "mysql://_@h/db"}},
		{"connection string of fields", []string{"Server=h;User Id=me;Password=K K;Encrypt=true", "host=h user=me password=K dbname=d", "me:K@tcp(h:3306)/d", "--conn=Server=h;Password=K K"},
			[]string{"Server=h;User Id=me;Password=_;Encrypt=true", "host=h user=me password=_ dbname=d", "me:_@tcp(h:3306)/d", "--conn=Server=h;Password=_"}},
		{"JSON", []string{`{"apiKey": "K", "n": 1, "list":["sk-KKKKKKKK"],"env":{"A":"K","B":"${B}"}}`, `--config={"x":{"tokens":["K",7]}}`},
			[]string{`{"apiKey": "_", "n": 1, "list":["_"],"env":{"A":"_","B":"${B}"}}`, `--config={"x":{"tokens":["_","_"]}}`}},
		{"JSON inside JSON", []string{`{"a":"{\"token\":\"K\"}"}`}, []string{`{"a":"{\"token\":\"_\"}"}`}},
		{"nearly JSON", []string{`{apiKey: 'K', "token": "K\"K",}`, `{\"secret\": \"K\"`, `{"keys": ["K", "K"]`},
			[]string{`{apiKey: '_', "token": "_",}`, `{\"secret\": \"_\"`, `{"keys": _`}},
		{"script", []string{"-c", `exec env API_KEY=K npx x --header "Authorization: Bearer K" --token=K 'https://u:K@h'`},
			[]string{"-c", `exec env API_KEY=_ npx x --header "Authorization: _" --token=_ 'https://_@h'`}},
		{"value that begins with a hyphen", []string{"--token", "-abc", "--token", "--1abc", "--token", "-", "--token", "-v", "x", "--key", "--verbose"},
			[]string{"--token", "_", "--token", "_", "--token", "_", "--token", "-v", "x", "--key", "--verbose"}},
		{"flag with one hyphen behind one without a value", []string{"--auth", "-token", "K"}, []string{"--auth", "_", "_"}},
		{"words", []string{"run --token K --y", "x --key=K,K y", "curl -u a:K https://h", "x -e a=K -H 'X-Any: K K' -H \"B: K\" z"},
			[]string{"run --token _ --y", "x --key=_ y", "curl -u a:_ https://h", "x -e a=_ -H 'X-Any: _' -H \"B: _\" z"}},
		{"words in quotes", []string{`sh -c "run --token K" --y 'z'`, `x --token "K K" y`, `x --token 'K`, `x --token K"K K"K y`, `x --token K'K y`, `it's --token K'K`},
			[]string{`sh -c "run --token _" --y 'z'`, `x --token "_" y`, `x --token _`, `x --token _ y`, `x --token _`, `it's --token _`}},
		{"quoted words", []string{`x "--token" "K" y`, `exec(["--token", "K"])`, `exec(['--token','K'])`, `x \"--token\" \"K\"`, `"--token" K`},
			[]string{`x "--token" "_" y`, `exec(["--token", "_"])`, `exec(['--token','_'])`, `x \"--token\" \"_\"`, `"--token" _`}},
		{"words of headers", []string{"x -HX-Any:K y", "x -H X-Any:\tK y", "x --header Authorization: Bearer K y"},
			[]string{"x -HX-Any:_ y", "x -H X-Any:\t_ y", "x --header Authorization: _ y"}},
		{"words without secrets", []string{"run --verbose --max-tokens 5 -v x", "a --sort-key name -x", "x --token", "x --key --verbose y", "docker run -p 80:80 -p 1.2.3.4:80:80/tcp x"}, nil},
		{"any variable behind its flag", []string{"-e", "foo=K", "--env-var", "bar=K", "-E", "baz.x-y=K", "-efoo=K", "--env", `{"A":"K"}`, "run -e foo=K"},
			[]string{"-e", "foo=_", "--env-var", "bar=_", "-E", "baz.x-y=_", "-efoo=_", "--env", "_", "run -e foo=_"}},
		{"any header behind its flag", []string{"-Hx: K", "-HX=K", "--header", "x:K"}, []string{"-Hx: _", "-HX=_", "--header", "x:_"}},
		{"password of -p", []string{"mysql", "-pK", "sshpass", "-p", "K", "-ua:K", "mysql -pK@K! d", "sshpass -p K ssh h", "sshpass -p 'K K' ssh h"},
			[]string{"mysql", "-p" + Mask, "sshpass", "-p", "_", "-ua:_", "mysql -p" + Mask + " d", "sshpass -p _ ssh h", "sshpass -p '_' ssh h"}},
		{"other uses of -p", []string{"-p", "8080", "-p8080", "-p", "127.0.0.1:80:80", "-p", "3.12", "-p", "@scope/pkg@1.0", "-path", "x", "-port=80", "-project", "x", "-endpoint=x", "-url:x", "-p=80"}, nil},
		{"a program with variables", []string{"env TOKEN=K npx x"}, []string{"env TOKEN=_ npx x"}},
		{"URL with a slash missing", []string{"https:/u:K@h", "//u:K@h", "x https:/u:K@h y", "x //u:K@h y", "x=//u:K@h"},
			[]string{"https:/_@h", "//_@h", "x https:/_@h y", "x //_@h y", "x=//_@h"}},
		{"webhook", []string{"https://hooks.slack.com/services/T/B/K", "x hooks.slack.com/services/T/B/K y", "--url=https://discord.com/api/webhooks/1/K?wait=true"},
			[]string{"https://hooks.slack.com/services/_", "x hooks.slack.com/services/_ y", "--url=https://discord.com/api/webhooks/_?wait=true"}},
		{"bearer", []string{"Bearer KKKKKKKK", "say bearer KKKKKKKK, please"}, []string{"Bearer _", "say bearer _, please"}},
		{"private key", []string{"-----BEGIN PRIVATE KEY-----\nK\n-----END PRIVATE KEY-----"}, []string{"_"}},
		{"token by its look", []string{"sk-ant-KKKKKKK", "ghp_0123456789", "github_pat_11AAAAAAA_x", "xoxb-12345678-KKKK", "AKIAIOSFODNN7EXAMPLE",
			"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.K", "tvly-dev-0123456789", "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawK", "xR7bQ2nLw9ZsK4pT1vM8"},
			[]string{"_", "_", "_", "_", "_", "_", "_", "_", "_"}},
		{"harmless", []string{
			"-y", "@modelcontextprotocol/server-filesystem@2025.8.21", "/home/user/My Project", `C:\Users\me\x`, "--max-tokens", "4096",
			"--maxTokens=4096", "--tokenizer", "cl100k_base", "--keyboard", "us", "--author", "me", "--no-auth", "x", "--monkey", "x",
			"--token-file", "/run/token", "--auth-type=oauth", "--key-path", "k.pem", "--public-key", "K", "--sort-key", "name",
			"--locale", "sk-SK", "--id", "123e4567-e89b-12d3-a456-426614174000", "--rev", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
			"--require-auth", "x", "--input-tokens", "7", "--bearer-token-env-var", "TOKEN", "https://h/@scope/x?q=1#top", "mcp-remote@latest",
			"git@github.com:me/x.git", "npm:@me/x", "com.example.ServerFilesystemV2Release", "ServerFilesystemVersion2ReleaseCandidate", "--hotkey=ctrl+k", "a=b=c", "a: b", "127.0.0.1:8080",
		}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := []string{}
			for _, w := range tt.want {
				want = append(want, masked(w))
			}
			if tt.want == nil {
				want = append(want, tt.args...)
			}
			got := Args(tt.args)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(got, Args(got)); diff != "" {
				t.Errorf("masked twice (-once +twice):\n%s", diff)
			}
		})
	}
}

// masked puts the mask where a lone _ stands.
func masked(s string) string {
	isWord := func(i int) bool {
		return i >= 0 && i < len(s) && (s[i] == '_' || s[i] >= '0' && s[i] <= '9' || s[i] >= 'A' && s[i] <= 'Z' || s[i] >= 'a' && s[i] <= 'z')
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] == '_' && !isWord(i-1) && !isWord(i+1) {
			b.WriteString(Mask)
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func TestArgsKeepsItsInput(t *testing.T) {
	args := []string{"--token", "K"}
	if got := Args(args); args[1] != "K" || got[1] != Mask {
		t.Errorf("got %q, the input is now %q", got, args)
	}
}

// TestDeepText would not end if texts inside texts were followed to the bottom.
func TestDeepText(t *testing.T) {
	const secret = "hunter2hunter2"
	deep := strings.Repeat("a=", 50_000) + "--token=" + secret
	if got := Args([]string{deep})[0]; strings.Contains(got, secret) {
		t.Error("a secret deep inside is shown")
	}
	urls := strings.Repeat("https://h/?to=", 5_000) + "https://u:" + secret + "@h"
	if got := URL(urls); strings.Contains(got, secret) {
		t.Error("a secret in a URL inside URLs is shown")
	}
}

// TestManyFlags would take minutes if each flag were looked for in all the rest.
func TestManyFlags(t *testing.T) {
	for _, part := range []string{"-u=a=", "-e a", ",-ea", "-u ", "-e '", `"--token`, "-H a: ", `-u "`, "--token=$", `\"-u\" `, "-u=-e=", "//", "a:/"} {
		start := time.Now()
		Args([]string{strings.Repeat(part, 60_000/len(part))})
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("many %q took %v", part, took)
		}
	}
}
