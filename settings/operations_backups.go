package settings

import (
	"context"
	"time"

	"zcode-acp/atomicwrite"
	"zcode-acp/settings/jsonedit"
)

// BackupsList is the answer of backups/list.
type BackupsList struct {
	OK       bool                `json:"ok"`
	Backups  map[string][]Backup `json:"backups"` // by document, newest first
	Warnings []string            `json:"warnings,omitempty"`
}

// Backup is one kept earlier state of a file.
type Backup struct {
	Path      string    `json:"path"`
	CreatedAt time.Time `json:"createdAt"`
	Stamp     string    `json:"stamp"`
	Size      int64     `json:"size"` // bytes
}

// BackupsRestore names a backup, by its path or by its stamp.
type BackupsRestore struct {
	File  string `json:"file"`
	Path  string `json:"path"`
	Stamp string `json:"stamp"`
}

func (e *Engine) backupOperations() []Operation {
	return []Operation{
		Read("backups/list", "/settings/backups", "List the backups that writes have kept.", e.listBackups),
		Write("backups/restore", "POST /settings/backups/restore", NeedsRestart,
			"Put a backup back, through the same checks as any write.", e.restoreBackup),
	}
}

func (e *Engine) listBackups(context.Context, None) (*BackupsList, error) {
	answer := &BackupsList{OK: true, Backups: map[string][]Backup{}}
	for _, d := range documents {
		list, err := e.backupsOf(d)
		if err != nil {
			return nil, err
		}
		answer.Backups[d.name] = list
	}
	list, warnings, err := e.agentBackups()
	answer.Backups[agentFiles], answer.Warnings = list, warnings
	return answer, err
}

func (e *Engine) backupsOf(d *document) ([]Backup, error) {
	found, err := atomicwrite.Backups(e.Layout.Path(d.place))
	if err != nil {
		return nil, err
	}
	list := make([]Backup, 0, len(found))
	for _, b := range found {
		list = append(list, Backup{Path: b.Path, CreatedAt: b.Created, Stamp: b.Stamp, Size: b.Size})
	}
	return list, nil
}

func (e *Engine) restoreBackup(ctx context.Context, call Call, in BackupsRestore) (*Written, error) {
	if in.File == agentFiles {
		return e.restoreAgent(ctx, call, in)
	}
	d, backup, err := e.findBackup(in)
	if err != nil {
		return nil, err
	}
	snapshot, err := e.writer.Read(ctx, backup.Path, nil, jsonedit.MaxSize)
	if err != nil {
		return nil, err
	}
	kept, also, err := d.usable(backup.Path, snapshot.Content)
	if err != nil {
		return nil, err
	}
	written, err := e.change(ctx, call, edit{
		document: d, section: "file", effect: d.effect, replaces: true, keep: backup.Path,
		apply: func(now *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
			if string(now.Text()) == string(kept.Text()) && !now.BOM() {
				return now, nil, nil
			}
			return kept, also, nil
		},
	})
	if err != nil {
		return nil, err
	}
	written.Restored = backup.Path
	return written, nil
}

// usable brings the text of a backup into the form in which a write may store it.
func (d *document) usable(path string, text []byte) (*jsonedit.Doc, []string, error) {
	kept, err := d.open(new(parseOnce), path, text, true)
	if err != nil {
		return nil, nil, err
	}
	var also []string
	if kept.BOM() {
		also = append(also, bomDropped)
		if kept, err = jsonedit.Parse(kept.Text()); err != nil {
			return nil, nil, d.broken(path, err)
		}
	}
	final, note, err := d.finish(kept, kept)
	if note != "" {
		also = append(also, note)
	}
	return final, also, err
}

// findBackup finds the document and its backup.
func (e *Engine) findBackup(in BackupsRestore) (*document, Backup, error) {
	for _, d := range documents {
		if d.name != in.File {
			continue
		}
		list, err := e.backupsOf(d)
		if err != nil {
			return nil, Backup{}, err
		}
		backup, err := choose(list, in)
		return d, backup, err
	}
	return nil, Backup{}, invalid("/file", "must be providerConfig, cliConfig, agentsState or agents")
}

// choose compares whole paths with the listing: a path that merely begins like
// a backup's is none.
func choose(list []Backup, in BackupsRestore) (Backup, error) {
	if in.Path == "" && in.Stamp == "" {
		return Backup{}, invalid("/path", "is required: a path of the listing of backups, or its stamp")
	}
	var found []Backup
	for _, b := range list {
		if (in.Path == "" || b.Path == in.Path) && (in.Stamp == "" || b.Stamp == in.Stamp) {
			found = append(found, b)
		}
	}
	switch {
	case len(found) > 1:
		return Backup{}, invalid("/stamp", "is that of several backups: give the path of one, from the listing of backups")
	case len(found) == 0:
		return Backup{}, invalid("/path", "is not a backup of "+in.File+": take one from the listing of backups")
	}
	return found[0], nil
}
