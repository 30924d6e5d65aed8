package frontmatter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestListChanges edits a list that stands one item a line: lines of items that
// stay are not touched, nor are comments.
func TestListChanges(t *testing.T) {
	const list = "tools:\n# c1\n    -   Read # c2\n\n    # c3\n    - 'Grep'\n    - Glob\n# c4\nb: 1\n"
	tests := []struct {
		name  string
		items []string
		want  string
	}{
		{"append", []string{"Read", "Grep", "Glob", "*"}, "tools:\n# c1\n    -   Read # c2\n\n    # c3\n    - 'Grep'\n    - Glob\n    -   \"*\"\n# c4\nb: 1\n"},
		{"prepend", []string{"*", "Read", "Grep", "Glob"}, "tools:\n# c1\n    -   \"*\"\n    -   Read # c2\n\n    # c3\n    - 'Grep'\n    - Glob\n# c4\nb: 1\n"},
		{"insert", []string{"Read", "x", "y", "Grep", "Glob"}, "tools:\n# c1\n    -   Read # c2\n\n    # c3\n    -   x\n    -   y\n    - 'Grep'\n    - Glob\n# c4\nb: 1\n"},
		{"remove the first", []string{"Grep", "Glob"}, "tools:\n# c1\n\n    # c3\n    - 'Grep'\n    - Glob\n# c4\nb: 1\n"},
		{"remove the middle", []string{"Read", "Glob"}, "tools:\n# c1\n    -   Read # c2\n\n    # c3\n    - Glob\n# c4\nb: 1\n"},
		{"remove the last", []string{"Read", "Grep"}, "tools:\n# c1\n    -   Read # c2\n\n    # c3\n    - 'Grep'\n# c4\nb: 1\n"},
		{"replace the first", []string{"x", "Grep", "Glob"}, "tools:\n# c1\n    -   x\n\n    # c3\n    - 'Grep'\n    - Glob\n# c4\nb: 1\n"},
		{"replace the last by two", []string{"Read", "Grep", "x", "y"}, "tools:\n# c1\n    -   Read # c2\n\n    # c3\n    - 'Grep'\n    -   x\n    -   y\n# c4\nb: 1\n"},
		{"replace all", []string{"x", "y"}, "tools:\n# c1\n    -   x\n\n    # c3\n    -   y\n# c4\nb: 1\n"},
		{"another order", []string{"Grep", "Glob", "Read"}, "tools:\n# c1\n\n    # c3\n    - 'Grep'\n    - Glob\n    -   Read\n# c4\nb: 1\n"},
		{"one twice", []string{"Read", "Read", "Grep", "Glob"}, "tools:\n# c1\n    -   Read # c2\n\n    # c3\n    -   Read\n    - 'Grep'\n    - Glob\n# c4\nb: 1\n"},
		{"none", []string{}, "tools: []\n# c4\nb: 1\n"},
	}
	for _, eol := range []string{"\n", "\r\n"} {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				d := mustParse(t, strings.ReplaceAll(fenced(list), "\n", eol))
				edited, err := d.Set("tools", ListOf(tt.items...))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.ReplaceAll(fenced(tt.want), "\n", eol), string(edited.Text())); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestListOfOtherKinds: ZCode leaves out items that are no texts, so a list of
// texts that look the same is another.
func TestListOfOtherKinds(t *testing.T) {
	d := mustParse(t, fenced("skills:\n  - 12\n  - true\n  - x\n"))
	edited, err := d.Set("skills", ListOf("12", "true", "x"))
	if want := fenced("skills:\n  - \"12\"\n  - \"true\"\n  - x\n"); err != nil || string(edited.Text()) != want {
		t.Errorf("got %v, %v, want %q", edited, err, want)
	}
}

// TestLongLists are longer than what is compared item by item.
func TestLongLists(t *testing.T) {
	items := make([]string, 1100)
	for i := range items {
		items[i] = strings.Repeat("x", i%50+1) + string(rune('a'+i%26))
	}
	d := mustParse(t, fenced("tools:\n  - "+strings.Join(items, "\n  - ")+"\n"))
	edited, err := d.Set("tools", ListOf(items[1:]...))
	if want := fenced("tools:\n  - " + strings.Join(items[1:], "\n  - ") + "\n"); err != nil || string(edited.Text()) != want {
		t.Errorf("the list without its first item is wrong: %v", err)
	}
}
