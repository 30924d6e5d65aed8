package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKeyLike(t *testing.T) {
	secret := `apiKey api_key APIKEY apikey api-key X-Api-Key x-api-key ANTHROPIC_API_KEY apiKeys API_KEY_2 apiKey2 exaApiKey openAIKey
		key --key KEY accessKeyId AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID privateKey private_key_pem signingKey licenseKey encryptionKey
		token GITHUB_TOKEN githubtoken --auth-token authToken tokens access_token refreshToken idToken X-Amz-Security-Token INPUT_TOKEN
		secret clientSecret client_secret SECRETS oauth.clientSecret password PGPASSWORD dbPassword passwd passphrase DB_PASS --pass pwd
		auth --auth Authorization Proxy-Authorization bearer credentials GOOGLE_CREDENTIALS Cookie Set-Cookie session sessionId sessionToken
		sig Signature X-Amz-Signature jwt JWT DSN SENTRY_DSN otp connectionString ConnectionStrings GITHUB_PAT
		--windows-password --usage-api-key --limit-token --enable-token --require-password --secret-name --api-key-name
		dbpass PGPASS requirepass userpass openaikey masterauth nodeauthkey creds AWS_CREDS cred pw db_pw psk wifiPsk pin --pin seed
		walletSeed seedPhrase pinCode mnemonic`
	for _, name := range strings.Fields(secret) {
		if !KeyLike(name) {
			t.Errorf("KeyLike(%q) = false", name)
		}
	}
	harmless := `keyboard monkey author authority tokenizer tokenize turkey keys.json.file keyBindings key_code keyEvents hotkey hotKey
		max_tokens maxTokens --max-tokens max-output-tokens inputTokens completion_tokens total_tokens tokenBudget token_count tokenLimit
		apiKeyRequired apiKeyManagementUrl token-file TOKEN_FILE tokenEndpoint token_type auth-type authMode auth_provider_url
		--no-auth --no-token --skip-auth disable-auth requireAuth bearer_token_env_var passThrough compass bypass access sessionTimeout
		session_dir publicKey primary_key sortKey cacheKey sigterm pattern path signal significant design assign secretary keystroke
		token-limit token-limits max-token limitTokens tokens_per_minute max_tokens_per_user auth-timeout --enable-auth --require-auth
		oauth noauth hockey monkeys compass trespass publickey pinned pinch seeding
		name value url command args timeoutMs type id user username email host port model x 1 - _ --`
	for _, name := range append(strings.Fields(harmless), "", "é") {
		if KeyLike(name) {
			t.Errorf("KeyLike(%q) = true", name)
		}
	}
}

func TestString(t *testing.T) {
	for secret, want := range map[string]string{"": "", "x": Mask, Mask: Mask, "${X}": Mask} {
		if got := String(secret); got != want {
			t.Errorf("String(%q) = %q, want %q", secret, got, want)
		}
	}
}

func TestMap(t *testing.T) {
	in := map[string]string{"A": "x", "B": "", "PATH": "/bin"}
	if diff := cmp.Diff(map[string]string{"A": Mask, "B": "", "PATH": Mask}, Map(in)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if in["A"] != "x" {
		t.Error("the map itself was masked")
	}
	if Map(nil) != nil {
		t.Error("nothing became an empty map")
	}
}

func TestRestore(t *testing.T) {
	url := "https://u:p@h/"
	tests := []struct {
		written, present, masked string
		want                     string
		ok                       bool
	}{
		{Mask, "secret", Mask, "secret", true},
		{"new", "secret", Mask, "new", true},
		{"", "secret", Mask, "", true},
		{URL(url), url, URL(url), url, true},
		{"https://" + Mask + "@other/", url, URL(url), "", false},
		{Mask, "", "", "", false},
		{"a" + Mask, "secret", Mask, "", false},
		{"plain", "plain", "plain", "plain", true},
		{"", "", "", "", true},
	}
	for _, tt := range tests {
		got, ok := Restore(tt.written, tt.present, tt.masked)
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("Restore(%q, %q, %q) = %q, %v, want %q, %v", tt.written, tt.present, tt.masked, got, ok, tt.want, tt.ok)
		}
	}
}

func TestDescribe(t *testing.T) {
	tests := []struct{ secret, hint, text string }{
		{"", "", `{"set":false}`},
		{"123456789012345", "", `{"set":true}`},
		{"1234567890123456", "3456", `{"set":true,"hint":"…3456"}`},
		{strings.Repeat("é", 15), "", `{"set":true}`},
		{"éééééééééééé€€€é", "€€€é", `{"set":true,"hint":"…€€€é"}`},
	}
	for _, tt := range tests {
		if got := Hint(tt.secret); got != tt.hint {
			t.Errorf("Hint(%q) = %q, want %q", tt.secret, got, tt.hint)
		}
		text, err := json.Marshal(Describe(tt.secret))
		if err != nil || string(text) != tt.text {
			t.Errorf("Describe(%q) is %s, %v, want %s", tt.secret, text, err, tt.text)
		}
	}
}
