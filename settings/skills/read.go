package skills

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"zcode-acp/settings/frontmatter"
)

// errIrregular tells that a SKILL.md is no file, so that it is no skill.
var errIrregular = errors.New("not a regular file")

// add reads the SKILL.md that stands at name in a folder and adds the skill,
// unless another path has led there already.
func (w *walker) add(found Skill, folder *os.Root, name string) {
	found.Path = filepath.Join(found.Dir, skillFile)
	found.Scope, found.Origin = w.root.Scope, w.root.Origin
	if w.scan.seen[found.RealPath] {
		return
	}
	text, err := readStart(folder, name)
	if errors.Is(err, errIrregular) {
		return
	}
	if err != nil {
		w.scan.fault(found.Path, "reading the skill", err)
		return
	}
	w.scan.seen[found.RealPath] = true
	if err := found.describe(text); err != nil {
		w.scan.fault(found.Path, "reading the front matter", err)
	}
	w.scan.skills = append(w.scan.skills, found)
}

// readStart returns as much of a file as ZCode loads, and one byte more when
// there is more.
func readStart(folder *os.Root, name string) ([]byte, error) {
	f, err := folder.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errIrregular}
	}
	return io.ReadAll(io.LimitReader(f, maxSkillFile+1))
}

// describe fills in what the text says of the skill.
func (s *Skill) describe(text []byte) error {
	s.Name = filepath.Base(s.Dir)
	if len(text) > maxSkillFile {
		s.Flags = append(s.Flags, TooLarge)
		text = text[:maxSkillFile]
	}
	// ZCode reads bytes that are no UTF-8 as replacement characters.
	doc, err := frontmatter.Parse([]byte(strings.ToValidUTF8(string(text), "\ufffd")))
	if errors.Is(err, frontmatter.ErrMissing) {
		return nil
	}
	if err != nil {
		return err
	}
	if name := shown(doc, "name"); name != "" {
		s.Name = name
	}
	s.Description = shown(doc, "description")
	s.Flags = append(s.Flags, flagsOf(doc, s.Description)...)
	return nil
}

func flagsOf(doc *frontmatter.Doc, description string) []Flag {
	var flags []Flag
	if description == "" {
		flags = append(flags, NoDescription)
	}
	if len(utf16.Encode([]rune(description))) > maxDescription {
		flags = append(flags, LongDescription)
	}
	if v, ok := doc.Value("user-invocable"); ok && fmt.Sprint(v.Any()) == "false" {
		flags = append(flags, NotInvocable)
	}
	if doc.BOM() {
		flags = append(flags, ByteOrderMark)
	}
	return flags
}

// shown is the value of a key as a person wrote it. Where the key's own line has
// no text, as with a block scalar, it is what YAML reads.
func shown(doc *frontmatter.Doc, key string) string {
	v, ok := doc.Value(key)
	if !ok {
		return ""
	}
	if line := v.Text(); line == "" && v.Kind() != frontmatter.Int && v.Kind() != frontmatter.Bool || strings.HasPrefix(line, "|") || strings.HasPrefix(line, ">") {
		if text, ok := nestedText(doc, key); ok {
			return strings.TrimSpace(text)
		}
	}
	switch v.Kind() {
	case frontmatter.Null, frontmatter.List, frontmatter.JSON:
		return ""
	}
	return strings.TrimSpace(fmt.Sprint(v.Any()))
}

func nestedText(doc *frontmatter.Doc, key string) (string, bool) {
	nested, _ := doc.Nested(key)
	text, ok := nested.(string)
	return text, ok
}
