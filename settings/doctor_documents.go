package settings

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"zcode-acp/settings/agents"
	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
	"zcode-acp/settings/schema"
)

// read parses a JSON file of ZCode's, and tells what ZCode makes of one that it
// cannot read.
func (c *checkup) read(ctx context.Context, d *document, report *FileReport, consequence string) *jsonedit.Doc {
	if report.State != "ok" {
		return nil
	}
	var parsed parseOnce
	snapshot, err := c.engine.writer.Read(ctx, report.Path, parsed.valid, jsonedit.MaxSize)
	if err == nil && !snapshot.Exists {
		report.State = "missing"
		return nil
	}
	if err != nil {
		report.State = "unreadable"
		c.add(Finding{Severity: Serious, Kind: "unreadable", Document: d.name, File: report.Path, Message: err.Error(),
			Command: "ls -ld " + quoted(report.Path)})
		return nil
	}
	doc, err := parsed.parse(snapshot.Content)
	if err == nil && doc.BOM() {
		report.State = "ignored"
		c.add(Finding{Severity: Serious, Kind: "bom", Document: d.name, File: report.Path, Line: 1, Column: 1,
			Message: fmt.Sprintf("%s begins with a byte order mark, which ZCode cannot read: %s; any change made here drops the mark", report.Path, consequence),
			Command: c.dropMark(d)})
	}
	if err == nil && doc.Root().Kind() != jsonedit.Object {
		err = d.notObject(report.Path)
	}
	if err != nil {
		if !errors.Is(err, jsonedit.ErrDuplicate) { // which ZCode reads
			report.State = "ignored"
		}
		c.add(c.unparsed(d, report.Path, err, consequence))
		return nil
	}
	return doc
}

// unparsed is the finding for a text that is not one JSON object.
func (c *checkup) unparsed(d *document, path string, err error, consequence string) Finding {
	f := Finding{Severity: Serious, Kind: "not_json", Document: d.name, File: path, Command: c.mend(d, path, err)}
	broken, ok := errors.AsType[*BrokenError](d.broken(path, err))
	if e, is := errors.AsType[*BrokenError](err); is {
		broken, ok = e, true
	}
	if ok {
		f.Line, f.Column = broken.Line, broken.Column
	}
	switch {
	case errors.Is(err, jsonedit.ErrEmpty):
		f.Kind = "empty"
		f.Message = fmt.Sprintf("%s is empty: %s", path, consequence)
	case errors.Is(err, jsonedit.ErrDuplicate):
		f.Kind, f.Severity = "duplicate_key", Warning
		f.Message = fmt.Sprintf("%s: line %d, column %d: %s; nothing is written here until then", path, f.Line, f.Column, reasonOf(err))
	case ok && errors.Is(broken, ErrBroken):
		f.Message = fmt.Sprintf("%s: line %d, column %d: %s: %s", path, broken.Line, broken.Column, reasonOf(err), consequence)
	}
	return f
}

func reasonOf(err error) string {
	if e, ok := errors.AsType[*jsonedit.SyntaxError](err); ok {
		return e.Reason
	}
	if _, ok := errors.AsType[*BrokenError](err); ok {
		return "the file must hold one JSON object"
	}
	return err.Error()
}

// mend is the command that a broken file needs: the newest backup if there is
// one, else an editor.
func (c *checkup) mend(d *document, path string, err error) string {
	if !errors.Is(err, jsonedit.ErrDuplicate) && d.place != "" {
		if list, err := c.engine.backupsOf(d); err == nil && len(list) > 0 {
			return "zcode-acp settings backups restore " + d.name + " " + list[0].Stamp
		}
	}
	return "${EDITOR:-vi} " + quoted(path)
}

func (c *checkup) dropMark(d *document) string {
	if documentNamed(d.name) != nil {
		return "zcode-acp doctor --fix"
	}
	path := c.engine.Layout.Path(d.place)
	return "cp -p " + quoted(path) + " " + quoted(path+".bom") + " && tail -c +4 " + quoted(path+".bom") + " > " + quoted(path)
}

const fileIgnored = "ZCode ignores the whole file, so its MCP servers, hooks, skills, plugins and every other setting in it have no effect"

func (c *checkup) cliConfig(ctx context.Context) {
	report := c.file("cliConfig", home.CLIConfig)
	doc := c.read(ctx, cliConfig, report, fileIgnored)
	c.secrets(report, doc)
	if doc == nil {
		return
	}
	for _, p := range cliconfig.Check(doc) {
		if p.Pointer == "" && doc.BOM() {
			continue // told already
		}
		c.cliProblem(report, p)
	}
	for _, server := range cliconfig.Servers(doc) {
		if len(server.Legacy) > 0 {
			c.add(Finding{Severity: Note, Kind: "old_spelling", Document: "cliConfig", File: report.Path,
				Pointer: jsonedit.Path{"mcp", "servers", server.Name}.Pointer(),
				Message: fmt.Sprintf("the MCP server %q of %s uses old spellings (%s); the app rewrites the file when it sees one", server.Name, report.Path, joined(server.Legacy)),
				Command: "zcode-acp settings mcp show " + argument(server.Name)})
		}
	}
	c.hooks(report, doc)
	c.switches(report, doc)
	c.wholeSwitches(report, doc)
}

// wholeSwitches tells of switches that turn off everything of a kind.
func (c *checkup) wholeSwitches(report *FileReport, doc *jsonedit.Doc) {
	for _, s := range []struct{ section, member, what string }{
		{"features", "mcp", "MCP server"}, {"features", "skill", "skill"}, {"features", "subagent", "subagent"},
		{"skills", "enabled", "skill"}, {"plugins", "enabled", "plugin"},
	} {
		if on, set := doc.Root().Get(s.section).Get(s.member).Bool(); set && !on {
			c.add(Finding{Severity: Note, Kind: "switched_off", Document: "cliConfig", File: report.Path,
				Pointer: jsonedit.Path{s.section, s.member}.Pointer(),
				Message: fmt.Sprintf("no %s counts, whatever its own switch says: %s.%s is false in %s", s.what, s.section, s.member, report.Path),
				Command: "${EDITOR:-vi} " + quoted(report.Path)})
		}
	}
}

// cliProblem is one violation of ZCode's strict rules, and what it costs.
func (c *checkup) cliProblem(report *FileReport, p cliconfig.Problem) {
	f := Finding{Severity: Serious, Document: "cliConfig", File: report.Path, Pointer: p.Pointer, Line: p.Line, Column: p.Column}
	switch p.Effect {
	case cliconfig.FileIgnored:
		report.State = "ignored"
		f.Kind = "file_ignored"
		f.Message = fmt.Sprintf("%s because of line %d, column %d: %s %s (%s)", fileIgnored, p.Line, p.Column, dotted(p.Pointer), p.Rule, report.Path)
		f.Command = "${EDITOR:-vi} " + quoted(report.Path)
	case cliconfig.ServersIgnored:
		f.Kind, f.rank = "servers_ignored", 1
		f.Message = fmt.Sprintf("ZCode ignores every MCP server of %s: %s %s", report.Path, dotted(p.Pointer), p.Rule)
		f.Command = "${EDITOR:-vi} " + quoted(report.Path)
	default:
		f.Kind, f.rank = "server_ignored", 2
		f.Message = fmt.Sprintf("ZCode skips the MCP server %q: %s %s (%s)", p.Server, dotted(p.Pointer), p.Rule, report.Path)
		f.Command = "${EDITOR:-vi} " + quoted(report.Path)
	}
	c.add(f)
}

// hooks tells which hooks do not run, and why.
func (c *checkup) hooks(report *FileReport, doc *jsonedit.Doc) {
	entries := cliconfig.Entries(doc)
	if len(entries) > 0 && !cliconfig.HooksOf(doc).Enabled {
		severity := Warning
		if doc.Root().Get("hooks").Get("enabled").Exists() {
			severity = Note // somebody turned them off
		}
		c.add(Finding{Severity: severity, Kind: "hooks_off", Document: "cliConfig", File: report.Path, Pointer: "/hooks/enabled",
			Message: fmt.Sprintf("none of the %d hooks in %s runs: hooks.enabled is not true, and ZCode's default is off", len(entries), report.Path),
			Command: "zcode-acp settings hooks on"})
	}
	for _, entry := range entries {
		for _, warning := range entry.Warnings {
			c.add(Finding{Severity: Note, Kind: "hook", Document: "cliConfig", File: report.Path, Pointer: hookPointer(entry),
				Message: fmt.Sprintf("the hook %s %d %d of %s: %s", entry.Event, entry.MatcherIndex, entry.HookIndex, report.Path, warning),
				Command: fmt.Sprintf("zcode-acp settings hooks show %s %d %d", argument(entry.Event), entry.MatcherIndex, entry.HookIndex)})
		}
	}
}

func hookPointer(h cliconfig.HookEntry) string {
	return jsonedit.Path{"hooks", "events", h.Event, strconv.Itoa(h.MatcherIndex), "hooks", strconv.Itoa(h.HookIndex)}.Pointer()
}

const noProviders = "ZCode runs with no provider of yours"

func (c *checkup) providerConfig(ctx context.Context) {
	report := c.file("providerConfig", home.ProviderConfig)
	doc := c.read(ctx, providerConfig, report, noProviders)
	c.secrets(report, doc)
	if doc == nil {
		return
	}
	if err := provider.Version(doc); err != nil {
		report.State = "newer"
		c.add(Finding{Severity: Serious, Kind: "newer_version", Document: "providerConfig", File: report.Path,
			Message: fmt.Sprintf("%s: %v", report.Path, err), Command: "zcode-acp version"})
		return
	}
	for _, p := range provider.Check(doc) {
		report.State = "ignored"
		f := Finding{Severity: Serious, Kind: "file_ignored", Document: "providerConfig", File: report.Path,
			Pointer: p.Pointer, Line: p.Line, Column: p.Column,
			Message: fmt.Sprintf("%s because of line %d, column %d of %s: %s %s", noProviders, p.Line, p.Column, report.Path, dotted(p.Pointer), p.Rule),
			Command: "${EDITOR:-vi} " + quoted(report.Path)}
		if p.Rule == schema.UnknownMember {
			f.Command = "zcode-acp settings providers list --json # then repeat a change with --repair, which removes it and keeps a copy"
		}
		c.add(f)
	}
}

func (c *checkup) agentsState(ctx context.Context) {
	report := c.file("agentsState", home.AgentsState)
	doc := c.read(ctx, agentsState, report,
		"ZCode takes it for empty: agents that were turned off are on again, and the app replaces the file when it saves")
	if doc == nil {
		return
	}
	for _, p := range agents.Check(doc) {
		c.add(Finding{Severity: Warning, Kind: "entry_ignored", Document: "agentsState", File: report.Path,
			Pointer: p.Pointer, Line: p.Line, Column: p.Column,
			Message: fmt.Sprintf("ZCode drops %s of %s: it %s", dotted(p.Pointer), report.Path, p.Rule),
			Command: "zcode-acp settings agents list"})
	}
	for _, id := range agents.Ineffective(doc) {
		c.add(Finding{Severity: Warning, Kind: "no_effect", Document: "agentsState", File: report.Path,
			Message: fmt.Sprintf("%q in %s turns nothing off: ZCode writes user:user:<name>", id, report.Path),
			Command: c.mendSwitch(ctx, report.Path, id)})
	}
}

// mendSwitch gives a spelling that other tools write the effect that was meant,
// or removes it where no agent has the name.
func (c *checkup) mendSwitch(ctx context.Context, path, id string) string {
	name, _ := strings.CutPrefix(id, "user:")
	if agents.LegacyID(name) != id || strings.TrimSpace(name) == "" || strings.Contains(name, ":") {
		return "${EDITOR:-vi} " + quoted(path)
	}
	files, _ := agents.Scan(ctx, c.engine.Layout.Path(home.AgentsDir)) // what is wrong there is told by itself
	for _, f := range files {
		if f.Err == nil && agents.LegacyID(f.Profile.Name) == id {
			return "zcode-acp settings agents disable " + argument(f.Profile.Name)
		}
	}
	return "zcode-acp settings agents enable " + argument(name)
}

func (c *checkup) setting(ctx context.Context) {
	report := c.file("setting", home.Setting)
	c.read(ctx, settingFile, report, "the app puts it aside and starts with its defaults, also for the folder of its data (dataBaseDir)")
}

func (c *checkup) credentials(ctx context.Context) {
	report := c.file("credentials", home.Credentials)
	c.secrets(report, nil)
	doc := c.read(ctx, credentialsFile, report, "ZCode counts nobody as signed in")
	if doc == nil {
		return
	}
	for member := range doc.Root().Children() {
		if member.Kind() != jsonedit.String {
			line, column := member.Position()
			c.add(Finding{Severity: Serious, Kind: "file_ignored", Document: "credentials", File: report.Path,
				Pointer: member.Path().Pointer(), Line: line, Column: column,
				Message: fmt.Sprintf("ZCode takes %s for corrupt, because line %d is no string", report.Path, line),
				Command: "${EDITOR:-vi} " + quoted(report.Path)})
		}
	}
}

func (c *checkup) agentsMCP(ctx context.Context) {
	report := c.file("agentsMCP", home.AgentsMCP)
	doc := c.read(ctx, agentsMCPFile, report, "ZCode finds no MCP server in it")
	if doc == nil {
		return
	}
	c.secrets(report, doc)
	own, err := c.engine.load(ctx, cliConfig)
	shared := cliconfig.AgentsServers(doc)
	if err != nil || len(shared) == 0 || len(cliconfig.Names(own.doc)) == 0 {
		return
	}
	c.add(Finding{Severity: Note, Kind: "hidden", Document: "agentsMCP", File: report.Path,
		Message: fmt.Sprintf("ZCode does not read the MCP servers of %s, since its own file has some", report.Path),
		Command: "zcode-acp settings mcp import " + quoted(report.Path) + " --dry-run"})
}
