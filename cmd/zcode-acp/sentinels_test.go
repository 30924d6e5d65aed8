package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"zcode-acp/acp"
	"zcode-acp/api"
	"zcode-acp/atomicwrite"
	"zcode-acp/lockfile"
	"zcode-acp/settings"
	"zcode-acp/settings/agents"
	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/history"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
	"zcode-acp/settings/skills"
)

// sentinels says how each error of the packages leaves at each door.
var sentinels = []struct {
	name string
	err  error
	code settings.Code
	http int
	rpc  int
	exit int
}{
	{"settings.ErrInvalid", settings.ErrInvalid, "invalid", 400, -32602, 1},
	{"settings.ErrUnknown", settings.ErrUnknown, "not_found", 400, -32002, 1},
	{"settings.ErrConflict", settings.ErrConflict, "conflict", 412, -32009, 3},
	{"settings.ErrBroken", settings.ErrBroken, "broken", 500, -32012, 5},
	{"cliconfig.ErrInvalid", cliconfig.ErrInvalid, "invalid", 400, -32602, 1},
	{"cliconfig.ErrUnknown", cliconfig.ErrUnknown, "not_found", 400, -32002, 1},
	{"provider.ErrInvalid", provider.ErrInvalid, "invalid", 400, -32602, 1},
	{"provider.ErrUnknown", provider.ErrUnknown, "not_found", 400, -32002, 1},
	{"provider.ErrExists", provider.ErrExists, "exists", 409, -32009, 3},
	{"provider.ErrAccount", provider.ErrAccount, "account_managed", 400, -32602, 1},
	{"provider.ErrNewer", provider.ErrNewer, "newer_version", 500, -32012, 5},
	{"agents.ErrInvalid", agents.ErrInvalid, "invalid", 400, -32602, 1},
	{"agents.ErrUnknown", agents.ErrUnknown, "not_found", 400, -32002, 1},
	{"agents.ErrExists", agents.ErrExists, "exists", 409, -32009, 3},
	{"agents.ErrAmbiguous", agents.ErrAmbiguous, "ambiguous", 409, -32009, 3},
	{"agents.ErrNotAgent", agents.ErrNotAgent, "broken", 500, -32012, 5},
	{"agents.ErrTooLarge", agents.ErrTooLarge, "too_large", 500, -32012, 5},
	{"agents.ErrTooMany", agents.ErrTooMany, "too_large", 500, -32012, 5},
	{"history.ErrUnknown", history.ErrUnknown, "not_found", 400, -32002, 1},
	{"history.ErrBusy", history.ErrBusy, "busy", 503, -32011, 4},
	{"history.ErrIrregular", history.ErrIrregular, "not_a_file", 500, -32013, 1},
	{"agents.ErrNotUTF8", agents.ErrNotUTF8, "broken", 500, -32012, 5},
	{"agents.ErrRoot", agents.ErrRoot, "not_a_file", 500, -32013, 1},
	{"frontmatter.ErrMissing", frontmatter.ErrMissing, "broken", 500, -32012, 5},
	{"frontmatter.ErrRefused", frontmatter.ErrRefused, "invalid", 400, -32602, 1},
	{"skills.ErrInvalid", skills.ErrInvalid, "invalid", 400, -32602, 1},
	{"skills.ErrOutside", skills.ErrOutside, "invalid", 400, -32602, 1},
	{"skills.ErrUnknown", skills.ErrUnknown, "not_found", 400, -32002, 1},
	{"skills.ErrExists", skills.ErrExists, "exists", 409, -32009, 3},
	{"home.ErrNoProject", home.ErrNoProject, "invalid", 400, -32602, 1},
	{"jsonedit.ErrSyntax", jsonedit.ErrSyntax, "broken", 500, -32012, 5},
	{"jsonedit.ErrEmpty", jsonedit.ErrEmpty, "broken", 500, -32012, 5},
	{"jsonedit.ErrDuplicate", jsonedit.ErrDuplicate, "broken", 500, -32012, 5},
	{"jsonedit.ErrPath", jsonedit.ErrPath, "broken", 500, -32012, 5},
	{"jsonedit.ErrTooDeep", jsonedit.ErrTooDeep, "too_large", 500, -32012, 5},
	{"jsonedit.ErrTooLarge", jsonedit.ErrTooLarge, "too_large", 500, -32012, 5},
	{"home.ErrNoHome", home.ErrNoHome, "no_home", 500, -32013, 1},
	{"home.ErrUnsafeState", home.ErrUnsafeState, "permission", 500, -32013, 1},
	{"lockfile.ErrTimeout", lockfile.ErrTimeout, "lock_timeout", 503, -32011, 4},
	{"lockfile.ErrInvalid", lockfile.ErrInvalid, "lock_invalid", 503, -32011, 4},
	{"lockfile.ErrLost", lockfile.ErrLost, "lock_lost", 503, -32011, 4},
	{"atomicwrite.ErrUnstable", atomicwrite.ErrUnstable, "busy", 503, -32011, 4},
	{"atomicwrite.ErrNoSpace", atomicwrite.ErrNoSpace, "no_space", 507, -32013, 1},
	{"atomicwrite.ErrReadOnly", atomicwrite.ErrReadOnly, "read_only", 500, -32013, 1},
	{"atomicwrite.ErrPermission", atomicwrite.ErrPermission, "permission", 500, -32013, 1},
	{"atomicwrite.ErrMount", atomicwrite.ErrMount, "mount_point", 500, -32013, 1},
	{"atomicwrite.ErrIrregular", atomicwrite.ErrIrregular, "not_a_file", 500, -32013, 1},
	{"atomicwrite.ErrLoop", atomicwrite.ErrLoop, "link_loop", 500, -32013, 1},
	{"atomicwrite.ErrTooLarge", atomicwrite.ErrTooLarge, "too_large", 500, -32012, 5},
	{"atomicwrite.ErrIO", atomicwrite.ErrIO, "io_error", 500, -32013, 1},
	{"context.DeadlineExceeded", context.DeadlineExceeded, "cancelled", 504, -32800, 1},
	{"unexpected", fmt.Errorf("something else"), "internal", 500, -32603, 1},
}

// TestSentinels walks every sentinel through the three maps.
func TestSentinels(t *testing.T) {
	for _, s := range sentinels {
		t.Run(s.name, func(t *testing.T) {
			failing := settings.Write("fail", "POST /settings/fail", settings.Immediate, "Fail.",
				func(context.Context, settings.Call, settings.None) (*settings.Written, error) {
					return nil, fmt.Errorf("doing something: %w", s.err)
				})
			h := doorsHome{catalog: settings.NewCatalog([]settings.Operation{failing})}
			checkREST(t, h, s.http, s.code)
			checkACP(t, h, s.rpc, s.code)
			var out, errs bytes.Buffer
			a := newApp(nil, &out, &errs, nil)
			a.json = true
			if got := a.exit(fmt.Errorf("doing something: %w", s.err)); got != s.exit {
				t.Errorf("the command line exits %d, want %d", got, s.exit)
			}
			if !strings.Contains(out.String(), `"code":"`+string(s.code)+`"`) {
				t.Errorf("the command line answers %s, want the code %s", out.String(), s.code)
			}
		})
	}
}

func checkREST(t *testing.T, h doorsHome, status int, code settings.Code) {
	t.Helper()
	server, err := api.New(h.catalog, api.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/settings/fail", strings.NewReader("{}"))
	r.Host = "127.0.0.1"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r)
	if w.Code != status || !strings.Contains(w.Body.String(), `"code":"`+string(code)+`"`) {
		t.Errorf("REST answers %d %s, want %d and the code %s", w.Code, w.Body, status, code)
	}
	if (w.Header().Get("Retry-After") != "") != (status == http.StatusServiceUnavailable) {
		t.Errorf("Retry-After is %q at %d", w.Header().Get("Retry-After"), status)
	}
}

func checkACP(t *testing.T, h doorsHome, rpc int, code settings.Code) {
	t.Helper()
	var out bytes.Buffer
	agent := acp.Agent{Catalog: h.catalog}
	line := `{"jsonrpc":"2.0","id":1,"method":"_zcode/settings/fail"}` + "\n"
	if err := agent.Serve(context.Background(), strings.NewReader(line), &out); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf(`"error":{"code":%d,`, rpc); !strings.Contains(out.String(), want) ||
		!strings.Contains(out.String(), `"code":"`+string(code)+`"`) {
		t.Errorf("ACP answers %s, want %s and the code %s", out.String(), want, code)
	}
}

// TestSentinelsAreListed finds every exported sentinel in the sources.
func TestSentinelsAreListed(t *testing.T) {
	var listed []string
	for _, s := range sentinels {
		listed = append(listed, s.name)
	}
	top := filepath.Join("..", "..")
	found := 0
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(gotoken.NewFileSet(), path, nil, 0)
		if err != nil || file.Name.Name == "jsonrpc" || file.Name.Name == "main" {
			return err // a connection's errors are no answers of an operation
		}
		for _, name := range exportedErrors(file) {
			found++
			if full := file.Name.Name + "." + name; !slices.Contains(listed, full) {
				t.Errorf("%s (in %s) is not walked through the doors", full, path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 20 {
		t.Errorf("only %d sentinels were found in the sources", found)
	}
}

func exportedErrors(file *ast.File) []string {
	var names []string
	for _, d := range file.Decls {
		declared, ok := d.(*ast.GenDecl)
		if !ok || declared.Tok != gotoken.VAR {
			continue
		}
		for _, spec := range declared.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				if strings.HasPrefix(name.Name, "Err") {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}
