package settings

import (
	"context"
	"fmt"
	"strings"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
)

// projectFile is one file of settings that belongs to a project. They are shown
// and never written.
type projectFile struct {
	path string
	doc  *jsonedit.Doc // nil when it cannot be read
	err  error
}

// projectDirs are the folders whose files ZCode reads for a session in cwd, from
// the outermost in; none without a cwd.
func projectDirs(in InProject) ([]string, error) {
	if in.Cwd == "" {
		return nil, nil
	}
	dirs, err := home.Project(in.Cwd)
	if err != nil {
		_, why, _ := strings.Cut(err.Error(), home.ErrNoProject.Error()+": ")
		return nil, invalid("/cwd", "names no project folder: "+why)
	}
	return dirs, nil
}

// projectFiles reads the settings files of a project that exist, in the order in
// which ZCode reads them: what comes later counts.
func (e *Engine) projectFiles(ctx context.Context, in InProject) ([]projectFile, error) {
	dirs, err := projectDirs(in)
	if err != nil {
		return nil, err
	}
	var files []projectFile
	for _, path := range home.ProjectFiles(dirs) {
		var parsed parseOnce
		snapshot, err := e.writer.Read(ctx, path, parsed.valid, jsonedit.MaxSize)
		if err == nil && !snapshot.Exists {
			continue
		}
		file := projectFile{path: path, err: err}
		if err == nil {
			file.doc, file.err = cliConfig.open(&parsed, path, snapshot.Content, true)
		}
		files = append(files, file)
	}
	return files, ctx.Err()
}

// ProjectHooks are the hooks of one project file. ZCode runs them only in a
// workspace that a person has trusted.
type ProjectHooks struct {
	File    string                `json:"file"`
	Entries []cliconfig.HookEntry `json:"entries"`
	Trust   string                `json:"trust"`
	Problem string                `json:"problem,omitempty"` // why the file could not be read
}

func (e *Engine) projectHooks(ctx context.Context, in InProject) ([]ProjectHooks, error) {
	files, err := e.projectFiles(ctx, in)
	if err != nil {
		return nil, err
	}
	list := []ProjectHooks{}
	for _, file := range files {
		if file.err != nil {
			list = append(list, ProjectHooks{File: file.path, Entries: []cliconfig.HookEntry{}, Problem: file.err.Error()})
			continue
		}
		if entries := cliconfig.Entries(file.doc); len(entries) > 0 {
			list = append(list, ProjectHooks{File: file.path, Entries: entries, Trust: e.hookTrust(ctx)})
		}
	}
	return list, nil
}

// hookTrust tells what is known of ZCode's trust in the hooks of a project: ZCode
// keeps a digest of the hooks that were trusted, which only ZCode can make.
func (e *Engine) hookTrust(ctx context.Context) string {
	path := e.Layout.Path(home.HookTrust)
	var parsed parseOnce
	snapshot, err := e.writer.Read(ctx, path, parsed.valid, jsonedit.MaxSize)
	switch {
	case err != nil:
		return fmt.Sprintf("not known: %v", err)
	case !snapshot.Exists:
		return "not trusted: ZCode asks before it runs them"
	case !parsed.valid(snapshot.Content):
		return "not known: ZCode's trust store " + path + " is no valid JSON, so it trusts nothing"
	}
	return "ZCode runs them if they are trusted: whether they are, only ZCode can say"
}
