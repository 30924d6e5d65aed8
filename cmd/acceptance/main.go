// Command acceptance writes docs/acceptance.md: every statement that the project
// is held to, and the tests that show it. A test shows statements by a name, of
// itself or of a subtest, that begins with their numbers: "B046+B047 what holds".
//
//go:generate go run . -out ../../docs/acceptance.md ../..
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed statements.md
var statements string

func main() {
	out := flag.String("out", "docs/acceptance.md", "the file to write")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: acceptance [-out FILE] FOLDER")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *out); err != nil {
		fmt.Fprintln(os.Stderr, "acceptance:", err)
		os.Exit(1)
	}
}

func run(folder, out string) error {
	shown, err := tests(folder)
	if err != nil {
		return err
	}
	page, err := page(statements, shown)
	if err != nil {
		return err
	}
	return os.WriteFile(out, []byte(page), 0o644)
}

// numbers matches the beginning of a name that shows statements.
var numbers = regexp.MustCompile(`^[ABKHZ]\d{3}(\+[ABKHZ]\d{3})*\b`)

// tests finds, by number, where the test files of a folder show it.
func tests(folder string) (map[string][]string, error) {
	shown := map[string][]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return fmt.Errorf("reading the tests: %w", err)
		}
		relative, err := filepath.Rel(folder, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				collect(f, filepath.ToSlash(relative), filepath.Base(path), shown)
			}
		}
		return nil
	})
	for _, list := range shown {
		slices.Sort(list)
	}
	return shown, err
}

// collect notes the names that stand in a test function or in its tables; those
// of a function that only helps tests are told by the file.
func collect(f *ast.FuncDecl, folder, file string, shown map[string][]string) {
	place := file
	if strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz") {
		place = f.Name.Name
	}
	ast.Inspect(f, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		name, err := strconv.Unquote(literal.Value)
		if err != nil {
			return true
		}
		for number := range strings.SplitSeq(numbers.FindString(name), "+") {
			where := fmt.Sprintf("%s `%s`", folder, place)
			if number != "" && !slices.Contains(shown[number], where) {
				shown[number] = append(shown[number], where)
			}
		}
		return true
	})
}

// page writes the statements with what shows them. A number that is no
// statement's is a mistake in a test's name.
func page(statements string, shown map[string][]string) (string, error) {
	var b strings.Builder
	b.WriteString("# Acceptance\n\nWritten by `go generate ./cmd/acceptance`. " +
		"A statement without a test is not shown yet, whether or not it holds.\n")
	known := map[string]bool{}
	total := 0
	for line := range strings.Lines(statements) {
		line = strings.TrimSpace(line)
		number, statement, ok := strings.Cut(strings.TrimPrefix(line, "- "), " ")
		switch {
		case strings.HasPrefix(line, "## "):
			fmt.Fprintf(&b, "\n%s\n", line)
		case !strings.HasPrefix(line, "- ") || !ok:
			if !strings.HasPrefix(line, "# ") {
				fmt.Fprintf(&b, "\n### %s\n\n", line)
			}
		default:
			known[number] = true
			total++
			fmt.Fprintf(&b, "- **%s** %s", number, statement)
			if tests := shown[number]; len(tests) > 0 {
				fmt.Fprintf(&b, "\n  — shown by %s", strings.Join(tests, ", "))
			}
			b.WriteString("\n")
		}
	}
	for number := range shown {
		if !known[number] {
			return "", fmt.Errorf("a test shows %s, which is no statement", number)
		}
	}
	fmt.Fprintf(&b, "\n%d of %d statements are shown by tests.\n", len(shown), total)
	return b.String(), nil
}
