package plugins

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"zcode-acp/settings/jsonedit"
)

var (
	errNotRegular = errors.New("is not a regular file")
	errMark       = errors.New("begins with a byte order mark, which ZCode cannot read: remove it")
)

// readDoc reads a JSON file of at most limit bytes.
func readDoc(path string, limit int64) (*jsonedit.Doc, error) {
	info, err := os.Stat(path) // opening a named pipe would wait for a writer
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return parseDoc(f, limit)
}

func parseDoc(f io.Reader, limit int64) (*jsonedit.Doc, error) {
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("is larger than %d KiB: it is not read", limit>>10)
	}
	d, err := jsonedit.Parse(text)
	if err != nil {
		return nil, err
	}
	if d.BOM() {
		return nil, errMark
	}
	return d, nil
}

// brokenForZCode tells errors of files that ZCode cannot read either from those
// of files that are only not read here.
func brokenForZCode(err error) bool {
	return errors.Is(err, jsonedit.ErrSyntax) || errors.Is(err, jsonedit.ErrEmpty) || errors.Is(err, errMark)
}

// problemOf tells why a file was not read.
func problemOf(err error, plugin, file string) Problem {
	p := Problem{Plugin: plugin, File: file}
	var syntax *jsonedit.SyntaxError
	var pathError *fs.PathError
	switch {
	case errors.As(err, &syntax):
		p.Line, p.Column, p.Reason = syntax.Line, syntax.Column, syntax.Reason
	case errors.As(err, &pathError):
		p.Reason = "cannot be read: " + pathError.Err.Error()
	default:
		p.Reason = err.Error()
	}
	return p
}
