package settings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"zcode-acp/atomicwrite"
	"zcode-acp/lockfile"
	"zcode-acp/settings/agents"
	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/history"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
	"zcode-acp/settings/skills"
)

// sentinels are all that the packages below export, by the name of the package.
var sentinels = map[string]struct {
	err  error
	code Code
}{
	"settings.ErrInvalid":       {ErrInvalid, CodeInvalid},
	"settings.ErrUnknown":       {ErrUnknown, CodeUnknown},
	"settings.ErrConflict":      {ErrConflict, CodeConflict},
	"settings.ErrBroken":        {ErrBroken, CodeBroken},
	"provider.ErrInvalid":       {provider.ErrInvalid, CodeInvalid},
	"provider.ErrUnknown":       {provider.ErrUnknown, CodeUnknown},
	"provider.ErrExists":        {provider.ErrExists, CodeExists},
	"provider.ErrAccount":       {provider.ErrAccount, CodeAccount},
	"provider.ErrNewer":         {provider.ErrNewer, CodeNewer},
	"cliconfig.ErrInvalid":      {cliconfig.ErrInvalid, CodeInvalid},
	"cliconfig.ErrUnknown":      {cliconfig.ErrUnknown, CodeUnknown},
	"jsonedit.ErrSyntax":        {jsonedit.ErrSyntax, CodeBroken},
	"jsonedit.ErrEmpty":         {jsonedit.ErrEmpty, CodeBroken},
	"jsonedit.ErrDuplicate":     {jsonedit.ErrDuplicate, CodeBroken},
	"jsonedit.ErrTooDeep":       {jsonedit.ErrTooDeep, CodeTooLarge},
	"jsonedit.ErrTooLarge":      {jsonedit.ErrTooLarge, CodeTooLarge},
	"jsonedit.ErrPath":          {jsonedit.ErrPath, CodeBroken},
	"home.ErrNoHome":            {home.ErrNoHome, CodeNoHome},
	"home.ErrNoProject":         {home.ErrNoProject, CodeInvalid},
	"agents.ErrInvalid":         {agents.ErrInvalid, CodeInvalid},
	"agents.ErrUnknown":         {agents.ErrUnknown, CodeUnknown},
	"agents.ErrExists":          {agents.ErrExists, CodeExists},
	"agents.ErrAmbiguous":       {agents.ErrAmbiguous, CodeAmbiguous},
	"agents.ErrNotAgent":        {agents.ErrNotAgent, CodeBroken},
	"agents.ErrTooLarge":        {agents.ErrTooLarge, CodeTooLarge},
	"agents.ErrTooMany":         {agents.ErrTooMany, CodeTooLarge},
	"history.ErrUnknown":        {history.ErrUnknown, CodeUnknown},
	"history.ErrBusy":           {history.ErrBusy, CodeBusy},
	"history.ErrIrregular":      {history.ErrIrregular, CodeIrregular},
	"agents.ErrNotUTF8":         {agents.ErrNotUTF8, CodeBroken},
	"agents.ErrRoot":            {agents.ErrRoot, CodeIrregular},
	"frontmatter.ErrMissing":    {frontmatter.ErrMissing, CodeBroken},
	"frontmatter.ErrRefused":    {frontmatter.ErrRefused, CodeInvalid},
	"skills.ErrInvalid":         {skills.ErrInvalid, CodeInvalid},
	"skills.ErrUnknown":         {skills.ErrUnknown, CodeUnknown},
	"skills.ErrExists":          {skills.ErrExists, CodeExists},
	"skills.ErrOutside":         {skills.ErrOutside, CodeInvalid},
	"home.ErrUnsafeState":       {home.ErrUnsafeState, CodePermission},
	"lockfile.ErrTimeout":       {lockfile.ErrTimeout, CodeLockTimeout},
	"lockfile.ErrInvalid":       {lockfile.ErrInvalid, CodeLockInvalid},
	"lockfile.ErrLost":          {lockfile.ErrLost, CodeLockLost},
	"atomicwrite.ErrNoSpace":    {atomicwrite.ErrNoSpace, CodeNoSpace},
	"atomicwrite.ErrReadOnly":   {atomicwrite.ErrReadOnly, CodeReadOnly},
	"atomicwrite.ErrPermission": {atomicwrite.ErrPermission, CodePermission},
	"atomicwrite.ErrMount":      {atomicwrite.ErrMount, CodeMount},
	"atomicwrite.ErrIrregular":  {atomicwrite.ErrIrregular, CodeIrregular},
	"atomicwrite.ErrLoop":       {atomicwrite.ErrLoop, CodeLoop},
	"atomicwrite.ErrTooLarge":   {atomicwrite.ErrTooLarge, CodeTooLarge},
	"atomicwrite.ErrUnstable":   {atomicwrite.ErrUnstable, CodeBusy},
	"atomicwrite.ErrIO":         {atomicwrite.ErrIO, CodeIO},
}

// TestEverySentinelHasACode reads the sources, so that a new sentinel cannot be
// forgotten.
func TestEverySentinelHasACode(t *testing.T) {
	found := map[string]bool{}
	for _, dir := range []string{".", "provider", "cliconfig", "jsonedit", "schema", "redact", "home", "agents", "frontmatter", "plugins", "skills", "history", "effective", "../lockfile", "../atomicwrite"} {
		for _, name := range exportedErrors(t, dir) {
			found[name] = true
		}
	}
	for name := range found {
		s, ok := sentinels[name]
		if !ok {
			t.Errorf("%s has no row here: give it a code", name)
			continue
		}
		if got := CodeOf(fmt.Errorf("doing something: %w", s.err)); got != s.code {
			t.Errorf("%s: got %s, want %s", name, got, s.code)
		}
		listed := false
		for _, c := range codes {
			listed = listed || c.sentinel == s.err
		}
		if !listed {
			t.Errorf("%s is not in codes", name)
		}
	}
	for name := range sentinels {
		if !found[name] {
			t.Errorf("%s stands nowhere any more", name)
		}
	}
}

// exportedErrors lists the package variables of a folder that begin with Err.
func exportedErrors(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v, %d files", dir, err, len(files))
	}
	var names []string
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok || group.Tok != token.VAR {
				continue
			}
			for _, spec := range group.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if strings.HasPrefix(name.Name, "Err") {
						names = append(names, file.Name.Name+"."+name.Name)
					}
				}
			}
		}
	}
	return names
}

func TestCodeOfOtherErrors(t *testing.T) {
	wrapped := func(err error) error {
		return fmt.Errorf("locking: %w", &fs.PathError{Op: "mkdir", Path: "p", Err: err})
	}
	tests := []struct {
		err  error
		want Code
	}{
		{fmt.Errorf("waiting: %w", context.Canceled), CodeCancelled},
		{fmt.Errorf("waiting: %w", context.DeadlineExceeded), CodeCancelled},
		{wrapped(syscall.EACCES), CodePermission},
		{wrapped(syscall.ENOSPC), CodeNoSpace},
		{wrapped(syscall.EROFS), CodeReadOnly},
		{wrapped(syscall.EIO), CodeIO},
		{errors.New("unforeseen"), CodeInternal},
		{&lockfile.TimeoutError{}, CodeLockTimeout},
		{&BrokenError{cause: jsonedit.ErrSyntax}, CodeBroken},
		{&BrokenError{cause: provider.ErrNewer}, CodeNewer},
	}
	for _, tt := range tests {
		if got := CodeOf(tt.err); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%v: got %s, want %s", tt.err, got, tt.want)
		}
	}
}

// TestAdvice: an error of the system says what a person can do, once.
func TestAdvice(t *testing.T) {
	for err, want := range map[error]string{
		syscall.ENOSPC:                        "free some space and try again; nothing was changed",
		syscall.EROFS:                         "make the file system writable and try again; nothing was changed",
		syscall.EACCES:                        "let this user write there and try again; nothing was changed",
		home.ErrUnsafeState:                   home.ErrUnsafeState.Error(),
		&lockfile.TimeoutError{Path: "/f"}:    "when no program uses it",
		fmt.Errorf("x: %w", context.Canceled): context.Canceled.Error(),
	} {
		got := advise(fmt.Errorf("locking: %w", err))
		if !strings.HasSuffix(got.Error(), want) || !errors.Is(got, err) {
			t.Errorf("got %q, want it to end with %q", got, want)
		}
	}
}

// TestErrorsOfTheDisk: what stands in the way of a write is told with a code.
func TestErrorsOfTheDisk(t *testing.T) {
	tests := []struct {
		name  string
		place func(w *world) error
		want  Code
	}{
		{"a folder in place of the file", func(w *world) error { return os.MkdirAll(w.path(cliFile), 0o700) }, CodeIrregular},
		{"a file in place of the folder", func(w *world) error {
			return errors.Join(os.MkdirAll(w.dir, 0o700), os.WriteFile(w.path("cli"), nil, 0o600))
		}, CodeIO},
		{"a link in a circle", func(w *world) error {
			return errors.Join(os.MkdirAll(w.path("cli"), 0o700), os.Symlink("config.json", w.path(cliFile)))
		}, CodeLoop},
		{"a link in place of the state folder", func(w *world) error {
			return os.Symlink(t.TempDir(), w.engine.Layout.StateRoot())
		}, CodePermission},
		{"a link in place of the lock", func(w *world) error {
			return errors.Join(os.MkdirAll(w.path("cli"), 0o700), os.Symlink("nowhere", w.path(cliFile)+".lock"))
		}, CodeLockInvalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			if err := tt.place(w); err != nil {
				t.Fatal(err)
			}
			_, err := w.run("mcp/upsert", Call{}, params{"name": "x", "command": "y"})
			if got := Describe(err); got.Code != tt.want {
				t.Errorf("got %+v, want %s", got, tt.want)
			}
		})
	}
}

// TestErrorsHideSecrets makes everything fail that holds a secret.
func TestErrorsHideSecrets(t *testing.T) {
	secrets := params{"CANARY": 1}
	tests := []struct {
		name, cli, providers, op string
		in                       params
	}{
		{"a member of the wrong kind", "", "", "mcp/upsert", params{"name": "x", "env": "CANARY-a"}},
		{"an unknown member", "", "", "mcp/upsert", params{"name": "x", "command": "c", "extra": "CANARY-a"}},
		{"a value of the wrong kind", "", "", "mcp/upsert", params{"name": "x", "command": "c", "env": params{"A": []string{"CANARY-a"}}}},
		{"an incomplete server", "", "", "mcp/upsert", params{"name": "x", "url": "", "env": params{"A": "CANARY-a"}}},
		{"a lost mask", "", "", "mcp/upsert", params{"name": "x", "command": "c", "args": []string{"CANARY-a", "********"}}},
		{"a key with a line break", "", "", "providers/set-key", params{"id": "p1", "apiKey": "CANARY-a\n"}},
		{"a key of the wrong kind", "", "", "providers/set-key", params{"id": "p1", "apiKey": []string{"CANARY-a"}}},
		{"a header with a line break", "", "", "providers/update", params{"id": "p1", "headers": params{"A": "CANARY-a\n"}}},
		{"an address that is none", "", "", "providers/create", params{"providerId": "p9", "apiKeyManagementUrl": "CANARY-a", "apiKey": "CANARY-b"}},
		{"a taken id", "", "", "providers/create", params{"providerId": "p1", "apiKey": "CANARY-a"}},
		{"text behind a secret", `{"env": "CANARY-a" "CANARY-b"}`, "", "mcp/remove", params{"name": "x"}},
		{"a bare secret", `{"env": CANARY-a}`, "", "mcp/remove", params{"name": "x"}},
		{"a cut secret", `{"env": "CANARY-a`, "", "mcp/remove", params{"name": "x"}},
		{"a wrong escape", `{"env": "CANARY-a\q"}`, "", "mcp/remove", params{"name": "x"}},
		{"a violation", "", strings.Replace(providersWithSecrets, `"CANARY-key"`, `["CANARY-key"]`, 1), "providers/order", params{"order": []string{"p1"}}},
		{"servers that are no object", `{"mcp": {"servers": "CANARY-a"}}`, "", "mcp/upsert", params{"name": "x", "command": "c"}},
		{"a server that is no object", `{"mcp": {"servers": {"x": "CANARY-a"}}}`, "", "mcp/upsert", params{"name": "x", "command": "c"}},
		{"a backup that is none", "", "", "backups/restore", params{"file": "CANARY-a", "stamp": "CANARY-b"}},
		{"an etag that is none", "", "", "where", secrets},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			var log bytes.Buffer
			w.engine.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			w.put(cliFile, orText(tt.cli, cliWithSecrets))
			w.put(providerFile, orText(tt.providers, providersWithSecrets))
			for _, call := range []Call{{}, {DryRun: tt.op != "where"}, {IfMatch: "CANARY-tag"}} {
				_, err := w.run(tt.op, call, tt.in)
				if err == nil {
					t.Fatal("got no error")
				}
				body, encodeErr := Encode(Describe(err))
				if encodeErr != nil {
					t.Fatal(encodeErr)
				}
				for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err), string(body), log.String()} {
					if canary.MatchString(text) {
						t.Errorf("secret in %s", text)
					}
				}
				if CodeOf(err) == CodeInternal {
					t.Errorf("%v has no code", err)
				}
			}
		})
	}
}

func orText(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func TestDescribe(t *testing.T) {
	broken := &BrokenError{Document: "d", File: "/f", Pointer: "/p", Line: 3, Column: 4, Reason: "must be mended"}
	tests := []struct {
		err  error
		want ErrorBody
	}{
		{broken, ErrorBody{Error: "/f: line 3, column 4 (/p) must be mended", Code: CodeBroken, File: "/f", Pointer: "/p", Line: 3, Column: 4}},
		{fmt.Errorf("reading: %w", &BrokenError{File: "/f", Line: 1, Column: 2, Reason: "is wrong"}),
			ErrorBody{Error: "reading: /f: line 1, column 2: is wrong", Code: CodeBroken, File: "/f", Line: 1, Column: 2}},
		{&BrokenError{File: "/f", Reason: "is empty"}, ErrorBody{Error: "/f: is empty", Code: CodeBroken, File: "/f"}},
		{invalid("/a", "is wrong"), ErrorBody{Error: "/a is wrong", Code: CodeInvalid, Pointer: "/a"}},
		{invalid("", "is wrong"), ErrorBody{Error: "is wrong", Code: CodeInvalid}},
		{&cliconfig.InvalidError{Pointer: "/a", Reason: "is wrong"}, ErrorBody{Error: "/a is wrong", Code: CodeInvalid, Pointer: "/a"}},
		{&provider.InvalidError{Pointer: "/a", Reason: "is wrong"}, ErrorBody{Error: "/a is wrong", Code: CodeInvalid, Pointer: "/a"}},
		{&ConflictError{Section: "mcp", ETag: "e"},
			ErrorBody{Error: "mcp changed since it was read: read it again and repeat the change", Code: CodeConflict, ETag: "e"}},
		{errors.New("unforeseen"), ErrorBody{Error: "unforeseen", Code: CodeInternal}},
	}
	for _, tt := range tests {
		if got := Describe(tt.err); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("got %+v, want %+v", got, tt.want)
		}
	}
}
