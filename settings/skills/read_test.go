package skills

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestDescribe(t *testing.T) {
	front := func(lines string) string { return "---\n" + lines + "---\nBody\n" }
	long := strings.Repeat("x", 1024)
	emoji := strings.Repeat("😀", 512) // two UTF-16 units each
	tests := []struct {
		name, text        string
		want, description string
		flags             []Flag
	}{
		{"empty file", "", "folder", "", nil},
		{"no front matter", "# Title\n", "folder", "", nil},
		{"never closed", "---\nname: x\n", "folder", "", nil},
		{"both", front("name: x\ndescription: d\n"), "x", "d", nil},
		{"quoted", front("name: \"x y\"\ndescription: 'a: b # c'\n"), "x y", "a: b # c", nil},
		{"no name", front("description: d\n"), "folder", "d", nil},
		{"empty name", front("name:\ndescription: d\n"), "folder", "d", nil},
		{"number and word", front("name: 123\ndescription: true\n"), "123", "true", nil},
		{"windows line ends", "---\r\nname: x\r\ndescription: d\r\n---\r\n", "x", "d", nil},
		{"block scalar", front("name: x\ndescription: >-\n  one\n  two\n"), "x", "one two", nil},
		{"value on the next line", front("name: x\ndescription:\n  one\n"), "x", "one", nil},
		{"no description", front("name: x\n"), "x", "", []Flag{NoDescription}},
		{"empty description", front("name: x\ndescription: \"\"\n"), "x", "", []Flag{NoDescription}},
		{"list as description", front("name: x\ndescription: [a]\n"), "x", "", []Flag{NoDescription}},
		{"1024", front("description: " + long + "\n"), "folder", long, nil},
		{"1025", front("description: " + long + "x\n"), "folder", long + "x", []Flag{LongDescription}},
		{"512 emoji", front("description: " + emoji + "\n"), "folder", emoji, nil},
		{"512 emoji and one", front("description: " + emoji + "x\n"), "folder", emoji + "x", []Flag{LongDescription}},
		{"not invocable", front("description: d\nuser-invocable: false\n"), "folder", "d", []Flag{NotInvocable}},
		{"not invocable, quoted", front("description: d\nuser-invocable: \"false\"\n"), "folder", "d", []Flag{NotInvocable}},
		{"invocable", front("description: d\nuser-invocable: true\n"), "folder", "d", nil},
		{"invocable, other word", front("description: d\nuser-invocable: falsely\n"), "folder", "d", nil},
		{"byte order mark", "\ufeff" + front("name: x\ndescription: d\n"), "x", "d", []Flag{ByteOrderMark}},
		{"byte order mark alone", "\ufeffText", "folder", "", nil},
		{"several", "\ufeff" + front("user-invocable: false\n"), "folder", "", []Flag{NoDescription, NotInvocable, ByteOrderMark}},
		{"100000 bytes", padded(front("name: x\ndescription: d\n"), 100000), "x", "d", nil},
		{"100001 bytes", padded(front("name: x\ndescription: d\n"), 100001), "x", "d", []Flag{TooLarge}},
		{"not UTF-8", front("name: x\ndescription: a\xffb\n"), "x", "a\ufffdb", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := folder(t)
			write(t, root, "folder/SKILL.md", tt.text)
			list, problems := Scan([]Root{user(root)})
			if len(list) != 1 || problems != nil {
				t.Fatalf("got %v and %v, want one skill", list, problems)
			}
			got := list[0]
			if got.Name != tt.want || got.Description != tt.description {
				t.Errorf("got %q and %q, want %q and %q", got.Name, got.Description, tt.want, tt.description)
			}
			if diff := cmp.Diff(tt.flags, got.Flags); diff != "" {
				t.Errorf("flags (-want +got):\n%s", diff)
			}
		})
	}
}

func padded(text string, size int) string { return text + strings.Repeat("x", size-len(text)) }

func TestEveryFlagHasAReason(t *testing.T) {
	for _, f := range []Flag{NoDescription, LongDescription, TooLarge, NotInvocable, Shadowed, ByteOrderMark} {
		if f.Reason() == "" {
			t.Errorf("%s has no reason", f)
		}
	}
	if got := Flag("other").Reason(); got != "" {
		t.Errorf("an unknown flag has the reason %q", got)
	}
}

func FuzzDescribe(f *testing.F) {
	f.Add([]byte("---\nname: x\ndescription: d\n---\n"))
	f.Add([]byte("\ufeff---\ndescription: |\n  a\n---"))
	f.Add([]byte("---\nuser-invocable: false\nname: \xff\n---\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := Skill{Dir: "/folder"}
		if err := s.describe(text); err != nil {
			t.Errorf("describe: %v", err)
		}
		if s.Name == "" || !utf8.ValidString(s.Name+s.Description) {
			t.Errorf("name %q, description %q", s.Name, s.Description)
		}
	})
}
