package settings

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/skills"
)

// SkillsList is the answer of skills/list.
type SkillsList struct {
	OK       bool     `json:"ok"`
	Skills   []Skill  `json:"skills"` // by name, then path
	ETag     string   `json:"etag"`
	Warnings []string `json:"warnings,omitempty"`

	problem error // of the file with the switches, behind the first warning
}

// Skill is one skill and whether ZCode has it on.
type Skill struct {
	skills.Skill
	Enabled bool   `json:"enabled"`
	Reason  string `json:"reason,omitempty"` // why, where it is not the switch that says so, or where ZCode's parts differ
}

// SkillEnable turns a skill on or off.
type SkillEnable struct {
	Path    string `json:"path"` // absolute, of its SKILL.md
	Enable  *bool  `json:"enable"`
	Enabled *bool  `json:"enabled"`
}

// SkillPath names a skill by the absolute path of its SKILL.md.
type SkillPath struct {
	Path string `json:"path"`
}

// SkillCopy names a skill, of the project in cwd as well.
type SkillCopy struct {
	Path string `json:"path"`
	Cwd  string `json:"cwd"` // absolute
}

// SkillWritten is the answer of skills/copy-to-user and skills/delete.
type SkillWritten struct {
	Written
	Path    string          `json:"path,omitempty"`    // of the copy
	Removed *skills.Deleted `json:"removed,omitempty"` // what was, or with dryRun would be, deleted
}

func (e *Engine) skillOperations() []Operation {
	return []Operation{
		Read("skills/list", "/settings/skills", "List the skills.", e.listSkills),
		Write("skills/enable", "POST /settings/skills/enable", Immediate, "Turn a skill on or off.", e.enableSkill),
		Write("skills/copy-to-user", "POST /settings/skills/copy-to-user", Immediate,
			"Copy a skill into the user's own folder of ZCode.", e.copySkill),
		Write("skills/delete", "DELETE /settings/skills/{path...}", Immediate,
			"Delete a skill and its switch; of a linked one only the link goes.", e.deleteSkill),
	}
}

// skillRoots are the folders in which ZCode looks for skills.
func (e *Engine) skillRoots(d *jsonedit.Doc, in InProject) ([]skills.Root, error) {
	roots := []skills.Root{
		{Path: e.Layout.Path(home.SkillsDir), Scope: skills.User, Deletable: true},
		{Path: e.Layout.Path(home.AgentsSkillsDir), Scope: skills.Agents, Deletable: true},
	}
	dirs, err := projectDirs(in)
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		for _, at := range []string{".zcode", ".agents"} {
			roots = append(roots, skills.Root{Path: filepath.Join(dir, at, "skills"), Scope: skills.Project, Origin: dir})
		}
	}
	list, _ := e.pluginsOf(d, in.Cwd)
	for _, p := range list {
		if p.InstallPath != "" {
			roots = append(roots, pluginSkillRoots(p)...)
		}
	}
	return append(roots, e.settingsSkillRoots(d, in.Cwd)...), nil
}

// pluginSkillRoots are the usual folder of a plugin and each skill that its
// manifest names elsewhere.
func pluginSkillRoots(p Plugin) []skills.Root {
	usual := filepath.Join(p.InstallPath, "skills")
	roots := []skills.Root{{Path: usual, Scope: skills.Plugin, Origin: p.ID}}
	for _, skill := range p.Contents.Skills {
		if dir := filepath.Dir(skill.Path); dir != usual && !strings.HasPrefix(dir, usual+string(filepath.Separator)) {
			roots = append(roots, skills.Root{Path: dir, Scope: skills.Plugin, Origin: p.ID, Reach: skills.Single})
		}
	}
	return roots
}

// settingsSkillRoots are the folders of `skills.roots`, into which only the CLI
// looks; a relative one counts below cwd. They come last, so that a skill that lies
// in one of the other folders too stays one of that.
func (e *Engine) settingsSkillRoots(d *jsonedit.Doc, cwd string) []skills.Root {
	named := d.Root().Get("skills").Get("roots")
	if named.Kind() != jsonedit.Array {
		return nil
	}
	userHome := filepath.Dir(filepath.Dir(e.Layout.Path(home.AgentsSkillsDir)))
	var roots []skills.Root
	for c := range named.Children() {
		path := c.Text()
		if below, ok := strings.CutPrefix(filepath.ToSlash(path), "~/"); ok {
			path = filepath.Join(userHome, below)
		} else if path != "" && !filepath.IsAbs(path) {
			path = filepath.Join(cwd, path)
		}
		if filepath.IsAbs(path) {
			roots = append(roots, skills.Root{
				Path: filepath.Clean(path), Scope: skills.User, Origin: skills.FromSettings, Reach: skills.Shallow,
			})
		}
	}
	return roots
}

func (e *Engine) listSkills(ctx context.Context, in InProject) (*SkillsList, error) {
	file, err := e.load(ctx, cliConfig)
	if err != nil {
		return nil, err
	}
	list, warnings, err := e.skillsOf(ctx, file.doc, in)
	if err != nil {
		return nil, err
	}
	return &SkillsList{
		OK: true, Skills: list, ETag: cliConfig.etag("skills", file.doc),
		Warnings: append(file.warnings(), warnings...), problem: file.problem,
	}, nil
}

func (e *Engine) skillsOf(ctx context.Context, d *jsonedit.Doc, in InProject) ([]Skill, []string, error) {
	roots, err := e.skillRoots(d, in)
	if err != nil {
		return nil, nil, err
	}
	found, problems := skills.Scan(roots)
	var warnings []string
	for _, p := range problems {
		warnings = append(warnings, p.Path+": "+p.Reason)
	}
	off := map[string]string{}
	plugins, _ := e.pluginsOf(d, in.Cwd)
	for _, p := range plugins {
		if !p.Enabled {
			off[p.ID] = p.Reason
		}
	}
	list := make([]Skill, 0, len(found))
	for _, s := range found {
		skill := Skill{Skill: s}
		state := skillState(d, s)
		skill.Enabled, skill.Reason = state.Desktop && state.CLI, state.Reason
		if why, isOff := off[s.Origin]; isOff && s.Scope == skills.Plugin {
			skill.Enabled, skill.Reason = false, "its plugin is off: "+why
		}
		list = append(list, skill)
	}
	return list, warnings, ctx.Err()
}

// skillState tells what ZCode makes of the switches of a skill.
func skillState(d *jsonedit.Doc, s skills.Skill) cliconfig.SkillState {
	return cliconfig.SkillEnabled(d, s.RealPath, runtime.GOOS, s.Path)
}

// realSkill returns the path of a SKILL.md without links, by which ZCode knows it.
func realSkill(path string) (string, error) {
	if err := required("/path", path); err != nil {
		return "", err
	}
	if !filepath.IsAbs(path) || filepath.Base(path) != "SKILL.md" {
		return path, nil // refused by the edit, in its own words
	}
	if strings.ContainsRune(path, 0) {
		return path, invalid("/path", "must not hold a NUL character")
	}
	real, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil:
		return real, nil
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EIO):
		return path, advise(fmt.Errorf("looking for the skill: %w", err))
	}
	// No such file, one in place of a folder, links in a circle, a name too long.
	return path, fmt.Errorf("%w: there is no skill %.200s: list the skills to see the paths", ErrUnknown, path)
}

// switchSkill runs an edit of the switches.
func (e *Engine) switchSkill(ctx context.Context, call Call, apply func(*jsonedit.Doc) (*jsonedit.Doc, []string, error)) (*Written, error) {
	return e.change(ctx, call, edit{document: cliConfig, section: "skills", effect: Immediate, apply: apply})
}

func (e *Engine) enableSkill(ctx context.Context, call Call, in SkillEnable) (*Written, error) {
	on, err := eitherSpelling(in.Enabled, in.Enable)
	if err != nil {
		return nil, err
	}
	real, err := realSkill(in.Path)
	// A switch may outlive its skill: turning it on clears what is left.
	if err != nil && !(on && errors.Is(err, ErrUnknown)) {
		return nil, err
	}
	return e.change(ctx, call, edit{
		document: cliConfig, section: "skills", effect: Immediate,
		apply: func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
			return cliconfig.EnableSkill(d, real, on, runtime.GOOS, in.Path)
		},
		warn: func(_, after *jsonedit.Doc) []string {
			if on {
				return nil
			}
			return e.outsideSkillRoots(after, real, in.Path)
		},
	})
}

// outsideSkillRoots warns of a switch whose skill ZCode finds in no folder of the
// user's.
func (e *Engine) outsideSkillRoots(d *jsonedit.Doc, real, path string) []string {
	roots, err := e.skillRoots(d, InProject{})
	if err != nil {
		return nil
	}
	found, _ := skills.Scan(roots)
	if slices.ContainsFunc(found, func(s skills.Skill) bool { return s.RealPath == real || s.Path == path }) {
		return nil
	}
	return []string{"ZCode looks for skills elsewhere: the switch has no effect unless a project has it"}
}

// unchanged is the edit that only holds a precondition.
func unchanged(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) { return d, nil, nil }

func (e *Engine) copySkill(ctx context.Context, call Call, in SkillCopy) (*SkillWritten, error) {
	if err := required("/path", in.Path); err != nil {
		return nil, err
	}
	// The switches are only looked at, so a broken file of them is in nobody's way.
	file, err := e.load(ctx, cliConfig)
	answer := &SkillWritten{Written: Written{OK: true, Effect: Immediate, Changed: true, DryRun: call.DryRun}}
	switch {
	case err == nil:
		answer.ETag, answer.Warnings = cliConfig.etag("skills", file.doc), file.warnings()
	case errors.Is(err, ErrBroken) && call.IfMatch == "":
		file.doc, answer.Warnings = cliConfig.fresh(), sentences(err)
	default:
		return nil, err
	}
	if err := holds(call, "skills", answer.ETag); err != nil {
		return nil, err
	}
	roots, err := e.skillRoots(file.doc, InProject{Cwd: in.Cwd})
	if err != nil {
		return nil, err
	}
	to := e.Layout.Path(home.SkillsDir)
	if call.DryRun {
		answer.Path, err = skills.CheckCopy(roots, in.Path, to)
	} else {
		answer.Path, err = skills.CopyToUser(ctx, roots, in.Path, to)
	}
	if err != nil {
		return nil, advise(err)
	}
	noteFolder(ctx, answer.Path, "is a copied skill: delete it instead")
	return answer, nil
}

// deleteSkill removes a folder, then its switch, since a skill that is installed
// again should be on. A switch that cannot be edited stops it before.
func (e *Engine) deleteSkill(ctx context.Context, call Call, in SkillPath) (*SkillWritten, error) {
	roots, err := e.skillRootsNow(ctx, call, in)
	if err != nil {
		return nil, err
	}
	removed, err := skills.CheckDelete(roots, in.Path)
	if err != nil {
		return nil, advise(err)
	}
	real, err := realSkill(in.Path)
	if err != nil && !errors.Is(err, ErrUnknown) {
		return nil, err
	}
	forget := func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		if removed.Link && seenElsewhere(roots, real, in.Path) {
			return d, nil, nil
		}
		next, notes, err := cliconfig.EnableSkill(d, real, true, runtime.GOOS, in.Path)
		if err == nil && next != d {
			notes = append(notes, "its switch went too")
		}
		return next, notes, err
	}
	held := call
	held.DryRun = true
	written, err := e.switchSkill(ctx, held, forget)
	if err != nil {
		return nil, err
	}
	answer := &SkillWritten{Written: *written, Removed: &removed}
	answer.Changed, answer.DryRun = true, call.DryRun
	inside := skillsInside(roots, removed)
	answer.Warnings = append(answer.Warnings, inside...)
	if call.DryRun {
		return answer, nil
	}
	if removed, err = skills.Delete(roots, in.Path); err != nil {
		return nil, advise(err)
	}
	noteFolder(ctx, removed.Path, "was deleted for good")
	answer.Changes = nil
	if !written.Changed {
		return answer, nil
	}
	// What was begun is ended, also when the caller has gone.
	written, err = e.switchSkill(context.WithoutCancel(ctx), Call{Door: call.Door, Client: call.Client, Repair: call.Repair}, forget)
	if err != nil {
		answer.Also = nil
		answer.Warnings = append(answer.Warnings, fmt.Sprintf("the skill is gone, and its switch still says off: %v", err))
		return answer, nil
	}
	answer.Written = *written
	answer.Changed = true
	answer.Warnings = append(answer.Warnings, inside...)
	return answer, nil
}

// skillsInside warns of other skills that a folder takes along.
func skillsInside(roots []skills.Root, removed skills.Deleted) []string {
	if removed.Link {
		return nil
	}
	var list []string
	found, _ := skills.Scan(roots)
	for _, s := range found {
		if strings.HasPrefix(s.Dir, removed.Path+string(filepath.Separator)) {
			list = append(list, "the skill inside of it goes too: "+s.Path)
		}
	}
	return list
}

// holds compares the etag of a section with the one that the caller has seen.
func holds(call Call, section, tag string) error {
	if call.IfMatch == "" {
		return nil
	}
	ok, err := MatchTag(call.IfMatch, tag, false)
	if err == nil && !ok {
		err = &ConflictError{Section: section, ETag: tag}
	}
	return err
}

// seenElsewhere reports whether ZCode finds the same file through another folder.
func seenElsewhere(roots []skills.Root, real, path string) bool {
	found, _ := skills.Scan(roots)
	return slices.ContainsFunc(found, func(s skills.Skill) bool { return s.RealPath == real && s.Path != path })
}

func (e *Engine) skillRootsNow(ctx context.Context, call Call, in SkillPath) ([]skills.Root, error) {
	if err := required("/path", in.Path); err != nil {
		return nil, err
	}
	file, err := e.load(ctx, cliConfig)
	if call.Repair && errors.Is(err, ErrBroken) {
		file.doc, err = cliConfig.fresh(), nil // the edit of the switch mends it
	}
	if err != nil {
		return nil, err
	}
	return e.skillRoots(file.doc, InProject{})
}
