package settings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"zcode-acp/atomicwrite"
	"zcode-acp/lockfile"
	"zcode-acp/settings/agents"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
)

// changeState runs an edit of agents-state.json.
func (e *Engine) changeState(ctx context.Context, call Call, seen *seenAgents, apply func(*jsonedit.Doc) (*jsonedit.Doc, []string, error)) (*Written, error) {
	return e.change(ctx, call, edit{
		document: agentsState, section: "agents", effect: NeedsRestart, beside: seen.digest(), apply: apply,
	})
}

// errAppeared is a file that another program made since the folder was looked at.
var errAppeared = errors.New("a file appeared just now")

// agentEdit is one change of the file of one agent.
type agentEdit struct {
	seen   *seenAgents
	path   string
	create bool                                // the file must not exist yet
	put    bool                                // whether the file exists does not matter
	expect func(old []byte, exists bool) error // what must stand there; nil for anything
	keep   string                              // a backup that must outlive this write; "" for none
	apply  func(old []byte) (next []byte, also []string, err error)
	before func() error // runs when nothing is left but to put the new text there; nil for nothing
}

// precondition compares the section with the tag that the caller has seen; text
// is that of the one file that is about to change.
func (s *seenAgents) precondition(call Call, path string, text []byte) error {
	if call.IfMatch == "" {
		return nil
	}
	now := &seenAgents{state: s.state, files: slices.Clone(s.files)}
	for i := range now.files {
		if now.files[i].Path == path {
			now.files[i].Text = text
		}
	}
	return holds(call, "agents", now.tag())
}

// next judges what stands there and returns the new text.
func (ed agentEdit) next(call Call, old []byte, exists bool) ([]byte, []string, error) {
	if ed.expect != nil {
		if err := ed.expect(old, exists); err != nil {
			return nil, nil, err
		}
	}
	if ed.create && exists {
		return nil, nil, fmt.Errorf("%w: %w at %s: choose another name", agents.ErrExists, errAppeared, ed.path)
	}
	if !ed.create && !ed.put && !exists {
		return nil, nil, fmt.Errorf("%w: its file %s is gone", agents.ErrUnknown, ed.path)
	}
	if err := ed.seen.precondition(call, ed.path, old); err != nil {
		return nil, nil, err
	}
	return ed.apply(old)
}

func (ed agentEdit) beforeCommit(lease *lockfile.Lease) func() error {
	return func() error {
		if ed.before != nil {
			if err := ed.before(); err != nil {
				return err
			}
		}
		return lease.Check()
	}
}

func (e *Engine) changeAgentFile(ctx context.Context, call Call, ed agentEdit) (*AgentWritten, error) {
	var old, next []byte
	var also []string
	existed := false
	run := func(content []byte, exists bool) ([]byte, error) {
		var err error
		old, existed = content, exists
		next, also, err = ed.next(call, content, exists)
		if err == nil && exists && bytes.Equal(content, next) {
			return nil, nil
		}
		return next, err
	}
	written := &Written{OK: true, Effect: NeedsRestart, DryRun: call.DryRun}
	// ZCode passes over an agent file that is a link.
	if info, err := os.Lstat(ed.path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%w: %s is a link, which ZCode does not follow: put the file itself there", atomicwrite.ErrIrregular, ed.path)
	}
	if call.DryRun {
		snapshot, err := e.writer.Read(ctx, ed.path, isAgent, agents.MaxFileSize)
		if err != nil {
			return nil, err
		}
		changed, err := run(snapshot.Content, snapshot.Exists)
		if err != nil {
			return nil, err
		}
		written.Changed = changed != nil
		written.Changes = agentChanges(old, next)
	} else {
		_, err := e.holding(ctx, ed.path, func(lease *lockfile.Lease) (*Written, error) {
			result, err := e.writer.Update(ctx, atomicwrite.Request{
				Path: ed.path, NoLink: true, Keep: ed.keep, Valid: isAgent, MaxSize: agents.MaxFileSize, BeforeCommit: ed.beforeCommit(lease), Edit: run,
			})
			written.Changed, written.Backup, written.Warnings = result.Changed, result.Backup, result.Warnings
			return written, err
		})
		if err != nil {
			return nil, err
		}
		if written.Changed {
			noteText(ctx, ed.path, written.Backup, textIf(existed, old), textIf(true, next))
		}
	}
	after := ed.seen.with(ed.path, e.Layout.Path(home.AgentsDir), next)
	written.ETag, written.Also = after.tag(), also
	answer := &AgentWritten{Written: *written, text: next}
	for _, a := range after.users() {
		if a.Path == ed.path {
			answer.Agent = &a
			answer.Warnings = append(answer.Warnings, a.Warnings...)
		}
	}
	return answer, nil
}

// textIf returns a text for the history, nil for no file.
func textIf(exists bool, text []byte) *string {
	if !exists {
		return nil
	}
	s := string(text)
	return &s
}

// removeAgentFile takes a file away; it becomes the newest backup of itself.
func (e *Engine) removeAgentFile(ctx context.Context, call Call, seen *seenAgents, file agents.File) (*Written, error) {
	written := &Written{OK: true, Effect: NeedsRestart, Changed: true, DryRun: call.DryRun, ETag: seen.without(file.Path).tag()}
	if call.DryRun {
		if err := seen.precondition(call, file.Path, file.Text); err != nil {
			return nil, err
		}
		written.Changes = agentChanges(file.Text, nil)
		return written, nil
	}
	return e.holding(ctx, file.Path, func(lease *lockfile.Lease) (*Written, error) {
		result, err := e.writer.Remove(ctx, atomicwrite.RemoveRequest{
			Path: file.Path, MaxSize: agents.MaxFileSize, BeforeCommit: lease.Check,
			Expect: func(old []byte) error {
				if now := agentFile(file.Path, file.Rel, old); now.Err != nil || now.Profile.Name != file.Profile.Name {
					return fmt.Errorf("%w: %s holds something else now: list the agents again", ErrConflict, file.Path)
				}
				return seen.precondition(call, file.Path, old)
			},
		})
		if err != nil {
			return nil, err
		}
		written.Changed, written.Backup, written.Warnings = result.Changed, result.Backup, result.Warnings
		if result.Changed {
			noteText(ctx, file.Path, result.Backup, textIf(true, result.Old), nil)
		}
		return written, nil
	})
}

// changeOnlyFile is changeAgentFile where nothing in the state file follows.
func (e *Engine) changeOnlyFile(ctx context.Context, call Call, ed agentEdit) (*AgentWritten, error) {
	written, err := e.changeAgentFile(ctx, call, ed)
	if err == nil {
		e.mendState(ctx, call, ed.seen.with(ed.path, e.Layout.Path(home.AgentsDir), written.text), &written.Written)
	}
	return written, err
}

// mendState mends a broken state file after the file of an agent was changed with
// repair: before, an error could leave a mended file and no change.
func (e *Engine) mendState(ctx context.Context, call Call, after *seenAgents, written *Written) {
	if !after.mend {
		return
	}
	call.IfMatch = "" // held by the change
	state, err := e.changeState(context.WithoutCancel(ctx), call, after, unchanged)
	if err != nil {
		written.Warnings = append(written.Warnings, fmt.Sprintf("the agent was changed, and the state file is still broken: %v", err))
		return
	}
	written.ETag, written.Changes = state.ETag, append(written.Changes, state.Changes...)
	written.Also = append(written.Also, state.Also...)
}

// agentChanges lists what differs between two texts of an agent, by the keys of
// its front matter and "prompt".
func agentChanges(before, after []byte) []Change {
	return maskedChanges(agentDocument(before), agentDocument(after))
}

func agentDocument(text []byte) *jsonedit.Doc {
	doc, _ := jsonedit.Parse([]byte("{}"))
	file := agentFile("", "", text)
	if file.Err != nil {
		return doc
	}
	if front, err := jsonedit.Parse(encoded(file.Profile.Frontmatter)); err == nil {
		doc = front
	}
	if next, err := doc.Set(jsonedit.Path{"prompt"}, jsonedit.Quote(file.Profile.Prompt)); err == nil {
		doc = next
	}
	return doc
}
