package home

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// BuiltinProviderTables lists the files that may hold ZCode's table of built-in providers: first the one that
// ZCODE_BUILTIN_PROVIDER_CONFIG_FILE names, which need not exist, then the existing ones of the data base folder, the
// newest app version first and in one version the latest written. It looks at the disk at every call, follows no link out
// of that folder and answers nothing when there is none.
func (l Layout) BuiltinProviderTables() []string {
	var files []string
	if l.builtinFile != "" {
		files = append(files, l.builtinFile)
	}
	for _, table := range builtinTables(l.builtinDir) {
		if file := filepath.Join(l.builtinDir, filepath.FromSlash(table.name)); file != l.builtinFile {
			files = append(files, file)
		}
	}
	return files
}

// builtinTable is one file: name is <platform>/<version>/<endpoint>/zcode-builtin.json.
type builtinTable struct {
	name    string
	written time.Time
}

func builtinTables(dir string) []builtinTable {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	names, err := fs.Glob(root.FS(), "*/*/*/zcode-builtin.json")
	if err != nil {
		return nil
	}
	var tables []builtinTable
	for _, name := range names {
		if info, err := root.Stat(name); err == nil && info.Mode().IsRegular() {
			tables = append(tables, builtinTable{name, info.ModTime()})
		}
	}
	slices.SortFunc(tables, func(a, b builtinTable) int {
		return cmp.Or(
			compareVersions(b.version(), a.version()),
			b.written.Compare(a.written),
			strings.Compare(a.name, b.name),
		)
	})
	return tables
}

func (t builtinTable) version() string {
	return path.Base(path.Dir(path.Dir(t.name)))
}

// compareVersions orders app versions by their numbers; a pre-release comes before its release.
func compareVersions(a, b string) int {
	aNumbers, aPre, aIsPre := strings.Cut(a, "-")
	bNumbers, bPre, bIsPre := strings.Cut(b, "-")
	if c := slices.CompareFunc(strings.Split(aNumbers, "."), strings.Split(bNumbers, "."), compareParts); c != 0 {
		return c
	}
	switch {
	case aIsPre && !bIsPre:
		return -1
	case bIsPre && !aIsPre:
		return 1
	}
	return slices.CompareFunc(strings.Split(aPre, "."), strings.Split(bPre, "."), compareParts)
}

// compareParts orders numbers by value, however long, and before everything else.
func compareParts(a, b string) int {
	switch aNumber, bNumber := isNumber(a), isNumber(b); {
	case aNumber && bNumber:
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	case aNumber:
		return -1
	case bNumber:
		return 1
	}
	return strings.Compare(a, b)
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
