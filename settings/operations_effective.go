package settings

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/effective"
	"zcode-acp/settings/home"
)

// Effective is the answer of effective.
type Effective struct {
	OK       bool                `json:"ok"`
	Cwd      string              `json:"cwd"`    // "" without a project
	Layers   []Layer             `json:"layers"` // the lowest first
	Settings []effective.Setting `json:"settings"`
	Notes    []string            `json:"notes"` // what the settings alone do not tell
}

// Layer is one place that settings come from.
type Layer struct {
	Name    effective.Name `json:"name"`
	File    string         `json:"file,omitempty"`
	Ignored string         `json:"ignored,omitempty"` // why nothing in it counts
}

func (e *Engine) effectiveOperations() []Operation {
	return []Operation{
		Read("effective", "/settings/effective", "Tell which value of each setting counts, where it comes from, and what it hides.", e.effective),
	}
}

// otherLayers is said of every answer.
const otherLayers = "the environment is that of this program, ZCode may be started with another one; flags of ZCode's command line outrank everything here"

func (e *Engine) effective(ctx context.Context, in InProject) (*Effective, error) {
	user, err := e.userLayer(ctx)
	if err != nil {
		return nil, err
	}
	files, err := e.projectFiles(ctx, in)
	if err != nil {
		return nil, err
	}
	answer := &Effective{OK: true, Cwd: in.Cwd, Notes: []string{otherLayers}}
	layers := []effective.Layer{effective.Defaults(), user}
	for _, file := range files {
		layer := projectLayer(file)
		layers = append(layers, layer)
		answer.Notes = append(answer.Notes, e.projectNotes(ctx, layer)...)
	}
	variables, notes := e.variables()
	layers = append(layers, variables)
	answer.Notes = append(answer.Notes, notes...)
	answer.Notes = append(answer.Notes, e.serverNotes(ctx, layers)...)
	for _, l := range layers {
		answer.Layers = append(answer.Layers, Layer{l.Name, l.File, l.Ignored})
	}
	answer.Settings = effective.Merge(layers, mask)
	return answer, ctx.Err()
}

// userLayer is cli/config.json. A file that ZCode cannot use is part of the
// answer, and no error: that nothing in it counts is what people look for.
func (e *Engine) userLayer(ctx context.Context) (effective.Layer, error) {
	layer := effective.Layer{Name: effective.User, File: e.Layout.Path(home.CLIConfig)}
	file, err := e.load(ctx, cliConfig)
	switch {
	case errors.Is(err, ErrBroken):
		layer.Ignored = err.Error()
	case err != nil:
		return layer, err
	case file.problem != nil:
		layer.Ignored = file.problem.Error()
	default:
		layer.Doc = file.doc
	}
	return layer, nil
}

func projectLayer(file projectFile) effective.Layer {
	layer := effective.Layer{Name: effective.Project, File: file.path}
	err := file.err
	if err == nil {
		if problems := cliConfig.problems(file.doc); len(problems) > 0 {
			err = cliConfig.violation(file.path, problems[0])
		}
	}
	if err != nil {
		layer.Ignored = err.Error()
		return layer
	}
	layer.Doc = file.doc
	return layer
}

// projectNotes tell what a file of a project means beside its values.
func (e *Engine) projectNotes(ctx context.Context, layer effective.Layer) []string {
	if layer.Doc == nil {
		return nil
	}
	var notes []string
	if len(cliconfig.Entries(layer.Doc)) > 0 {
		notes = append(notes, "the hooks of "+layer.File+" are candidates: "+e.hookTrust(ctx))
	}
	if layer.Doc.Root().Get("plugins").Exists() {
		notes = append(notes, "a section plugins as in "+layer.File+" is reported to hide the user's whole in some versions of ZCode: "+
			"if the switch of a plugin has no effect, take the section out of that file")
	}
	return notes
}

// placeVariables move ZCode's files.
var placeVariables = []string{"ZCODE_STORAGE_DIR", "ZCODE_SESSION_DB_PATH", "ZCODE_SESSION_DB"}

// variables is the layer of the environment. What stands for ~/.zcode outranks
// the variables that move ZCode's files.
func (e *Engine) variables() (effective.Layer, []string) {
	var notes []string
	layer, set := effective.Variables(func(name string) string {
		value := os.Getenv(name)
		if value != "" && e.Layout.Overridden() && slices.Contains(placeVariables, name) {
			notes = append(notes, name+" is set and does not count here, because --home or ZCODE_HOME decides every path")
			return ""
		}
		return value
	})
	for _, v := range set {
		notes = append(notes, fmt.Sprintf("%s.%s comes from %s", v.Section, v.Field, v.Name))
	}
	return layer, notes
}

// serverNotes tell which MCP servers are none, and which come from elsewhere.
func (e *Engine) serverNotes(ctx context.Context, layers []effective.Layer) []string {
	var notes []string
	for _, l := range layers {
		if l.Doc == nil {
			continue
		}
		for _, p := range cliconfig.Check(l.Doc) {
			if p.Effect == cliconfig.ServersIgnored {
				notes = append(notes, fmt.Sprintf("ZCode ignores all MCP servers of %s: %s %s", l.File, p.Pointer, p.Rule))
			}
		}
		if l.Name != effective.User || len(cliconfig.Servers(l.Doc)) > 0 {
			continue
		}
		if shared := e.sharedServers(ctx); len(shared.servers) > 0 {
			notes = append(notes, "the desktop app takes the MCP servers of "+shared.path+" as well, because "+l.File+" has none")
		}
	}
	return notes
}
