package provider_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
	"zcode-acp/settings/schema"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func parse(t testing.TB, text string) *jsonedit.Doc {
	t.Helper()
	d, err := jsonedit.Parse([]byte(text))
	if err != nil {
		t.Fatalf("parsing %s: %v", text, err)
	}
	return d
}

func load(t testing.TB, name string) *jsonedit.Doc {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(text))
}

func set(t testing.TB, d *jsonedit.Doc, path jsonedit.Path, value string) *jsonedit.Doc {
	t.Helper()
	d, err := d.Set(path, []byte(value))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func without(t testing.TB, d *jsonedit.Doc, path jsonedit.Path) *jsonedit.Doc {
	t.Helper()
	if !d.Find(path).Exists() {
		t.Fatalf("there is no %s to delete", path.Pointer())
	}
	d, err := d.Delete(path)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// result is what every change returns.
type result struct {
	doc   *jsonedit.Doc
	notes []string
	err   error
}

func run(doc *jsonedit.Doc, notes []string, err error) result { return result{doc, notes, err} }

// canonical wants success, a document without violations, and returns its text.
func (r result) canonical(t testing.TB) string {
	t.Helper()
	if r.err != nil {
		t.Fatalf("got error %v", r.err)
	}
	if problems := provider.Check(r.doc); len(problems) > 0 {
		t.Fatalf("got violations %v in\n%s", problems, r.doc.Text())
	}
	d, err := provider.Canonical(r.doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(d.Text())
}

// refused wants that error and no document.
func (r result) refused(t testing.TB, want error) {
	t.Helper()
	if !errors.Is(r.err, want) {
		t.Errorf("got error %v, want one that wraps %q", r.err, want)
	}
	if r.doc != nil || r.notes != nil {
		t.Error("got a document or notes beside the error")
	}
}

// invalidAt wants an InvalidError that points there.
func (r result) invalidAt(t testing.TB, pointer string) {
	t.Helper()
	r.refused(t, provider.ErrInvalid)
	var invalid *provider.InvalidError
	if !errors.As(r.err, &invalid) || invalid.Pointer != pointer {
		t.Errorf("got error %v, want one at %q", r.err, pointer)
	}
}

func pointers(problems []schema.Problem) []string {
	var list []string
	for _, p := range problems {
		list = append(list, p.Pointer)
	}
	return list
}

func some[T any](v T) provider.Optional[T] { return provider.Optional[T]{Set: true, Value: v} }

func null[T any]() provider.Optional[T] { return provider.Optional[T]{Set: true, Null: true} }

func TestNew(t *testing.T) {
	d := provider.New()
	// An untouched install of ZCode has a file of this size.
	if got, want := len(d.Text()), 206; got != want {
		t.Errorf("got %d bytes, want %d", got, want)
	}
	if got := run(d, nil, nil).canonical(t); got != string(d.Text()) {
		t.Errorf("got canonical form\n%s\nwant the skeleton itself\n%s", got, d.Text())
	}
}
