package settings

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/agents"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
)

// seenAgents is the section of the subagents at one moment: the state file and
// the user's own files.
type seenAgents struct {
	state loaded
	files []agents.File
	mend  bool  // the state is that of a file which a write with repair has still to mend
	root  error // why ZCode finds no agent of the user's at all
}

func (e *Engine) seeAgents(ctx context.Context) (*seenAgents, error) {
	state, err := e.load(ctx, agentsState)
	if err != nil {
		return nil, err
	}
	seen := &seenAgents{state: state}
	return seen, e.scanAgents(ctx, seen)
}

// scanAgents reads the files. One that another program writes in place is half
// there for a moment, and is read again rather than missed.
func (e *Engine) scanAgents(ctx context.Context, seen *seenAgents) error {
	const pause, most = 20 * time.Millisecond, 500 * time.Millisecond
	for end := time.Now().Add(most); ; {
		var err error
		seen.files, err = agents.Scan(ctx, e.Layout.Path(home.AgentsDir))
		if errors.Is(err, agents.ErrRoot) {
			seen.root = err
			return nil
		}
		if err != nil {
			return advise(err)
		}
		if seen.torn() == nil || !time.Now().Before(end) {
			return ctx.Err()
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// torn returns an error for a file that may be half of what another program is
// writing right now.
func (s *seenAgents) torn() error {
	for _, f := range s.files {
		if f.Err != nil && isFresh(f.Path) {
			return beingWritten{f.Path}
		}
	}
	return nil
}

// seeToChange looks at the section for a write: with repair, a state file that
// ZCode cannot use is seen as it will be when it is mended.
func (e *Engine) seeToChange(ctx context.Context, call Call) (*seenAgents, error) {
	seen, err := e.seeAgents(ctx)
	if !call.Repair || !errors.Is(err, ErrBroken) {
		return seen, err
	}
	seen = &seenAgents{mend: true}
	_, err = e.changeState(ctx, Call{DryRun: true, Repair: true}, seen, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		seen.state.doc = d
		return d, nil, nil
	})
	if err != nil {
		return nil, err
	}
	return seen, e.scanAgents(ctx, seen)
}

// find returns the file of an agent of the user's.
func (s *seenAgents) find(name string) (agents.File, error) {
	if s.root != nil {
		return agents.File{}, s.root
	}
	return agents.Find(s.files, name)
}

// digest stands for the content of the files.
func (s *seenAgents) digest() []byte {
	h := sha256.New()
	for _, f := range s.files {
		fmt.Fprintf(h, "%d:%s%d:", len(f.Rel), f.Rel, len(f.Text))
		h.Write(f.Text)
	}
	return h.Sum(nil)
}

func (s *seenAgents) tag() string { return agentsState.etag("agents", s.state.doc, s.digest()) }

// with returns the section in which one file has another text.
func (s *seenAgents) with(path, root string, text []byte) *seenAgents {
	next := s.without(path)
	rel, err := filepath.Rel(root, path)
	if err != nil {
		rel = path
	}
	next.files = append(next.files, agentFile(path, filepath.ToSlash(rel), text))
	slices.SortFunc(next.files, func(a, b agents.File) int { return strings.Compare(a.Rel, b.Rel) })
	return next
}

func agentFile(path, rel string, text []byte) agents.File {
	profile, err := agents.ParseProfile(text)
	return agents.File{Path: path, Rel: rel, Text: text, Profile: profile, Err: err}
}

// isAgent tells a whole file from one that is being written.
func isAgent(text []byte) bool {
	_, err := agents.ParseProfile(text)
	return err == nil
}

func (s *seenAgents) without(path string) *seenAgents {
	files := slices.DeleteFunc(slices.Clone(s.files), func(f agents.File) bool { return f.Path == path })
	return &seenAgents{s.state, files, s.mend, s.root}
}

// isListed reports whether the state file names an agent, with or without effect.
func (s *seenAgents) isListed(name string) bool {
	return agents.Disabled(s.state.doc, name) || slices.Contains(agents.Ineffective(s.state.doc), agents.LegacyID(name))
}

func (s *seenAgents) warnings() []string {
	list := append(s.state.warnings(), sentences(s.root)...)
	for _, id := range agents.Ineffective(s.state.doc) {
		list = append(list, fmt.Sprintf("%q turns nothing off in ZCode, which writes user:user:<name>", id))
	}
	return list
}

// sharesSwitch warns of agents whose names differ from this one in case only:
// ZCode has one switch for all of them.
func (s *seenAgents) sharesSwitch(name string) []string {
	var list []string
	for _, f := range s.files {
		if f.Err == nil && f.Profile.Name != name && agents.UserID(f.Profile.Name) == agents.UserID(name) {
			list = append(list, fmt.Sprintf("the agent %q has the same switch, since ZCode takes its name for the same", f.Profile.Name))
		}
	}
	return list
}

func (s *seenAgents) builtIn() []Agent {
	var list []Agent
	for _, b := range agents.BuiltIns() {
		a := Agent{Name: b.Name, Frontmatter: encoded(agents.Members{
			{Key: "name", Value: b.Name}, {Key: "description", Value: ""}, {Key: "color", Value: b.Color},
			{Key: "tools", Value: b.Tools}, {Key: "injectAgentsMd", Value: b.InjectAgentsMd},
		}), Enabled: true, ReadOnly: true, Source: "built-in"}
		s.model(&a, b.Name)
		list = append(list, a)
	}
	return list
}

// model fills in the model that the state file gives an agent without a file of
// the user's own.
func (s *seenAgents) model(a *Agent, id string) {
	selection, warning, ok := agents.Override(s.state.doc, id)
	if ok {
		a.ModelSelection = &AgentModel{selection.ProviderID, selection.ModelID, selection.ReasoningLevel}
	}
	if warning != "" {
		a.Warnings = append(a.Warnings, warning)
	}
}

func (s *seenAgents) users() []Agent {
	var list []Agent
	for _, f := range s.files {
		if f.Err == nil {
			a := agentOf(f, "user")
			a.Enabled = !agents.Disabled(s.state.doc, a.Name)
			if !a.Enabled || !slices.Contains(agents.Ineffective(s.state.doc), agents.LegacyID(a.Name)) {
				list = append(list, a)
				continue
			}
			a.Warnings = append(a.Warnings, fmt.Sprintf("%q in the state file does not turn it off", agents.LegacyID(a.Name)))
			list = append(list, a)
		}
	}
	return list
}

func agentOf(f agents.File, source string) Agent {
	a := Agent{
		Name: f.Profile.Name, FileName: f.Rel, Path: f.Path, Frontmatter: encoded(f.Profile.Frontmatter), SystemPrompt: f.Profile.Prompt,
		Enabled: true, ReadOnly: source != "user", Source: source,
	}
	if m := f.Profile.Model; m != nil {
		a.ModelSelection = &AgentModel{m.ProviderID, m.ModelID, m.ReasoningLevel}
	}
	for _, w := range f.Profile.Warnings {
		a.Warnings = append(a.Warnings, fmt.Sprintf("line %d: %s %s", w.Line, w.Key, w.Reason))
	}
	return a
}

// projectAgents are those of the project's own folder, which ZCode takes before
// the user's of the same name.
func projectAgents(ctx context.Context, in InProject) (list []Agent, warnings []string, err error) {
	if in.Cwd == "" {
		return nil, nil, nil
	}
	if _, err := projectDirs(in); err != nil {
		return nil, nil, err
	}
	files, err := agents.Scan(ctx, filepath.Join(in.Cwd, ".zcode", "agents"))
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		return nil, []string{err.Error()}, nil
	}
	for _, f := range files {
		if f.Err == nil {
			list = append(list, agentOf(f, "project"))
		}
	}
	return list, nil, nil
}

// pluginAgents are those that installed plugins bring.
func (e *Engine) pluginAgents(ctx context.Context, in InProject, seen *seenAgents) []Agent {
	file, err := e.load(ctx, cliConfig)
	if err != nil {
		return nil // the section of the plugins tells it
	}
	var list []Agent
	installed, _ := e.pluginsOf(file.doc, in.Cwd)
	for _, p := range installed {
		// Without an error here: the section of the plugins tells what cannot be read.
		files, _ := agents.Scan(ctx, filepath.Join(p.InstallPath, "agents"))
		for _, part := range p.Contents.Agents {
			a := Agent{
				Name: part.Name, Path: part.Path, Frontmatter: encoded(agents.Members{{Key: "name", Value: part.Name}, {Key: "description", Value: ""}}),
				ReadOnly: true, Source: "plugin",
			}
			if i := slices.IndexFunc(files, func(f agents.File) bool { return f.Path == part.Path && f.Err == nil }); i >= 0 {
				a = agentOf(files[i], "plugin")
			}
			a.ID, a.Origin, a.Enabled = agents.PluginAgentID(p.ID, a.Name), p.ID, p.Enabled
			seen.model(&a, a.ID)
			list = append(list, a)
		}
	}
	return list
}

func encoded(v any) jsontext.Value {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return jsontext.Value("{}")
	}
	return b
}
