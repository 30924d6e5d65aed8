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
	"zcode-acp/settings/agents"
	"zcode-acp/settings/home"
)

// agentFiles is what the listing of backups calls the files of the subagents.
const agentFiles = "agents"

// agentBackups lists what is kept of the files of subagents, also of those that
// were deleted, newest first. A folder that cannot be read hides no other.
func (e *Engine) agentBackups() (list []Backup, warnings []string, err error) {
	list = []Backup{}
	seen := map[string]bool{}
	root := e.Layout.Path(home.AgentsDir)
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			warnings = append(warnings, fmt.Sprintf("%s cannot be read: %v", path, withoutPath(err)))
			return fs.SkipDir
		case entry.IsDir():
			return nil
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
		return nil, nil, fmt.Errorf("listing the backups of the agents: %w", err)
	}
	return list, warnings, nil
}

// restoreAgent puts the file of a subagent back, deleted or not.
func (e *Engine) restoreAgent(ctx context.Context, call Call, in BackupsRestore) (*Written, error) {
	list, _, err := e.agentBackups()
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
	seen, err := e.seeToChange(ctx, call)
	if err != nil {
		return nil, err
	}
	switch other, err := agents.Find(seen.without(path).files, kept.Profile.Name); {
	case errors.Is(err, agents.ErrAmbiguous):
		return nil, err
	case err == nil:
		return nil, fmt.Errorf("%w: the agent %q of this backup has another file now, %s: rename or delete that one first", agents.ErrExists, kept.Profile.Name, other.Path)
	}
	written, err := e.changeOnlyFile(ctx, call, agentEdit{
		seen: seen, path: path, put: true, keep: backup.Path,
		apply: func([]byte) ([]byte, []string, error) { return snapshot.Content, nil, nil },
	})
	if err != nil {
		return nil, err
	}
	written.Restored = backup.Path
	gone := !slices.ContainsFunc(seen.files, func(f agents.File) bool { return f.Path == path })
	if gone && !agents.Disabled(seen.state.doc, kept.Profile.Name) {
		written.Also = append(written.Also, "the agent is on, whatever it was before: its switch is no part of the file")
	}
	return &written.Written, nil
}
