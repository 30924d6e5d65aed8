package settings

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"zcode-acp/atomicwrite"
	"zcode-acp/lockfile"
	"zcode-acp/settings/agents"
	"zcode-acp/settings/home"
)

// agentFiles is what the listing of backups calls the files of the subagents.
const agentFiles = "agents"

// agentBackups lists what is kept of the files of subagents, also of those that
// were deleted, newest first.
func (e *Engine) agentBackups() ([]Backup, error) {
	list := []Backup{}
	seen := map[string]bool{}
	root := e.Layout.Path(home.AgentsDir)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || entry.IsDir() {
			return err
		}
		at := strings.LastIndex(entry.Name(), ".bak-")
		if at < 0 || !agents.IsFileName(entry.Name()[:at]) {
			return nil
		}
		of := filepath.Join(filepath.Dir(path), entry.Name()[:at])
		if seen[of] {
			return nil
		}
		seen[of] = true
		found, err := atomicwrite.Backups(of)
		for _, b := range found {
			list = append(list, Backup{Path: b.Path, CreatedAt: b.Created, Stamp: b.Stamp, Size: b.Size})
		}
		return err
	})
	slices.SortStableFunc(list, func(a, b Backup) int { return b.CreatedAt.Compare(a.CreatedAt) })
	if err != nil {
		return nil, fmt.Errorf("listing the backups of the agents: %w", err)
	}
	return list, nil
}

// restoreAgent puts the file of a subagent back, deleted or not.
func (e *Engine) restoreAgent(ctx context.Context, call Call, in BackupsRestore) (*Written, error) {
	list, err := e.agentBackups()
	if err != nil {
		return nil, err
	}
	backup, err := choose(list, in)
	if err != nil {
		return nil, err
	}
	snapshot, err := e.writer.Read(ctx, backup.Path, nil, agents.MaxFileSize)
	if err != nil {
		return nil, err
	}
	path := strings.TrimSuffix(backup.Path, ".bak-"+backup.Stamp)
	kept := agentFile(path, filepath.Base(path), snapshot.Content)
	if kept.Err != nil {
		return nil, invalid("/path", "is no agent that ZCode would load: "+kept.Err.Error())
	}
	seen, err := e.seeAgents(ctx)
	if err != nil {
		return nil, err
	}
	switch other, err := agents.Find(seen.without(path).files, kept.Profile.Name); {
	case errors.Is(err, agents.ErrAmbiguous):
		return nil, err
	case err == nil:
		return nil, fmt.Errorf("%w: the agent %q of this backup has another file now, %s: rename or delete that one first", agents.ErrExists, kept.Profile.Name, other.Path)
	}
	var also []string
	if !agents.Disabled(seen.state.doc, kept.Profile.Name) && !slices.ContainsFunc(seen.files, func(f agents.File) bool { return f.Path == path }) {
		also = append(also, "the agent is on, whatever it was before: its switch is no part of the file")
	}
	written := &Written{
		OK: true, Also: also, Effect: NeedsRestart, DryRun: call.DryRun, Restored: backup.Path,
		ETag: seen.with(path, e.Layout.Path(home.AgentsDir), snapshot.Content).tag(),
	}
	if call.DryRun {
		now, err := e.writer.Read(ctx, path, isAgent, agents.MaxFileSize)
		written.Changes = agentChanges(now.Content, snapshot.Content)
		written.Changed = !now.Exists || string(now.Content) != string(snapshot.Content)
		return written, err
	}
	return e.holding(ctx, path, func(lease *lockfile.Lease) (*Written, error) {
		result, err := e.writer.Update(ctx, atomicwrite.Request{
			Path: path, Valid: isAgent, MaxSize: agents.MaxFileSize, BeforeCommit: lease.Check, Keep: backup.Path,
			Edit: func(old []byte, exists bool) ([]byte, error) {
				if err := seen.precondition(call, path, old); err != nil {
					return nil, err
				}
				if exists && string(old) == string(snapshot.Content) {
					return nil, nil
				}
				return snapshot.Content, nil
			},
		})
		if err != nil {
			return nil, err
		}
		written.Changed, written.Backup, written.Warnings = result.Changed, result.Backup, result.Warnings
		return written, nil
	})
}
