package settings

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"zcode-acp/settings/agents"
	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
)

func (e *Engine) upsertAgent(ctx context.Context, call Call, in AgentSet) (*AgentWritten, error) {
	written, err := e.tryUpsertAgent(ctx, call, in)
	if errors.Is(err, errAppeared) {
		return e.tryUpsertAgent(ctx, call, in)
	}
	return written, err
}

func (e *Engine) tryUpsertAgent(ctx context.Context, call Call, in AgentSet) (*AgentWritten, error) {
	if err := required("/name", in.Name); err != nil {
		return nil, err
	}
	body, err := object(in.Members)
	if err != nil {
		return nil, err
	}
	seen, err := e.seeToChange(ctx, call)
	if err != nil {
		return nil, err
	}
	if seen.overrides(in.Name) {
		return e.overrideModel(ctx, call, seen, in.Name, body)
	}
	file, err := seen.find(in.Name)
	switch {
	case errors.Is(err, agents.ErrUnknown):
		if err := seen.torn(); err != nil {
			return nil, err // it may be the agent that would be made a second time
		}
		return e.createAgent(ctx, call, seen, in.Name, body)
	case err != nil:
		return nil, err
	}
	apply := func(old []byte) ([]byte, []string, error) { return agents.Patch(old, body) }
	if text := body.Get("text"); text.Exists() {
		if body.Len() > 1 || text.Kind() != jsonedit.String {
			return nil, invalid("/text", "is the whole file, a string: send it alone")
		}
		apply = func([]byte) ([]byte, []string, error) { return wholeAgent(in.Name, text.Text()) }
	}
	return e.changeOnlyFile(ctx, call, agentEdit{seen: seen, path: file.Path, apply: apply})
}

// wholeAgent checks the text of a whole file, as an editor gives it.
func wholeAgent(name, text string) ([]byte, []string, error) {
	profile, err := agents.ParseProfile([]byte(text))
	switch {
	case err != nil:
		return nil, nil, invalid("/text", "is no agent that ZCode would load: "+err.Error())
	case profile.Name != strings.TrimSpace(name):
		return nil, nil, invalid("/text", fmt.Sprintf("has another name, %q: rename the agent instead", profile.Name))
	case holdsMask(text):
		return nil, nil, invalid("/text", "holds a masked secret in its front matter: change single members instead, which keeps the secrets")
	}
	return []byte(text), nil, nil
}

func holdsMask(text string) bool {
	doc, err := frontmatter.Parse([]byte(text))
	return err == nil && strings.Contains(strings.TrimSuffix(text, string(doc.Body())), redact.Mask)
}

func (e *Engine) createAgent(ctx context.Context, call Call, seen *seenAgents, name string, body jsonedit.Node) (*AgentWritten, error) {
	if err := agents.Free(seen.files, name); err != nil {
		return nil, err
	}
	text, err := agents.Create(name, body)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(e.Layout.Path(home.AgentsDir), agents.FileName(name))
	edit := agentEdit{
		seen: seen, path: path, create: true, apply: func([]byte) ([]byte, []string, error) { return text, nil, nil },
	}
	if !agents.Disabled(seen.state.doc, name) {
		return e.changeOnlyFile(ctx, call, edit)
	}
	written, err := e.changeAgentFile(ctx, call, edit)
	if err != nil {
		return nil, err
	}
	// A switch that outlived an agent of that name would keep the new one off.
	state, err := e.forget(ctx, call, seen.with(path, e.Layout.Path(home.AgentsDir), text), name)
	if err != nil {
		written.Warnings = append(written.Warnings, fmt.Sprintf("the agent is off, since its name is still listed as turned off: %v", err))
		return written, nil
	}
	written.ETag, written.Agent.Enabled = state.ETag, true
	written.Changes = append(written.Changes, state.Changes...)
	written.Also = append(append(written.Also, "the name was listed as turned off and is no more"), state.Also...)
	return written, nil
}

// overrides tells agents without a file of the user's own: only their model can
// be set. A file counts before a built-in agent of its name.
func (s *seenAgents) overrides(name string) bool {
	if _, err := s.find(name); !errors.Is(err, agents.ErrUnknown) && !errors.Is(err, agents.ErrRoot) {
		return false
	}
	return agents.IsBuiltIn(name) || strings.HasPrefix(name, "plugin:")
}

func (e *Engine) overrideModel(ctx context.Context, call Call, seen *seenAgents, agent string, body jsonedit.Node) (*AgentWritten, error) {
	present, _, _ := agents.Override(seen.state.doc, agent)
	selection, err := selectionOf(body, present)
	if err != nil {
		return nil, err
	}
	// What is left of an agent that is gone may be cleared.
	if selection != nil && !agents.IsBuiltIn(agent) && !e.hasPluginAgent(ctx, seen, agent) {
		return nil, unknownAgent(agent)
	}
	written, err := e.changeState(ctx, call, seen, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		now, _, _ := agents.Override(d, agent) // another program may have set it meanwhile
		selection, err := selectionOf(body, now)
		if err != nil {
			return nil, nil, err
		}
		return agents.SetOverride(d, agent, selection)
	})
	if err != nil {
		return nil, err
	}
	return &AgentWritten{Written: *written}, nil
}

func (e *Engine) hasPluginAgent(ctx context.Context, seen *seenAgents, id string) bool {
	if _, err := e.load(ctx, cliConfig); err != nil {
		return true // nobody can tell
	}
	return slices.ContainsFunc(e.pluginAgents(ctx, InProject{}, seen), func(a Agent) bool { return a.ID == id })
}

// selectionOf reads the model of a built-in or plugin agent; nil clears it. What
// is not sent stays as it is.
func selectionOf(body jsonedit.Node, present agents.Selection) (*agents.Selection, error) {
	s := present
	into := map[string]*string{
		"providerId": &s.ProviderID, "modelId": &s.ModelID, "reasoningLevel": &s.ReasoningLevel, "thoughtLevel": &s.ReasoningLevel,
	}
	if body.Len() == 0 {
		return nil, invalid("", "there is nothing to set: send providerId, modelId or reasoningLevel")
	}
	for c := range body.Children() {
		field, known := into[c.Key()]
		pointer := jsonedit.Path{c.Key()}.Pointer()
		switch {
		case !known && c.Key() != "model":
			return nil, invalid(pointer, "cannot be set: of a built-in or plugin agent only providerId, modelId and reasoningLevel can, or model as provider/model")
		case c.Kind() != jsonedit.String && c.Kind() != jsonedit.Null:
			return nil, invalid(pointer, "must be a string, or null to clear it")
		case c.Key() == "model":
			named, ok := agents.ParseModel(c.Text(), s.ReasoningLevel)
			if c.Text() != "" && c.Text() != "inherit" && !ok {
				return nil, invalid(pointer, "names no model: write it as provider/model, or inherit")
			}
			s.ProviderID, s.ModelID = named.ProviderID, named.ModelID
			if named.ReasoningLevel != "" {
				s.ReasoningLevel = named.ReasoningLevel
			}
		default:
			*field = c.Text()
		}
	}
	switch {
	case s.ProviderID == "" && s.ModelID == "" && (present.ProviderID != "" || s.ReasoningLevel == ""):
		return nil, nil
	case s.ProviderID == "" || s.ModelID == "":
		return nil, invalid("", "a model has a provider and a name: set providerId and modelId together, or clear both")
	}
	return &s, nil
}

func (e *Engine) enableAgent(ctx context.Context, call Call, in AgentEnable) (*Written, error) {
	on, err := eitherSpelling(in.Enabled, in.Enable)
	if err != nil {
		return nil, err
	}
	if err := required("/name", in.Name); err != nil {
		return nil, err
	}
	seen, err := e.seeToChange(ctx, call)
	if err != nil {
		return nil, err
	}
	if seen.overrides(in.Name) {
		return nil, invalid("/name", "is a built-in or plugin agent, which cannot be turned off by itself")
	}
	name := in.Name
	switch file, err := seen.find(name); {
	case err == nil:
		name = file.Profile.Name
	case !on || !errors.Is(err, agents.ErrUnknown) || !seen.isListed(name):
		return nil, err // a name without a file may be turned on, which clears what is left of it
	}
	written, err := e.changeState(ctx, call, seen, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return agents.Enable(d, name, on)
	})
	if err == nil {
		written.Warnings = append(written.Warnings, seen.sharesSwitch(name)...)
	}
	return written, err
}
