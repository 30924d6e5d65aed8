package settings

import (
	"context"
	"errors"
	"fmt"

	"zcode-acp/settings/agents"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
)

// renameAgent lets an agent stay on or off. One that is off is off at every
// moment: its new name is switched off right before the file has it, the old one
// is forgotten after.
func (e *Engine) renameAgent(ctx context.Context, call Call, in AgentRename) (*AgentWritten, error) {
	seen, err := e.seeToChange(ctx, call)
	if err != nil {
		return nil, err
	}
	if seen.overrides(in.Name) {
		return nil, invalid("/name", "is a built-in or plugin agent, which has no name of its own to change")
	}
	file, err := seen.find(in.Name)
	if err != nil {
		return nil, err
	}
	if e, bad := errors.AsType[*agents.InvalidError](agents.CheckName(in.NewName)); bad {
		return nil, invalid("/newName", e.Reason)
	}
	if err := agents.Free(seen.without(file.Path).files, in.NewName); err != nil {
		return nil, err
	}
	r := renaming{
		seen: seen, file: file, to: in.NewName,
		off: agents.Disabled(seen.state.doc, file.Profile.Name), stale: agents.Disabled(seen.state.doc, in.NewName),
	}
	if agents.UserID(file.Profile.Name) == agents.UserID(in.NewName) || !r.off && !r.stale {
		return e.changeOnlyFile(ctx, call, r.edit())
	}
	return e.renameWithSwitch(ctx, call, r)
}

// renaming is one change of a name.
type renaming struct {
	seen  *seenAgents
	file  agents.File
	to    string
	off   bool // the agent is off
	stale bool // the new name is listed as turned off, though no agent has it
}

func (r renaming) edit() agentEdit {
	return agentEdit{seen: r.seen, path: r.file.Path, apply: func(old []byte) ([]byte, []string, error) {
		next, err := agents.Rename(old, r.to)
		return next, nil, err
	}}
}

// settle brings the list of agents that are off to the new name. The old one
// stays where another agent has the same switch.
func (r renaming) settle(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
	from := r.file.Profile.Name
	if r.seen.sharesSwitch(from) != nil {
		return agents.Enable(d, r.to, !agents.Disabled(d, from))
	}
	return agents.Move(d, from, r.to)
}

func (e *Engine) renameWithSwitch(ctx context.Context, call Call, r renaming) (*AgentWritten, error) {
	rest := Call{Door: call.Door, Client: call.Client, DryRun: call.DryRun, Repair: call.Repair}
	switched, edit := false, r.edit()
	var notes []string
	if r.off && !r.stale {
		edit.before = func() error {
			state, err := e.changeState(ctx, rest, r.seen, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
				return agents.Enable(d, r.to, false)
			})
			if err == nil {
				switched, notes = true, append(notes, state.Also...)
			}
			return err
		}
	}
	written, err := e.changeAgentFile(ctx, call, edit)
	if err != nil && switched {
		if _, undo := e.forget(ctx, rest, r.seen, r.to); undo != nil {
			err = fmt.Errorf("%w; the new name stays listed as turned off: %w", err, undo)
		}
	}
	if err != nil {
		return nil, err
	}
	written.Agent.Enabled = !r.off
	written.Also = append(written.Also, notes...)
	after := r.seen.with(r.file.Path, e.Layout.Path(home.AgentsDir), written.text)
	state, err := e.changeState(context.WithoutCancel(ctx), rest, after, r.settle)
	if err != nil {
		return e.unsettled(ctx, r, written, err), nil
	}
	written.ETag, written.Changes = state.ETag, append(written.Changes, state.Changes...)
	moved := "the new name was listed as turned off and is no more"
	if r.off {
		moved = "the switch moved to the new name"
	}
	written.Also = append(append(written.Also, moved), state.Also...)
	return written, nil
}

// unsettled is the answer when the file has its new name and the list could not
// follow.
func (e *Engine) unsettled(ctx context.Context, r renaming, written *AgentWritten, err error) *AgentWritten {
	problem := "the agent is off, since its new name is still listed as turned off: %v"
	if r.off {
		problem = "the old name is still listed as turned off: %v"
	}
	written.Agent.Enabled = false
	written.Warnings = append(written.Warnings, fmt.Sprintf(problem, err))
	if seen, err := e.seeAgents(context.WithoutCancel(ctx)); err == nil {
		written.ETag = seen.tag()
	}
	return written
}

// forget takes a name out of the list of agents that are off, as the end of a
// change that was begun: also when the caller has gone.
func (e *Engine) forget(ctx context.Context, call Call, seen *seenAgents, name string) (*Written, error) {
	call.IfMatch = "" // held by the change
	return e.changeState(context.WithoutCancel(ctx), call, seen, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return agents.Forget(d, name)
	})
}

// deleteAgent takes the file away first: an agent that is off must not come on
// because only its switch went. A repeated call ends what a first one began.
func (e *Engine) deleteAgent(ctx context.Context, call Call, in AgentName) (*Written, error) {
	seen, err := e.seeToChange(ctx, call)
	if err != nil {
		return nil, err
	}
	if seen.overrides(in.Name) {
		return nil, invalid("/name", "is a built-in or plugin agent, which cannot be deleted")
	}
	file, err := seen.find(in.Name)
	stale := agents.Disabled(seen.state.doc, in.Name)
	switch {
	case errors.Is(err, agents.ErrUnknown) && stale:
		return e.changeState(ctx, call, seen, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) { return agents.Forget(d, in.Name) })
	case err != nil:
		return nil, err
	}
	written, err := e.removeAgentFile(ctx, call, seen, file)
	if err != nil {
		return nil, err
	}
	if !stale || seen.sharesSwitch(file.Profile.Name) != nil {
		e.mendState(ctx, call, seen.without(file.Path), written)
		return written, nil
	}
	state, err := e.forget(ctx, call, seen.without(file.Path), in.Name)
	if err != nil {
		written.Warnings = append(written.Warnings, fmt.Sprintf("the file is gone, and its name is still listed as turned off: %v", err))
		return written, nil
	}
	written.ETag, written.Changes = state.ETag, append(written.Changes, state.Changes...)
	written.Also = append(append(written.Also, "its switch went too"), state.Also...)
	return written, nil
}
