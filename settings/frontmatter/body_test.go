package frontmatter

import (
	"errors"
	"testing"
)

func TestSetBody(t *testing.T) {
	tests := []struct{ name, before, body, want string }{
		{"blank line stays", "---\na: 1\n---\n\nOld.\n", "New.", "---\na: 1\n---\n\nNew.\n"},
		{"no blank line stays none", "---\na: 1\n---\nOld.\n", "\nNew.\n\n", "---\na: 1\n---\nNew.\n"},
		{"two blank lines, one with spaces", "---\na: 1\n---\n\n \t\nOld.\n\n\n", "New.", "---\na: 1\n---\n\n \t\nNew.\n"},
		{"spaces before the text are the text's", "---\na: 1\n---\n\n  Old.\n", "    code", "---\na: 1\n---\n\n    code\n"},
		{"CRLF", "---\r\na: 1\r\n---\r\n\r\nOld.\r\n", "New.\n\nMore.\n", "---\r\na: 1\r\n---\r\n\r\nNew.\r\n\r\nMore.\r\n"},
		{"CRLF into LF", "---\na: 1\n---\nOld.\n", "New.\r\nMore.", "---\na: 1\n---\nNew.\nMore.\n"},
		{"missing final newline", "---\na: 1\n---\nOld.", "New.", "---\na: 1\n---\nNew.\n"},
		{"the same", "---\na: 1\n---\n\nOld.\n\n", "Old.", "---\na: 1\n---\n\nOld.\n\n"},
		{"the same in a file without final newline", "---\na: 1\n---\n\nOld.", "\nOld.\n", "---\na: 1\n---\n\nOld."},
		{"a fence in the text", "---\na: 1\n---\nOld.\n", "---\nb: 2\n---", "---\na: 1\n---\n---\nb: 2\n---\n"},
		{"nothing", "---\na: 1\n---\n\nOld.\n", " \n", "---\na: 1\n---\n\n"},
		{"from nothing", "---\na: 1\n---\n", "New.", "---\na: 1\n---\nNew.\n"},
		{"from nothing behind a blank line", "---\na: 1\n---\n\n", "New.", "---\na: 1\n---\n\nNew.\n"},
		{"from nothing behind spaces", "---\na: 1\n---\n  ", "New.", "---\na: 1\n---\n  \nNew.\n"},
		{"from a file that ends at the fence", "---\r\na: 1\r\n---", "New.", "---\r\na: 1\r\n---\r\nNew.\r\n"},
		{"block that YAML cannot read", "---\na: b: c\na: 2\n---\nOld.\n", "New.", "---\na: b: c\na: 2\n---\nNew.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			edited, err := mustParse(t, tt.before).SetBody([]byte(tt.body))
			if err != nil || string(edited.Text()) != tt.want {
				t.Errorf("got %q, %v, want %q", edited.Text(), err, tt.want)
			}
		})
	}
}

func TestSetBodyErrors(t *testing.T) {
	_, err := mustParse(t, "---\na: 1\n---\nOld.\n").SetBody([]byte("SECRET \xff"))
	if want := "editing the text below the front matter: the new text is not UTF-8"; !errors.Is(err, ErrRefused) || err.Error() != want {
		t.Errorf("not UTF-8: %v, want %q", err, want)
	}
	_, err = mustParse(t, "---\na: |\n  b\n  ---\n  c\n---\nOld.\n").SetBody([]byte("New."))
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Line != 4 {
		t.Errorf("the fence may be in a block scalar: %v, want a refusal that names line 4", err)
	}
}
