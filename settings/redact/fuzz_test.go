package redact

import (
	"strings"
	"testing"
)

var texts = []string{
	"", "x", "--token", "--token=K", "-e\nA=K", "--header\nAuthorization: Bearer K", "https://u:p@h/a?key=K#token=K", "u:p@h",
	`{"apiKey":"K","env":{"A":"K"}}`, `{"a":"{\"token\":\"K\"}"}`, `{token: 'K'`, "Server=h;Password=K", "Bearer KKKKKKKK",
	"postgres://u:p/w@h", "a=b=c:d", "sk-KKKKKKKK", "${X}", Mask, "https://" + Mask + "@h", "-u\na:b", `{\"key\": \"K\"`,
	"https://h/?to=https%3A%2F%2Fu:p@h", "run --token S --y", "x -H 'A: b c' -pS", `sh -c "x --token 'a b' -e a=b"`, "--key 'a\n'b' c",
	"//u:p@h", "https:/u:p@h", "hooks.slack.com/services/a/b", "-\n--auth\n-token\nx", `x "--token" "K"`,
}

// FuzzArgs: any arguments can be masked, as many come out, and masking again
// changes nothing.
func FuzzArgs(f *testing.F) {
	for _, s := range texts {
		f.Add(s)
		f.Add("--key\n" + s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		args := strings.Split(s, "\n")
		once := Args(args)
		if len(once) != len(args) {
			t.Fatalf("%d arguments became %d", len(args), len(once))
		}
		twice := Args(once)
		for i := range once {
			if once[i] != twice[i] {
				t.Fatalf("argument %d of %q: once %q, twice %q", i, args, once[i], twice[i])
			}
			if value, ok := Restore(once[i], args[i], once[i]); !ok || value != args[i] {
				t.Fatalf("argument %d of %q is not restored: %q, %v", i, args, value, ok)
			}
		}
	})
}

// FuzzURL: any text can be masked, and masking again changes nothing.
func FuzzURL(f *testing.F) {
	for _, s := range texts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := URL(s)
		if twice := URL(once); twice != once {
			t.Fatalf("%q: once %q, twice %q", s, once, twice)
		}
	})
}

// FuzzSecretStaysHidden puts a secret in every place where one is known by its
// place or name, between any other text.
func FuzzSecretStaysHidden(f *testing.F) {
	f.Add("x", "y")
	f.Add("a b", "c=d")
	f.Add("https://h/?", "&x=1")
	f.Fuzz(func(t *testing.T, left, right string) {
		const secret = "K93mxq"
		if strings.Contains(left+right, secret) || strings.ContainsAny(left+right, "\n") {
			return // found even where it is hidden, or no single argument
		}
		for _, args := range [][]string{
			{left, "--token", secret, right},
			{left, "--token", secret + right},
			{left, "--token", "-" + secret + right},
			{left, "-p", secret + right},
			{left, "-p" + secret + right},
			{left, "-Hx: " + secret + right},
			{left, "--env", "a=" + secret + right},
			{left, "run --token " + secret + " " + right},
			{left, "run --token '" + secret + "' " + right},
			{left, "mysql -p" + secret + " " + right},
			{left, "curl -u a:" + secret + " " + right},
			{left, "https://hooks.slack.com/services/" + secret + right},
			{left, "//u:" + secret + "@h/" + right},
			{left, "--api-key=" + secret + right},
			{left, "-H", "X-Any: " + secret + right},
			{left, "Authorization: " + secret + right},
			{left, "-e", "A=" + secret + right},
			{left, "https://u:" + secret + "@h/" + right},
			{left, "https://h/?token=" + secret + "&" + right},
		} {
			if got := strings.Join(Args(args), "\n"); strings.Contains(got, secret) {
				t.Fatalf("%q shows the secret: %q", args, got)
			}
		}
	})
}
