package settings

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"zcode-acp/settings/agents"
	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/plugins"
	"zcode-acp/settings/skills"
)

// switches finds switches of skills that switch nothing.
func (c *checkup) switches(report *FileReport, doc *jsonedit.Doc) {
	for _, s := range cliconfig.SkillSwitches(doc) {
		command := "zcode-acp settings skills enable " + argument(s.Key)
		if !strings.HasSuffix(s.Path, "/SKILL.md") {
			command = "${EDITOR:-vi} " + quoted(report.Path) // no operation takes it for a skill
		}
		_, err := os.Stat(filepath.FromSlash(s.Path))
		if s.Enabled || !isMissing(err) {
			continue
		}
		c.add(Finding{Severity: Note, Kind: "no_effect", Document: "cliConfig", File: report.Path,
			Pointer: jsonedit.Path{s.Spelling, s.Key}.Pointer(),
			Message: fmt.Sprintf("%s turns off a skill that is not on this machine: %s", report.Path, s.Key),
			Command: command})
	}
}

// agents looks at the files of the subagents.
func (c *checkup) agents(ctx context.Context) {
	root := c.engine.Layout.Path(home.AgentsDir)
	files, err := agents.Scan(ctx, root)
	if err != nil {
		c.add(Finding{Severity: Serious, Kind: "unreadable", Document: "agents", File: root,
			Message: fmt.Sprintf("ZCode finds no agent of yours: %v", err), Command: "ls -ld " + quoted(root)})
	}
	for _, f := range files {
		c.agent(f)
	}
	c.links(root)
}

func (c *checkup) agent(f agents.File) {
	c.lock(&FileReport{Document: "agents", Path: f.Path})
	finding := Finding{Document: "agents", File: f.Path, Command: "${EDITOR:-vi} " + quoted(f.Path)}
	switch {
	case errors.Is(f.Err, agents.ErrNotAgent):
		finding.Severity, finding.Kind = Warning, "agent_skipped"
		finding.Message = fmt.Sprintf("ZCode does not list %s as an agent: %v", f.Path, f.Err)
		c.add(finding)
	case f.Err != nil:
		finding.Severity, finding.Kind = Serious, "unreadable"
		finding.Message = fmt.Sprintf("%s: %v", f.Path, f.Err)
		c.add(finding)
	}
	for _, w := range f.Profile.Warnings {
		finding.Severity, finding.Kind, finding.Line = Warning, "agent", w.Line
		finding.Message = fmt.Sprintf("%s, line %d: the key %s %s", f.Path, w.Line, w.Key, w.Reason)
		c.add(finding)
	}
}

// links tells about files that look like agents and are passed over.
func (c *checkup) links(root string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return // told by the scan
	}
	for _, entry := range entries {
		if entry.Type()&os.ModeSymlink != 0 {
			path := filepath.Join(root, entry.Name())
			c.add(Finding{Severity: Warning, Kind: "agent_skipped", Document: "agents", File: path,
				Message: path + " is a link, which ZCode does not follow: put the file itself there", Command: "ls -l " + quoted(path)})
		}
	}
}

// skills looks at every skill that one of ZCode's readers would not take.
func (c *checkup) skills(ctx context.Context) {
	own, err := c.engine.load(ctx, cliConfig)
	if err != nil {
		own.doc = cliconfig.New()
	}
	roots, err := c.engine.skillRoots(own.doc, c.in)
	if err != nil {
		return // the folder of the project was judged before
	}
	found, problems := skills.Scan(roots)
	for _, p := range problems {
		c.add(Finding{Severity: Warning, Kind: "unreadable", Document: "skills", File: p.Path,
			Message: p.Path + ": " + p.Reason, Command: "ls -ld " + quoted(p.Path)})
	}
	for _, s := range found {
		for _, flag := range s.Flags {
			severity := Warning
			if flag == skills.NotInvocable {
				severity = Note
			}
			c.add(Finding{Severity: severity, Kind: string(flag), Document: "skills", File: s.Path,
				Message: fmt.Sprintf("the skill %s: %s", s.Path, flag.Reason()), Command: "${EDITOR:-vi} " + quoted(s.Path)})
		}
	}
	for _, s := range found {
		if state := skillState(own.doc, s); state.Reason != "" {
			c.add(Finding{Severity: Warning, Kind: "half_off", Document: "cliConfig", File: s.Path,
				Message: fmt.Sprintf("the skill %s is off in one part of ZCode and on in another: %s", s.Path, state.Reason),
				Command: "zcode-acp settings skills disable " + quoted(s.Path)})
		}
	}
}

// plugins looks at what is installed.
func (c *checkup) plugins(ctx context.Context) {
	own, err := c.engine.load(ctx, cliConfig)
	if err != nil {
		own.doc = cliconfig.New()
	}
	dir := c.engine.Layout.Path(home.PluginDir)
	installed, problems := plugins.Read(dir, c.in.Cwd)
	inline, more := plugins.ReadDirs(cliconfig.PluginDirs(own.doc), c.in.Cwd)
	for _, p := range append(problems, more...) {
		c.add(Finding{Severity: Warning, Kind: "plugin", Document: "plugins", File: p.File, Pointer: p.Pointer, Line: p.Line, Column: p.Column,
			Message: p.Error(), Command: "zcode-acp settings plugins list"})
	}
	for _, id := range cliconfig.EnabledPlugins(own.doc) {
		there := slices.ContainsFunc(append(installed, inline...), func(p plugins.Plugin) bool { return p.ID == id })
		if state := cliconfig.PluginState(own.doc, id, there); state.Enabled && !there {
			path := c.engine.Layout.Path(home.CLIConfig)
			c.add(Finding{Severity: Note, Kind: "no_effect", Document: "cliConfig", File: path,
				Pointer: jsonedit.Path{"plugins", "enabledPlugins", id}.Pointer(),
				Message: fmt.Sprintf("%s turns on the plugin %s, which is not installed", path, id), Command: "zcode-acp settings plugins disable " + argument(id)})
		}
	}
}

// layered are the sections that ZCode merges; in a project file any other section
// takes the place of the user's whole one.
var layered = []string{"hooks", "plugins", "mcp"}

// project tells what the files of a project hide of the user's own settings.
func (c *checkup) project(ctx context.Context) {
	files, err := c.engine.projectFiles(ctx, c.in)
	if err != nil {
		return // the folder was judged before
	}
	own, err := c.engine.load(ctx, cliConfig)
	if err != nil {
		own.doc = cliconfig.New()
	}
	for _, file := range files {
		if file.err == nil && len(cliconfig.Entries(file.doc)) > 0 {
			c.add(Finding{Severity: Note, Kind: "project_hooks", Document: "project", File: file.path, Pointer: "/hooks",
				Message: fmt.Sprintf("the hooks of %s: %s", file.path, c.engine.hookTrust(ctx)), Command: "zcode-acp settings hooks --cwd " + quoted(c.in.Cwd)})
		}
		if file.err != nil {
			c.add(Finding{Severity: Serious, Kind: "project", Document: "project", File: file.path,
				Message: fmt.Sprintf("ZCode ignores the project file: %v", file.err), Command: "${EDITOR:-vi} " + quoted(file.path)})
			continue
		}
		c.projectFile(own.doc, file)
	}
}

func (c *checkup) projectFile(own *jsonedit.Doc, file projectFile) {
	for _, p := range cliconfig.CheckFile(file.doc) {
		c.add(Finding{Severity: Serious, Kind: "file_ignored", Document: "project", File: file.path, Pointer: p.Pointer, Line: p.Line, Column: p.Column,
			Message: fmt.Sprintf("ZCode ignores the whole project file %s because of line %d, column %d: %s %s", file.path, p.Line, p.Column, dotted(p.Pointer), p.Rule),
			Command: "${EDITOR:-vi} " + quoted(file.path)})
	}
	for section := range file.doc.Root().Children() {
		name := section.Key()
		_, known := cliConfig.sections[name]
		if !known || !own.Root().Get(name).Exists() || name == "skill" {
			continue
		}
		if !slices.Contains(layered, name) {
			c.add(Finding{Severity: Warning, Kind: "project_hides", Document: "project", File: file.path, Pointer: "/" + name,
				Message: fmt.Sprintf("in this project, %s of %s takes the place of your whole section %s: nothing of yours counts there, not even members that the project does not name", name, file.path, name),
				Command: "${EDITOR:-vi} " + quoted(file.path)})
			continue
		}
		c.projectServers(own, file, name)
	}
}

// projectServers tells of servers that both define: the user's count.
func (c *checkup) projectServers(own *jsonedit.Doc, file projectFile, section string) {
	if section != "mcp" {
		return
	}
	names := cliconfig.Names(own)
	for _, name := range cliconfig.Names(file.doc) {
		if slices.Contains(names, name) {
			c.add(Finding{Severity: Note, Kind: "project_hidden", Document: "project", File: file.path,
				Pointer: jsonedit.Path{"mcp", "servers", name}.Pointer(),
				Message: fmt.Sprintf("the MCP server %q of %s has no effect: your own of that name counts", name, file.path),
				Command: "zcode-acp settings mcp show " + argument(name)})
		}
	}
}
